//! The hash of a world: equal worlds have equal hashes.

use super::{Digest, EntityId, World};

impl World {
    /// The hash of the world's state. It covers the tick, the seed, switches, despawned entities, the
    /// state of the level's script and pending events, and for every entity its name, kind, model,
    /// motion, held keys, variables, timers, random stream, tunables and failures. It does not
    /// depend on the revision, the order in which entities were created, or memory layout.
    #[must_use]
    pub fn hash(&self) -> u64 {
        // A sum, so that the order of entities does not matter.
        let sum = self
            .entities
            .iter()
            .fold(0_u64, |sum, e| sum.wrapping_add(self.hash_of(e).finish()));
        let mut digest = Digest::new();
        digest.words(&[self.tick, self.seed, sum, self.touching.len() as u64]);
        if !self.absent.is_empty() {
            digest.word(self.absent_key);
        }
        self.gone.iter().for_each(|name| digest.text(name));
        self.hash_level(&mut digest);
        for event in &self.held_back {
            digest.words(&[event.tick, event.entity.0.into()]);
            digest.text(event.happening.name());
        }
        digest.finish()
    }

    /// Feeds the state and the timers of the level's script.
    fn hash_level(&self, digest: &mut Digest) {
        if !self.level.has_script {
            return;
        }
        self.level.vars.0.digest(digest);
        self.level.script_state.digest(digest);
        self.hash_timers(EntityId::LEVEL, digest);
    }

    fn hash_timers(&self, id: EntityId, digest: &mut Digest) {
        for timer in self.timers.iter().filter(|timer| timer.entity == id) {
            digest.word(timer.due);
            digest.text(&timer.name);
        }
    }

    fn hash_of(&self, entity: &super::Entity) -> Digest {
        let mut digest = Digest::new();
        digest.text(&entity.name);
        digest.text(&entity.kind);
        digest.text(entity.model.as_str());
        for rule in [entity.set_model, entity.ruled_model] {
            digest.text(rule.map_or("", |m| m.as_str()));
        }
        let flags = u64::from(entity.outside) + 2 * u64::from(entity.jumping);
        digest.words(&[entity.born, flags]);
        digest.word(entity.zones.len() as u64);
        entity.vars.0.digest(&mut digest);
        if let Some(own) = &entity.script_state {
            own.digest(&mut digest);
        }
        if !self.timers.is_empty() {
            self.hash_timers(entity.id, &mut digest);
        }
        let body = self.lanes.body(entity);
        let surface = body.surface.map(|s| self.surface_keys[s.0 as usize]);
        digest.word(surface.unwrap_or(0));
        self.lanes.digest(entity, &mut digest);
        digest
    }
}
