//! The words of a text in Luau, for what must be known of a script without running it. The text need not be valid.

use hangtime_script::{DeclaredFunction, Place, SourceFile, TextFunction};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WordKind {
    /// A name or a keyword.
    Name,
    Number,
    Text,
    /// An operator or a bracket.
    Sign,
    Comment,
}

/// A word of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word<'t> {
    pub kind: WordKind,
    pub text: &'t str,
    pub at: usize,
}

impl Word<'_> {
    fn is(&self, kind: WordKind, text: &str) -> bool {
        self.kind == kind && self.text == text
    }

    /// Whether it is this sign.
    pub fn is_sign(&self, sign: &str) -> bool {
        self.is(WordKind::Sign, sign)
    }

    /// Whether it is this keyword or name.
    pub fn is_name(&self, name: &str) -> bool {
        self.is(WordKind::Name, name)
    }
}

impl<'t> Word<'t> {
    /// What is between the quotes of a text without escapes.
    pub fn quoted(&self) -> Option<&'t str> {
        let inside = self.text.strip_prefix(['"', '\''])?.strip_suffix(['"', '\''])?;
        (self.kind == WordKind::Text && !inside.contains('\\')).then_some(inside)
    }
}

/// Signs of more than one character, the longer ones first.
const LONG_SIGNS: [&str; 17] =
    ["...", "..=", "//=", "==", "~=", "<=", ">=", "..", "::", "->", "+=", "-=", "*=", "/=", "%=", "^=", "//"];

/// All words of a text, comments included. Of a text with values in it, the parts around the values are words of their own.
pub(crate) fn all_words(text: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut at = 0;
    // How many braces are open in each value that is in a text.
    let mut values: Vec<usize> = Vec::new();
    while let Some(first) = text[at..].chars().next() {
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let continues = first == '}' && values.last() == Some(&0);
        let (kind, length) = match continues || first == '`' {
            true => (WordKind::Text, quoted_length(&text[at..], '`')),
            false => word_at(&text[at..], first),
        };
        if continues {
            values.pop();
        }
        let word = &text[at..at + length];
        match (kind, word, values.last_mut()) {
            (WordKind::Text, _, _) if (continues || first == '`') && length > 1 && word.ends_with('{') => {
                values.push(0)
            }
            (WordKind::Sign, "{", Some(braces)) => *braces += 1,
            (WordKind::Sign, "}", Some(braces)) => *braces -= 1,
            _ => {}
        }
        words.push(Word { kind, text: word, at });
        at += length;
    }
    words
}

/// The words of a text without comments.
pub(crate) fn words(text: &str) -> Vec<Word<'_>> {
    let mut words = all_words(text);
    words.retain(|word| word.kind != WordKind::Comment);
    words
}

/// The kind and the length of the word that a text begins with.
fn word_at(text: &str, first: char) -> (WordKind, usize) {
    let while_true = |is: fn(char) -> bool| text.find(|c| !is(c)).unwrap_or(text.len());
    if first.is_alphabetic() || first == '_' {
        return (WordKind::Name, while_true(|c| c.is_alphanumeric() || c == '_'));
    }
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    if digit(Some(first)) || first == '.' && digit(text[1..].chars().next()) {
        return (WordKind::Number, number_length(text));
    }
    if let Some(rest) = text.strip_prefix("--") {
        let length = long_bracket(rest).unwrap_or_else(|| rest.find('\n').unwrap_or(rest.len()));
        return (WordKind::Comment, 2 + length);
    }
    if let Some(length) = long_bracket(text) {
        return (WordKind::Text, length);
    }
    if matches!(first, '"' | '\'') {
        return (WordKind::Text, quoted_length(text, first));
    }
    let long = LONG_SIGNS.iter().find(|sign| text.starts_with(**sign));
    (WordKind::Sign, long.map_or(first.len_utf8(), |sign| sign.len()))
}

