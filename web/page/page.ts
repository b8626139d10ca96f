// The page: the game at the left, its files at the right.

import { Advisor } from "./advisor.js";
import { Devices } from "./devices.js";
import type { Editor } from "./editor.js";
import { loadEngine } from "./engine.js";
import { GameFiles, bytesOf, changes, textOf, unpack } from "./files.js";
import { Game, hashOfMoment } from "./game.js";
import { askedGame } from "./own.js";
import { Panel } from "./panel.js";
import { Picture } from "./picture.js";
import type { FileMap, Frame, GameState, LevelFacts, Message, PlayedMoment, Started } from "./protocol.js";
import { Speakers } from "./sound.js";
import { LONGEST_LINK, canShare, fromFile, fromLink, toJson, toLink, type SharedGame, type SharedMoment } from "./share.js";

/** How often the panel is brought up to date, ms. */
const PANEL_EVERY = 120;

/** How often the worlds that others play are asked for, ms. */
const WORLDS_EVERY = 2000;

/** What is open in the editor first: numbers whose edit shows at once. */
const FIRST_FILES = ["config/models/platformer.toml", "config/models/topdown.toml"];

const get = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const query = new URLSearchParams(location.search);
const embedded = query.has("embed");
document.body.classList.toggle("embed", embedded);

const ownGame = await askedGame;
/** The service that plays; without one, this page does. */
const service = ownGame?.service ?? null;
document.body.classList.toggle("served", service !== null);
document.body.classList.toggle("read-only", service?.writes === false);

const canvas = get<HTMLCanvasElement>("canvas");
const picture = new Picture(canvas, get("room"));
const levels = get<HTMLSelectElement>("level");
const fileList = get<HTMLSelectElement>("file");
const timeline = get<HTMLInputElement>("timeline");

let files = new GameFiles(new Map());
/** The files of each revision since the level was opened. */
let revisions = new Map<number, FileMap>();
let facts: LevelFacts | null = null;
let state: GameState | null = null;
let messages: Message[] = [];
/** Files whose text has changed since the last save. */
let unsaved = new Map<string, Uint8Array | null>();
/** While a game that came by a link or a file waits for an answer: this page's game, which comes back if that is not to run. */
let mine: { files: GameFiles; unsaved: Map<string, Uint8Array | null>; opened: string } | null = null;
let running = false;
let failed = false;
let dragsTime = false;
/** Whether a moment that was shared is shown, before anything is played from it. */
let atMoment = false;
/** Whether the last thing that was used was a pointer. */
let pointed = false;
document.addEventListener("pointerdown", () => (pointed = true), true);
document.addEventListener("keydown", () => (pointed = false), true);

/** After a click, keys play; with the keyboard, the focus stays where it is. */
function giveKeysBack(): void {
  if (pointed) canvas.focus();
}
let shownBanner = "";
/** What the last save has led to, or another hint next to the tabs. */
let said = { text: "", kind: "" };
let panelAt = 0;
/** When files were saved whose revision is not shown yet, and the revision that played then. */
let awaited: { at: number; revision: number } | null = null;

/** What tests and people at the console can see. */
const seen = {
  get state() {
    return state;
  },
  get messages() {
    return messages;
  },
  frames: 0,
  firstFrame: 0,
  /** From a save to its messages, and to the first picture of its revision, ms. */
  editTook: 0,
  effectTook: 0,
  took: [] as number[],
  get sounds() {
    return speakers.started;
  },
  get music() {
    return speakers.musicPlays;
  },
  get volume() {
    return speakers.volume;
  },
  completionTook: 0,
  call: (name: string, ...args: unknown[]) => game.call(name, ...args),
  input: (name: string, ...args: unknown[]) => game.input(name, ...args),
};
Object.assign(window, { hangtime: seen });

const game = new Game(service !== null, {
  frame: showFrame,
  lost(text) {
    running = false;
    note(text);
  },
  recovered(text, started, has) {
    failed = false;
    speakers.forget();
    note(text);
    if (service) useFiles(started);
    adopt(started, mine === null);
    if (service || mine) return;
    unsaved = new Map(changes(has, files.now));
    if (unsaved.size > 0) say("not saved: the engine crashed with it", "error");
  },
  failed(text) {
    failed = true;
    levels.disabled = true;
    forget();
    note(text);
  },
});

const advisor = new Advisor(service ? (...call) => game.call(...call) : null);
const speakers = new Speakers();

