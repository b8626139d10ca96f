//! What is looked at before a script runs: its top level, and the names of its functions.

use super::errors::place;
use crate::script::host::{Diagnostic, Place, SourceFile, find_hook, hooks, names};
use rhai::{AST, ASTNode, Engine, Expr, Position, Stmt, Token};
use std::collections::BTreeSet;
use std::sync::Arc;

/// At the top level stand only `const`, `import` and functions: nothing that would have to run
/// again and again.
pub(super) fn check_top_level(
    engine: &Engine,
    ast: &AST,
    file: &Arc<SourceFile>,
) -> Vec<Diagnostic> {
    let _ = engine;
    ast.statements()
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
        .collect()
}

/// A function of a file, as it is written.
pub(super) struct Written {
    /// Its name.
    pub name: String,
    /// How many parameters it has.
    pub parameters: usize,
    /// Where its name stands.
    pub place: Place,
}

/// Functions whose names are hooks' with a wrong number of parameters, or nearly hooks'.
pub(super) fn check_hooks(engine: &Engine, ast: &AST, file: &Arc<SourceFile>) -> Vec<Diagnostic> {
    let called = called_names(ast);
    let mut wrong = Vec::new();
    for function in written_functions(engine, ast, file) {
        let name = function.name.as_str();
        if let Some(hook) = find_hook(name) {
            if !hook.takes(function.parameters) {
                wrong.push(Diagnostic::error(
                    function.place,
                    format!(
                        "`{name}` has {}; it is called as `{}`",
                        count(function.parameters),
                        hook.signature()
                    ),
                ));
            }
        } else if !called.contains(name)
            && let Some(right) = names::nearest(name, hooks().map(|hook| hook.name))
            && let Some(hook) = find_hook(right)
        {
            wrong.push(Diagnostic::error(
                function.place,
                format!("nothing calls `{name}`; did you mean `{}`?", hook.signature()),
            ));
        }
    }
    wrong
}

fn count(parameters: usize) -> String {
    match parameters {
        0 => "no parameters".into(),
        1 => "1 parameter".into(),
        n => format!("{n} parameters"),
    }
}

/// The functions of a file, with the places of their names, which the syntax tree does not keep.
pub(super) fn written_functions(
    engine: &Engine,
    ast: &AST,
    file: &Arc<SourceFile>,
) -> Vec<Written> {
    let mut places: Vec<(String, Position)> = Vec::new();
    let mut after_fn = false;
    // The lexer repeats the end for ever.
    let text = [file.text.as_str()];
    let (tokens, _) = engine.lex(&text);
    for (token, pos) in tokens.take_while(|(token, _)| !matches!(token, Token::EOF)) {
        if let (true, Token::Identifier(name)) = (after_fn, &token) {
            places.push((name.to_string(), pos));
        }
        after_fn = matches!(token, Token::Fn);
    }
    // The tree knows overloads by their number of parameters; the text by their order.
    let mut functions: Vec<_> = ast.iter_functions().collect();
    functions.sort_by_key(|f| (f.name.to_string(), f.params.len()));
    functions
        .iter()
        .filter_map(|f| {
            let (_, pos) = places.iter().find(|(name, _)| name == f.name)?;
            Some(Written {
                name: f.name.to_string(),
                parameters: f.params.len(),
                place: place(file, *pos),
            })
        })
        .collect()
}

/// The names of all functions that the file calls or takes pointers to.
fn called_names(ast: &AST) -> BTreeSet<String> {
    let mut called = BTreeSet::new();
    ast.walk(&mut |path| {
        match path.last() {
            Some(
                ASTNode::Expr(Expr::FnCall(call, _) | Expr::MethodCall(call, _))
                | ASTNode::Stmt(Stmt::FnCall(call, _)),
            ) => {
                called.insert(call.name.to_string());
            }
            Some(ASTNode::Expr(Expr::StringConstant(text, _))) => {
                called.insert(text.to_string());
            }
            Some(ASTNode::Expr(Expr::Variable(variable, _, _))) => {
                called.insert(variable.1.to_string());
            }
            _ => {}
        }
        true
    });
    called
}
