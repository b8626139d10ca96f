// The tuning panel: the numbers of the picked entity, with sliders.

interface PanelRow {
  path: string;
  name: string;
  about: string;
  unit: string;
  value: number | boolean | string;
  slider: [number, number];
  range: [number, number];
  origin: string;
  goes: string;
  edited: boolean;
  conflict: string | null;
  replaced: string;
  fixed: string;
}

interface PanelSection {
  group: string;
  current: boolean;
  rows: PanelRow[];
}

interface PanelPage {
  entity: string;
  kind: string;
  model: string;
  second: boolean;
  undo: boolean;
  redo: boolean;
  unsaved: number;
  asks_scope: boolean;
  scope: "" | "kind" | "model";
  variables: [string, string][];
  sections: PanelSection[];
}

export interface PanelEvents {
  /** Changes a number; NaN drops the edit. */
  tune(path: string, value: number, continues: boolean, dragged: boolean): void;
  /** Changes a number to one that was typed, and waits until the engine has it. */
  type(path: string, value: number): Promise<void>;
  button(name: string): void;
  keep(path: string): void;
  save(): void;
}

function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** The steps of a slider, some hundreds of them: 1, 2 or 5 in a decimal place. */
function stepOf(length: number): number {
  const least = length / 500;
  const place = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((times) => times * place).find((step) => step >= least) ?? least;
}

export class Panel {
  search = "";
  /** A number that was typed, and the one that the engine has made of it. */
  private typed: { path: string; value: number; used?: number } | null = null;
  private shown = "";
  /** Whether the mouse or a finger holds something: it must not be replaced. */
  private held = false;
  private body: HTMLElement;

  constructor(
    root: HTMLElement,
    private events: PanelEvents,
  ) {
    const search = element("input", {
      type: "search",
      placeholder: "Search names and descriptions",
      ariaLabel: "Search the numbers",
      oninput: () => (this.search = search.value),
    });
    this.body = element("div", { className: "rows" });
    root.append(search, this.body);
    root.addEventListener("pointerdown", () => (this.held = true));
    for (const name of ["pointerup", "pointercancel"]) {
      // The click comes after this.
      window.addEventListener(name, () => setTimeout(() => (this.held = false)));
    }
  }

  /** Shows what the engine says, unless the same is shown already or something is held. */
  show(json: string): void {
    if (this.held) return;
    const page = JSON.parse(json) as PanelPage | null;
    // Values of variables change in every tick, and need no new rows.
    const rows = JSON.stringify({ ...page, variables: page?.variables.map(([name]) => name) });
    if (rows === this.shown) {
      const values = this.body.querySelectorAll("dd");
      page?.variables.forEach(([, value], at) => {
        if (values[at] && values[at].textContent !== value) values[at].textContent = value;
      });
      return;
    }
    this.shown = rows;
    const focus = (document.activeElement as HTMLElement | null)?.id;
    const typing = document.activeElement instanceof HTMLInputElement && document.activeElement.type === "number";
    if (typing && this.body.contains(document.activeElement)) {
      this.shown = "";
      return;
    }
    const open = new Set([...this.body.querySelectorAll("details[open]")].map((it) => (it as HTMLElement).dataset.group));
    const known = new Set([...this.body.querySelectorAll("details")].map((it) => it.dataset.group));
    this.body.replaceChildren(...(page ? this.page(page, open, known) : [element("p", {}, "No entity is picked.")]));
    if (focus) document.getElementById(focus)?.focus();
  }

  private page(page: PanelPage, open: Set<string | undefined>, known: Set<string | undefined>): Node[] {
    const button = (id: string, label: string, title: string, enabled: boolean, name = id) =>
      element("button", {
        id: `panel-${id}`,
        textContent: label,
        title,
        disabled: !enabled,
        onclick: () => (name === "save" ? this.events.save() : this.events.button(name)),
      });
    const edits = page.sections.some((section) => section.rows.some((row) => row.edited));
    const controls = element(
      "p",
      { className: "buttons" },
      button("swap", page.second ? "Set B" : "Set A", "Switches between two sets of numbers (B)", true),
      button("copy", "Copy to the other", "Copies these numbers to the other set", edits),
      button("undo", "Undo", "", page.undo),
      button("redo", "Redo", "", page.redo),
      button("reset", "Reset", "Drops all edits: the files decide", edits),
      button("save", `Save ${page.unsaved || ""}`.trim(), "Writes the numbers into their files", page.unsaved > 0 && !page.asks_scope),
    );
    const nodes: Node[] = [
      element("p", { className: "who" }, element("strong", {}, page.entity), ` ${page.kind}, ${page.model}`),
      controls,
    ];
    if (page.asks_scope || page.scope) {
      const choice = (name: "kind" | "model", label: string) => {
        const made = button(`scope-${name}`, label, "", true, name);
        made.ariaPressed = String(page.scope === name);
        return made;
      };
      nodes.push(
        element(
          "p",
          { className: page.asks_scope ? "buttons asks" : "buttons" },
          page.asks_scope ? "Before saving, choose what for: " : "Numbers are for ",
          choice("kind", `the kind ${page.kind}`),
          choice("model", `all of ${page.model}`),
        ),
      );
    }
    if (page.variables.length > 0) {
      const list = element("dl");
      for (const [name, value] of page.variables) list.append(element("dt", {}, name), element("dd", {}, value));
      nodes.push(this.details("this", `this (${page.variables.length})`, false, open, known, [list]));
    }
    for (const section of page.sections) {
      const edited = section.rows.filter((row) => row.edited).length;
      const title = section.group + (edited > 0 ? `, ${edited} edited` : "");
      const opens = edited > 0 || (section.current && !section.group.startsWith("surfaces")) || this.search.trim() !== "";
      nodes.push(this.details(section.group, title, opens, open, known, section.rows.map((row) => this.row(row))));
    }
    return nodes;
  }

