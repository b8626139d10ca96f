//! Layer 6: playing without a window: runs with traces and pictures, and test levels.

mod command_line;
mod divergence;
pub mod feel;
mod film;
#[cfg(feature = "disk")]
mod flame_graph;
mod game;
mod golden;
mod heavy;
mod in_order;
mod merge;
mod open_error;
mod outcome;
mod partition;
mod play_log;
mod plot;
mod profile;
mod recorded_input;
mod recorded_run;
mod replay;
mod reports;
mod results;
mod run;
mod runner;
mod screen;
mod shared_bytes;
mod speeds;
mod suite;
mod sweep;
mod test_progress;
mod test_recording;
mod test_script;
mod test_sight;
mod text_table;
mod trace;
mod trace_lines;
mod why;

pub use divergence::Divergence;
pub use film::{FILM_FPS, FILM_SIDES, Film};
#[cfg(feature = "disk")]
pub use flame_graph::flame_graph;
pub use game::TestLevels;
pub use heavy::HeavyTwin;
pub use merge::{MergedResults, MergedSweep, merge};
pub use outcome::{TestFiles, TestOutcome, TestResult};
pub use partition::{MOST_SLICES, Partition};
pub use play_log::{PlayLog, PlayedLevels};
pub use profile::{nanoseconds, percent, profile_json, profile_table};
pub use recorded_input::RecordedInput;
pub use recorded_run::RunRecorder;
pub use replay::{Replay, ReplayOutcome};
pub use reports::{JunitReport, github_annotation, record_of, without_commands};
pub use results::{
    CaseOutcome, CaseRecord, RESULTS_VERSION, ResultsCommand, ResultsEnd, ResultsFile, ResultsHeader, ResultsWriter,
    fold_hashes, hex, plan_hash,
};
pub use run::{Observer, run, run_heavy};
pub use runner::{
    CaseOptions, CaseRunner, PlannedCase, RunOptions, TestFilter, TestObserver, TestPlan, run_case, run_heavy_case,
    run_plan,
};
pub use screen::{RunScreen, rgb_picture, write_png};
pub use speeds::{FunctionSpeed, MeasuredCalls, ScriptSpeeds, SpeedReport, measure_functions, speed_table};
pub use suite::{TestCase, collect, collect_with, update_golden};
pub use sweep::{
    MOST_RUNS, ParameterSweep, PassEdge, PassEdges, RunFailure, SweepAsks, SweepBest, SweepCell, SweepColumn, SweepCsv,
    SweepGoal, SweepPlan, SweepReport, SweepRequest, SweepRow, VariedKey, VariedValue, pass_edges, play_sweep,
    plot_refusal, sweep_best, sweep_header, sweep_json, sweep_record, sweep_svg, sweep_table,
};
pub use test_recording::TestRecording;
pub use text_table::aligned;
pub use trace::{Trace, TraceOptions};
pub use trace_lines::{EntityLine, EventLine, HookLine, KineticsLine, PlainJson, TickLine, VarsLine, WhyLine};
pub use why::{WhyTarget, WhyWriter};
