//! The rows of a sweep that was joined from parts.

use super::MergedResults;
use crate::results::{CaseOutcome, CaseRecord};
use crate::text_table::{aligned, csv_line};
use hangtime_script::text::{cut, printable_name};
use serde_json::Value;
use std::io::{self, Write};

/// The rows of a joined sweep: for each run its settings, what it measured, and whether it passed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergedSweep {
    /// The titles of the columns.
    pub titles: Vec<String>,
    /// A row for each run, with a text for each title.
    pub rows: Vec<Vec<String>>,
    /// The number of runs that failed, and so measured nothing.
    pub failures: usize,
    /// The number of runs that passed; `None` if the sweep had no `--pass`.
    pub passing: Option<usize>,
}

/// The field of a results file in which a sweep keeps its measures.
const MEASURES: &str = "measures";

/// The largest number of characters of a column in a table.
const MOST_COLUMN: usize = 40;

impl MergedSweep {
    /// The rows of the sweep that was joined.
    pub fn of(merged: &MergedResults) -> Self {
        let cases = &merged.cases;
        let keys = keys_of(cases);
        let measures = measures_of(cases);
        let with_best = cases.iter().any(|case| case.more.contains_key("best"));
        let judged = |case: &CaseRecord| case.outcome != CaseOutcome::Measured;
        // A run that failed says nothing about whether there was a `--pass`.
        let with_pass = cases.iter().any(|case| judged(case) && !failed(case));
        let mut titles = vec!["run".to_string()];
        match &keys {
            Some(keys) => titles.extend(keys.clone()),
            None => titles.push("settings".into()),
        }
        titles.extend(measures.clone());
        titles.extend(with_best.then(|| "best".to_string()));
        titles.extend(with_pass.then(|| "pass".to_string()));
        titles.extend(["hash".to_string(), "error".to_string()]);
        let row = |case: &CaseRecord| {
            let mut cells = vec![case.index.to_string()];
            match &keys {
                Some(_) => cells.extend(settings_of(case).map(|(_, value)| value.to_string())),
                None => cells.push(case.case.clone()),
            }
            cells.extend(measures.iter().map(|name| measure(case, name)));
            cells.extend(with_best.then(|| cell(case.more.get("best"))));
            cells.extend(with_pass.then(|| case.outcome.passed().to_string()));
            cells.push(case.hash.clone());
            cells.push(case.message.clone().unwrap_or_default());
            cells
        };
        let passed = cases.iter().filter(|case| case.outcome.passed()).count();
        Self {
            titles,
            rows: cases.iter().map(row).collect(),
            failures: cases.iter().filter(|case| failed(case)).count(),
            passing: with_pass.then_some(passed),
        }
    }

    /// The rows as lines of a table, without hashes.
    pub fn table(&self) -> Vec<String> {
        let shown: Vec<usize> = (0..self.titles.len())
            .filter(|i| self.titles[*i] != "hash")
            .filter(|i| *i + 1 < self.titles.len() || self.failures > 0)
            .collect();
        let text = |line: &[String], i: usize| {
            let text = line.get(i).map_or("", String::as_str);
            cut(&printable_name(text), MOST_COLUMN).into_owned()
        };
        let lines = std::iter::once(&self.titles).chain(&self.rows);
        let lines = lines.map(|line| shown.iter().map(|i| text(line, *i)).collect());
        aligned(&lines.collect::<Vec<_>>(), |_| true)
    }

    /// Writes the rows as CSV (RFC 4180).
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_csv(&self, mut out: impl Write) -> io::Result<()> {
        for line in std::iter::once(&self.titles).chain(&self.rows) {
            out.write_all(csv_line(line).as_bytes())?;
        }
        out.flush()
    }
}

/// Whether a run ended with an error instead of a measure.
fn failed(case: &CaseRecord) -> bool {
    case.message.is_some()
}

/// The settings of a run, from its name: `platformer.coyote_time=0.1, simulation.tick_hz=60`.
fn settings_of(case: &CaseRecord) -> impl Iterator<Item = (&str, &str)> {
    let parts = case.case.split(", ");
    parts.map(|part| part.split_once('=').unwrap_or(("", part)))
}

/// The varied keys, if all names have the same ones.
fn keys_of(cases: &[CaseRecord]) -> Option<Vec<String>> {
    let first = cases.first()?;
    let keys: Vec<&str> = settings_of(first).map(|(key, _)| key).collect();
    let same = |case: &CaseRecord| settings_of(case).map(|(key, _)| key).eq(keys.iter().copied());
    let named = keys.iter().all(|key| !key.is_empty());
    (named && cases.iter().all(same)).then(|| keys.iter().map(|key| key.to_string()).collect())
}

/// The names of everything that was measured, in order; `value` if only that is known.
fn measures_of(cases: &[CaseRecord]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for case in cases {
        let Some(Value::Object(measures)) = case.more.get(MEASURES) else {
            continue;
        };
        for name in measures.keys() {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
    }
    if names.is_empty() {
        names.push("value".into());
    }
    names
}

fn measure(case: &CaseRecord, name: &str) -> String {
    match case.more.get(MEASURES) {
        Some(Value::Object(measures)) => cell(measures.get(name)),
        _ if name == "value" => case.value.map_or_else(String::new, |value| value.to_string()),
        _ => String::new(),
    }
}

fn cell(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        // Without `.0` for whole numbers, as sweeps print them.
        Some(Value::Number(number)) => match number.as_f64() {
            Some(x) if number.is_f64() => (x + 0.0).to_string(),
            _ => number.to_string(),
        },
        Some(other) => other.to_string(),
    }
}
