//! Layer 6: playing without a window: runs with traces and pictures, and test levels.

pub mod feel;
mod film;
mod game;
mod heavy;
mod run;
mod screen;
mod suite;
mod trace;
mod why;

pub use film::{FILM_FPS, FILM_SIDES, Film};
pub use game::{HeavyReport, TestLevels};
pub use heavy::{Divergence, HeavyTwin};
pub use run::{HeavyError, Observer, run, run_heavy};
pub use screen::{RunScreen, write_png};
pub use suite::{TestCase, TestOutcome, TestResult, collect, run_case, run_heavy_case};
pub use trace::{Trace, TraceOptions};
pub use why::{WhyTarget, WhyWriter};
