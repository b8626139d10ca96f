//! What is looked at whenever a script is compiled: what stands at its top level, and closures that
//! could not be called.

use crate::script::host::{Diagnostic, SourceFile};
use crate::script::rhai::errors::place;
use rhai::{AST, ASTNode, Expr, Stmt};
use std::sync::Arc;

/// At the top level stand only `const`, `import` and functions: nothing that would have to run
/// again and again.
pub(in crate::script::rhai) fn check_top_level(
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
