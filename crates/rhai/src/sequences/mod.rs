//! Sequences: functions that wait, cut at their waits when a script is compiled.
//!
//! A function that waits becomes several ordinary functions: itself, up to its first waits, and one for each wait, which
//! is what happens from there to the next waits. A wait in them is a call that keeps the place and the local variables
//! that are needed later, and a `return`. So interpreting, compiling, prices and the places of messages know nothing of
//! waits, and what lives over a wait is plain data of the world.
//!
//! * `normal`: waits become statements in blocks, `if`, `switch` and `while`, which is all that the rest has to know.
//! * `rest`: what happens after a wait, and which variables that needs.
//! * `parts`: making pieces of the syntax tree.

mod normal;
mod parts;
mod rest;

use crate::{
    Rhai,
    engine::{
        pricing::CutFunction,
        tree::{any_node, body_of, call_of, function_alone, walk, walk_all},
    },
    messages::errors::place,
};
use hangtime_script::{
    Diagnostic, Language as _, ListedStep, SourceFile,
    calls::WAITS,
    waits::{
        FoundWait, IMPORTED_WAIT, MOST_WAITS, UNNAMED_EVENT, WaitLocals, called_sequence, check_awaited,
        check_wait_count, hidden_local, steps_of, too_many_waits, wait_objection,
    },
};
use normal::Normal;
use rest::Cutter;
use rhai::{
    AST, ASTFlags, ASTNode, Expr, FlowControl, FnCallExpr, ImmutableString, Position, ScriptFuncDef, Shared, Stmt,
    StmtBlock,
};
use std::{collections::BTreeSet, ops::Range, sync::Arc};

/// The functions of a file that wait, after the cut.
#[derive(Default)]
pub struct Cut {
    pub functions: Vec<CutFunction>,
    pub steps: Vec<ListedStep>,
}

impl Cut {
    /// Whether a function with this name is one of the cut.
    pub fn is_called(&self, name: &str) -> bool {
        self.functions.iter().any(|function| function.name == name)
    }
}

/// A wait of a function: where, and the event that it waits for.
type Wait = (Position, Option<Arc<str>>);

/// The most parts of the syntax tree that the pieces of a function may have before they are cut short.
const MOST_NODES: usize = 200_000;

/// The name of the statement that waits at the wait with this number.
fn marker_name(wait: usize) -> String {
    format!("wait {wait}")
}

/// The number of the wait that a statement is.
fn marked(statement: &Stmt) -> Option<usize> {
    match statement {
        Stmt::FnCall(call, _) => call.name.strip_prefix("wait ")?.parse().ok(),
        _ => None,
    }
}

/// Whether there is a wait in a statement.
fn has_marker(statement: &Stmt) -> bool {
    any_node(std::slice::from_ref(statement), |node| match node {
        ASTNode::Stmt(inner) => marked(inner).is_some(),
        _ => false,
    })
}

/// The functions of a file, and what is wrong with their waits.
struct CutFile<'a> {
    ast: &'a AST,
    file: &'a Arc<SourceFile>,
    wrong: Vec<Diagnostic>,
}

/// Cuts the functions of a file.
///
/// # Errors
/// Waits where a function cannot wait.
pub fn cut(ast: &AST, file: &Arc<SourceFile>) -> Result<Cut, Vec<Diagnostic>> {
    let mut cut = Cut::default();
    if !file.text.contains("wait") {
        return Ok(cut);
    }
    let mut of_file = CutFile { ast, file, wrong: Vec::new() };
    of_file.find_misplaced(ast.statements(), "");
    let mut waiting = BTreeSet::new();
    for function in ast.iter_fn_def() {
        let body = body_of(&function_alone(ast, &function.name, function.params.len()));
        if !of_file.waits(&body) {
            continue;
        }
        if function.name.starts_with("anon$") {
            of_file.find_misplaced(&body, "");
        } else if let Some(why) = objection(function) {
            of_file.find_misplaced(&body, &why);
        } else {
            waiting.insert((function.name.clone(), function.params.len()));
            of_file.cut_function(function, body, &mut cut);
        }
    }
    of_file.find_calls(&waiting);
    of_file.wrong.sort_by_key(|wrong| wrong.place.as_ref().map(|place| place.span.start));
    if of_file.wrong.is_empty() { Ok(cut) } else { Err(of_file.wrong) }
}

/// Waits in a file that is imported: its functions do not know whose script they run for.
pub fn check_imported(ast: &AST, file: &Arc<SourceFile>) -> Vec<Diagnostic> {
    let mut of_file = CutFile { ast, file, wrong: Vec::new() };
    for function in ast.iter_fn_def().filter(|_| file.text.contains("wait")) {
        let body = body_of(&function_alone(ast, &function.name, function.params.len()));
        of_file.find_misplaced(&body, IMPORTED_WAIT);
    }
    of_file.wrong
}

/// Why a function cannot wait. A method of a type has no `me`.
fn objection(function: &ScriptFuncDef) -> Option<String> {
    let parameters = if function.this_type.is_some() { 0 } else { function.params.len() };
    wait_objection(&function.name, parameters, Rhai.spelling())
}

