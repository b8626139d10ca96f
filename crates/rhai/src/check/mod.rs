//! Static checks of scripts.
//!
//! `compiled` checks every script that is compiled, and finds what cannot work at all. The other
//! files belong to the command `check`: an [`Inspector`] parses the scripts of a game (`source`),
//! walks through every function (`walk`) with the variables and types known there (`scope`,
//! `types`), and applies the checks to each node: `calls`, `members`, `names`, `values` and
//! `flow`. Each check is a function that takes a node and the scope, and reports to the scope's
//! findings.
//!
//! Hooks have known parameters and registered functions known return types (`vocabulary`). Where
//! a type is not known, nothing is reported: not complaining about correct scripts is more
//! important than finding every mistake.

mod base_calls;
mod calls;
mod compiled;
mod findings;
mod flow;
mod inspect;
mod literals;
mod members;
mod names;
mod numbers;
mod other_engines;
mod scope;
mod source;
mod states;
mod syntax;
mod types;
mod unchecked;
mod values;
mod vocabulary;
mod walk;
mod windows;

pub(super) use base_calls::base_calls;
pub(super) use compiled::{DeclaredFunction, check_closures, check_hooks, check_top_level, declared_functions};
pub(super) use inspect::Inspector;
pub(super) use source::NamesInCalls;
pub(super) use windows::rule_answers;
