//! Comparing a tick of a run with that of its golden trace, field by field.

use hangtime_game::files::{TOLERANCE_KEYS, Tolerances};
use serde_json::{Map, Value};
use std::f64::consts::TAU;

/// The first field of a tick that differs.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FieldDifference {
    /// The field with its entity, such as `` `pos.x` of `hero` ``.
    pub field: String,
    /// The golden's value.
    pub expected: String,
    /// The run's value.
    pub got: String,
    /// What follows after "differs from …" in the message; may be empty.
    pub note: String,
}

/// What a value is missing for.
const NOTHING: &str = "nothing";

/// The axes of vectors, by the index in their arrays.
const AXES: [&str; 3] = ["x", "y", "z"];

/// The first difference between two lines of a trace, if any. Times, and fields that the golden does
/// not have because an earlier version wrote it, are not compared; the hash only if everything must be
/// equal.
pub(super) fn first_field_difference(
    golden: &Map<String, Value>,
    run: &Map<String, Value>,
    tolerances: &Tolerances,
) -> Option<FieldDifference> {
    let entities = entities(list(golden, "entities"), list(run, "entities"), tolerances);
    let vars = || {
        let comparison = FieldComparison::new(tolerances, "vars", "the level");
        comparison.optional("level", golden.get("level"), run.get("level"))
    };
    let events = || {
        let comparison = FieldComparison::new(tolerances, "events", "the tick");
        comparison.optional("events", golden.get("events"), run.get("events"))
    };
    let hash = || {
        let (expected, got) = (golden.get("hash")?, run.get("hash"));
        let differs = tolerances.is_exact() && Some(expected) != got;
        differs.then(|| FieldDifference {
            field: "`hash`".into(),
            expected: text(Some(expected)),
            got: text(got),
            note: "; all other fields are equal, so it is in state that traces do not show".into(),
        })
    };
    entities.or_else(vars).or_else(events).or_else(hash)
}

fn list<'a>(line: &'a Map<String, Value>, key: &str) -> &'a [Value] {
    line.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn entities(golden: &[Value], run: &[Value], tolerances: &Tolerances) -> Option<FieldDifference> {
    let id = |entity: &Value| entity.get("id").cloned();
    let same = |list: &'_ [Value], wanted: &Value| list.iter().position(|e| id(e) == id(wanted));
    for expected in golden {
        let name = name_of(expected);
        match same(run, expected).map(|at| &run[at]) {
            Some(got) => {
                let found = entity(expected, got, &name, tolerances);
                if found.is_some() {
                    return found;
                }
            }
            None => {
                return Some(FieldDifference {
                    field: format!("the entity `{name}`"),
                    expected: format!("`{name}`"),
                    got: NOTHING.into(),
                    note: String::new(),
                });
            }
        }
    }
    let new = run.iter().find(|entity| same(golden, entity).is_none())?;
    let name = name_of(new);
    Some(FieldDifference {
        field: format!("the entity `{name}`"),
        expected: NOTHING.into(),
        got: format!("`{name}`"),
        note: String::new(),
    })
}

fn name_of(entity: &Value) -> String {
    let name = entity.get("name").and_then(Value::as_str);
    name.unwrap_or("?").to_string()
}

/// Compares the fields that the golden has, except `why`, which only explains the others.
fn entity(golden: &Value, run: &Value, name: &str, tolerances: &Tolerances) -> Option<FieldDifference> {
    let of = format!("`{name}`");
    // In the order in which traces have them: a map is sorted by name, and where a body is says more
    // than its angle.
    let order = ["pos", "vel", "mode"];
    let fields = golden.as_object()?;
    let first = order.iter().filter_map(|key| fields.get_key_value(*key));
    let others = fields.iter().filter(|(key, _)| !order.contains(&key.as_str()) && *key != "why");
    first
        .map(|(key, value)| (key.as_str(), value))
        .chain(others.map(|(key, value)| (key.as_str(), value)))
        .find_map(|(key, expected)| {
            let comparison = FieldComparison::new(tolerances, key, &of);
            comparison.optional(key, Some(expected), run.get(key))
        })
}

