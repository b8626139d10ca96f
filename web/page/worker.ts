// The worker: it owns the engine. A script that never ends, or a crash, is its end and not the page's. Another one checks
// files, so that the game does not wait.

import { initSync, Engine, type InitOutput } from "../target/pkg/hangtime_web.js";
import type { FromWorker, Heard, LevelFacts, Moment, SoundData, ToWorker } from "./protocol.js";

let wasm: InitOutput;
let engine: Engine;
let dead = false;
/** The sounds whose samples the page has. */
const sent = new Set<number>();

function send(message: FromWorker, transfer: Transferable[] = []): void {
  (self as unknown as Worker).postMessage(message, transfer);
}

function facts(): LevelFacts | null {
  const keys = JSON.parse(engine.keys());
  if (keys === null) return null;
  return {
    keys,
    levels: JSON.parse(engine.levels()),
    used: JSON.parse(engine.used_files()),
    width: engine.wanted_width(),
    height: engine.wanted_height(),
  };
}

function load(module: WebAssembly.Module): void {
  wasm ??= initSync({ module });
  engine ??= new Engine();
}

function start(message: ToWorker & { t: "start" }): void {
  load(message.engine);
  let files: [string, Uint8Array][] | null = null;
  if (message.files === null) {
    engine.use_playground();
    files = (JSON.parse(engine.paths()) as string[]).map((path) => [path, engine.read(path)!]);
  } else {
    for (const [path, bytes] of message.files) engine.write(path, bytes);
  }
  const [levels] = JSON.parse(engine.levels()) as [string[], string[]];
  const usual = levels.find((level) => level === "levels/playground.toml") ?? levels[0] ?? "";
  const level = message.level || usual;
  const opened = JSON.parse(engine.open(level));
  let lost = opened.ok && message.world ? engine.restore(message.world) : "";
  if (opened.ok && message.moment) lost = replay(message.moment, opened.messages);
  send({ t: "started", files, level, ok: opened.ok, messages: opened.messages, facts: facts(), lost, hash: engine.hash() });
}

/** Plays a moment that was shared, with its edit. Returns why it cannot be played. */
function replay({ played, edit }: Moment, messages: unknown[]): string {
  const lost = engine.begin_moment(played);
  if (edit.length > 0) {
    write(edit);
    messages.splice(0, Infinity, ...JSON.parse(engine.save()));
  }
  return lost || engine.end_moment(played);
}

function write(files: [string, Uint8Array | null][]): void {
  for (const [path, bytes] of files) {
    if (bytes) engine.write(path, bytes);
    else engine.remove(path);
  }
}

function ask(message: ToWorker & { t: "ask" }): void {
  load(message.engine);
  write(message.files);
  const { id, name, args } = message;
  send({ t: "answer", id, value: (engine as any)[name](...args) ?? null });
}

/** The samples of what is heard for the first time. */
function newSounds({ sounds, music }: Heard): SoundData[] {
  const numbers = new Set([...sounds.map(([number]) => number), ...(music ? [music[0]] : [])]);
  return [...numbers].flatMap((number) => {
    if (sent.has(number)) return [];
    sent.add(number);
    const [rate, channels] = [engine.sample_rate(number), engine.channels(number)];
    return [{ number, rate, channels, samples: engine.samples(number), ogg: engine.ogg(number) }];
  });
}

function frame(message: ToWorker & { t: "frame" }): void {
  const effects: string[] = [];
  for (const [name, ...args] of message.inputs) {
    const answer = (engine as any)[name](...args);
    if (name === "press" || name === "pad") effects.push(...JSON.parse(answer));
  }
  const began = performance.now();
  const changed = engine.play();
  const took = performance.now() - began;
  const [width, height] = [engine.width(), engine.height()];
  let pixels: ArrayBuffer | null = null;
  if (changed) {
    const at = engine.pixels();
    pixels = wasm.memory.buffer.slice(at, at + width * height * 4);
  }
  const panel = message.panel === null ? null : engine.panel(message.panel);
  const state = JSON.parse(engine.state());
  const heard = JSON.parse(engine.heard()) as Heard;
  const sounds = newSounds(heard);
  const samples = sounds.flatMap(({ samples, ogg }) => [samples.buffer, ogg.buffer]);
  const transfer = [...(pixels ? [pixels] : []), ...samples] as Transferable[];
  send({ t: "frame", pixels, width, height, state, effects, panel, heard, sounds, took }, transfer);
}

function handle(message: ToWorker): void {
  if (message.t === "start") return start(message);
  if (message.t === "ask") return ask(message);
  if (message.t === "frame") return frame(message);
  const { id, name, args } = message;
  const value = name === "facts" ? facts() : (engine as any)[name](...args);
  send({ t: "answer", id, value });
}

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if (dead) return;
  try {
    handle(data);
  } catch (error) {
    // After a trap, the engine is in no state to be called.
    dead = true;
    send({ t: "crash", message: String(error) });
  }
};
