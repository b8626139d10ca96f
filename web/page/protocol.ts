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

/** A call of the engine that needs no answer, such as a key: they are made in their order before the next frame. */
export type Input = [name: string, ...args: unknown[]];

export type ToWorker =
  | { t: "start"; engine: WebAssembly.Module; files: [string, Uint8Array][] | null; level: string; world: string }
  | { t: "check"; id: number; engine: WebAssembly.Module; files: [string, Uint8Array | null][]; path: string }
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
      /** How long ticks and painting took, ms. */
      took: number;
    }
  | { t: "answer"; id: number; value: unknown }
  | { t: "crash"; message: string };
