//! A Rhai engine with the language and its limits, without anything of the game.
//!
//! It uses none of the other modules here. A function that callers pass in registers what all scripts have in
//! addition to the language.

pub(super) mod budget;
pub(super) mod halt;
mod natives;
pub(super) mod nesting;
pub(super) mod packages;
pub(super) mod pricing;
pub(super) mod resolver;
pub(super) mod setup;
pub(super) mod tree;
pub(super) mod values;
pub(super) mod weight;
