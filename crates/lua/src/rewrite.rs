//! Changes of a text before it is compiled: what Luau itself would do without a bound, or in an order that depends on
//! addresses, is done by functions of `limits.luau`. No line moves.
//!
//! | in the text | what is compiled | why |
//! |---|---|---|
//! | `a .. b` | `a .. __join .. b` | a text is charged for and has a largest length |
//! | `a ..= b` | `a ..= __join .. (b)` | the same |
//! | `for k, v in t do` | `for k, v in __each(t) do` | the order of keys is the same in every process |
//! | `f(...)` | `f(__many(...))` | all values are copied at once |
//!
//! `__join` is a value whose operator `..` joins what is to its left with what is to its right. So the operator keeps its
//! place among the others, and no expression has to be understood to be changed.

use crate::syntax::{Blocks, Word, WordKind};

/// The names that are used in a changed text, and by no script.
pub(crate) const OWN_NAMES: [&str; 4] = ["__join", "__each", "__many", FREEZE];

/// What the end of a file calls with its variables.
pub(crate) const FREEZE: &str = "__freeze";

/// A change of a text: what is inserted at a place in it.
pub(crate) type Insertion = (usize, String);

/// What a text begins with, so that the names are found quickly.
pub(crate) fn prefix() -> Insertion {
    let names = OWN_NAMES[..3].join(", ");
    (0, format!("local {names} = {names} "))
}

/// The text with everything inserted.
pub(crate) fn inserted(text: &str, mut insertions: Vec<Insertion>) -> String {
    insertions.sort_by_key(|(at, _)| *at);
    let mut changed = String::with_capacity(text.len() + insertions.len() * 16);
    let mut from = 0;
    for (at, insertion) in insertions {
        changed.push_str(&text[from..at]);
        changed.push_str(&insertion);
        from = at;
    }
    changed.push_str(&text[from..]);
    changed
}

