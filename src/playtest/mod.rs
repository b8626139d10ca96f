//! Layer 6: playing without a window: runs with traces and pictures, and test levels.

mod film;
mod game;
mod heavy;
mod partition;
mod results;
mod run;
mod screen;
mod suite;
mod sweep;
mod trace;
mod why;

pub use film::{FILM_FPS, FILM_SIDES, Film};
pub use game::{HeavyReport, TestLevels};
pub use heavy::{Divergence, HeavyTwin};
pub use partition::{MOST_SLICES, Partition};
pub use results::{
    CaseOutcome, CaseRecord, RESULTS_VERSION, ResultsCommand, ResultsEnd, ResultsFile,
    ResultsHeader, ResultsWriter, fold_hashes, hex, plan_hash,
};
pub use run::{HeavyError, Observer, run, run_heavy};
pub use screen::{RunScreen, write_png};
pub use suite::{TestCase, TestOutcome, TestResult, collect, run_case, run_heavy_case};
pub use sweep::{
    Decimal, MOST_RUNS, ParameterSweep, PassEdge, PassEdges, RunFailure, SweepAsks, SweepBest,
    SweepCell, SweepColumn, SweepCsv, SweepGoal, SweepPlan, SweepReport, SweepRequest, SweepRow,
    VariedKey, VariedValue, pass_edges, play_sweep, plot_problem, sweep_best, sweep_header,
    sweep_json, sweep_record, sweep_svg, sweep_table,
};
pub use trace::{Trace, TraceOptions};
pub use why::{WhyTarget, WhyWriter};
