// What comes before the page: the engine takes longest to arrive and to compile, so it is asked for while the page is read.

import { loadEngine } from "./engine.js";
import { askedGame } from "./own.js";

const own = await askedGame;
// The page says why it cannot be loaded.
if (!own?.service) loadEngine().catch(() => {});
