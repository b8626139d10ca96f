//! `expect(x)`: what a test says should be.

use super::math::number;
use super::vector::Vector;
use crate::script::rhai::values::to_plain;
use crate::sim::Value;
use rhai::{Dynamic, Engine, EvalAltResult, NativeCallContext};
use std::fmt;

/// What `expect` returns.
#[derive(Clone)]
struct Expectation(Dynamic);

/// An expectation that was not met; thrown, and caught by the test runner.
#[derive(Clone, Debug)]
pub(in crate::script::rhai) struct Missed {
    pub expected: String,
    pub got: String,
    note: String,
}

impl fmt::Display for Missed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.note.is_empty() {
            write!(f, "{}: ", self.note)?;
        }
        write!(f, "expected {}, got {}", self.expected, self.got)
    }
}

/// What can be called on an expectation, for typing errors.
pub(in crate::script::rhai) const CALLABLE: [&str; 6] =
    ["expect", "equals", "above", "below", "near", "contains"];

type Outcome = Result<(), Box<EvalAltResult>>;

fn verdict(met: bool, context: &NativeCallContext<'_>, missed: impl FnOnce() -> Missed) -> Outcome {
    if met {
        return Ok(());
    }
    Err(EvalAltResult::ErrorRuntime(Dynamic::from(missed()), context.call_position()).into())
}

/// A value as a test report shows it: numbers so that they read back, text in quotes.
fn show(value: &Dynamic) -> String {
    if let Some(v) = value.clone().try_cast::<Vector>() {
        return format!("({}, {}, {})", v.x, v.y, v.z);
    }
    if let Ok(x) = value.as_float() {
        return format!("{x}");
    }
    if let Ok(text) = value.as_immutable_string_ref() {
        return format!("{:?}", text.as_str());
    }
    format!("{value:?}")
}

/// Equality without Rhai's fuzziness: numbers are equal when they are, whole or floating.
fn equal(a: &Dynamic, b: &Dynamic) -> bool {
    match (to_plain(a), to_plain(b)) {
        (Ok(a), Ok(b)) => equal_values(&a, &b),
        _ => matches!((number(a), number(b)), (Some(a), Some(b)) if a == b),
    }
}

fn equal_values(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Int(a), Value::Float(b)) | (Value::Float(b), Value::Int(a)) => *a as f64 == *b,
        (Value::List(a), Value::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal_values(a, b))
        }
        (Value::Map(a), Value::Map(b)) => {
            a.len() == b.len()
                && a.iter()
                    .zip(b)
                    .all(|((k, a), (l, b))| k == l && equal_values(a, b))
        }
        _ => a == b,
    }
}

fn compare(
    context: &NativeCallContext<'_>,
    got: &Dynamic,
    bound: &Dynamic,
    word: &str,
    note: &str,
    met: fn(f64, f64) -> bool,
) -> Outcome {
    let met = matches!((number(got), number(bound)), (Some(g), Some(b)) if met(g, b));
    verdict(met, context, || Missed {
        expected: format!("{word} {}", show(bound)),
        got: show(got),
        note: note.into(),
    })
}

fn equals(context: &NativeCallContext<'_>, got: &Dynamic, value: &Dynamic, note: &str) -> Outcome {
    verdict(equal(got, value), context, || Missed {
        expected: show(value),
        got: show(got),
        note: note.into(),
    })
}

fn near(
    context: &NativeCallContext<'_>,
    got: &Dynamic,
    value: &Dynamic,
    tolerance: &Dynamic,
    note: &str,
) -> Outcome {
    let numbers = (number(got), number(value), number(tolerance));
    let met = matches!(numbers, (Some(g), Some(v), Some(t)) if (g - v).abs() <= t);
    verdict(met, context, || Missed {
        expected: format!("within {} of {}", show(tolerance), show(value)),
        got: show(got),
        note: note.into(),
    })
}

/// Whether a text has another in it, or an array something equal.
fn contains(context: &NativeCallContext<'_>, got: &Dynamic, part: &Dynamic, note: &str) -> Outcome {
    let texts = (
        got.as_immutable_string_ref(),
        part.as_immutable_string_ref(),
    );
    let met = match (texts, got.as_array_ref()) {
        ((Ok(got), Ok(part)), _) => got.contains(part.as_str()),
        (_, Ok(list)) => list.iter().any(|item| equal(item, part)),
        _ => false,
    };
    verdict(met, context, || Missed {
        expected: format!("something that contains {}", show(part)),
        got: show(got),
        note: note.into(),
    })
}

/// Registers `expect` and its tests, each with and without a message.
pub(in crate::script::rhai) fn register(engine: &mut Engine) {
    engine.register_type_with_name::<Expectation>("expectation");
    engine.register_type_with_name::<Missed>("missed expectation");
    engine.register_fn("to_string", |missed: &mut Missed| missed.to_string());
    engine.register_fn("expect", |value: Dynamic| Expectation(value.flatten()));
    type Context<'a> = NativeCallContext<'a>;
    type E = Expectation;
    engine.register_fn("equals", |c: Context<'_>, e: &mut E, v: Dynamic| {
        equals(&c, &e.0, &v, "")
    });
    engine.register_fn(
        "equals",
        |c: Context<'_>, e: &mut E, v: Dynamic, note: &str| equals(&c, &e.0, &v, note),
    );
    engine.register_fn("above", |c: Context<'_>, e: &mut E, v: Dynamic| {
        compare(&c, &e.0, &v, "above", "", |got, bound| got > bound)
    });
    engine.register_fn(
        "above",
        |c: Context<'_>, e: &mut E, v: Dynamic, note: &str| {
            compare(&c, &e.0, &v, "above", note, |got, bound| got > bound)
        },
    );
    engine.register_fn("below", |c: Context<'_>, e: &mut E, v: Dynamic| {
        compare(&c, &e.0, &v, "below", "", |got, bound| got < bound)
    });
    engine.register_fn(
        "below",
        |c: Context<'_>, e: &mut E, v: Dynamic, note: &str| {
            compare(&c, &e.0, &v, "below", note, |got, bound| got < bound)
        },
    );
    engine.register_fn("contains", |c: Context<'_>, e: &mut E, v: Dynamic| {
        contains(&c, &e.0, &v, "")
    });
    engine.register_fn(
        "contains",
        |c: Context<'_>, e: &mut E, v: Dynamic, note: &str| contains(&c, &e.0, &v, note),
    );
    engine.register_fn(
        "near",
        |c: Context<'_>, e: &mut E, v: Dynamic, t: Dynamic| near(&c, &e.0, &v, &t, ""),
    );
    engine.register_fn(
        "near",
        |c: Context<'_>, e: &mut E, v: Dynamic, t: Dynamic, note: &str| {
            near(&c, &e.0, &v, &t, note)
        },
    );
}
