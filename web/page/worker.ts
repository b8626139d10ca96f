// The worker: it owns an engine. A script that never ends, or a crash, is its end and not the page's.

import { Engine, initSync } from "../target/pkg/hangtime_web.js";

let engine: Engine | null = null;
let dead = false;

/** The module of the engine comes first, and then messages. Answers go back; a text says that there are no more. */
self.onmessage = ({ data }: MessageEvent<WebAssembly.Module | Uint8Array>) => {
  if (dead) return;
  try {
    if (data instanceof WebAssembly.Module) {
      initSync({ module: data });
      engine = new Engine();
      return;
    }
    const answer = engine!.handle(data);
    (self as unknown as Worker).postMessage(answer, [answer.buffer]);
  } catch (error) {
    // After a trap, the engine is in no state to be called.
    dead = true;
    self.postMessage(String(error));
  }
};
