// A game without a picture: `node example.mjs`. In a browser, a loop calls `step` as often as `hz` says, and draws `views`.
import assert from "node:assert/strict";
import { World, load } from "./hangtime.js";

await load();

// A level and a script are enough: everything that they do not say has a default.
const files = {
  "levels/room.toml": `
view = "side"
[[solid]]
name = "floor"
points = [[0, -40], [2000, -40], [2000, 0], [0, 0]]
[[entity]]
kind = "hero"
at = [200.0, 40.0]
player = 1
`,
  "config/entities/hero.toml": 'model = "platformer"\nscript = "hero.rhai"\nvars = { jumps = 0 }\n',
  "scripts/hero.rhai": "fn on_jump(me) { this.jumps += 1; }\n",
};
const world = new World({ files, level: "room", seed: 7 });
const hero = () => world.views()[0];

world.step("", world.hz); // It lands.
const ground = hero().pos[1];
let highest = ground;
for (let tick = 0; tick < world.hz; tick += 1) {
  world.step(tick < world.hz / 2 ? "right jump" : "right");
  highest = Math.max(highest, hero().pos[1]);
}
assert.ok(highest > ground && hero().pos[0] > 200);
// A snapshot continues as if nothing had happened, on every machine.
const saved = world.snapshot();
world.step("left", 60);
const hash = world.hash();
world.restore(saved);
world.step("left", 60);
assert.equal(world.hash(), hash);
console.log(`${hero().vars.jumps} jump, ${(highest - ground).toFixed(1)} px high; tick ${world.tick} has the hash ${hash}`);
