// The engine as the page sees it: a worker that is started again when it crashes or does not answer.

import type {
  CompletionItem,
  FileMap,
  FromWorker,
  GameState,
  Heard,
  Input,
  LevelFacts,
  Message,
  Moment,
  SoundData,
  ToWorker,
} from "./protocol.js";

/** How long the worker may take to start, and for a frame or a call, ms. */
const STARTS_WITHIN = 60_000;
const ANSWERS_WITHIN = 10_000;

/** How often the world is kept for a crash, ms. */
const KEEP_EVERY = 1000;

/** A second crash within this time is blamed on the last saved files, ms. */
const SOON = 5000;

/** The engine, compiled once for all workers. */
const engine: Promise<WebAssembly.Module> = (async () => {
  const url = new URL("hangtime.wasm", import.meta.url);
  try {
    return await WebAssembly.compileStreaming(fetch(url));
  } catch {
    // A server may not know the type of the file.
    return WebAssembly.compile(await (await fetch(url)).arrayBuffer());
  }
})();

function newWorker(): Worker {
  return new Worker(new URL("worker.js", import.meta.url), { type: "module" });
}

/** Answers questions about files in another worker, so that the game does not wait. */
export class Advisor {
  private worker: Worker | null = null;
  /** The files that the worker has. */
  private known: FileMap = new Map();
  /** What waits for an answer: at most one question of each name. */
  private waiting = new Map<string, { id: number; done: (answer: unknown) => void }>();
  private id = 0;

  /** The messages about a file; none if another one is asked for before they are there. */
  async check(files: FileMap, path: string): Promise<Message[]> {
    return JSON.parse((await this.ask<string>(files, "check", path)) ?? "[]");
  }

  /** What can be written at a byte of a file that has this text. */
  async complete(files: FileMap, path: string, text: string, at: number): Promise<CompletionItem[]> {
    return JSON.parse((await this.ask<string>(files, "complete", path, text, at)) ?? "null") ?? [];
  }

  /** What the reference says about the word at a byte of a file that has this text, as Markdown. */
  hover(files: FileMap, path: string, text: string, at: number): Promise<string | null> {
    return this.ask<string>(files, "hover", path, text, at);
  }

  /** Calls the engine of the other worker, with these files. Its answer is null if the same is asked again before. */
  private async ask<T>(files: FileMap, name: string, ...args: unknown[]): Promise<T | null> {
    const module = await engine;
    this.waiting.get(name)?.done(null);
    if (!this.worker) {
      this.worker = newWorker();
      this.known = new Map();
      this.worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
        if (data.t === "crash") return this.giveUp();
        if (data.t !== "answer") return;
        for (const [name, { id, done }] of this.waiting) {
          if (id !== data.id) continue;
          this.waiting.delete(name);
          done(data.value);
        }
      };
      this.worker.onerror = () => this.giveUp();
    }
    const changed: [string, Uint8Array | null][] = [...files].filter(([path, bytes]) => this.known.get(path) !== bytes);
    for (const path of this.known.keys()) if (!files.has(path)) changed.push([path, null]);
    this.known = new Map(files);
    const id = ++this.id;
    const message: ToWorker = { t: "ask", id, engine: module, files: changed, name, args };
    this.worker.postMessage(message);
    return new Promise((done) => this.waiting.set(name, { id, done: done as (answer: unknown) => void }));
  }

  /** What crashes here crashes in the game as well, which says so. */
  private giveUp(): void {
    this.worker?.terminate();
    this.worker = null;
    for (const { done } of this.waiting.values()) done(null);
    this.waiting.clear();
  }
}

/** The hash of the world that a moment ends with, played in a worker that ends then; empty if it cannot be played. */
export async function hashOfMoment(files: FileMap, level: string, moment: Moment): Promise<string> {
  const module = await engine;
  const worker = newWorker();
  const found = new Promise<string>((done) => {
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      done(data.t === "started" && data.ok && data.lost === "" ? data.hash : "");
    };
    worker.onerror = () => done("");
    setTimeout(() => done(""), ANSWERS_WITHIN);
  });
  const message: ToWorker = { t: "start", engine: module, files: [...files], level, world: "", moment };
  worker.postMessage(message);
  const hash = await found;
  worker.terminate();
  return hash;
}

export interface Frame {
  pixels: ArrayBuffer | null;
  width: number;
  height: number;
  state: GameState | null;
  effects: string[];
  panel: string | null;
  heard: Heard;
  sounds: SoundData[];
  took: number;
}

export interface Started {
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

export interface GameEvents {
  frame(frame: Frame): void;
  /** The worker was started again. */
  recovered(text: string, started: Started): void;
  /** It cannot be. */
  failed(text: string): void;
}

export class Game {
  private worker: Worker | null = null;
  private waiting = new Map<number, { done: (value: any) => void; failed: (why: Error) => void }>();
  private nextId = 1;
  private timer = 0;
  private pending = 0;
  private inputs: Input[] = [];
  private started: ((started: Started) => void) | null = null;
  /** A world that is not older than about a second. */
  private kept: { level: string; world: string } | null = null;
  private keptAt = 0;
  private keeping = false;
  private crashedAt = -Infinity;
  private crashes = 0;
  /** The files that the worker has, and those that ran for a while. */
  private files: FileMap | null = null;
  private good: FileMap | null = null;
  private goodAt = 0;
  private level = "";
  /** Whether a frame was asked for and is not there yet. */
  busy = false;

