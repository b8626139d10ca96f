//! Solids that scripts have switched off.

use super::Solid;
use serde::{Deserialize, Serialize};

/// The switched-off solids of a level, as sorted indices.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Absent(Vec<u32>);

impl Absent {
    /// The solids that are off when the level begins.
    #[must_use]
    pub fn at_start(solids: &[Solid]) -> Self {
        let all = (0_u32..).zip(solids);
        let off = all.filter(|(_, solid)| solid.present == Some(false));
        Self(off.map(|(index, _)| index).collect())
    }

    /// Whether a solid is switched off.
    #[must_use]
    pub fn holds(&self, solid: u32) -> bool {
        self.0.binary_search(&solid).is_ok()
    }

    /// Switches a solid on or off; returns whether that changed anything.
    pub fn set(&mut self, solid: u32, there: bool) -> bool {
        match (self.0.binary_search(&solid), there) {
            (Ok(place), true) => {
                self.0.remove(place);
                true
            }
            (Err(place), false) => {
                self.0.insert(place, solid);
                true
            }
            _ => false,
        }
    }

    /// Whether no solid is switched off.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The indices of the switched-off solids.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().copied()
    }
}
