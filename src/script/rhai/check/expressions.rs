//! Expressions: what is known of their values.

use super::inspect::Role;
use super::types::{OWN_MAP, SOME_ARRAY, at_odds, computed};
use super::walk::Walker;
use crate::script::host::api::{Owner, Room, Type};
use crate::script::host::names::nearest;
use crate::script::rhai::messages::elsewhere;
use rhai::{Expr, FnCallExpr, FnPtr, Ident, Position, Stmt, StmtBlock};
use std::num::NonZeroUsize;

impl Walker<'_> {
    /// Walks through an expression.
    pub fn expression(&mut self, expression: &Expr) -> Type {
        self.value(expression, &[])
    }

    /// Walks through an expression; a closure is given `hints` first.
    pub fn value(&mut self, expression: &Expr, hints: &[Type]) -> Type {
        match expression {
            Expr::BoolConstant(..) => Type::Flag,
            Expr::IntegerConstant(..) => Type::Whole,
            Expr::FloatConstant(..) => Type::Number,
            Expr::StringConstant(text, at) => {
                self.dollars(text, *at);
                Type::Text
            }
            Expr::Unit(_) => Type::Nothing,
            Expr::DynamicConstant(value, _) => match value.read_lock::<FnPtr>() {
                Some(pointer) => {
                    self.closure(&pointer, 0, hints);
                    Type::Function
                }
                None => Type::Any,
            },
            Expr::InterpolatedString(parts, _) => {
                // Its plain parts are no texts of their own.
                let computed = |part: &&Expr| !matches!(part, Expr::StringConstant(..));
                for part in parts.iter().filter(computed) {
                    self.expression(part);
                }
                Type::Text
            }
            Expr::Array(parts, _) => {
                self.each(parts);
                SOME_ARRAY
            }
            Expr::Map(map, _) => {
                for (_, value) in &map.0 {
                    self.expression(value);
                }
                OWN_MAP
            }
            Expr::Variable(variable, _, pos) => {
                if variable.2.is_empty() {
                    self.variable(&variable.1, variable.0.is_some(), *pos)
                } else {
                    self.module_variable(&variable.2, &variable.1, *pos);
                    Type::Any
                }
            }
            Expr::ThisPtr(pos) => {
                if self.role == Role::Test && self.closures == 0 && self.unbound {
                    let what =
                        "`this` is not known in a test: an entity's variables are its `vars`";
                    self.error(*pos, what);
                }
                Type::Any
            }
            Expr::FnCall(call, pos) => self.function_call(call, *pos),
            Expr::Dot(..) | Expr::Index(..) => self.chain(expression, false),
            Expr::And(parts, _) | Expr::Or(parts, _) => {
                for part in parts.iter() {
                    self.condition(part);
                }
                Type::Flag
            }
            Expr::Coalesce(parts, _) => {
                self.each(parts.as_ref());
                Type::Any
            }
            Expr::Stmt(block) => self.block_value(block, hints),
            _ => Type::Any,
        }
    }

    /// `${…}` in a text that does not know it. Who replaces parts of texts may mean it as it stands there.
    fn dollars(&mut self, text: &str, at: Position) {
        let Some((_, rest)) = text.split_once("${") else {
            return;
        };
        let Some((inside, _)) = rest.split_once('}') else {
            return;
        };
        let inside = inside.trim_start();
        let end = inside.find(|c: char| !c.is_alphanumeric() && c != '_');
        let name = &inside[..end.unwrap_or(inside.len())];
        let known = name == "this" || self.is_local(name) || self.is_constant(name);
        let taken_apart = ["replace", "split", "index_of", "contains"]
            .iter()
            .any(|call| self.source.called.contains(*call));
        if known && !taken_apart && self.is_quoted(at) {
            let what = "`${…}` is put in between backquotes only: write `…` instead of \"…\"";
            self.warn(at, what);
        }
    }

    /// A block as a value: a closure that captures something is one, too.
    fn block_value(&mut self, block: &StmtBlock, hints: &[Type]) -> Type {
        if let Some((names, pointer)) = captured_in(block) {
            for (name, index) in names.iter() {
                self.variable(&name.name, index.is_some(), name.pos);
            }
            self.closure(&pointer, names.len(), hints);
            return Type::Function;
        }
        self.block(block.statements())
    }

    /// A variable that is read.
    pub fn variable(&mut self, name: &str, resolved: bool, at: Position) -> Type {
        let known = resolved
            || self.is_local(name)
            || self.source.constants.contains_key(name)
            || !self.source.parameters_of(name).is_empty()
            || self.closures > 0;
        if !known {
            let hint = self.variable_hint(name);
            self.error(at, format!("there is no variable `{name}`{hint}"));
        }
        self.look_up(name)
    }

    fn each(&mut self, parts: &[Expr]) {
        for part in parts {
            self.expression(part);
        }
    }

    /// Whether a variable is none, but what scripts call the world by.
    pub fn is_world(&self, name: &str, resolved: bool) -> bool {
        let known = resolved || self.is_local(name) || self.source.constants.contains_key(name);
        name == "world" && !known && self.vocabulary.room == Room::Behavior
    }

    fn variable_hint(&self, name: &str) -> String {
        if name == "me" && self.role != Role::Test {
            return format!(
                ": a function sees what it is given; take `me` as a parameter: `fn {}`",
                self.with_me
            );
        }
        if name == "self" && self.role != Role::Test {
            return ": it is `this` for the variables and `me` for the entity".into();
        }
        if let Some(right) = elsewhere::variable(name, self.vocabulary.room) {
            return format!("; it is {right}");
        }
        if self.vocabulary.takes(name, 0) {
            return format!("; it is called: `{name}()`");
        }
        let locals = self.locals.iter().map(|(name, _)| name.as_str());
        let constants = self.source.constants.keys().map(String::as_str);
        if let Some(right) = nearest(name, locals.chain(constants)) {
            return format!("; did you mean `{right}`?");
        }
        if self.role != Role::Test && self.source.own_variables().contains(name) {
            return format!("; did you mean `this.{name}`?");
        }
        // What is nobody's here may be the entity's.
        let of_me = self.vocabulary.names_of(Owner::Me);
        let shown = of_me.iter().find(|shown| **shown == name);
        match shown {
            Some(shown) if self.role != Role::Test => format!("; did you mean `me.{shown}`?"),
            _ => String::new(),
        }
    }

    /// Elsewhere what is called each tick is given how long it takes.
    fn tick_hint(&self, sides: &[Expr]) -> &'static str {
        let event = |side: &Expr| match side {
            Expr::Variable(variable, ..) => self.about.as_deref() == Some(variable.1.as_str()),
            _ => false,
        };
        if sides.iter().any(event) {
            "; a hook is given what has happened; how long a tick takes is `world::dt()`"
        } else {
            ""
        }
    }

    /// A function or operator that is called by its bare name.
    pub fn function_call(&mut self, call: &FnCallExpr, at: Position) -> Type {
        if !call.namespace.is_empty() {
            return self.module_call(call, at);
        }
        if !call.is_operator_call() {
            return self.plain_call(call, at);
        }
        let sign = call.name.as_str();
        let types: Vec<Type> = call.args.iter().map(|a| self.expression(a)).collect();
        self.whole_numbers(sign, &call.args, &types, at);
        self.comparison(sign, &call.args, &types, at);
        match types.as_slice() {
            [a, b] => {
                if at_odds(sign, *a, *b) {
                    let kind = |of: &Type| match of {
                        Type::Whole => Type::Number.spoken(),
                        other => other.spoken(),
                    };
                    let hint = self.tick_hint(&call.args);
                    let (a, b) = (kind(a), kind(b));
                    let what = format!("`{sign}` cannot be done with {a} and {b}{hint}");
                    self.error(at, what);
                }
                let text = |of: Type| matches!(of, Type::Text | Type::Name(_));
                if matches!(sign, ".." | "..=") && (text(*a) || text(*b)) {
                    let what = format!(
                        "`{sign}` makes a range of whole numbers; texts are joined with `+`"
                    );
                    self.error(at, what);
                }
                computed(sign, *a, *b)
            }
            [a] if sign == "-" && matches!(a, Type::Whole | Type::Number | Type::Vec) => *a,
            [_] if sign == "!" => Type::Flag,
            _ => Type::Any,
        }
    }
}

/// The variables that a closure captures, and the closure.
type Captured<'e> = (&'e [(Ident, Option<NonZeroUsize>)], FnPtr);

/// What a closure captures, and the closure itself; none if it captures nothing.
pub(super) fn captures(value: &Expr) -> Option<Captured<'_>> {
    match value {
        Expr::Stmt(block) => captured_in(block),
        _ => None,
    }
}

fn captured_in(block: &StmtBlock) -> Option<Captured<'_>> {
    if let [Stmt::Share(names), Stmt::Expr(curry)] = block.statements()
        && let Expr::FnCall(call, _) = &**curry
        && let Some(Expr::DynamicConstant(value, _)) = call.args.first()
        && let Some(pointer) = value.read_lock::<FnPtr>()
    {
        return Some((names, pointer.clone()));
    }
    None
}
