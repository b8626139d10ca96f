//! Going on under a changed stage, with all state kept.

use super::world::surface_keys;
use super::{Entity, EventKind, Stage, World};
use crate::level::SurfaceId;
use std::sync::Arc;

impl World {
    /// Goes on under `new` instead of `old`, between two ticks.
    ///
    /// Entities are known by their names. Those whose start is still there keep position,
    /// velocity, timers, variables and what is held; they are pushed out of solids that are new
    /// to them, and rules are asked again. New starts come into the world, missing ones leave it.
    pub fn adopt(&mut self, old: &Stage, new: &Stage) {
        if old.level.view != new.level.view {
            // Seen from elsewhere nothing is where it was: all begin anew.
            while !self.entities.is_empty() {
                self.remove(self.entities.len() - 1);
            }
        }
        let missing: Vec<usize> = (0..self.entities.len())
            .rev()
            .filter(|&i| !self.goes_on(new, i))
            .collect();
        for index in missing {
            self.remove(index);
        }
        self.adopt_absent(old, new);
        self.level.vars.0.fill(&new.vars);
        self.level.script_state.forgive();
        self.level.has_script = new.script.is_some();
        if new.script.is_some() {
            self.note_of_level(self.tick, EventKind::Reload);
        }
        self.dressing.stale = true;
        for index in 0..self.entities.len() {
            self.adopt_entity(old, new, index);
        }
        // A start that the file has no longer, and has again one day, is a new one.
        let starts = |name: &Arc<str>| new.starts.iter().any(|start| start.name == *name);
        self.gone.retain(starts);
        for index in 0..new.starts.len() {
            let name = &new.starts[index].name;
            let there = self.entities.iter().any(|e| e.name == *name);
            if !there && !self.gone.contains(name) {
                self.create(new, index);
            }
        }
        self.forget_why();
        self.surface_keys = surface_keys(new);
        let standing = self.standing(new);
        // With the tunables that scripts have set, as in every tick.
        let dressed = self.dress(new);
        let stage = dressed.as_ref().unwrap_or(new);
        self.lanes
            .sense(stage, &stage.surroundings(self.tick, &standing));
        let mut over = Vec::new();
        self.lanes.report(|id, _, report| {
            if report.flight_over.is_some() {
                over.push(id);
            }
        });
        // A flight ends where the new terrain has moved the body out of its way.
        for index in over
            .into_iter()
            .filter_map(|id| self.index_of(id))
            .collect::<Vec<_>>()
        {
            self.end_jump(index);
        }
        self.sort_events();
    }

    fn adopt_entity(&mut self, old: &Stage, new: &Stage, index: usize) {
        let Some(number) = self.adopt_start(new, index) else {
            return;
        };
        let profile = &new.profiles[number as usize];
        let entity = &mut self.entities[index];
        entity.profile = number;
        entity.kind = profile.kind.clone();
        if let Some(own) = &mut entity.script_state {
            own.base = number;
            own.forgive();
        } else if profile.script.is_some() {
            entity.script_state_mut();
        }
        entity.model_due = true;
        entity.vars.0.fill(&profile.vars);
        if profile.script.is_none() {
            entity.ruled_model = None;
            entity.set_model = None;
        }
        self.lanes.set_profile(&self.entities[index], number);
        let standing = self.standing(new);
        let entity: &Entity = &self.entities[index];
        let body = self.lanes.body_mut(entity);
        if profile.script.is_none() {
            body.windows = crate::models::Windows::default();
        }
        let z = self.lanes.body(entity).z;
        let scenery = new.level.terrain_at(z).moved(&standing);
        let hook_lost = self.lanes.adopt(entity, &old.level.terrain, &scenery);
        let body = self.lanes.body_mut(entity);
        let fit = &profile.loadouts;
        if let Some(free) = fit.fit(entity.model, &scenery, body.pos, body.angle) {
            body.pos = free;
        }
        body.surface = body.surface.and_then(|s| {
            let name = old.level.surface_name(s);
            let place = new.level.surfaces.iter().position(|n| n == name)?;
            Some(SurfaceId(place as u16))
        });
        body.sensed = false;
        body.crushed = false;
        self.adopt_zones(old, new, index);
        let tick = self.tick;
        self.note(tick, index, EventKind::Reload);
        if hook_lost {
            self.note(tick, index, EventKind::Unhook { snapped: false });
        }
    }

    /// Whether an entity is still there under a new stage: its start, or if a script has created it its
    /// kind.
    fn goes_on(&self, new: &Stage, index: usize) -> bool {
        let entity = &self.entities[index];
        if entity.is_created() {
            return new.kinds.contains_key(&entity.kind);
        }
        new.starts.iter().any(|start| start.name == entity.name)
    }

    /// Finds an entity's start in a new stage; the number of its profile there.
    fn adopt_start(&mut self, new: &Stage, index: usize) -> Option<u32> {
        let entity = &mut self.entities[index];
        if entity.is_created() {
            return new.kinds.get(&entity.kind).map(|number| *number as u32);
        }
        let mut starts = new.starts.iter();
        let place = starts.position(|start| start.name == entity.name)?;
        entity.start = place as u32;
        entity.player = new.starts[place].player;
        Some(new.starts[place].profile as u32)
    }

    /// Takes an entity out of the world, and what happened to it.
    fn remove(&mut self, index: usize) {
        let id = self.entities[index].id;
        self.take_out(index);
        self.events.retain(|event| event.entity != id);
    }
}
