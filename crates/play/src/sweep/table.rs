//! The table of a sweep: for people, and as CSV (RFC 4180) for other programs.

use super::row::{SweepCell, SweepRow, rounded};
use super::session::ParameterSweep;
use crate::text_table::{aligned, csv_line};
use hangtime_script::text::{cut, printable_name};
use std::io::{self, Write};

/// The largest number of characters of a cell in a table for people.
const MOST_CELL: usize = 60;

/// The titles of the keys, the measures, the goal and `pass`.
fn titles(sweep: &ParameterSweep) -> Vec<String> {
    let mut titles: Vec<String> = sweep.plan().keys().iter().map(|key| key.key.clone()).collect();
    titles.extend(sweep.columns().iter().map(|column| column.name.clone()));
    titles.extend(sweep.goal().map(|(_, name)| name.to_string()));
    titles.extend(sweep.has_pass().then(|| "pass".to_string()));
    titles
}

/// A table with a line for each row, and one for the titles.
pub fn sweep_table(sweep: &ParameterSweep, rows: &[SweepRow]) -> String {
    let shown = |text: String| printable_name(&cut(&text, MOST_CELL)).into_owned();
    let mut lines: Vec<Vec<String>> = vec![titles(sweep).into_iter().map(shown).collect()];
    lines.extend(rows.iter().map(|row| {
        let mut cells: Vec<String> = sweep.plan().point(row.run).into_iter().map(|value| shown(value.label)).collect();
        if row.failure.is_none() {
            cells.extend(row.cells.iter().map(|cell| shown(cell.rounded())));
            cells.extend(sweep.goal().map(|_| row.best.map_or_else(String::new, |best| rounded(best, 6))));
            cells.extend(row.passed.map(|passed| SweepCell::Flag(passed).to_string()));
        }
        cells
    }));
    let mut text = String::new();
    let failures = rows.iter().map(|row| row.failure.as_ref());
    for (line, failure) in aligned(&lines, |_| false).into_iter().zip([None].into_iter().chain(failures)) {
        text += &line;
        if let Some(failure) = failure {
            text += &format!("  failed: {}", printable_name(&failure.message));
        }
        text.push('\n');
    }
    text
}

/// Writes a line for each row. The first line has the titles, beginning with `run`.
pub struct SweepCsv {
    out: Box<dyn Write + Send>,
}

impl SweepCsv {
    /// Begins the table.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn new(mut out: Box<dyn Write + Send>, sweep: &ParameterSweep) -> io::Result<Self> {
        let mut line = vec!["run".to_string()];
        line.extend(titles(sweep));
        line.extend(["hash".to_string(), "error".to_string()]);
        out.write_all(csv_line(&line).as_bytes())?;
        Ok(Self { out })
    }

    /// Adds a row.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn row(&mut self, sweep: &ParameterSweep, row: &SweepRow) -> io::Result<()> {
        let mut cells = vec![row.run.to_string()];
        cells.extend(sweep.plan().point(row.run).into_iter().map(|value| value.label));
        if row.failure.is_some() {
            let missing = sweep.columns().len() + usize::from(sweep.goal().is_some());
            cells.extend(std::iter::repeat_n(String::new(), missing));
        } else {
            cells.extend(row.cells.iter().map(|cell| match cell {
                SweepCell::Flag(flag) => flag.to_string(),
                _ => cell.to_string(),
            }));
            // The sum turns -0 into 0.
            let best = || row.best.map_or_else(String::new, |best| (best + 0.0).to_string());
            cells.extend(sweep.goal().map(|_| best()));
        }
        cells.extend(row.passed.map(|passed| passed.to_string()));
        cells.push(format!("{:016x}", row.hash));
        let failure = row.failure.as_ref();
        cells.push(failure.map_or_else(String::new, |failure| failure.message.clone()));
        // One write for the whole line.
        self.out.write_all(csv_line(&cells).as_bytes())
    }

    /// Writes what is still in memory.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(mut self) -> io::Result<()> {
        self.out.flush()
    }
}
