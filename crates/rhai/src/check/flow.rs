//! Checks of statements and closures: unreachable code, what rules return, and what `this` is.

use super::compiled::declared_functions;
use super::names;
use super::scope::{FileContext, Scope};
use super::source::ScriptFunction;
use super::syntax::{ClosureLiteral, any_node, closure, variable_of_this};
use super::types::{ANY_ARRAY, ANY_MAP, fits, spoken, type_of};
use crate::calls::answers::read_windows;
use crate::messages::code_end::code_end;
use crate::messages::errors::{THIS_IN_CLOSURE, place};
use hangtime_core::tuning::renamed;
use hangtime_script::api::{ApiSet, Names, Owner, Type};
use hangtime_script::{ScriptRole, WINDOWS};
use rhai::{ASTNode, Expr, FnCallExpr, Ident, Position, Stmt};
use std::collections::BTreeSet;

/// Statements after one that always leaves the block.
pub(super) fn unreachable(statements: &[Stmt], scope: &Scope<'_>) {
    for pair in statements.windows(2) {
        if matches!(pair[0], Stmt::Return(..) | Stmt::BreakLoop(..)) {
            let message = "this code is never reached; the statement before it leaves the block";
            scope.warn(pair[1].position(), message);
        }
    }
}

/// A statement `expect(…)` without a comparison, which cannot fail.
pub(super) fn unfinished_expectation(statement: Option<&Stmt>, scope: &Scope<'_>) {
    let Some(statement) = statement else {
        return;
    };
    let call = match statement {
        Stmt::FnCall(call, _) => call,
        Stmt::Expr(expression) => match &**expression {
            Expr::FnCall(call, _) => call,
            _ => return,
        },
        _ => return,
    };
    let bare = call.name == "expect" && call.args.len() == 1 && call.namespace.is_empty();
    let file = scope.file;
    if bare && !file.script.has_function("expect") && file.vocabulary.api_set == ApiSet::Test {
        let message = "this checks nothing; add `.equals(…)`, `.above(…)` or `.below(…)`";
        scope.error(statement.position(), message);
    }
}

/// `this` in a test function.
pub(super) fn this_in_test(at: Position, scope: &Scope<'_>) {
    let in_test = scope.file.role == ScriptRole::Test && scope.function.is_test;
    if in_test && scope.closures == 0 {
        let message = "tests have no `this`; read an entity's variables from its `vars`";
        scope.error(at, message);
    }
}

/// A rule of entities in the script of a level.
pub(super) fn level_rule(function: &ScriptFunction, scope: &Scope<'_>) {
    let file = scope.file;
    let (ScriptRole::Level, Some(rule)) = (file.role, scope.function.rule) else {
        return;
    };
    let declared = declared_functions(&file.script.ast, &file.script.file);
    if let Some(declared) = declared.into_iter().find(|d| d.name == function.name) {
        scope.findings.error_at(&declared.place, rule.not_of_levels());
    }
}

/// The value of a function's last statement.
pub(super) fn last_value(statements: &[Stmt], scope: &Scope<'_>) {
    match statements.last() {
        Some(Stmt::Expr(value)) => returned(value, scope),
        Some(Stmt::Block(block)) => last_value(block.statements(), scope),
        Some(Stmt::If(flow, _)) => {
            last_value(flow.body.statements(), scope);
            last_value(flow.branch.statements(), scope);
        }
        Some(Stmt::Switch(switch, _)) => {
            for case in &switch.1.expressions {
                returned(&case.rhs, scope);
            }
        }
        _ => {}
    }
}

/// A rule whose answer is followed by `;`. Rhai returns it all the same, unlike other languages.
pub(super) fn dropped_answer(function: &ScriptFunction, scope: &Scope<'_>) {
    let (Some(rule), Some(Stmt::Expr(value))) = (scope.function.rule, function.body().last()) else {
        return;
    };
    let answers = match type_of(value, scope) {
        Type::Any | Type::Data | Type::Nothing => false,
        given => fits(given, rule.answers),
    };
    let file = &scope.file.script.file;
    let before = &file.text[..place(file, function.end()).span.start];
    if answers && before[..code_end(before)].ends_with(';') {
        let name = rule.name;
        let message = format!(
            "`{name}` returns this value, although a `;` follows it; remove the `;`, or add `()` after it to return nothing"
        );
        scope.warn(value.start_position(), message);
    }
}

