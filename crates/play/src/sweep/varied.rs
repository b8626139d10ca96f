//! Keys that a sweep varies, as `KEY=FROM..TO:STEP` or `KEY=A,B,C`.

use super::*;
use crate::numbers::{decimal, places};

/// The largest number of runs of a sweep, and of the values of one key.
pub const MOST_RUNS: usize = 1_000_000;

/// A setting that a sweep varies, and its values.
#[derive(Clone, Debug, PartialEq)]
pub struct VariedKey {
    /// The key, as `--set` takes it, or `seed`.
    pub key: String,
    values: VariedValues,
}

#[derive(Clone, Debug, PartialEq)]
enum VariedValues {
    /// Equal steps.
    Steps {
        from: f64,
        step: f64,
        /// The decimal places of the values.
        places: i32,
        count: usize,
        /// Whether it was written without fractions, so that its values are whole numbers.
        whole: bool,
    },
    List(Vec<VariedValue>),
}

/// A value of a varied key.
#[derive(Clone, Debug, PartialEq)]
pub struct VariedValue {
    /// The value as results show it.
    pub label: String,
    /// The value as `--set` takes it.
    pub setting: String,
    /// The value as a number, if it is one.
    pub number: Option<f64>,
}

impl VariedValue {
    fn of_number(number: f64, whole: bool) -> Self {
        let label = number.to_string();
        // All values of a range are of one type, so that scripts compute alike with each.
        let setting = if whole || label.contains('.') { label.clone() } else { format!("{label}.0") };
        Self { label, setting, number: Some(number) }
    }
}

/// Whether a key is the seed of the run, which is not a setting of a file.
pub fn is_seed(key: &str) -> bool {
    key == "seed"
}

impl VariedKey {
    /// Parses `KEY=FROM..TO:STEP` or `KEY=A,B,C`.
    ///
    /// # Errors
    /// What is wrong and how to write it.
    pub fn parse(text: &str) -> Result<Self, String> {
        const FORM: &str = "write KEY=FROM..TO:STEP, such as platformer.coyote_time=0..0.2:0.01, or a list \
                            such as simulation.tick_hz=30,60,120";
        let Some((key, values)) = text.split_once('=') else {
            return Err(FORM.into());
        };
        let (key, values) = (key.trim(), values.trim());
        if key.is_empty() || values.is_empty() {
            return Err(FORM.into());
        }
        let is_range = values.contains("..") && !values.contains(['"', '\'', '[']);
        let values = if is_range { steps(values)? } else { VariedValues::List(list(values)?) };
        let varied = Self { key: key.into(), values };
        if is_seed(key) {
            // A range of whole ends may have fractions in between.
            let places = [0, varied.len() - 1, 1.min(varied.len() - 1)];
            let mut labels = places.map(|place| varied.value(place).label).into_iter();
            if let Some(wrong) = labels.find(|label| label.parse::<u64>().is_err()) {
                let wrong = printable_name(&wrong);
                return Err(format!("a seed is a whole number of at least 0, not `{wrong}`"));
            }
        }
        Ok(varied)
    }

    /// A key with these values alone.
    pub(super) fn only(key: &str, number: f64, whole: bool) -> Self {
        Self { key: key.into(), values: VariedValues::List(vec![VariedValue::of_number(number, whole)]) }
    }

    /// The number of its values, at least 1.
    pub fn len(&self) -> usize {
        match &self.values {
            VariedValues::Steps { count, .. } => *count,
            VariedValues::List(list) => list.len(),
        }
    }

    /// Whether its values are a list, in which any of them can be wrong.
    pub(super) fn is_list(&self) -> bool {
        matches!(self.values, VariedValues::List(_))
    }

    /// Whether it has no values; it always has one.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One of its values, counted from 0; the last one beyond the end.
    pub fn value(&self, index: usize) -> VariedValue {
        let index = index.min(self.len().saturating_sub(1));
        match &self.values {
            VariedValues::List(list) => list[index].clone(),
            VariedValues::Steps { from, step, places, whole, .. } => {
                VariedValue::of_number(with_places(from + step * index as f64, *places), *whole)
            }
        }
    }

    /// All values as numbers, if they are numbers.
    pub fn numbers(&self) -> Option<Vec<f64>> {
        (0..self.len()).map(|i| self.value(i).number).collect()
    }

    /// Whether all values are numbers that were written as whole ones.
    pub fn is_whole(&self) -> bool {
        match &self.values {
            VariedValues::Steps { whole, .. } => *whole,
            VariedValues::List(list) => list.iter().all(|v| v.setting.parse::<i64>().is_ok()),
        }
    }
}

/// Parses `FROM..TO:STEP`.
fn steps(text: &str) -> Result<VariedValues, String> {
    let form = || format!("`{}` is not FROM..TO:STEP, such as 0..0.2:0.01", printable_name(text));
    let (from, rest) = text.split_once("..").ok_or_else(form)?;
    let Some((to, step)) = rest.split_once(':') else {
        return Err(format!("{}; the step is missing", form()));
    };
    let [from, to, step] = [from, to, step].map(str::trim);
    let number = |text: &str| {
        decimal(text).ok_or_else(|| {
            let text = cut_name(text);
            format!("`{}` is not a number of at most 15 digits, written as in `0.05`", printable_name(&text))
        })
    };
    let whole = ![from, to, step].iter().any(|n| n.contains(['.', 'e', 'E']));
    let (a, b, by) = (number(from)?, number(to)?, number(step)?);
    if by == 0.0 {
        return Err("the step cannot be 0; for a single value write KEY=VALUE".into());
    }
    if a != b && (b > a) != (by > 0.0) {
        let right = if b > a { "above" } else { "below" };
        return Err(format!("from {from} to {to} the step must be {right} 0, not {step}"));
    }
    // A step that hits the end within rounding is taken.
    let steps = (b - a) / by + 1e-9;
    if steps >= MOST_RUNS as f64 {
        return Err(format!("a key can have at most {MOST_RUNS} values; take a larger step"));
    }
    let places = places(a).max(places(by));
    Ok(VariedValues::Steps { from: a, step: by, places, count: steps as usize + 1, whole })
}

/// Parses `A,B,C`. Commas inside quotes and brackets belong to a value.
fn list(text: &str) -> Result<Vec<VariedValue>, String> {
    let mut depth = 0;
    let mut quote = None;
    let parts = text.split(|c: char| {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '[' | '{') => depth += 1,
            (None, ']' | '}') => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0 && quote.is_none()
    });
    let mut values: Vec<VariedValue> = Vec::new();
    for part in parts.map(str::trim) {
        if part.is_empty() {
            return Err("a value of the list is missing, as in `1,,2`".into());
        }
        if values.len() == MOST_RUNS {
            return Err(format!("a key can have at most {MOST_RUNS} values"));
        }
        values.push(VariedValue { label: part.into(), setting: part.into(), number: decimal(part) });
    }
    let mut labels: Vec<&str> = values.iter().map(|v| v.label.as_str()).collect();
    labels.sort_unstable();
    if let Some(pair) = labels.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(format!("`{}` is in the list twice", printable_name(pair[0])));
    }
    Ok(values)
}
