//! x
#![forbid(unsafe_code)]
pub mod cli;
pub mod draw;
pub mod geometry;
pub mod level;
pub mod models;
pub mod playtest;
pub mod project;
pub mod script;
pub mod sim;
pub mod tuning;
#[cfg(feature = "viewer")]
pub mod viewer;
