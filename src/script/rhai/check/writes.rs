//! Assignments: what cannot be written, and what cannot be kept in `this`.

use super::chain::{Link, last_property, links};
use super::source::start;
use super::types::{fits, unkept};
use super::walk::Walker;
use crate::script::host::api::Type;
use rhai::{BinaryExpr, Expr, FnCallExpr, Position};

/// What adds its argument to a list.
const ADDING: [&str; 3] = ["push", "insert", "append"];

/// Methods of arrays and maps that change them.
const CHANGING: [&str; 20] = [
    "append",
    "chop",
    "clear",
    "dedup",
    "drain",
    "fill_with",
    "for_each",
    "insert",
    "mixin",
    "pad",
    "pop",
    "push",
    "remove",
    "retain",
    "reverse",
    "set",
    "shift",
    "sort",
    "splice",
    "truncate",
];

impl Walker<'_> {
    /// An assignment.
    pub fn assignment(&mut self, sides: &BinaryExpr, computes: bool) {
        let given = self.expression(&sides.rhs);
        match &sides.lhs {
            Expr::Variable(variable, _, at) if variable.2.is_empty() => {
                self.assigned_variable(&variable.1, variable.0.is_some(), *at);
            }
            Expr::ThisPtr(at) => self.all_variables(given, *at),
            target => {
                let wanted = self.chain(target, true);
                self.facing(target, &sides.rhs, computes);
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

    /// A side that nobody can face.
    fn facing(&mut self, target: &Expr, value: &Expr, computes: bool) {
        let number = value.get_literal_value(None);
        let none = number.and_then(|n| n.as_float().or_else(|_| n.as_int().map(|n| n as f64)).ok());
        let (root, steps) = links(target);
        let of_me = matches!(steps.as_slice(), [Link::Property("facing", _)])
            && matches!(root, Expr::Variable(..))
            && self.quietly(|walker| walker.expression(root)) == Type::Me;
        if of_me && !computes && none == Some(0.0) {
            self.error(start(value), "`me.facing` is 1 or -1, not 0");
        }
    }

    /// What would change a constant, or a part of it.
    pub fn constant_changed(&mut self, name: &str, links: &[Link<'_>], writes: bool, at: Position) {
        if self.is_local(name) || !self.is_constant(name) {
            return;
        }
        if writes {
            let what = format!("`{name}` is a constant; what changes belongs in `this`");
            return self.error(at, what);
        }
        let parts = |link: &&Link<'_>| !matches!(link, Link::Method(..));
        let Some(Link::Method(call, at)) = links.iter().find(|link| !parts(link)) else {
            return;
        };
        let method = call.name.as_str();
        let own = !self.source.parameters_of(method).is_empty()
            || self.keys.contains(method)
            || self.inspector.survey.keys.contains(method);
        let plain = matches!(self.look_up(name), Type::Array(_) | Type::Map(_));
        if plain && !own && CHANGING.contains(&method) {
            let what = format!(
                "`{name}` is a constant, which `{method}` would change: `let` makes a copy that can be changed"
            );
            self.error(*at, what);
        }
    }

    /// An assignment to `this` as a whole. A map has the variables that are to be.
    fn all_variables(&mut self, given: Type, at: Position) {
        use Type as T;
        let unknown = matches!(given, T::Any | T::Data | T::Either(_) | T::Map(_));
        if self.on_variables && self.closures == 0 && !unknown {
            let what = "`this` are all the variables, which would be gone: write `this.name = …`";
            self.error(at, what);
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
        if let Some((what, hint, at)) = self.cannot_stay(value) {
            let what = format!(
                "`{path}` cannot be kept: it is {what}; variables are numbers, text, true or false, (), \
                 vecs, and arrays and maps of them{hint}"
            );
            self.error(at, what);
        }
    }

    /// What in a value cannot be kept, what is kept instead, and where it stands.
    fn cannot_stay(&mut self, value: &Expr) -> Option<(String, &'static str, Position)> {
        match value {
            Expr::Array(parts, _) => parts.iter().find_map(|part| self.cannot_stay(part)),
            Expr::Map(map, _) => map.0.iter().find_map(|(_, part)| self.cannot_stay(part)),
            Expr::FnCall(call, _) if matches!(call.name.as_str(), ".." | "..=") => {
                let hint = "; keep its two ends";
                let at = start(call.args.first().unwrap_or(value));
                Some(("a range".into(), hint, at))
            }
            _ => {
                let holds = self.quietly(|walker| walker.expression(value));
                let what = unkept(holds)?;
                let hint = match what {
                    Type::Entity => "; keep its name",
                    Type::Me => "; every function of the script is given it",
                    _ => "",
                };
                Some((what.spoken(), hint, value.start_position()))
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