fn number_length(text: &str) -> usize {
    let mut before = ' ';
    let end = text.find(|c: char| {
        let sign = matches!(c, '+' | '-') && matches!(before, 'e' | 'E') && !text.starts_with("0x");
        let part = c.is_ascii_alphanumeric() || c == '_' || c == '.' || sign;
        before = c;
        !part
    });
    // `1..2` joins two numbers.
    let length = end.unwrap_or(text.len());
    text[..length].find("..").unwrap_or(length)
}

/// The length of `[[…]]` or `[=[…]=]`, if the text begins with one.
fn long_bracket(text: &str) -> Option<usize> {
    let rest = text.strip_prefix('[')?;
    let level = rest.find(|c| c != '=').unwrap_or(rest.len());
    let inside = rest[level..].strip_prefix('[')?;
    let close = format!("]{}]", "=".repeat(level));
    let begin = text.len() - inside.len();
    Some(inside.find(&close).map_or(text.len(), |at| begin + at + close.len()))
}

/// The length of a text in quotes; of one in backticks, up to the value that is next in it.
fn quoted_length(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' if quote != '`' => return at,
            '{' if quote == '`' => return at + 1,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The blocks that are open in a text, word by word.
#[derive(Default)]
pub(crate) struct Blocks<'t> {
    /// The keywords that opened them: `if` without its end for an expression, which has none.
    open: Vec<&'static str>,
    /// How many of them are functions.
    functions: usize,
    before: Option<Word<'t>>,
}

impl<'t> Blocks<'t> {
    /// Sees the next word.
    pub fn see(&mut self, word: &Word<'t>) {
        if word.kind == WordKind::Name {
            match word.text {
                "function" => self.open_function(),
                "do" => self.open.push("do"),
                "repeat" => self.open.push("repeat"),
                "if" if begins_value(self.before.as_ref()) => self.open.push("value"),
                "if" => self.open.push("if"),
                // The last choice of a value is its end.
                "else" if self.open.last() == Some(&"value") => _ = self.open.pop(),
                "end" | "until" if self.open.pop() == Some("function") => self.functions -= 1,
                _ => {}
            }
        }
        self.before = Some(word.clone());
    }

    fn open_function(&mut self) {
        self.open.push("function");
        self.functions += 1;
    }

    /// How many are open.
    pub fn depth(&self) -> usize {
        self.open.len()
    }
}

/// Whether an `if` after this word begins a value, as in `local x = if a then b else c`.
pub(crate) fn begins_value(before: Option<&Word<'_>>) -> bool {
    before.is_some_and(|before| match before.kind {
        WordKind::Sign => ![")", "]", "}", ";"].contains(&before.text),
        WordKind::Name => ["return", "and", "or", "not"].contains(&before.text),
        _ => false,
    })
}

/// The global functions that are declared at the top level, in their order.
pub(crate) fn functions(text: &str) -> Vec<TextFunction<'_>> {
    declarations(text, true)
}

/// The functions of the top level that a file may return in a table: local ones, and members of a table.
pub(crate) fn returned_functions(text: &str) -> Vec<TextFunction<'_>> {
    declarations(text, false)
}

fn declarations(text: &str, global: bool) -> Vec<TextFunction<'_>> {
    let words = words(text);
    let (mut found, mut blocks) = (Vec::new(), Blocks::default());
    for (place, word) in words.iter().enumerate() {
        let local = place.checked_sub(1).is_some_and(|before| words[before].is_name("local"));
        let rest = &words[place + 1..];
        let (member, rest) = match rest {
            [_, dot, rest @ ..] if dot.is_sign(".") => (true, rest),
            rest => (false, rest),
        };
        if blocks.depth() == 0
            && word.is_name("function")
            && global == (!local && !member)
            && let [name, open, ..] = rest
            && name.kind == WordKind::Name
            && open.is_sign("(")
        {
            let begin = open.at + 1;
            let end = text[begin..].find(')').map_or(text.len(), |at| begin + at);
            found.push(TextFunction { name: name.text, parameters: &text[begin..end], at: name.at });
        }
        blocks.see(word);
    }
    found
}

