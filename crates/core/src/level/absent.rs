//! Solids and zones that scripts have switched off.

use super::Solid;
use serde::{Deserialize, Serialize};

/// The switched-off solids or zones of a level, as sorted indices.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Absent(Vec<u32>);

impl Absent {
    /// The solids that are off when the level begins.
    pub fn at_start(solids: &[Solid]) -> Self {
        let all = (0_u32..).zip(solids);
        let off = all.filter(|(_, solid)| solid.present == Some(false));
        Self(off.map(|(index, _)| index).collect())
    }

    /// Switches everything on and keeps the memory.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Makes it the same as another one. Its memory is reused.
    pub fn copy_from(&mut self, other: &Self) {
        self.0.clone_from(&other.0);
    }

    /// Whether the solid or zone with this index is switched off.
    pub fn holds(&self, index: u32) -> bool {
        self.0.binary_search(&index).is_ok()
    }

    /// Switches one on or off; returns whether that changed anything.
    pub fn set(&mut self, index: u32, there: bool) -> bool {
        match (self.0.binary_search(&index), there) {
            (Ok(place), true) => {
                self.0.remove(place);
                true
            }
            (Err(place), false) => {
                self.0.insert(place, index);
                true
            }
            _ => false,
        }
    }

    /// Whether nothing is switched off.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The indices of what is switched off.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().copied()
    }
}
