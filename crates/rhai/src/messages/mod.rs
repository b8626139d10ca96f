//! From Rhai's errors to messages that point at the line that failed and say what to write instead.
//!
//! What is registered for scripts is handed in as a [`catalog::Catalog`].

pub(super) mod catalog;
pub(super) mod code_end;
pub(super) mod elsewhere;
pub(super) mod errors;
pub(super) mod likely;
mod misread;
pub(super) mod operators;
pub(super) mod thrown;
mod words;
