//! The statements of a valid text, from its words.

use crate::{
    scopes::is_assignment,
    syntax::{LuaWord, WordKind, after, after_type, name_list},
};
use std::ops::Range;

/// A statement, and its words without a `;`.
pub(crate) struct Statement {
    pub words: Range<usize>,
    /// Its first values: those that it declares, assigns, returns or decides by.
    pub values: Range<usize>,
    pub kind: StatementKind,
}

pub(crate) enum StatementKind {
    /// The places of the names that are declared.
    Local(Vec<usize>),
    /// The place of the name.
    LocalFunction(usize),
    /// The conditions with their blocks, and the last block.
    If(Vec<(Range<usize>, Vec<Statement>)>, Option<Vec<Statement>>),
    While(Vec<Statement>),
    /// With the condition at its end.
    Repeat(Vec<Statement>, Range<usize>),
    /// The places of the variables.
    For(Vec<usize>, Vec<Statement>),
    Do(Vec<Statement>),
    Return,
    Other,
}

impl Statement {
    /// The blocks in it, except those of functions.
    pub fn blocks(&self) -> Vec<&[Statement]> {
        match &self.kind {
            StatementKind::If(clauses, last) => {
                clauses.iter().map(|(_, block)| block.as_slice()).chain(last.as_deref()).collect()
            }
            StatementKind::While(block)
            | StatementKind::Repeat(block, _)
            | StatementKind::For(_, block)
            | StatementKind::Do(block) => vec![block],
            _ => Vec::new(),
        }
    }

    /// Whether it runs its block again.
    pub fn is_loop(&self) -> bool {
        matches!(self.kind, StatementKind::While(_) | StatementKind::Repeat(..) | StatementKind::For(..))
    }
}

/// Reads statements from a place on.
pub(crate) struct Reader<'w, 't> {
    pub words: &'w [LuaWord<'t>],
    pub at: usize,
}

impl Reader<'_, '_> {
    fn is(&self, text: &str) -> bool {
        self.words
            .get(self.at)
            .is_some_and(|word| word.kind != WordKind::Text && word.text == text)
    }

    fn is_any(&self, texts: &[&str]) -> bool {
        texts.iter().any(|text| self.is(text))
    }

    /// A block up to the word that ends it.
    pub fn block(&mut self) -> Vec<Statement> {
        let mut statements = Vec::new();
        loop {
            while self.is(";") {
                self.at += 1;
            }
            if self.at >= self.words.len() || self.is_any(&["end", "else", "elseif", "until"]) {
                return statements;
            }
            statements.push(self.statement());
        }
    }

