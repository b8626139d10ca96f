//! The variables in the text of a file, and how the text is changed before Luau compiles it. No line moves.
//!
//! | in the text | what is compiled | why |
//! |---|---|---|
//! | `a .. b` | `a .. __join .. b` | a text is charged for and has a largest length |
//! | `a ..= b` | `a ..= __join .. if nil then nil else b` | the same, for all of the value |
//! | `a ^ b`, `a ^= b` | `a ^ __power ^ b` and so on | powers have the same last bits on every machine |
//! | `for k, v in t do` | `for k, v in __each(t) do` | the order of keys is the same in every process |
//! | `local a: T = b`, outside of blocks | `a = b` | nothing is hidden in a variable of the file |
//!
//! `__join` is a value whose operator `..` joins what is to its left with what is to its right, and `__power` one for `^`.
//! So operators keep their places among others, and no expression has to be understood to be changed.

use crate::{
    statements::Reader,
    syntax::{LuaWord, Nesting, WordKind, after, name_list},
};
use std::{collections::BTreeSet, ops::Range};

/// The names that are used in a changed text, and by no script.
pub(crate) const OWN_NAMES: [&str; 11] = [
    "__join",
    "__power",
    "__each",
    "__items",
    "__wait__",
    "__wait_ticks__",
    "__wait_for__",
    "__given",
    "__frame",
    "__at",
    "__event",
];

/// The words of Luau that are no names.
pub(crate) const KEYWORDS: [&str; 22] = [
    "and", "break", "continue", "do", "else", "elseif", "end", "false", "for", "function", "if", "in", "local", "nil",
    "not", "or", "repeat", "return", "then", "true", "until", "while",
];

/// A name in a text, and where it is.
type Found = (Range<usize>, String);

/// A change of a text: what is inserted at a place in it.
type Insertion = (usize, &'static str);

/// What is found in a text, which need not be valid.
#[derive(Debug, Default)]
pub(crate) struct FileVariables {
    /// The variables that the top level of the file declares with `local`.
    pub own: BTreeSet<String>,
    /// Those that it declares without.
    pub global: BTreeSet<String>,
    /// Where the file declares a variable that it has already.
    pub repeated: Vec<Found>,
    /// Where a name is read that no scope around it declares.
    pub free: Vec<Found>,
    /// Where a function assigns to a name that is not declared in a function.
    pub forgotten: Vec<Found>,
    /// What bounds operators and loops.
    bounded: Vec<Insertion>,
    /// What makes variables of the file globals.
    opened: Vec<Insertion>,
}

impl FileVariables {
    /// Reads a text with these words.
    pub fn of(words: &[LuaWord<'_>]) -> Self {
        let nesting = Nesting::default();
        let mut walk =
            ScopeWalk { words, nesting, scopes: vec![BTreeSet::new()], loops: Vec::new(), found: Self::default() };
        let mut at = 0;
        while at < words.len() {
            at = walk.step(at);
        }
        walk.found
    }

    /// The text as it is compiled. If the file `lasts`, its variables become globals, which are frozen later.
    pub fn changed(&self, text: &str, lasts: bool) -> String {
        let mut insertions = self.bounded.clone();
        insertions.extend(self.opened.iter().filter(|_| lasts));
        insertions.sort_by_key(|(at, _)| *at);
        let mut changed = String::with_capacity(text.len() + insertions.len() * 16);
        let mut from = 0;
        for (at, insertion) in insertions {
            changed.push_str(&text[from..at]);
            changed.push_str(insertion);
            from = at;
        }
        changed + &text[from..]
    }
}

/// Whether a sign assigns.
pub(crate) fn is_assignment(sign: &str) -> bool {
    ["=", "+=", "-=", "*=", "/=", "//=", "%=", "^=", "..="].contains(&sign)
}

/// A loop whose `do` comes at a depth.
struct OpenLoop<'t> {
    depth: usize,
    variables: Vec<&'t str>,
    /// Whether it visits what is after `in`.
    visits: bool,
}

struct ScopeWalk<'w, 't> {
    words: &'w [LuaWord<'t>],
    nesting: Nesting<'t>,
    /// The variables of the file, and of each thing that is open.
    scopes: Vec<BTreeSet<&'t str>>,
    /// The loops before their `do`.
    loops: Vec<OpenLoop<'t>>,
    found: FileVariables,
}

