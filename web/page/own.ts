// The game that the page is made for.

import type { PackedFiles } from "./files.js";

/** What the page is made for: a game, or a service. Without either, it is the built-in game. */
interface OwnGame extends PackedFiles {
  level?: string;
  service?: { writes: boolean };
}

export const askedGame: Promise<OwnGame | null> = fetch("game.json").then((answer) => (answer.ok ? answer.json() : null));
