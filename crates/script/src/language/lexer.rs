//! The names, signs, texts and comments of a script or TOML file, which need not be valid.

use super::Spelling;
use crate::message::in_word;
use std::ops::Range;

/// What a lexeme is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LexemeKind {
    /// A name, a word of the language or a number.
    Name,
    /// A sign, such as `+` or `(`.
    Sign,
    /// Text with its quotes, or a part of a text between values that are put into it.
    Text,
    /// A comment.
    Comment,
}

/// A piece of a file that has no spaces around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lexeme<'t> {
    /// What it is.
    pub kind: LexemeKind,
    /// Its text.
    pub text: &'t str,
    /// Where it begins, in bytes.
    pub at: usize,
    /// The number of brackets and blocks around it.
    pub depth: usize,
    /// Whether it opens one.
    pub opens: bool,
}

impl Lexeme<'_> {
    /// Where it ends.
    pub fn end(&self) -> usize {
        self.at + self.text.len()
    }

    /// Whether it is this name or sign.
    pub fn is(&self, word: &str) -> bool {
        matches!(self.kind, LexemeKind::Name | LexemeKind::Sign) && self.text == word
    }

    /// Where the text between its quotes is; none for what is not in plain quotes. The last one may be missing.
    pub fn inside(&self) -> Option<Range<usize>> {
        let quote = self.text.chars().next().filter(|c| self.kind == LexemeKind::Text && "\"'".contains(*c))?;
        let closed = self.text.len() > 1 && self.text.ends_with(quote);
        Some(self.at + 1..self.end() - usize::from(closed))
    }
}

/// The lexemes of a text, and whether each of its brackets and blocks is closed.
pub fn lexemes<'t>(text: &'t str, spelling: &Spelling) -> (Vec<Lexeme<'t>>, bool) {
    let mut lexer = Lexer {
        text,
        comment: spelling.comment,
        quotes: spelling.quotes,
        has_words: spelling.body[1] == "end",
        found: Vec::new(),
        open: Vec::new(),
        ifs: Vec::new(),
        within: Vec::new(),
        balanced: true,
    };
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        at = if c.is_whitespace() { at + c.len_utf8() } else { lexer.next(at, c) };
    }
    let balanced = lexer.balanced && lexer.open.is_empty();
    (lexer.found, balanced)
}

/// Signs of two characters that must not be taken apart.
const PAIRS: [&str; 12] = ["...", "::", "||", "&&", "==", "!=", "~=", "=>", "#{", "<=", ">=", ".."];

/// The most signs that a text may have before its quotes.
const MOST_HASHES: usize = 16;

struct Lexer<'t> {
    text: &'t str,
    comment: &'static str,
    quotes: &'static [char],
    /// Whether blocks begin and end with words.
    has_words: bool,
    found: Vec<Lexeme<'t>>,
    /// What has opened the brackets and blocks that are open.
    open: Vec<&'t str>,
    /// Whether each `if` that is open is a statement.
    ifs: Vec<bool>,
    /// The depths at which a value is put into a text.
    within: Vec<usize>,
    balanced: bool,
}

impl<'t> Lexer<'t> {
    /// Takes the lexeme that begins at a byte, and returns where it ends.
    fn next(&mut self, at: usize, c: char) -> usize {
        let rest = &self.text[at..];
        if let Some(length) = self.comment_at(rest) {
            return self.push(LexemeKind::Comment, at, length);
        }
        if c == '`' && self.comment != "#" {
            return self.push_woven(at, 1);
        }
        if let Some(length) = self.quoted_at(rest, c) {
            return self.push(LexemeKind::Text, at, length);
        }
        let in_name = |c: char| in_word(c) || (c == '-' && self.comment == "#");
        if in_name(c) {
            let length = rest.find(|c| !in_name(c)).unwrap_or(rest.len());
            return self.push_name(at, length);
        }
        let pair = PAIRS.iter().find(|pair| rest.starts_with(**pair));
        self.push_sign(at, pair.map_or(c.len_utf8(), |pair| pair.len()))
    }

    fn push(&mut self, kind: LexemeKind, at: usize, length: usize) -> usize {
        self.add(kind, at, length, false)
    }

    fn opens(&mut self, kind: LexemeKind, at: usize, length: usize) -> usize {
        let end = self.add(kind, at, length, true);
        self.open.push(&self.text[at..end]);
        end
    }

    fn add(&mut self, kind: LexemeKind, at: usize, length: usize, opens: bool) -> usize {
        let text = &self.text[at..at + length];
        self.found.push(Lexeme { kind, text, at, depth: self.open.len(), opens });
        at + length
    }

