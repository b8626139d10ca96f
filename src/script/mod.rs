//! Floor 4: rules written in scripts.
//!
//! * [`host`] is what any script language needs here: the list of hooks, limits, messages that
//!   point into files, and what test scripts may do. It knows no language.
//! * [`rhai`] is the only room that knows Rhai. It compiles scripts, plays the turns of a tick and
//!   runs test functions. A second language would be a second room beside it.

pub mod host;
pub mod rhai;
