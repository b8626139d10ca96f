// The editor: one file at a time, with the messages about it under their lines.

import { autocompletion, completionKeymap, snippet, type Completion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab, toggleComment } from "@codemirror/commands";
import { bracketMatching, indentOnInput, indentUnit } from "@codemirror/language";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, StateEffect, StateField, type Extension, type Text } from "@codemirror/state";
import {
  Decoration,
  EditorView,
  WidgetType,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  hoverTooltip,
  keymap,
  lineNumbers,
  type DecorationSet,
} from "@codemirror/view";
import { languageOf } from "./languages.js";
import { markdown } from "./markdown.js";
import type { CompletionItem, Message, MessageFix } from "./protocol.js";

/** The file is saved this long after the last key, ms. */
const PAUSE = 700;

/** The position of a line and column, both from 1; columns count characters. */
function position(doc: Text, line: number, column: number): number {
  if (line > doc.lines) return doc.length;
  const { from, text } = doc.line(Math.max(1, line));
  let at = from;
  let left = column - 1;
  for (const character of text) {
    if (left-- <= 0) break;
    at += character.length;
  }
  return at;
}

/** The byte at a position of the text. */
function byteAt(doc: Text, position: number): number {
  return new TextEncoder().encode(doc.sliceString(0, position)).length;
}

/** The position of a byte of the text. */
function positionOfByte(doc: Text, byte: number): number {
  const bytes = new TextEncoder().encode(doc.toString());
  return new TextDecoder().decode(bytes.subarray(0, byte)).length;
}

class MessageLine extends WidgetType {
  constructor(
    readonly message: Message,
    readonly apply: (fix: MessageFix) => void,
  ) {
    super();
  }

  override eq(other: MessageLine): boolean {
    return JSON.stringify(other.message) === JSON.stringify(this.message);
  }

  override toDOM(): HTMLElement {
    const line = document.createElement("div");
    line.className = `said ${this.message.severity}`;
    const text = document.createElement("span");
    text.textContent = `${this.message.severity}: ${this.message.message}`;
    line.append(text);
    for (const fix of this.message.fixes) {
      const button = document.createElement("button");
      button.textContent = fix.text ? `Use ${fix.text}` : "Remove";
      button.onclick = () => this.apply(fix);
      line.append(" ", button);
    }
    return line;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

const say = StateEffect.define<{ messages: Message[]; apply: (fix: MessageFix) => void }>();

const said = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, transaction) {
    shown = shown.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(say)) continue;
      const { doc } = transaction.state;
      const ranges = effect.value.messages.flatMap((message) => {
        const from = position(doc, message.line, message.column);
        const to = Math.max(from, position(doc, message.end_line, message.end_column));
        const widget = new MessageLine(message, effect.value.apply);
        const below = Decoration.widget({ widget, block: true, side: 1 }).range(doc.lineAt(from).to);
        return to > from ? [Decoration.mark({ class: `said-${message.severity}` }).range(from, to), below] : [below];
      });
      shown = Decoration.set(ranges, true);
    }
    return shown;
  },
  provide: (field) => EditorView.decorations.from(field),
});

export interface EditorEvents {
  /** The text of the open file was changed; `save` once the user pauses. */
  changed(path: string, text: string): void;
  save(): void;
  /** Saves, and goes back to the game. */
  play(): void;
  /** What can be written at a byte of a file that has this text. */
  complete(path: string, text: string, at: number): Promise<CompletionItem[]>;
  /** What the reference says about the word at a byte, as Markdown. */
  hover(path: string, text: string, at: number): Promise<string | null>;
}

/** The icons of CodeMirror for the kinds of the language server protocol. */
const ICONS: Record<number, string> = { 2: "method", 3: "function", 5: "property", 6: "variable", 10: "property", 12: "text", 14: "keyword" };

function completion(item: CompletionItem): Completion {
  const text = item.insertText ?? item.label;
  const { documentation } = item;
  return {
    label: item.label,
    type: ICONS[item.kind ?? 0],
    // Braces of code are no fields to fill in.
    apply: item.insertTextFormat === 2 ? snippet(text.replace(/[{}]/g, "\\$&").replace("$0", "${}")) : text,
    detail: item.detail,
    info: documentation && (() => markdown(documentation.value)),
  };
}

export class Editor {
  private view: EditorView;
  private path = "";
  private states = new Map<string, EditorState>();
  private timer = 0;
  private readOnly = false;

  constructor(
    parent: HTMLElement,
    private events: EditorEvents,
  ) {
    this.view = new EditorView({ parent, state: EditorState.create() });
  }

