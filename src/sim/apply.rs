//! The decide phase's two ends: dealing the turns, and applying what was ordered.

use super::{Command, EntityId, ScriptId, Stage, Turn, World};
use crate::level::Transit;
use crate::models::{Action, HookOrder};
use crate::tuning::MOST;
use glam::DVec2;
use std::ops::Range;

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
        let id = entity.id;
        let entity = &mut self.entities[index];
        Turn {
            entity: id,
            script,
            view,
            profile: entity.profile as usize,
            jumping: entity.jumping,
            intent,
            events,
            vars: std::mem::take(&mut entity.vars),
            asked: entity.asked,
            watched: self.watches(id),
            answers: Vec::new(),
            random: 0,
            timers: 0,
            failed: false,
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

    /// Does at once, between two ticks, what a script could order for an entity: for those who drive
    /// a world from outside. Nothing happens to an entity that is not there. The next tick is to follow
    /// before the world is saved or its stage is changed.
    pub fn order(&mut self, stage: &Stage, entity: EntityId, command: &Command) {
        if let Some(index) = self.index_of(entity) {
            self.apply_command(stage, index, command);
        }
    }

    pub(super) fn apply_turn(&mut self, stage: &Stage, turn: Turn) {
        let Some(index) = self.index_of(turn.entity) else {
            return;
        };
        self.why_answered(index, turn.answers);
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
        self.why_ordered(index, command);
        let entity = &mut self.entities[index];
        if let Command::SetVelocity(..) | Command::SetExternal(_) | Command::Push(_) = command {
            self.lanes.scratch_mut(entity).pushed = true;
        }
        match *command {
            Command::SetVelocity(v, z) => {
                let body = self.lanes.body_mut(entity);
                body.vel = v;
                body.vel_z = z;
            }
            Command::Turn(angle) => {
                let body = self.lanes.body_mut(entity);
                body.angle = angle;
                body.sensed = false;
            }
            Command::Spin(spin) => {
                self.lanes.body_mut(entity).spin = spin;
                self.lanes.scratch_mut(entity).pushed = true;
            }
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
            Command::Jump if !entity.model.jumps() => self.why_no_jump(stage, index),
            Command::Jump => self.begin_jump(stage, index),
            Command::JumpTo(ref leap) => self.leap(stage, index, leap),
            Command::FireHook(at) => self.lanes.order(entity, HookOrder::Fire(at)),
            Command::ReleaseHook => self.lanes.order(entity, HookOrder::Release),
            Command::Place(at, z) => {
                let mut body = self.lanes.body(entity).clone();
                body.pos = at;
                body.z = z.unwrap_or(body.z);
                let profile = entity.profile as usize;
                let Some(at) = stage.fit(self.tick, profile, entity.model, &body) else {
                    self.why_refused(index, "place", "there is no room for its body", |_| vec![]);
                    return;
                };
                entity.outside = !stage.level.bounds.holds(at);
                self.let_go(index);
                let placed = self.lanes.body_mut(&self.entities[index]);
                placed.pos = at;
                placed.z = body.z;
                placed.sensed = false;
            }
            Command::SetModel(model) => {
                entity.set_model = Some(model);
                entity.model_due = true;
            }
            Command::ClearModel => {
                entity.set_model = None;
                entity.model_due = true;
            }
            _ => {}
        }
    }

    /// Starts a jump, on ground or in the air.
    fn begin_jump(&mut self, stage: &Stage, index: usize) {
        let carried = self.carried(stage, index);
        let entity = &self.entities[index];
        let stood = self.lanes.body(entity).stands();
        let free = !self.lanes.intent(entity).held.has(Action::Jump);
        let body = self.lanes.body_mut(entity);
        body.ground = None;
        body.floor = None;
        let dropped = body.hold.take().is_some();
        body.jump.begin(self.tick, free);
        let report = &mut self.lanes.scratch_mut(entity).report;
        report.jumped = true;
        report.stood |= stood;
        report.dropped |= dropped;
        if stood {
            report.carried = carried;
        }
    }

    /// The velocity at which what an entity stands on carries it in this tick, px/s: that of a
    /// platform and that of conveyors.
    fn carried(&self, stage: &Stage, index: usize) -> DVec2 {
        let mut transit = Transit::default();
        transit.step(&stage.level.terrain, self.tick, f64::from(stage.hz));
        let around = stage.surroundings(self.tick, &transit);
        let body = self.lanes.body(&self.entities[index]);
        let here = around.within(body.pos);
        let around = here.as_ref().unwrap_or(&around);
        if let Some(contact) = body.ground {
            return around.carrier_velocity(contact.feature);
        }
        let solid = body.floor.and_then(|floor| floor.solid);
        let platform = solid.and_then(|solid| stage.level.terrain.platform_of(solid));
        let moved = platform.map_or(DVec2::ZERO, |p| transit.steps[p as usize] * around.hz);
        moved + around.air.conveyor
    }

    /// Lets go of hook and hold, as one does who is put elsewhere or moved by another model.
    pub(super) fn let_go(&mut self, index: usize) {
        let entity = &self.entities[index];
        self.lanes.order(entity, HookOrder::Release);
        let body = self.lanes.body_mut(entity);
        if body.hold.take().is_some() {
            body.jump.leave_ground(self.tick);
            self.lanes.scratch_mut(entity).report.dropped = true;
        }
    }
}
