//! Mathematics for scripts.
//!
//! Rhai's own package calls the platform's sine, whose last bits differ between machines. These
//! call `libm`, or operations that are exact everywhere. Every function takes whole numbers too.

use rhai::{Dynamic, Engine, EvalAltResult, FLOAT, INT, Position};

/// A number given as whole or floating.
pub(in crate::script::rhai) fn number(value: &Dynamic) -> Option<FLOAT> {
    value
        .as_float()
        .ok()
        .or_else(|| value.as_int().ok().map(|i| i as FLOAT))
}

type Fallible<T> = Result<T, Box<EvalAltResult>>;

fn unary(engine: &mut Engine, name: &'static str, f: fn(FLOAT) -> FLOAT) {
    engine.register_fn(name, move |x: FLOAT| f(x));
    engine.register_fn(name, move |x: INT| f(x as FLOAT));
}

fn binary(engine: &mut Engine, name: &'static str, f: fn(FLOAT, FLOAT) -> FLOAT) {
    engine.register_fn(name, move |x: FLOAT, y: FLOAT| f(x, y));
    engine.register_fn(name, move |x: INT, y: FLOAT| f(x as FLOAT, y));
    engine.register_fn(name, move |x: FLOAT, y: INT| f(x, y as FLOAT));
    engine.register_fn(name, move |x: INT, y: INT| f(x as FLOAT, y as FLOAT));
}

/// Registers the functions and the constant `PI()`.
pub(in crate::script::rhai) fn register(engine: &mut Engine) {
    engine.register_fn("PI", || std::f64::consts::PI);
    for (name, f) in [
        ("sin", libm::sin as fn(FLOAT) -> FLOAT),
        ("cos", libm::cos),
        ("tan", libm::tan),
        ("asin", libm::asin),
        ("acos", libm::acos),
        ("atan", libm::atan),
        ("exp", libm::exp),
        ("ln", libm::log),
        ("sqrt", FLOAT::sqrt),
        ("floor", FLOAT::floor),
        ("ceiling", FLOAT::ceil),
        ("round", FLOAT::round),
    ] {
        unary(engine, name, f);
    }
    for (name, f) in [
        ("atan2", libm::atan2 as fn(FLOAT, FLOAT) -> FLOAT),
        ("pow", libm::pow),
        ("hypot", |x, y| (x * x + y * y).sqrt()),
    ] {
        binary(engine, name, f);
    }
    engine.register_fn("to_float", |x: INT| x as FLOAT);
    engine.register_fn("to_float", |x: FLOAT| x);
    engine.register_fn("to_int", |x: INT| x);
    engine.register_fn("to_int", |x: FLOAT| -> Fallible<INT> {
        if x.is_finite() && x.abs() < 9e18 {
            return Ok(x.trunc() as INT);
        }
        let why = format!("{x} is no whole number");
        Err(EvalAltResult::ErrorArithmetic(why, Position::NONE).into())
    });
    engine.register_fn(
        "clamp",
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
