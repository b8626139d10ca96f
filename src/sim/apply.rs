//! The decide phase's two ends: dealing the turns, and applying what was ordered.

use super::{Command, Happening, ScriptId, Stage, Turn, World};
use crate::models::{Action, Body, HookOrder, ModelName};
use crate::tuning::MOST;
use glam::DVec2;
use std::ops::Range;
use std::sync::Arc;

impl World {
    /// A turn for each entity that has a script, in entity order.
    pub(super) fn deal_turns(&mut self, stage: &Stage) -> Vec<Turn> {
        let mut turns = Vec::new();
        if stage
            .profiles
            .iter()
            .all(|profile| profile.script.is_none())
        {
            return turns;
        }
        let mut first_event = 0;
        for index in 0..self.entities.len() {
            let entity = &self.entities[index];
            let from = first_event;
            while self
                .events
                .get(first_event)
                .is_some_and(|e| e.entity <= entity.id)
            {
                first_event += 1;
            }
            let Some(script) = stage.profiles[entity.profile as usize].script else {
                continue;
            };
            turns.push(self.deal(stage, index, script, from..first_event));
        }
        turns
    }

    /// The turn of the entity at `index`, which gives its variables away until that is applied.
    pub(super) fn deal(
        &mut self,
        stage: &Stage,
        index: usize,
        script: ScriptId,
        events: Range<usize>,
    ) -> Turn {
        let entity = &self.entities[index];
        let view = self.view(stage, entity);
        let intent = *self.lanes.intent(entity);
        let entity = &mut self.entities[index];
        Turn {
            entity: entity.id,
            script,
            view,
            intent,
            events,
            vars: std::mem::take(&mut entity.vars),
            asked: entity.asked,
            commands: Vec::new(),
            model: None,
            windows: None,
        }
    }

    /// Applies what was ordered, returns to their start those who are still outside, and changes
    /// models.
    pub(super) fn apply(&mut self, stage: &Stage, turns: Vec<Turn>) {
        for turn in turns {
            self.apply_turn(stage, turn);
        }
        for index in 0..self.entities.len() {
            if self.entities[index].outside {
                self.return_to_start(stage, index);
            }
            if self.entities[index].model_due {
                self.change_model(stage, index);
            }
        }
    }

    pub(super) fn apply_turn(&mut self, stage: &Stage, turn: Turn) {
        let Some(index) = self.index_of(turn.entity) else {
            return;
        };
        let entity = &mut self.entities[index];
        entity.vars = turn.vars;
        entity.asked = turn.asked;
        if let Some(ruled) = turn.model {
            entity.ruled_model = ruled;
            entity.model_due = true;
        }
        if let Some(windows) = turn.windows {
            self.lanes.body_mut(&self.entities[index]).windows = windows;
        }
        for command in turn.commands {
            self.apply_command(stage, index, &command);
        }
    }

    fn apply_command(&mut self, stage: &Stage, index: usize, command: &Command) {
        let entity = &mut self.entities[index];
        if let Command::SetVelocity(_) | Command::SetExternal(_) | Command::Push(_) = command {
            self.lanes.scratch_mut(entity).pushed = true;
        }
        match *command {
            Command::SetVelocity(v) => self.lanes.body_mut(entity).vel = v,
            Command::SetExternal(v) => self.lanes.body_mut(entity).external = v,
            Command::Push(v) => {
                let external = &mut self.lanes.body_mut(entity).external;
                *external = (*external + v).clamp(DVec2::splat(-MOST), DVec2::splat(MOST));
            }
            Command::Face(side) => self.lanes.body_mut(entity).facing = side,
            Command::Hold(action) => {
                let (intent, before) = self.lanes.intent_mut(entity);
                intent.hold(action, *before);
            }
            Command::Release(action) => {
                let (intent, before) = self.lanes.intent_mut(entity);
                intent.release(action, *before);
            }
            Command::Steer(stick) => self.lanes.intent_mut(entity).0.stick = stick,
            Command::Aim(point) => self.lanes.intent_mut(entity).0.aim = Some(point),
            Command::Jump => {
                let stood = self.lanes.body(entity).ground.is_some();
                let free = !self.lanes.intent(entity).held.has(Action::Jump);
                let body = self.lanes.body_mut(entity);
                body.ground = None;
                let dropped = body.hold.take().is_some();
                body.jump.begin(self.tick, free);
                let report = &mut self.lanes.scratch_mut(entity).report;
                report.jumped = true;
                report.stood |= stood;
                report.dropped |= dropped;
            }
            Command::FireHook(at) => self.lanes.order(entity, HookOrder::Fire(at)),
            Command::ReleaseHook => self.lanes.order(entity, HookOrder::Release),
            Command::Place(at) => {
                let shape = stage.profiles[entity.profile as usize]
                    .outfits
                    .shape(entity.model);
                let Some(at) = stage.push_out(self.tick, shape, at) else {
                    return;
                };
                entity.outside = !stage.level.bounds.holds(at);
                self.let_go(index);
                let body = self.lanes.body_mut(&self.entities[index]);
                body.pos = at;
                body.sensed = false;
            }
            Command::SetModel(model) => {
                entity.set_model = Some(model);
                entity.model_due = true;
            }
            Command::ClearModel => {
                entity.set_model = None;
                entity.model_due = true;
            }
        }
    }

