//! Running tests: which ones, in what order, on how many threads.

mod case_runner;
mod compile;
mod filter;
mod outcome;
mod plan;
mod pool;

pub use case_runner::{CaseOptions, CaseRunner, run_case, run_heavy_case};
pub(super) use compile::compile_test;
pub use filter::TestFilter;
pub(super) use outcome::MOST_SHOWN_TEXT;
pub use outcome::{TestFiles, TestOutcome, TestResult};
pub use plan::{PlannedCase, TestPlan};
pub use pool::{RunOptions, TestObserver, run_plan};
