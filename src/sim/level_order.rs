//! Starting the level again, and orders to play another one.

use super::passage::{LevelOrder, Passage};
use super::stage::Stage;
use super::value::Value;
use super::world::World;

impl World {
    /// Another level that a script wants to play from the next tick on. The world itself does not know other levels: a
    /// program that does begins it with [`World::begin`], or [drops the order](Self::drop_level_order).
    #[must_use]
    pub fn level_order(&self) -> Option<&LevelOrder> {
        self.passage.wanted.as_ref()
    }

    /// Forgets the level that a script wants to play, because it cannot be played.
    pub fn drop_level_order(&mut self) {
        self.passage.wanted = None;
    }

    /// What was handed over when the level began; [`Value::Unit`] if nothing was.
    #[must_use]
    pub fn handed(&self) -> &Value {
        &self.passage.handed
    }

    /// Starts the level again, if a script wants that.
    pub(super) fn restart_if_ordered(&mut self, stage: &Stage) {
        let ordered = self.passage.wanted.take_if(|order| order.level.is_none());
        let Some(order) = ordered else { return };
        let Passage {
            handed, checkpoint, ..
        } = std::mem::take(&mut self.passage);
        let checkpoint = order.data.or(checkpoint);
        let handed = checkpoint.clone().unwrap_or(handed);
        let mut next = Self::begin(stage, self.seed, self.tick, handed);
        next.passage.checkpoint = checkpoint;
        next.kept = std::mem::take(&mut self.kept);
        next.journal.why.watch(self.journal.why.watched());
        next.buffers = std::mem::take(&mut self.buffers);
        *self = next;
    }
}
