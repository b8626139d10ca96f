//! What the mouse holds.

use glam::DVec2;
use hangtime_core::sim::EntityId;
use std::sync::Arc;

/// An entity that the mouse holds.
pub struct Drag {
    /// Its id.
    pub id: EntityId,
    /// Its name.
    pub name: Arc<str>,
    /// From the mouse to the entity's center, px.
    pub offset: DVec2,
    /// Where the mouse was last, px.
    pub last: DVec2,
    /// Whether it has been moved.
    pub moved: bool,
}
