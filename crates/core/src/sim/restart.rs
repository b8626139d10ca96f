//! Starting the level again, and what a world takes over from another one.

use super::*;

impl World {
    /// Another level that a script wants to play from the next tick on. The world itself does not know other levels: a
    /// program that does begins it with [`World::begin`], or [drops the order](Self::drop_level_order).
    pub fn level_order(&self) -> Option<&LevelOrder> {
        let wanted = self.passage.wanted.as_ref();
        wanted.filter(|order| order.level.is_some())
    }

    /// Forgets the level that a script wants to play, because it cannot be played.
    pub fn drop_level_order(&mut self) {
        self.passage.wanted = None;
    }

    /// What was handed over when the level began; [`Value::Unit`] if nothing was.
    pub fn handed(&self) -> &Value {
        &self.passage.handed
    }

    /// Takes over from the world that was played before: what scripts have kept, and the keys that players hold, so that a
    /// key which has been down since then is not pressed again. `before` and `now` are the actions of both levels.
    pub fn take_over(&mut self, from: &Self, before: &OwnActions, now: &OwnActions) {
        self.kept = from.kept.clone();
        self.players.take_over(&from.players, before, now);
        for entity in &self.population.entities {
            let Some(player) = entity.player else { continue };
            let same = |other: &&Entity| other.player == Some(player);
            // A menu may have no entity of the player.
            let keys = match from.population.entities.iter().find(same) {
                Some(other) => from.population.lanes.intent(other).keys,
                None => from.players.of(player).keys,
            };
            let keys = before.translated(keys, now);
            let (intent, _) = self.population.lanes.intent_mut(entity);
            (intent.keys, intent.held) = (keys, keys);
        }
    }

    /// Starts the level again, if a script has wanted that in the last tick.
    pub(super) fn restart_if_ordered(&mut self, stage: &Stage) {
        let ordered = self.passage.wanted.take_if(|order| order.level.is_none());
        let Some(order) = ordered else { return };
        let Passage { handed, checkpoint, .. } = mem::take(&mut self.passage);
        let checkpoint = order.data.or(checkpoint);
        let handed = checkpoint.clone().unwrap_or(handed);
        let mut next = Self::begin(stage, self.seed, self.tick, handed);
        next.passage.checkpoint = checkpoint;
        next.take_over(self, &stage.actions, &stage.actions);
        next.aside.why.watch(self.watched());
        next.aside.phase_ended = self.aside.phase_ended;
        next.aside.buffers = mem::take(&mut self.aside.buffers);
        *self = next;
    }
}
