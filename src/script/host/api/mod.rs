//! What scripts can call, read and write, as data.
//!
//! Whatever is registered for scripts brings an [`Entry`]. The reference, what an error message says
//! is right, and what a checker knows of a script without running it all follow from these.

mod entry;
mod topic;
mod types;

pub use entry::{Access, Entry, Kind, Owner, Room};
pub use topic::Topic;
pub use types::{Field, Names, Param, Shape, Type, field, param};