  constructor(private events: GameEvents) {}

  /** Starts with these files, or with the built-in game; in a saved world of the level, or at a moment that was shared. */
  async start(files: FileMap | null, level: string, world = "", moment: Moment | null = null): Promise<Started> {
    this.worker?.terminate();
    this.busy = false;
    this.pending = 0;
    this.waiting.forEach(({ failed }) => failed(new Error("the engine was started again")));
    this.waiting.clear();
    this.inputs = [];
    const module = await engine;
    const worker = newWorker();
    this.worker = worker;
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.receive(data);
    worker.onerror = (event) => this.crash(event.message || "the worker cannot be loaded");
    const started = new Promise<Started>((done) => (this.started = done));
    this.post({ t: "start", engine: module, files: files && [...files], level, world, moment }, STARTS_WITHIN);
    const result = await started;
    this.files = new Map(result.files ?? files ?? []);
    for (const [path, bytes] of moment?.edit ?? []) {
      if (bytes) this.files.set(path, bytes);
      else this.files.delete(path);
    }
    this.good ??= this.files;
    this.level = result.level;
    return result;
  }

  private post(message: ToWorker, within: number): void {
    this.worker?.postMessage(message);
    this.pending += 1;
    this.watch(within);
  }

  private watch(within: number): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      if (this.pending > 0) this.crash(`no answer for ${within / 1000} s`);
    }, within);
  }

  private receive(message: FromWorker): void {
    if (message.t === "crash") return this.crash(message.message);
    this.pending -= 1;
    if (this.pending > 0) this.watch(ANSWERS_WITHIN);
    else clearTimeout(this.timer);
    switch (message.t) {
      case "started":
        return this.started?.(message);
      case "answer": {
        const { id, value } = message;
        this.waiting.get(id)?.done(value);
        this.waiting.delete(id);
        return;
      }
      case "frame":
        this.busy = false;
        if (message.state) this.level = message.state.level;
        this.events.frame(message);
        return this.keep(message.state);
    }
  }

  /** Keeps the world once a second, and remembers the files that have played that long. */
  private keep(state: GameState | null): void {
    const now = performance.now();
    if (!state || this.keeping || now - this.keptAt < KEEP_EVERY) return;
    this.keptAt = now;
    if (now - this.goodAt > 2 * KEEP_EVERY && this.files) this.good = this.files;
    if (state.paused && this.kept) return;
    this.keeping = true;
    this.call<string>("saved_world").then(
      (world) => {
        this.kept = { level: state.level, world };
        this.keeping = false;
      },
      () => (this.keeping = false),
    );
  }

  /** Calls the engine. */
  call<T>(name: string, ...args: unknown[]): Promise<T> {
    const id = this.nextId++;
    const answer = new Promise<T>((done, failed) => this.waiting.set(id, { done, failed }));
    this.post({ t: "call", id, name, args }, ANSWERS_WITHIN);
    return answer;
  }

  /** Calls the engine before the next frame. */
  input(...input: Input): void {
    this.inputs.push(input);
  }

  /** Asks for the next frame, and for the panel with the rows of a search. */
  frame(panel: string | null): void {
    this.busy = true;
    const inputs = this.inputs;
    this.inputs = [];
    this.post({ t: "frame", inputs, panel }, ANSWERS_WITHIN);
  }

  /** Writes files, `null` for one to remove, and lets them take effect. */
  async save(changed: Map<string, Uint8Array | null>): Promise<Message[]> {
    const files: FileMap = new Map(this.files ?? []);
    for (const [path, bytes] of changed) {
      if (bytes) files.set(path, bytes);
      else files.delete(path);
      this.input(...((bytes ? ["write", path, bytes] : ["remove", path]) as Input));
    }
    this.files = files;
    this.goodAt = performance.now();
    // Writes are inputs, so they have to be made first.
    this.frame(null);
    return JSON.parse(await this.call<string>("save"));
  }

  private crash(why: string): void {
    if (!this.worker) return;
    this.worker.terminate();
    this.worker = null;
    clearTimeout(this.timer);
    const now = performance.now();
    this.crashes = now - this.crashedAt < SOON ? this.crashes + 1 : 1;
    this.crashedAt = now;
    void this.recover(why);
  }

  private async recover(why: string): Promise<void> {
    const short = why.split("\n")[0];
    if (this.crashes > 3) {
      this.events.failed(`The engine crashed again and again (${short}). Reload this page: it then begins without your changes.`);
      return;
    }
    const files = this.crashes > 1 ? this.good : this.files;
    const kept = this.crashes > 2 ? null : this.kept;
    const started = await this.start(files, kept?.level ?? this.level, kept?.world ?? "");
    const from =
      kept && !started.lost ? "The game continues from its last second" : "The level was started again";
    const with_ = this.crashes > 1 ? ", with the files before the last edit" : "";
    this.events.recovered(`The engine crashed (${short}). ${from}${with_}.`, started);
  }
}