impl CutFile<'_> {
    /// Whether a call waits. A function of the file with the same name comes first.
    fn is_wait(&self, call: &FnCallExpr) -> bool {
        let own = || {
            self.ast
                .iter_functions()
                .any(|f| f.name == call.name && f.params.len() == call.args.len())
        };
        call.namespace.is_empty() && WAITS.contains(&call.name.as_str()) && !own()
    }

    fn waits(&self, statements: &[Stmt]) -> bool {
        any_node(statements, |node| wait_of(node).is_some_and(|(call, _)| self.is_wait(call)))
    }

    fn error(&mut self, at: Position, why: impl Into<String>) {
        self.wrong.push(Diagnostic::error(place(self.file, at), why));
    }

    /// Reports all waits in some statements.
    fn find_misplaced(&mut self, statements: &[Stmt], why: &str) {
        let mut found = Vec::new();
        any_node(statements, |node| {
            found.extend(
                wait_of(node)
                    .filter(|(call, _)| self.is_wait(call))
                    .map(|(call, at)| (call.name.clone(), at)),
            );
            false
        });
        for (name, at) in found {
            let general = format!(
                "a function cannot wait here: `{name}` must be a statement of a function of this script, or of a block, \
                 `if`, `switch`, `while`, `loop` or `for` in it; `let event = wait_for(…)` works, too"
            );
            self.error(at, if why.is_empty() { &general } else { why });
        }
    }

    /// Reports calls of functions that wait: they return before they are done.
    fn find_calls(&mut self, waiting: &BTreeSet<(ImmutableString, usize)>) {
        let mut found = Vec::new();
        walk(self.ast, &mut |path| {
            let call = path.last().and_then(|node| Some((call_of(node)?, node.position())));
            if let Some((call, at)) = call
                && call.namespace.is_empty()
                && waiting.contains(&(call.name.clone(), call.args.len()))
            {
                found.push((call.name.clone(), at));
            }
            true
        });
        for (name, at) in found {
            self.error(at, called_sequence(&name, Rhai.spelling()));
        }
    }

    fn cut_function(&mut self, function: &Shared<ScriptFuncDef>, body: Vec<Stmt>, cut: &mut Cut) {
        let mut normal = Normal { of: self, waits: Vec::new(), names: 0 };
        let body = normal.block(body);
        let waits = normal.waits;
        self.find_misplaced(&body, "");
        let mut nodes = 0;
        any_node(&body, |_| {
            nodes += 1;
            false
        });
        let (start, end) = (function.body.start_position(), function.body.end_position());
        if waits.len() > MOST_WAITS || waits.len() * nodes > MOST_NODES {
            return self.error(waits[0].0, too_many_waits(&function.name));
        }
        let parameters: Vec<ImmutableString> = function.params.to_vec();
        let mut cutter = Cutter::new(parameters.clone(), body);
        for (name, wait) in cutter.locals.hidden() {
            self.error(waits[wait].0, hidden_local(&name));
        }
        if !self.wrong.is_empty() {
            return;
        }
        cutter.find_needed();
        let first_point = cut.steps.len() + usize::from(!function.name.starts_with("on_"));
        cutter.make_saves(first_point, &waits.iter().map(|wait| wait.0).collect::<Vec<_>>());
        let first = cut.functions.len();
        let mut add = |name: ImmutableString, parameters: Vec<ImmutableString>, mut statements: Vec<Stmt>| {
            parts::place_variables(&mut statements, &parameters);
            cut.functions.push(CutFunction { name, parameters, statements, span: (start, end) });
        };
        add(function.name.clone(), parameters.clone(), cutter.beginning());
        for wait in 0..waits.len() {
            let name = format!("{} {}", function.name, wait + 1);
            add(name.into(), vec![parameters[0].clone(), parts::FRAME.into()], cutter.after(wait));
        }
        let found = waits.into_iter().map(|(at, awaits)| FoundWait { span: self.whole_call(at), awaits });
        let found: Vec<_> = found.collect();
        let [begin, end] = [start, end].map(|at| place(self.file, at));
        let name = (function.name.as_str(), first);
        cut.steps
            .extend(steps_of(self.file, name, (begin, end.span.start), &found, &cutter.locals));
    }

    /// The text of a call, up to its closing parenthesis.
    fn whole_call(&self, at: Position) -> Range<usize> {
        let word = place(self.file, at);
        let (mut depth, mut quote) = (0, false);
        let end = self.file.text[word.span.start..].char_indices().find(|(_, letter)| {
            match letter {
                '"' | '`' => quote = !quote,
                '(' if !quote => depth += 1,
                ')' if !quote => depth -= 1,
                _ => {}
            }
            *letter == ')' && depth == 0 && !quote
        });
        let end = end.map_or(word.span.end, |(offset, _)| word.span.start + offset + 1);
        word.span.start..end
    }
}

/// The call by a bare name that a node is, and where.
fn wait_of<'n>(node: &ASTNode<'n>) -> Option<(&'n FnCallExpr, Position)> {
    match node {
        ASTNode::Expr(Expr::FnCall(call, at)) | ASTNode::Stmt(Stmt::FnCall(call, at)) => Some((call, *at)),
        _ => None,
    }
}
