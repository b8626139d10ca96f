//! Solids that scripts switch on and off: which of them are not there.

use super::Solid;
use serde::{Deserialize, Serialize};

/// The solids of a level that are switched off: by their indices, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Absent(Vec<u32>);

impl Absent {
    /// Those that are switched off when the level begins.
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

    /// Switches a solid; whether that has changed anything.
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

    /// Whether everything is there.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The solids that are switched off.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().copied()
    }
}
