//! The variables of a file in the text: which functions write to those outside of them, and where tables that belong to the
//! file have to be frozen.

use crate::rewrite::Insertion;
use crate::syntax::{Word, WordKind, begins_value, words};
use std::collections::BTreeSet;
use std::ops::Range;

/// The words of Luau that are no names.
const KEYWORDS: [&str; 22] = [
    "and", "break", "continue", "do", "else", "elseif", "end", "false", "for", "function", "if", "in", "local", "nil",
    "not", "or", "repeat", "return", "then", "true", "until", "while",
];

/// What opened a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opener {
    /// The file.
    File,
    /// A function.
    Function,
    /// A plain `do`, which is no loop's.
    Do,
    /// Any other block.
    Block,
}

/// A block with the variables that are declared in it.
#[derive(Debug)]
struct Scope<'t> {
    opener: Opener,
    names: BTreeSet<&'t str>,
    /// The variables of the `repeat` blocks in it, which their conditions can still read.
    repeated: BTreeSet<&'t str>,
    /// Whether its last statement so far leaves it, so that nothing can follow.
    left_at: Option<usize>,
}

/// What is found in a text.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct FileVariables {
    /// Where a function writes to a variable of the file, and the variable.
    pub written: Vec<(Range<usize>, String)>,
    /// Where variables of the file end, and their names.
    pub ends: Vec<(usize, Vec<String>)>,
    /// Where a function uses a variable of a loop or an `if` at the top of the file, and the variable: nothing ends those
    /// in every case.
    pub of_blocks: Vec<(Range<usize>, String)>,
    /// Where a file returns before its end.
    pub early_returns: Vec<Range<usize>>,
    /// All functions, in their order.
    pub functions: Vec<FunctionInText>,
    /// Where a name is read that no scope around it declares, and the name.
    pub free: Vec<(Range<usize>, String)>,
    /// Where a function assigns to a name that no scope around it declares, and the name.
    pub forgotten: Vec<(Range<usize>, String)>,
    /// The names that the top level of the file declares without `local`.
    pub global: BTreeSet<String>,
}

/// A function in a text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FunctionInText {
    /// From 1.
    pub line: usize,
    /// Its name, or that of the field of a table that it is in.
    pub name: Option<String>,
    /// Whether it is in another function.
    pub is_inner: bool,
}

/// How many variables are frozen by one call: those of a function, arguments included, are limited.
const FROZEN_AT_ONCE: usize = 32;

impl FileVariables {
    /// Reads a text, which need not be valid.
    pub fn of(text: &str) -> Self {
        let words = words(text);
        let mut walk = Walk {
            text,
            words: &words,
            line: (1, 0),
            scopes: Vec::new(),
            braces: Vec::new(),
            statement: 0,
            found: Self::default(),
        };
        walk.open(Opener::File);
        let mut at = 0;
        while at < words.len() {
            at = walk.step(at);
        }
        walk.close(text.len());
        walk.found
    }

    /// Calls of `freeze` wherever variables of the file end.
    pub fn freezing(&self, text: &str, freeze: &str) -> Vec<Insertion> {
        let calls = self.ends.iter().map(|(at, names)| {
            // The last line may be a comment.
            let before = if *at == text.len() { "\n" } else { " " };
            let calls = names.chunks(FROZEN_AT_ONCE).map(|names| format!("{freeze}({}) ", names.join(", ")));
            (*at, [before.to_string(), calls.collect()].concat())
        });
        calls.collect()
    }
}

struct Walk<'w, 't> {
    text: &'t str,
    words: &'w [Word<'t>],
    /// The line of a place that has been passed, and the place.
    line: (usize, usize),
    scopes: Vec<Scope<'t>>,
    /// The brackets that are open: whether each is a brace, in which `a = 1` is a field.
    braces: Vec<bool>,
    /// Where the last declaration began.
    statement: usize,
    found: FileVariables,
}

