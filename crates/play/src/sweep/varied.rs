//! Keys that a sweep varies, as `KEY=FROM..TO:STEP` or `KEY=A,B,C`.

use super::decimal::{decimal, of_units, places, units};
use hangtime_script::text::{cut_name, printable_name};

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
    /// Equal steps, in units with this many decimal places.
    Steps {
        from: i64,
        step: i64,
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
            let is_seed = |value: &VariedValue| value.setting.parse::<u64>().is_ok();
            // A range of whole ends may have fractions in between.
            let places = [0, varied.len() - 1, 1.min(varied.len() - 1)];
            let tried = places.map(|place| varied.value(place));
            let is_wrong = |value: &&VariedValue| !is_seed(value);
            let is_shown_wrong = |value: &&VariedValue| value.label.parse::<u64>().is_err();
            let shown = tried.iter().filter(is_wrong).find(is_shown_wrong);
            if let Some(wrong) = shown.or_else(|| tried.iter().find(is_wrong)) {
                let wrong = printable_name(&wrong.label);
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
                VariedValue::of_number(of_units(from + step * index as i64, *places), *whole)
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
    let refusal = |text: &str| {
        let text = cut_name(text);
        let text = printable_name(&text);
        format!("`{text}` is not a number of at most 15 digits, written as in `0.05`")
    };
    let number = |text: &str| decimal(text).ok_or_else(|| refusal(text));
    let whole = ![from, to, step].iter().any(|n| n.contains(['.', 'e', 'E']));
    let numbers = [number(from)?, number(to)?, number(step)?];
    let places = numbers.into_iter().filter_map(places).max().unwrap_or(0);
    let in_units = |number: f64, text: &str| units(number, places).ok_or_else(|| refusal(text));
    let [a, b, by] = numbers;
    let (a, b, by) = (in_units(a, from)?, in_units(b, to)?, in_units(by, step)?);
    if by == 0 {
        return Err("the step cannot be 0; for a single value write KEY=VALUE".into());
    }
    if a != b && (b > a) != (by > 0) {
        let right = if b > a { "above" } else { "below" };
        return Err(format!("from {from} to {to} the step must be {right} 0, not {step}"));
    }
    let count = (b - a) / by + 1;
    let count = usize::try_from(count).ok().filter(|count| *count <= MOST_RUNS);
    let Some(count) = count else {
        return Err(format!("a key can have at most {MOST_RUNS} values; take a larger step"));
    };
    Ok(VariedValues::Steps { from: a, step: by, places, count, whole })
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

#[cfg(test)]
mod tests {
    use super::{MOST_RUNS, VariedKey};

    fn labels(text: &str) -> Vec<String> {
        let key = VariedKey::parse(text).expect("a good key");
        (0..key.len()).map(|i| key.value(i).label).collect()
    }

    fn settings(text: &str) -> Vec<String> {
        let key = VariedKey::parse(text).expect("a good key");
        (0..key.len()).map(|i| key.value(i).setting).collect()
    }

    #[test]
    fn a_range_includes_its_end_where_a_step_hits_it() {
        assert_eq!(labels("a.b=0..0.3:0.1"), ["0", "0.1", "0.2", "0.3"]);
        assert_eq!(labels("a.b=0..1:0.4"), ["0", "0.4", "0.8"]);
        assert_eq!(labels("a.b=1..1:5"), ["1"]);
        assert_eq!(labels("a.b=0..2e-3:1e-3"), ["0", "0.001", "0.002"]);
        assert_eq!(labels("a.b = -1 .. 1 : 1"), ["-1", "0", "1"]);
        let all = labels("a.b=0..100:0.1");
        assert_eq!(all.len(), 1001);
        assert_eq!((&*all[333], &*all[1000]), ("33.3", "100"));
    }

    #[test]
    fn a_range_can_descend_and_be_negative() {
        assert_eq!(labels("a.b=0.2..-0.1:-0.1"), ["0.2", "0.1", "0", "-0.1"]);
        assert_eq!(labels("a.b=-0.3..-0.1:0.1"), ["-0.3", "-0.2", "-0.1"]);
    }

    #[test]
    fn all_values_of_a_range_have_one_type() {
        assert_eq!(settings("a.b=0..1:0.5"), ["0.0", "0.5", "1.0"]);
        assert_eq!(settings("a.b=0..2:1"), ["0", "1", "2"]);
        assert_eq!(settings("a.b=0.0..2:1"), ["0.0", "1.0", "2.0"]);
    }

    #[test]
    fn a_list_keeps_its_texts_in_order() {
        assert_eq!(labels("a.b=60, 30,120"), ["60", "30", "120"]);
        assert_eq!(labels("a.b=true,false"), ["true", "false"]);
        assert_eq!(labels("a.b=[1, 2],[3, 4]"), ["[1, 2]", "[3, 4]"]);
        assert_eq!(labels("a.b=\"x, y\",z"), ["\"x, y\"", "z"]);
        assert_eq!(labels("a.b=5"), ["5"]);
    }

    #[test]
    fn wrong_ranges_say_what_is_wrong() {
        for (text, what) in [
            ("a.b", "write KEY=FROM..TO:STEP"),
            ("=1..2:1", "write KEY=FROM..TO:STEP"),
            ("a.b=", "write KEY=FROM..TO:STEP"),
            ("a.b=0..1", "the step is missing"),
            ("a.b=0..1:0", "the step cannot be 0"),
            ("a.b=0..1:-0.1", "from 0 to 1 the step must be above 0, not -0.1"),
            ("a.b=1..0:0.1", "from 1 to 0 the step must be below 0, not 0.1"),
            ("a.b=0..x:1", "`x` is not a number"),
            ("a.b=..1:1", "`` is not a number"),
            ("a.b=0..1e300:1", "`1e300` is not a number"),
            ("a.b=0..1:0.0000001", "at most 1000000 values"),
            ("a.b=1,,2", "a value of the list is missing"),
            ("a.b=1,2,1", "`1` is in the list twice"),
            ("seed=-1..3:1", "a seed is a whole number of at least 0, not `-1`"),
            ("seed=0..1:0.5", "a seed is a whole number of at least 0"),
        ] {
            let wrong = VariedKey::parse(text).expect_err(text);
            assert!(wrong.contains(what), "{text}: {wrong}");
        }
        let most = format!("a.b=1..{MOST_RUNS}:1");
        assert_eq!(VariedKey::parse(&most).map(|key| key.len()), Ok(MOST_RUNS));
    }
}
