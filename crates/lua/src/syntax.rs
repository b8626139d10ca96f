//! The words of a text in Luau, for what must be known of a script without running it. The text need not be valid.

use crate::scopes::KEYWORDS;
use hangtime_script::{DeclaredFunction, Place, SourceFile, TextFunction};
use std::{collections::BTreeMap, ops::Range, sync::Arc};

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
pub(crate) struct LuaWord<'t> {
    pub kind: WordKind,
    pub text: &'t str,
    pub at: usize,
}

impl LuaWord<'_> {
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

impl<'t> LuaWord<'t> {
    /// What is between the quotes of a text without escapes.
    pub fn quoted(&self) -> Option<&'t str> {
        let inside = self.text.strip_prefix(['"', '\''])?.strip_suffix(['"', '\''])?;
        (self.kind == WordKind::Text && !inside.contains('\\')).then_some(inside)
    }
}

/// Signs of more than one character, the longer ones first.
const LONG_SIGNS: [&str; 17] =
    ["...", "..=", "//=", "==", "~=", "<=", ">=", "..", "::", "->", "+=", "-=", "*=", "/=", "%=", "^=", "//"];

/// All words of a text, comments included. Of a text with values in it, each part around the values is a word.
pub(crate) fn all_words(text: &str) -> Vec<LuaWord<'_>> {
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
        words.push(LuaWord { kind, text: word, at });
        at += length;
    }
    words
}

/// The words of a text without comments.
pub(crate) fn words(text: &str) -> Vec<LuaWord<'_>> {
    let mut words = all_words(text);
    words.retain(|word| word.kind != WordKind::Comment);
    words
}

/// Whether some words begin with these, of which `_` is any name or value in a word, `'text'` any text, and 1 any number.
pub(crate) fn begin_with(words: &[LuaWord<'_>], signs: &str) -> bool {
    let mut words = words.iter();
    signs.split(' ').all(|sign| {
        words.next().is_some_and(|word| match sign {
            "_" => {
                let is_value = ["true", "false", "nil"].contains(&word.text);
                word.kind == WordKind::Name && (is_value || !KEYWORDS.contains(&word.text))
            }
            "'text'" => word.kind == WordKind::Text,
            "1" => word.kind == WordKind::Number,
            sign => word.text == sign,
        })
    })
}

/// The names among some words that are no members.
pub(crate) fn variables<'w, 't>(words: &'w [LuaWord<'t>]) -> impl Iterator<Item = &'t str> + Clone + use<'w, 't> {
    words.iter().enumerate().filter_map(|(at, word)| {
        let is_member = at > 0 && (words[at - 1].is_sign(".") || words[at - 1].is_sign(":"));
        (word.kind == WordKind::Name && !is_member).then_some(word.text)
    })
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
    let (mut escaped, mut skips) = (false, false);
    for (at, c) in text.char_indices().skip(1) {
        if escaped {
            // `\z` leaves out the white space that follows.
            (escaped, skips) = (false, c == 'z');
            continue;
        }
        skips &= c.is_whitespace();
        match c {
            '\\' => escaped = true,
            '\n' if quote != '`' && !skips => return at,
            '{' if quote == '`' => return at + 1,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// What is open in a text, word by word: blocks, brackets, texts with values in them, and choices between values.
#[derive(Default)]
pub(crate) struct Nesting<'t> {
    /// What opened each. `value` is for an `if` that begins a value, which has no `end`.
    open: Vec<&'t str>,
    before: Option<LuaWord<'t>>,
    /// Whether the word before is the last `else` of a value.
    ends_value: bool,
}

impl<'t> Nesting<'t> {
    /// Sees the next word. Returns 1 if it opens something, and -1 if it closes something.
    pub fn see(&mut self, word: &LuaWord<'t>) -> i32 {
        let (mut opens, mut closes) = (None, false);
        match (word.kind, word.text) {
            (WordKind::Sign, "(" | "{" | "[") | (WordKind::Name, "function" | "do" | "repeat") => {
                opens = Some(word.text)
            }
            (WordKind::Name, "if") => opens = Some(if self.begins_value() { "value" } else { "if" }),
            (WordKind::Text, text) if text.starts_with('`') && text.ends_with('{') => opens = Some("`"),
            (WordKind::Text, text) => closes = text.starts_with('}') && text.ends_with('`'),
            (WordKind::Sign, ")" | "}" | "]") | (WordKind::Name, "end" | "until") => closes = true,
            (WordKind::Name, "else") => closes = self.is_in("value"),
            _ => {}
        }
        self.ends_value = closes && word.is_name("else");
        self.before = Some(word.clone());
        self.open.extend(opens);
        let closed = closes && self.open.pop().is_some();
        i32::from(opens.is_some()) - i32::from(closed)
    }

    /// How many are open.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// Whether this is what was opened last.
    pub fn is_in(&self, opener: &str) -> bool {
        self.open.last() == Some(&opener)
    }

    /// How many are open around the outermost function; none outside of functions.
    pub fn function(&self) -> Option<usize> {
        self.open.iter().position(|opener| *opener == "function")
    }

    /// Whether an `if` begins a value here, as in `local x = if a then b else c`.
    fn begins_value(&self) -> bool {
        self.before.as_ref().is_some_and(|before| match (before.kind, before.text) {
            (WordKind::Sign, sign) => ![")", "]", "}", ";", "...", "?"].contains(&sign),
            (WordKind::Text, text) => text.ends_with('{'),
            (WordKind::Name, "then") => self.is_in("value"),
            (WordKind::Name, "else") => self.ends_value,
            (WordKind::Name, name) => {
                ["return", "and", "or", "not", "in", "if", "elseif", "while", "until"].contains(&name)
            }
            _ => false,
        })
    }
}

/// The place after the bracket or block that the word at `open` opens.
pub(crate) fn after(words: &[LuaWord<'_>], open: usize) -> usize {
    let mut nesting = Nesting::default();
    let close = (open..words.len()).find(|place| {
        nesting.see(&words[*place]);
        nesting.depth() == 0
    });
    close.map_or(words.len(), |close| close + 1)
}

/// The parts between commas that are in no bracket or block.
pub(crate) fn split<'w, 't>(words: &'w [LuaWord<'t>]) -> impl Iterator<Item = &'w [LuaWord<'t>]> {
    // An `if` at the begin of a part is a value.
    let before = Some(LuaWord { kind: WordKind::Sign, text: "(", at: 0 });
    let mut nesting = Nesting { before, ..Nesting::default() };
    let parts = words.split(move |word| {
        nesting.see(word);
        nesting.depth() == 0 && (word.is_sign(",") || word.is_sign(";"))
    });
    parts.filter(|part| !part.is_empty())
}

