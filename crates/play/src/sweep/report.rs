//! Playing all runs of a sweep, and what follows from them.

use super::best::SweepBest;
use super::edges::PassEdges;
use super::row::{SweepCell, SweepRow};
use super::session::ParameterSweep;
use crate::in_order::in_order;
use hangtime_game::Error;

/// The results of a sweep.
pub struct SweepReport<'a> {
    /// The sweep.
    pub sweep: &'a ParameterSweep,
    /// The rows, in order.
    pub rows: &'a [SweepRow],
    /// Where it passes, if that is known.
    pub edges: Option<PassEdges>,
    /// The best value, if one was looked for.
    pub best: Option<SweepBest>,
}

impl SweepReport<'_> {
    /// What was found, in sentences.
    pub fn findings(&self) -> Vec<String> {
        let mut found = Vec::new();
        if let Some(edges) = &self.edges {
            found.push(format!("{}: {}", edges.key, edges.sentence()));
            found.extend(edges.details().lines().map(String::from));
        } else if self.sweep.has_pass() {
            let passed = self.rows.iter().filter(|row| row.passed == Some(true));
            found.push(format!("{} of {} runs pass", passed.count(), self.rows.len()));
        }
        if let Some(best) = &self.best {
            found.push(best.sentence(self.sweep));
        } else if self.sweep.goal().is_some() {
            found.push("no run has a value to compare".into());
        }
        found
    }

    /// The measures that a plot cannot show, because no run has a number for them.
    pub fn undrawn(&self) -> Vec<&str> {
        let is_map = self.sweep.plan().keys().len() == 2;
        let shown = if is_map && self.sweep.goal().is_some() {
            0
        } else if is_map {
            1
        } else {
            usize::MAX
        };
        let columns = self.sweep.columns().iter().enumerate().take(shown);
        let is_empty = |i: usize| {
            let cells = self.rows.iter().filter_map(|row| row.cells.get(i));
            cells.filter_map(SweepCell::on_plot).next().is_none()
        };
        columns.filter(|(i, _)| is_empty(*i)).map(|(_, column)| column.name.as_str()).collect()
    }

    /// Whether no run passes, though that was asked for.
    pub fn never_passes(&self) -> bool {
        let passed = |row: &SweepRow| row.passed == Some(true);
        self.sweep.has_pass() && !self.rows.is_empty() && !self.rows.iter().any(passed)
    }

    /// The number of runs without a result.
    pub fn failures(&self) -> usize {
        self.rows.iter().filter(|row| row.failure.is_some()).count()
    }

    /// Whether all of several runs ended in the same state, with the same values, so that the varied keys had no
    /// effect.
    pub fn all_equal(&self) -> bool {
        let [first, rest @ ..] = self.rows else {
            return false;
        };
        let same = |row: &SweepRow| {
            row.hash == first.hash
                && row.failure.is_none()
                && (&row.cells, row.best, row.passed) == (&first.cells, first.best, first.passed)
        };
        !rest.is_empty() && first.failure.is_none() && rest.iter().all(same)
    }
}

/// Plays these runs on some threads, and passes their rows to `each` in order. The first run is played
/// alone, to check the expressions. Ends early if `stopped` or `each` says so. The calling thread needs a stack of
/// [`STACK`](hangtime_script::STACK) bytes.
///
/// # Errors
/// If an expression is wrong whatever a run does.
pub fn play_sweep(
    sweep: &ParameterSweep,
    runs: &[usize],
    threads: usize,
    stopped: &(impl Fn() -> bool + Sync),
    mut each: impl FnMut(SweepRow) -> bool,
) -> Result<(), Error> {
    let Some((first, rest)) = runs.split_first() else {
        return Ok(());
    };
    let Some(row) = sweep.check(*first, stopped)? else {
        return Ok(());
    };
    if !each(row) {
        return Ok(());
    }
    in_order(rest.len(), threads, |i| sweep.run(rest[i], stopped), each);
    Ok(())
}
