// The files of a game as the page has them: the game that it was made for, and what was changed about it.

import type { FileMap } from "./protocol.js";

/** A game as JSON: `game.json` of a page, and files that are downloaded and dropped. */
export interface PackedFiles {
  /** Texts by path; `null` for a file that was removed. */
  files: Record<string, string | null>;
  /** Other files, in base64. */
  bytes?: Record<string, string>;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });
const encoder = new TextEncoder();

/** The text of a file; none if it is a picture or a sound. */
export function textOf(bytes: Uint8Array): string | null {
  try {
    const text = utf8.decode(bytes);
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}

export function bytesOf(text: string): Uint8Array {
  return encoder.encode(text);
}

export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  return btoa(text);
}

export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
}

/** Files as JSON keeps them. */
export function pack(files: Iterable<[string, Uint8Array | null]>): PackedFiles {
  const packed: PackedFiles = { files: {} };
  for (const [path, bytes] of files) {
    const text = bytes && textOf(bytes);
    if (bytes === null || text !== null) packed.files[path] = text;
    else (packed.bytes ??= {})[path] = toBase64(bytes);
  }
  return packed;
}

const MOST_FILES = 1000;
const FOLDERS = ["config", "scripts", "levels", "pictures", "sounds", "mods"];

/** Files from JSON, which may be anything. Throws what a person can read. */
export function unpack(packed: unknown): Map<string, Uint8Array | null> {
  const wrong = () => new Error("it has no files of a game");
  if (typeof packed !== "object" || packed === null) throw wrong();
  const { files = {}, bytes = {} } = packed as Partial<PackedFiles>;
  if (typeof files !== "object" || typeof bytes !== "object" || !files || !bytes) throw wrong();
  const all = new Map<string, Uint8Array | null>();
  for (const [path, text] of [...Object.entries(files), ...Object.entries(bytes)]) {
    const parts = path.split("/");
    const plain = parts.length > 1 && parts.every((part) => part !== "" && part !== "." && part !== "..");
    // Marks that do not show, such as those that turn a text around, would let a name look like another one.
    const isHidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(path);
    if (!plain || isHidden || !FOLDERS.includes(parts[0]) || path.length > 200 || path.includes("\\")) {
      throw new Error(`it has a file with the name ${JSON.stringify(path.slice(0, 80))}, which no game has`);
    }
    if (text !== null && typeof text !== "string") throw wrong();
    try {
      all.set(path, text === null ? null : path in files ? bytesOf(text) : fromBase64(text));
    } catch {
      throw new Error(`${JSON.stringify(path)} in it is damaged`);
    }
  }
  if (all.size > MOST_FILES) throw new Error(`it has more than ${MOST_FILES} files`);
  return all;
}

function same(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === b || (!!a && !!b && a.length === b.length && a.every((byte, at) => byte === b[at]));
}

/** What is to be written, or removed, so that these files become others. */
export function changes(from: FileMap, to: FileMap): [string, Uint8Array | null][] {
  const paths = [...new Set([...from.keys(), ...to.keys()])].sort();
  return paths.filter((path) => !same(from.get(path), to.get(path))).map((path) => [path, to.get(path) ?? null]);
}

/** The game that the page was made for, and its files as they are now. */
export class GameFiles {
  readonly now: FileMap;

  constructor(readonly base: FileMap) {
    this.now = new Map(base);
  }

  paths(): string[] {
    return [...this.now.keys()].sort();
  }

  isChanged(path: string): boolean {
    return !same(this.base.get(path), this.now.get(path));
  }

  /** What differs from the game that the page was made for. */
  changed(): Map<string, Uint8Array | null> {
    return new Map(changes(this.base, this.now));
  }

  /** The game that the page was made for with these changes. */
  with(changed: Map<string, Uint8Array | null>): FileMap {
    const files = new GameFiles(this.base);
    files.apply(changed);
    return files.now;
  }

  /** Takes over changes. */
  apply(changes: Map<string, Uint8Array | null>): void {
    for (const [path, bytes] of changes) {
      if (bytes) this.now.set(path, bytes);
      else this.now.delete(path);
    }
  }

  /** A number that tells versions of the game apart, by which a link says what it was made for. */
  version(): string {
    let hash = 0x811c9dc5;
    const add = (byte: number) => (hash = Math.imul(hash ^ byte, 0x01000193));
    for (const path of [...this.base.keys()].sort()) {
      for (const byte of bytesOf(path)) add(byte);
      add(0);
      for (const byte of this.base.get(path)!) add(byte);
    }
    return (hash >>> 0).toString(16).padStart(8, "0");
  }
}
