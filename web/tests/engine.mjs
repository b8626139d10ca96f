// Plays levels in WebAssembly and compares them with the program: Node and a page in a browser do the same.
import { Engine, Game, initSync } from "../target/pkg/hangtime_web.js";
import { load, replay } from "../target/package/hangtime.js";
import { decode, encode } from "../target/pkg/message.js";

const playgroundLevel = "levels/playground.toml";

/** Loads the engine of the page and of the package. Returns the memory of the first. */
export async function start(wasm) {
  const module = await WebAssembly.compile(wasm);
  await load(module);
  return initSync({ module }).memory;
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

  /** A recording of the program plays again in the package, up to its hash. */
  *recordings({ recordings }) {
    for (const { name, recording, ticks, hash } of recordings) {
      const found = JSON.stringify(replay(bytes(recording)));
      const native = JSON.stringify({ ticks, hash });
      yield found !== native && `the recording of ${name} ends with ${found}, and with ${native} natively`;
    }
  },

  /** A recording that differs, or was cut or damaged, says so. */
  *otherRecordings({ recordings }) {
    const { recording, ticks } = recordings.find(({ name }) => name === playgroundLevel) ?? {};
    if (!recording) return;
    const text = new TextDecoder().decode(bytes(recording));
    const half = text.slice(0, text.lastIndexOf('{"from":') + 100);
    const others = [
      [text.replace('"right"', '"left"'), /^different at tick \d+: `hero\.\w+\.x`: expected \S+, got \S+$/],
      [half, new RegExp(`^recording: it was cut after ${Math.floor((ticks - 1) / 60) * 60} ticks`)],
      [text.replace("jump_speed = 540", "jump_speed = 640"), /does not have the hash of the recorded file/],
      [text.slice(5), /not a recording/],
      ["", /empty/],
    ];
    for (const [other, wanted] of others) {
      const found = thrown(() => replay(other));
      yield !wanted.test(found) && `a recording says ${found}, not ${wanted}`;
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

/** What this throws. */
function thrown(call) {
  try {
    return `${JSON.stringify(call())} instead of an error`;
  } catch (error) {
    return error.message;
  }
}

/** Makes all checks. Returns the number of those that have passed, and what is wrong with the others. */
export function compare(input) {
  const found = Object.values(checks).flatMap((check) => [...check(input)]);
  const failed = found.filter((wrong) => wrong);
  return { passed: found.length - failed.length, failed };
}
