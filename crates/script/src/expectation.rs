//! `expect(x)` in tests: the comparisons, which are the same in every language.

use crate::{
    api::{Param, Type, param},
    calls::same_data,
    prose,
};
use hangtime_core::sim::Value;
use std::{error, fmt};

/// A value of a language, as expectations see it.
pub trait Compared {
    /// The value as plain data, if it is.
    fn plain(&self) -> Option<Value>;

    /// The number that it is.
    fn number(&self) -> Option<f64>;

    /// The value as test reports show it: numbers in full precision, text in quotes.
    fn show(&self) -> String;
}

/// A comparison, which exists without and with a note.
#[derive(Debug)]
pub struct Comparison {
    /// Its name in scripts.
    pub name: &'static str,
    /// What it does.
    pub doc: &'static str,
    /// One without a note, and one with it.
    pub examples: [&'static str; 2],
    /// The parameters without a note, and with it.
    pub takes: [&'static [Param]; 2],
    holds: fn(&dyn Compared, &[&dyn Compared]) -> bool,
    expected: fn(&[&dyn Compared]) -> String,
    /// The smallest and the largest number that it accepts; `None` if it does not compare numbers.
    accepts: fn(&[&dyn Compared]) -> Option<[f64; 2]>,
}

impl Comparison {
    /// Compares a value.
    ///
    /// # Errors
    /// If the comparison does not hold.
    pub fn compare(&self, got: &dyn Compared, with: &[&dyn Compared], note: &str) -> Result<(), FailedExpectation> {
        if (self.holds)(got, with) {
            return Ok(());
        }
        let missed = got.number().zip((self.accepts)(with));
        let missed = missed.map(|(got, [least, most])| MissedNumber { got, least, most });
        let (expected, got, note) = ((self.expected)(with), got.show(), note.to_string());
        Err(FailedExpectation { expected, got, note, by: self.name, missed })
    }
}

/// An expectation that was not met.
#[derive(Clone, Debug)]
pub struct FailedExpectation {
    /// What was expected.
    pub expected: String,
    /// The value.
    pub got: String,
    /// The text that the test gave for this case; empty for none.
    pub note: String,
    /// The name of the comparison.
    pub by: &'static str,
    /// The numbers that it compared, if it did.
    pub missed: Option<MissedNumber>,
}

/// A number that is not one of those that were expected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MissedNumber {
    /// The number.
    pub got: f64,
    /// The smallest number that was expected, or that numbers had to be above.
    pub least: f64,
    /// The largest number that was expected, or that numbers had to be below.
    pub most: f64,
}

impl fmt::Display for FailedExpectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.note.is_empty() {
            write!(f, "{}: ", self.note)?;
        }
        write!(f, "expected {}, got {}", self.expected, self.got)
    }
}

impl error::Error for FailedExpectation {}

/// Exact equality. Whole and floating-point numbers can be equal.
fn equal(a: &dyn Compared, b: &dyn Compared) -> bool {
    match (a.plain(), b.plain()) {
        (Some(a), Some(b)) => same_data(&a, &b),
        // Infinities are no plain data.
        _ => related(a, b, |a, b| a == b),
    }
}

/// Whether a text contains another, or a list an equal element.
fn contains(got: &dyn Compared, part: &dyn Compared) -> bool {
    match (got.plain(), part.plain()) {
        (Some(Value::Text(got)), Some(Value::Text(part))) => got.contains(&part),
        (Some(Value::List(list)), Some(part)) => list.iter().any(|item| same_data(item, &part)),
        _ => false,
    }
}

/// Whether numbers are related; false if one of them is something else.
fn related(got: &dyn Compared, bound: &dyn Compared, holds: fn(f64, f64) -> bool) -> bool {
    matches!((got.number(), bound.number()), (Some(got), Some(bound)) if holds(got, bound))
}

const VALUE: Param = param("value", Type::Any, "");
const BOUND: Param = param("value", Type::Number, "");
const TOLERANCE: Param = param("tolerance", Type::Number, "");
const NOTE: Param = param("note", Type::Text, "");

/// All comparisons.
pub const COMPARISONS: [Comparison; 5] = [
    Comparison {
        name: "equals",
        doc: prose! {
            /// Passes if `x` equals `value`. Numbers are compared exactly; 1 equals 1.0.
        },
        examples: [
            "expect(hero.model).equals(\"platformer\");",
            "expect(hero.player).equals(1, \"controlled by player 1\");",
        ],
        takes: [&[VALUE], &[VALUE, NOTE]],
        holds: |got, to| equal(got, to[0]),
        expected: |to| to[0].show(),
        accepts: |to| to[0].number().map(|only| [only; 2]),
    },
    Comparison {
        name: "near",
        doc: prose! {
            /// Passes if `x` differs from `value` by at most `tolerance`.
        },
        examples: ["expect(hero.vel.x).near(0, 0.001);", "expect(hero.vel.x).near(0, 0.001, \"standing still\");"],
        takes: [&[BOUND, TOLERANCE], &[BOUND, TOLERANCE, NOTE]],
        holds: |got, to| match (got.number(), to[0].number(), to[1].number()) {
            (Some(got), Some(value), Some(tolerance)) => (got - value).abs() <= tolerance,
            _ => false,
        },
        expected: |to| format!("within {} of {}", to[1].show(), to[0].show()),
        accepts: |to| to[0].number().zip(to[1].number()).map(|(value, by)| [value - by, value + by]),
    },
    Comparison {
        name: "above",
        doc: "Passes if `x` is greater than `value`.",
        examples: ["expect(hero.x).above(0);", "expect(hero.x).above(0, \"right of the start\");"],
        takes: [&[BOUND], &[BOUND, NOTE]],
        holds: |got, to| related(got, to[0], |got, bound| got > bound),
        expected: |to| format!("above {}", to[0].show()),
        accepts: |to| to[0].number().map(|least| [least, f64::INFINITY]),
    },
    Comparison {
        name: "below",
        doc: "Passes if `x` is less than `value`.",
        examples: ["expect(hero.x).below(5000);", "expect(hero.x).below(5000, \"still in the level\");"],
        takes: [&[BOUND], &[BOUND, NOTE]],
        holds: |got, to| related(got, to[0], |got, bound| got < bound),
        expected: |to| format!("below {}", to[0].show()),
        accepts: |to| to[0].number().map(|most| [f64::NEG_INFINITY, most]),
    },
    Comparison {
        name: "contains",
        doc: prose! {
            /// Passes if `x` is text that contains `value`, or an array with `value` as an element.
        },
        examples: [
            "expect(hero.name).contains(\"er\");\nexpect([1, 2]).contains(2);",
            "expect(t.why_text(\"hero\")).contains(\"\", \"there is a log\");",
        ],
        takes: [&[VALUE], &[VALUE, NOTE]],
        holds: |got, to| contains(got, to[0]),
        expected: |to| format!("something that contains {}", to[0].show()),
        accepts: |_| None,
    },
];
