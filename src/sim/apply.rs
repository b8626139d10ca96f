//! The decide phase's end: what was ordered takes effect.

use super::{Command, EntityId, EventKind, Stage, Turn, World};
use crate::level::Transit;
use crate::models::{Action, Actions, HookOrder, Intent};
use crate::tuning::MOST;
use glam::DVec2;

impl World {
    /// Applies what was ordered, returns to their start those who are still outside, and changes
    /// models.
    pub(super) fn apply(&mut self, stage: &Stage, turns: Vec<Turn>) {
        for turn in turns {
            self.apply_turn(stage, turn, true);
        }
        self.bury();
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
        let dressed = self.dress(stage);
        let stage = dressed.as_ref().unwrap_or(stage);
        if let Some(index) = self.index_of(entity) {
            self.apply_command(stage, index, command);
        }
    }

    /// Where in the list the entity is whose turn this is: still where it was, most often.
    fn place_of(&self, turn: &Turn) -> Option<usize> {
        let there = self.entities.get(turn.place);
        if there.is_some_and(|entity| entity.id == turn.entity) {
            return Some(turn.place);
        }
        self.index_of(turn.entity)
    }

    /// Notes under which conditions the rules were asked in this turn of the decide phase.
    fn take_note(&mut self, index: usize, turn: &Turn) {
        let stood = self.footprint(&self.entities[index]);
        let own = self.entities[index].script_state_mut();
        own.asked = turn.asked;
        // A flight is not the time to ask, and who was left out is asked later.
        own.stale = turn.jumping || turn.skipped;
        own.stood = stood;
    }

    /// Applies a turn: of the decide phase, or one inside a tick, in which rules have only answered.
    pub(super) fn apply_turn(&mut self, stage: &Stage, turn: Turn, decided: bool) {
        if turn.entity == EntityId::LEVEL {
            self.judge_level(&turn);
            self.level.vars = turn.vars;
            self.level.script_state.random = turn.random;
            for command in &turn.commands {
                self.apply_to_all(stage, EntityId::LEVEL, command);
            }
            return;
        }
        let Some(index) = self.place_of(&turn) else {
            return;
        };
        if turn.called {
            self.judge(index, turn.failed, decided);
        }
        if decided {
            self.take_note(index, &turn);
        } else {
            // It may have changed variables, on which other rules may depend.
            self.entities[index].script_state_mut().stale = true;
        }
        self.why_answered(index, turn.answers);
        self.keep_view(index, turn.view);
        let entity = &mut self.entities[index];
        entity.vars = turn.vars;
        if turn.random > 0 {
            entity.script_state_mut().random = turn.random;
        }
        // What a script rules that is not to be called any more does not hold.
        let silent = entity.quarantined();
        if let Some(ruled) = turn.model.filter(|_| !silent) {
            entity.ruled_model = ruled;
            entity.model_due = true;
        }
        if let Some(windows) = turn.windows.filter(|_| !silent) {
            self.lanes.body_mut(&self.entities[index]).windows = windows;
        }
        // Whether the key of a jump is held decides how long it is, whichever was ordered first.
        for keys in turn.commands.iter().filter(|c| is_of_keys(c)) {
            let (intent, before) = self.lanes.intent_mut(&self.entities[index]);
            apply_intent(intent, *before, keys);
        }
        for command in &turn.commands {
            if is_of_keys(command) {
                self.why_ordered(index, command);
            } else {
                self.apply_command(stage, index, command);
            }
        }
    }

    /// Applies what concerns more than a body, and so may come from the level's script, too.
    fn apply_to_all(&mut self, stage: &Stage, id: EntityId, command: &Command) {
        match command {
            Command::After(seconds, name) => self.set_timer(stage, id, *seconds, name),
            Command::Cancel(name) => self.cancel_timers(id, name),
            Command::Emit(name, data) => {
                let (name, data) = (name.clone(), data.clone());
                self.say(self.tick + 1, id, EventKind::Signal { name, data });
            }
            Command::Note(text) => {
                let text = text.clone();
                self.say(self.tick + 1, id, EventKind::Note { text });
            }
            Command::Create(creation) => {
                self.next_id = self.next_id.max(creation.id.0 + 1);
                self.waiting.push((**creation).clone());
            }
            Command::Switch(solid, there) => self.switch(stage, *solid, *there),
            _ => {}
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
            Command::Jump if !entity.model.jumps() => self.why_no_jump(stage, index),
            Command::Jump => self.begin_jump(stage, index),
            Command::JumpTo(ref leap) => self.leap(stage, index, leap),
            Command::FireHook(at) => self.lanes.order(entity, HookOrder::Fire(at)),
            Command::ReleaseHook => self.lanes.order(entity, HookOrder::Release),
            Command::Place(at, z) => self.place(stage, index, at, z),
            Command::SetModel(model) => {
                entity.set_model = Some(model);
                entity.model_due = true;
            }
            Command::ClearModel => {
                entity.set_model = None;
                entity.model_due = true;
            }
            Command::Tune(model, name, ref value) => self.tune(index, model, name, value),
            Command::Untune(which) => self.untune(index, which),
            Command::Remove => entity.removed = true,
            _ if is_of_keys(command) => {
                let (intent, before) = self.lanes.intent_mut(entity);
                apply_intent(intent, *before, command);
            }
            _ => {
                let id = entity.id;
                self.apply_to_all(stage, id, command);
            }
        }
    }

    /// Puts an entity somewhere, out of solids; nowhere if there is no room.
    fn place(&mut self, stage: &Stage, index: usize, at: DVec2, z: Option<f64>) {
        let standing = self.standing(stage);
        let entity = &mut self.entities[index];
        let mut body = self.lanes.body(entity).clone();
        body.pos = at;
        body.z = z.unwrap_or(body.z);
        let profile = entity.profile as usize;
        let Some(at) = stage.fit(&standing, profile, entity.model, &body) else {
            self.why_refused(index, "place", "there is no room for its body", |_| vec![]);
            return;
        };
        // Who is put outside only now falls out in this tick, and is told of it in the next.
        entity.outside &= !stage.level.bounds.holds(at);
        self.let_go(index);
        let placed = self.lanes.body_mut(&self.entities[index]);
        placed.pos = at;
        placed.z = body.z;
        placed.sensed = false;
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
        let dropped = body.cling.take().is_some();
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
        transit.step(
            stage.level.terrain.platforms(),
            &self.absent,
            self.tick,
            f64::from(stage.hz),
        );
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
        if body.cling.take().is_some() {
            body.jump.leave_ground(self.tick);
            self.lanes.scratch_mut(entity).report.dropped = true;
        }
    }
}

/// Whether an order is about what an entity wants in this tick.
fn is_of_keys(command: &Command) -> bool {
    matches!(
        command,
        Command::Hold(_) | Command::Release(_) | Command::Steer(_) | Command::Aim(_)
    )
}

/// Applies what concerns what an entity wants in this tick.
fn apply_intent(intent: &mut Intent, before: Actions, command: &Command) {
    match *command {
        Command::Hold(action) => intent.hold(action, before),
        Command::Release(action) => intent.release(action, before),
        Command::Steer(stick) => intent.stick = stick,
        Command::Aim(point) => intent.aim = Some(point),
        _ => {}
    }
}
