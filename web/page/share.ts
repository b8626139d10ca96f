// Games as links: what was changed, deflated, in the part of the address that browsers keep to themselves.

import { pack, unpack, type PackedFiles } from "./files.js";
import type { PlayedMoment } from "./protocol.js";

/** Longer links are refused by some programs: a file is offered instead. */
export const LONGEST_LINK = 16_000;

/** The longest link that is read, characters, and the most that it may become, bytes. */
const LONGEST_READ = 4_000_000;
const MOST_INFLATED = 8_000_000;

/** The longest file that is read, characters. */
const LONGEST_FILE = 64_000_000;

/** Whether this browser can make links and read them. */
export const canShare = "CompressionStream" in globalThis && "DecompressionStream" in globalThis;

export interface SharedGame {
  level: string;
  /** The version of the game that it was made for. */
  version: string;
  changes: Map<string, Uint8Array | null>;
  /** What is shown first; without it, the start of the level. */
  moment: SharedMoment | null;
}

/** A moment of a game: the last seconds before it, which play again. */
export interface SharedMoment {
  /** What the engine says about them. Its numbers are larger than those of JavaScript, so it stays a text. */
  played: string;
  /** What differed before the edit that is among them; nothing if there is none. */
  before: Map<string, Uint8Array | null> | null;
}

interface SharedJson extends PackedFiles {
  hangtime: 1;
  version: string;
  level: string;
  moment?: { played: string; before?: PackedFiles };
}

export function toJson(game: SharedGame): string {
  const json: SharedJson = { hangtime: 1, version: game.version, level: game.level, ...pack(game.changes) };
  if (game.moment) {
    const { played, before } = game.moment;
    json.moment = before ? { played, before: pack(before) } : { played };
  }
  return JSON.stringify(json);
}

/** Whether a moment has what the page reads of it. The engine checks the rest. */
function isPlayed(played: unknown): played is string {
  try {
    return typeof (JSON.parse(played as string) as PlayedMoment).hash === "string";
  } catch {
    return false;
  }
}

/** Reads a game from a file, which may be anything. Throws what a person can read. */
export function fromFile(text: string): SharedGame {
  if (text.length > LONGEST_FILE) throw new Error("it is too large for a game");
  let json: Partial<SharedJson>;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Error("it is incomplete or not a game");
  }
  if (json?.hangtime !== 1) throw new Error("it is not a game of this version of hangtime");
  const word = (value: unknown) => (typeof value === "string" ? value.slice(0, 200) : "");
  const { played, before } = json.moment ?? {};
  const moment = isPlayed(played) ? { played, before: before ? unpack(before) : null } : null;
  return { level: word(json.level), version: word(json.version), changes: unpack(json), moment };
}

async function read(stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) {
      await reader.cancel();
      throw new RangeError("too large");
    }
    parts.push(value);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream, most: number): Promise<Uint8Array> {
  const writer = stream.writable.getWriter();
  // What is wrong with the bytes shows where they are read.
  writer.write(bytes as BufferSource).catch(() => {});
  writer.close().catch(() => {});
  return read(stream.readable as ReadableStream<Uint8Array>, most);
}

/** The part of a link after `#g=`. */
export async function toLink(game: SharedGame): Promise<string> {
  const bytes = new TextEncoder().encode(toJson(game));
  const deflated = await through(bytes, new CompressionStream("deflate-raw"), Infinity);
  let text = "";
  for (let at = 0; at < deflated.length; at += 0x8000) {
    text += String.fromCharCode(...deflated.subarray(at, at + 0x8000));
  }
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Reads the part of a link after `#g=`, which may be anything. Throws what a person can read. */
export async function fromLink(text: string): Promise<SharedGame> {
  if (!canShare) throw new Error("this browser cannot read games from links: use a current Firefox, Chrome, Edge or Safari");
  if (text.length > LONGEST_READ) throw new Error("it is too long");
  if (!/^[\w-]*$/.test(text)) throw new Error("it is damaged: it has characters that no such link has");
  let bytes: Uint8Array;
  try {
    const base64 = text.replaceAll("-", "+").replaceAll("_", "/");
    const deflated = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    bytes = await through(deflated, new DecompressionStream("deflate-raw"), MOST_INFLATED);
  } catch (error) {
    if (error instanceof RangeError) throw new Error("it holds more than any game should");
    throw new Error("it is damaged or incomplete: a part of it was lost on the way");
  }
  return fromFile(new TextDecoder().decode(bytes));
}
