//! The best values of a sweep.

use super::questions::SweepGoal;
use super::row::{SweepRow, rounded};
use super::session::ParameterSweep;
use hangtime_script::text::{cut, printable_name};

/// The largest number of equally good runs that a text names.
const MOST_NAMED: usize = 3;

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
