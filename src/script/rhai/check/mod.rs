//! Static checks of scripts.
//!
//! `top` and `hooks` check every script that is compiled, and find what cannot work at all. All
//! other files belong to the command `check`: an [`Inspector`] parses the scripts of a game
//! (`source`), walks through every function with the types and variables known there (`walk`,
//! `scope`, `types`), and applies the checks to each node: `calls`, `members`, `names`, `values`,
//! `writes`, `closures` and `flow`. Each check is a function that adds to `Findings`.
//!
//! Hooks have known parameters and registered functions known return types. Where a type is not
//! known, nothing is reported: not complaining about correct scripts is more important than
//! finding every mistake.

mod calls;
mod closures;
mod findings;
mod flow;
mod functions;
mod hooks;
mod inspect;
mod members;
mod names;
mod scope;
mod source;
mod syntax;
mod top;
mod types;
mod values;
mod vocabulary;
mod walk;
mod writes;

pub(super) use hooks::{check_hooks, declared_functions};
pub use inspect::Inspector;
pub use scope::ScriptRole;
pub(super) use source::EmittedEvents;
pub(super) use top::{check_closures, check_top_level};
