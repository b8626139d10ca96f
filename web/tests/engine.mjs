// Plays levels in WebAssembly and compares them with the program: Node and a page in a browser do the same.
import { Engine, Game, initSync } from "../target/pkg/hangtime_web.js";
import { decode, encode } from "../target/pkg/message.js";

const playgroundLevel = "levels/playground.toml";

/** Loads the engine. Returns its memory. */
export async function start(wasm) {
  return initSync({ module: await WebAssembly.compile(wasm) }).memory;
}

/** An engine that plays a level of these files, or of the built-in game. */
export class Player {
  engine = new Engine();

  constructor(files, level = "", world = "") {
    this.opened = this.call("start", files, level, world, null);
  }

  call(name, ...args) {
    const answer = decode(this.engine.handle(encode({ id: 1, calls: [[name, args]] })));
    if (answer.error) throw new Error(answer.error);
    return answer.value;
  }
}

/** An engine that plays the built-in game. */
export const playBuiltIn = (world) => new Player(null, playgroundLevel, world);

/** Bytes from base64: JSON, in which they come to a page, has no others. */
const bytes = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

const checks = {
  /** Every level of tests/goldens.txt ends with the hash that the program has. */
  *goldens({ games, goldens }) {
    const engines = new Map();
    for (const { game, level, ticks, hash } of goldens) {
      if (!engines.has(game)) {
        engines.set(game, new Player(games[game].map(([path, base64]) => [path, bytes(base64)])));
      }
      const found = engines.get(game).call("run", level, ticks);
      yield found !== hash && `${game}${level}: ${ticks} ticks end with ${found}, and with ${hash} natively`;
    }
  },

  /** The built-in game is the one in this folder. */
  *builtIn({ goldens }) {
    const { ticks, hash } = goldens.find(({ game, level }) => game === "" && level === playgroundLevel);
    yield playBuiltIn().call("run", playgroundLevel, ticks) !== hash && "the built-in playground ends with another hash";
  },

  /** A session continues from a saved world as if nothing had happened. */
  *restored() {
    const played = playBuiltIn();
    if (!played.opened.ok) throw new Error(JSON.stringify(played.opened.messages));
    played.call("press", "ArrowRight");
    played.call("frames", 90);
    const saved = played.call("saved_world");
    played.call("frames", 60);
    const ahead = played.call("hash");
    const again = playBuiltIn(saved);
    const { lost } = again.opened;
    again.call("press", "ArrowRight");
    again.call("frames", 60);
    const found = again.call("hash");
    yield (lost !== "" || found !== ahead) && `a restored world ends with ${found}, and with ${ahead} without a break; ${lost}`;
  },

  /** Scripts that Rhai waits for in the program have their error here as well: a page cannot wait. */
  *waiting({ hostile }) {
    for (const [name, script] of Object.entries(hostile)) {
      const player = playBuiltIn();
      player.call("write", "scripts/hero.rhai", bytes(script));
      player.call("save");
      player.call("frames", 30);
      yield !player.call("state").banner.includes("a closure uses the object") && `${name} has no error`;
    }
  },

  /** A world without a picture plays as a session does. */
  *worlds() {
    const world = new Game(true).world(playgroundLevel, 0n);
    const watched = playBuiltIn();
    watched.call("press", "ArrowRight");
    watched.call("frames", 90);
    world.step("right", 90);
    const [found, expected] = [world.hash(), watched.call("hash")];
    yield found !== expected && `a world ends with ${found}, and a session with ${expected}`;
  },
};

/** Makes all checks. Returns the number of those that have passed, and what is wrong with the others. */
export function compare(input) {
  const found = Object.values(checks).flatMap((check) => [...check(input)]);
  const failed = found.filter((wrong) => wrong);
  return { passed: found.length - failed.length, failed };
}
