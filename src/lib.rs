//! x
#![forbid(unsafe_code)]
pub mod geometry;
pub mod level;
pub mod models;
pub mod sim;
pub mod tuning;