    /// Closes a bracket or block, and returns what has opened it.
    fn closes(&mut self, fits: &[&str]) -> Option<&'t str> {
        let opened = self.open.pop();
        self.balanced &= opened.is_some_and(|opened| fits.contains(&opened));
        opened
    }

    fn push_sign(&mut self, at: usize, length: usize) -> usize {
        let fits: &[&str] = match &self.text[at..at + length] {
            "(" | "[" | "{" | "#{" => return self.opens(LexemeKind::Sign, at, length),
            ")" => &["("],
            "]" => &["["],
            "}" => &["{", "#{"],
            _ => return self.push(LexemeKind::Sign, at, length),
        };
        self.closes(fits);
        let end = self.push(LexemeKind::Sign, at, length);
        if self.within.last() != Some(&self.open.len()) {
            return end;
        }
        self.within.pop();
        self.push_woven(end, 0)
    }

    /// Takes a text in backticks, or the rest of one, up to its end or to a value that is put into it.
    fn push_woven(&mut self, at: usize, begin: usize) -> usize {
        let rest = &self.text[at + begin..];
        let opener = if self.has_words { "{" } else { "${" };
        let mut is_escaped = false;
        let stop = rest.char_indices().find(|(at, c)| {
            let stops = !is_escaped && (*c == '`' || rest[*at..].starts_with(opener));
            is_escaped = self.has_words && !is_escaped && *c == '\\';
            stops
        });
        let value = match stop {
            Some((end, '`')) => return self.push(LexemeKind::Text, at, begin + end + 1),
            Some((value, _)) => value,
            None => return self.push(LexemeKind::Text, at, begin + rest.len()),
        };
        let bracket = at + begin + value + opener.len() - 1;
        self.push(LexemeKind::Text, at, bracket - at);
        self.within.push(self.open.len());
        self.opens(LexemeKind::Sign, bracket, 1)
    }

    fn push_name(&mut self, at: usize, length: usize) -> usize {
        const BLOCKS: [&str; 5] = ["function", "do", "then", "else", "repeat"];
        let word = &self.text[at..at + length];
        let is_statement = self.ifs.last() == Some(&true);
        match word {
            _ if !self.has_words => {}
            "function" | "do" | "repeat" => return self.opens(LexemeKind::Name, at, length),
            "end" | "until" => {
                if let Some("then" | "else") = self.closes(&BLOCKS) {
                    self.ifs.pop();
                }
            }
            "if" => {
                // After an operator or within such a value, it is a value without an end.
                let is_value = |last: &Lexeme<'_>| match last.text {
                    "return" | "and" | "or" | "not" => true,
                    "then" | "else" => self.open.last() != Some(&last.text),
                    text => last.kind == LexemeKind::Sign && !matches!(text, ")" | "]" | "}" | ";"),
                };
                let mut before = self.found.iter().rev();
                let last = before.find(|last| last.kind != LexemeKind::Comment);
                self.ifs.push(!last.is_some_and(is_value));
            }
            "then" if is_statement => return self.opens(LexemeKind::Name, at, length),
            "elseif" if is_statement => {
                self.closes(&BLOCKS);
            }
            "else" if is_statement => {
                self.closes(&BLOCKS);
                return self.opens(LexemeKind::Name, at, length);
            }
            "else" => {
                self.ifs.pop();
            }
            _ => {}
        }
        self.push(LexemeKind::Name, at, length)
    }

    /// The length of the comment that a text begins with.
    fn comment_at(&self, rest: &str) -> Option<usize> {
        if let Some(after) = rest.strip_prefix(self.comment) {
            let long = if self.comment == "--" { long_text(after) } else { None };
            return Some(
                long.map_or_else(|| rest.lines().next().map_or(0, str::len), |length| self.comment.len() + length),
            );
        }
        if self.comment != "//" || !rest.starts_with("/*") {
            return None;
        }
        // Such comments can be in each other.
        let (mut depth, mut at) = (0, 0);
        while at < rest.len() {
            let step = if rest[at..].starts_with("/*") {
                1
            } else {
                -i32::from(rest[at..].starts_with("*/"))
            };
            depth += step;
            at += if step == 0 { rest[at..].chars().next().map_or(1, char::len_utf8) } else { 2 };
            if depth == 0 {
                break;
            }
        }
        Some(at)
    }

    /// The length of the text in quotes or long brackets that a text begins with.
    fn quoted_at(&self, rest: &str, c: char) -> Option<usize> {
        let until =
            |begin: usize, close: &str| rest[begin..].find(close).map_or(rest.len(), |at| begin + at + close.len());
        match self.comment {
            "--" if c == '[' => return long_text(rest),
            "//" if c == '#' => {
                let hashes = rest.chars().take(MOST_HASHES).take_while(|c| *c == '#').count();
                return rest[hashes..]
                    .starts_with('"')
                    .then(|| until(hashes + 1, &format!("\"{}", &rest[..hashes])));
            }
            "#" if rest.starts_with("\"\"\"") || rest.starts_with("'''") => return Some(until(3, &rest[..3])),
            _ => {}
        }
        (self.quotes.contains(&c) || (c == '\'' && self.comment == "//")).then(|| {
            let has_escapes = self.comment != "#" || c == '"';
            let mut is_escaped = false;
            for (at, each) in rest.char_indices().skip(1) {
                match each {
                    '\r' => {}
                    _ if is_escaped => is_escaped = false,
                    '\\' => is_escaped = has_escapes,
                    '\n' => return rest[..at].trim_end_matches('\r').len(),
                    each if each == c => return at + 1,
                    _ => {}
                }
            }
            rest.len()
        })
    }
}

/// The length of a text in brackets such as `[==[` that a text begins with.
fn long_text(rest: &str) -> Option<usize> {
    let level = rest.strip_prefix('[')?;
    let level = &level[..level.find(|c| c != '=')?];
    let begin = level.len() + 1;
    let close = format!("]{level}]");
    rest[begin..]
        .starts_with('[')
        .then(|| rest[begin..].find(&close).map_or(rest.len(), |at| begin + at + close.len()))
}