/// The place after the type that begins at `at`.
pub(crate) fn after_type(words: &[LuaWord<'_>], mut at: usize) -> usize {
    let is = |at: usize, signs: &[&str]| words.get(at).is_some_and(|word| signs.iter().any(|sign| word.is_sign(sign)));
    loop {
        at = if is(at, &["(", "{"]) { after(words, at) } else { at + 1 };
        while is(at, &["."]) {
            at += 2;
        }
        if is(at, &["<"]) {
            let mut depth = 0;
            let end = (at..words.len()).find(|place| {
                depth += i32::from(is(*place, &["<"])) - i32::from(is(*place, &[">"]));
                depth == 0
            });
            at = end.map_or(words.len(), |end| end + 1);
        } else if is(at, &["("]) && words[at - 1].is_name("typeof") {
            at = after(words, at);
        }
        if is(at, &["?"]) {
            at += 1;
        }
        if !is(at, &["->", "|", "&"]) {
            return at.min(words.len());
        }
        at += 1;
    }
}

/// The place of a name in a list, and the words of its type.
pub(crate) type ListedName = (usize, Option<Range<usize>>);

/// The names in a list that begins at `at`, and the place after the list.
pub(crate) fn name_list(words: &[LuaWord<'_>], mut at: usize) -> (Vec<ListedName>, usize) {
    let is = |at: usize, sign| words.get(at).is_some_and(|word| word.is_sign(sign));
    let mut names = Vec::new();
    while words.get(at).is_some_and(|word| word.kind == WordKind::Name || word.is_sign("...")) {
        let typed = is(at + 1, ":").then(|| at + 1..after_type(words, at + 2));
        let end = typed.as_ref().map_or(at + 1, |typed| typed.end);
        names.push((at, typed));
        at = end + 1;
        if !is(end, ",") {
            return (names, end);
        }
    }
    (names, at)
}

/// Who can call a function by its name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum FunctionScope {
    /// The game: a global one.
    Global,
    /// The file, and others if it returns it: a local one, or a member of a table.
    File,
}

/// The functions that are declared at the top level: the place of `function`, the name, and the place of the bracket.
pub(crate) fn each_function<'w, 't>(
    words: &'w [LuaWord<'t>],
    scope: FunctionScope,
) -> impl Iterator<Item = (usize, &'w LuaWord<'t>, &'w LuaWord<'t>)> {
    let mut nesting = Nesting::default();
    words.iter().enumerate().filter_map(move |(place, word)| {
        let outside = nesting.depth() == 0;
        nesting.see(word);
        let local = place > 0 && words[place - 1].is_name("local");
        let (of_file, rest) = match &words[place + 1..] {
            [_, dot, rest @ ..] if dot.is_sign(".") => (true, rest),
            rest => (local, rest),
        };
        let declares = outside && word.is_name("function") && of_file == (scope == FunctionScope::File);
        match rest {
            [name, open, ..] if declares && name.kind == WordKind::Name && open.is_sign("(") => {
                Some((place, name, open))
            }
            _ => None,
        }
    })
}

