//! `this` inside closures: there it is the element that a closure is called for, or nothing at all.

use super::expressions::captures;
use super::source::{Function, Source, any_node};
use super::walk::Walker;
use crate::script::host::api::{Kind, Owner, Type};
use crate::script::host::{EVENTS, RULES};
use crate::script::rhai::messages::errors::THIS_IN_CLOSURE;
use rhai::{ASTNode, Expr, FnCallExpr, FnPtr, Position, Stmt};
use std::collections::BTreeSet;

/// Methods of lists, and the number of parameters from which on their closures are given no `this`. With
/// fewer it is the element.
const UNBOUND: [(&str, usize); 13] = [
    ("all", 1),
    ("dedup", 0),
    ("drain", 1),
    ("filter", 1),
    ("find", 1),
    ("find_map", 1),
    ("index_of", 1),
    ("map", 1),
    ("reduce", 2),
    ("reduce_rev", 2),
    ("retain", 1),
    ("some", 1),
    ("sort", 0),
];

/// Those of them that maps have, too. There a closure with one parameter is given the key, and the value as
/// `this`.
const OF_MAPS: [&str; 3] = ["drain", "filter", "retain"];

impl Walker<'_> {
    /// `this` in the closures that a method is given.
    pub fn this_in_closures(&mut self, on: Type, list: Option<&Expr>, call: &FnCallExpr) {
        let name = call.name.as_str();
        let own = !self.source.parameters_of(name).is_empty()
            || self.keys.contains(name)
            || self.inspector.survey.keys.contains(name);
        if own {
            return;
        }
        for argument in &call.args {
            let Some((closure, captured)) = closure_of(self.source, argument) else {
                continue;
            };
            if name == "for_each" {
                self.this_of_element(on, closure);
                continue;
            }
            let listed = matches!(on, Type::Array(_)) || matches!(list, Some(Expr::Array(..)));
            let taken = closure.parameters.len().saturating_sub(captured);
            let from = UNBOUND.iter().find(|(method, _)| *method == name);
            let from = from.map(|(_, from)| match *from {
                1 if OF_MAPS.contains(&name) && !listed => 2,
                from => from,
            });
            if from.is_some_and(|from| taken >= from) {
                self.unbound_this(closure);
            } else if from == Some(2) && taken == 1 && OF_MAPS.contains(&name) {
                self.this_of_element(on, closure);
            }
        }
    }

    /// `this` in closures that are kept in a variable, and called by `call` alone.
    pub fn this_in_called(&mut self, body: &[Stmt]) {
        let mut kept = Vec::new();
        any_node(body, |node| {
            if let ASTNode::Stmt(Stmt::Var(var, ..)) = node
                && let Some((closure, _)) = closure_of(self.source, &var.1)
            {
                kept.push((var.0.name.to_string(), closure));
            }
            false
        });
        for (name, closure) in kept {
            if only_called(body, &name) {
                self.unbound_this(closure);
            }
        }
    }

    fn unbound_this(&mut self, closure: &Function) {
        if let Some(at) = this_of(closure) {
            self.error(at, THIS_IN_CLOSURE);
        }
    }

    /// A variable of the entity or level that is looked for in an element.
    fn this_of_element(&mut self, on: Type, closure: &Function) {
        let Some((name, at)) = variable_of(closure) else {
            return;
        };
        let what = format!(
            "inside this closure `this` is the element: put `this.{name}` into a `let` before it, or write a `for`"
        );
        use Type as T;
        let certain = match on {
            T::Array(T::Text | T::Name(_) | T::Whole | T::Number | T::Flag) => true,
            T::Array(T::Entity) => !self.vocabulary.names_of(Owner::Entity).contains(&&*name),
            _ => false,
        };
        match on {
            _ if certain => self.error(at, what),
            _ if self.is_variable(&name) && !self.is_of_maps(&name) => self.warn(at, what),
            _ => {}
        }
    }

    /// Whether it is a variable of the entity or level itself.
    fn is_variable(&self, name: &str) -> bool {
        let mut functions = self.source.functions.values();
        let written = functions.any(|function| {
            any_node(&function.body, |node| match node {
                ASTNode::Stmt(Stmt::Assignment(assignment)) => {
                    property_of_this(&assignment.1.lhs).is_some_and(|(n, _)| n == name)
                }
                _ => false,
            })
        });
        written || self.inspector.known.vars.contains(name)
    }

    /// Whether a map or another value in a list may have a property of this name.
    fn is_of_maps(&self, name: &str) -> bool {
        let known = &self.inspector.known;
        let told = EVENTS.iter().chain(RULES).filter_map(|hook| hook.about);
        let mut scripts = self.inspector.survey.scripts.values().chain([self.source]);
        let read = |e: &crate::script::host::api::Entry| {
            matches!(e.kind, Kind::Property(_)) && e.owner != Owner::Me
        };
        known.unread
            || self.inspector.survey.unread
            || known.inner_vars.contains(name)
            || told.into_iter().any(|shape| shape.field(name).is_some())
            || self.vocabulary.entries(name).any(read)
            || scripts.any(|source| inner(source).contains(name))
    }
}