const devices = new Devices(picture, get("touch"), embedded, (...input) => {
  // The first action continues a moment that was shared.
  if (atMoment && input[0] === "press" && facts?.keys.actions.some(({ codes }) => codes.includes(input[1] as string))) {
    atMoment = false;
    if (state?.paused) game.input("act", "pause");
  }
  game.input(...input);
});

/** The open file, and whether it can only be read. */
let opened = "";
let readOnly = false;
/** The editor takes longer to start than the rest of the page, so it comes after the first picture. */
let editor: Editor | null = null;
let askedEditor: Promise<void> | null = null;

function loadEditor(): void {
  askedEditor ??= makeEditor().catch(() => note("The editor cannot be loaded: reload the page."));
}

async function makeEditor(): Promise<void> {
  // An embedded page has none.
  if (embedded) return;
  const { Editor } = await import("./editor.js");
  editor = new Editor(get("editor"), {
    changed(path, text) {
      const bytes = bytesOf(text);
      files.now.set(path, bytes);
      unsaved.set(path, bytes);
      say("not saved yet");
    },
    save: () => void save(),
    play() {
      void save();
      canvas.focus();
    },
    async complete(path, text, at) {
      const askedAt = performance.now();
      const items = await advisor.complete(files.now, path, text, at);
      seen.completionTook = performance.now() - askedAt;
      return items;
    },
    hover: (path, text, at) => advisor.hover(files.now, path, text, at),
  });
  if (readOnly) editor.setReadOnly(true);
  if (opened) openFile(opened);
}

function setReadOnly(only: boolean): void {
  readOnly = only;
  editor?.setReadOnly(only);
}

// The key that leaves most fields indents lines in this one.
get("editor").addEventListener("focusin", () => {
  if (!pointed) say("Esc, then Tab leaves the text");
});

const panel = new Panel(get("panel"), {
  tune: (path, value, continues, dragged) => game.input("tune", path, value, continues, dragged),
  type: (path, value) => game.call("tune", path, value, false, false),
  button: (name) => game.input("panel_button", name),
  keep: (path) => game.input("keep_mine", path),
  save: () => void saveNumbers(),
});

// Frames.

function loop(): void {
  requestAnimationFrame(loop);
  if (document.hidden || !running || failed) return;
  devices.poll();
  if (game.busy) return;
  const now = performance.now();
  const showsPanel = !get("panel").hidden && now - panelAt > PANEL_EVERY;
  if (showsPanel) panelAt = now;
  void game.frame(showsPanel ? panel.search : null);
}

function showFrame(frame: Frame): void {
  if (frame.pixels) {
    picture.show(frame.pixels, frame.width, frame.height);
    if (seen.frames === 0) {
      seen.firstFrame = performance.now();
      get("loading").hidden = true;
      loadEditor();
      // Only secure pages can be kept for times without a network.
      if (!service) void keepPage().catch(() => {});
    }
    seen.frames += 1;
    seen.took.push(frame.took);
    if (seen.took.length > 600) seen.took.shift();
  }
  speakers.learn(frame.sounds);
  speakers.hear(frame.heard);
  const before = state;
  state = frame.state;
  if (frame.panel !== null) panel.show(frame.panel);
  for (const effect of frame.effects) {
    if (effect === "tuning") choose(get("panel").hidden ? "panel" : "files", false);
    if (effect === "levels") levels.focus();
    if (effect === "mute") mute();
    if (effect === "watched_world_ended") {
      setWatched(0);
      note("The world that you watched has ended.");
    }
    if (effect === "full_screen") void get("room").requestFullscreen?.();
  }
  if (frame.saved) takeSaved(frame.saved);
  if (!state) return;
  if (awaited && state.revision > awaited.revision) {
    seen.effectTook = performance.now() - awaited.at;
    awaited = null;
  }
  showTime(state);
  // The address may have named it by a part of its path.
  if (before?.level !== state.level && watched === 0) levels.value = state.level;
  if (before && before.level !== state.level) {
    revisions = new Map([[0, new Map(files.now)]]);
    void refresh();
  }
  if (state.banner !== shownBanner) {
    shownBanner = state.banner;
    listMessages();
    showSaved();
  }
  if (before?.unsaved !== state.unsaved) showSaved();
}

function showTime(now: GameState): void {
  timeline.min = String(now.begin);
  timeline.max = String(now.end);
  if (!dragsTime) timeline.value = String(now.position);
  write(get("clock"), `${(now.tick / now.hz).toFixed(2)} s`);
  if (get("pause").ariaPressed !== String(now.paused)) get("pause").ariaPressed = String(now.paused);
  const speed = now.speed < 1 ? `1/${Math.round(1 / now.speed)}` : `${now.speed}×`;
  write(get("speed"), speed);
}

