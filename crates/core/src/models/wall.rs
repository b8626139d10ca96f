//! The wall along which a body slides, for models whose steps depend on it.

use super::*;

/// State of a model that keeps nothing else between ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WallState {
    /// Normal of the wall that took velocity from the body in the previous tick.
    pub(super) wall: Option<DVec2>,
}

impl WallState {
    /// Checks a saved state.
    pub(super) fn check(&self) -> Checked {
        self.wall.map_or(Ok(()), |wall| unit("wall", wall))
    }

    /// Feeds the state into a hash.
    pub(super) fn digest(&self, digest: &mut Digest) {
        if let Some(wall) = self.wall {
            digest.vector(wall);
        }
    }
}
