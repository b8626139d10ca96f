// The page: it asks the service for steps at the world's own rate, and shows what comes back.

/** How much of the game one step makes up for at most, s: a slow service slows the picture down, and nothing piles up. */
const MOST_AT_ONCE = 1 / 15;

/** How long messages stay, and how often the worlds to watch are listed, ms. */
const MESSAGE_STAYS = 9000;
const LIST_EVERY = 2000;

const MOST_MESSAGES = 6;

/** The error of a request that the service has given up because it ends. */
const CANCELED = -32800;
const SPEEDS = [0.125, 0.25, 0.5, 1, 2, 4];

const element = (id) => document.getElementById(id);
const wished = new URLSearchParams(location.hash.slice(1));

/** What can be read from outside. */
const seen = { state: "connecting", tick: 0, world: null, level: "", watched: null, x: 0, y: 0, paused: false, errors: [] };
window.hangtime = seen;

const painter = new Painter(element("picture"));
const keys = new Keys();

let token = wished.get("token");
let asks = false;
let game = null;
let world = null;
let hz = 60;
let stage = null;
let stageId = null;
let before = null;
let now = null;
let time = 0;
let arrived = 0;
let stepped = 1;
let busy = false;
let owed = 0;
let paused = false;
let speed = 1;
let mark = null;
let watched = null;
/** Counts worlds, so that late answers about an earlier one are dropped. */
let turn = 0;

const link = new Link({ opened, lost });

function setState(state, text) {
  seen.state = state;
  element("link").dataset.state = state;
  element("link").textContent = text;
  element("picture").classList.toggle("lost", state === "lost");
}

/** Shows a message; the same one again only makes it stay. */
function say(text, tone = "plain", topic = "") {
  const log = element("messages");
  const same = [...log.children].find((line) => line.textContent === text);
  const line = same || document.createElement("p");
  if (!same) {
    line.textContent = text;
    line.className = tone;
    line.dataset.topic = topic;
    log.append(line);
    while (log.children.length > MOST_MESSAGES) log.firstChild.remove();
  }
  clearTimeout(line.timer);
  line.timer = setTimeout(() => line.remove(), MESSAGE_STAYS);
}

function diagnosticText({ file, line, col, severity, message }) {
  return `${severity}: ${file}:${line}:${col}: ${message}`;
}

/** Takes back what was said about a topic. */
function unsay(topic) {
  for (const line of [...element("messages").children]) if (line.dataset.topic === topic) line.remove();
}

/** Shows why something cannot be done. A lost connection shows by itself, and so does a service that ends. */
function explain(error, topic = "") {
  if (error instanceof Lost || error.code === CANCELED) return;
  seen.errors = [...seen.errors.slice(-20), error.message];
  if (!(error instanceof Refusal)) console.error(error);
  const lines = (error.diagnostics || []).slice(0, MOST_MESSAGES - 1);
  if (lines.length === 0) say(error.message, "error", topic);
  for (const line of lines) say(diagnosticText(line), line.severity, topic);
}

async function opened() {
  try {
    const about = await link.request("initialize", token ? { token } : {});
    link.settle();
    game = about.game;
    keys.bind(game.keys);
    setState("connected", "connected");
    showLevels();
    showKeys();
    showTouch();
    element("worlds-label").hidden = !about.methods.includes("world.list");
    const first = Number(wished.get("watch"));
    if (watched !== null) watch(watched);
    else if (first > 0) watch(first);
    else await create();
    wished.delete("watch");
  } catch (error) {
    if (error.code !== -32005) return explain(error);
    if (token) say("This is not the token of the service.", "error");
    token = null;
    ask(true);
    element("token-text").focus();
  }
}

/** Asks for the token, or no longer. The service has closed the connection, or is about to. */
function ask(on) {
  asks = on;
  element("token").hidden = !on;
  setState("connecting", on ? "a token is needed" : "connecting");
}

/** Returns whether to connect again. */
function lost() {
  [world, seen.world] = [null, null];
  busy = false;
  keys.releaseAll();
  if (asks) return false;
  setState("lost", "connection lost, trying again");
  return true;
}

