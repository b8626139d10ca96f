//! Checking files without running them.

mod actions;
mod contracts;
mod file_kind;
mod game_check;
mod input_header;
mod known;
mod run;
mod unused;
mod variables;

pub use run::{CheckReport, GameCheck, check};
