// Where the engine is: in a worker of this page, or in a service.

/** An engine that answers messages, in their order. */
export interface Engine {
  post(message: Uint8Array<ArrayBuffer>): void;
  close(): void;
}

export interface EngineEvents {
  answer(message: Uint8Array): void;
  /** There are no more answers. */
  gone(why: string): void;
}

export type OpenEngine = (events: EngineEvents) => Engine;

let compiled: Promise<WebAssembly.Module> | null = null;

/** The engine, compiled once for all workers. Throws what a person can read. */
export function loadEngine(): Promise<WebAssembly.Module> {
  return (compiled ??= compile());
}

async function compile(): Promise<WebAssembly.Module> {
  if (typeof WebAssembly === "undefined") {
    throw new Error("this browser has no WebAssembly, or it is turned off. Turn it on in the settings, or use a current Firefox, Chrome, Edge or Safari");
  }
  if (typeof Worker === "undefined") throw new Error("this browser has no workers, in which the game plays. Use a current Firefox, Chrome, Edge or Safari");
  const url = new URL("hangtime.wasm", import.meta.url);
  try {
    return await WebAssembly.compileStreaming(fetch(url));
  } catch {
    // A server may not know the type of the file.
  }
  try {
    return await WebAssembly.compile(await (await fetch(url)).arrayBuffer());
  } catch (error) {
    throw new Error(`hangtime.wasm is missing or damaged (${(error as Error).message}). Reload the page; if this message stays, its server needs that file again`);
  }
}

/** An engine in a worker. */
export const openWorker: OpenEngine = (events) => {
  const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }: MessageEvent<Uint8Array | string>) => {
    if (typeof data === "string") events.gone(data);
    else events.answer(data);
  };
  worker.onerror = ({ message }) => events.gone(message || "the worker cannot be loaded");
  const ready = loadEngine().then((module) => worker.postMessage(module));
  ready.catch((error: unknown) => events.gone(String(error)));
  return {
    post: (message) => void ready.then(() => worker.postMessage(message, [message.buffer])).catch(() => {}),
    close: () => worker.terminate(),
  };
};

/** The error of a service that needs a token. */
const NEEDS_TOKEN = -32005;

let token = new URLSearchParams(location.hash.slice(1)).get("token") ?? "";

/** An engine in the service that this page is from. */
export const openService: OpenEngine = (events) => {
  const socket = new WebSocket(location.origin.replace(/^http/, "ws"));
  socket.binaryType = "arraybuffer";
  const ready = new Promise<void>((done) => {
    const greet = () => {
      const params = token ? { token } : {};
      socket.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }));
    };
    socket.onopen = greet;
    // Answers are inflated one after another.
    let last = Promise.resolve();
    socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      if (typeof data !== "string") {
        last = last.then(async () => {
          const inflated = new Response(data).body!.pipeThrough(new DecompressionStream("deflate-raw"));
          events.answer(new Uint8Array(await new Response(inflated).arrayBuffer()));
        });
        return;
      }
      const { error } = JSON.parse(data) as { error?: { code: number; message: string } };
      if (!error) return done();
      if (error.code === NEEDS_TOKEN) token = prompt("The token of this service:", "") ?? "";
      socket.close();
    };
  });
  socket.onclose = () => events.gone("the connection is lost");
  return {
    post: (message) => void ready.then(() => socket.send(message)),
    close() {
      socket.onclose = null;
      socket.close();
    },
  };
};
