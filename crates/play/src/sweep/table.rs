//! The table of a sweep, for people.

use super::row::SweepRow;
use super::session::ParameterSweep;
use hangtime_script::text::{cut, printable_name};

/// The largest number of characters of a cell.
const MOST_CELL: usize = 60;

/// A table with a line for each row, and one for the titles.
#[must_use]
pub fn sweep_table(sweep: &ParameterSweep, rows: &[SweepRow]) -> String {
    let shown = |text: &str| printable_name(&cut(text, MOST_CELL)).into_owned();
    let keys = sweep.plan().keys().iter().map(|key| shown(&key.key));
    let mut titles: Vec<String> = keys.collect();
    titles.extend(sweep.columns().iter().map(|column| shown(&column.name)));
    titles.extend(sweep.goal().map(|(_, name)| shown(name)));
    titles.extend(sweep.has_pass().then(|| "pass".to_string()));
    let lines: Vec<Vec<String>> = rows.iter().map(|row| cells(sweep, row, &shown)).collect();
    let width = |column: usize| {
        let cells = lines.iter().filter(|line| line.len() > column);
        let widest = cells.map(|line| line[column].chars().count()).max().unwrap_or(0);
        widest.max(titles[column].chars().count())
    };
    let widths: Vec<usize> = (0..titles.len()).map(width).collect();
    let mut text = line_of(&titles, &widths, None);
    for (line, row) in lines.iter().zip(rows) {
        let failure = row.failure.as_ref();
        let failure = failure.map(|failure| format!("failed: {}", failure.message));
        text += &line_of(line, &widths, failure.as_deref());
    }
    text
}

fn cells(sweep: &ParameterSweep, row: &SweepRow, shown: &impl Fn(&str) -> String) -> Vec<String> {
    let values = sweep.plan().point(row.run).into_iter();
    let mut cells: Vec<String> = values.map(|value| shown(&value.label)).collect();
    if row.failure.is_some() {
        return cells;
    }
    cells.extend(row.cells.iter().map(|cell| shown(&cell.rounded())));
    if sweep.goal().is_some() {
        let best = row.best.map(|best| super::row::rounded(best, 6));
        cells.push(best.unwrap_or_default());
    }
    let pass = row.passed.map(|passed| if passed { "yes" } else { "no" });
    cells.extend(pass.map(String::from));
    cells
}

/// A line whose cells end at the same columns, and what follows them.
fn line_of(cells: &[String], widths: &[usize], more: Option<&str>) -> String {
    let mut line = String::new();
    for (i, (cell, width)) in cells.iter().zip(widths).enumerate() {
        let gap = if i == 0 { 0 } else { 2 };
        let pad = gap + width - cell.chars().count().min(*width);
        line.extend(std::iter::repeat_n(' ', pad));
        line += cell;
    }
    if let Some(more) = more {
        line += "  ";
        line += &printable_name(more);
    }
    line.truncate(line.trim_end().len());
    line + "\n"
}
