//! What is looked at whenever a script is compiled: what stands at its top level, and closures that
//! could not be called.

use crate::script::host::{Diagnostic, Place, SourceFile};
use crate::script::rhai::engine::halt::too_large;
use crate::script::rhai::messages::errors::place;
use rhai::{AST, ASTNode, Engine, Expr, Stmt};
use std::sync::Arc;

/// At the top level stand only `const`, `import` and functions: nothing that would have to run
/// again and again.
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
            let what = "at the top level of a script stand only `const`, `import` and functions";
            let hint = if matches!(statement, Stmt::Var(..)) {
                "; what changes belongs in `this`"
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

/// Imports that do not stand at the top level: they would be compiled in the middle of a tick.
fn imports_below(ast: &AST, file: &Arc<SourceFile>) -> Vec<Diagnostic> {
    let top = ast.statements().iter().map(Stmt::position);
    let top: Vec<rhai::Position> = top.collect();
    let mut wrong = Vec::new();
    ast.walk(&mut |path| {
        if let Some(ASTNode::Stmt(statement @ Stmt::Import(..))) = path.last()
            && !top.contains(&statement.position())
        {
            let why = "`import` stands at the top level of a script, before its functions";
            wrong.push(Diagnostic::error(place(file, statement.position()), why));
        }
        true
    });
    wrong
}

/// Texts that are longer than any may be.
fn long_texts(engine: &Engine, ast: &AST, file: &Arc<SourceFile>) -> Vec<Diagnostic> {
    // An engine lets them be twice as long, so that what gets too long can be told where it is read next.
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

/// A letter that no script can have outside of texts and comments.
const ODD: char = '\u{1}';

/// Most beginnings of comments that are tried.
const MOST_COMMENTS: usize = 16;

/// A comment that is never closed, and swallows the rest of the file. Then anything may stand behind the file.
fn open_comment(engine: &Engine, file: &Arc<SourceFile>) -> Option<Diagnostic> {
    let text = &file.text;
    if !text.contains("/*") || engine.compile(format!("{text}\n{ODD}")).is_err() {
        return None;
    }
    // Where it begins nothing else could stand. Those inside of it, of texts and of other comments are passed over.
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
    let why = "this comment is never closed: the rest of the file is in it; it ends with `*/`";
    Some(Diagnostic::error(Place::new(file, at..at + 2), why))
}

/// Closures that use the object whose method they are passed to: both would hold it at once.
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
                        "this closure uses `{0}`, which it is passed to: take that as the \
                         closure's own parameter, as in `|{0}| …`",
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
