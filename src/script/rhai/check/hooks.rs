//! The names of functions: those that hangtime calls, and those that are nearly so called.

use crate::script::host::{Diagnostic, Place, SourceFile, find_hook, hooks, names};
use crate::script::rhai::engine::resolver::Sources;
use crate::script::rhai::messages::errors::place;
use rhai::{AST, ASTNode, Expr, Stmt};
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A function of a file, as it is written.
pub(in crate::script::rhai) struct Written {
    /// Its name.
    pub name: String,
    /// How many parameters it has.
    pub parameters: usize,
    /// Where its name stands.
    pub place: Place,
}

/// Functions whose names are hooks' with a wrong number of parameters, or nearly hooks'.
/// A name that some script speaks of may be that of an event; `any` says whether scripts tell events whose
/// names they make up, and then what may be one's is only warned of.
pub(in crate::script::rhai) fn check_hooks(
    ast: &AST,
    file: &Arc<SourceFile>,
    sources: &Sources,
    any: impl Fn() -> bool,
) -> Vec<Diagnostic> {
    // Reading all scripts is only worth its time where a name is no hook's.
    let known = OnceCell::new();
    let any = || *known.get_or_init(&any);
    let [called, pointed] = uses(ast);
    let mut wrong = Vec::new();
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for function in written_functions(ast, file) {
        let name = function.name.as_str();
        // One that the file calls itself may well be there in two ways.
        let own = called.contains(name) || pointed.contains(name);
        if is_told(&function) && !own && !seen.insert(name.to_string()) {
            let why =
                format!("`{name}` stands here for the second time: only one of them is called");
            wrong.push(Diagnostic::error(function.place, why));
            continue;
        }
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
        } else if called.contains(name) || pointed.contains(name) || is_spoken(name, sources) {
            continue;
        } else if let Some(right) = names::nearest(name, hooks().map(|hook| hook.name))
            && let Some(hook) = find_hook(right)
        {
            let why = format!(
                "nothing calls `{name}`; did you mean `{}`?",
                hook.signature()
            );
            // A script that makes names of events up may tell it.
            let may_be_told = name.starts_with("on_") && any();
            wrong.push(if may_be_told {
                Diagnostic::warning(function.place, why)
            } else {
                Diagnostic::error(function.place, why)
            });
        } else if name.starts_with("on_") && !any() {
            let why = format!("nothing calls `{name}`: there is no such event");
            wrong.push(Diagnostic::warning(function.place, why));
        }
    }
    wrong
}

/// Whether it is called as a hook.
fn is_told(function: &Written) -> bool {
    match find_hook(&function.name) {
        Some(hook) => hook.takes(function.parameters),
        None => function.name.starts_with("on_") && (1..=2).contains(&function.parameters),
    }
}

/// Whether some script has the name of the event in quotes that this hook would be told of: as one does
/// who emits it, or sets it for later.
fn is_spoken(hook: &str, sources: &Sources) -> bool {
    let Some(event) = hook.strip_prefix("on_") else {
        return false;
    };
    let quoted = [format!("\"{event}\""), format!("`{event}`")];
    let mut files = sources.values();
    files.any(|file| quoted.iter().any(|name| file.text.contains(name)))
}

fn count(parameters: usize) -> String {
    match parameters {
        0 => "no parameters".into(),
        1 => "1 parameter".into(),
        n => format!("{n} parameters"),
    }
}

/// The functions of a file, in its order, with the places of their names. The syntax tree keeps
/// the places of bodies; the name stands before.
pub(in crate::script::rhai) fn written_functions(
    ast: &AST,
    file: &Arc<SourceFile>,
) -> Vec<Written> {
    let written = |f: &rhai::Shared<rhai::ScriptFuncDef>| {
        let name = f.name.to_string();
        let body = place(file, f.body.start_position()).span.start;
        let start = name_before(&file.text, body, &name).unwrap_or(body);
        let place = Place::new(file, start..start + name.len());
        Written {
            parameters: f.params.len(),
            place,
            name,
        }
    };
    // Closures are functions without a name of their own.
    let named = ast.iter_fn_def().filter(|f| !f.name.starts_with("anon$"));
    let mut functions: Vec<Written> = named.map(written).collect();
    functions.sort_by_key(|f| f.place.span.start);
    functions
}

/// Where, before `end`, the name of `fn name` stands last.
fn name_before(text: &str, end: usize, name: &str) -> Option<usize> {
    let before = &text[..end];
    before.rmatch_indices("fn").find_map(|(at, _)| {
        let rest = &before[at + 2..];
        let start = at + 2 + (rest.len() - rest.trim_start().len());
        let after = before.get(start..)?.strip_prefix(name)?;
        after.trim_start().starts_with('(').then_some(start)
    })
}

/// The names of the functions that a file calls, and the names in it that may be pointers to some: texts
/// and variables.
pub(super) fn uses(ast: &AST) -> [BTreeSet<String>; 2] {
    let (mut called, mut pointed) = (BTreeSet::new(), BTreeSet::new());
    ast.walk(&mut |path| {
        match path.last() {
            Some(
                ASTNode::Expr(Expr::FnCall(call, _) | Expr::MethodCall(call, _))
                | ASTNode::Stmt(Stmt::FnCall(call, _)),
            ) => {
                called.insert(call.name.to_string());
            }
            Some(ASTNode::Expr(Expr::StringConstant(text, _))) => {
                pointed.insert(text.to_string());
            }
            Some(ASTNode::Expr(Expr::Variable(variable, _, _))) => {
                pointed.insert(variable.1.to_string());
            }
            _ => {}
        }
        true
    });
    [called, pointed]
}
