// Keys, from the game's bindings to what players hold. A press between two steps is never lost, however short.

/** What the page does itself, by the names of `[keys]`. */
const CONTROLS = [
  "pause", "step_forward", "restart", "slower", "faster", "normal_speed", "mark_a", "restart_at_mark",
];

/** The mouse aims for this long after it was used, ms. */
const AIMS_FOR = 2000;

const LABELS = {
  ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", BracketLeft: "[", BracketRight: "]", Minus: "-",
  Equal: "=", Period: ".", Comma: ",", Backslash: "\\", MouseLeft: "left mouse button", MouseRight: "right mouse button",
  MouseMiddle: "middle mouse button", ShiftLeft: "left Shift", ShiftRight: "right Shift",
};

/** A key as people call it. */
function keyLabel(code) {
  return LABELS[code] || code.replace(/^(Key|Digit)/, "");
}

class Keys {
  constructor() {
    this.bound = new Map();
    this.down = new Set();
    this.touched = new Set();
    this.pressed = [];
    this.point = null;
    this.used = -Infinity;
  }

  /** Takes the bindings of a game. */
  bind(list) {
    this.bound.clear();
    for (const { key, does, player } of list) {
      if (player === undefined && !CONTROLS.includes(does)) continue;
      if (!this.bound.has(key)) this.bound.set(key, []);
      this.bound.get(key).push({ does, player });
    }
    this.releaseAll();
  }

  /** A key goes down. Returns whether it means anything, and what the page has to do. */
  press(code) {
    const effects = this.bound.get(code);
    if (!effects) return null;
    if (this.down.has(code)) return [];
    this.down.add(code);
    this.pressed.push(...effects.filter((effect) => effect.player !== undefined));
    return effects.filter((effect) => effect.player === undefined).map((effect) => effect.does);
  }

  release(code) {
    this.down.delete(code);
  }

  releaseAll() {
    this.down.clear();
    this.touched.clear();
    this.pressed = [];
  }

  /** A button of the screen goes down or up. */
  touch(does, down) {
    if (!down) return void this.touched.delete(does);
    if (this.touched.has(does)) return;
    this.touched.add(does);
    this.pressed.push({ does, player: 1 });
  }

  aim(point, now) {
    this.point = point;
    this.used = now;
  }

  /** What players hold in the next step. Presses since the last one are part of it once. */
  take(now) {
    const players = new Map();
    const of = (player) => {
      if (!players.has(player)) players.set(player, { player, held: [], pressed: [] });
      return players.get(player);
    };
    const add = (list, does) => {
      if (!list.includes(does)) list.push(does);
    };
    for (const code of this.down) {
      for (const { does, player } of this.bound.get(code) || []) {
        if (player !== undefined) add(of(player).held, does);
      }
    }
    for (const does of this.touched) add(of(1).held, does);
    for (const { does, player } of this.pressed) add(of(player).pressed, does);
    this.pressed = [];
    // Bodies face what they aim at, so the mouse aims only when the hook is fired.
    const first = players.get(1);
    if (first && first.pressed.includes("hook") && this.point && now - this.used < AIMS_FOR) {
      first.aim = this.point.map(Math.round);
    }
    return [...players.values()];
  }
}