element("token").addEventListener("submit", (event) => {
  event.preventDefault();
  token = element("token-text").value;
  element("token-text").value = "";
  ask(false);
  // One that still closes comes back by itself.
  if (!link.socket) link.connect();
});

function options(select, list, chosen) {
  const text = JSON.stringify([list, chosen]);
  if (select.shown === text) return;
  select.shown = text;
  select.replaceChildren(...list.map(([value, label]) => new Option(label, value, false, value === chosen)));
}

/** A level as people call it. */
function levelName(path) {
  return path.replace(/^levels\//, "").replace(/\.(toml|tmx)$/, "");
}

function showLevels() {
  const select = element("level");
  const name = levelName;
  const wish = select.value || wished.get("level") || "";
  const known = game.levels.find((path) => path === wish || name(path) === name(wish));
  const usual = game.levels.find((path) => name(path) === "playground");
  // Levels of tests are left out, unless the address asks for one or there are no others.
  const played = game.levels.filter((path) => !path.startsWith("levels/tests/") || path === known);
  const listed = played.length > 0 ? played : game.levels;
  options(select, listed.map((path) => [path, name(path)]), known || usual || listed[0]);
}

/** Lists the keys that mean something here. */
function showKeys() {
  const all = new Map();
  for (const { key, does, player } of game.keys) {
    if (player === undefined ? !CONTROLS.includes(does) : key.startsWith("Pad")) continue;
    const words = does.replaceAll("_", " ") + (player > 1 ? ` (player ${player})` : "");
    all.set(words, [...(all.get(words) || []), keyLabel(key)]);
  }
  const rows = [...all].flatMap(([words, labels]) => {
    const [term, description] = [document.createElement("dt"), document.createElement("dd")];
    term.textContent = labels.join(", ");
    description.textContent = words;
    return [term, description];
  });
  element("keys").replaceChildren(...rows);
}

/** Shows buttons where fingers play. */
function showTouch() {
  const place = element("touch");
  place.hidden = !window.matchMedia("(pointer: coarse)").matches;
  const [pad, acts] = [document.createElement("div"), document.createElement("div")];
  [pad.className, acts.className] = ["pad", "acts"];
  const faces = { left: "◀", right: "▶", up: "▲", down: "▼" };
  const button = (action) => {
    const one = document.createElement("button");
    one.type = "button";
    one.textContent = faces[action] || action;
    one.setAttribute("aria-label", action);
    one.className = action === "down" ? "down-key" : action;
    const set = (down) => {
      one.classList.toggle("down", down);
      keys.touch(action, down);
    };
    one.addEventListener("pointerdown", (event) => {
      one.setPointerCapture(event.pointerId);
      set(true);
    });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) one.addEventListener(end, () => set(false));
    one.addEventListener("contextmenu", (event) => event.preventDefault());
    return one;
  };
  pad.append(...["up", "left", "down", "right"].map(button));
  acts.append(...game.actions.filter((action) => !faces[action]).map(button));
  place.replaceChildren(pad, acts);
}

/** Forgets the world that was shown. */
function clear() {
  turn += 1;
  [world, stage, stageId, before, now, busy, owed] = [null, null, null, null, null, false, 0];
  seen.world = null;
  painter.forget();
  keys.releaseAll();
}

/** Creates the chosen level, in place of the world that there was. */
async function create() {
  const old = world;
  clear();
  [watched, seen.watched] = [null, null];
  setMark(null);
  showTools();
  const mine = turn;
  busy = true;
  if (old !== null) link.request("world.destroy", { world: old }).catch(explain);
  try {
    const made = await link.request("world.create", { level: element("level").value, why: "off" });
    if (mine !== turn) return void link.request("world.destroy", { world: made.world }).catch(explain);
    [world, hz] = [made.world, made.tick_hz];
    for (const line of made.warnings || []) say(diagnosticText(line), line.severity);
    show(await link.request("world.scene", { world }), 1);
  } catch (error) {
    explain(error);
  } finally {
    if (mine === turn) busy = false;
  }
}

