//! The hash of a world: equal worlds have equal hashes.

use super::*;

impl World {
    /// The hash of the world's state. It covers the tick, the seed, switches, despawned entities, the
    /// state of the level's script and pending events, and for every entity its name, kind, model,
    /// motion, held keys, variables, timers, random stream, tunables and failures. It does not
    /// depend on the revision, the order in which entities were created, or memory layout.
    pub fn hash(&self) -> u64 {
        // A sum, so that the order of entities does not matter.
        let entities = self.population.entities.iter();
        let sum = entities.map(|entity| self.hash_of(entity)).fold(0, u64::wrapping_add);
        let mut digest = Digest::new();
        digest.words(&[self.tick, self.seed, sum, self.contacts.touching.len() as u64]);
        if !self.switches.level.absent.is_empty() {
            digest.word(self.switches.key);
        }
        if !self.switches.changed.is_empty() {
            digest.word(self.switches.changed_key);
        }
        if !self.kept.is_empty() {
            self.kept.digest(&mut digest);
        }
        if !self.routes.is_empty() {
            self.routes.digest(&mut digest);
        }
        self.joints.digest(&mut digest);
        self.players
            .digest(|player| self.population.entities.iter().any(|e| e.player == Some(player)), &mut digest);
        for word in [self.switches.level_key, self.switches.level.began] {
            if word != 0 {
                digest.word(word);
            }
        }
        let removed = self.population.removed_starts.iter();
        removed.for_each(|name| digest.text(name));
        if self.level.has_script {
            self.level.vars.0.digest(&mut digest);
            self.level.script_state.digest(&mut digest);
            self.hash_timers(EntityId::LEVEL, &mut digest);
            self.level.script_state.frames.iter().for_each(|frame| frame.digest(&mut digest));
        }
        self.passage.digest(&mut digest);
        for event in &self.journal.deferred {
            digest.words(&[event.tick, event.entity.0.into()]);
            digest.text(event.kind.name());
            if let EventKind::Signal { data, .. } | EventKind::Timer { data, .. } = &event.kind
                && !data.is_unit()
            {
                data.digest(&mut digest);
            }
        }
        digest.finish()
    }

    fn hash_timers(&self, id: EntityId, digest: &mut Digest) {
        for timer in self.timers.of(id) {
            timer.due.digest(digest);
            digest.text(&timer.name);
            if let Some(layer) = &timer.layer {
                digest.text(layer);
            }
            if !timer.data.is_unit() {
                timer.data.digest(digest);
            }
        }
    }

    fn hash_of(&self, entity: &Entity) -> u64 {
        let mut digest = Digest::new();
        digest.text(&entity.name);
        digest.text(&entity.kind);
        digest.text(entity.model.as_str());
        for rule in [entity.set_model, entity.ruled_model] {
            digest.text(rule.map_or("", |m| m.as_str()));
        }
        let flags = u64::from(entity.outside) + 2 * u64::from(entity.jumping);
        entity.born.digest(&mut digest);
        digest.word(flags);
        digest.word(entity.zones.len() as u64);
        entity.vars.0.digest(&mut digest);
        if let Some(state) = &entity.script_state {
            state.digest(&mut digest);
        }
        if let Some(posture) = &entity.posture {
            posture.digest(&mut digest);
        }
        if self.timers.count() > 0 {
            self.hash_timers(entity.id, &mut digest);
        }
        entity.frames().iter().for_each(|frame| frame.digest(&mut digest));
        let body = self.population.lanes.body(entity);
        let surface = body.surface.map(|s| self.surface_keys[s.0 as usize]);
        digest.word(surface.unwrap_or(0));
        self.population.lanes.digest(entity, &mut digest);
        digest.finish()
    }
}
