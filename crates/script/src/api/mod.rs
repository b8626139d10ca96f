//! The script API as data.
//!
//! Whatever is registered for scripts comes with an [`ApiEntry`]. The reference, error messages, and the checker are
//! all derived from these entries.

mod declared;
mod entry;
mod topic;
mod types;

pub use entry::{Access, ApiEntry, ApiSet, EntryKind, Owner};
pub use topic::Topic;
pub use types::{Field, Names, Param, Shape, Type, field, param};