    fn statement(&mut self) -> Statement {
        let start = self.at;
        let mut values = start..start;
        self.attributes();
        let is_function = self.words.get(self.at + 1).is_some_and(|next| next.is_name("function"));
        let kind = match self.words.get(self.at).map_or("", |word| word.text) {
            "local" | "const" if is_function => {
                let name = self.at + 2;
                self.at = after(self.words, self.at + 1);
                StatementKind::LocalFunction(name)
            }
            "local" => self.local(&mut values),
            "const" if self.words.get(self.at + 1).is_some_and(|next| next.kind == WordKind::Name) => {
                self.local(&mut values)
            }
            "function" | "type" if is_function || self.is("function") => {
                self.at = after(self.words, self.at + usize::from(self.is("type")));
                StatementKind::Other
            }
            "if" => {
                let (mut clauses, mut last) = (Vec::new(), None);
                while self.is_any(&["if", "elseif"]) {
                    let condition = self.list();
                    self.at += 1;
                    clauses.push((condition, self.block()));
                }
                if self.is("else") {
                    self.at += 1;
                    last = Some(self.block());
                }
                self.at += 1;
                values = clauses[0].0.clone();
                StatementKind::If(clauses, last)
            }
            "while" => {
                values = self.list();
                StatementKind::While(self.body())
            }
            "repeat" => {
                self.at += 1;
                let block = self.block();
                let condition = self.list();
                StatementKind::Repeat(block, condition)
            }
            "for" => {
                let (names, end) = name_list(self.words, self.at + 1);
                self.at = end;
                values = self.list();
                StatementKind::For(names.into_iter().map(|(name, _)| name).collect(), self.body())
            }
            "do" => StatementKind::Do(self.body()),
            "return" => {
                self.at += 1;
                values = self.at..self.at;
                if self.at < self.words.len() && !self.is_any(&[";", "end", "else", "elseif", "until"]) {
                    values = self.expressions();
                }
                StatementKind::Return
            }
            _ => {
                values = self.expressions();
                let is_type = values.len() == 1 && ["type", "export"].contains(&self.words[values.start].text);
                if self
                    .words
                    .get(self.at)
                    .is_some_and(|sign| sign.kind == WordKind::Sign && is_assignment(sign.text))
                {
                    values = self.list();
                } else if is_type && self.words.get(self.at).is_some_and(|next| next.kind == WordKind::Name) {
                    while self.at < self.words.len() && !self.is("=") {
                        self.at += 1;
                    }
                    self.at = after_type(self.words, self.at + 1);
                }
                StatementKind::Other
            }
        };
        self.at = self.at.clamp(start + 1, self.words.len().max(start + 1));
        Statement { words: start..self.at.min(self.words.len()), values, kind }
    }

    fn local(&mut self, values: &mut Range<usize>) -> StatementKind {
        let (names, end) = name_list(self.words, self.at + 1);
        self.at = end;
        *values = end..end;
        if self.is("=") {
            *values = self.list();
        }
        StatementKind::Local(names.into_iter().map(|(name, _)| name).collect())
    }

    /// `do … end`.
    fn body(&mut self) -> Vec<Statement> {
        self.at += 1;
        let block = self.block();
        self.at += 1;
        block
    }

    /// The expressions after a word, such as a condition.
    pub fn list(&mut self) -> Range<usize> {
        self.at += 1;
        self.expressions()
    }

    /// Expressions, up to the first word that cannot continue them.
    fn expressions(&mut self) -> Range<usize> {
        let start = self.at;
        // How many `if` have no `else` yet, and whether a value comes next.
        let (mut choices, mut wants) = (0, true);
        while let Some(word) = self.words.get(self.at) {
            let is_text = word.kind == WordKind::Text;
            match if is_text { "" } else { word.text } {
                "" if word.text.starts_with('}') => break,
                // A text after a value is what a function is called with.
                "" => {
                    wants = false;
                    let begins = word.text.starts_with('`') && word.text.ends_with('{');
                    self.at = if begins { after(self.words, self.at) } else { self.at + 1 };
                    continue;
                }
                "if" if wants => choices += 1,
                "then" | "elseif" if choices > 0 => wants = true,
                "else" if choices > 0 => (choices, wants) = (choices - 1, true),
                "not" | "#" if wants => {}
                "," | "and" | "or" | "+" | "-" | "*" | "/" | "//" | "%" | "^" | ".." | "==" | "~=" | "<" | "<="
                | ">" | ">=" => wants = true,
                "." | ":" if !wants => self.at += 1,
                "::" => {
                    self.at = after_type(self.words, self.at + 1);
                    continue;
                }
                "@" => {
                    self.attributes();
                    continue;
                }
                "(" | "{" | "[" | "function" if wants || word.kind == WordKind::Sign => {
                    self.at = after(self.words, self.at);
                    wants = false;
                    continue;
                }
                _ if wants => wants = false,
                _ => break,
            }
            self.at += 1;
        }
        // A text that ends in the middle has no word after its last sign.
        start..self.at.min(self.words.len())
    }

    /// `@native` and `@[…]`.
    fn attributes(&mut self) {
        while self.is("@") {
            self.at += 1;
            self.at = if self.is("[") { after(self.words, self.at) } else { self.at + 1 };
        }
    }
}
