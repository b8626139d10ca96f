//! Playing all runs of a sweep, and what follows from them.

use super::*;
use crate::in_order::in_order;

/// The largest number of equally good runs that a text names.
const MOST_NAMED: usize = 3;

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
        let columns = self.sweep.columns().iter().enumerate();
        let has_number = |i: usize| self.rows.iter().any(|row| row.cells.get(i).and_then(on_plot).is_some());
        columns.filter(|(i, _)| !has_number(*i)).map(|(_, column)| column.name.as_str()).collect()
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
/// alone, to check the expressions. Ends early if `stopped` or `each` says so; `stopped` also interrupts runs in the middle
/// of a call, which then have no row. The calling thread needs a stack of [`STACK`](hangtime_script::STACK) bytes.
///
/// # Errors
/// If an expression is wrong whatever a run does.
pub fn play_sweep(
    sweep: &ParameterSweep,
    runs: &[usize],
    threads: usize,
    stopped: &(impl Fn() -> bool + Clone + Sync + 'static),
    mut each: impl FnMut(SweepRow) -> bool,
) -> Result<(), Error> {
    let Some((first, rest)) = runs.split_first() else {
        return Ok(());
    };
    let plan = sweep.plan();
    let checked = sweep.checked_run(plan, *first, stopped).transpose();
    if checked.map_err(|wrong| wrong.diagnostic)?.is_some_and(&mut each) {
        in_order(rest.len(), threads, |i| sweep.run(plan, rest[i], stopped), each);
    }
    Ok(())
}

/// The best value of a sweep, and the runs that reach it.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepBest {
    /// What it is the best for.
    pub goal: SweepGoal,
    /// The value.
    pub value: f64,
    /// The runs that have it.
    pub runs: Vec<usize>,
}

/// The best value among the runs that passed, or among all without `--pass`. None if no run has one.
pub fn sweep_best(sweep: &ParameterSweep, rows: &[SweepRow]) -> Option<SweepBest> {
    let (goal, _) = sweep.goal()?;
    let mut best: Option<SweepBest> = None;
    for row in rows.iter().filter(|row| row.passed != Some(false)) {
        let Some(value) = row.best else {
            continue;
        };
        match &mut best {
            Some(best) if best.value == value => best.runs.push(row.run),
            Some(best) if !goal.is_better(value, best.value) => {}
            _ => {
                best = Some(SweepBest { goal, value, runs: vec![row.run] });
            }
        }
    }
    best
}

impl SweepBest {
    /// The best value and its runs: `largest hero.x: 512.3 at platformer.jump_speed=600`.
    pub fn sentence(&self, sweep: &ParameterSweep) -> String {
        let word = match self.goal {
            SweepGoal::Maximize => "largest",
            SweepGoal::Minimize => "smallest",
        };
        let about = sweep.goal().map_or("", |(_, about)| about);
        let about = cut(about, 80);
        let named: Vec<String> = self.runs.iter().take(MOST_NAMED).map(|run| sweep.plan().name(*run)).collect();
        let more = match self.runs.len().saturating_sub(MOST_NAMED) {
            0 => String::new(),
            n => format!(" and {n} more"),
        };
        format!("{word} {}: {} at {}{more}", printable_name(&about), rounded(self.value, 9), named.join("; "))
    }
}