impl<'t> Walk<'_, 't> {
    fn open(&mut self, opener: Opener) {
        self.scopes
            .push(Scope { opener, names: BTreeSet::new(), repeated: BTreeSet::new(), left_at: None });
    }

    fn close(&mut self, at: usize) {
        let in_function = self.in_function();
        if let Some(scope) = self.scopes.pop()
            && matches!(scope.opener, Opener::File | Opener::Do)
            && !in_function
            && !scope.names.is_empty()
        {
            let names = scope.names.iter().map(|name| (*name).to_string()).collect();
            self.found.ends.push((scope.left_at.unwrap_or(at), names));
        }
    }

    fn declare(&mut self, name: &'t str) {
        let in_function = self.in_function();
        if let Some(scope) = self.scopes.last_mut()
            && !scope.names.insert(name)
            && !in_function
            && scope.opener != Opener::Block
        {
            // The variable of this name that there was cannot be named any more.
            self.found.ends.push((self.statement, vec![name.to_string()]));
        }
    }

    fn in_function(&self) -> bool {
        self.scopes.iter().any(|scope| scope.opener == Opener::Function)
    }

    /// Remembers the function whose word is at `at`.
    fn function(&mut self, at: usize) {
        let place = self.words[at].at;
        self.line = (self.line.0 + self.text[self.line.1..place].matches('\n').count(), place);
        let names = self.words[at + 1..].iter().take_while(|word| !word.is_sign("(") && !word.is_sign("<"));
        let name = names.filter(|word| word.kind == WordKind::Name).last().map(|word| word.text);
        // Luau names a function after the field of a table that it is in.
        let field = |at: usize| match &self.words[..at] {
            [.., name, equals] if equals.is_sign("=") && self.braces.last() == Some(&true) => Some(name.text),
            _ => None,
        };
        let name = name.or_else(|| field(at)).map(str::to_string);
        self.found
            .functions
            .push(FunctionInText { line: self.line.0, name, is_inner: self.in_function() });
    }

    /// Declares the names from `at` on, up to a word that is neither a name nor between names. Types of Luau are passed over.
    fn declare_list(&mut self, mut at: usize, until: &[&str]) -> usize {
        let mut expects_name = true;
        while let Some(word) = self.words.get(at).filter(|word| !until.contains(&word.text)) {
            if expects_name && word.kind == WordKind::Name {
                self.declare(word.text);
                expects_name = false;
            } else if word.is_sign(",") {
                expects_name = true;
            } else if until.is_empty() && !word.is_sign(":") {
                break;
            } else if word.is_sign(":") {
                // A type of one word.
                at += 1;
            }
            at += 1;
        }
        at
    }

    /// Reads the word at `at` and returns the place of the next one.
    fn step(&mut self, at: usize) -> usize {
        let word = &self.words[at];
        match (word.kind, word.text) {
            (WordKind::Sign, "{" | "(" | "[") => self.braces.push(word.text == "{"),
            (WordKind::Sign, "}" | ")" | "]") => _ = self.braces.pop(),
            (WordKind::Sign, "=" | "+=" | "-=" | "*=" | "/=" | "//=" | "%=" | "^=" | "..=") => self.assigned(at),
            (WordKind::Name, "local") => {
                self.statement = word.at;
                if self.words.get(at + 1).is_some_and(|next| next.is_name("function")) {
                    if let Some(name) = self.words.get(at + 2) {
                        self.declare(name.text);
                    }
                    return at + 1;
                }
                // What is assigned does not see the names yet, but an assignment to one of them would be to this one.
                return self.declare_list(at + 1, &[]);
            }
            (WordKind::Name, "function") => {
                if !self.in_function()
                    && let Some(name) = self.words.get(at + 1).filter(|name| name.kind == WordKind::Name)
                {
                    self.found.global.insert(name.text.to_string());
                }
                self.function(at);
                self.open(Opener::Function);
                let open = (at + 1..self.words.len()).find(|next| self.words[*next].is_sign("("));
                let Some(open) = open else {
                    return at + 1;
                };
                return self.declare_list(open + 1, &[")"]) + 1;
            }
            (WordKind::Name, "for") => {
                // The variables belong to the block of its `do`.
                let end = (at + 1..self.words.len()).find(|next| self.words[*next].is_name("do"));
                let end = end.unwrap_or(self.words.len());
                self.open(Opener::Block);
                self.declare_list(at + 1, &["in", "="]);
                // What is between may hold functions.
                let from = (at + 1..end).find(|next| ["in", "="].contains(&self.words[*next].text)).unwrap_or(end);
                let mut next = from + 1;
                while next < end {
                    next = self.step(next);
                }
                return end + 1;
            }
            (WordKind::Name, "while") => {
                self.open(Opener::Block);
                let end = (at + 1..self.words.len()).find(|next| self.words[*next].is_name("do"));
                return end.map_or(at + 1, |end| {
                    let mut next = at + 1;
                    while next < end {
                        next = self.step(next);
                    }
                    end + 1
                });
            }
            (WordKind::Name, "do") => self.open(Opener::Do),
            (WordKind::Name, "repeat") => self.open(Opener::Block),
            (WordKind::Name, "if") if !self.is_value(at) => self.open(Opener::Block),
            (WordKind::Name, "if") => self.braces.push(false),
            (WordKind::Name, "else") if self.ends_value(at) => _ = self.braces.pop(),
            (WordKind::Name, "return" | "break" | "continue") => {
                if word.text == "return" && self.scopes.len() > 1 && !self.in_function() {
                    self.found.early_returns.push(word.at..word.at + word.text.len());
                }
                if let Some(scope) = self.scopes.last_mut() {
                    scope.left_at.get_or_insert(word.at);
                }
            }
            (WordKind::Name, "until") if self.scopes.len() > 1 => {
                let names = self.scopes.last().map(|scope| scope.names.clone()).unwrap_or_default();
                self.close(word.at);
                self.scopes.last_mut().into_iter().for_each(|scope| scope.repeated.extend(&names));
            }
            (WordKind::Name, "end") if self.scopes.len() > 1 => self.close(word.at),
            (WordKind::Name, name) if !KEYWORDS.contains(&name) => self.used(at),
            _ => {}
        }
        at + 1
    }

    /// Looks at a variable that is used at `at`.
    fn used(&mut self, at: usize) {
        let word = &self.words[at];
        let is_member = at
            .checked_sub(1)
            .is_some_and(|at| [".", ":", "::"].iter().any(|part| self.words[at].is_sign(part)));
        let is_key = self.braces.last() == Some(&true) && self.words.get(at + 1).is_some_and(|next| next.is_sign("="));
        if is_member || is_key {
            return;
        }
        let span = word.at..word.at + word.text.len();
        let owner = self.scopes.iter().rposition(|scope| scope.names.contains(word.text));
        let Some(owner) = owner else {
            if !self.scopes.iter().any(|scope| scope.repeated.contains(word.text)) {
                self.found.free.push((span, word.text.to_string()));
            }
            return;
        };
        let is = |opener: Opener| move |scope: &Scope<'_>| scope.opener == opener;
        let (outside, inside) = self.scopes.split_at(owner + 1);
        if inside.iter().any(is(Opener::Function))
            && outside.iter().any(is(Opener::Block))
            && !outside.iter().any(is(Opener::Function))
        {
            self.found.of_blocks.push((span, word.text.to_string()));
        }
    }

    /// Whether an `if` begins a value.
    fn is_value(&self, at: usize) -> bool {
        begins_value(at.checked_sub(1).map(|before| &self.words[before]))
    }

    /// Whether an `else` is that of a value: its `if` began one that is still open.
    fn ends_value(&self, at: usize) -> bool {
        let mut depth = 0;
        for place in (0..at).rev() {
            match self.words[place].text {
                "end" => depth += 1,
                "else" if self.words[place].kind == WordKind::Name && depth == 0 => return false,
                "if" if depth == 0 => return self.is_value(place),
                "if" | "function" | "do" => depth -= 1,
                _ => {}
            }
        }
        false
    }

    /// Looks at the variables that a sign at `at` assigns to.
    fn assigned(&mut self, at: usize) {
        if self.braces.last() == Some(&true) {
            return;
        }
        let mut place = at;
        while let Some(before) = place.checked_sub(1) {
            let name = &self.words[before];
            let owner = before.checked_sub(1).map(|owner| &self.words[owner]);
            let is_member = owner.is_some_and(|owner| owner.is_sign(".") || owner.is_sign(":"));
            if name.kind != WordKind::Name || is_member {
                return;
            }
            self.written(name);
            match owner {
                Some(owner) if owner.is_sign(",") => place = before - 1,
                _ => return,
            }
        }
    }

    fn written(&mut self, name: &Word<'t>) {
        let owner = self.scopes.iter().rposition(|scope| scope.names.contains(name.text));
        let Some(owner) = owner else {
            if self.in_function() {
                self.found.forgotten.push((name.at..name.at + name.text.len(), name.text.to_string()));
            } else {
                self.found.global.insert(name.text.to_string());
            }
            return;
        };
        let is_function = |scope: &Scope<'_>| scope.opener == Opener::Function;
        let (outside, inside) = self.scopes.split_at(owner + 1);
        if inside.iter().any(is_function) && !outside.iter().any(is_function) {
            let span = name.at..name.at + name.text.len();
            self.found.written.push((span, name.text.to_string()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::inserted;

    fn written(text: &str) -> Vec<String> {
        FileVariables::of(text).written.into_iter().map(|(_, name)| name).collect()
    }

    #[test]
    fn a_function_that_writes_to_a_variable_of_the_file_is_found() {
        for text in [
            "local n = 0 function on_tick(me) n = n + 1 end",
            "local n = 0 function on_tick(me) n += 1 end",
            "local a, n = 0, 0 function on_tick(me) local b b, n = 1, 2 end",
            "local n = 0 function on_tick(me) if me.x > 1 then for i = 1, 3 do n += i end end end",
            "local n = 0 local function f() return function() n -= 1 end end",
            "do local n = 0 function on_tick(me) n += 1 end end",
            "local x = if a then 1 else 2 local n = 0 function on_tick(me) n += 1 end",
            "for n = 1, 3 do function on_tick() n += 1 end end",
        ] {
            assert_eq!(written(text), ["n"], "{text}");
        }
    }

    #[test]
    fn variables_of_functions_and_fields_may_be_written() {
        for text in [
            "local n = 0 function on_tick(me) local n = 1 n += 1 end",
            "local n = 0 function on_tick(n) n += 1 end",
            "local n = 0 function on_tick(me) for n = 1, 2 do n += 1 end end",
            "local n = 0 n = 2 function on_tick(me) vars.n = n vars.list[n] = 3 end",
            "local n = 0 function on_tick(me) local t = { n = 1, [n] = 2 } f({ n = 3 }) end",
            "function on_tick(me) local n = 0 local function add() n += 1 end add() end",
            "local n = 0 function on_tick(me) if n == 1 then me.jump() end end",
        ] {
            assert_eq!(written(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn what_could_keep_something_unseen_is_found() {
        for text in [
            "if a then local t = {} function on_tick() t[1] = 1 end end",
            "for i = 1, 3 do f[i] = function() return i end end",
            "while a do do local t = {} function f() return t end end break end",
        ] {
            assert_eq!(FileVariables::of(text).of_blocks.len(), 1, "{text}");
        }
        for text in [
            "if a then local t = {} print(t) end function on_tick() local t for i = 1, 3 do g(function() t(i) end) end end",
            "for i = 1, 3 do f[i] = function() return { i = 1, g.i } end end",
        ] {
            assert_eq!(FileVariables::of(text).of_blocks, [], "{text}");
        }
        assert_eq!(FileVariables::of("if a then return end").early_returns, [10..16]);
        assert_eq!(FileVariables::of("function f() if a then return end end return f").early_returns, []);
        let text =
            "local a = function()\nend function b.c:d() local function e() end return { f = function() end } end";
        let functions = FileVariables::of(text).functions;
        let functions: Vec<_> = functions.iter().map(|f| (f.line, f.name.as_deref(), f.is_inner)).collect();
        assert_eq!(functions, [(1, None, false), (2, Some("d"), false), (2, Some("e"), true), (2, Some("f"), true)]);
    }

    #[test]
    fn tables_of_the_file_are_frozen_where_their_variables_end() {
        for (text, expected) in [
            ("local t = {} -- end", "local t = {} -- end\nfreeze(t) "),
            ("local t = {} return t", "local t = {}  freeze(t) return t"),
            ("do local t = {} end", "do local t = {}  freeze(t) end"),
            ("local function f() local t = {} end", "local function f() local t = {} end\nfreeze(f) "),
            ("function f() local t = {} do local u end end", "function f() local t = {} do local u end end"),
            ("local t = {} local t = 1 return t", "local t = {}  freeze(t) local t = 1  freeze(t) return t"),
        ] {
            assert_eq!(inserted(text, FileVariables::of(text).freezing(text, "freeze")), expected);
        }
    }
}
