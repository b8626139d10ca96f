//! An action that a game defines for itself.

use serde::{Deserialize, Serialize};

/// An action that a game defines: the n-th of them by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct OwnAction(u8);

impl OwnAction {
    /// All of them.
    pub const ALL: [Self; 8] = [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5), Self(6), Self(7)];

    /// Which one it is, from 0.
    pub const fn place(self) -> u8 {
        self.0
    }

    /// Its name in recordings, which do not depend on how a game calls it.
    pub const fn name(self) -> &'static str {
        const NAMES: [&str; OwnAction::ALL.len()] = ["own1", "own2", "own3", "own4", "own5", "own6", "own7", "own8"];
        NAMES[self.0 as usize % NAMES.len()]
    }
}
