//! Checks of values: comparisons, arithmetic, conditions and loops.

use super::*;

/// One side of an operator.
#[derive(Clone, Copy)]
struct Operand<'e> {
    expression: &'e Expr,
    holds: Type,
}

impl Operand<'_> {
    /// The type that decides whether two values can be equal. Values of different types are
    /// never equal, and neither is the larger one.
    fn comparable(self) -> Option<Type> {
        use Type as T;
        let of = general(self.holds.present());
        let known = matches!(of, T::Number | T::Flag | T::Text | T::Vec | T::Array(_) | T::Map(_) | T::Me | T::Entity);
        known.then_some(of)
    }

    /// The source text, if it is short.
    fn text(self) -> Option<String> {
        source_text(self.expression)
    }
}

impl Scope<'_> {
    /// A comparison whose result is always the same.
    pub fn check_comparison(&self, call: &FnCallExpr, at: Position) {
        let [a, b] = call.args.as_slice() else {
            return;
        };
        let sign = call.name.as_str();
        let (first, second) = (self.operand(a), self.operand(b));
        match sign {
            "==" | "!=" if !self.mismatched(sign, first, second, at) => {
                self.check_compared(first.holds, b);
                self.check_compared(second.holds, a);
            }
            "<" | ">" | "<=" | ">=" => drop(self.mismatched(sign, first, second, at)),
            // `a in list` is parsed as `contains(list, a)`.
            "contains" => {
                // `!"a" in list` is parsed as `(!"a") in list`.
                if let Expr::FnCall(not, _) = b
                    && not.name == "!"
                    && not
                        .args
                        .first()
                        .is_some_and(|it| matches!(general(self.type_of(it)), Type::Text | Type::Number))
                {
                    return self.error(at, NOT_IN);
                }
                self.check_contained(first, second);
            }
            _ => {}
        }
    }

    fn operand<'e>(&self, expression: &'e Expr) -> Operand<'e> {
        Operand { expression, holds: self.type_of(expression) }
    }

    fn check_contained(&self, list: Operand, value: Operand) {
        if let Expr::Array(parts, _) = list.expression {
            for part in parts {
                if !self.mismatched("==", value, self.operand(part), part.start_position()) {
                    self.check_compared(value.holds, part);
                }
            }
        }
        if let Type::Array(holds) = list.holds {
            let item = Operand { holds: *holds, ..list };
            if !self.mismatched("==", value, item, value.expression.start_position()) {
                self.check_compared(*holds, value.expression);
            }
        }
    }

    /// Reports a comparison of values with different types; returns whether it is one.
    fn mismatched(&self, sign: &str, a: Operand, b: Operand, at: Position) -> bool {
        // Two values that both may be `()` may be equal.
        let both_optional = matches!((a.holds, b.holds), (Type::Either(_), Type::Either(_)));
        let (Some(of_a), Some(of_b), false) = (a.comparable(), b.comparable(), both_optional) else {
            return false;
        };
        // A comparison of two literals demonstrates something.
        if of_a == of_b || [a, b].iter().all(|side| side.expression.get_literal_value(None).is_some()) {
            return false;
        }
        let result = if sign == "!=" { "always" } else { "never" };
        let hint = range_hint(sign, a.expression, b.expression)
            .or_else(|| comparison_hint(sign, a, b))
            .or_else(|| comparison_hint(sign, b, a));
        let hint = hint.map_or_else(String::new, |hint| format!("; {hint}"));
        self.error(at, format!("`{sign}` between {} and {} is {result} true{hint}", spoken(of_a), spoken(of_b)));
        true
    }

    /// An arithmetic operator that does not apply to its sides, or does something unexpected.
    pub fn check_operation(&self, call: &FnCallExpr, at: Position) {
        let [left, right] = call.args.as_slice() else {
            return;
        };
        let sign = call.name.as_str();
        let (a, b) = (self.type_of(left), self.type_of(right));
        let is_text = |of: Type| matches!(of, Type::Text | Type::Name(_));
        self.check_kept_operand(sign, &call.args);
        if cannot_compute(sign, a, b) {
            let problem = cannot_apply(sign.replace('%', "/").as_str(), &[&spoken(a), &spoken(b)]);
            // In other engines, the function of each tick receives the length of the tick.
            let event = self.function.event.as_deref();
            let is_event = |side: &Expr| matches!(side, Expr::Variable(v, ..) if event == Some(v.1.as_str()));
            let hint = "; a hook receives its event, so use `world::dt()` for the length of a tick";
            self.error(at, problem + if call.args.iter().any(is_event) { hint } else { "" });
        } else if sign.starts_with("..") && (is_text(a) || is_text(b)) {
            self.error(at, format!("`{sign}` makes a range of whole numbers{JOINED}"));
        } else if sign.starts_with("..") && (self.is_float(left) || self.is_float(right)) {
            self.error(at, NO_RANGE);
        }
        let (Some(x), Some(y)) = (source_text(left), source_text(right)) else {
            return;
        };
        let literals = matches!((left, right), (Expr::IntegerConstant(..), Expr::IntegerConstant(..)));
        match (sign, self.whole(left).zip(self.whole(right))) {
            ("/", Some((n, m))) if n.checked_rem(m).is_some_and(|rest| rest != 0) => {
                let float = match left {
                    Expr::IntegerConstant(..) => format!("{x}.0"),
                    _ => format!("to_float({x})"),
                };
                let whole = n / m;
                let message = format!("`{x} / {y}` is {whole} because both are whole numbers; write `{float} / {y}`");
                self.warn(left.start_position(), message);
            }
            // Two named integers may well be bit flags.
            ("^", _) if literals || (a == Type::Number && is_number(b)) => {
                self.warn(at, format!("`^` is bitwise exclusive or; write `pow({x}, {y})` for a power"));
            }
            _ => {}
        }
    }

    /// `world::kept("best") + 1`, which fails as long as nothing is kept.
    fn check_kept_operand(&self, sign: &str, sides: &[Expr]) {
        if !matches!(sign, "+" | "-" | "*" | "/" | "%") {
            return;
        }
        for side in sides {
            if let Expr::FnCall(call, _) = side
                && let [module] = call.namespace.path.as_slice()
                && self.own_module(&module.name) == Some(Owner::World)
                && call.name == "kept"
            {
                let name = call.args.first().and_then(source_text).unwrap_or_else(|| "…".into());
                let message = format!(
                    "`world::kept({name})` is `()` until something is kept; write `(world::kept({name}) ?? 0)`"
                );
                self.warn(side.start_position(), message);
            }
        }
    }

    /// An integer division in the argument of a function that is used for smooth motion. Elsewhere
    /// the integer may be intended, for example as a number of full seconds.
    pub fn check_whole_steps(&self, call: &FnCallExpr) {
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
            let constant = [a, b].iter().all(|side| self.whole(side).is_some());
            let whole = [a, b].iter().all(|side| self.type_of(side) == Type::Whole);
            if call.name == "/" && whole && !constant {
                let message = format!(
                    "this drops the fraction, as both are whole numbers, and `{name}` moves in steps; write one \
                     of them with a decimal point, as in `60.0`"
                );
                self.warn(*at, message);
            }
        }
    }

    /// A condition that is neither true nor false.
    pub fn check_condition(&self, asked: &Expr) {
        let holds = self.type_of(asked);
        let there = holds.present();
        if matches!(there, Type::Any | Type::Data | Type::Either(_) | Type::Flag | Type::Nothing) {
            return;
        }
        let hint = match holds {
            Type::Either(_) => "; compare it with `()`",
            of if is_number(of) => "; compare it with a number",
            _ => "",
        };
        self.error(asked.start_position(), format!("a condition must be true or false, not {}{hint}", spoken(there)));
    }

    /// The type of the elements that a `for` visits; reports a value that has none.
    pub fn elements_of(&self, of: &Expr) -> Type {
        use Type as T;
        let holds = self.type_of(of);
        let right = match general(holds) {
            T::Array(_) => return if let T::Array(each) = holds { *each } else { T::Any },
            ANY_MAP => "loop over its `.keys()`",
            T::Number => "use a range such as `0..3`",
            T::Flag | T::Vec | T::Me | T::Entity | T::Test => "it takes a range, an array or text",
            _ => return T::Any,
        };
        self.error(of.start_position(), format!("`for` cannot loop over {}; {right}", spoken(holds)));
        T::Any
    }
}

/// The right way to write `a < b < c`.
fn range_hint(sign: &str, a: &Expr, c: &Expr) -> Option<String> {
    let Expr::FnCall(inner, _) = a else {
        return None;
    };
    let (first, [low, middle]) = (inner.name.as_str(), inner.args.as_slice()) else {
        return None;
    };
    let (low, middle, high) = (source_text(low)?, source_text(middle)?, source_text(c)?);
    let orders = [sign, first].iter().all(|sign| matches!(*sign, "<" | ">" | "<=" | ">="));
    orders.then(|| format!("write `{low} {first} {middle} && {middle} {sign} {high}`"))
}

/// The right way to compare `a`, judging by its type and the other side's.
fn comparison_hint(sign: &str, a: Operand, b: Operand) -> Option<String> {
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
            let Type::Map(shape) = a.holds.present() else {
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