    /// Lets go of hook and hold, as one does who is put elsewhere or moved by another model.
    fn let_go(&mut self, index: usize) {
        let entity = &self.entities[index];
        self.lanes.order(entity, HookOrder::Release);
        let body = self.lanes.body_mut(entity);
        if body.hold.take().is_some() {
            body.jump.leave_ground(self.tick);
            self.lanes.scratch_mut(entity).report.dropped = true;
        }
    }

    /// Puts an entity that has left the level back where it started, at rest but for its starting
    /// velocity.
    fn return_to_start(&mut self, stage: &Stage, index: usize) {
        let entity = &mut self.entities[index];
        entity.outside = false;
        let start = &stage.starts[entity.start as usize];
        let shape = stage.profiles[entity.profile as usize]
            .outfits
            .shape(entity.model);
        let at = stage
            .push_out(self.tick, shape, start.at)
            .unwrap_or(start.at);
        self.let_go(index);
        let body = self.lanes.body_mut(&self.entities[index]);
        let windows = body.windows;
        *body = Body {
            vel: start.velocity,
            windows,
            ..Body::at(at)
        };
    }

    /// Moves an entity into the lane of the model it should have. Position, velocities, jump and
    /// variables go along; a body that stands keeps its feet where they are.
    pub(super) fn change_model(&mut self, stage: &Stage, index: usize) {
        let entity = &mut self.entities[index];
        entity.model_due = false;
        let profile = &stage.profiles[entity.profile as usize];
        let (was, model) = (entity.model, entity.wanted_model(profile.model));
        if was == model {
            entity.refused = None;
            return;
        }
        let (old, new) = (profile.outfits.shape(was), profile.outfits.shape(model));
        let body = self.lanes.body(entity);
        let feet = if body.ground.is_some() {
            new.half.y - old.half.y
        } else {
            0.0
        };
        let wanted = body.pos + DVec2::new(0.0, feet);
        let room = if old == new {
            Some(body.pos)
        } else {
            let reach = new.half.max_element() * 2.0;
            let free = stage.push_out(self.tick, new, wanted);
            free.filter(|at| at.distance_squared(wanted) <= reach * reach)
        };
        let Some(at) = room else {
            self.refuse_model(index, model);
            return;
        };
        self.switch_lane(index, model);
        let body = self.lanes.body_mut(&self.entities[index]);
        if old != new {
            body.pos = at;
            body.sensed = false;
        }
        let happening = Happening::Model { model, was };
        self.note(self.tick + 1, index, happening);
    }

    /// Says once that there is no room, and tries again in the next tick.
    fn refuse_model(&mut self, index: usize, model: ModelName) {
        let entity = &mut self.entities[index];
        entity.model_due = true;
        if entity.refused != Some(model) {
            entity.refused = Some(model);
            let reason = Arc::from("there is no room for its body");
            let happening = Happening::ModelRefused { model, reason };
            self.note(self.tick + 1, index, happening);
        }
    }

    fn switch_lane(&mut self, index: usize, model: ModelName) {
        self.let_go(index);
        let entity = &self.entities[index];
        let (mover, moved) = self.lanes.take(entity.model, entity.place);
        let place = entity.place;
        if let Some(other) = moved.and_then(|id| self.index_of(id)) {
            self.entities[other].place = place;
        }
        let entity = &mut self.entities[index];
        entity.place = self.lanes.push(model, mover);
        entity.model = model;
        entity.refused = None;
    }
}
