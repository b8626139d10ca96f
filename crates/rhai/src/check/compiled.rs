//! Checks of every script that is compiled: its top level, its closures and its hooks.

use super::other_engines::hook_for;
use super::syntax::names_used;
use crate::engine::halt::text_too_large;
use crate::engine::nesting::parse;
use crate::messages::errors::place;
use hangtime_script::text::quoted_in;
use hangtime_script::{Diagnostic, Place, SourceFile, Sources, find_hook, hooks, names};
use rhai::{AST, ASTNode, Engine, Expr, Stmt};
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The top level may contain only `const`, `import` and functions, as nothing else there runs.
/// Also reports text that is too long, and comments that are never closed.
pub(crate) fn check_top_level(engine: &Engine, ast: &AST, file: &Arc<SourceFile>) -> Vec<Diagnostic> {
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
            let why = text_too_large(most);
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
    if !text.contains("/*") || parse(engine, &format!("{text}\n{ODD}")).is_err() {
        return None;
    }
    // The character is an error in place of the comment, but not inside of it, of text or of other
    // comments.
    let begins = |at: &usize| {
        let before = &text[..*at];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().map_or(0, |l| l.chars().count()) + 1;
        let stopped = parse(engine, &format!("{before}{ODD}")).err();
        stopped.is_some_and(|e| {
            let at = e.position();
            (at.line(), at.position()) == (Some(line), Some(column))
        })
    };
    let mut starts = text.rmatch_indices("/*").map(|(at, _)| at).take(MOST_COMMENTS);
    let at = starts.find(begins).or_else(|| text.rfind("/*"))?;
    let why = "this comment is never closed and contains the rest of the file; end it with `*/`";
    Some(Diagnostic::error(Place::new(file, at..at + 2), why))
}

/// Closures that use the object whose method they are passed to; Rhai does not let both use it at
/// once.
pub(crate) fn check_closures(ast: &AST, file: &Arc<SourceFile>) -> Vec<Diagnostic> {
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

/// A function that a file declares.
pub(crate) struct DeclaredFunction {
    pub name: String,
    /// The number of parameters.
    pub parameters: usize,
    /// The names of its parameters.
    pub parameter_names: Vec<String>,
    /// The place of the name.
    pub place: Place,
}

/// Functions that are called like a hook but have a wrong number of parameters, and functions
/// whose names are close to a hook's. The latter are correct if they may handle a custom
/// event: if some script has the event's name in quotes. `any_event` says whether scripts compute
/// the names of events; if they do, a misspelled `on_…` is only a warning.
pub(crate) fn check_hooks(
    ast: &AST,
    file: &Arc<SourceFile>,
    sources: &Sources,
    any_event: impl Fn() -> bool,
) -> Vec<Diagnostic> {
    // Parsing all scripts takes time, and most have no such function.
    let known = OnceCell::new();
    let any_event = || *known.get_or_init(&any_event);
    // Some script has the name of this hook's event in quotes, as a script that emits it does.
    let mentioned = OnceCell::new();
    let is_mentioned = |hook: &str| {
        let quoted = || sources.values().flat_map(|file| quoted_in(&file.text));
        let event = hook.strip_prefix("on_");
        event.is_some_and(|event| {
            let known: &BTreeSet<&str> = mentioned.get_or_init(|| quoted().collect());
            known.contains(event)
        })
    };
    let used = names_used(ast);
    let mut wrong = Vec::new();
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for function in declared_functions(ast, file) {
        let name = function.name.as_str();
        // A function that the file itself uses may well exist twice.
        let own = used.called.contains(name) || used.mentioned.contains(name);
        if is_hook(&function) && !own && !seen.insert(name.to_string()) {
            let why = format!("`{name}` is defined twice, and only one of the two is called");
            wrong.push(Diagnostic::error(function.place, why));
            continue;
        }
        if let Some(hook) = find_hook(name) {
            if !hook.takes(function.parameters) {
                let (has, right) = (count(function.parameters), hook.signature());
                let why = format!("`{name}` has {has}; write `{right}`");
                wrong.push(Diagnostic::error(function.place, why));
            }
        } else if own || is_mentioned(name) {
            continue;
        } else if let Some(right) = names::nearest(name, hooks().map(|hook| hook.name))
            && let Some(hook) = find_hook(right)
        {
            let right = hook.signature();
            let why = format!("nothing calls `{name}`; did you mean `{right}`?");
            let may_be_event = name.starts_with("on_") && any_event();
            // Many words are near a short one.
            wrong.push(if may_be_event || hook.name.len() < SURE {
                Diagnostic::warning(function.place, why)
            } else {
                Diagnostic::error(function.place, why)
            });
        } else if let Some(right) = hook_for(name).filter(|_| function.parameters <= 2)
            && !(name.starts_with("on_") && any_event())
        {
            let why = format!("nothing calls `{name}`; did you mean the hook `{right}`?");
            wrong.push(Diagnostic::warning(function.place, why));
        } else if name.starts_with("on_") && !any_event() {
            let why = format!("nothing calls `{name}`, as no event has this name");
            wrong.push(Diagnostic::warning(function.place, why));
        }
    }
    wrong
}

/// A name that is near that of a hook with fewer letters may be meant.
const SURE: usize = 5;

/// Whether hangtime may call it.
fn is_hook(function: &DeclaredFunction) -> bool {
    match find_hook(&function.name) {
        Some(hook) => hook.takes(function.parameters),
        None => function.name.starts_with("on_") && (1..=2).contains(&function.parameters),
    }
}

fn count(parameters: usize) -> String {
    match parameters {
        0 => "no parameters".into(),
        1 => "1 parameter".into(),
        n => format!("{n} parameters"),
    }
}

/// The functions of a file in their order. The syntax tree has the positions of their bodies; the
/// names come before those.
pub(crate) fn declared_functions(ast: &AST, file: &Arc<SourceFile>) -> Vec<DeclaredFunction> {
    let declared = |f: &rhai::Shared<rhai::ScriptFuncDef>| {
        let name = f.name.to_string();
        let body = place(file, f.body.start_position()).span.start;
        let start = name_before(&file.text, body, &name).unwrap_or(body);
        let place = Place::new(file, start..start + name.len());
        DeclaredFunction {
            parameters: f.params.len(),
            parameter_names: f.params.iter().map(|name| name.to_string()).collect(),
            place,
            name,
        }
    };
    // Closures are functions too, with names that the parser makes up.
    let named = ast.iter_fn_def().filter(|f| !f.name.starts_with("anon$"));
    let mut functions: Vec<DeclaredFunction> = named.map(declared).collect();
    functions.sort_by_key(|f| f.place.span.start);
    functions
}

/// The start of `name` in the last `fn name(` before `end`.
fn name_before(text: &str, end: usize, name: &str) -> Option<usize> {
    let before = &text[..end];
    before.rmatch_indices("fn").find_map(|(at, _)| {
        let rest = &before[at + 2..];
        let start = at + 2 + (rest.len() - rest.trim_start().len());
        let after = before.get(start..)?.strip_prefix(name)?;
        after.trim_start().starts_with('(').then_some(start)
    })
}
