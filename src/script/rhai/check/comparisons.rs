//! Comparisons whose answer is known before anything runs.

use super::chain::links;
use super::labels::labels;
use super::types::present;
use super::walk::Walker;
use crate::script::host::api::{Names, Type};
use crate::script::host::names::suggestion;
use rhai::{Expr, Position};
use std::collections::BTreeSet;

/// What a value is to a comparison. Two of different sorts are never equal, and neither is the larger: Rhai
/// answers false without a word, and true to `!=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Number,
    Flag,
    Text,
    Vec,
    Array,
    Map,
    Me,
    Entity,
}

impl Sort {
    /// That of a type; none if it may be several.
    fn of(of: Type) -> Option<Self> {
        match present(of) {
            Type::Whole | Type::Number => Some(Self::Number),
            Type::Flag => Some(Self::Flag),
            Type::Text | Type::Name(_) => Some(Self::Text),
            Type::Vec => Some(Self::Vec),
            Type::Array(_) => Some(Self::Array),
            Type::Map(_) => Some(Self::Map),
            Type::Me => Some(Self::Me),
            Type::Entity | Type::Live => Some(Self::Entity),
            _ => None,
        }
    }

    fn spoken(self) -> &'static str {
        match self {
            Self::Number => "a number",
            Self::Flag => "true or false",
            Self::Text => "text",
            Self::Vec => "a vec",
            Self::Array => "an array",
            Self::Map => "a map",
            Self::Me => "`me`",
            Self::Entity => "an entity",
        }
    }
}

/// A side of a comparison: as it is written, and what is known of it.
type Side<'e> = (&'e Expr, Type);

impl Walker<'_> {
    /// A comparison with what a value never is.
    pub fn comparison(&mut self, sign: &str, sides: &[Expr], types: &[Type], at: Position) {
        let ([a, b], [of_a, of_b]) = (sides, types) else {
            return;
        };
        match sign {
            "==" | "!=" if !self.settled(sign, (a, *of_a), (b, *of_b), at) => {
                self.compared(*of_a, b);
                self.compared(*of_b, a);
            }
            "<" | ">" | "<=" | ">=" => {
                self.settled(sign, (a, *of_a), (b, *of_b), at);
            }
            // `name in ["a", "b"]`, and `"a" in names`.
            "contains" => self.contained((a, *of_a), (b, *of_b)),
            _ => {}
        }
    }

    /// The labels of a `switch` over a value.
    pub fn labels(&mut self, value: &Expr, holds: Type, at: Position) {
        if Sort::of(holds).is_none() {
            return;
        }
        for label in labels(&self.inspector.engine, &self.source.file, at) {
            let of_label = self.quietly(|walker| walker.expression(&label));
            let place = label.start_position();
            if !self.settled("switch", (value, holds), (&label, of_label), place) {
                self.compared(holds, &label);
            }
        }
    }

    fn contained(&mut self, (list, of_list): Side<'_>, (value, of_value): Side<'_>) {
        if let Expr::Array(parts, _) = list {
            for part in parts.iter() {
                let of_part = self.quietly(|walker| walker.expression(part));
                let at = part.start_position();
                if !self.settled("==", (value, of_value), (part, of_part), at) {
                    self.compared(of_value, part);
                }
            }
        }
        if let Type::Array(each) = of_list {
            let at = value.start_position();
            if !self.settled("==", (value, of_value), (list, *each), at) {
                self.compared(*each, value);
            }
        }
    }

    /// Whether two values are of different sorts, which is told.
    fn settled(&mut self, sign: &str, a: Side<'_>, b: Side<'_>, at: Position) -> bool {
        // Two that may both be nothing may be equal.
        let open = matches!((a.1, b.1), (Type::Either(_), Type::Either(_)));
        let (Some(of_a), Some(of_b), false) = (Sort::of(a.1), Sort::of(b.1), open) else {
            return false;
        };
        // Who compares two literals shows what comes of it.
        let shown = is_literal(a.0) && is_literal(b.0);
        if of_a == of_b || shown {
            return false;
        }
        let answer = if sign == "!=" { "always" } else { "never" };
        let (first, second) = (of_a.spoken(), of_b.spoken());
        let hint = between(sign, a.0, b.0)
            .or_else(|| instead(sign, a, of_a, b, of_b))
            .or_else(|| instead(sign, b, of_b, a, of_a));
        let hint = hint.map_or_else(String::new, |hint| format!("; {hint}"));
        let what = match sign {
            "switch" => format!("this is never met by {first}: it is {second}{hint}"),
            _ => format!("`{sign}` between {first} and {second} is {answer} true{hint}"),
        };
        self.error(at, what);
        true
    }

    /// A text that a name is compared with.
    pub fn compared(&mut self, of: Type, with: &Expr) {
        let (Type::Name(names), Some((text, at))) = (of, self.text(with)) else {
            return;
        };
        let game = &self.inspector.known;
        match names {
            Names::Surface => {
                let known = game.surfaces.clone();
                self.unknown("surface", "this game has no surface", &text, &known, at);
            }
            Names::Solid => {
                let known = game.solids.clone();
                self.unknown("solid", "no level has a solid", &text, &known, at);
            }
            Names::Zone => {
                let known = game.zones.clone();
                self.unknown("zone", "no level has a zone", &text, &known, at);
            }
            Names::Entity => self.entity(&text, at),
            // The level's own events say that it is of this kind.
            Names::Kind if text != "level" => {
                let known = game.kinds.clone();
                self.unknown("kind", "there is no kind", &text, &known, at);
            }
            Names::Model | Names::Mode | Names::HookState => {
                let known: BTreeSet<String> =
                    names.fixed().unwrap_or_default().into_iter().collect();
                if !known.contains(&text) {
                    let hint = suggestion(&text, known.iter().map(String::as_str));
                    self.warn(at, format!("this is never `{text}`{hint}"));
                }
            }
            _ => {}
        }
    }
}

