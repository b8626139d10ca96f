//! Mathematics for scripts.
//!
//! Rhai's own package calls the platform's sine, whose last bits differ between machines. These
//! call `libm`, or operations that are exact everywhere. Every function takes whole numbers too.

use super::arguments::Fallible;
use super::registry::Registry;
use crate::script::host::api::{Entry, Owner, Param, Topic, Type, param};
use rhai::{Dynamic, EvalAltResult, FLOAT, INT, Position};

pub(in crate::script::rhai) use super::arguments::number;

const X: &[Param] = &[param("x", Type::Number, "")];
const ANGLE: &[Param] = &[param("angle", Type::Number, "rad")];
const Y_X: &[Param] = &[param("y", Type::Number, ""), param("x", Type::Number, "")];
const X_Y: &[Param] = &[param("x", Type::Number, ""), param("y", Type::Number, "")];

/// A function of one number: name, doc, example, what it takes, the unit of what it answers.
type Unary = (
    &'static str,
    &'static str,
    &'static str,
    &'static [Param],
    &'static str,
    fn(FLOAT) -> FLOAT,
);

const UNARY: [Unary; 12] = [
    (
        "sin",
        "The sine.",
        "let sway = sin(0.5) * 30;",
        ANGLE,
        "",
        libm::sin,
    ),
    (
        "cos",
        "The cosine.",
        "let ahead = cos(0.5) * 100;",
        ANGLE,
        "",
        libm::cos,
    ),
    (
        "tan",
        "The tangent.",
        "let slope = tan(0.5);",
        ANGLE,
        "",
        libm::tan,
    ),
    (
        "asin",
        "The angle with this sine.",
        "let angle = asin(0.5);",
        X,
        "rad",
        libm::asin,
    ),
    (
        "acos",
        "The angle with this cosine.",
        "let angle = acos(0.5);",
        X,
        "rad",
        libm::acos,
    ),
    (
        "atan",
        "The angle with this tangent.",
        "let angle = atan(1.0);",
        X,
        "rad",
        libm::atan,
    ),
    (
        "exp",
        "e to the power of x.",
        "let kept = exp(-4.0 * 0.1);",
        X,
        "",
        libm::exp,
    ),
    (
        "ln",
        "The natural logarithm.",
        "let time = ln(2.0) / 4.0;",
        X,
        "",
        libm::log,
    ),
    (
        "sqrt",
        "The square root.",
        "let speed = sqrt(2.0 * 900 * 50);",
        X,
        "",
        FLOAT::sqrt,
    ),
    (
        "floor",
        "The largest whole number that is not larger.",
        "let cell = floor(130.5 / 32);",
        X,
        "",
        FLOAT::floor,
    ),
    (
        "ceiling",
        "The smallest whole number that is not smaller.",
        "let cells = ceiling(130.5 / 32);",
        X,
        "",
        FLOAT::ceil,
    ),
    (
        "round",
        "The nearest whole number; halves away from 0.",
        "let near = round(2.5);",
        X,
        "",
        FLOAT::round,
    ),
];

type Binary = (
    &'static str,
    &'static str,
    &'static str,
    &'static [Param],
    &'static str,
    fn(FLOAT, FLOAT) -> FLOAT,
);

const BINARY: [Binary; 3] = [
    (
        "atan2",
        "Where (x, y) lies: the angle counter-clockwise from +x, -π to π.",
        "let angle = atan2(30.0, 40.0);",
        Y_X,
        "rad",
        libm::atan2,
    ),
    (
        "pow",
        "x to the power of y.",
        "let eight = pow(2, 3);",
        X_Y,
        "",
        libm::pow,
    ),
    (
        "hypot",
        "The length of (x, y).",
        "let far = hypot(30, 40);",
        X_Y,
        "",
        |x, y| (x * x + y * y).sqrt(),
    ),
];

/// Registers the functions and the constant `PI()`.
pub(in crate::script::rhai) fn register(registry: &mut Registry<'_>) {
    registry.topic(Topic::Mathematics);
    for (name, doc, example, takes, unit, f) in UNARY {
        let entry = free(name, doc, example).takes(takes);
        registry.add(entry.answers(Type::Number, unit), f);
        registry.again(move |x: INT| f(x as FLOAT));
    }
    for (name, doc, example, takes, unit, f) in BINARY {
        let entry = free(name, doc, example).takes(takes);
        registry.add(entry.answers(Type::Number, unit), f);
        registry.again(move |x: INT, y: FLOAT| f(x as FLOAT, y));
        registry.again(move |x: FLOAT, y: INT| f(x, y as FLOAT));
        registry.again(move |x: INT, y: INT| f(x as FLOAT, y as FLOAT));
    }
    register_others(registry);
}

fn free(name: &'static str, doc: &'static str, example: &'static str) -> Entry {
    Entry::call(Owner::Free, name, doc, example)
}

fn register_others(registry: &mut Registry<'_>) {
    registry.add(
        free("PI", "Half a turn.", "let quarter = PI() / 2;").answers(Type::Number, "rad"),
        || std::f64::consts::PI,
    );
    registry.add(
        free(
            "to_float",
            "The same as a floating number, with which 5 / 2 is 2.5. Text is read by `parse_float`.",
            "let half = to_float(5) / 2;",
        )
        .takes(X)
        .answers(Type::Number, ""),
        |x: INT| x as FLOAT,
    );
    registry.again(|x: FLOAT| x);
    registry.add(
        free(
            "to_int",
            "The same as a whole number; what is behind the point is cut. Text is read by `parse_int`.",
            "let two = to_int(2.9);",
        )
        .takes(X)
        .answers(Type::Whole, ""),
        |x: INT| x,
    );
    registry.again(|x: FLOAT| -> Fallible<INT> {
        if x.is_finite() && x.abs() < 9e18 {
            return Ok(x.trunc() as INT);
        }
        let why = format!("{x:e} is no whole number");
        Err(EvalAltResult::ErrorArithmetic(why, Position::NONE).into())
    });
    registry.add(
        free(
            "clamp",
            "The nearest number to x from `low` to `high`.",
            "let fair = clamp(1.5, 0, 1);",
        )
        .takes(
            const {
                &[
                    param("x", Type::Number, ""),
                    param("low", Type::Number, ""),
                    param("high", Type::Number, ""),
                ]
            },
        )
        .answers(Type::Number, ""),
        |x: Dynamic, low: Dynamic, high: Dynamic| -> Fallible<FLOAT> {
            match (number(&x), number(&low), number(&high)) {
                (Some(x), Some(low), Some(high)) if low <= high => Ok(x.max(low).min(high)),
                _ => {
                    let why =
                        "clamp(x, low, high) takes three numbers, low at most high".to_string();
                    Err(EvalAltResult::ErrorArithmetic(why, Position::NONE).into())
                }
            }
        },
    );
}
