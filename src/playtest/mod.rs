//! Layer 6: playing without a window: runs with traces and pictures, and test levels.

mod difference;
mod film;
mod game;
mod heavy;
mod recorded_run;
mod replay;
mod run;
mod screen;
mod suite;
mod test_recording;
mod trace;
mod why;

pub use film::{FILM_FPS, FILM_SIDES, Film};
pub use game::{HeavyReport, TestLevels};
pub use heavy::{Divergence, HeavyTwin};
pub use recorded_run::RunRecorder;
pub use replay::{Replay, ReplayDifference, ReplayOutcome};
pub use run::{HeavyError, Observer, run, run_heavy};
pub use screen::{RunScreen, write_png};
pub use suite::{TestCase, TestOutcome, TestResult, collect, run_case, run_heavy_case};
pub use test_recording::TestRecording;
pub use trace::{Trace, TraceOptions};
pub use why::{WhyTarget, WhyWriter};
