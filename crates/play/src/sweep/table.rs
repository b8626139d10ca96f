//! The table of a sweep, or of one that was joined from parts: for people, and as CSV (RFC 4180) for other programs.

use super::*;
use crate::text_table::csv_line;

/// The largest number of characters of a cell in a table for people.
const MOST_CELL: usize = 60;

/// The fields of a results file in which a sweep keeps its measures and what it looks for the best of.
pub const MEASURES: &str = "measures";
pub const BEST: &str = "best";

/// The columns of a table with a row for each run.
pub struct SweepTable {
    keys: Vec<String>,
    measures: Vec<String>,
    /// The title of what is maximized or minimized.
    goal: Option<String>,
    /// Whether the runs pass or fail.
    pub has_pass: bool,
}

impl SweepTable {
    /// The table of a sweep.
    pub fn of(sweep: &ParameterSweep) -> Self {
        Self {
            keys: sweep.plan().keys().iter().map(|key| key.key.clone()).collect(),
            measures: sweep.columns().iter().map(|column| column.name.clone()).collect(),
            goal: sweep.goal().map(|(_, name)| name.into()),
            has_pass: sweep.has_pass(),
        }
    }

    /// The table of results that are known only from their file.
    pub fn of_cases(cases: &[CaseRecord]) -> Self {
        let settings = cases.first().map_or("", |case| &case.case).split(", ");
        let mut measures: Vec<String> = Vec::new();
        for name in cases
            .iter()
            .filter_map(|case| case.more.get(MEASURES)?.as_object())
            .flat_map(|all| all.keys())
        {
            if !measures.contains(name) {
                measures.push(name.clone());
            }
        }
        let is_judged = |case: &CaseRecord| case.message.is_none() && case.outcome != CaseOutcome::Measured;
        Self {
            keys: settings.filter_map(|setting| Some(setting.split_once('=')?.0.into())).collect(),
            measures,
            goal: cases.iter().any(|case| case.more.contains_key(BEST)).then(|| BEST.into()),
            has_pass: cases.iter().any(is_judged),
        }
    }

    /// The titles of the keys, the measures, the goal and `pass`.
    fn titles(&self) -> Vec<String> {
        let pass = self.has_pass.then(|| "pass".to_string());
        self.keys.iter().chain(&self.measures).chain(&self.goal).cloned().chain(pass).collect()
    }

    /// The values of the keys, from the name of a run: `platformer.coyote_time=0.1, simulation.tick_hz=60`.
    fn settings(&self, mut name: &str) -> Vec<String> {
        let mut values = Vec::new();
        for key in self.keys.iter().rev() {
            let (before, value) = name.rsplit_once(&format!("{key}=")).unwrap_or((name, ""));
            values.push(value.to_string());
            name = before.trim_end_matches(", ");
        }
        values.reverse();
        values
    }

    fn cells(&self, case: &CaseRecord, text: fn(&Value) -> String) -> Vec<String> {
        let cell = |value: Option<&Value>| value.map_or_else(String::new, text);
        let measured = case.more.get(MEASURES);
        let mut cells = self.settings(&case.case);
        cells.extend(self.measures.iter().map(|name| cell(measured.and_then(|all| all.get(name)))));
        cells.extend(self.goal.iter().map(|_| cell(case.more.get(BEST))));
        cells.extend(self.has_pass.then(|| text(&case.outcome.passed().into())));
        cells
    }

    /// A line for the titles and one for each run, with its error if it failed.
    pub fn text(&self, cases: &[CaseRecord]) -> String {
        let shown = |text: &String| printable_name(&cut(text, MOST_CELL)).into_owned();
        let rows = cases.iter().map(|case| {
            let mut cells = self.cells(case, short_text);
            if case.message.is_some() {
                cells.truncate(self.keys.len());
            }
            cells.iter().map(shown).collect()
        });
        let titles: Vec<String> = self.titles().iter().map(shown).collect();
        let messages = cases.iter().map(|case| case.message.as_ref());
        let lines = aligned(&titles, rows, |_| false).into_iter().zip([None].into_iter().chain(messages));
        let line = |(line, message): (String, Option<&String>)| match message {
            Some(message) => format!("{line}  failed: {}\n", printable_name(message)),
            None => line + "\n",
        };
        lines.map(line).collect()
    }

    /// The first line as CSV.
    pub fn csv_titles(&self) -> String {
        let mut titles = self.titles();
        titles.insert(0, "run".into());
        titles.extend(["hash".into(), "error".into()]);
        csv_line(&titles)
    }

    /// The line of a run as CSV. Numbers read back bit for bit.
    pub fn csv_row(&self, case: &CaseRecord) -> String {
        let mut cells = self.cells(case, whole_text);
        cells.insert(0, case.index.to_string());
        cells.extend([case.hash.clone(), case.message.clone().unwrap_or_default()]);
        csv_line(&cells)
    }
}