/** Writes a text if it differs: the page is laid out again after every other write. */
function write(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Keeps the files of the page for times without a network. Where a browser forbids that, even asking for it throws. */
async function keepPage(): Promise<void> {
  await navigator.serviceWorker?.register("offline.js");
}

/** Takes over what a level has. */
function adopt(started: Started, plays = true): void {
  messages = started.messages;
  if (started.facts) useFacts(started.facts);
  levels.value = started.level;
  running = plays;
  game.input("keyboard", !matchMedia("(hover: none) and (pointer: coarse)").matches);
  game.input("editor", !embedded);
  resize();
  if (!plays) return;
  // The engine makes this frame while the page shows its files.
  void game.frame(null);
  showMessages();
  get("loading").hidden = true;
  if (started.ok) return;
  loadEditor();
  const [first] = messages;
  const where = embedded && first ? `${first.file}:${first.line}: ${first.message}` : "Their messages are in the editor and below it.";
  note(`This level cannot start before its files are fixed. ${where}`);
}

/** Takes over files that another program has saved. What is being written here stays. */
function takeSaved(saved: NonNullable<Frame["saved"]>): void {
  messages = saved.messages;
  for (const [path, bytes] of saved.files) {
    files.base.delete(path);
    if (bytes) files.base.set(path, bytes);
    if (unsaved.has(path)) continue;
    files.apply(new Map([[path, bytes]]));
    if (path === opened && bytes) editor?.replace(textOf(bytes) ?? "");
  }
  say(`read again: ${saved.files.map(([path]) => path).join(", ")}`, "good");
  void noteRevision();
  showMessages();
  void refresh();
}

/** Takes over the files of the engine's own game. */
function useFiles(started: Started): void {
  files = new GameFiles(new Map(started.files));
  revisions = new Map([[0, new Map(files.now)]]);
  unsaved = new Map();
  openFile(files.now.has(opened) ? opened : (FIRST_FILES.find((path) => files.now.has(path)) ?? started.level));
}

function useFacts(next: LevelFacts): void {
  facts = next;
  devices.use(next.keys);
  const [main, others] = next.levels;
  const option = (path: string) => new Option(path.replace(/^levels\//, "").replace(/\.(toml|tmx|ldtk)(?=#|$)/, ""), path);
  const group = document.createElement("optgroup");
  group.label = "Others";
  group.append(...others.map(option));
  levels.replaceChildren(...main.map(option), ...(others.length > 0 ? [group] : []), watchable);
  if (watched > 0) levels.value = `world ${watched}`;
  else if (state) levels.value = state.level;
  for (const button of document.querySelectorAll<HTMLButtonElement>("[data-act]")) {
    const effect = next.keys.effects.find(({ name }) => name === button.dataset.act);
    if (!effect) continue;
    button.title = effect.label ? `${effect.words} (${effect.label})` : effect.words;
    button.ariaLabel ??= effect.words;
  }
  showMore(next);
  listFiles();
}

async function refresh(): Promise<void> {
  const next = await game.call<LevelFacts | null>("facts");
  if (!next) return;
  const first = facts === null;
  useFacts(next);
  if (first) resize();
}

function resize(): void {
  if (!facts) return;
  const { width, height } = picture.fit(facts);
  game.input("resize", width, height);
}

new ResizeObserver(resize).observe(get("room"));

// Time and what is shown.

for (const button of document.querySelectorAll<HTMLButtonElement>("[data-act]")) {
  const act = button.dataset.act!;
  button.addEventListener("click", () => {
    atMoment = false;
    game.input("act", act);
    giveKeysBack();
  });
}

get("mute").addEventListener("click", () => {
  mute();
  giveKeysBack();
});

function mute(): void {
  speakers.muted = !speakers.muted;
  get("mute").ariaPressed = String(speakers.muted);
}

timeline.addEventListener("input", () => {
  dragsTime = true;
  game.input("show", timeline.valueAsNumber);
});
timeline.addEventListener("change", () => {
  dragsTime = false;
  giveKeysBack();
});

const MORE = ["why", "times", "log", "fan", "pick_next", "restart_at_mark", "effects", "reset_zoom", "help"];

function showMore({ keys }: LevelFacts): void {
  const box = get("more").querySelector("div")!;
  const button = ({ name, words, label }: { name: string; words: string; label: string }) => {
    const made = document.createElement("button");
    const key = document.createElement("kbd");
    key.textContent = label;
    made.append(words.replace(/^show /, ""), key);
    if (name === "help") made.dataset.keys = "";
    made.onclick = () => {
      game.input("act", name);
      giveKeysBack();
    };
    return made;
  };
  const title = (text: string) => Object.assign(document.createElement("p"), { textContent: text });
  const effects = MORE.flatMap((name) => keys.effects.filter((it) => it.name === name));
  box.replaceChildren(title("Over the game"), ...keys.overlays.map(button), title("Other"), ...effects.map(button));
}

document.addEventListener("pointerdown", ({ target }) => {
  if (!get("more").contains(target as Node)) get<HTMLDetailsElement>("more").open = false;
});
get("more").addEventListener("keydown", ({ key }) => {
  if (key !== "Escape") return;
  get<HTMLDetailsElement>("more").open = false;
  get("more").querySelector("summary")!.focus();
});

levels.addEventListener("change", () => {
  const number = Number(levels.selectedOptions[0]?.dataset.world ?? 0);
  void (number > 0 ? watch(number) : openLevel(levels.value));
});

// The worlds that others play in the same service.

const watchable = document.createElement("optgroup");
watchable.label = "Worlds of others";
let worldsShown = "";
/** The number of the world that is watched; 0 if the level plays. */
let watched = 0;

function setWatched(number: number): void {
  watched = number;
  document.body.classList.toggle("watching", number > 0);
}

async function listWorlds(): Promise<void> {
  if (!running || document.hidden) return;
  const worlds = await game.call<[number, string][]>("worlds");
  const text = JSON.stringify(worlds);
  if (text === worldsShown) return;
  worldsShown = text;
  const option = ([number, level]: [number, string]) => {
    const made = new Option(`${number}: ${level.replace(/^levels\//, "").replace(/\.(toml|tmx|ldtk)(?=#|$)/, "")}`, `world ${number}`);
    made.dataset.world = String(number);
    return made;
  };
  watchable.replaceChildren(...worlds.map(option));
  if (watched > 0) levels.value = `world ${watched}`;
}

async function watch(number: number): Promise<void> {
  setWatched((await game.call<boolean>("watch", number)) ? number : 0);
  if (watched === 0) note(`The service has no world ${number} to watch.`);
}

async function openLevel(level: string): Promise<void> {
  const opened = await game.call<{ ok: boolean; messages: Message[] }>("open", level);
  setWatched(0);
  messages = opened.messages;
  showMessages();
  if (opened.ok) {
    revisions = new Map([[0, new Map(files.now)]]);
    if (files.now.has(level) && unsaved.size === 0) openFile(level);
    // With the keyboard, the next arrow moves on through the list.
    giveKeysBack();
  } else {
    levels.value = state?.level ?? level;
    note(`The level has errors: ${messages[0]?.file ?? level}`);
  }
}

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) game.input("rest");
  else game.input("release_all");
});

