//! What a profile says: as a table, as JSON and as a flame graph.

mod flame;
mod json;
mod table;

pub use flame::flame_graph;
pub use json::profile_json;
pub use table::{nanoseconds, percent, profile_table, stable_columns};
