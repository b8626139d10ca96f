//! What hangtime calls: compiled scripts, their hooks and test functions, and the variables that they
//! work on.

pub(super) mod answers;
pub(super) mod compile;
mod keep;
mod phase;
mod places;
pub(super) mod rules;
mod runtime;
pub(super) mod testing;
mod vars;