document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === "s") {
    event.preventDefault();
    void save();
  }
});

// Files.

function listFiles(): void {
  const used = new Set(facts?.used ?? []);
  const all = files.paths().filter((path) => textOf(files.now.get(path)!) !== null);
  const group = (label: string, paths: string[]) => {
    const made = document.createElement("optgroup");
    made.label = label;
    made.append(...paths.map((path) => new Option(`${files.isChanged(path) ? "● " : ""}${path}`, path)));
    return paths.length > 0 ? [made] : [];
  };
  const level = state?.level ?? "";
  const first = all.filter((path) => path === level || (used.has(path) && !path.startsWith("levels/")));
  const rest = (folder: string) => all.filter((path) => path.startsWith(`${folder}/`) && !first.includes(path));
  const others = all.filter((path) => !first.includes(path) && !/^(config|scripts|levels)\//.test(path));
  fileList.replaceChildren(
    ...group("This level", first),
    ...group("Levels", rest("levels")),
    ...group("Scripts", rest("scripts")),
    ...group("Numbers", rest("config")),
    ...group("Others", others),
  );
  fileList.value = opened;
  get<HTMLButtonElement>("revert").disabled = !files.isChanged(opened) || mine !== null;
}

function openFile(path: string): void {
  const bytes = files.now.get(path);
  const text = bytes && textOf(bytes);
  if (text === undefined || text === null) return;
  opened = path;
  editor?.open(path, text);
  showMessages();
  listFiles();
}

fileList.addEventListener("change", () => {
  void save().then(async () => {
    openFile(fileList.value);
    await check();
  });
});

/** The messages about the open file, which need not be one of the level. */
async function check(): Promise<void> {
  const path = opened;
  if (!running || path === "") return;
  const found = await advisor.check(files.now, path);
  if (path !== opened) return;
  const others = messages.filter(({ file }) => file !== path);
  const known = messages.filter(({ file }) => file === path);
  const is = (a: Message, b: Message) => a.line === b.line && a.column === b.column && a.message === b.message;
  messages = [...others, ...known, ...found.filter((it) => !known.some((other) => is(it, other)))];
  showMessages();
}

async function save(): Promise<void> {
  if (unsaved.size === 0 || !running || mine || failed) return;
  const changed = unsaved;
  unsaved = new Map();
  const savedAt = performance.now();
  awaited = state && { at: savedAt, revision: state.revision };
  const kept = service !== null || remember();
  try {
    messages = await game.save(changed);
  } catch {
    // The engine was started again, which has its note. What was written last may be why.
    return say("the engine crashed", "error");
  }
  seen.editTook = performance.now() - savedAt;
  const errors = messages.filter(({ severity }) => severity === "error").length;
  if (errors === 0) await noteRevision();
  if (errors > 0) say("not applied: the last version without errors plays", "error");
  else say(kept ? "saved: it plays" : "it plays, but this browser does not keep it: share or download it", "good");
  showMessages();
  await refresh();
  await check();
}

async function saveNumbers(): Promise<void> {
  await save();
  const saved = await game.call<{ files: string[]; wrong: string[] }>("save_numbers");
  const changed = new Map<string, Uint8Array | null>();
  for (const path of saved.files) {
    const bytes = await game.call<Uint8Array>("read", path);
    files.now.set(path, bytes);
    changed.set(path, bytes);
    if (path === opened) editor?.replace(textOf(bytes) ?? "");
  }
  unsaved = changed;
  await save();
  if (saved.files.length > 0) say(`saved in ${saved.files.join(", ")}`, "good");
  if (saved.wrong.length > 0) note(`Not saved: ${saved.wrong.join("; ")}`);
}

function showMessages(): void {
  editor?.say(messages.filter(({ file }) => file === opened));
  listMessages();
}

/** Messages about other files, and errors of scripts while the game plays. */
function listMessages(): void {
  const rows: HTMLElement[] = messages
    .filter(({ file }) => file !== opened)
    .slice(0, 50)
    .map((message) => {
      const row = document.createElement("li");
      const button = document.createElement("button");
      button.className = message.severity;
      button.textContent = `${message.file}:${message.line}:${message.column}: ${message.severity}: ${message.message}`;
      button.onclick = () => {
        openFile(message.file);
        editor?.goTo(message.line, message.column);
      };
      row.append(button);
      return row;
    });
  if (shownBanner && !state?.broken) {
    const row = document.createElement("li");
    row.append(Object.assign(document.createElement("pre"), { textContent: shownBanner }));
    rows.push(row);
  }
  get("messages").replaceChildren(...rows);
}

get("save").addEventListener("click", () => void save());

get("revert").addEventListener("click", () => {
  const path = opened;
  const base = files.base.get(path) ?? null;
  files.apply(new Map([[path, base]]));
  unsaved.set(path, base);
  if (base) editor?.replace(textOf(base) ?? "");
  else openFile(state?.level ?? files.paths()[0]);
  void save();
});

get("new").addEventListener("click", () => {
  const path = prompt("Path of the new file, such as scripts/mine.rhai or levels/mine.toml", "scripts/mine.rhai")?.trim();
  if (!path) return;
  try {
    unpack({ files: { [path]: "" } });
  } catch {
    return note(`${JSON.stringify(path)} cannot be created: a path is like scripts/mine.rhai or levels/mine.toml.`);
  }
  if (!files.now.has(path)) {
    files.now.set(path, bytesOf(""));
    unsaved.set(path, bytesOf(""));
  }
  void save().then(() => openFile(path));
});

function say(text: string, kind = ""): void {
  said = { text, kind };
  showSaved();
}

/** Says what the last save has led to, unless the game shows that it is not all. */
function showSaved(): void {
  let { text, kind } = said;
  const numbers = state?.unsaved ?? 0;
  if (kind === "good" || text === "") {
    if (shownBanner && !state?.broken) [text, kind] = ["a script fails: its message is in Files", "error"];
    else if (numbers > 0) [text, kind] = [numbers === 1 ? "1 number is not saved yet" : `${numbers} numbers are not saved yet`, ""];
  }
  write(get("saved"), text);
  get("saved").className = kind;
}

function note(text: string): void {
  get("note").querySelector("span")!.textContent = text;
  get("note").hidden = false;
}

get("note").querySelector("button")!.onclick = () => (get("note").hidden = true);

// Tabs.

function choose(name: "files" | "panel", focus = true): void {
  for (const id of ["files", "panel"]) {
    const tab = get(`tab-${id}`);
    const chosen = id === name;
    get(id).hidden = !chosen;
    tab.ariaSelected = String(chosen);
    tab.tabIndex = chosen ? 0 : -1;
    if (chosen && focus) tab.focus();
  }
}

for (const name of ["files", "panel"] as const) {
  const tab = get(`tab-${name}`);
  tab.onclick = () => choose(name);
  tab.onkeydown = ({ key }) => {
    if (key === "ArrowLeft" || key === "ArrowRight") choose(name === "files" ? "panel" : "files");
  };
}

// Sharing.

function shared(): SharedGame {
  return { level: state?.level ?? "", version: files.version(), changes: files.changed(), moment: null };
}

get("share").addEventListener("click", () => void share());

async function share(): Promise<void> {
  await save();
  const game = shared();
  const moment = await sharedMoment().catch(() => null);
  const [text, has] = canShare ? await linkOf(game, moment) : ["", ""];
  if (!canShare || text.length > LONGEST_LINK) {
    download();
    const why = canShare ? "The game is too long for a link" : "This browser cannot make links";
    note(`${why}, so the game was saved as a file. Whoever gets it can drop it on this page.`);
    return;
  }
  history.replaceState(null, "", `#g=${text}`);
  try {
    await navigator.clipboard.writeText(location.href);
    note(`The link is copied. ${has}`);
  } catch {
    note(`The link is in the address bar. ${has}`);
  }
}

/** The link of a game with its moment, or without it where that would be too long; and what it has. */
async function linkOf(game: SharedGame, moment: SharedMoment | null): Promise<[text: string, has: string]> {
  const all = "It has everything that you have changed";
  if (moment) {
    const text = await toLink({ ...game, moment });
    if (text.length <= LONGEST_LINK) return [text, `${all}, and shows this moment.`];
  }
  return [await toLink(game), `${all}. It begins at the start of the level.`];
}

/** The shown moment, if it plays to the same world from its files. */
async function sharedMoment(): Promise<SharedMoment | null> {
  const played = await game.call<string>("moment");
  if (!played) return null;
  const { after, revision, hash }: PlayedMoment = JSON.parse(played);
  const before = after === null ? files.now : filesOf(revision);
  const found = await hashOfMoment(before, state?.level ?? "", { played, edit: changes(before, files.now) });
  if (found !== hash) return null;
  return { played, before: after === null ? null : new Map(changes(files.base, before)) };
}

/** The files that a revision was made of. The panel makes revisions without files. */
function filesOf(revision: number): FileMap {
  const known = [...revisions.keys()].filter((number) => number <= revision);
  return revisions.get(Math.max(...known)) ?? files.now;
}

/** Remembers the files of the revision that plays. */
async function noteRevision(): Promise<void> {
  const now = await game.call<GameState | null>("state");
  if (now && !revisions.has(now.revision)) revisions.set(now.revision, new Map(files.now));
}

function download(): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([toJson(shared())], { type: "application/json" }));
  link.download = "hangtime-game.json";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

