//! Running tests: which ones, in what order, on how many threads.

mod case_runner;
mod filter;
mod plan;
mod pool;

use super::*;
use hangtime_game::now;

pub use case_runner::{CaseOptions, CaseRunner, run_case, run_heavy_case};
pub use filter::TestFilter;
pub use plan::{PlannedCase, TestPlan};
pub use pool::{RunOptions, TestObserver, run_plan};
