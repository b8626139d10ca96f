//! Checking files without running them.

mod input_header;
mod known;
mod run;
mod variables;

pub use run::{CheckReport, check};
