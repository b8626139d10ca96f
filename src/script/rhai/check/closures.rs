//! Checks of closures: `this` in them is an element of a list, or nothing at all.

use super::scope::{FileContext, Scope};
use super::source::ScriptFunction;
use super::syntax::{ChainStep, ClosureLiteral, any_node, chain, closure, variable_of_this};
use crate::script::host::api::{Entry, Kind, Owner, Type};
use crate::script::host::{EVENTS, RULES};
use crate::script::rhai::messages::errors::THIS_IN_CLOSURE;
use rhai::{ASTNode, Expr, FnCallExpr, Position, Stmt};
use std::collections::BTreeSet;

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

fn function_of<'a>(
    closure: &ClosureLiteral<'_>,
    file: &FileContext<'a>,
) -> Option<&'a ScriptFunction> {
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
        let own = function
            .parameters
            .len()
            .saturating_sub(closure.captured.len());
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

/// `this` in closures that are stored in a local variable, and only called by `call`.
pub(super) fn called_closures(body: &[Stmt], scope: &Scope<'_>) {
    let mut kept = Vec::new();
    any_node(body, |node| {
        if let ASTNode::Stmt(Stmt::Var(var, ..)) = node
            && let Some(function) = closure(&var.1).and_then(|c| function_of(&c, scope.file))
        {
            kept.push((var.0.name.to_string(), function));
        }
        false
    });
    for (name, function) in kept {
        if only_called(body, &name) {
            unbound_this(function, scope);
        }
    }
}

/// The first `this` in a closure that receives none.
fn unbound_this(closure: &ScriptFunction, scope: &Scope<'_>) {
    any_node(&closure.body, |node| match node {
        ASTNode::Expr(Expr::ThisPtr(at)) => {
            scope.error(*at, THIS_IN_CLOSURE);
            true
        }
        _ => false,
    });
}

/// A variable of the entity or level that a closure looks for in an element.
fn this_is_element(on: Type, closure: &ScriptFunction, scope: &Scope<'_>) {
    use Type as T;
    let Some((name, at)) = first_variable(closure) else {
        return;
    };
    let message = format!(
        "in this closure `this` is the element; read `this.{name}` into a `let` before it, or write a `for` loop"
    );
    let file = scope.file;
    let certain = match on {
        T::Array(T::Text | T::Name(_) | T::Whole | T::Number | T::Flag) => true,
        T::Array(T::Entity) => !file.vocabulary.names_of(Owner::Entity).contains(&&*name),
        _ => false,
    };
    if certain {
        scope.error(at, message);
    } else if is_own_variable(&name, file) && !may_be_field(&name, file) {
        scope.warn(at, message);
    }
}

/// Whether the entity or level has a variable with this name.
fn is_own_variable(name: &str, file: &FileContext<'_>) -> bool {
    let mut functions = file.script.functions.values();
    let assigned = |node: &ASTNode<'_>| match node {
        ASTNode::Stmt(Stmt::Assignment(set)) => {
            variable_of_this(&set.1.lhs).is_some_and(|(n, _)| n == name)
        }
        _ => false,
    };
    file.known.vars.contains(name) || functions.any(|f| any_node(&f.body, assigned))
}

/// Whether an element of a list may have a property or field with this name.
fn may_be_field(name: &str, file: &FileContext<'_>) -> bool {
    let shapes = EVENTS.iter().chain(RULES).filter_map(|hook| hook.about);
    let mut scripts = file.game.scripts.values().chain([file.script]);
    let property = |e: &Entry| matches!(e.kind, Kind::Property(_)) && e.owner != Owner::Me;
    file.known.unread
        || file.game.unread
        || file.known.inner_vars.contains(name)
        || shapes.into_iter().any(|shape| shape.field(name).is_some())
        || file.vocabulary.entries(name).any(property)
        || scripts.any(|script| script.map_keys().contains(name))
}

/// The first variable of `this` that a closure reads, and the position of `this`. One that it
/// sets first belongs to the element.
fn first_variable(closure: &ScriptFunction) -> Option<(String, Position)> {
    let mut found = None;
    let mut set: BTreeSet<String> = BTreeSet::new();
    any_node(&closure.body, |node| {
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

/// Whether a variable is only used by `f.call(…)` and `call(f, …)`.
fn only_called(body: &[Stmt], name: &str) -> bool {
    let is_it = |e: &Expr| matches!(e, Expr::Variable(variable, ..) if variable.1 == name);
    let (mut declared, mut uses, mut calls) = (0, 0, 0);
    let captured = any_node(body, |node| {
        match node {
            ASTNode::Stmt(Stmt::Share(names)) => {
                return names.iter().any(|(captured, _)| captured.name == name);
            }
            ASTNode::Stmt(Stmt::Var(var, ..)) => declared += usize::from(var.0.name == name),
            ASTNode::Expr(expression @ Expr::Dot(..)) => {
                let (root, steps) = chain(expression);
                let called = matches!(steps[0], ChainStep::Method(call, _) if call.name == "call");
                calls += usize::from(called && is_it(root));
            }
            ASTNode::Expr(Expr::FnCall(call, _)) | ASTNode::Stmt(Stmt::FnCall(call, _)) => {
                let called = call.name == "call" && call.args.first().is_some_and(is_it);
                calls += usize::from(called);
            }
            ASTNode::Expr(expression) => uses += usize::from(is_it(expression)),
            _ => {}
        }
        false
    });
    !captured && declared == 1 && calls > 0 && uses == calls
}
