//! Layer 4: rules written in scripts.
//!
//! * [`host`] is independent of the script language: the list of hooks, the table of calls, limits, messages that point
//!   into files, and the interface to test levels.
//! * [`rhai`] is the only module that knows Rhai. It compiles scripts, calls their hooks in every tick and runs test
//!   functions. A second language would be a second module next to it.

pub mod host;
pub mod rhai;
