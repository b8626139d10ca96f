// What the page and the worker with the engine say to each other.

export type FileMap = Map<string, Uint8Array>;

export interface MessageFix {
  /** Bytes of the saved text. */
  from: number;
  to: number;
  text: string;
}

export interface Message {
  file: string;
  line: number;
  column: number;
  end_line: number;
  end_column: number;
  severity: "error" | "warning";
  message: string;
  fixes: MessageFix[];
}

export interface GameState {
  level: string;
  revision: number;
  hz: number;
  tick: number;
  position: number;
  begin: number;
  end: number;
  paused: boolean;
  speed: number;
  status: string;
  banner: string;
  ghosts: number;
  unsaved: number;
  x: number;
  y: number;
  broken: boolean;
}

export interface BoundKey {
  name: string;
  words: string;
  code: string;
  label: string;
}

export interface GameKeys {
  actions: BoundKey[];
  effects: BoundKey[];
  overlays: BoundKey[];
  bound: string[];
}

/** What the level that runs has: asked for when it or its files change. */
export interface LevelFacts {
  keys: GameKeys;
  levels: [string[], string[]];
  used: string[];
  width: number;
  height: number;
}

/** What is heard of a frame: sounds by their numbers. */
export interface Heard {
  /** The loudness on the left and on the right, 0 to 1, and the pitch. */
  sounds: [number: number, left: number, right: number, pitch: number][];
  music: [number: number, volume: number, pitch: number] | null;
}

/** A sound, which comes once. */
export interface SoundData {
  number: number;
  rate: number;
  channels: number;
  /** Interleaved; none if there is an OGG file. */
  samples: Float32Array;
  ogg: Uint8Array;
}

/** The parts of what the engine says about a moment that the page reads. */
export interface PlayedMoment {
  after: unknown[] | null;
  /** The number of the revision that it begins with. */
  revision: number;
  hash: string;
}

/** A moment that is shared: what the engine says about it, and the files that its edit changed. */
export interface Moment {
  played: string;
  edit: [string, Uint8Array | null][];
}

/** An item of completion, as the language server protocol has them. */
export interface CompletionItem {
  label: string;
  /** 2 method, 3 function, 5 field, 6 variable, 10 property, 12 value, 14 keyword. */
  kind?: number;
  detail?: string;
  documentation?: { value: string };
  insertText?: string;
  /** 2 if `$0` in the text is for the cursor. */
  insertTextFormat?: number;
}

/** A call of the engine that needs no answer, such as a key: they are made in their order before the next frame. */
export type Input = [name: string, ...args: unknown[]];

export type ToWorker =
  | {
      t: "start";
      engine: WebAssembly.Module;
      files: [string, Uint8Array][] | null;
      level: string;
      world: string;
      moment: Moment | null;
    }
  /** Asks for something about files, in the worker that does not play. */
  | { t: "ask"; id: number; engine: WebAssembly.Module; files: [string, Uint8Array | null][]; name: string; args: unknown[] }
  | { t: "frame"; inputs: Input[]; panel: string | null }
  | { t: "call"; id: number; name: string; args: unknown[] };

export type FromWorker =
  | {
      t: "started";
      /** The built-in game, if the page has no other. */
      files: [string, Uint8Array][] | null;
      level: string;
      ok: boolean;
      messages: Message[];
      facts: LevelFacts | null;
      /** Why the world could not be restored; empty if it was, or there was none. */
      lost: string;
      /** The hash of the shown tick. */
      hash: string;
    }
  | {
      t: "frame";
      pixels: ArrayBuffer | null;
      width: number;
      height: number;
      state: GameState | null;
      /** Effects of keys that are the page's own: `full_screen`, `tuning`, `levels`. */
      effects: string[];
      panel: string | null;
      heard: Heard;
      /** Sounds that are heard for the first time. */
      sounds: SoundData[];
      /** How long ticks and painting took, ms. */
      took: number;
    }
  | { t: "answer"; id: number; value: unknown }
  | { t: "crash"; message: string };