/// The functions that a file declares at its top level, with the names of their parameters without types.
pub(crate) fn declared(file: &Arc<SourceFile>) -> Vec<DeclaredFunction> {
    let names = |parameters: &str| {
        let names = parameters.split(',').map(|name| name.split(':').next().unwrap_or_default().trim());
        names.filter(|name| !name.is_empty()).map(str::to_string).collect()
    };
    let declared = |function: TextFunction<'_>| DeclaredFunction {
        name: function.name.into(),
        parameters: names(function.parameters),
        place: Place::new(file, function.at..function.at + function.name.len()),
    };
    functions(&file.text).into_iter().map(declared).collect()
}

/// The ranges of the functions at the top level with their bodies, by name.
fn bodies(text: &str) -> BTreeMap<&str, String> {
    let words = words(text);
    let functions = functions(text);
    let end_of = |begin: usize| {
        let mut blocks = Blocks::default();
        blocks.open_function();
        let mut rest = words.iter().skip_while(|word| word.at < begin);
        let end = rest.find(|word| {
            blocks.see(word);
            blocks.depth() == 0
        });
        end.map_or(text.len(), |end| end.at + end.text.len())
    };
    let joined = |range: Range<usize>| {
        let inside = words.iter().filter(|word| range.contains(&word.at));
        inside.map(|word| word.text).collect::<Vec<_>>().join(" ")
    };
    functions
        .iter()
        .map(|function| (function.name, joined(function.at..end_of(function.at))))
        .collect()
}

/// What differs between two texts.
pub(crate) fn changes(old: &str, new: &str) -> Vec<String> {
    let (before, after) = (bodies(old), bodies(new));
    let mut changes = Vec::new();
    for (name, body) in &after {
        match before.get(name) {
            None => changes.push(format!("function {name} added")),
            Some(was) if was != body => changes.push(format!("function {name} changed")),
            Some(_) => {}
        }
    }
    let removed = before.keys().filter(|name| !after.contains_key(*name));
    changes.extend(removed.map(|name| format!("function {name} removed")));
    let all = |text| words(text).iter().map(|word| word.text.to_string()).collect::<Vec<_>>();
    if changes.is_empty() && all(old) != all(new) {
        changes.push("changed".into());
    }
    changes
}

/// Whether a text has an index that is neither a number nor a text as it is, such as `me[key]`. It may be one of a list.
pub(crate) fn computes_names(text: &str) -> bool {
    let words = words(text);
    let is_owner = |word: &Word<'_>| word.kind == WordKind::Name || word.is_sign(")") || word.is_sign("]");
    let is_plain = |word: &Word<'_>| matches!(word.kind, WordKind::Number | WordKind::Text) || word.is_sign("#");
    words
        .windows(3)
        .any(|near| is_owner(&near[0]) && near[1].is_sign("[") && !is_plain(&near[2]))
}

/// The paths of the files that a text requires, with their ending.
pub(crate) fn required(text: &str) -> Vec<String> {
    let words = words(text);
    let mut found = Vec::new();
    for (place, word) in words.iter().enumerate() {
        if !word.is_name("require") {
            continue;
        }
        let path = words[place + 1..].iter().find(|word| !word.is_sign("("));
        if let Some(path) = path.filter(|path| path.kind == WordKind::Text && path.text.len() > 2) {
            found.push(with_ending(&path.text[1..path.text.len() - 1]));
        }
    }
    found
}

/// The path that a text requires as a local of this name.
pub(crate) fn required_as<'t>(text: &'t str, module: &str) -> Option<&'t str> {
    let words = words(text);
    let path = |(place, word): (usize, &Word<'t>)| {
        let [name, equals, require, rest @ ..] = words.get(place + 1..)? else { return None };
        let names = word.is_name("local") && name.is_name(module) && equals.is_sign("=") && require.is_name("require");
        rest.iter().find(|word| !word.is_sign("(")).filter(|_| names)?.quoted()
    };
    words.iter().enumerate().rev().find_map(path)
}

