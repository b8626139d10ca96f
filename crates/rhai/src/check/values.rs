//! Checks of values: comparisons, arithmetic, conditions and loops.

use super::names;
use super::numbers::is_floating;
use super::scope::Scope;
use super::syntax::{is_literal, source_text};
use super::types::{ANY_MAP, general, is_number, own_module, present, spoken, type_of};
use crate::messages::operators::JOINED;
use hangtime_script::api::{Owner, Type};
use rhai::{Expr, FnCallExpr, Position};

/// One side of an operator.
#[derive(Clone, Copy)]
struct Operand<'e> {
    expression: &'e Expr,
    holds: Type,
}

impl<'e> Operand<'e> {
    fn of(expression: &'e Expr, scope: &Scope<'_>) -> Self {
        let holds = type_of(expression, scope);
        Self { expression, holds }
    }

    /// The type that decides whether two values can be equal. Values of different types are
    /// never equal, and neither is the larger one.
    fn comparable(self) -> Option<Type> {
        use Type as T;
        let of = general(present(self.holds));
        let known = matches!(of, T::Number | T::Flag | T::Text | T::Vec | T::Array(_) | T::Map(_) | T::Me | T::Entity);
        known.then_some(of)
    }

    /// The source text, if it is short.
    fn text(self) -> Option<String> {
        source_text(self.expression)
    }
}

/// A comparison whose result is always the same.
pub(super) fn comparison(call: &FnCallExpr, at: Position, scope: &Scope<'_>) {
    let [a, b] = call.args.as_slice() else {
        return;
    };
    let sign = call.name.as_str();
    let sides = (Operand::of(a, scope), Operand::of(b, scope));
    match sign {
        "==" | "!=" if !mismatched(sign, sides, at, scope) => {
            names::compared(sides.0.holds, b, scope);
            names::compared(sides.1.holds, a, scope);
        }
        "<" | ">" | "<=" | ">=" => {
            mismatched(sign, sides, at, scope);
        }
        // `a in list` is parsed as `contains(list, a)`.
        "contains" => contained(sides.0, sides.1, scope),
        _ => {}
    }
}

fn contained(list: Operand<'_>, value: Operand<'_>, scope: &Scope<'_>) {
    if let Expr::Array(parts, _) = list.expression {
        for part in parts.iter() {
            let sides = (value, Operand::of(part, scope));
            if !mismatched("==", sides, part.start_position(), scope) {
                names::compared(value.holds, part, scope);
            }
        }
    }
    if let Type::Array(holds) = list.holds {
        let (expression, holds) = (list.expression, *holds);
        let sides = (value, Operand { expression, holds });
        let at = value.expression.start_position();
        if !mismatched("==", sides, at, scope) {
            names::compared(holds, value.expression, scope);
        }
    }
}

/// Reports a comparison of values with different types; returns whether it is one.
fn mismatched(sign: &str, (a, b): (Operand<'_>, Operand<'_>), at: Position, scope: &Scope<'_>) -> bool {
    // Two values that both may be `()` may be equal.
    let both_optional = matches!((a.holds, b.holds), (Type::Either(_), Type::Either(_)));
    let (Some(of_a), Some(of_b), false) = (a.comparable(), b.comparable(), both_optional) else {
        return false;
    };
    // A comparison of two literals demonstrates something.
    if of_a == of_b || (is_literal(a.expression) && is_literal(b.expression)) {
        return false;
    }
    let result = if sign == "!=" { "always" } else { "never" };
    let hint = range_hint(sign, a.expression, b.expression)
        .or_else(|| comparison_hint(sign, a, b))
        .or_else(|| comparison_hint(sign, b, a));
    let hint = hint.map_or_else(String::new, |hint| format!("; {hint}"));
    let (first, second) = (spoken(of_a), spoken(of_b));
    let message = format!("`{sign}` between {first} and {second} is {result} true{hint}");
    scope.error(at, message);
    true
}

/// The right way to write `a < b < c`.
fn range_hint(sign: &str, a: &Expr, c: &Expr) -> Option<String> {
    let Expr::FnCall(inner, _) = a else {
        return None;
    };
    let [low, middle] = inner.args.as_slice() else {
        return None;
    };
    let orders = |sign: &str| matches!(sign, "<" | ">" | "<=" | ">=");
    if !orders(sign) || !orders(&inner.name) {
        return None;
    }
    let (low, middle, high) = (source_text(low)?, source_text(middle)?, source_text(c)?);
    let first = &inner.name;
    let right = format!("{low} {first} {middle} && {middle} {sign} {high}");
    Some(format!("write `{right}`"))
}

