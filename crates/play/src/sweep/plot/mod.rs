//! A sweep as a picture (SVG): lines over one varied key, or a map over two.

mod axis;
mod colors;
mod lines;
mod map;
mod svg;
mod titles;

use super::report::SweepReport;
use super::session::ParameterSweep;

/// The largest number of values that a plot shows.
const MOST_POINTS: usize = 100_000;

/// The largest number of cells that a map shows.
const MOST_CELLS: usize = 40_000;

/// The largest number of names that an axis of texts shows.
const MOST_NAMES: usize = 100;

/// Why a sweep cannot be drawn; none if it can.
#[must_use]
pub fn plot_problem(sweep: &ParameterSweep) -> Option<String> {
    let keys = sweep.plan().keys();
    let runs = sweep.plan().runs();
    if keys.len() > 2 {
        let count = keys.len();
        return Some(format!("a plot shows one or two varied keys, not {count}; write a CSV file"));
    }
    if let Some(key) = keys.iter().find(|key| key.len() > MOST_NAMES && key.numbers().is_none()) {
        let count = key.len();
        return Some(format!("a plot shows at most {MOST_NAMES} values that are not numbers, not {count}"));
    }
    if keys.len() == 2 && runs > MOST_CELLS {
        return Some(format!("a map shows at most {MOST_CELLS} runs, not {runs}; take larger steps"));
    }
    if runs > MOST_POINTS {
        return Some(format!("a plot shows at most {MOST_POINTS} runs, not {runs}; take a larger step"));
    }
    None
}

/// The picture of a sweep, of which all runs have been played.
#[must_use]
pub fn sweep_svg(report: &SweepReport<'_>) -> String {
    if report.sweep.plan().keys().len() == 2 {
        map::draw(report)
    } else {
        lines::draw(report)
    }
}