/// A path as it is among the sources: with an ending.
pub(crate) fn with_ending(path: &str) -> String {
    if path.ends_with(".luau") || path.ends_with(".lua") {
        path.into()
    } else {
        format!("{path}.luau")
    }
}

/// Whether the last thing in a text is a comment, or a part of one.
pub(crate) fn ends_in_comment(text: &str) -> bool {
    let last = all_words(text).pop();
    last.is_some_and(|word| word.kind == WordKind::Comment || word.is_sign("-"))
}

/// How many words take as long as making a table.
const TABLE: usize = 16;

/// The most words that run from one point at which operations are counted to the next: those of the longest stretch
/// without a loop or a function. The first number is for the top level, which runs once, and the second for functions.
pub(crate) fn longest_stretches(words: &[Word<'_>]) -> [usize; 2] {
    let (mut longest, mut stretch) = ([0, 0], 0);
    let mut blocks = Blocks::default();
    for word in words {
        let counts = ["function", "for", "while", "repeat", "end", "until"].iter().any(|k| word.is_name(k));
        stretch = if counts { 0 } else { stretch + if word.is_sign("{") { TABLE } else { 1 } };
        blocks.see(word);
        let inside = usize::from(blocks.functions > 0);
        longest[inside] = longest[inside].max(stretch);
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_cut_where_luau_cuts_them() {
        let text = "local s = [==[ a ]] b ]==] -- rest\nx ..= 'it\\'s' .. 0x1F..1e-5 --[[ long\n ]] y//=2 `{z}`";
        let words: Vec<&str> = words(text).iter().map(|word| word.text).collect();
        let expected = [
            "local",
            "s",
            "=",
            "[==[ a ]] b ]==]",
            "x",
            "..=",
            "'it\\'s'",
            "..",
            "0x1F",
            "..",
            "1e-5",
            "y",
            "//=",
            "2",
            "`{",
            "z",
            "}`",
        ];
        assert_eq!(words, expected);
        assert!(ends_in_comment("x = 1 -- y") && ends_in_comment("x = 1 --[[ y") && !ends_in_comment("-- a\nx = 1"));
    }

    #[test]
    fn functions_of_the_top_level_are_found() {
        let text = "local function help(a) if a then return 1 elseif b then end end\n\
                    local value = if a then 1 elseif b then 2 else 3\n\
                    function on_tick(me) for i = 1, 3 do local f = function() end end end\n\
                    function on_land(me, event) while true do break end repeat until true end\n\
                    do function hidden() end end";
        let found = functions(text);
        let found: Vec<_> = found.iter().map(|function| (function.name, function.parameters)).collect();
        assert_eq!(found, [("on_tick", "me"), ("on_land", "me, event")]);
        let text = "local it = {} function it.aim(at) end local function help() end function on_tick(me) end return it";
        let returned: Vec<_> = returned_functions(text).iter().map(|function| function.name).collect();
        assert_eq!(returned, ["aim", "help"]);
    }

    #[test]
    fn changes_name_functions() {
        let old = "function a() return 1 end function b() end";
        assert_eq!(changes(old, "function a() return 1 end -- same\nfunction b()\nend"), Vec::<String>::new());
        assert_eq!(
            changes(old, "function a() return 2 end function c() end"),
            ["function a changed", "function c added", "function b removed"]
        );
        assert_eq!(changes("x = 1", "x = 2"), ["changed"]);
    }

    #[test]
    fn required_files_are_found() {
        assert_eq!(
            required("local m = require('lib/math') local n = require \"a.lua\" -- require('x')"),
            ["lib/math.luau", "a.lua"]
        );
        let text = "local m = require('lib/math') local n = require \"a.lua\" n.f()";
        assert_eq!([required_as(text, "m"), required_as(text, "n")], [Some("lib/math"), Some("a.lua")]);
        assert_eq!(required_as(text, "o"), None);
    }
}
