//! The hash of a world: equal worlds have equal hashes.

use super::lane::Mover;
use super::{EntityId, World};
use crate::models::{Intent, Model};
use glam::DVec2;
use xxhash_rust::xxh3::Xxh3;

/// Computes a 64-bit hash. The same input gives the same hash on every machine.
#[derive(Clone)]
pub struct Digest(Xxh3);

impl Default for Digest {
    fn default() -> Self {
        Self::new()
    }
}

impl Digest {
    /// A digest that has been fed nothing.
    #[must_use]
    pub fn new() -> Self {
        Self(Xxh3::new())
    }

    /// Feeds a word.
    pub fn word(&mut self, word: u64) {
        self.0.update(&word.to_le_bytes());
    }

    /// Feeds several words.
    pub fn words(&mut self, words: &[u64]) {
        words.iter().for_each(|w| self.word(*w));
    }

    /// Feeds text, with its length.
    pub fn text(&mut self, text: &str) {
        self.word(text.len() as u64);
        self.0.update(text.as_bytes());
    }

    /// Feeds a vector, bit for bit.
    pub fn vector(&mut self, v: DVec2) {
        self.words(&[v.x.to_bits(), v.y.to_bits()]);
    }

    /// The hash of everything fed so far.
    #[must_use]
    pub fn finish(&self) -> u64 {
        self.0.digest()
    }
}

impl World {
    /// The hash of the world's state: tick, seed, switches, despawned starts, the level's script state,
    /// undelivered events, and for each entity its name, kind, model, motion, held keys, script
    /// variables, timers, random stream, overrides and failures. It does not depend on the revision
    /// that is running, on the order in which entities were created, or on their place in memory.
    #[must_use]
    pub fn hash(&self) -> u64 {
        // A sum does not depend on the order of its terms.
        let sum = self
            .population
            .entities
            .iter()
            .fold(0_u64, |sum, e| sum.wrapping_add(self.hash_of(e).finish()));
        let mut digest = Digest::new();
        digest.words(&[
            self.tick,
            self.seed,
            sum,
            self.contacts.touching.len() as u64,
        ]);
        if !self.switches.absent.is_empty() {
            digest.word(self.switches.key);
        }
        let removed = self.population.removed_starts.iter();
        removed.for_each(|name| digest.text(name));
        self.hash_level(&mut digest);
        for event in &self.journal.deferred {
            digest.words(&[event.tick, event.entity.0.into()]);
            digest.text(event.kind.name());
        }
        digest.finish()
    }

    /// Feeds the state of the level's script and its timers.
    fn hash_level(&self, digest: &mut Digest) {
        if !self.level.has_script {
            return;
        }
        self.level.vars.0.digest(digest);
        self.level.script_state.digest(digest);
        self.hash_timers(EntityId::LEVEL, digest);
    }

    fn hash_timers(&self, id: EntityId, digest: &mut Digest) {
        for timer in self.timers.of(id) {
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
        if let Some(state) = &entity.script_state {
            state.digest(&mut digest);
        }
        if !self.timers.0.is_empty() {
            self.hash_timers(entity.id, &mut digest);
        }
        let body = self.population.lanes.body(entity);
        let surface = body.surface.map(|s| self.surface_keys[s.0 as usize]);
        digest.word(surface.unwrap_or(0));
        self.population.lanes.digest(entity, &mut digest);
        digest
    }
}

/// Feeds the part of an entity's state that is stored in a lane.
pub(super) fn digest_mover<M: Model>(mover: &Mover<M::State>, digest: &mut Digest) {
    let body = &mover.body;
    digest.vector(body.pos);
    digest.vector(body.vel);
    digest.vector(body.external);
    for number in [body.z, body.vel_z, body.angle, body.spin, body.facing] {
        digest.word(number.to_bits());
    }
    digest.word(body.floor.map_or(u64::MAX, |f| f.height.to_bits()));
    if let Some(contact) = body.ground {
        digest.vector(contact.normal);
        digest.vector(contact.touch);
    }
    if let Some(hold) = body.cling {
        digest.vector(hold.normal);
    }
    digest.word(u64::from(body.crushed));
    body.jump.digest(&mut |word| digest.word(word));
    let windows = body.windows;
    for time in [
        windows.jump_hold_time,
        windows.coyote_time,
        windows.jump_buffer,
    ] {
        digest.word(time.map_or(u64::MAX, f64::to_bits));
    }
    let Intent { held, keys, .. } = mover.intent;
    // Which held actions the script has changed.
    let (held, made) = (held.bits(), held.bits() ^ keys.bits());
    digest.word(u64::from(held) | u64::from(made) << 8);
    M::digest(&mover.state, &mut |word| digest.word(word));
}
