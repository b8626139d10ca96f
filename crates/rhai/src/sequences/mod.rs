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
    engine::{
        pricing::CutFunction,
        tree::{any_node, body_of, call_of, function_alone},
    },
    messages::errors::place,
};
use hangtime_core::sim::{Digest, WaitPoint};
use hangtime_script::{
    Diagnostic, Place, RULES, SourceFile,
    calls::{WAITS, check_event_filter},
};
use normal::Normal;
use rest::Cutter;
use rhai::{
    AST, ASTFlags, ASTNode, Expr, FnCallExpr, ImmutableString, Position, ScriptFuncDef, Shared, Stmt, StmtBlock,
};
use std::{collections::BTreeSet, sync::Arc};

/// A place where a sequence waits, or begins.
pub struct CutStep {
    pub point: Arc<WaitPoint>,
    /// The function that is called to continue from there, among the functions of the cut.
    pub function: usize,
    pub awaits: Option<Arc<str>>,
    pub place: Place,
}

/// The functions of a file that wait, after the cut.
#[derive(Default)]
pub struct Cut {
    pub functions: Vec<CutFunction>,
    pub steps: Vec<CutStep>,
}

impl Cut {
    /// Whether a function with this name is one of the cut.
    pub fn is_called(&self, name: &str) -> bool {
        self.functions.iter().any(|function| function.name == name)
    }
}

/// A wait of a function.
struct Wait {
    /// The event that it waits for.
    awaits: Option<Arc<str>>,
    at: Position,
}

/// The most waits of a function, and the most parts of the syntax tree that its pieces may have before they are cut short.
const MOST_WAITS: usize = 64;
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
        of_file.find_misplaced(&body, "a function of an imported file cannot wait; wait in the script that imports it");
    }
    of_file.wrong
}

/// Why a function cannot wait.
fn objection(function: &ScriptFuncDef) -> Option<String> {
    let (name, parameters) = (&function.name, function.params.len());
    let hook = name.starts_with("on_");
    if RULES.iter().any(|rule| rule.name == name.as_str()) {
        return Some(format!("`{name}` is a rule, which answers at once; wait in an event hook"));
    }
    match name.as_str() {
        "on_tick" => {
            return Some(
                "`on_tick` runs in every tick and cannot wait; start a function that waits, as in \
                 `if !me.running(\"attack\") { me.start(\"attack\"); }`"
                    .into(),
            );
        }
        "on_death" => return Some("after `on_death` the entity is gone, so it cannot wait".into()),
        _ => {}
    }
    let fits = if hook { (1..=2).contains(&parameters) } else { parameters == 1 };
    let why = match function.this_type {
        Some(_) => "is a method of a type",
        None if fits => return None,
        None => "does not have `me` as its only parameter",
    };
    Some(format!("`{name}` cannot wait, because it {why}; keep what it needs in `this`, and start it with `me.start`"))
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
        self.ast.walk(&mut |path| {
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
            let why = format!("`{name}` waits, so it cannot be called; start it with `me.start(\"{name}\")`");
            self.error(at, why);
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
            let why = format!("`{}` has too many waits for its length; start a second sequence in it", function.name);
            return self.error(waits[0].at, why);
        }
        let parameters: Vec<ImmutableString> = function.params.to_vec();
        let mut cutter = Cutter::new(parameters.clone(), body, waits.len());
        for (name, wait) in cutter.hidden() {
            let why = format!("two variables are called `{name}` where the function waits; rename one of them");
            self.error(waits[wait].at, why);
        }
        if !self.wrong.is_empty() {
            return;
        }
        cutter.find_needed();
        let first_point = cut.steps.len() + usize::from(!function.name.starts_with("on_"));
        cutter.make_saves(first_point, &waits.iter().map(|wait| wait.at).collect::<Vec<_>>());
        let sequence: Arc<str> = function.name.as_str().into();
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
        if !function.name.starts_with("on_") {
            let point = WaitPoint { sequence: sequence.clone(), step: 0, label: "".into(), text: 0, names: Vec::new() };
            let place = place(self.file, start);
            cut.steps.push(CutStep { point: point.into(), function: first, awaits: None, place });
        }
        let places: Vec<Place> = waits.iter().map(|wait| self.whole_call(wait.at)).collect();
        let end = place(self.file, end).span.start;
        for (wait, Wait { awaits, .. }) in waits.into_iter().enumerate() {
            let span = places[wait].span.clone();
            let next = places.iter().map(|place| place.span.start).filter(|at| *at > span.start);
            let rest = self.file.text.get(span.end..next.min().unwrap_or(end).max(span.end)).unwrap_or_default();
            let label = self.file.text[span].split_whitespace().collect::<Vec<_>>().join(" ");
            let mut text = Digest::new();
            rest.split_whitespace().for_each(|word| text.text(word));
            let names = cutter.needed(wait).iter().map(|name| name.as_str().into()).collect();
            let step = wait as u32 + 1;
            let point = WaitPoint { sequence: sequence.clone(), step, label: label.into(), text: text.finish(), names };
            let (function, place) = (first + 1 + wait, places[wait].clone());
            cut.steps.push(CutStep { point: point.into(), function, awaits, place });
        }
    }

    /// The text of a call, up to its closing parenthesis.
    fn whole_call(&self, at: Position) -> Place {
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
        Place::new(self.file, word.span.start..end)
    }
}

/// The call by a bare name that a node is, and where.
fn wait_of<'n>(node: &ASTNode<'n>) -> Option<(&'n FnCallExpr, Position)> {
    match node {
        ASTNode::Expr(Expr::FnCall(call, at)) | ASTNode::Stmt(Stmt::FnCall(call, at)) => Some((call, *at)),
        _ => None,
    }
}
