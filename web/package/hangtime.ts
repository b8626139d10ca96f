// Worlds of hangtime for other JavaScript: a game library draws what they do. They have no clock and no picture.

import { Game, initSync, replay as replayInEngine, type World as EngineWorld } from "../target/pkg/hangtime_web.js";

/** An entity after a tick. Lengths are px, times are seconds, and y points up. */
export interface View {
  /** From 1, unique in a world. */
  id: number;
  /** Unique in a world. */
  name: string;
  /** `config/entities/KIND.toml`. */
  kind: string;
  /** The model that moves it, such as `platformer`. */
  model: string;
  /** What it is doing, in the model's words. */
  mode: string;
  /** The center; in a top view, the third number is the height of the feet. */
  pos: [x: number, y: number, z: number];
  /** The model's velocity, px/s. */
  vel: [x: number, y: number, z: number];
  /** The velocity that others have given it, px/s. */
  external: [x: number, y: number, z: number];
  /** Radians, counterclockwise. */
  angle: number;
  /** rad/s */
  spin: number;
  grounded: boolean;
  /** 1 toward +x, -1 toward -x. */
  facing: 1 | -1;
  /** The surface it is on; empty in the air. */
  surface: string;
  hook: { state: "idle" | "firing" | "attached" | "returning"; tip: [x: number, y: number]; [more: string]: unknown };
  /** The variables of its script. */
  vars: Record<string, unknown>;
  /** The full width and height of its body, if they are not its kind's. */
  size?: [width: number, height: number];
  stance?: string;
}

/** An event of a tick, such as `{ type: "land", … }`. */
export type WorldEvent = { [member: string]: unknown };

export interface WorldOptions {
  /** The files of a game by their paths, such as `levels/mine.toml`; without them, it is the built-in playground. */
  files?: Record<string, string | Uint8Array>;
  /** The level, by its name or path; without it, the first one. */
  level?: string;
  /** The seed of all random numbers. */
  seed?: number | bigint;
}

let loaded = false;

/** Loads the engine, once. Without a source, it is the file `hangtime.wasm` next to this one. */
export async function load(source?: BufferSource | WebAssembly.Module | Response | Promise<Response>): Promise<void> {
  if (loaded) return;
  const given = await (source ?? nextToThis());
  const bytes = given instanceof Response ? await given.arrayBuffer() : given;
  initSync({ module: bytes instanceof WebAssembly.Module ? bytes : await WebAssembly.compile(bytes) });
  loaded = true;
}

function nextToThis(): BufferSource | Promise<Response> {
  const url = new URL("hangtime.wasm", import.meta.url);
  // Node fetches no files.
  const files = url.protocol === "file:" && (globalThis as any).process?.getBuiltinModule?.("node:fs");
  return files ? files.readFileSync(url) : fetch(url);
}

function needEngine(): void {
  if (!loaded) throw new Error("await load() first");
}

/** How a recording has ended. */
export interface Replayed {
  /** How many ticks it has. */
  ticks: number;
  /** The hash of its last world, as the program prints it. */
  hash: string;
}

/**
 * Plays a recording again, as `hangtime run --record` writes it, with the files in it. Throws the first difference in any
 * tick, and for a recording that was cut or is damaged.
 */
export function replay(recording: string | Uint8Array): Replayed {
  needEngine();
  const [ticks, hash] = JSON.parse(replayInEngine(bytesOf(recording)));
  return { ticks, hash };
}

const bytesOf = (file: string | Uint8Array) => (typeof file === "string" ? new TextEncoder().encode(file) : file);

/** A world of a level, which moves only when it is asked to. */
export class World {
  #world: EngineWorld;
  #line: { tick: number; entities: View[]; events: WorldEvent[]; level: { vars: Record<string, unknown> } | null } | null = null;

  /** Opens a level. Throws the messages about its files if they have errors. */
  constructor({ files, level, seed = 0 }: WorldOptions = {}) {
    needEngine();
    const game = new Game(!files);
    try {
      for (const [path, file] of Object.entries(files ?? {})) game.write(path, bytesOf(file));
      this.#world = game.world(level, BigInt(seed));
    } finally {
      game.free();
    }
  }

  /**
   * Plays ticks in which actions are held: their names for the first player, such as `"right jump"`, or a list with the
   * names for each player. Throws if the game has no such action.
   */
  step(actions: string | string[] = "", ticks = 1): void {
    this.#world.step(typeof actions === "string" ? actions : actions.join("\n"), ticks);
    this.#line = null;
  }

  #now() {
    return (this.#line ??= JSON.parse(this.#world.views()));
  }

  /** All entities after the last tick, by ascending id. */
  views(): View[] {
    return this.#now()!.entities;
  }

  /** What happened in the last tick. */
  events(): WorldEvent[] {
    return this.#now()!.events;
  }

  /** The variables of the level's script. */
  vars(): Record<string, unknown> {
    return this.#now()!.level?.vars ?? {};
  }

  /** The world as a text, from which it continues as if nothing had happened. */
  snapshot(): string {
    return this.#world.snapshot();
  }

  /** Continues with a snapshot of the same level. Throws if it is not one. */
  restore(snapshot: string): void {
    this.#world.restore(snapshot);
    this.#line = null;
  }

  /** The hash of the world: equal worlds have equal hashes on every machine. */
  hash(): string {
    return this.#world.hash();
  }

  /** How many ticks were played. */
  get tick(): number {
    return this.#world.tick();
  }

  /** Ticks per second. */
  get hz(): number {
    return this.#world.hz();
  }

  /** Gives its memory back. */
  free(): void {
    this.#world.free();
  }
}
