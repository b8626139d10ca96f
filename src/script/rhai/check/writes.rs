//! Assignments: what cannot be written, and what cannot be kept in `this`.

use super::chain::last_property;
use super::source::start;
use super::types::{fits, unkept};
use super::walk::Walker;
use crate::script::host::api::Type;
use rhai::{BinaryExpr, Expr, FnCallExpr, Position};

/// What adds its argument to a list.
const ADDING: [&str; 3] = ["push", "insert", "append"];

impl Walker<'_> {
    /// An assignment.
    pub fn assignment(&mut self, sides: &BinaryExpr, computes: bool) {
        let given = self.expression(&sides.rhs);
        match &sides.lhs {
            Expr::Variable(variable, _, at) if variable.2.is_empty() => {
                self.assigned_variable(&variable.1, variable.0.is_some(), *at);
            }
            target => {
                let wanted = self.chain(target, true);
                if let (Some(name), false) =
                    (last_property(target), computes || fits(given, wanted))
                {
                    // A property takes whole numbers and others alike.
                    let plain = |of: Type| match of {
                        Type::Whole => Type::Number.spoken(),
                        other => other.spoken(),
                    };
                    let (wanted, given) = (plain(wanted), plain(given));
                    let what = format!("`{name}` is {wanted}, not {given}");
                    self.error(start(&sides.rhs), what);
                }
                if let Some(path) = path_of_this(target) {
                    self.kept(&path, &sides.rhs);
                }
            }
        }
    }

    fn assigned_variable(&mut self, name: &str, resolved: bool, at: Position) {
        if resolved || self.is_local(name) {
            return;
        }
        if self.source.constants.contains_key(name) {
            let what = format!("`{name}` is a constant; what changes belongs in `this`");
            self.error(at, what);
        } else {
            self.variable(name, false, at);
        }
    }

    /// A value that is added to a list in `this`.
    pub fn added(&mut self, list: &Expr, call: &FnCallExpr) {
        if ADDING.contains(&call.name.as_str())
            && let (Some(path), Some(value)) = (path_of_this(list), call.args.last())
        {
            self.kept(&path, value);
        }
    }

    /// A value that is to stay in `this`.
    fn kept(&mut self, path: &str, value: &Expr) {
        if self
            .rewritten
            .contains(path.split('.').nth(1).unwrap_or_default())
        {
            return;
        }
        if let Some((what, at)) = self.cannot_stay(value) {
            let hint = match what {
                Type::Entity => "; keep its name",
                Type::Me => "; every function of the script is given it",
                _ => "",
            };
            let what = format!(
                "`{path}` cannot be kept: it is {}; variables are numbers, text, true or false, (), \
                 vecs, and arrays and maps of them{hint}",
                what.spoken()
            );
            self.error(at, what);
        }
    }

    /// What in a value cannot be kept, and where it stands.
    fn cannot_stay(&mut self, value: &Expr) -> Option<(Type, Position)> {
        match value {
            Expr::Array(parts, _) => parts.iter().find_map(|part| self.cannot_stay(part)),
            Expr::Map(map, _) => map.0.iter().find_map(|(_, part)| self.cannot_stay(part)),
            _ => {
                let holds = self.quietly(|walker| walker.expression(value));
                unkept(holds).map(|what| (what, value.start_position()))
            }
        }
    }
}

/// A variable of `this` as it is written: `this.x`, or `this.list` of `this.list[0].x`.
fn path_of_this(target: &Expr) -> Option<String> {
    let (Expr::Dot(pair, ..) | Expr::Index(pair, ..)) = target else {
        return None;
    };
    let mut first = &pair.rhs;
    if !matches!(pair.lhs, Expr::ThisPtr(_)) {
        return None;
    }
    while let Expr::Dot(pair, ..) | Expr::Index(pair, ..) = first {
        first = &pair.lhs;
    }
    match first {
        Expr::Property(property, _) => Some(format!("this.{}", property.2)),
        _ => None,
    }
}