get("download").addEventListener("click", download);
get("open").addEventListener("click", () => get("opened").click());
get<HTMLInputElement>("opened").addEventListener("change", ({ target }) => {
  const [file] = (target as HTMLInputElement).files ?? [];
  if (file) void openShared(file.text().then(fromFile), "file");
});
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  const [file] = event.dataTransfer?.files ?? [];
  if (file && !service) void openShared(file.text().then(fromFile), "file");
});
window.addEventListener("hashchange", () => void openHash());

/** A link in the address is older than what was changed since: a reload would ask about it again. */
function dropLink(): void {
  if (hashGame() !== null) history.replaceState(null, "", location.pathname + location.search);
}

function hashGame(): string | null {
  return location.hash.startsWith("#g=") ? location.hash.slice(3) : null;
}

async function openHash(): Promise<void> {
  const text = service ? null : hashGame();
  if (text !== null) await openShared(fromLink(text), "link");
}

/** Shows a game that came from elsewhere. It does not run before the user says so. Returns whether it can be shown. */
async function openShared(coming: Promise<SharedGame>, what: "link" | "file"): Promise<boolean> {
  let given: SharedGame;
  try {
    given = await coming;
  } catch (error) {
    note(`This ${what} cannot be opened: ${(error as Error).message}.`);
    return false;
  }
  running = false;
  speakers.hear({ sounds: [], music: null });
  // If another game waits for its answer, this page's own is the one from before.
  const own = (mine ??= { files, unsaved, opened });
  files = new GameFiles(own.files.base);
  files.apply(given.changes);
  const paths = [...given.changes.keys()];
  const first = paths.find((path) => given.changes.get(path) && /\.(rhai|toml)$/.test(path));
  loadEditor();
  setReadOnly(true);
  if (first) openFile(first);
  else listFiles();
  ask(given, what, paths, async (yes) => {
    mine = null;
    setReadOnly(false);
    setAsked(false);
    if (yes) {
      unsaved = new Map();
      const hasOwn = own.files.changed().size > 0;
      if (hasOwn) rememberInTab();
      const about = await begin(given.level, given.moment);
      if (first) openFile(first);
      const kept = "Your own changes come back with your next visit; what you change in this game is kept in this tab alone.";
      if (hasOwn || about) note([about, hasOwn ? kept : ""].join(" ").trim());
    } else {
      ({ files, unsaved } = own);
      dropLink();
      openFile(files.now.has(own.opened) ? own.opened : (FIRST_FILES.find((path) => files.now.has(path)) ?? levels.value));
      running = true;
      game.input("rest");
      void game.frame(null);
      await save();
    }
    canvas.focus();
  });
  return true;
}