  /** What fits at the cursor: while a word is typed, after a dot or colon or in quotes, and when it is asked for. */
  private async complete(context: CompletionContext): Promise<CompletionResult | null> {
    const { state, pos, explicit } = context;
    const word = context.matchBefore(/\w+/);
    if (!word && !explicit && !context.matchBefore(/[.:"]/)) return null;
    const items = await this.events.complete(this.path, state.doc.toString(), byteAt(state.doc, pos));
    if (context.aborted || items.length === 0) return null;
    // In quotes, names may have spaces.
    const quoted = items.some(({ kind }) => kind === 12) ? context.matchBefore(/[^"']*/) : word;
    return { from: quoted?.from ?? pos, options: items.map(completion), validFor: /^\w*$/ };
  }

  private hover = hoverTooltip(async (view, pos) => {
    const { doc } = view.state;
    const word = view.state.wordAt(pos);
    const text = word && (await this.events.hover(this.path, doc.toString(), byteAt(doc, pos)));
    if (!text) return null;
    return { pos: word.from, end: word.to, create: () => ({ dom: markdown(text) }) };
  });

  private extensions(path: string): Extension {
    const run = (done: () => void) => () => {
      clearTimeout(this.timer);
      done();
      return true;
    };
    return [
      lineNumbers(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      history(),
      drawSelection(),
      bracketMatching(),
      indentOnInput(),
      highlightSelectionMatches(),
      autocompletion({ override: [(context) => this.complete(context)], icons: false }),
      this.hover,
      indentUnit.of("    "),
      EditorState.tabSize.of(4),
      languageOf(path),
      said,
      EditorState.readOnly.of(this.readOnly),
      EditorView.contentAttributes.of({ "aria-label": `Text of ${path}`, "aria-description": "Escape, then Tab leaves the text", spellcheck: "false" }),
      keymap.of([
        { key: "Mod-s", run: run(() => this.events.save()), preventDefault: true },
        { key: "Mod-Enter", run: run(() => this.events.play()), preventDefault: true },
        { key: "Mod-/", run: toggleComment },
        ...completionKeymap,
        ...searchKeymap,
        ...historyKeymap,
        ...defaultKeymap,
        indentWithTab,
      ]),
      EditorView.updateListener.of((update) => {
        if (!update.docChanged) return;
        this.events.changed(this.path, update.state.doc.toString());
        clearTimeout(this.timer);
        this.timer = window.setTimeout(() => this.events.save(), PAUSE);
      }),
    ];
  }

  /** The file that is open. */
  get file(): string {
    return this.path;
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /** Opens a file. Its undo history and cursor are kept while others are open. */
  open(path: string, text: string): void {
    if (this.path) this.states.set(this.path, this.view.state);
    this.path = path;
    const known = this.states.get(path);
    const fits = known && known.doc.toString() === text && known.readOnly === this.readOnly;
    this.view.setState(fits ? known : EditorState.create({ doc: text, extensions: this.extensions(path) }));
  }

  /** The text was changed elsewhere, such as by the panel: it becomes one step of undo. */
  replace(text: string): void {
    const { doc } = this.view.state;
    const old = doc.toString();
    if (old === text) return;
    let from = 0;
    while (from < old.length && from < text.length && old[from] === text[from]) from += 1;
    let end = 0;
    while (end < old.length - from && end < text.length - from && old.at(-1 - end) === text.at(-1 - end)) end += 1;
    this.view.dispatch({ changes: { from, to: old.length - end, insert: text.slice(from, text.length - end) } });
    clearTimeout(this.timer);
  }

  /** While a game that came by a link is only looked at. */
  setReadOnly(readOnly: boolean): void {
    this.readOnly = readOnly;
    this.states.clear();
    this.view.setState(EditorState.create({ doc: this.text, extensions: this.extensions(this.path) }));
  }

  /** Shows the messages about the open file under their lines. */
  say(messages: Message[]): void {
    const apply = ({ from, to, text }: MessageFix) => {
      const { doc } = this.view.state;
      const changes = { from: positionOfByte(doc, from), to: positionOfByte(doc, to), insert: text };
      this.view.dispatch({ changes });
      this.view.focus();
      clearTimeout(this.timer);
      this.events.save();
    };
    this.view.dispatch({ effects: say.of({ messages, apply }) });
  }

  /** Goes to a line and column. */
  goTo(line: number, column: number): void {
    const at = position(this.view.state.doc, line, column);
    this.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    this.view.focus();
  }
}