  private details(
    group: string,
    title: string,
    opens: boolean,
    open: Set<string | undefined>,
    known: Set<string | undefined>,
    children: Node[],
  ): HTMLElement {
    const made = element("details", { open: this.search.trim() !== "" || (known.has(group) ? open.has(group) : opens) });
    made.dataset.group = group;
    made.append(element("summary", {}, title), ...children);
    return made;
  }

  private row(row: PanelRow): HTMLElement {
    const id = `row-${row.path}`;
    const made = element("div", { className: row.edited ? "row edited" : "row" });
    const title = `${row.path}\n${row.about}\n${row.range[0]} to ${row.range[1]} ${row.unit}`;
    const label = element("label", { htmlFor: id, title }, row.name, element("small", {}, row.unit));
    made.append(label);
    if (typeof row.value === "number" && !row.fixed) made.append(...this.number(row, row.value, id));
    else if (typeof row.value === "boolean" && !row.fixed) {
      const box = element("input", { type: "checkbox", id, checked: row.value });
      box.onchange = () => this.events.tune(row.path, box.checked ? 1 : 0, false, false);
      made.append(box);
    } else made.append(element("output", { id }, String(row.value)));
    if (row.edited) {
      const reset = element("button", { textContent: "Reset", title: "The file decides" });
      reset.onclick = () => this.events.tune(row.path, NaN, false, false);
      made.append(reset);
    }
    const from = row.edited ? `not saved; in the files: ${row.origin}` : row.origin;
    const notes = [row.fixed, row.replaced, row.edited && row.goes ? `saved in ${row.goes}` : ""].filter(Boolean);
    made.append(element("small", { className: "origin" }, [from, ...notes].join(". ")));
    const typed = this.typedInstead(row);
    if (typed) made.append(element("small", { className: "asks", role: "status" }, typed));
    if (row.conflict !== null) {
      const mine = element("button", { textContent: "Keep mine", onclick: () => this.events.keep(row.path) });
      const theirs = element("button", { textContent: "Use the file's" });
      theirs.onclick = () => this.events.tune(row.path, NaN, false, false);
      made.append(element("small", { className: "asks" }, `The file has ${row.conflict} by now. `, mine, " ", theirs));
    }
    return made;
  }

  /** What to say if another number than the typed one is used. */
  private typedInstead({ path, value, range: [min, max] }: PanelRow): string {
    if (this.typed?.path !== path || typeof value !== "number") return "";
    this.typed.used ??= value;
    if (this.typed.used !== value || this.typed.value === value) return "";
    const typed = this.typed.value;
    const why = typed < min || typed > max ? `${min} to ${max} is possible` : "it takes whole numbers";
    return `${typed} was typed, but ${why}: it is ${value} now.`;
  }

  private number(row: PanelRow, value: number, id: string): HTMLElement[] {
    const [min, max] = row.slider;
    const slider = element("input", { type: "range", id });
    // The ends come first: a value outside of them would be cut.
    Object.assign(slider, { min: String(min), max: String(max), step: String(stepOf(max - min)), value: String(value) });
    const typed = element("input", { type: "number", ariaLabel: `${row.name}, typed`, step: "any" });
    typed.value = String(value);
    let continues = false;
    slider.oninput = () => {
      this.events.tune(row.path, slider.valueAsNumber, continues, true);
      typed.value = slider.value;
      continues = true;
    };
    slider.onchange = () => {
      continues = false;
      this.shown = "";
    };
    typed.onchange = () => {
      const value = typed.valueAsNumber;
      typed.blur();
      if (Number.isNaN(value)) return;
      void this.events.type(row.path, value).then(() => {
        this.typed = { path: row.path, value };
        this.shown = "";
      });
    };
    return [slider, typed];
  }
}