/** While a game waits for its answer, the page reads its files and does nothing else with them. */
function setAsked(asked: boolean): void {
  for (const part of [document.querySelector("header")!, get("time"), get("panel")]) part.inert = asked;
  for (const id of ["new", "save"]) get<HTMLButtonElement>(id).disabled = asked;
  if (asked) choose("files", false);
}

function ask(given: SharedGame, what: string, paths: string[], answer: (yes: boolean) => Promise<void>): void {
  const box = get("question");
  const make = <K extends keyof HTMLElementTagNameMap>(name: K, textContent: string) =>
    Object.assign(document.createElement(name), { textContent });
  const scripts = paths.filter((path) => path.endsWith(".rhai"));
  const title = Object.assign(make("h2", scripts.length > 0 ? `This ${what} has a game with scripts. Run them?` : `This ${what} has a game. Run it?`), { id: "asked" });
  const text = make("p", embedded ? "It plays in this picture only, and cannot use the network." : "It plays in this picture only, and cannot use the network. You can read its files first.");
  const list = document.createElement("ul");
  list.append(...paths.map((path) => make("li", given.changes.get(path) ? path : `${path} (removed)`)));
  const version = given.version === files.version() ? [] : [make("p", "It was made for another version of the game, so it may play differently.")];
  const run = Object.assign(make("button", "Run"), { className: "primary" });
  const leave = make("button", "Do not run");
  const buttons = Object.assign(document.createElement("p"), { className: "buttons" });
  buttons.append(run, leave);
  const done = (yes: boolean) => {
    box.hidden = true;
    // An engine that crashes is started again, and says so.
    answer(yes).catch(() => {});
  };
  run.onclick = () => done(true);
  leave.onclick = () => done(false);
  get("loading").hidden = true;
  setAsked(true);
  box.replaceChildren(title, text, list, ...version, buttons);
  box.hidden = false;
  // Not the button: a key that was meant for something else must not run a stranger's scripts.
  box.tabIndex = -1;
  box.focus();
}

