//! All running sequences of a world.

use super::*;

/// About how much memory a frame takes, and each of its values, bytes.
const FRAME_BYTES: u64 = 128;
const VALUE_BYTES: u64 = 64;

/// The running sequences of a world. Those of an entity are in the order in which they began to wait.
#[derive(Clone, Copy, Debug)]
pub struct Frames<'w>(&'w World);

impl World {
    /// The running sequences of all entities and the level.
    pub const fn frames(&self) -> Frames<'_> {
        Frames(self)
    }
}

impl<'w> Frames<'w> {
    /// Whether no sequence runs.
    pub fn is_empty(self) -> bool {
        self.iter().next().is_none()
    }

    /// The frames of an entity or, with [`EntityId::LEVEL`], of the level.
    pub fn of(self, entity: EntityId) -> &'w [SequenceFrame] {
        let Population { entities, .. } = &self.0.population;
        match self.0.population.index_of(entity) {
            Some(index) => entities[index].frames(),
            None if entity == EntityId::LEVEL => &self.0.level.script_state.frames,
            None => &[],
        }
    }

    /// The frames of the level, then of each entity.
    pub(super) fn by_owner(self) -> impl Iterator<Item = (EntityId, &'w [SequenceFrame])> {
        let entities = self.0.population.entities.iter().map(|entity| (entity.id, entity.frames()));
        std::iter::once((EntityId::LEVEL, &self.0.level.script_state.frames[..])).chain(entities)
    }

    /// All frames, by entity.
    pub(super) fn iter(self) -> impl Iterator<Item = &'w SequenceFrame> {
        self.by_owner().flat_map(|(_, own)| own)
    }

    /// About how much memory they take, bytes.
    pub fn memory(self) -> u64 {
        let of_value = |value: &Value| VALUE_BYTES * value.count() + value.text();
        let of_one = |frame: &SequenceFrame| FRAME_BYTES + frame.locals.iter().map(of_value).sum::<u64>();
        self.iter().map(of_one).sum()
    }
}