/// A literal that a rule returns.
pub(super) fn returned(value: &Expr, scope: &Scope<'_>) {
    let Some(rule) = scope.function.rule.filter(|_| scope.closures == 0) else {
        return;
    };
    let given = match value {
        Expr::Stmt(block) => return last_value(block.statements(), scope),
        Expr::BoolConstant(..) => Type::Flag,
        Expr::IntegerConstant(..) | Expr::FloatConstant(..) => Type::Number,
        Expr::StringConstant(..) => Type::Text,
        Expr::Array(..) => ANY_ARRAY,
        Expr::Map(..) => ANY_MAP,
        _ => return,
    };
    if !fits(given, rule.answers) {
        let given = spoken(given);
        let wanted = rule.answers.spoken();
        let message = format!("`{}` must return {wanted}, not {given}", rule.name);
        return scope.error(value.start_position(), message);
    }
    match value {
        Expr::StringConstant(name, at) => names::fixed(Names::Model, name, *at, scope),
        Expr::Map(map, _) => windows(&map.0, scope),
        _ => {}
    }
}

/// The map that `jump_windows` returns.
fn windows(fields: &[(Ident, Expr)], scope: &Scope<'_>) {
    for (key, value) in fields {
        if let Some(current) = renamed(&key.name) {
            let old = &key.name;
            let message = format!("`jump_windows` has no `{old}`; did you mean `{current}`?");
            scope.error(key.pos, message);
            continue;
        }
        // A value that is not a literal is taken to be right.
        let literal = value.get_literal_value(None);
        let mut alone = rhai::Map::new();
        alone.insert(key.name.as_str().into(), literal.unwrap_or_else(|| 0.0.into()));
        if let Err(wrong) = read_windows(&alone.into()) {
            let named = WINDOWS.field(&key.name).is_some();
            let at = if named { value.start_position() } else { key.pos };
            scope.error(at, wrong);
        }
    }
}

/// Methods of lists, with the number of parameters from which their closures receive no `this`.
/// With fewer parameters `this` is the element.
#[rustfmt::skip]
const WITHOUT_THIS: [(&str, usize); 13] = [
    ("all", 1), ("dedup", 0), ("drain", 1), ("filter", 1), ("find", 1), ("find_map", 1),
    ("index_of", 1), ("map", 1), ("reduce", 2), ("reduce_rev", 2), ("retain", 1), ("some", 1),
    ("sort", 0),
];

/// Those of them that maps have too. There a closure with one parameter receives the key, and the
/// value as `this`.
const OF_MAPS: [&str; 3] = ["drain", "filter", "retain"];

fn function_of<'a>(closure: &ClosureLiteral<'_>, file: &FileContext<'a>) -> Option<&'a ScriptFunction> {
    file.script.closures.get(closure.function.fn_name())
}

/// A closure that receives the level being played. Compiling reports one that captures the level
/// itself.
pub(super) fn level_closure(closure: Option<ClosureLiteral<'_>>, scope: &Scope<'_>) {
    let Some(closure) = closure else {
        return;
    };
    let Some((first, _)) = closure.captured.first() else {
        return;
    };
    let mut captured = closure.captured.iter();
    let captures_level = captured.any(|(name, _)| scope.look_up(&name.name) == Type::Test);
    let function = function_of(&closure, scope.file);
    let no_parameter = function.is_some_and(|f| f.parameters.len() == closure.captured.len());
    if no_parameter && !captures_level {
        let message = "this closure receives the level; take it as a parameter, as in `|t| …`";
        scope.error(first.pos, message);
    }
}

/// `this` in the closures that are passed to a method of a value with the type `on`.
pub(super) fn passed_closures(on: Type, call: &FnCallExpr, scope: &Scope<'_>) {
    let name = call.name.as_str();
    if scope.file.may_be_own_method(name) {
        return;
    }
    for argument in &call.args {
        let Some(closure) = closure(argument) else {
            continue;
        };
        let Some(function) = function_of(&closure, scope.file) else {
            continue;
        };
        if name == "for_each" {
            this_is_element(on, function, scope);
            continue;
        }
        let own = function.parameters.len().saturating_sub(closure.captured.len());
        let may_be_map = OF_MAPS.contains(&name) && !matches!(on, Type::Array(_));
        let Some((_, from)) = WITHOUT_THIS.iter().find(|(method, _)| *method == name) else {
            continue;
        };
        let from = if may_be_map { 2 } else { *from };
        if own >= from {
            unbound_this(function, scope);
        } else if may_be_map && own == 1 {
            this_is_element(on, function, scope);
        }
    }
}

