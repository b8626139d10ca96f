// Keys, the mouse, touches and gamepads, as inputs of the engine.

import type { Call, GameKeys } from "./protocol.js";
import type { Picture } from "./picture.js";

/** Keys that stay the browser's while the game has the focus: reload, full screen, its tools, and the way out by Tab. */
const BROWSER = new Set(["F5", "F11", "F12", "Tab", "Escape"]);

/** The most gamepads that are read. */
const MOST_PADS = 4;

/** The gamepads; none where the server, or the page around a frame, forbids to ask. */
function gamepads(): (Gamepad | null)[] {
  try {
    return navigator.getGamepads?.() ?? [];
  } catch {
    return [];
  }
}

export class Devices {
  private bound = new Set<string>();
  /** The keys that the buttons were made for. */
  private known = "";
  private pads = new Map<number, string>();
  /** The keys that each finger holds. */
  private fingers = new Map<number, string>();

  constructor(
    private picture: Picture,
    private touch: HTMLElement,
    embedded: boolean,
    private send: (...call: Call) => void,
  ) {
    const { canvas } = picture;
    canvas.addEventListener("keydown", (event) => this.keyDown(event));
    canvas.addEventListener("keyup", (event) => send("release", event.code));
    canvas.addEventListener("blur", () => send("release_all"));
    canvas.addEventListener("pointermove", (event) => this.point(event));
    canvas.addEventListener("pointerdown", (event) => {
      // The page around a frame stays where it is.
      canvas.focus({ preventScroll: true });
      if (event.pointerType !== "mouse") return;
      canvas.setPointerCapture(event.pointerId);
      this.point(event);
      send("press", ["MouseLeft", "MouseMiddle", "MouseRight"][event.button] ?? "");
    });
    canvas.addEventListener("pointerup", (event) => {
      if (event.pointerType === "mouse") send("release", ["MouseLeft", "MouseMiddle", "MouseRight"][event.button] ?? "");
    });
    canvas.addEventListener("pointerleave", () => send("leave"));
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener(
      "wheel",
      (event) => {
        // A frame in another page must not catch the wheel that scrolls that page: it zooms with Ctrl, as maps do.
        const isFrame = embedded && !document.fullscreenElement;
        if (isFrame !== event.ctrlKey || !(isFrame || document.activeElement === canvas)) return;
        event.preventDefault();
        send("zoom", -event.deltaY / (event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 100 : 1));
      },
      { passive: false },
    );
    for (const name of ["pointerup", "pointercancel"] as const) {
      window.addEventListener(name, (event) => this.lift(event.pointerId));
    }
    touch.addEventListener("pointermove", (event) => this.slide(event));
    touch.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  /** The keys of the game that runs. */
  use(keys: GameKeys): void {
    const known = JSON.stringify(keys);
    if (known === this.known) return;
    this.known = known;
    this.bound = new Set(keys.bound);
    const arrows = ["left", "down", "up", "right"];
    const groups = [
      keys.actions.filter(({ name }) => arrows.includes(name)).sort((a, b) => arrows.indexOf(a.name) - arrows.indexOf(b.name)),
      keys.actions.filter(({ name }) => !arrows.includes(name)),
    ];
    const signs: Record<string, string> = { left: "←", right: "→", up: "↑", down: "↓" };
    this.touch.replaceChildren(
      ...groups.map((group) => {
        const box = document.createElement("div");
        box.className = group.length === 4 && arrows.includes(group[0].name) ? "cross" : "";
        for (const { name, codes } of group) {
          const [code] = codes;
          if (!code) continue;
          const button = document.createElement("button");
          button.textContent = signs[name] ?? name;
          button.ariaLabel = name;
          if (box.className) button.style.gridArea = name;
          button.dataset.code = code;
          button.tabIndex = -1;
          button.addEventListener("pointerdown", (event) => {
            event.preventDefault();
            button.releasePointerCapture(event.pointerId);
            this.hold(event.pointerId, code);
          });
          box.append(button);
        }
        return box;
      }),
    );
  }

  private keyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || BROWSER.has(event.code)) {
      if (event.code === "Escape") this.send("close_page");
      return;
    }
    if (this.bound.has(event.code)) event.preventDefault();
    if (!event.repeat) this.send("press", event.code);
  }

  private point(event: PointerEvent): void {
    if (event.pointerType !== "mouse") return;
    this.send("point", ...this.picture.pixelAt(event.clientX, event.clientY));
  }

  private hold(finger: number, code: string): void {
    if (this.fingers.get(finger) === code) return;
    this.lift(finger);
    this.fingers.set(finger, code);
    this.send("press", code);
    this.mark();
  }

  private lift(finger: number): void {
    const code = this.fingers.get(finger);
    if (code === undefined) return;
    this.fingers.delete(finger);
    if (![...this.fingers.values()].includes(code)) this.send("release", code);
    this.mark();
  }

  /** A finger slides from one button to the next. */
  private slide(event: PointerEvent): void {
    if (!this.fingers.has(event.pointerId)) return;
    const under = document.elementFromPoint(event.clientX, event.clientY)?.closest("button");
    const code = under && this.touch.contains(under) ? (under as HTMLElement).dataset.code : undefined;
    if (code) this.hold(event.pointerId, code);
  }

  private mark(): void {
    const down = new Set(this.fingers.values());
    for (const button of this.touch.querySelectorAll("button")) {
      button.classList.toggle("down", down.has(button.dataset.code ?? ""));
    }
  }

  /** Reads the gamepads. */
  poll(): void {
    const pads = gamepads();
    for (const pad of pads) {
      if (!pad || pad.index >= MOST_PADS || pad.mapping !== "standard") continue;
      const mask = pad.buttons.slice(0, 16).reduce((sum, { pressed }, bit) => sum | (Number(pressed) << bit), 0);
      const axes = pad.axes.slice(0, 4);
      const now = JSON.stringify([mask, axes]);
      if (this.pads.get(pad.index) === now) continue;
      this.pads.set(pad.index, now);
      this.send("pad", pad.index, mask, ...axes);
    }
    for (const index of this.pads.keys()) {
      if (pads[index]) continue;
      this.pads.delete(index);
      this.send("pad", index, null);
    }
  }
}
