//! What is known of a value without running the script: a type, or nothing.

use crate::script::host::api::{Owner, Shape, Type};

/// A map that a script has made itself: it has whatever fields.
const OWN: Shape = Shape {
    name: "map",
    common: &[],
    own: &[],
};

/// Its type.
pub(super) const OWN_MAP: Type = Type::Map(&OWN);

/// An array of which no more is known.
pub(super) const SOME_ARRAY: Type = Type::Array(&Type::Any);

/// The shape of a map whose fields are all known. An event's of any name are not.
pub(super) fn closed(of: Type) -> Option<&'static Shape> {
    match of {
        Type::Map(shape) if !shape.own.is_empty() || shape.name.starts_with("event of") => {
            Some(shape)
        }
        _ => None,
    }
}

/// Whose the names are that such a value has.
pub(super) fn owner(of: Type) -> Option<Owner> {
    match of {
        Type::Me => Some(Owner::Me),
        Type::Entity => Some(Owner::Entity),
        Type::Vec => Some(Owner::Vec),
        Type::Test => Some(Owner::Test),
        Type::Live => Some(Owner::Live),
        Type::Snapshot => Some(Owner::Snapshot),
        Type::Expectation => Some(Owner::Expectation),
        _ => None,
    }
}

/// What it is if it is there at all: without `()`, if that leaves one type.
pub(super) fn present(of: Type) -> Type {
    let Type::Either(types) = of else {
        return of;
    };
    let mut there = types.iter().filter(|t| **t != Type::Nothing);
    match (there.next(), there.next()) {
        (Some(only), None) => *only,
        _ => Type::Any,
    }
}

/// Whether a value may be one of those that are wanted. In doubt it may.
pub(super) fn fits(given: Type, wanted: Type) -> bool {
    use Type as T;
    match (given, wanted) {
        (T::Any | T::Data, _)
        | (_, T::Any)
        | (T::Whole | T::Number, T::Whole | T::Number)
        | (T::Text | T::Name(_), T::Text | T::Name(_))
        | (T::Array(_), T::Array(_))
        | (T::Map(_), T::Map(_)) => true,
        (T::Either(types), _) => types.iter().any(|given| fits(*given, wanted)),
        (_, T::Either(types)) => types.iter().any(|wanted| fits(given, *wanted)),
        (_, T::Data) => owner(given).is_none_or(|o| o == Owner::Vec) && given != T::Function,
        _ => given == wanted,
    }
}

/// What is known of a value that is either of the two.
pub(super) fn join(a: Type, b: Type) -> Type {
    use Type as T;
    match (a, b) {
        _ if a == b => a,
        (T::Whole | T::Number, T::Whole | T::Number) => T::Number,
        (T::Text | T::Name(_), T::Text | T::Name(_)) => T::Text,
        (T::Either(types), other) if types.contains(&other) => a,
        (other, T::Either(types)) if types.contains(&other) => b,
        _ => T::Any,
    }
}

/// What of it cannot be kept in `this`, if something certainly cannot.
pub(super) fn unkept(of: Type) -> Option<Type> {
    match of {
        Type::Me | Type::Entity | Type::Function => Some(of),
        Type::Array(each) => unkept(*each),
        Type::Either(types) => types.iter().find_map(|t| unkept(*t)),
        _ => None,
    }
}

/// Whether it is a number.
pub(super) fn is_number(of: Type) -> bool {
    matches!(of, Type::Whole | Type::Number)
}

/// What an operator makes of two values.
pub(super) fn computed(sign: &str, a: Type, b: Type) -> Type {
    match sign {
        "==" | "!=" | "<" | ">" | "<=" | ">=" | "contains" | "&&" | "||" | "!" => Type::Flag,
        "+" if a == Type::Text || b == Type::Text => Type::Text,
        "+" | "-" | "*" | "/" | "%" => match (a, b) {
            (Type::Whole, Type::Whole) => Type::Whole,
            _ if is_number(a) && is_number(b) => Type::Number,
            (Type::Vec, Type::Vec) if matches!(sign, "+" | "-") => Type::Vec,
            (Type::Vec, k) if is_number(k) && matches!(sign, "*" | "/") => Type::Vec,
            (k, Type::Vec) if is_number(k) && sign == "*" => Type::Vec,
            _ => Type::Any,
        },
        _ => Type::Any,
    }
}

/// Whether an operator certainly has nothing to do with two values: numbers, vecs and maps mixed up.
pub(super) fn at_odds(sign: &str, a: Type, b: Type) -> bool {
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
