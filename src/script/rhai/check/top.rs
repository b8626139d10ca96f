//! Checks of the top level of every script that is compiled, and of closures that cannot be called.

use crate::script::host::{Diagnostic, Place, SourceFile};
use crate::script::rhai::engine::halt::too_large;
use crate::script::rhai::messages::errors::place;
use rhai::{AST, ASTNode, Engine, Expr, Stmt};
use std::sync::Arc;

/// The top level may contain only `const`, `import` and functions, as nothing else there runs.
/// Also reports text that is too long, and comments that are never closed.
pub(in crate::script::rhai) fn check_top_level(
    engine: &Engine,
    ast: &AST,
    file: &Arc<SourceFile>,
) -> Vec<Diagnostic> {
    let mut wrong: Vec<Diagnostic> = ast
        .statements()
        .iter()
        .filter(|statement| match statement {
            Stmt::Var(_, flags, _) => !flags.intersects(rhai::ASTFlags::CONSTANT),
            Stmt::Import(..) | Stmt::Export(..) | Stmt::Noop(..) => false,
            _ => true,
        })
        .map(|statement| {
            let what = "the top level of a script may contain only `const`, `import` and functions";
            let hint = if matches!(statement, Stmt::Var(..)) {
                "; store values that change in `this`"
            } else {
                ""
            };
            Diagnostic::error(place(file, statement.position()), format!("{what}{hint}"))
        })
        .collect();
    wrong.append(&mut imports_below(ast, file));
    wrong.append(&mut long_texts(engine, ast, file));
    wrong.extend(open_comment(engine, file));
    wrong
}

/// Imports inside functions, which would compile a file in the middle of a tick.
fn imports_below(ast: &AST, file: &Arc<SourceFile>) -> Vec<Diagnostic> {
    let top = ast.statements().iter().map(Stmt::position);
    let top: Vec<rhai::Position> = top.collect();
    let mut wrong = Vec::new();
    ast.walk(&mut |path| {
        if let Some(ASTNode::Stmt(statement @ Stmt::Import(..))) = path.last()
            && !top.contains(&statement.position())
        {
            let why = "`import` belongs at the top level of a script, before its functions";
            wrong.push(Diagnostic::error(place(file, statement.position()), why));
        }
        true
    });
    wrong
}

/// Text literals that are longer than the limit.
fn long_texts(engine: &Engine, ast: &AST, file: &Arc<SourceFile>) -> Vec<Diagnostic> {
    // The limit of the engine is twice as high, so that scripts fail with a message of ours.
    let most = engine.max_string_size() / 2;
    let mut wrong = Vec::new();
    if most == 0 || file.text.len() <= most {
        return wrong;
    }
    ast.walk(&mut |path| {
        if let Some(ASTNode::Expr(Expr::StringConstant(text, at))) = path.last()
            && text.len() > most
        {
            let why = too_large("length of string", most, "bytes");
            wrong.push(Diagnostic::error(place(file, *at), why));
        }
        true
    });
    wrong
}

/// A character that is an error anywhere except in text and comments.
const ODD: char = '\u{1}';

/// The largest number of `/*` that are tried.
const MOST_COMMENTS: usize = 16;

/// A comment that is never closed and contains the rest of the file, so that any character may
/// follow it.
fn open_comment(engine: &Engine, file: &Arc<SourceFile>) -> Option<Diagnostic> {
    let text = &file.text;
    if !text.contains("/*") || engine.compile(format!("{text}\n{ODD}")).is_err() {
        return None;
    }
    // The character is an error in place of the comment, but not inside of it, of text or of other
    // comments.
    let begins = |at: &usize| {
        let before = &text[..*at];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().map_or(0, |l| l.chars().count()) + 1;
        let stopped = engine.compile(format!("{before}{ODD}")).err();
        stopped.is_some_and(|e| {
            let at = e.position();
            (at.line(), at.position()) == (Some(line), Some(column))
        })
    };
    let mut starts = text
        .rmatch_indices("/*")
        .map(|(at, _)| at)
        .take(MOST_COMMENTS);
    let at = starts.find(begins).or_else(|| text.rfind("/*"))?;
    let why = "this comment is never closed and contains the rest of the file; end it with `*/`";
    Some(Diagnostic::error(Place::new(file, at..at + 2), why))
}

/// Closures that use the object whose method they are passed to; Rhai does not let both use it at
/// once.
pub(in crate::script::rhai) fn check_closures(
    ast: &AST,
    file: &Arc<SourceFile>,
) -> Vec<Diagnostic> {
    let mut wrong = Vec::new();
    ast.walk(&mut |path| {
        if let Some(ASTNode::Expr(Expr::Dot(dot, ..))) = path.last()
            && let (Expr::Variable(object, ..), Expr::MethodCall(call, _)) = (&dot.lhs, &dot.rhs)
        {
            let shared = call.args.iter().filter_map(|argument| match argument {
                Expr::Stmt(block) => block.iter().next(),
                _ => None,
            });
            for statement in shared {
                let Stmt::Share(names) = statement else {
                    continue;
                };
                for (name, _) in names.iter().filter(|(name, _)| *name.name == *object.1) {
                    let why = format!(
                        "this closure uses `{0}` while a method of `{0}` runs; take it as a \
                         parameter, as in `|{0}| …`",
                        object.1
                    );
                    wrong.push(Diagnostic::error(place(file, name.pos), why));
                }
            }
        }
        true
    });
    wrong
}