/// The right way to compare `a`, judging by its type and that of the other side.
fn comparison_hint(sign: &str, a: Operand<'_>, b: Operand<'_>) -> Option<String> {
    let name = a.text();
    let literal = match b.expression {
        Expr::StringConstant(text, _) => Some(text.as_str()),
        _ => None,
    };
    let right = match (a.comparable()?, b.comparable()?) {
        (Type::Vec, Type::Number) => {
            let name = name.unwrap_or_else(|| "v".into());
            format!("`{name}.x`, `{name}.y` or `{name}.length()`")
        }
        (Type::Flag, Type::Text) if matches!(literal, Some("true" | "false")) => "true and false without quotes".into(),
        (Type::Flag, Type::Number) if !matches!(a.expression, Expr::BoolConstant(..)) => {
            format!("`{0}` or `!{0}`", name?)
        }
        (Type::Number, Type::Text) if literal?.parse::<f64>().is_ok() => {
            format!("the number without quotes: `{}`", literal?)
        }
        (Type::Number, Type::Text) if name.as_ref()?.ends_with(".facing") => "1 for +x or -1 for -x".into(),
        (Type::Array(_), Type::Text) if matches!(sign, "==" | "!=") => {
            let not = if sign == "!=" { "!" } else { "" };
            format!("`{} {not}in {}`", b.text()?, name?)
        }
        (Type::Me | Type::Entity, Type::Text) | (Type::Me, Type::Entity) => {
            return Some(format!("compare its name, `{}.name`", name?));
        }
        (Type::Map(_), Type::Text) => {
            let Type::Map(shape) = present(a.holds) else {
                return None;
            };
            let field = shape.fields().find(|field| match field.holds {
                Type::Name(names) => names.fixed().is_some_and(|all| all.iter().any(|n| Some(n.as_str()) == literal)),
                _ => false,
            })?;
            format!("`{}.{}`", name?, field.name)
        }
        _ => return None,
    };
    Some(format!("write {right}"))
}

/// An arithmetic operator that does not apply to its sides, or does something unexpected.
pub(super) fn operation(call: &FnCallExpr, at: Position, scope: &Scope<'_>) {
    let [left, right] = call.args.as_slice() else {
        return;
    };
    let sign = call.name.as_str();
    let (a, b) = (type_of(left, scope), type_of(right, scope));
    let is_text = |of: Type| matches!(of, Type::Text | Type::Name(_));
    kept(sign, &call.args, scope);
    if cannot_compute(sign, a, b) {
        let (a, b) = (spoken(a), spoken(b));
        let problem = match sign {
            "+" => format!("cannot add {b} to {a}"),
            "-" => format!("cannot subtract {b} from {a}"),
            "*" => format!("cannot multiply {a} by {b}"),
            _ => format!("cannot divide {a} by {b}"),
        };
        let hint = tick_hint(&call.args, scope);
        scope.error(at, format!("{problem}{hint}"));
    } else if matches!(sign, ".." | "..=") && (is_floating(left, scope) || is_floating(right, scope)) {
        scope.error(at, "a range needs whole numbers; write `to_int(…)`");
    } else if matches!(sign, ".." | "..=") && (is_text(a) || is_text(b)) {
        let message = format!("`{sign}` makes a range of whole numbers{JOINED}");
        scope.error(at, message);
    }
    let (Some(x), Some(y)) = (source_text(left), source_text(right)) else {
        return;
    };
    let literals = matches!((left, right), (Expr::IntegerConstant(..), Expr::IntegerConstant(..)));
    match (sign, scope.whole(left).zip(scope.whole(right))) {
        ("/", Some((n, m))) if n.checked_rem(m).is_some_and(|rest| rest != 0) => {
            let float = match left {
                Expr::IntegerConstant(..) => format!("{x}.0"),
                _ => format!("to_float({x})"),
            };
            let whole = n / m;
            let message = format!("`{x} / {y}` is {whole} because both are whole numbers; write `{float} / {y}`");
            scope.warn(left.start_position(), message);
        }
        // Two named integers may well be bit flags.
        ("^", _) if literals || (a == Type::Number && is_number(b)) => {
            let message = format!("`^` is bitwise exclusive or; write `pow({x}, {y})` for a power");
            scope.warn(at, message);
        }
        _ => {}
    }
}