fn is_literal(expression: &Expr) -> bool {
    expression.get_literal_value(None).is_some()
}

/// What was meant by `a < b < c`.
fn between(sign: &str, a: &Expr, c: &Expr) -> Option<String> {
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
    let (low, middle, high) = (written(low)?, written(middle)?, written(c)?);
    let first = &inner.name;
    Some(format!(
        "write `{low} {first} {middle} && {middle} {sign} {high}`"
    ))
}

/// What was meant by a comparison of two sorts, as far as the first of them says so.
fn instead(sign: &str, a: Side<'_>, of_a: Sort, b: Side<'_>, of_b: Sort) -> Option<String> {
    let name = written(a.0);
    let name = name.as_deref();
    let text = match b.0 {
        Expr::StringConstant(text, _) => Some(text.as_str()),
        _ => None,
    };
    match (of_a, of_b) {
        (Sort::Vec, Sort::Number) => {
            let name = name.unwrap_or("v");
            Some(format!("write `{name}.x`, `{name}.y` or `{name}.length()`"))
        }
        (Sort::Flag, Sort::Text) if matches!(text, Some("true" | "false")) => {
            Some("true and false stand without quotes".into())
        }
        (Sort::Flag, Sort::Number) if !matches!(a.0, Expr::BoolConstant(..)) => {
            Some(format!("ask for `{0}` or `!{0}`", name?))
        }
        (Sort::Number, Sort::Text) if text?.parse::<f64>().is_ok() => {
            Some(format!("a number stands without quotes: `{}`", text?))
        }
        (Sort::Number, Sort::Text) if name?.ends_with(".facing") => {
            Some("it is 1 towards +x and -1 towards -x".into())
        }
        (Sort::Array, Sort::Text) if matches!(sign, "==" | "!=") => {
            let not = if sign == "!=" { "!" } else { "" };
            Some(format!("write `{} {not}in {}`", written(b.0)?, name?))
        }
        (Sort::Me | Sort::Entity, Sort::Text) | (Sort::Me, Sort::Entity) => {
            Some(format!("compare its name: `{}.name`", name?))
        }
        (Sort::Map, Sort::Text) => {
            let Type::Map(shape) = present(a.1) else {
                return None;
            };
            let mut fields = shape.fields();
            let field = fields.find(|field| match field.holds {
                Type::Name(names) => names
                    .fixed()
                    .is_some_and(|all| all.iter().any(|n| Some(&**n) == text)),
                _ => false,
            })?;
            Some(format!("write `{}.{}`", name?, field.name))
        }
        _ => None,
    }
}

/// A short expression as it is written: a literal, or a variable with what it has.
pub(super) fn written(expression: &Expr) -> Option<String> {
    match expression {
        Expr::IntegerConstant(n, _) => Some(n.to_string()),
        Expr::FloatConstant(n, _) => Some(n.to_string()),
        Expr::StringConstant(text, _) => Some(format!("{text:?}")),
        Expr::BoolConstant(flag, _) => Some(flag.to_string()),
        Expr::ThisPtr(_) => Some("this".into()),
        Expr::Variable(variable, ..) if variable.2.is_empty() => Some(variable.1.to_string()),
        Expr::Dot(..) => {
            let (root, steps) = links(expression);
            let mut text = written(root)?;
            for step in &steps {
                text += &format!(".{}", step.property()?);
            }
            Some(text)
        }
        _ => None,
    }
}