function wait(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Takes a picture of the world that was asked for. */
function show(scene, ticks) {
  if (scene.stage) {
    stage = scene.stage;
    stageId = scene.stage_id;
    hz = stage.tick_hz;
    before = null;
  }
  [before, now, time] = [now && stage && scene.tick > seen.tick ? now : null, scene.moment, scene.time];
  [arrived, stepped] = [performance.now(), Math.max(ticks, 1)];
  const hero = now.bodies.find((body) => body.player === 1) || now.bodies[0];
  const [x, y] = hero ? hero.pos : [0, 0];
  Object.assign(seen, { tick: scene.tick, world, level: stage.level, x, y, paused });
  Object.assign(element("picture").dataset, { tick: scene.tick, x, y, level: stage.level });
}

/** Makes ticks with what is held, and shows the last one. */
async function step(ticks) {
  const mine = turn;
  busy = true;
  const inputs = keys.take(performance.now());
  const [made, scene] = await link.batch([
    ["world.step", { world, ticks, inputs }],
    ["world.scene", { world, stage_id: stageId }],
  ]);
  if (mine !== turn) return;
  busy = false;
  for (const failed of [made, scene].filter((one) => one.status === "rejected")) {
    explain(failed.reason);
    if (!(failed.reason instanceof Lost)) setPaused(true);
  }
  if (scene.status === "fulfilled") show(scene.value, ticks);
  if (made.status !== "fulfilled") return;
  for (const { entity, hook, error } of made.value.faults || []) {
    say(`${diagnosticText(error)} (${hook} of ${entity})`, "error");
  }
  for (const line of made.value.printed || []) say(line);
}

/** Shows the world of another client for as long as it lasts. */
async function watch(number) {
  const old = world;
  clear();
  [watched, seen.watched] = [number, number];
  showTools();
  const mine = turn;
  if (old !== null) link.request("world.destroy", { world: old }).catch(explain);
  try {
    while (mine === turn) {
      const last = seen.tick;
      const scene = await link.request("world.watch", { watched: number, stage_id: stageId });
      if (mine === turn) show(scene, scene.tick - last);
      // A world that rests is looked at less often.
      if (scene.tick === last) await wait(100);
      while (document.hidden && mine === turn) await wait(250);
    }
  } catch (error) {
    if (mine !== turn || error instanceof Lost) return;
    say(error.code === -32003 ? "The world that was watched has ended." : error.message, "warning");
    create();
  }
}

async function list() {
  if (!game || seen.state !== "connected" || element("worlds-label").hidden) return;
  try {
    const { worlds } = await link.request("world.list");
    const others = worlds.filter((one) => !one.own).map((one) => [String(one.watched), `watch ${one.watched}: ${levelName(one.level)}`]);
    options(element("worlds"), [["", "my own"], ...others], watched === null ? "" : String(watched));
  } catch (error) {
    explain(error);
  }
}

/** What only works in a world of one's own is switched off elsewhere. */
function showTools() {
  const own = watched === null;
  for (const one of element("tools").querySelectorAll("button, select")) one.disabled = !own;
  element("restart_at_mark").disabled = !own || mark === null;
  element("worlds").shown = null;
}

function setPaused(on) {
  [paused, seen.paused, owed] = [on, on, 0];
  element("pause").setAttribute("aria-pressed", String(on));
  element("pause").textContent = on ? "Resume" : "Pause";
}

function setSpeed(to) {
  speed = to;
  element("speed").value = String(to);
}

function setMark(snapshot) {
  mark = snapshot;
  element("restart_at_mark").disabled = mark === null;
}

/** Carries out a request about the world between two steps. What was said about the last such request is over. */
async function inWorld(method, params, then) {
  if (world === null) return;
  try {
    const result = await link.request(method, { world, ...params });
    unsay(method);
    then(result);
    show(await link.request("world.scene", { world, stage_id: stageId }), 1);
  } catch (error) {
    if (!(error instanceof Lost)) unsay(method);
    explain(error, method);
  }
}

const controls = {
  pause: () => setPaused(!paused),
  step_forward: () => {
    setPaused(true);
    if (!busy && world !== null) step(1);
  },
  restart: () => create(),
  slower: () => setSpeed(SPEEDS[Math.max(SPEEDS.indexOf(speed) - 1, 0)]),
  faster: () => setSpeed(SPEEDS[Math.min(SPEEDS.indexOf(speed) + 1, SPEEDS.length - 1)]),
  normal_speed: () => setSpeed(1),
  mark_a: () => inWorld("world.snapshot", {}, ({ snapshot }) => {
    setMark(snapshot);
    say(`Marked tick ${seen.tick}.`, "good");
  }),
  restart_at_mark: () => mark !== null && inWorld("world.restore", { snapshot: mark }, ({ tick }) => {
    before = null;
    painter.forget();
    say(`Back at tick ${tick}.`, "good");
  }),
  reload: () => inWorld("world.reload", {}, ({ changed, what, warnings }) => {
    for (const line of warnings || []) say(diagnosticText(line), line.severity, "world.reload");
    say(changed.length > 0 ? `Reloaded ${changed.join(", ")}: ${what}.` : "No file has changed.", "good", "world.reload");
  }),
};

for (const [id, act] of Object.entries(controls)) {
  const button = element(id);
  if (!button) continue;
  button.addEventListener("click", (event) => {
    act();
    // After a click the keys play again; after a key press the focus stays here.
    if (event.detail > 0) element("picture").focus();
  });
}
element("level").addEventListener("change", () => {
  create();
  element("picture").focus();
});
element("worlds").addEventListener("change", () => {
  const value = element("worlds").value;
  if (value) watch(Number(value));
  else create();
});
element("speed").addEventListener("change", () => {
  speed = Number(element("speed").value);
  element("picture").focus();
});

/** Whether a key belongs to what has the focus. */
function isTyping(event) {
  const own = event.target.closest && event.target.closest("select, input, summary, dialog");
  const clicks = event.target.closest && event.target.closest("button") && ["Space", "Enter"].includes(event.code);
  return own || clicks || event.ctrlKey || event.metaKey || event.altKey;
}

function press(code, event) {
  if (watched !== null) return;
  const found = keys.press(code);
  if (found === null) return;
  event.preventDefault();
  for (const name of found) controls[name]();
}

window.addEventListener("keydown", (event) => {
  if (!isTyping(event)) press(event.code, event);
});
window.addEventListener("keyup", (event) => keys.release(event.code));
window.addEventListener("blur", () => keys.releaseAll());
document.addEventListener("visibilitychange", () => keys.releaseAll());

const MOUSE = ["MouseLeft", "MouseMiddle", "MouseRight"];
const picture = element("picture");
const aimAt = (event) => {
  const box = picture.getBoundingClientRect();
  keys.aim(painter.levelAt(event.clientX - box.left, event.clientY - box.top), performance.now());
};
picture.addEventListener("pointermove", aimAt);
picture.addEventListener("pointerdown", (event) => {
  picture.focus();
  aimAt(event);
  if (event.pointerType === "mouse") press(MOUSE[event.button], event);
});
window.addEventListener("pointerup", (event) => {
  if (event.pointerType === "mouse") keys.release(MOUSE[event.button]);
});
picture.addEventListener("contextmenu", (event) => event.preventDefault());

let last = performance.now();
let rate = 0;

function frame(at) {
  const seconds = Math.min(Math.max((at - last) / 1000, 0), 0.25);
  last = at;
  rate = mix(rate, seconds > 0 ? 1 / seconds : 0, 0.05);
  if (world !== null && !paused) {
    owed = Math.min(owed + seconds * hz * speed, Math.max(hz * speed * MOST_AT_ONCE, 1));
    const ticks = Math.floor(owed + 0.01);
    if (ticks > 0 && !busy) {
      owed = Math.max(owed - ticks, 0);
      step(ticks).catch(explain);
    }
  }
  painter.fit();
  if (stage && now && painter.width > 0) {
    // Ticks that are as frequent as pictures are shown at once.
    const pace = hz * (watched === null ? speed : 1);
    const share = pace >= 50 ? 1 : Math.min((at - arrived) / 1000 * pace / stepped, 1);
    const moment = between(before, now, share);
    painter.follow(stage, moment, seconds);
    painter.paint(stage, moment, time);
    element("status").textContent = `${levelName(stage.level)} · tick ${seen.tick} · ${hz} Hz · ${Math.round(rate)} pictures/s`;
  }
  requestAnimationFrame(frame);
}

setInterval(list, LIST_EVERY);
link.connect();
requestAnimationFrame(frame);