/// `world::kept("best") + 1`, which fails as long as nothing is kept.
fn kept(sign: &str, sides: &[Expr], scope: &Scope<'_>) {
    if !matches!(sign, "+" | "-" | "*" | "/" | "%") {
        return;
    }
    for side in sides {
        if let Expr::FnCall(call, _) = side
            && let [module] = call.namespace.path.as_slice()
            && own_module(&module.name, scope) == Some(Owner::World)
            && call.name == "kept"
        {
            let name = call.args.first().and_then(source_text);
            let name = name.unwrap_or_else(|| "…".into());
            let message =
                format!("`world::kept({name})` is `()` until something is kept; write `(world::kept({name}) ?? 0)`");
            scope.warn(side.start_position(), message);
        }
    }
}

/// Whether an operator never applies to two types: vecs, numbers and maps mixed up.
fn cannot_compute(sign: &str, a: Type, b: Type) -> bool {
    let map = |of: Type| matches!(of, Type::Map(_));
    if (map(a) && is_number(b)) || (is_number(a) && map(b)) {
        return matches!(sign, "+" | "-" | "*" | "/" | "%");
    }
    let (v, w) = (a == Type::Vec, b == Type::Vec);
    match sign {
        "+" | "-" => (v && is_number(b)) || (is_number(a) && w),
        "*" => v && w,
        "/" => w && (v || is_number(a)),
        _ => false,
    }
}

/// In other engines, the function of each tick receives the length of the tick.
fn tick_hint(sides: &[Expr], scope: &Scope<'_>) -> &'static str {
    let is_event = |side: &Expr| match side {
        Expr::Variable(variable, ..) => scope.function.event.as_deref() == Some(variable.1.as_str()),
        _ => false,
    };
    if sides.iter().any(is_event) {
        "; a hook receives its event, so use `world::dt()` for the length of a tick"
    } else {
        ""
    }
}

/// An integer division in the argument of a function that is used for smooth motion. Elsewhere
/// the integer may be intended, for example as a number of full seconds.
pub(super) fn whole_steps(call: &FnCallExpr, scope: &Scope<'_>) {
    let name = call.name.as_str();
    if !matches!(name, "sin" | "cos" | "tan") {
        return;
    }
    let mut open: Vec<&Expr> = call.args.iter().collect();
    while let Some(next) = open.pop() {
        let Expr::FnCall(call, at) = next else {
            continue;
        };
        let [a, b] = call.args.as_slice() else {
            continue;
        };
        if matches!(call.name.as_str(), "+" | "-" | "*") {
            open.extend([a, b]);
            continue;
        }
        let constant = scope.whole(a).is_some() && scope.whole(b).is_some();
        let whole = [a, b].map(|side| type_of(side, scope) == Type::Whole);
        if call.name == "/" && whole == [true, true] && !constant {
            let message = format!(
                "this drops the fraction, as both are whole numbers, and `{name}` moves in steps; write one \
                 of them with a decimal point, as in `60.0`"
            );
            scope.warn(*at, message);
        }
    }
}

/// A condition that is neither true nor false.
pub(super) fn condition(asked: &Expr, scope: &Scope<'_>) {
    let holds = type_of(asked, scope);
    let there = present(holds);
    if matches!(there, Type::Any | Type::Data | Type::Either(_) | Type::Flag | Type::Nothing) {
        return;
    }
    let hint = match holds {
        Type::Either(_) => "; compare it with `()`",
        of if is_number(of) => "; compare it with a number",
        _ => "",
    };
    let message = format!("a condition must be true or false, not {}{hint}", spoken(there));
    scope.error(asked.start_position(), message);
}

/// The type of the elements that a `for` visits; reports a value that has none.
pub(super) fn elements(of: &Expr, scope: &Scope<'_>) -> Type {
    use Type as T;
    let holds = type_of(of, scope);
    let right = match general(holds) {
        T::Array(_) => {
            return match holds {
                T::Array(each) => *each,
                _ => T::Any,
            };
        }
        ANY_MAP => "loop over its `.keys()`",
        T::Number => "use a range such as `0..3`",
        T::Flag | T::Vec | T::Me | T::Entity | T::Test => "it takes a range, an array or text",
        _ => return T::Any,
    };
    let message = format!("`for` cannot loop over {}; {right}", spoken(holds));
    scope.error(of.start_position(), message);
    T::Any
}