/// What is inserted into a text with these words.
pub(crate) fn insertions(words: &[Word<'_>]) -> Vec<Insertion> {
    let (mut found, mut parameters_until) = (Vec::new(), 0);
    for (place, word) in words.iter().enumerate() {
        let end = word.at + word.text.len();
        match (word.kind, word.text) {
            (WordKind::Sign, "..") => found.push((end, " __join .. ".into())),
            (WordKind::Sign, "..=") => {
                found.push((end, " __join .. (".into()));
                found.push((end_of_value(words, place + 1), ")".into()));
            }
            (WordKind::Name, "in") => {
                found.push((end, " __each(".into()));
                if let Some(place) = start_of_body(words, place + 1) {
                    found.push((words[place].at, ") ".into()));
                }
            }
            (WordKind::Name, "function") => parameters_until = after_parameters(words, place),
            (WordKind::Sign, "...") if place >= parameters_until && !is_type(words, place) => {
                found.push((word.at, "__many(".into()));
                found.push((end, ")".into()));
            }
            _ => {}
        }
    }
    found
}

/// The `do` of a loop whose values begin at `from`.
fn start_of_body(words: &[Word<'_>], from: usize) -> Option<usize> {
    let mut blocks = Blocks::default();
    (from..words.len()).find(|place| {
        let is_own = blocks.depth() == 0 && words[*place].is_name("do");
        blocks.see(&words[*place]);
        is_own
    })
}

/// Whether `...` is in a type, as in `...number`.
fn is_type(words: &[Word<'_>], place: usize) -> bool {
    words
        .get(place + 1)
        .is_some_and(|next| next.kind == WordKind::Name && next.at == words[place].at + 3)
}

/// The place after the parameters of the function whose word is at `from`.
fn after_parameters(words: &[Word<'_>], from: usize) -> usize {
    let open = (from + 1..words.len()).find(|place| words[*place].is_sign("("));
    open.map_or(words.len(), |open| after_bracket(words, open))
}

/// The end of the value that begins at a word, in bytes.
fn end_of_value(words: &[Word<'_>], from: usize) -> usize {
    let ends = |place: usize| place.checked_sub(1).map_or(0, |last| words[last].at + words[last].text.len());
    let (mut place, mut has_operand, mut ifs) = (from, false, 0);
    while let Some(word) = words.get(place) {
        match (word.kind, word.text) {
            _ if opens(word) => {
                place = after_bracket(words, place);
                has_operand = true;
                continue;
            }
            (WordKind::Name, "function") if !has_operand => {
                let mut blocks = Blocks::default();
                let end = (place..words.len()).find(|at| {
                    blocks.see(&words[*at]);
                    blocks.depth() == 0
                });
                place = end.unwrap_or(words.len() - 1);
                has_operand = true;
            }
            (WordKind::Name, "if") if !has_operand => ifs += 1,
            (WordKind::Name, "then" | "elseif") if ifs > 0 => has_operand = false,
            (WordKind::Name, "else") if ifs > 0 => (ifs, has_operand) = (ifs - 1, false),
            (WordKind::Name, "and" | "or") => has_operand = false,
            (WordKind::Name, "not") if !has_operand => {}
            (WordKind::Sign, "." | ":" | "::") => place += 1,
            (WordKind::Sign, "-" | "#") if !has_operand => {}
            (
                WordKind::Sign,
                "+" | "-" | "*" | "/" | "//" | "%" | "^" | ".." | "==" | "~=" | "<" | ">" | "<=" | ">=",
            ) => {
                has_operand = false;
            }
            // A text after a value is its argument.
            (WordKind::Text, _) => has_operand = true,
            (WordKind::Sign, "...") | (WordKind::Number | WordKind::Name, _) if !has_operand => has_operand = true,
            _ => return ends(place),
        }
        place += 1;
    }
    ends(words.len())
}

/// Whether a word opens a bracket, or a text with values in it.
fn opens(word: &Word<'_>) -> bool {
    match word.kind {
        WordKind::Sign => ["(", "{", "["].contains(&word.text),
        WordKind::Text => word.text.starts_with('`') && word.text.ends_with('{'),
        _ => false,
    }
}

fn closes(word: &Word<'_>) -> bool {
    match word.kind {
        WordKind::Sign => [")", "}", "]"].contains(&word.text),
        WordKind::Text => word.text.starts_with('}') && word.text.ends_with('`'),
        _ => false,
    }
}

/// The place after the bracket that closes the one at `open`.
fn after_bracket(words: &[Word<'_>], open: usize) -> usize {
    let mut depth = 0;
    let close = (open..words.len()).find(|place| {
        if opens(&words[*place]) {
            depth += 1;
        } else if closes(&words[*place]) {
            depth -= 1;
        }
        depth == 0
    });
    close.map_or(words.len(), |close| close + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::words;

    #[test]
    fn texts_loops_and_many_values_are_changed_in_their_place() {
        for (text, expected) in [
            ("x = 'a' .. b", "x = 'a' .. __join ..  b"),
            ("s ..= x or 'none' t = 1", "s ..= __join .. ( x or 'none') t = 1"),
            ("s ..= f(1)[2].b:c 'd' print(s)", "s ..= __join .. ( f(1)[2].b:c 'd') print(s)"),
            ("s ..= if a then 'b' else 'c' return s", "s ..= __join .. ( if a then 'b' else 'c') return s"),
            ("s ..= `a{b + 1}c` return s", "s ..= __join .. ( `a{b + 1}c`) return s"),
            ("s ..= -x local y", "s ..= __join .. ( -x) local y"),
            ("for k, v in t do f() end", "for k, v in __each( t ) do f() end"),
            (
                "for k in (function() while a do end end)() do end",
                "for k in __each( (function() while a do end end)() ) do end",
            ),
            (
                "print(`{(function() for k in t do end end)()}`)",
                "print(`{(function() for k in __each( t ) do end end)()}`)",
            ),
            ("function f(a, ...) return g(a, ...) end", "function f(a, ...) return g(a, __many(...)) end"),
            ("local f = function(...) return { ... } end", "local f = function(...) return { __many(...) } end"),
            ("function f(a: T<X>, ...: number): ...number end", "function f(a: T<X>, ...: number): ...number end"),
        ] {
            assert_eq!(inserted(text, insertions(&words(text))), expected);
        }
    }
}
