// A small game for the examples: a room, a hero that the player moves, and a crate to push.

/** The size of the room, px. */
export const size = { width: 640, height: 360 };

/** Left, bottom, width and height of what does not move, px. The room's bottom left is 0, 0, and y points up. */
export const solids = [
  [0, 0, 640, 40],
  [0, 40, 16, 400],
  [624, 40, 16, 400],
  [150, 150, 130, 16],
  [370, 240, 130, 16],
];

/** How to draw each kind: its full width and height, px, and its color. */
export const looks = {
  hero: { width: 28, height: 40, color: "#f4963e" },
  crate: { width: 36, height: 36, color: "#a9744a" },
};

const solid = ([x, y, width, height]) =>
  `[[solid]]\npoints = [[${x}, ${y}], [${x + width}, ${y}], [${x + width}, ${y + height}], [${x}, ${y + height}]]\n`;
const kind = ({ width, height }) => `body = { box = [${width}, ${height}] }\npushes = true\n`;

/** The files of the game. */
export const files = {
  "levels/room.toml": `
view = "side"
${solids.map(solid).join("")}
[[entity]]
kind = "hero"
at = [100, 60]
player = 1
[[entity]]
kind = "crate"
at = [440, 58]
`,
  "config/entities/hero.toml": `${kind(looks.hero)}
[platformer]
run_speed_min = 240
run_speed_max = 240
`,
  "config/entities/crate.toml": kind(looks.crate),
};
