//! Who comes into the world, and who leaves it.

use super::lane::StatelessMover;
use super::script_state::ScriptState;
use super::{Creation, Entity, EntityId, Event, EventKind, Stage, Start, Vars, World};
use std::sync::Arc;

impl World {
    /// Brings a start of the stage into the world.
    pub(super) fn create(&mut self, stage: &Stage, start_index: usize) {
        let start = &stage.starts[start_index];
        let id = EntityId(self.next_id);
        let own = stage.profiles[start.profile].script.map(|_| Box::default());
        self.bring(stage, start, start_index, id, own);
    }

    /// Brings those into the world whom scripts have created in this tick.
    pub(super) fn create_waiting(&mut self, stage: &Stage) {
        for creation in std::mem::take(&mut self.waiting) {
            let Creation {
                id,
                name,
                profile,
                at,
                z,
            } = creation;
            let start = Start {
                name,
                profile,
                at,
                z,
                angle: 0.0,
                velocity: glam::DVec2::ZERO,
                player: None,
            };
            let own = ScriptState {
                created: Some((at, z)),
                ..ScriptState::default()
            };
            self.bring(stage, &start, 0, id, Some(Box::new(own)));
        }
    }

    fn bring(
        &mut self,
        stage: &Stage,
        start: &Start,
        start_index: usize,
        id: EntityId,
        mut own: Option<Box<ScriptState>>,
    ) {
        self.next_id = self.next_id.max(id.0 + 1);
        let profile = &stage.profiles[start.profile];
        let mut body = start.body(profile.model);
        let fit = stage.fit(&self.standing(stage), start.profile, profile.model, &body);
        body.pos = fit.unwrap_or(start.at);
        let mover = StatelessMover::new(id, start.profile as u32, body);
        if let Some(own) = &mut own {
            own.base = start.profile as u32;
        }
        let entity = Entity {
            id,
            name: start.name.clone(),
            kind: profile.kind.clone(),
            player: start.player,
            model: profile.model,
            place: self.lanes.push(profile.model, mover),
            profile: start.profile as u32,
            start: start_index as u32,
            born: self.tick,
            set_model: None,
            ruled_model: None,
            vars: Vars::plain(profile.vars.clone()),
            script_state: own,
            model_due: false,
            refused: None,
            outside: false,
            removed: false,
            jumping: false,
            zones: Box::default(),
        };
        self.events.push(Event {
            tick: self.tick,
            entity: id,
            name: entity.name.clone(),
            happening: EventKind::Birth,
        });
        self.entities.push(entity);
    }

    /// How many of those are there whom scripts have brought into the world.
    #[must_use]
    pub fn created(&self) -> usize {
        let created = |e: &&Entity| e.is_created();
        self.entities.iter().filter(created).count() + self.waiting.len()
    }

    /// The number that the next entity gets.
    #[must_use]
    pub const fn next_id(&self) -> u32 {
        self.next_id
    }

    /// Takes an entity out of the world; what happened to it is still told to others.
    pub(super) fn take_out(&mut self, index: usize) {
        let entity = self.entities.remove(index);
        let (_, moved) = self.lanes.take(entity.model, entity.place);
        if let Some(other) = moved.and_then(|id| self.index_of(id)) {
            self.entities[other].place = entity.place;
        }
        self.timers.retain(|timer| timer.entity != entity.id);
        self.held_back.retain(|event| event.entity != entity.id);
        self.touching
            .retain(|(a, b)| *a != entity.id && *b != entity.id);
    }

    /// Takes those out of the world who were removed in this phase, or have left it for good.
    pub(super) fn bury(&mut self) {
        for index in (0..self.entities.len()).rev() {
            let entity = &self.entities[index];
            let lost = entity.outside && entity.is_created();
            if !entity.removed && !lost {
                continue;
            }
            self.note(self.tick + 1, index, EventKind::Death);
            if !self.entities[index].is_created() {
                self.gone.insert(self.entities[index].name.clone());
            }
            self.take_out(index);
        }
    }
}

/// The name of the level where an entity's name would stand.
pub(super) fn level_name() -> Arc<str> {
    Arc::from("level")
}
