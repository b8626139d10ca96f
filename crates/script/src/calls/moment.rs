//! What the calls of one entity read and write.

use super::{world_view::outside_functions, *};
use crate::Limits;

/// The entity whose script runs, and the world as of the start of the phase. A running game has one; it is opened for
/// each phase and pointed at each entity in turn.
#[derive(Debug)]
pub struct CallMoment {
    /// The entity.
    pub me: MeState,
    /// The world.
    pub world: WorldView,
    /// Whether there is a world: not at the top level of a file, which is evaluated before there is one.
    exists: bool,
    /// The largest number of elements of a list.
    pub(super) most_elements: usize,
}

impl CallMoment {
    /// A moment of no entity yet, for scripts with these limits.
    pub fn new(limits: &Limits) -> Self {
        Self { exists: true, most_elements: limits.array, ..Self::outside() }
    }

    /// The moment at the top level of a file, where calls that read the world are refused.
    pub fn outside() -> Self {
        Self { me: MeState::of_no_entity(), world: WorldView::default(), exists: false, most_elements: 0 }
    }

    /// Copies the world at the start of a phase: the parts that scripts are interested in. `deciding` is false while
    /// rules are asked in the middle of a tick.
    pub fn open(&mut self, scene: &Scene<'_>, interest: Interest, deciding: bool) {
        self.me.parts = interest.parts();
        self.world.open(scene, interest, deciding);
    }

    /// The entity, for a call that needs its body.
    ///
    /// # Errors
    /// In a level's own script.
    #[inline]
    pub(super) fn body(&mut self, args: Args<'_>) -> Accepted<&mut MeState> {
        self.me.with_body(args.call())
    }

    /// The world.
    ///
    /// # Errors
    /// At the top level of a file.
    pub(super) fn world(&self) -> Accepted<&WorldView> {
        if self.exists {
            return Ok(&self.world);
        }
        outside_functions()
    }

    /// The entity and the world, to change both.
    ///
    /// # Errors
    /// At the top level of a file.
    pub(super) fn both(&mut self) -> Accepted<(&mut MeState, &mut WorldView)> {
        if self.exists {
            return Ok((&mut self.me, &mut self.world));
        }
        outside_functions()
    }
}
