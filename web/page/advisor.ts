// Answers questions about files.

import { Connection } from "./connection.js";
import { openWorker } from "./engine.js";
import type { Call, CompletionItem, FileMap, Message } from "./protocol.js";

/** How long an answer may take, ms. */
const ANSWERS_WITHIN = 30_000;

/** Asks the engine of the game, whose files are saved. */
type AskGame = <T>(...call: Call) => Promise<T>;

export class Advisor {
  private connection: Connection | null = null;
  /** The files that the engine has. */
  private known: FileMap = new Map();
  /** The numbers of the last question of each name. */
  private last = new Map<string, number>();

  /** Without `askGame`, questions go to an engine in another worker, so that the game does not wait. */
  constructor(private askGame: AskGame | null) {}

  /** The messages about a file; none if another one is asked for before they are there. */
  async check(files: FileMap, path: string): Promise<Message[]> {
    return (await this.ask<Message[]>(files, "check", path)) ?? [];
  }

  /** What can be written at a byte of a file that has this text. */
  async complete(files: FileMap, path: string, text: string, at: number): Promise<CompletionItem[]> {
    return (await this.ask<CompletionItem[]>(files, "complete", path, text, at)) ?? [];
  }

  /** What the reference says about the word at a byte of a file that has this text, as Markdown. */
  hover(files: FileMap, path: string, text: string, at: number): Promise<string | null> {
    return this.ask<string>(files, "hover", path, text, at);
  }

  /** The answer of an engine with these files; null if the same is asked again before, or the engine ends. */
  private async ask<T>(files: FileMap, name: string, ...args: unknown[]): Promise<T | null> {
    const number = (this.last.get(name) ?? 0) + 1;
    this.last.set(name, number);
    try {
      const answer = await (this.askGame ? this.askGame<T>(name, ...args) : this.askOther<T>(files, [name, ...args]));
      return this.last.get(name) === number ? answer : null;
    } catch {
      // What crashes here crashes in the game as well, which says so.
      return null;
    }
  }

  private askOther<T>(files: FileMap, call: Call): Promise<T> {
    if (!this.connection) {
      this.connection = new Connection(openWorker, () => (this.connection = null));
      this.known = new Map();
    }
    const changed: Call[] = [...files]
      .filter(([path, bytes]) => this.known.get(path) !== bytes)
      .map(([path, bytes]) => ["write", path, bytes]);
    for (const path of this.known.keys()) if (!files.has(path)) changed.push(["write", path, null]);
    this.known = new Map(files);
    return this.connection.ask([...changed, call], ANSWERS_WITHIN);
  }
}
