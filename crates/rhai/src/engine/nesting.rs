//! Parsing, with limits on what Rhai takes more than its share of time for.
//!
//! Rhai's parser compares every variable with those before it, and every parameter and every key of a
//! map with all others of its list. So their numbers are limited.
//!
//! Nested `switch` cases that have several labels are limited, too. Rhai's parser keeps the action of a case once, but whatever walks the syntax tree visits it once
//! for each label. So `1|2|…|8 => switch …` nested n deep takes 8ⁿ steps. The limit therefore counts
//! tokens as often as they are visited.

use rhai::{AST, Engine, LexError, ParseError, ParseErrorType, Position, Token};
use std::cell::RefCell;

/// The largest number of tokens of a file, each counted as often as its labels make it visited. A file
/// of 64 KiB without such cases has fewer than 64 Ki.
const MOST_VISITED: u64 = 500_000;

const TOO_NESTED: &str =
    "these `switch` cases have too many labels for their nesting; move the inner `switch` to a function";

/// The largest number of variables and constants of a function, or of the top level of a file.
pub(crate) const MOST_VARIABLES: u32 = 1000;

/// The largest number of parameters, arguments, or keys of a map.
pub(crate) const MOST_LISTED: u32 = 1000;

/// An open brace, parenthesis or bracket.
struct OpenBracket {
    /// Whether it is a brace, which may belong to a `switch`.
    brace: bool,
    /// How often its tokens are visited, not counting the labels of cases in it.
    times: u64,
    /// The labels of the case whose condition or action is read; 1 outside of cases.
    labels: u64,
    /// The labels, less one, that may belong to the next case.
    next: u64,
    /// The commas, which are not counted in arrays.
    listed: Option<u32>,
}

/// The tokens of a parse so far.
#[derive(Default)]
struct Parse {
    levels: Vec<OpenBracket>,
    visited: u64,
    /// The variables and constants since the last function began.
    variables: u32,
    /// The names in a row with only commas between them, as closures list parameters.
    names: u32,
    /// The first limit that the file exceeds.
    stopped: Option<(Position, String)>,
}

impl Parse {
    /// How often the next token is visited.
    fn times(&self) -> u64 {
        let last = self.levels.last();
        last.map_or(1, |level| level.times.saturating_mul(level.labels))
    }

    fn open(&mut self, token: &Token) {
        let times = self.times();
        let is_list = matches!(token, Token::LeftParen | Token::MapStart);
        self.levels.push(OpenBracket {
            brace: *token == Token::LeftBrace,
            times,
            labels: 1,
            next: 0,
            listed: is_list.then_some(0),
        });
    }

    fn stop(&mut self, at: Position, why: impl Into<String>) {
        self.stopped.get_or_insert_with(|| (at, why.into()));
    }

    /// Counts variables and the items of lists.
    fn count(&mut self, token: &Token, at: Position) {
        match token {
            Token::Fn => self.variables = 0,
            Token::Let | Token::Const => {
                self.variables += 1;
                if self.variables > MOST_VARIABLES {
                    let of = "a function, or the top level of a file,";
                    self.stop(at, format!("{of} can have at most {MOST_VARIABLES} variables and constants"));
                }
            }
            Token::Comma => {
                let listed = self.levels.last_mut().and_then(|level| level.listed.as_mut());
                let listed = listed.map_or(0, |listed| {
                    *listed += 1;
                    *listed
                });
                if listed.max(self.names) >= MOST_LISTED {
                    let of = "parameters, arguments or keys of a map here";
                    self.stop(at, format!("there can be at most {MOST_LISTED} {of}"));
                }
            }
            _ => {}
        }
        let array = self.levels.last().is_some_and(|level| !level.brace && level.listed.is_none());
        match token {
            Token::Identifier(_) if !array => self.names += 1,
            Token::Comma => {}
            _ => self.names = 0,
        }
    }

    fn token(&mut self, token: &Token, at: Position) {
        self.visited = self.visited.saturating_add(self.times());
        if self.visited > MOST_VISITED {
            self.stop(at, TOO_NESTED);
        }
        self.count(token, at);
        match token {
            Token::LeftBrace | Token::LeftParen | Token::LeftBracket | Token::QuestionBracket | Token::MapStart => {
                return self.open(token);
            }
            Token::RightBrace | Token::RightParen | Token::RightBracket => {
                self.levels.pop();
                return;
            }
            _ => {}
        }
        let Some(level) = self.levels.last_mut().filter(|level| level.brace) else {
            return;
        };
        match token {
            // A range is kept twice.
            Token::Pipe | Token::ExclusiveRange | Token::InclusiveRange => level.next += 1,
            Token::If => level.labels = level.labels.max(level.next + 1),
            Token::DoubleArrow => {
                level.labels = level.next + 1;
                level.next = 0;
            }
            // The end of a case or statement. After a block a case needs none: then its labels count
            // until the next arrow.
            Token::Comma | Token::SemiColon => (level.labels, level.next) = (1, 0),
            _ => {}
        }
    }
}

thread_local! {
    /// The parse of this thread. Parsing a file never begins another parse.
    static PARSE: RefCell<Parse> = RefCell::default();
}

/// Makes an engine count tokens.
pub(super) fn limit_nesting(engine: &mut Engine) {
    #[allow(deprecated, reason = "marked as volatile, not as going away; the version is pinned")]
    engine.on_parse_token(|token, at, _| {
        PARSE.with_borrow_mut(|parse| {
            parse.token(&token, at);
            if parse.stopped.is_some() {
                return Token::EOF;
            }
            token
        })
    });
}

/// Parses a script.
///
/// # Errors
/// The first syntax error, or the first limit that is exceeded.
pub(crate) fn parse(engine: &Engine, text: &str) -> Result<AST, ParseError> {
    PARSE.set(Parse::default());
    let parsed = engine.compile(text);
    match PARSE.take().stopped {
        None => parsed,
        Some((at, why)) => Err(ParseError(Box::new(ParseErrorType::BadInput(LexError::Runtime(why))), at)),
    }
}

#[cfg(test)]
#[path = "../../tests/unit/engine/nesting.rs"]
mod tests;
