//! `expect(x)`: assertions of a test.

use super::entries::free_in_tests;
use super::*;
use crate::messages::thrown::FailedExpectation;
use hangtime_script::calls::same_data;
use std::sync::atomic::{AtomicBool, Ordering};

/// The value that `expect` returns. Its copies share one [`Check`].
#[derive(Clone)]
struct Expectation {
    value: Dynamic,
    check: Arc<Check>,
}

/// Whether an expectation was ever compared with anything. If not, it is recorded when its last copy is dropped.
struct Check {
    compared: AtomicBool,
    place: UncheckedExpectation,
    record: Unchecked,
}

impl Drop for Check {
    fn drop(&mut self) {
        if !self.compared.load(Ordering::Relaxed) {
            let mut first = self.record.0.lock();
            first.get_or_insert_with(|| self.place.clone());
        }
    }
}

/// The first expectation of a test that compared nothing.
#[derive(Clone, Default)]
pub(crate) struct Unchecked(Arc<Mutex<Option<UncheckedExpectation>>>);

impl Unchecked {
    /// Takes it, before or after a test.
    pub(crate) fn take(&self) -> Option<UncheckedExpectation> {
        self.0.lock().take()
    }
}

/// The position of an `expect(…)` without a comparison.
#[derive(Clone, Debug)]
pub(crate) struct UncheckedExpectation {
    /// The name of its file, if known.
    pub file: Option<String>,
    /// Where it is.
    pub at: Position,
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
        (Ok(a), Ok(b)) => same_data(&a, &b),
        _ => matches!((number(a), number(b)), (Some(a), Some(b)) if a == b),
    }
}

/// Whether a text contains another, or an array an equal element.
fn contains(got: &Dynamic, part: &Dynamic) -> bool {
    let texts = (got.as_immutable_string_ref(), part.as_immutable_string_ref());
    match (texts, got.as_array_ref()) {
        ((Ok(got), Ok(part)), _) => got.contains(part.as_str()),
        (_, Ok(list)) => list.iter().any(|item| equal(item, part)),
        _ => false,
    }
}

/// Whether numbers are related; false if one of them is something else.
fn compare(got: &Dynamic, bound: &Dynamic, holds: fn(f64, f64) -> bool) -> bool {
    matches!((number(got), number(bound)), (Some(got), Some(bound)) if holds(got, bound))
}

/// A comparison, which exists without and with a note.
struct Comparison {
    name: &'static str,
    doc: &'static str,
    examples: [&'static str; 2],
    takes: [&'static [Param]; 2],
    /// Whether it holds.
    holds: fn(&Dynamic, &[&mut Dynamic]) -> bool,
    /// What reports say was expected.
    expected: fn(&[&mut Dynamic]) -> String,
}

const VALUE: Param = param("value", Type::Any, "");
const BOUND: Param = param("value", Type::Number, "");
const TOLERANCE: Param = param("tolerance", Type::Number, "");
const NOTE: Param = param("note", Type::Text, "");

const COMPARISONS: [Comparison; 5] = [
    Comparison {
        name: "equals",
        doc: "Passes if `x` equals `value`. Numbers are compared exactly; 1 equals 1.0.",
        examples: [
            "expect(hero.model).equals(\"platformer\");",
            "expect(hero.player).equals(1, \"controlled by player 1\");",
        ],
        takes: [&[VALUE], &[VALUE, NOTE]],
        holds: |got, to| equal(got, to[0]),
        expected: |to| show(to[0]),
    },
    Comparison {
        name: "near",
        doc: "Passes if `x` differs from `value` by at most `tolerance`.",
        examples: ["expect(hero.vel.x).near(0, 0.001);", "expect(hero.vel.x).near(0, 0.001, \"standing still\");"],
        takes: [&[BOUND, TOLERANCE], &[BOUND, TOLERANCE, NOTE]],
        holds: |got, to| match (number(got), number(to[0]), number(to[1])) {
            (Some(got), Some(value), Some(tolerance)) => (got - value).abs() <= tolerance,
            _ => false,
        },
        expected: |to| format!("within {} of {}", show(to[1]), show(to[0])),
    },
    Comparison {
        name: "above",
        doc: "Passes if `x` is greater than `value`.",
        examples: ["expect(hero.x).above(0);", "expect(hero.x).above(0, \"right of the start\");"],
        takes: [&[BOUND], &[BOUND, NOTE]],
        holds: |got, to| compare(got, to[0], |got, bound| got > bound),
        expected: |to| format!("above {}", show(to[0])),
    },
    Comparison {
        name: "below",
        doc: "Passes if `x` is less than `value`.",
        examples: ["expect(hero.x).below(5000);", "expect(hero.x).below(5000, \"still in the level\");"],
        takes: [&[BOUND], &[BOUND, NOTE]],
        holds: |got, to| compare(got, to[0], |got, bound| got < bound),
        expected: |to| format!("below {}", show(to[0])),
    },
    Comparison {
        name: "contains",
        doc: "Passes if `x` is text that contains `value`, or an array with `value` as an element.",
        examples: [
            "expect(hero.name).contains(\"er\");\nexpect([1, 2]).contains(2);",
            "expect(t.why_text(\"hero\")).contains(\"\", \"there is a log\");",
        ],
        takes: [&[VALUE], &[VALUE, NOTE]],
        holds: |got, to| contains(got, to[0]),
        expected: |to| format!("something that contains {}", show(to[0])),
    },
];

/// Doc of the overloads that take a note.
const WITH_NOTE: &str = "`note` is put at the start of the failure message.";

/// Registers `expect` and its comparisons. What compares nothing goes to `record`.
pub(super) fn register(registry: &mut Registry<'_>, record: &Unchecked) {
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
                place: UncheckedExpectation { file: c.call_source().map(String::from), at: c.call_position() },
                record: record.clone(),
            }),
        },
    );
    for Comparison { name, doc, examples, takes, holds, expected } in COMPARISONS {
        for (noted, takes) in takes.into_iter().enumerate() {
            let doc = [doc, WITH_NOTE][noted];
            let entry = ApiEntry::call(Owner::Expectation, name, doc, examples[noted]).takes(takes);
            registry.method(entry, move |expectation: &Expectation, values| {
                expectation.check.compared.store(true, Ordering::Relaxed);
                let got = &expectation.value;
                if holds(got, values) {
                    return Ok(Dynamic::UNIT);
                }
                let note = if noted == 1 { values[values.len() - 1].to_string() } else { String::new() };
                let failed = FailedExpectation { expected: expected(values), got: show(got), note };
                Err(EvalAltResult::ErrorRuntime(Dynamic::from(failed), Position::NONE).into())
            });
        }
    }
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