/// `this` in closures that a variable holds and that are only called with `call`, which binds no
/// `this`.
pub(super) fn called_closures(body: &[Stmt], scope: &Scope<'_>) {
    let mut held = Vec::new();
    any_node(body, |node| {
        if let ASTNode::Stmt(Stmt::Var(var, ..)) = node
            && let Some(closure) = closure(&var.1)
            && let Some(function) = function_of(&closure, scope.file)
        {
            held.push((var.0.name.clone(), function));
        }
        false
    });
    for (name, function) in held {
        if is_only_called(body, &name) {
            unbound_this(function, scope);
        }
    }
}

/// Whether a variable that is declared once is used for nothing except `name.call(…)` and
/// `call(name, …)`.
fn is_only_called(body: &[Stmt], name: &str) -> bool {
    let is_it = |e: &Expr| matches!(e, Expr::Variable(variable, ..) if variable.1 == name);
    let (mut declarations, mut uses, mut calls) = (0, 0, 0);
    let captured = any_node(body, |node| {
        match node {
            ASTNode::Stmt(Stmt::Share(names)) => {
                return names.iter().any(|(shared, _)| shared.name == name);
            }
            ASTNode::Stmt(Stmt::Var(var, ..)) if var.0.name == name => declarations += 1,
            ASTNode::Expr(Expr::Dot(pair, ..)) if is_it(&pair.lhs) => {
                let first = match &pair.rhs {
                    Expr::Dot(rest, ..) | Expr::Index(rest, ..) => &rest.lhs,
                    only => only,
                };
                let called = matches!(first, Expr::MethodCall(call, _) if call.name == "call");
                calls += usize::from(called);
            }
            ASTNode::Expr(Expr::FnCall(call, _)) | ASTNode::Stmt(Stmt::FnCall(call, _)) if call.name == "call" => {
                calls += usize::from(call.args.first().is_some_and(is_it));
            }
            ASTNode::Expr(expression) if is_it(expression) => uses += 1,
            _ => {}
        }
        false
    });
    !captured && declarations == 1 && calls > 0 && uses == calls
}

/// The first `this` in a closure that receives none.
fn unbound_this(closure: &ScriptFunction, scope: &Scope<'_>) {
    any_node(closure.body(), |node| match node {
        ASTNode::Expr(Expr::ThisPtr(at)) => {
            scope.error(*at, THIS_IN_CLOSURE);
            true
        }
        _ => false,
    });
}

/// A variable of the entity or level that a closure looks for in an element that cannot have it.
fn this_is_element(on: Type, closure: &ScriptFunction, scope: &Scope<'_>) {
    use Type as T;
    let Some((name, at)) = first_variable(closure) else {
        return;
    };
    let has_none = match on {
        T::Array(T::Text | T::Name(_) | T::Whole | T::Number | T::Flag) => true,
        T::Array(T::Entity) => !scope.file.vocabulary.names_of(Owner::Entity).contains(&&*name),
        _ => false,
    };
    if has_none {
        let message = format!(
            "in this closure `this` is the element; read `this.{name}` into a `let` before it, or write a `for` loop"
        );
        scope.error(at, message);
    }
}

/// The first variable of `this` that a closure reads, and the position of `this`. One that it
/// sets first belongs to the element.
fn first_variable(closure: &ScriptFunction) -> Option<(String, Position)> {
    let mut found = None;
    let mut set: BTreeSet<String> = BTreeSet::new();
    any_node(closure.body(), |node| {
        match node {
            ASTNode::Stmt(Stmt::Assignment(assignment)) if !assignment.0.is_op_assignment() => {
                let variable = variable_of_this(&assignment.1.lhs);
                set.extend(variable.map(|(name, _)| name.to_string()));
            }
            ASTNode::Expr(expression) => {
                let variable = variable_of_this(expression);
                let read = variable.filter(|(name, _)| !set.contains(*name));
                found = read.map(|(name, at)| (name.to_string(), at));
            }
            _ => {}
        }
        found.is_some()
    });
    found
}
