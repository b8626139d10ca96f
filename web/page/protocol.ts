// What the page and the engine say to each other.

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
  codes: string[];
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
  /** 32-bit numbers, interleaved; none if there is an OGG file. */
  samples: Uint8Array;
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

/** A call of the engine: its name with the arguments. */
export type Call = [name: string, ...args: unknown[]];

/** The answer to a message of calls. */
export interface Answer {
  id: number;
  /** What the last call has returned. */
  value?: unknown;
  error?: string;
}

/** The answer to `start`. */
export interface Started {
  /** The game of the engine, if the page has brought no other. */
  files: [string, Uint8Array][] | null;
  level: string;
  ok: boolean;
  messages: Message[];
  facts: LevelFacts | null;
  /** Why the world or the moment is not the one that was asked for; empty if it is. */
  lost: string;
  /** The hash of the shown tick. */
  hash: string;
}

/** The answer to `frame`. */
export interface Frame {
  pixels: Uint8Array | null;
  width: number;
  height: number;
  state: GameState | null;
  /** Effects of keys that are the page's own: `full_screen`, `tuning`, `levels`, `mute`. */
  effects: string[];
  panel: string | null;
  heard: Heard;
  /** Sounds that are heard for the first time. */
  sounds: SoundData[];
  /** How long ticks and painting took, ms. */
  took: number;
  /** What was saved by another program. */
  saved: { files: [string, Uint8Array | null][]; messages: Message[] } | null;
}
