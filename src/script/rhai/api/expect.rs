//! `expect(x)`: what a test says should be.

use super::arguments::number;
use super::play::Seen;
use super::registry::Registry;
use crate::script::host::api::{Entry, Owner, Param, Room, Topic, Type, param};
use crate::script::rhai::engine::values::to_plain;
use crate::script::rhai::engine::vector::Vector;
use crate::script::rhai::messages::thrown::Missed;
use crate::sim::Value;
use rhai::{Dynamic, EvalAltResult, NativeCallContext, Position};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What `expect` returns.
#[derive(Clone)]
struct Expectation {
    value: Dynamic,
    open: Arc<Open>,
}

impl Expectation {
    /// The value, which is now compared with something.
    fn value(&self) -> &Dynamic {
        self.open.compared.store(true, Ordering::Relaxed);
        &self.value
    }
}

/// Whether an expectation was ever compared with anything. The test is told when it goes without.
struct Open {
    compared: AtomicBool,
    idle: Idle,
    seen: Seen,
}

impl Drop for Open {
    fn drop(&mut self) {
        if !self.compared.load(Ordering::Relaxed) {
            self.seen.note_idle(&self.idle);
        }
    }
}

/// Where an expectation stands that says nothing of its value.
#[derive(Clone, Debug)]
pub(in crate::script::rhai) struct Idle {
    /// The name of its file, if it is known.
    pub file: Option<String>,
    pub at: Position,
}

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
    if value.is_fnptr() {
        return "a function".into();
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
        (Value::Vector(parts), Value::Map(map)) | (Value::Map(map), Value::Vector(parts)) => {
            let keys = ["x", "y", "z"].into_iter().zip(parts);
            let has = |(key, part): (&str, &f64)| {
                let held = map.get(key);
                held.is_some_and(|held| equal_values(held, &Value::Float(*part)))
            };
            map.len() == parts.len() && keys.into_iter().all(has)
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

const VALUE: Param = param("value", Type::Any, "");
const BOUND: Param = param("value", Type::Number, "");
const TOLERANCE: Param = param("tolerance", Type::Number, "");
const NOTE: Param = param("note", Type::Text, "");

type Context<'a> = NativeCallContext<'a>;
type E = Expectation;

fn of_expectation(name: &'static str, doc: &'static str, example: &'static str) -> Entry {
    Entry::call(Owner::Expectation, name, doc, example)
}

/// Registers `expect` and its tests, each with and without a message.
pub(in crate::script::rhai) fn register(registry: &mut Registry<'_>, seen: Seen) {
    registry.topic(Topic::Expectations);
    registry.value::<Expectation>(Owner::Expectation);
    registry.value::<Missed>(Owner::Missed);
    registry.add(
        Entry::call(
            Owner::Free,
            "expect",
            "Begins an expectation of a value; what is called on it says which. A test with one on which nothing is \
             called fails.",
            "expect(hero.x).above(0);",
        )
        .takes(const { &[VALUE] })
        .answers(Type::Expectation, "")
        .only_in(Room::Test),
        move |c: Context<'_>, value: Dynamic| Expectation {
            value: value.flatten(),
            open: Arc::new(Open {
                compared: AtomicBool::new(false),
                idle: Idle {
                    file: c.call_source().map(String::from),
                    at: c.call_position(),
                },
                seen: seen.clone(),
            }),
        },
    );
    register_equality(registry);
    register_bounds(registry);
    register_contents(registry);
    registry.add(
        Entry::call(
            Owner::Missed,
            "to_string",
            "What was expected and what was there: an expectation that was not met, as `catch` has it.",
            "try { expect(1).equals(2); } catch (missed) { print(missed.to_string()); }",
        )
        .answers(Type::Text, ""),
        |missed: &mut Missed| missed.to_string(),
    );
}

fn register_contents(registry: &mut Registry<'_>) {
    registry.add(
        of_expectation(
            "contains",
            "The value is a text with this text in it, or an array with such an item.",
            "expect(hero.name).contains(\"er\");\nexpect([1, 2]).contains(2);",
        )
        .takes(const { &[VALUE] }),
        |c: Context<'_>, e: &mut E, v: Dynamic| contains(&c, e.value(), &v, ""),
    );
    registry.add(
        of_expectation(
            "contains",
            "The same, with a text that a failure begins with.",
            "expect(t.why_text(\"hero\")).contains(\"\", \"it is told why\");",
        )
        .takes(const { &[VALUE, NOTE] }),
        |c: Context<'_>, e: &mut E, v: Dynamic, note: &str| contains(&c, e.value(), &v, note),
    );
}

fn register_equality(registry: &mut Registry<'_>) {
    registry.add(
        of_expectation(
            "equals",
            "The value is this one. Numbers are compared exactly, whole or floating.",
            "expect(hero.model).equals(\"platformer\");",
        )
        .takes(const { &[VALUE] }),
        |c: Context<'_>, e: &mut E, v: Dynamic| equals(&c, e.value(), &v, ""),
    );
    registry.add(
        of_expectation(
            "equals",
            "The same, with a text that a failure begins with.",
            "expect(hero.player).equals(1, \"the first player plays\");",
        )
        .takes(const { &[VALUE, NOTE] }),
        |c: Context<'_>, e: &mut E, v: Dynamic, note: &str| equals(&c, e.value(), &v, note),
    );
    registry.add(
        of_expectation(
            "near",
            "The value is at most `tolerance` away from this one.",
            "expect(hero.vel.x).near(0, 0.001);",
        )
        .takes(const { &[BOUND, TOLERANCE] }),
        |c: Context<'_>, e: &mut E, v: Dynamic, t: Dynamic| near(&c, e.value(), &v, &t, ""),
    );
    registry.add(
        of_expectation(
            "near",
            "The same, with a text that a failure begins with.",
            "expect(hero.vel.x).near(0, 0.001, \"it stands\");",
        )
        .takes(const { &[BOUND, TOLERANCE, NOTE] }),
        |c: Context<'_>, e: &mut E, v: Dynamic, t: Dynamic, note: &str| {
            near(&c, e.value(), &v, &t, note)
        },
    );
}

fn register_bounds(registry: &mut Registry<'_>) {
    registry.add(
        of_expectation(
            "above",
            "The value is larger than this one.",
            "expect(hero.x).above(0);",
        )
        .takes(const { &[BOUND] }),
        |c: Context<'_>, e: &mut E, v: Dynamic| {
            compare(&c, e.value(), &v, "above", "", |got, bound| got > bound)
        },
    );
    registry.add(
        of_expectation(
            "above",
            "The same, with a text that a failure begins with.",
            "expect(hero.x).above(0, \"right of the start\");",
        )
        .takes(const { &[BOUND, NOTE] }),
        |c: Context<'_>, e: &mut E, v: Dynamic, note: &str| {
            compare(&c, e.value(), &v, "above", note, |got, bound| got > bound)
        },
    );
    registry.add(
        of_expectation(
            "below",
            "The value is smaller than this one.",
            "expect(hero.x).below(5000);",
        )
        .takes(const { &[BOUND] }),
        |c: Context<'_>, e: &mut E, v: Dynamic| {
            compare(&c, e.value(), &v, "below", "", |got, bound| got < bound)
        },
    );
    registry.add(
        of_expectation(
            "below",
            "The same, with a text that a failure begins with.",
            "expect(hero.x).below(5000, \"still in the level\");",
        )
        .takes(const { &[BOUND, NOTE] }),
        |c: Context<'_>, e: &mut E, v: Dynamic, note: &str| {
            compare(&c, e.value(), &v, "below", note, |got, bound| got < bound)
        },
    );
}
