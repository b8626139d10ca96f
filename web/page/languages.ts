// Highlighting for Rhai and TOML.

import {
  HighlightStyle,
  StreamLanguage,
  syntaxHighlighting,
  type StreamParser,
} from "@codemirror/language";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { tags } from "@lezer/highlight";
import type { Extension } from "@codemirror/state";

const KEYWORDS = new Set(
  "let const fn private if else switch do while until loop for in continue break return throw try catch import export as global this wait wait_until wait_for".split(" "),
);
const ATOMS = new Set(["true", "false"]);

interface RhaiState {
  /** The depth of block comments, which nest. */
  comments: number;
  /** Inside a text between backticks. */
  template: boolean;
  /** The number of brackets that are open. */
  depth: number;
  /** Whether the last word was `fn`. */
  declares: boolean;
}

const rhai: StreamParser<RhaiState> = {
  name: "rhai",
  startState: () => ({ comments: 0, template: false, depth: 0, declares: false }),
  copyState: (state) => ({ ...state }),
  languageData: { commentTokens: { line: "//", block: { open: "/*", close: "*/" } }, closeBrackets: { brackets: ["(", "[", "{", '"'] } },
  indent: (state, textAfter, context) => Math.max(0, state.depth - Number(/^[}\])]/.test(textAfter))) * context.unit,
  token(stream, state) {
    if (state.comments > 0) {
      while (!stream.eol()) {
        if (stream.match("*/")) {
          state.comments -= 1;
          if (state.comments === 0) break;
        } else if (stream.match("/*")) state.comments += 1;
        else stream.next();
      }
      return "comment";
    }
    if (state.template) {
      while (!stream.eol()) {
        if (stream.next() === "`") {
          state.template = false;
          break;
        }
      }
      return "string";
    }
    if (stream.eatSpace()) return null;
    if (stream.match("//")) {
      stream.skipToEnd();
      return "comment";
    }
    if (stream.match("/*")) {
      state.comments = 1;
      return "comment";
    }
    const next = stream.peek()!;
    if (next === "`") {
      stream.next();
      state.template = true;
      return "string";
    }
    if (next === '"') {
      stream.next();
      for (let c = stream.next(); c && c !== '"'; c = stream.next()) if (c === "\\") stream.next();
      return "string";
    }
    if (stream.match(/^'(\\.[^']*|[^'])'/)) return "string";
    if (stream.match(/^(0x[\da-f_]+|0b[01_]+|0o[0-7_]+|\d[\d_]*(\.\d[\d_]*)?(e[+-]?\d+)?)/i)) return "number";
    const word = stream.match(/^[A-Za-z_]\w*/) as RegExpMatchArray | null;
    if (word) {
      const declares = state.declares;
      state.declares = word[0] === "fn";
      if (KEYWORDS.has(word[0])) return "keyword";
      if (ATOMS.has(word[0])) return "atom";
      if (declares) return "def";
      if (word[0] === "me" || word[0] === "world") return "variableName.special";
      if (stream.match(/^\s*\(/, false)) return "variableName.function";
      return "variableName";
    }
    if (stream.match(/^[+\-*/%=<>!&|^~?]+/)) return "operator";
    const bracket = stream.next()!;
    if ("{[(".includes(bracket)) state.depth += 1;
    else if ("}])".includes(bracket)) state.depth = Math.max(0, state.depth - 1);
    return "punctuation";
  },
  tokenTable: {
    "variableName.special": tags.special(tags.variableName),
    "variableName.function": tags.function(tags.variableName),
    def: tags.definition(tags.function(tags.variableName)),
  },
};

const style = HighlightStyle.define([
  { tag: tags.comment, color: "var(--code-comment)", fontStyle: "italic" },
  { tag: tags.keyword, color: "var(--code-keyword)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--code-string)" },
  { tag: [tags.number, tags.atom, tags.bool], color: "var(--code-number)" },
  { tag: tags.definition(tags.function(tags.variableName)), color: "var(--code-function)", fontWeight: "600" },
  { tag: tags.function(tags.variableName), color: "var(--code-function)" },
  { tag: [tags.special(tags.variableName), tags.propertyName], color: "var(--code-name)" },
  { tag: [tags.operator, tags.punctuation], color: "var(--code-quiet)" },
]);

/** The highlighting for a file. */
export function languageOf(path: string): Extension {
  const highlighting = syntaxHighlighting(style);
  if (path.endsWith(".rhai")) return [StreamLanguage.define(rhai), highlighting];
  if (path.endsWith(".toml")) return [StreamLanguage.define(toml), highlighting];
  return [];
}
