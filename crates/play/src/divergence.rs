//! Two runs that should be equal: the first field in which they differ.

use super::*;
use hangtime_script::CallDifference;
use serde_json::Value;
use std::f64::consts::TAU;

/// The first difference of a run from what it should be: from a recording, from a golden trace, from the same run without
/// saving and loading, or from the same calls interpreted. Shows itself as a sentence with both values.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Divergence {
    /// The first tick that differs, counted from the start of the run.
    pub tick: u64,
    /// The tick whose state shows the difference: the same one, or a later one if a recording does not have the state of
    /// every tick.
    pub shown_at: u64,
    /// The entity and the field that differ, or the path in the saved world. Empty if there is no single one.
    pub field: String,
    /// The value that it should have.
    pub expected: String,
    /// The value that it has.
    pub got: String,
    /// All of this as a sentence.
    pub message: String,
}

impl Divergence {
    pub(crate) fn new(tick: u64, found: FieldDifference, message: String) -> Self {
        let FieldDifference { field, expected, got, .. } = found;
        Self { tick, shown_at: tick, field, expected, got, message }
    }
}

impl From<CallDifference> for Divergence {
    fn from(call: CallDifference) -> Self {
        let field = format!("`{}` of {} for `{}`", call.hook, call.script, call.entity);
        let found = FieldDifference { field, got: call.problem.clone(), ..FieldDifference::default() };
        Self::new(call.tick, found, call.to_string())
    }
}

/// A field that differs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FieldDifference {
    /// Its path, such as `pos.x` or `events[0].entity`.
    pub field: String,
    pub expected: String,
    pub got: String,
    /// By how much it differs and what is allowed; empty if it must be equal.
    pub note: String,
}

/// The value of a field that one side does not have.
pub const NOTHING: &str = "nothing";

/// The largest number of characters of a value in a message about worlds.
const MOST_VALUE: usize = 100;

/// The axes of vectors, by the index in their arrays.
const AXES: [&str; 3] = ["x", "y", "z"];

/// Compares values as JSON.
#[derive(Clone, Copy, Default)]
pub struct Comparer {
    /// How far numbers may be apart; without one, all must be equal.
    pub tolerance: Option<f64>,
    /// Whether numbers are angles, which are compared on the circle.
    pub is_angle: bool,
}

impl Comparer {
    /// The first field at or below a path that differs. Texts, booleans, and the lengths of lists must be equal.
    pub fn difference(self, path: &str, expected: Option<&Value>, got: Option<&Value>) -> Option<FieldDifference> {
        match (expected, got) {
            (Some(Value::Object(a)), Some(Value::Object(b))) => {
                let mut keys = a.keys().chain(b.keys().filter(|key| !a.contains_key(*key)));
                let dot = if path.is_empty() { "" } else { "." };
                keys.find_map(|key| self.difference(&format!("{path}{dot}{key}"), a.get(key), b.get(key)))
            }
            (Some(Value::Array(a)), Some(Value::Array(b))) => (0..a.len().max(b.len())).find_map(|index| {
                let (a, b) = (a.get(index), b.get(index));
                let is_axis = a.zip(b).is_some_and(|(a, _)| a.is_number()) && is_vector(path);
                let item = match AXES.get(index).filter(|_| is_axis) {
                    Some(axis) => format!("{path}.{axis}"),
                    None => format!("{path}[{index}]"),
                };
                self.difference(&item, a, b)
            }),
            _ if expected == got => None,
            _ => {
                let numbers = expected.and_then(Value::as_f64).zip(got.and_then(Value::as_f64));
                let by = self.tolerance.zip(numbers).map(|(most, (a, b))| (most, self.distance(a, b)));
                let text = |value: Option<&Value>| value.map_or_else(|| NOTHING.into(), Value::to_string);
                // A number that is not finite is near to none.
                let is_near = by.is_some_and(|(most, by)| by <= most);
                (!is_near).then(|| FieldDifference {
                    field: path.into(),
                    expected: text(expected),
                    got: text(got),
                    note: by.map_or_else(String::new, |(most, by)| format!(" by {by}; the tolerance is {most}")),
                })
            }
        }
    }

    fn distance(self, a: f64, b: f64) -> f64 {
        let distance = (a - b).abs();
        if self.is_angle {
            let on_circle = distance % TAU;
            on_circle.min(TAU - on_circle)
        } else {
            distance
        }
    }
}

/// Whether the last part of a path is the name of a vector.
fn is_vector(path: &str) -> bool {
    let last = path.rsplit('.').next().unwrap_or(path);
    ["pos", "vel", "external", "tip", "normal"].contains(&last)
}

/// A world as JSON. It is written and read, because worlds are saved in that form only.
pub fn world_value(world: &World) -> Value {
    let text = serde_json::to_string(world).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

/// The first field of a saved world that differs from this one, with values of a readable length.
pub fn world_difference(expected: &Value, got: &World) -> Option<FieldDifference> {
    let found = Comparer::default().difference("", Some(expected), Some(&world_value(got)))?;
    let short = |text: String| cut(&text, MOST_VALUE).into_owned();
    Some(FieldDifference { expected: short(found.expected), got: short(found.got), ..found })
}