/// The functions of a scope that are declared at the top level, in their order.
pub(crate) fn functions(text: &str, scope: FunctionScope) -> Vec<TextFunction<'_>> {
    let words = words(text);
    let function =
        |(_, name, open): (usize, &LuaWord<'_>, &LuaWord<'_>)| (name.at..name.at + name.text.len(), open.at + 1);
    let found = each_function(&words, scope).map(function).map(|(name, begin)| {
        let end = text[begin..].find(')').map_or(text.len(), |at| begin + at);
        TextFunction { at: name.start, name: &text[name], parameters: &text[begin..end] }
    });
    found.collect()
}

/// The functions that a file declares at its top level, with the names of their parameters without types.
pub(crate) fn declared(file: &Arc<SourceFile>) -> Vec<DeclaredFunction> {
    let name = |parameter: &str| parameter.split(':').next().unwrap_or_default().trim().to_string();
    let declared = |function: TextFunction<'_>| DeclaredFunction {
        name: function.name.into(),
        parameters: function.each_parameter().map(name).collect(),
        place: Place::new(file, function.at..function.at + function.name.len()),
    };
    functions(&file.text, FunctionScope::Global).into_iter().map(declared).collect()
}

/// What differs between two texts.
pub(crate) fn changes(old: &str, new: &str) -> Vec<String> {
    let texts = [old, new].map(words);
    let [before, after] = texts.each_ref().map(|words| {
        let body = |(place, name, _): (usize, &LuaWord<'_>, &LuaWord<'_>)| {
            let body = words[place..after(words, place)].iter().map(|word| word.text.to_string());
            (name.text.to_string(), body.collect::<Vec<_>>())
        };
        each_function(words, FunctionScope::Global).map(body).collect::<BTreeMap<_, _>>()
    });
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
    let same = texts[0].iter().map(|word| word.text).eq(texts[1].iter().map(|word| word.text));
    if changes.is_empty() && !same {
        changes.push("changed".into());
    }
    changes
}

/// Whether a text has an index that is neither a number nor a text as it is, such as `me[key]`. It may be one of a list.
pub(crate) fn computes_names(text: &str) -> bool {
    let words = words(text);
    let is_owner = |word: &LuaWord<'_>| word.kind == WordKind::Name || word.is_sign(")") || word.is_sign("]");
    let is_plain = |index: &[LuaWord<'_>]| match index[0].kind {
        WordKind::Text => index[1].is_sign("]"),
        kind => kind == WordKind::Number || index[0].is_sign("#"),
    };
    words
        .windows(4)
        .any(|near| is_owner(&near[0]) && near[1].is_sign("[") && !is_plain(&near[2..]))
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
    let path = |(place, word): (usize, &LuaWord<'t>)| {
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

/// How many words take as long as making a table, and as passing the values of `...` on.
const TABLE: usize = 16;
const VALUES: usize = 64;

/// The most words that run from one point at which operations are counted to the next: those of the longest stretch
/// without a loop or a function. The first number is for the top level, which runs once, and the second for functions.
pub(crate) fn longest_stretches(words: &[LuaWord<'_>]) -> [usize; 2] {
    let (mut longest, mut stretch) = ([0, 0], 0);
    let mut nesting = Nesting::default();
    for word in words {
        let counts = ["function", "for", "while", "repeat", "end", "until"].iter().any(|k| word.is_name(k));
        stretch += match word.text {
            "{" => TABLE,
            "..." => VALUES,
            _ => 1,
        };
        stretch = if counts { 0 } else { stretch };
        nesting.see(word);
        let inside = usize::from(nesting.function().is_some());
        longest[inside] = longest[inside].max(stretch);
    }
    longest
}
