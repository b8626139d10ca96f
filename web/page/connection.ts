// A connection to an engine, on which every message has its answer.

import type { Engine, OpenEngine } from "./engine.js";
import { decode, encode } from "./message.js";
import type { Answer, Call } from "./protocol.js";

export class Connection {
  private engine: Engine;
  private waiting = new Map<number, { done: (value: any) => void; failed: (why: Error) => void }>();
  private lastId = 0;
  private timer = 0;
  private ended = false;

  /** `gone` is called once if the engine ends, or does not answer in time. */
  constructor(
    open: OpenEngine,
    private gone: (why: string) => void,
  ) {
    this.engine = open({ answer: (message) => this.receive(decode<Answer>(message)), gone: (why) => this.end(why) });
  }

  /** Makes calls, in their order. Returns what the last of them has returned. `within` is in ms. */
  ask<T>(calls: Call[], within: number): Promise<T> {
    const id = ++this.lastId;
    const answer = new Promise<T>((done, failed) => this.waiting.set(id, { done, failed }));
    this.engine.post(encode({ id, calls: calls.map(([name, ...args]) => [name, args]) }));
    this.watch(within);
    return answer;
  }

  private receive({ id, value, error }: Answer): void {
    if (this.ended) return;
    if (error !== undefined) return this.end(error);
    const { done } = this.waiting.get(id)!;
    this.waiting.delete(id);
    done(value);
  }

  private watch(within: number): void {
    clearTimeout(this.timer);
    const last = this.lastId;
    this.timer = window.setTimeout(() => {
      if ([...this.waiting.keys()].some((id) => id <= last)) this.end(`no answer for ${within / 1000} s`);
    }, within);
  }

  private end(why: string): void {
    if (this.ended) return;
    this.close();
    this.gone(why);
  }

  /** Ends the engine. What waits for an answer fails. */
  close(): void {
    this.ended = true;
    clearTimeout(this.timer);
    this.engine.close();
    for (const { failed } of this.waiting.values()) failed(new Error("the engine was ended"));
    this.waiting.clear();
  }
}
