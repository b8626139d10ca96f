//! What is found out about scripts without running them.
//!
//! `top` and `hooks` are looked at whenever a script is compiled: what they find cannot work at all.
//! The rest is what the command `check` does with an [`Inspector`]: it walks through every function
//! with what is known of the values in it. What hooks are given is known, and what registered functions
//! answer; of everything else nothing is known, and nothing is said. An honest script is never
//! complained about: that comes before finding more.

mod answers;
mod calls;
mod chain;
mod closures;
mod comparisons;
mod copies;
mod expressions;
mod hooks;
mod inspect;
mod labels;
mod modules;
mod names;
mod plain;
mod source;
mod statements;
mod survey;
mod top;
mod types;
mod uncalled;
mod variables;
mod vocabulary;
mod walk;
mod writes;

pub(super) use hooks::{check_hooks, written_functions};
pub use inspect::{Inspector, Role};
pub(super) use survey::Tells;
pub(super) use top::{check_closures, check_top_level};
