//! The cellar: a Rhai engine with the language, its limits and nothing of the game.
//!
//! It knows none of the other rooms. What scripts of every kind have besides the language is handed in as a function
//! that registers it.

pub(super) mod budget;
pub(super) mod halt;
mod natives;
pub(super) mod packages;
pub(super) mod printed;
pub(super) mod resolver;
pub(super) mod setup;
pub(super) mod values;
pub(super) mod vector;
pub(super) mod weight;