// Changes outlive a reload, and the tab: another one begins with the newest of all tabs.

const MEMORY = `hangtime ${location.pathname}`;

/** Whether what is changed is kept in this tab alone, because it is a game of someone else, and this visitor has changes. */
const IN_TAB = `${MEMORY} in this tab`;

function rememberInTab(): void {
  try {
    sessionStorage.setItem(IN_TAB, "yes");
  } catch {
    // Then nothing is kept anyway.
  }
}

/** Keeps what was changed. Returns whether the browser has room for it. */
function remember(): boolean {
  dropLink();
  try {
    const changed = toJson(shared());
    sessionStorage.setItem(MEMORY, changed);
    if (!sessionStorage.getItem(IN_TAB)) localStorage.setItem(MEMORY, changed);
    return true;
  } catch {
    return false;
  }
}

/** Takes back what was changed before the page was loaded again, as files that are not saved yet. */
function recall(): void {
  try {
    const known = fromFile(sessionStorage.getItem(MEMORY) ?? localStorage.getItem(MEMORY) ?? "");
    if (known.changes.size === 0) return;
    files.apply(known.changes);
    unsaved = known.changes;
    if (known.version === files.version()) return;
    note("Your changes were made for another version of this game, so it may play differently.");
  } catch {
    // Nothing was kept.
  }
}