impl<'t> ScopeWalk<'_, 't> {
    fn is_sign(&self, at: usize, signs: &[&str]) -> bool {
        self.words.get(at).is_some_and(|word| signs.iter().any(|sign| word.is_sign(sign)))
    }

    /// Whether the word at a place is after one of these signs.
    fn is_after(&self, at: usize, signs: &[&str]) -> bool {
        at > 0 && self.is_sign(at - 1, signs)
    }

    /// The names in a list that begins at `at`, and the place after the list.
    fn list(&self, at: usize) -> (Vec<&'t str>, usize) {
        let (names, end) = name_list(self.words, at);
        (names.into_iter().map(|(name, _)| self.words[name].text).collect(), end)
    }

    fn declare(&mut self, names: impl IntoIterator<Item = &'t str>) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.extend(names);
        }
    }

    /// Reads the word at `at` and returns the place of the next one.
    fn step(&mut self, at: usize) -> usize {
        let word = &self.words[at];
        let (outside, end) = (self.nesting.depth(), word.at + word.text.len());
        match self.nesting.see(word) {
            1 => self.scopes.push(BTreeSet::new()),
            -1 if self.scopes.len() > 1 => {
                let names = self.scopes.pop().unwrap_or_default();
                // The condition of a `repeat` can still read its variables.
                self.declare(names.into_iter().filter(|_| word.is_name("until")));
            }
            // What one branch declares, the next one does not see.
            0 if self.nesting.is_in("if") && (word.is_name("else") || word.is_name("elseif")) => {
                self.scopes.pop();
                self.scopes.push(BTreeSet::new());
            }
            _ => {}
        }
        match (word.kind, word.text) {
            (WordKind::Sign, "..") => self.found.bounded.push((end, " __join .. ")),
            (WordKind::Sign, "^") => self.found.bounded.push((end, " __power ^ ")),
            (WordKind::Sign, sign) if is_assignment(sign) => {
                // All of what follows is the value of the `else`, so it needs no bracket at its end.
                match sign {
                    "..=" => self.found.bounded.push((end, " __join .. if nil then nil else ")),
                    "^=" => self.found.bounded.push((end, " __power ^ if nil then nil else ")),
                    _ => {}
                }
                self.assigned(at);
            }
            (WordKind::Name, "local") => return self.local(at),
            (WordKind::Name, "for") => {
                let (names, end) = self.list(at + 1);
                let visits = !self.is_sign(end, &["="]);
                self.loops.push(OpenLoop { depth: outside, variables: names, visits });
                return end + usize::from(!visits);
            }
            (WordKind::Name, "in") => self.found.bounded.push((end, " __each(")),
            (WordKind::Name, "do") if self.loops.last().is_some_and(|of| of.depth == outside) => {
                if let Some(of) = self.loops.pop() {
                    self.found.bounded.extend(of.visits.then_some((word.at, ") ")));
                    self.declare(of.variables);
                }
            }
            (WordKind::Name, "function") => {
                if self.is_sign(at + 2, &["(", "<"]) && self.words[at + 1].kind == WordKind::Name {
                    // The name is not in the function.
                    let inside = self.scopes.pop().unwrap_or_default();
                    self.written(&self.words[at + 1], self.nesting.function().is_some_and(|open| open < outside));
                    self.scopes.push(inside);
                }
                let open = (at + 1..self.words.len()).find(|next| self.is_sign(*next, &["("]));
                let open = open.unwrap_or(self.words.len());
                let parameters = self.list(open + 1).0;
                self.declare(parameters);
                return after(self.words, open.min(self.words.len() - 1));
            }
            (WordKind::Name, name) if !KEYWORDS.contains(&name) => self.used(at),
            _ => {}
        }
        at + 1
    }

    /// Reads a `local` at a place.
    fn local(&mut self, at: usize) -> usize {
        let word = &self.words[at];
        let is_function = self.words.get(at + 1).is_some_and(|next| next.is_name("function"));
        let first = at + 1 + usize::from(is_function);
        let (names, end) = name_list(self.words, first);
        if self.nesting.depth() == 0 {
            self.found.opened.extend([(word.at, "--[==["), (word.at + word.text.len(), "]==]")]);
            let place = |at: usize| self.words[at].at..self.words[at].at + self.words[at].text.len();
            for (name, typed) in &names {
                let text = self.words[*name].text;
                if !self.found.own.insert(text.to_string()) {
                    self.found.repeated.push((place(*name), text.to_string()));
                }
                if let Some(typed) = typed {
                    self.found
                        .opened
                        .extend([(place(typed.start).start, "--[==["), (place(typed.end - 1).end, "]==]")]);
                }
            }
            if !is_function && end > first && !self.is_sign(end, &["="]) {
                self.found.opened.push((place(end - 1).end, " = nil"));
            }
        }
        let mut next = if is_function { at + 1 } else { end };
        if !is_function && self.is_sign(end, &["="]) {
            // The values are read before the names are declared, as in `local x = x`.
            self.nesting.see(&self.words[end]);
            let values = Reader { words: self.words, at: end }.list();
            next = values.start;
            while next < values.end {
                next = self.step(next);
            }
        }
        self.declare(names.into_iter().map(|(name, _)| self.words[name].text));
        next
    }

    /// Looks at a variable that is read at `at`.
    fn used(&mut self, at: usize) {
        let word = &self.words[at];
        // `{ s:upper() }` reads `s`, and `{ s: string }` is a type.
        let calls = self.is_sign(at + 1, &[":"]) && self.is_sign(at + 3, &["("]);
        let is_key = self.nesting.is_in("{") && self.is_sign(at + 1, &["=", ":"]) && !calls;
        let is_known = self.scopes.iter().any(|scope| scope.contains(word.text));
        if !is_key && !is_known && !self.is_after(at, &[".", ":", "::"]) {
            self.found.free.push((word.at..word.at + word.text.len(), word.text.to_string()));
        }
    }

    /// Looks at the variables that a sign at `at` assigns to.
    fn assigned(&mut self, mut at: usize) {
        let in_function = self.nesting.function().is_some();
        while let Some(name) = at.checked_sub(1).map(|before| &self.words[before]) {
            if self.nesting.is_in("{") || name.kind != WordKind::Name || self.is_after(at - 1, &[".", ":"]) {
                return;
            }
            self.written(name, in_function);
            if !self.is_after(at - 1, &[","]) {
                return;
            }
            at -= 2;
        }
    }

    fn written(&mut self, name: &LuaWord<'t>, in_function: bool) {
        let owner = self.scopes.iter().rposition(|scope| scope.contains(name.text));
        let found = (name.at..name.at + name.text.len(), name.text.to_string());
        match owner {
            // The scope of the outermost function is after that of the file and of what is open around it.
            Some(owner) if self.nesting.function().is_some_and(|open| owner <= open) && in_function => {
                self.found.forgotten.push(found);
            }
            None if in_function => self.found.forgotten.push(found),
            None => _ = self.found.global.insert(found.1),
            Some(_) => {}
        }
    }
}
