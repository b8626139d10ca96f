// The engine as the page sees it: one that is started again when it crashes or does not answer.

import { Connection } from "./connection.js";
import { openService, openWorker } from "./engine.js";
import type { Call, FileMap, Frame, GameState, Message, Moment, Started } from "./protocol.js";

/** How long the engine may take to start, and for anything else, ms. */
const STARTS_WITHIN = 60_000;
const ANSWERS_WITHIN = 10_000;

/** How many frames may be on their way: the engine makes the next one while the page shows the one before. */
const FRAMES_AHEAD = 2;

/** How often the world is kept for a crash, ms. */
const KEEP_EVERY = 1000;

/** A second crash within this time is blamed on the last saved files, ms. */
const SOON = 5000;

/** How long to wait before a service is looked for again, ms. */
const LOOKS_AFTER = 1000;

/** The hash of the world that a moment ends with, played by an engine that ends then; empty if it cannot be played. */
export async function hashOfMoment(files: FileMap, level: string, moment: Moment): Promise<string> {
  const connection = new Connection(openWorker, () => {});
  try {
    const { ok, lost, hash } = await connection.ask<Started>([["start", [...files], level, "", moment]], ANSWERS_WITHIN);
    return ok && lost === "" ? hash : "";
  } catch {
    return "";
  } finally {
    connection.close();
  }
}

export interface GameEvents {
  frame(frame: Frame): void;
  /** The service cannot be reached. */
  lost(text: string): void;
  /** The engine was started again, with these files. */
  recovered(text: string, started: Started, files: FileMap): void;
  /** It cannot be. */
  failed(text: string): void;
}

export class Game {
  private connection: Connection | null = null;
  private inputs: Call[] = [];
  /** A world that is not older than about a second. */
  private kept: { level: string; world: string } | null = null;
  private keptAt = 0;
  private keeping = false;
  private crashedAt = -Infinity;
  private crashes = 0;
  /** The files that the engine has, and those that ran for a while. */
  private files: FileMap | null = null;
  private good: FileMap | null = null;
  private goodAt = 0;
  private level = "";
  /** How many frames were asked for and are not there yet. */
  private awaited = 0;

  /** A game of this page, or of a service, which has its files. */
  constructor(
    private isServed: boolean,
    private events: GameEvents,
  ) {}

  /** Starts with these files, or with the engine's own; in a saved world of the level, or at a moment that was shared. */
  async start(files: FileMap | null, level: string, world = "", moment: Moment | null = null): Promise<Started> {
    this.connection?.close();
    this.awaited = 0;
    this.inputs = [];
    const connection = new Connection(this.isServed ? openService : openWorker, (why) => this.crash(connection, why));
    this.connection = connection;
    const given = this.isServed ? null : files && [...files];
    const started = await connection.ask<Started>([["start", given, level, world, moment]], STARTS_WITHIN);
    this.files = new Map(started.files ?? files ?? []);
    for (const [path, bytes] of moment?.edit ?? []) {
      if (bytes) this.files.set(path, bytes);
      else this.files.delete(path);
    }
    this.good ??= this.files;
    this.level = started.level;
    return started;
  }

  private ask<T>(call: Call): Promise<T> {
    if (!this.connection) return Promise.reject(new Error("the engine is being started"));
    const calls = [...this.inputs, call];
    this.inputs = [];
    return this.connection.ask<T>(calls, ANSWERS_WITHIN);
  }

  /** Keeps the world once a second, and remembers the files that have played that long. */
  private async keep(state: GameState | null): Promise<void> {
    const now = performance.now();
    if (!state || this.keeping || now - this.keptAt < KEEP_EVERY) return;
    this.keptAt = now;
    if (now - this.goodAt > 2 * KEEP_EVERY && this.files) this.good = this.files;
    if (state.paused && this.kept) return;
    this.keeping = true;
    try {
      this.kept = { level: state.level, world: await this.call<string>("saved_world") };
    } catch {
      // The one from before has to do.
    } finally {
      this.keeping = false;
    }
  }

  /** Calls the engine. */
  call<T>(...call: Call): Promise<T> {
    return this.ask<T>(call);
  }

  /** Calls the engine before anything else that is asked for. */
  input(...call: Call): void {
    this.inputs.push(call);
  }

  /** Whether it is too early to ask for another frame. */
  get busy(): boolean {
    return this.awaited >= FRAMES_AHEAD;
  }

  /** Asks for the next frame, and for the panel with the rows of a search. */
  async frame(panel: string | null): Promise<void> {
    this.awaited += 1;
    let frame: Frame;
    try {
      frame = await this.ask<Frame>(["frame", panel]);
    } catch {
      // The engine has ended. It is started again, or the page has started another one.
      return;
    }
    this.awaited -= 1;
    if (frame.state) this.level = frame.state.level;
    this.events.frame(frame);
    await this.keep(frame.state);
  }

  /** Writes files, `null` for one to remove, and lets them take effect. */
  save(changed: Map<string, Uint8Array | null>): Promise<Message[]> {
    const files: FileMap = new Map(this.files ?? []);
    for (const [path, bytes] of changed) {
      if (bytes) files.set(path, bytes);
      else files.delete(path);
      this.input("write", path, bytes);
    }
    this.files = files;
    this.goodAt = performance.now();
    return this.call<Message[]>("save");
  }

  private crash(connection: Connection, why: string): void {
    if (this.connection !== connection) return;
    this.connection = null;
    const now = performance.now();
    this.crashes = now - this.crashedAt < SOON ? this.crashes + 1 : 1;
    this.crashedAt = now;
    // An engine that ends while it starts comes here again.
    this.recover(why.split("\n")[0]).catch(() => {});
  }

  private async recover(why: string): Promise<void> {
    if (this.isServed) {
      this.events.lost(`The game rests (${why}). It continues once the service can be reached.`);
      await new Promise((done) => setTimeout(done, LOOKS_AFTER));
    } else if (this.crashes > 3) {
      this.events.failed(`The engine crashed again and again (${why}). "Download" saves what you have changed. Reload this page: it then begins without that.`);
      return;
    }
    const files = this.crashes > 1 ? this.good : this.files;
    const kept = this.crashes > 2 && !this.isServed ? null : this.kept;
    const started = await this.start(files, kept?.level ?? this.level, kept?.world ?? "");
    const from = kept && !started.lost ? "The game continues from its last second" : "The level was started again";
    const with_ = this.crashes > 1 && !this.isServed ? ", with the files before the last edit" : "";
    this.events.recovered(`${this.isServed ? "The service is back" : `The engine crashed (${why})`}. ${from}${with_}.`, started, files ?? new Map(started.files ?? []));
  }
}