/// The comparison of a group of numbers.
struct FieldComparison<'a> {
    tolerance: Option<f64>,
    is_angle: bool,
    /// What has these fields.
    of: &'a str,
}

impl<'a> FieldComparison<'a> {
    fn new(tolerances: &Tolerances, group: &str, of: &'a str) -> Self {
        let is_named = TOLERANCE_KEYS.contains(&group);
        Self { tolerance: tolerances.of(group).filter(|_| is_named), is_angle: group == "angle", of }
    }

    fn difference(&self, path: &str, golden: Option<&Value>, run: Option<&Value>) -> FieldDifference {
        FieldDifference {
            field: format!("`{path}` of {}", self.of),
            expected: text(golden),
            got: text(run),
            note: String::new(),
        }
    }

    fn optional(&self, path: &str, golden: Option<&Value>, run: Option<&Value>) -> Option<FieldDifference> {
        match (golden, run) {
            (None, None) => None,
            (Some(a), Some(b)) => self.first(path, a, b),
            _ => Some(self.difference(path, golden, run)),
        }
    }

    /// The first difference below a path. Texts, booleans, and the lengths of lists must be equal.
    fn first(&self, path: &str, golden: &Value, run: &Value) -> Option<FieldDifference> {
        match (golden, run) {
            (Value::Number(a), Value::Number(b)) => {
                let (x, y) = (a.as_f64(), b.as_f64());
                let is_near = x.zip(y).is_some_and(|(x, y)| self.is_near(x, y));
                (a != b && !is_near).then(|| self.number(path, golden, run))
            }
            (Value::Array(a), Value::Array(b)) => {
                let both = a.iter().zip(b).enumerate();
                let mut found = both.filter_map(|(i, (a, b))| self.first(&item(path, i, a.is_number()), a, b));
                found.next().or_else(|| {
                    let i = a.len().min(b.len());
                    let path = item(path, i, false);
                    let differs = a.len() != b.len();
                    differs.then(|| self.difference(&path, a.get(i), b.get(i)))
                })
            }
            (Value::Object(a), Value::Object(b)) => {
                let mut keys = a.keys().chain(b.keys().filter(|key| !a.contains_key(*key)));
                keys.find_map(|key| self.optional(&format!("{path}.{key}"), a.get(key), b.get(key)))
            }
            _ => (golden != run).then(|| self.difference(path, Some(golden), Some(run))),
        }
    }

    /// A difference of numbers, with how large it is if that was not allowed.
    fn number(&self, path: &str, golden: &Value, run: &Value) -> FieldDifference {
        let mut found = self.difference(path, Some(golden), Some(run));
        if let (Some(tolerance), Some(a), Some(b)) = (self.tolerance, golden.as_f64(), run.as_f64()) {
            let by = self.distance(a, b);
            found.note = format!(" by {by}; the tolerance is {tolerance}");
        }
        found
    }

    fn is_near(&self, a: f64, b: f64) -> bool {
        // A number that is not finite is near to none.
        self.tolerance.is_some_and(|tolerance| self.distance(a, b) <= tolerance)
    }

    /// How far apart two numbers are. Angles are compared on the circle.
    fn distance(&self, a: f64, b: f64) -> f64 {
        let distance = (a - b).abs();
        if self.is_angle {
            let on_circle = distance % TAU;
            on_circle.min(TAU - on_circle)
        } else {
            distance
        }
    }
}

/// The path of an item of a list: vectors have axes.
fn item(path: &str, index: usize, is_number: bool) -> String {
    let last = path.rsplit('.').next().unwrap_or(path);
    let is_vector = ["pos", "vel", "external", "tip", "normal"].contains(&last);
    match AXES.get(index).filter(|_| is_vector && is_number) {
        Some(axis) => format!("{path}.{axis}"),
        None => format!("{path}[{index}]"),
    }
}

fn text(value: Option<&Value>) -> String {
    value.map_or_else(|| NOTHING.into(), Value::to_string)
}
