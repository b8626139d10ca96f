//! Layer 6: playing without a window: runs with traces and pictures, and test levels.

mod film;
mod game;
mod run;
mod suite;
mod trace;
mod why;

pub use film::{FILM_FPS, Film, write_png};
pub use game::TestLevels;
pub use run::{Observer, run};
pub use suite::{TestCase, TestOutcome, TestResult, collect, run_case};
pub use trace::{Trace, TraceOptions};
pub use why::{WhyTarget, WhyWriter};
