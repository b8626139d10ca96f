//! `expect(x)`: assertions of a test.

use super::arguments::{Fallible, number};
use super::entries::free_in_tests;
use super::registry::Registry;
use crate::engine::values::to_plain;
use crate::messages::thrown::FailedExpectation;
use hangtime_core::sim::Value;
use hangtime_script::Vector;
use hangtime_script::api::{ApiEntry, Owner, Param, Topic, Type, param};
use hangtime_script::calls::{TestRecord, UncheckedExpectation};
use rhai::{Dynamic, EvalAltResult, NativeCallContext, Position};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The value that `expect` returns. Its copies share one [`Check`].
#[derive(Clone)]
struct Expectation {
    value: Dynamic,
    check: Arc<Check>,
}

impl Expectation {
    /// The value, which counts as compared from now on.
    fn value(&self) -> &Dynamic {
        self.check.compared.store(true, Ordering::Relaxed);
        &self.value
    }
}

/// Whether an expectation was ever compared with anything. If not, it is recorded when its last copy is dropped.
struct Check {
    compared: AtomicBool,
    unchecked: UncheckedExpectation,
    record: TestRecord,
}

impl Drop for Check {
    fn drop(&mut self) {
        if !self.compared.load(Ordering::Relaxed) {
            self.record.add_unchecked(&self.unchecked);
        }
    }
}

/// A position in the neutral form.
fn line_and_column(at: Position) -> Option<(usize, usize)> {
    let whole = (at.line().unwrap_or(1), at.position().unwrap_or(1));
    (!at.is_none()).then_some(whole)
}

fn require(met: bool, context: &NativeCallContext<'_>, failed: impl FnOnce() -> FailedExpectation) -> Fallible<()> {
    if met {
        return Ok(());
    }
    Err(EvalAltResult::ErrorRuntime(Dynamic::from(failed()), context.call_position()).into())
}

/// A value as test reports show it: numbers in full precision, text in quotes.
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

/// Exact equality, unlike Rhai's `==`, which rounds. Whole and floating-point numbers can be equal.
fn equal(a: &Dynamic, b: &Dynamic) -> bool {
    match (to_plain(a), to_plain(b)) {
        (Ok(a), Ok(b)) => equal_values(&a, &b),
        _ => matches!((number(a), number(b)), (Some(a), Some(b)) if a == b),
    }
}