// What was written last is kept although the pause after it has not come.
window.addEventListener("pagehide", () => {
  if (unsaved.size > 0 && !service && !mine && !failed) remember();
});

function forget(): void {
  try {
    sessionStorage.removeItem(MEMORY);
    if (!sessionStorage.getItem(IN_TAB)) localStorage.removeItem(MEMORY);
  } catch {
    // Nothing was kept.
  }
}

// The beginning.

/** Starts the engine with the files as they are now. Returns what there is to say about the moment. */
async function begin(level: string, moment: SharedMoment | null): Promise<string> {
  speakers.forget();
  get("loading").hidden = false;
  const now = new Map(files.now);
  const before = moment?.before ? files.with(moment.before) : now;
  const replay = moment && { played: moment.played, edit: changes(before, now) };
  const started = await game.start(before, level, "", replay);
  revisions = new Map([[0, before]]);
  adopt(started);
  atMoment = moment !== null;
  if (!moment || !started.ok) return "";
  await noteRevision();
  const { hash }: PlayedMoment = JSON.parse(moment.played);
  // The engine reads it as JSON, and names columns.
  const lost = /at line \d+ column \d+/.test(started.lost) ? "it is damaged" : started.lost;
  if (lost) return `The moment of this link cannot be shown: ${lost}. The level begins at its start.`;
  if (started.hash !== hash) return "The moment of this link was another one in the version of the game that it was made for.";
  return "This is the moment that was shared. It continues with the first key that you press in the game.";
}

async function main(): Promise<void> {
  if (service) return serve();
  const packed = ownGame && [...unpack(ownGame)].filter((entry): entry is [string, Uint8Array] => entry[1] !== null);
  const own = packed && new Map(packed);
  if (!picture.paints) throw new Error("this browser gives the page no canvas to paint on. Allow it in the settings, or use a current Firefox, Chrome, Edge or Safari");
  await loadEngine();
  // The built-in game is in the engine, which starts in any case; a game from a link waits for an answer.
  const wanted = query.get("level");
  const usual = ownGame?.level ?? "";
  let started = await game.start(own, wanted ?? usual);
  const [wrong] = started.messages;
  if (wanted !== null && !started.facts) started = await game.start(own, usual);
  files = new GameFiles(new Map(started.files ?? own));
  revisions = new Map([[0, new Map(files.now)]]);
  const link = hashGame();
  if (link !== null) {
    adopt(started, false);
    recall();
    if (await openShared(fromLink(link), "link")) return;
  }
  adopt(started);
  if (wanted !== null && started.level !== wanted && wrong) note(`The level of this address cannot be played: ${wrong.message}.`);
  if (link === null) recall();
  await save();
  openFile(FIRST_FILES.find((path) => files.now.has(path)) ?? started.level);
  if (!embedded) canvas.focus();
}

/** Plays in the service. Its files are the game's, so the page keeps and shares none. */
async function serve(): Promise<void> {
  const hash = new URLSearchParams(location.hash.slice(1));
  setReadOnly(service?.writes === false);
  if (service?.writes === false) say("read only: the service was started without --write");
  setInterval(() => void listWorlds().catch(() => {}), WORLDS_EVERY);
  // A service that cannot be reached is looked for again.
  const started = await game.start(null, query.get("level") ?? hash.get("level") ?? "").catch(() => null);
  if (!started) return;
  useFiles(started);
  adopt(started);
  if (hash.has("watch")) await watch(Number(hash.get("watch")));
  if (!embedded) canvas.focus();
}

if (matchMedia("(pointer: coarse)").matches) document.body.classList.add("touched");
window.addEventListener("touchstart", () => document.body.classList.add("touched"), { once: true, passive: true });
requestAnimationFrame(loop);
main().catch((error: unknown) => {
  failed = true;
  get("loading").hidden = true;
  note(`The game cannot start: ${(error as Error).message}`);
});
