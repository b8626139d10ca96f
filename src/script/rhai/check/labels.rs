//! The labels of a `switch`. The syntax tree keeps only their hashes, so they are read where they stand.

use crate::script::host::SourceFile;
use crate::script::rhai::messages::errors::place;
use rhai::{Engine, Expr, Position, Token};
use std::sync::Arc;

/// The literals that a `switch` at a place has as labels. Behind a text that is put together nothing more
/// is read, as only the parser knows where that ends.
pub(super) fn labels(engine: &Engine, file: &Arc<SourceFile>, at: Position) -> Vec<Expr> {
    let rest = [&file.text[place(file, at).span.start..]];
    let (tokens, _) = engine.lex(&rest);
    let mut tokens = tokens.peekable();
    let mut labels = Vec::new();
    if !matches!(tokens.next(), Some((Token::Switch, _))) {
        return labels;
    }
    let mut depth = 0_usize;
    let mut begins = false;
    while let Some((token, found)) = tokens.next() {
        match token {
            Token::InterpolatedString(_) | Token::LexError(_) => break,
            Token::LeftBrace | Token::MapStart | Token::LeftParen | Token::LeftBracket => {
                depth += 1;
                begins = depth == 1;
            }
            Token::RightBrace | Token::RightParen | Token::RightBracket => {
                let Some(outer) = depth.checked_sub(1).filter(|outer| *outer > 0) else {
                    // What stood in brackets before the block is closed, or the block itself.
                    if matches!(token, Token::RightBrace) {
                        break;
                    }
                    depth = 0;
                    continue;
                };
                depth = outer;
                // A block needs no comma behind it.
                begins = depth == 1;
            }
            Token::Comma | Token::Pipe if depth == 1 => begins = true,
            literal if depth == 1 && begins => {
                begins = false;
                let labelled = tokens.peek().map(|(next, _)| next);
                if let Some(Token::DoubleArrow | Token::Pipe | Token::If) = labelled {
                    labels.extend(constant(literal, moved(at, found)));
                }
            }
            _ => {}
        }
    }
    labels
}

fn constant(token: Token, at: Position) -> Option<Expr> {
    match token {
        Token::StringConstant(text) => Some(Expr::StringConstant((*text).into(), at)),
        Token::CharConstant(letter) => Some(Expr::CharConstant(letter, at)),
        Token::IntegerConstant(number) => Some(Expr::IntegerConstant(number, at)),
        Token::True => Some(Expr::BoolConstant(true, at)),
        Token::False => Some(Expr::BoolConstant(false, at)),
        _ => None,
    }
}

/// A place that is counted from another one, counted from the beginning of the file.
fn moved(from: Position, by: Position) -> Position {
    let number = |n: Option<usize>| u16::try_from(n.unwrap_or(1)).unwrap_or(u16::MAX);
    let (line, column) = (number(by.line()), number(by.position()));
    let first = number(from.line());
    let column = if line == 1 {
        column.saturating_add(number(from.position()) - 1)
    } else {
        column
    };
    Position::new(first.saturating_add(line - 1), column.max(1))
}
