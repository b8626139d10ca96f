//! Entity ids.

use serde::{Deserialize, Serialize};

/// An entity's id: counted from 1 in the order of creation, never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct EntityId(pub u32);

impl EntityId {
    /// The level itself. Its script is called and receives events, but it has no body.
    pub const LEVEL: Self = Self(0);
}