/// The closure that an expression is, and how much it captures.
fn closure_of<'s>(source: &'s Source, value: &Expr) -> Option<(&'s Function, usize)> {
    if let Some((names, pointer)) = captures(value) {
        return Some((source.closures.get(pointer.fn_name())?, names.len()));
    }
    let Expr::DynamicConstant(value, _) = value else {
        return None;
    };
    let pointer = value.read_lock::<FnPtr>()?;
    Some((source.closures.get(pointer.fn_name())?, 0))
}

/// Where a closure first uses `this`.
fn this_of(closure: &Function) -> Option<Position> {
    let mut at = None;
    any_node(&closure.body, |node| {
        if let ASTNode::Expr(Expr::ThisPtr(here)) = node {
            at = Some(*here);
        }
        at.is_some()
    });
    at
}

/// The first property of `this` that a closure reads or computes with, and where. One that it gives a value
/// is the element's.
fn variable_of(closure: &Function) -> Option<(String, Position)> {
    let mut found: Option<(String, Position)> = None;
    let mut given = BTreeSet::new();
    any_node(&closure.body, |node| {
        if let ASTNode::Stmt(Stmt::Assignment(assignment)) = node
            && !assignment.0.is_op_assignment()
        {
            given.extend(property_of_this(&assignment.1.lhs).map(|(name, _)| name));
        }
        if let ASTNode::Expr(whole) = node
            && let Some((name, at)) = property_of_this(whole)
            && !given.contains(&name)
        {
            found.get_or_insert((name, at));
        }
        false
    });
    found
}

/// The first name behind `this`, and where `this` stands.
fn property_of_this(whole: &Expr) -> Option<(String, Position)> {
    let (Expr::Dot(pair, ..) | Expr::Index(pair, ..)) = whole else {
        return None;
    };
    let Expr::ThisPtr(at) = pair.lhs else {
        return None;
    };
    let first = match &pair.rhs {
        Expr::Dot(rest, ..) | Expr::Index(rest, ..) => &rest.lhs,
        only => only,
    };
    match first {
        Expr::Property(property, _) => Some((property.2.to_string(), at)),
        _ => None,
    }
}

/// Whether a variable is nothing but called.
fn only_called(body: &[Stmt], name: &str) -> bool {
    let is_it = |e: &Expr| matches!(e, Expr::Variable(variable, ..) if variable.1 == name);
    let (mut declared, mut all, mut calls) = (0, 0, 0);
    let shared = any_node(body, |node| {
        match node {
            ASTNode::Stmt(Stmt::Share(names)) => {
                return names.iter().any(|(shared, _)| shared.name == name);
            }
            ASTNode::Stmt(Stmt::Var(var, ..)) if var.0.name == name => declared += 1,
            ASTNode::Expr(Expr::Dot(pair, ..)) if is_it(&pair.lhs) => {
                let first = match &pair.rhs {
                    Expr::Dot(rest, ..) | Expr::Index(rest, ..) => &rest.lhs,
                    only => only,
                };
                let called = matches!(first, Expr::MethodCall(call, _) if call.name == "call");
                calls += usize::from(called);
            }
            ASTNode::Expr(Expr::FnCall(call, _)) | ASTNode::Stmt(Stmt::FnCall(call, _))
                if call.name == "call" =>
            {
                calls += usize::from(call.args.first().is_some_and(is_it));
            }
            ASTNode::Expr(expression) if is_it(expression) => all += 1,
            _ => {}
        }
        false
    });
    !shared && declared == 1 && calls > 0 && all == calls
}

/// Keys that maps may have: of those that a script makes, and what it gives to anything but its variables.
fn inner(source: &Source) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let closures = source.closures.values().map(|function| (function, true));
    let functions = source.functions.values().map(|function| (function, false));
    for (function, closed) in closures.chain(functions) {
        any_node(&function.body, |node| {
            match node {
                ASTNode::Expr(Expr::Map(map, _)) => {
                    names.extend(map.0.iter().map(|(key, _)| key.name.to_string()));
                }
                ASTNode::Stmt(Stmt::Assignment(assignment)) if !assignment.0.is_op_assignment() => {
                    let target = &assignment.1.lhs;
                    let own = property_of_this(target).filter(|_| !closed);
                    let mut written = BTreeSet::new();
                    super::variables::properties(target, &mut written);
                    written.retain(|name| own.as_ref().is_none_or(|(own, _)| own != name));
                    names.extend(written);
                }
                _ => {}
            }
            false
        });
    }
    names
}