fn equal_values(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Int(a), Value::Float(b)) | (Value::Float(b), Value::Int(a)) => *a as f64 == *b,
        (Value::List(a), Value::List(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal_values(a, b)),
        (Value::Map(a), Value::Map(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|((k, a), (l, b))| k == l && equal_values(a, b))
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

/// How a comparison of numbers is named in reports, and when it holds.
#[derive(Clone, Copy)]
struct Comparison {
    word: &'static str,
    holds: fn(f64, f64) -> bool,
}

const ABOVE: Comparison = Comparison { word: "above", holds: |got, bound| got > bound };
const BELOW: Comparison = Comparison { word: "below", holds: |got, bound| got < bound };

fn compare(
    context: &NativeCallContext<'_>,
    got: &Dynamic,
    comparison: Comparison,
    bound: &Dynamic,
    note: &str,
) -> Fallible<()> {
    let Comparison { word, holds } = comparison;
    let met = matches!((number(got), number(bound)), (Some(g), Some(b)) if holds(g, b));
    require(met, context, || FailedExpectation {
        expected: format!("{word} {}", show(bound)),
        got: show(got),
        note: note.into(),
    })
}

fn equals(context: &NativeCallContext<'_>, got: &Dynamic, value: &Dynamic, note: &str) -> Fallible<()> {
    require(equal(got, value), context, || FailedExpectation {
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
) -> Fallible<()> {
    let numbers = (number(got), number(value), number(tolerance));
    let met = matches!(numbers, (Some(g), Some(v), Some(t)) if (g - v).abs() <= t);
    require(met, context, || FailedExpectation {
        expected: format!("within {} of {}", show(tolerance), show(value)),
        got: show(got),
        note: note.into(),
    })
}

/// Whether a text contains another, or an array an equal element.
fn contains(context: &NativeCallContext<'_>, got: &Dynamic, part: &Dynamic, note: &str) -> Fallible<()> {
    let texts = (got.as_immutable_string_ref(), part.as_immutable_string_ref());
    let met = match (texts, got.as_array_ref()) {
        ((Ok(got), Ok(part)), _) => got.contains(part.as_str()),
        (_, Ok(list)) => list.iter().any(|item| equal(item, part)),
        _ => false,
    };
    require(met, context, || FailedExpectation {
        expected: format!("something that contains {}", show(part)),
        got: show(got),
        note: note.into(),
    })
}

const VALUE: Param = param("value", Type::Any, "");
const BOUND: Param = param("value", Type::Number, "");
const TOLERANCE: Param = param("tolerance", Type::Number, "");
const NOTE: Param = param("note", Type::Text, "");

/// Doc of the overloads that take a note.
const WITH_NOTE: &str = "`note` is put at the start of the failure message.";

fn of_expectation(name: &'static str, doc: &'static str, example: &'static str) -> ApiEntry {
    ApiEntry::call(Owner::Expectation, name, doc, example)
}

/// Registers `expect` and its comparisons, each with and without a note.
pub(super) fn register(registry: &mut Registry<'_>, record: &TestRecord) {
    registry.topic(Topic::Expectations);
    registry.value::<Expectation>(Owner::Expectation);
    registry.value::<FailedExpectation>(Owner::Missed);
    let record = record.clone();
    registry.add(
        free_in_tests(
            "expect",
            "Wraps a value so that you can check it with one of the comparisons below. An `expect` without a \
             comparison fails the test.",
            "expect(hero.x).above(0);",
        )
        .takes(const { &[VALUE] })
        .returns(Type::Expectation, ""),
        move |c: NativeCallContext<'_>, value: Dynamic| Expectation {
            value: value.flatten(),
            check: Arc::new(Check {
                compared: AtomicBool::new(false),
                unchecked: UncheckedExpectation {
                    file: c.call_source().map(String::from),
                    at: line_and_column(c.call_position()),
                },
                record: record.clone(),
            }),
        },
    );
    register_equality(registry);
    register_bounds(registry);
    register_contents(registry);
    registry.add(
        ApiEntry::call(
            Owner::Missed,
            "to_string",
            "The message of a failed expectation that `catch` has caught.",
            "try { expect(1).equals(2); } catch (missed) { print(missed.to_string()); }",
        )
        .returns(Type::Text, ""),
        |failed: &mut FailedExpectation| failed.to_string(),
    );
}

fn register_contents(registry: &mut Registry<'_>) {
    registry.add(
        of_expectation(
            "contains",
            "Passes if `x` is text that contains `value`, or an array with `value` as an element.",
            "expect(hero.name).contains(\"er\");\nexpect([1, 2]).contains(2);",
        )
        .takes(const { &[VALUE] }),
        |c: NativeCallContext<'_>, e: &mut Expectation, v: Dynamic| contains(&c, e.value(), &v, ""),
    );
    registry.add(
        of_expectation("contains", WITH_NOTE, "expect(t.why_text(\"hero\")).contains(\"\", \"there is a log\");")
            .takes(const { &[VALUE, NOTE] }),
        |c: NativeCallContext<'_>, e: &mut Expectation, v: Dynamic, note: &str| contains(&c, e.value(), &v, note),
    );
}

fn register_equality(registry: &mut Registry<'_>) {
    registry.add(
        of_expectation(
            "equals",
            "Passes if `x` equals `value`. Numbers are compared exactly; 1 equals 1.0.",
            "expect(hero.model).equals(\"platformer\");",
        )
        .takes(const { &[VALUE] }),
        |c: NativeCallContext<'_>, e: &mut Expectation, v: Dynamic| equals(&c, e.value(), &v, ""),
    );
    registry.add(
        of_expectation("equals", WITH_NOTE, "expect(hero.player).equals(1, \"controlled by player 1\");")
            .takes(const { &[VALUE, NOTE] }),
        |c: NativeCallContext<'_>, e: &mut Expectation, v: Dynamic, note: &str| equals(&c, e.value(), &v, note),
    );
    registry.add(
        of_expectation(
            "near",
            "Passes if `x` differs from `value` by at most `tolerance`.",
            "expect(hero.vel.x).near(0, 0.001);",
        )
        .takes(const { &[BOUND, TOLERANCE] }),
        |c: NativeCallContext<'_>, e: &mut Expectation, v: Dynamic, t: Dynamic| near(&c, e.value(), &v, &t, ""),
    );
    registry.add(
        of_expectation("near", WITH_NOTE, "expect(hero.vel.x).near(0, 0.001, \"standing still\");")
            .takes(const { &[BOUND, TOLERANCE, NOTE] }),
        |c: NativeCallContext<'_>, e: &mut Expectation, v: Dynamic, t: Dynamic, note: &str| {
            near(&c, e.value(), &v, &t, note)
        },
    );
}

fn register_bounds(registry: &mut Registry<'_>) {
    registry.add(
        of_expectation("above", "Passes if `x` is greater than `value`.", "expect(hero.x).above(0);")
            .takes(const { &[BOUND] }),
        |c: NativeCallContext<'_>, e: &mut Expectation, v: Dynamic| compare(&c, e.value(), ABOVE, &v, ""),
    );
    registry.add(
        of_expectation("above", WITH_NOTE, "expect(hero.x).above(0, \"right of the start\");")
            .takes(const { &[BOUND, NOTE] }),
        |c: NativeCallContext<'_>, e: &mut Expectation, v: Dynamic, note: &str| compare(&c, e.value(), ABOVE, &v, note),
    );
    registry.add(
        of_expectation("below", "Passes if `x` is less than `value`.", "expect(hero.x).below(5000);")
            .takes(const { &[BOUND] }),
        |c: NativeCallContext<'_>, e: &mut Expectation, v: Dynamic| compare(&c, e.value(), BELOW, &v, ""),
    );
    registry.add(
        of_expectation("below", WITH_NOTE, "expect(hero.x).below(5000, \"still in the level\");")
            .takes(const { &[BOUND, NOTE] }),
        |c: NativeCallContext<'_>, e: &mut Expectation, v: Dynamic, note: &str| compare(&c, e.value(), BELOW, &v, note),
    );
}
