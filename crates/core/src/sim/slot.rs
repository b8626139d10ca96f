//! Where the profile of an entity is in this tick's stage.

/// The index of an entity's profile in the stage of a tick: that of its kind, or its own behind
/// those if it has overrides. It follows from the entity's overrides. Nothing depends on which
/// index it is, so it is not state: it is neither saved nor compared nor hashed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Slot(u32);

impl Slot {
    /// The slot of the profile with this index.
    pub const fn new(index: u32) -> Self {
        Self(index)
    }

    /// Index into the profiles of the stage.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl PartialEq for Slot {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
