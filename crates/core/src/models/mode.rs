//! What a body is doing, in the words that scripts and traces show.

use std::fmt;

/// What a body is doing. Each model uses some of these and lists them in `Model::MODES`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Standing on ground or on a floor.
    Ground,
    /// Above the ground.
    Air,
    /// Clinging to a wall.
    Wall,
    /// Hanging from a roof.
    Roof,
    /// Touching nothing, in a model that needs no ground.
    Free,
    /// A rigid body that touches something.
    Contact,
    /// In ballistic flight.
    Flying,
    /// Standing after a flight.
    Landed,
}

impl Mode {
    /// All modes.
    pub const ALL: [Self; 8] =
        [Self::Ground, Self::Air, Self::Wall, Self::Roof, Self::Free, Self::Contact, Self::Flying, Self::Landed];

    /// The name in scripts and traces.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ground => "ground",
            Self::Air => "air",
            Self::Wall => "wall",
            Self::Roof => "roof",
            Self::Free => "free",
            Self::Contact => "contact",
            Self::Flying => "flying",
            Self::Landed => "landed",
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Compares by the name in scripts and traces.
impl PartialEq<&str> for Mode {
    fn eq(&self, name: &&str) -> bool {
        self.as_str() == *name
    }
}
