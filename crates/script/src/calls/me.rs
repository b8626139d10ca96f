//! `me`: the entity whose script runs.
//!
//! Reads return the entity's state as of the start of the phase, plus what the script has written since. Writes
//! queue commands, which take effect when the phase ends.

use super::*;
use glam::DVec2;
use hangtime_core::{
    models::Intent,
    sim::{Called, Decision, Invocation, SequenceFrame, ViewParts, WaitPoint},
};
use std::mem::swap;

/// The largest number of commands of one entity in a tick. Without a limit, a script could fill the memory.
const MAX_COMMANDS: usize = 4096;

/// Operations charged for using a member of `me`.
const PER_MEMBER: u64 = 2;

/// Operations charged for an order, which is applied after the call.
const PER_ORDER: u64 = 7;

/// The message for members of `me` that need a body, in a level's own script.
pub fn no_level_member(member: &str) -> String {
    let hint = match member {
        "held" | "pressed" | "released" | "axis" => "; ask `world` what a player holds",
        "time_scale" => "; `world::set_time_scale` sets that of all",
        _ => "",
    };
    format!("the level itself has no `{member}`{hint}")
}

/// State behind `me` while the calls of one entity run.
#[derive(Debug)]
pub struct MeState {
    /// Index of its profile in the stage.
    pub profile: usize,
    /// The view of the level.
    pub level_view: View,
    /// The entity that is called, or the level.
    called: Called,
    /// Whether the view and the input are the called entity's.
    observed: bool,
    /// What the script reads of itself.
    view: Box<EntityView>,
    /// The view of the level while `view` shows entities, and the other way around.
    other_view: Box<EntityView>,
    /// The parts of views that scripts may read.
    pub(super) parts: ViewParts,
    /// How many times the view was written while scripts ran.
    changes: u64,
    /// What the view and the input were at the last checkpoint; none if the script has written nothing since.
    unwritten: Option<WrittenState>,
    /// Its input: its player's, and what the script has added.
    intent: Intent,
    /// Actions it held in the previous tick.
    pub before: Actions,
    /// How many numbers its random stream has produced.
    pub random: u64,
    /// How many of its timers are running.
    pub timers: usize,
    /// The running sequences as the phase began, with their layers.
    pub(super) frames: Vec<(Option<Arc<str>>, Arc<str>)>,
    /// Where the sequences of the running script wait.
    pub(super) points: Option<Arc<[Arc<WaitPoint>]>>,
    /// How many commands had been given, and how many timers were running, when the running function was called.
    pub(super) began: usize,
    timers_before: usize,
    /// Whether this is the level's own script, which has no body.
    pub level: bool,
    /// The layer whose script runs, if it is not the lowest one.
    layer: Option<Arc<str>>,
    /// The orders that the script has given.
    pub commands: Vec<Command>,
}

/// What scripts can write of a view, and the input.
#[derive(Clone, Copy, Debug)]
pub struct WrittenState {
    pos: DVec2,
    z: f64,
    half: DVec2,
    depth: f64,
    vel: DVec2,
    vel_z: f64,
    external: DVec2,
    external_z: f64,
    angle: f64,
    spin: f64,
    facing: f64,
    time_scale: f64,
    intent: Intent,
}

impl WrittenState {
    fn of(view: &EntityView, intent: &Intent) -> Self {
        Self {
            intent: *intent,
            pos: view.pos,
            z: view.z,
            half: view.half,
            depth: view.depth,
            vel: view.vel,
            vel_z: view.vel_z,
            external: view.external,
            external_z: view.external_z,
            angle: view.angle,
            spin: view.spin,
            facing: view.facing,
            time_scale: view.time_scale,
        }
    }

    fn restore(self, view: &mut EntityView, intent: &mut Intent) {
        // Every field, so that none is forgotten.
        let Self {
            pos,
            z,
            half,
            depth,
            vel,
            vel_z,
            external,
            external_z,
            angle,
            spin,
            facing,
            time_scale,
            intent: before,
        } = self;
        *intent = before;
        (view.pos, view.z) = (pos, z);
        (view.half, view.depth) = (half, depth);
        (view.vel, view.vel_z) = (vel, vel_z);
        (view.external, view.external_z) = (external, external_z);
        (view.angle, view.spin, view.facing) = (angle, spin, facing);
        view.time_scale = time_scale;
    }
}

impl MeState {
    /// The state of no entity yet.
    pub(super) fn of_no_entity() -> Self {
        Self {
            profile: 0,
            level_view: View::Side,
            called: Called::default(),
            observed: true,
            view: Box::new(EntityView::empty()),
            other_view: Box::new(EntityView::empty()),
            parts: ViewParts::ALL,
            changes: 0,
            unwritten: None,
            intent: Intent::default(),
            before: Actions::NONE,
            random: 0,
            timers: 0,
            frames: Vec::new(),
            points: None,
            began: 0,
            timers_before: 0,
            level: false,
            layer: None,
            commands: Vec::new(),
        }
    }

    /// Points it at the entity that is called in a scene, until [`finish`](Self::finish). Before anything reads or writes
    /// the view or the input, they have to be [observed](Self::observe).
    #[inline(always)]
    pub fn point_at(
        &mut self,
        scene: &Scene<'_>,
        (invocation, frames): (&Invocation, &[SequenceFrame]),
        decision: &Decision,
    ) {
        let level = invocation.entity == EntityId::LEVEL;
        if self.level != level {
            self.level = level;
            swap(&mut self.view, &mut self.other_view);
        }
        self.called = invocation.called();
        self.observed = false;
        self.commands.clear();
        self.unwritten = None;
        self.profile = invocation.profile;
        self.level_view = scene.stage.level.view;
        self.random = decision.random;
        self.timers = invocation.timers;
        // Entities of a kind often run the same ones.
        let known = |((layer, sequence), frame): (&(Option<Arc<str>>, Arc<str>), &SequenceFrame)| {
            *layer == frame.layer && Arc::ptr_eq(sequence, &frame.at.sequence)
        };
        if self.frames.len() != frames.len() || !self.frames.iter().zip(frames).all(known) {
            self.frames.clear();
            let owned = |frame: &SequenceFrame| (frame.layer.clone(), frame.at.sequence.clone());
            self.frames.extend(frames.iter().map(owned));
        }
        self.layer = None;
    }

    /// Writes the view and the input, unless that has been done: what they are as the phase begins.
    #[inline]
    pub fn observe(&mut self, scene: &Scene<'_>) {
        if !self.observed {
            self.observed = true;
            self.before = scene.observe(self.called, self.parts, (&mut self.view, &mut self.intent));
        }
    }

    /// The entity that is called, or the level.
    pub fn called(&self) -> Called {
        self.called
    }

    /// The layer whose script runs; `None` for the lowest one.
    pub fn layer(&self) -> Option<&Arc<str>> {
        self.layer.as_ref()
    }

    /// Sets where the sequences of the running script wait: usually what is known already.
    pub fn set_points(&mut self, points: &Option<Arc<[Arc<WaitPoint>]>>) {
        let place = |points: &Option<Arc<[_]>>| points.as_ref().map(|points| points.as_ptr());
        if place(&self.points) != place(points) {
            self.points.clone_from(points);
        }
    }

    /// Lets the script of another layer run. The orders given from now on are its orders.
    pub fn set_layer(&mut self, layer: Option<Arc<str>>) {
        if self.layer == layer {
            return;
        }
        self.layer.clone_from(&layer);
        self.commands.push(Command::InLayer(layer));
    }

    /// Lets the script of another layer run, with its random stream; `name` and `random` become those of the layer before.
    pub fn exchange_layer(&mut self, name: &mut Option<Arc<str>>, random: &mut u64) {
        let outside = self.layer.clone();
        self.set_layer(name.take());
        *name = outside;
        swap(&mut self.random, random);
    }

    /// Ends the calls of the entity that it was pointed at: its decision gets the commands that were queued and the
    /// state of its random stream.
    #[inline]
    pub fn finish(&mut self, decision: &mut Decision) {
        // The decision has none yet.
        if !self.commands.is_empty() {
            swap(&mut self.commands, &mut decision.commands);
        }
        decision.random = self.random;
    }

    /// What the script reads of itself: its state at the start of the phase, and what it has written since.
    #[inline]
    pub fn view(&self) -> &EntityView {
        &self.view
    }

    /// A number that differs after the view was written while a script ran.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// The view, to write a part of it that scripts can write.
    #[inline]
    pub(super) fn view_mut(&mut self) -> &mut EntityView {
        self.keep_unwritten();
        self.changes += 1;
        &mut self.view
    }

    /// Its input.
    #[inline]
    pub fn intent(&self) -> &Intent {
        &self.intent
    }

    /// Its input, to change it.
    #[inline]
    pub(super) fn intent_mut(&mut self) -> &mut Intent {
        self.keep_unwritten();
        &mut self.intent
    }

    #[inline]
    fn keep_unwritten(&mut self) {
        if self.unwritten.is_none() {
            self.unwritten = Some(self.written());
        }
    }

    /// What scripts can write of the view, and the input, as they are now.
    pub(super) fn written(&self) -> WrittenState {
        WrittenState::of(&self.view, &self.intent)
    }

    /// Makes the view and the input what they were.
    pub(super) fn rewrite(&mut self, state: WrittenState) {
        self.changes += 1;
        state.restore(&mut self.view, &mut self.intent);
    }

    /// The point that [`roll_back`](Self::roll_back) returns to when a hook fails: how many commands were queued, and
    /// what the script could read.
    #[inline]
    pub fn checkpoint(&mut self) {
        self.unwritten = None;
        (self.began, self.timers_before) = (self.commands.len(), self.timers);
    }

    /// The commands queued since the last checkpoint.
    pub fn commands_since(&self) -> &[Command] {
        &self.commands[self.began..]
    }

    /// Whether the entity has been despawned since it is called.
    pub fn is_removed(&self) -> bool {
        self.commands.iter().any(|command| matches!(command, Command::Remove))
    }

    /// Drops the commands queued since the last checkpoint. Random numbers that were drawn stay drawn.
    pub fn roll_back(&mut self) {
        self.commands.truncate(self.began);
        self.timers = self.timers_before;
        self.unwrite();
    }

    /// Makes the view and the input what they were at the last checkpoint.
    pub(super) fn unwrite(&mut self) {
        if let Some(unwritten) = self.unwritten.take() {
            self.rewrite(unwritten);
        }
    }

    /// Queues a command.
    ///
    /// # Errors
    /// When there are too many.
    pub(super) fn queue(&mut self, command: Command) -> Allowed {
        if self.commands.len() >= MAX_COMMANDS {
            return refuse(format!("a script can give at most {MAX_COMMANDS} orders (`me.…`, `world::…`) per tick"));
        }
        charge(PER_ORDER)?;
        self.commands.push(command);
        Ok(())
    }

    /// Queues a command for a call that answers nothing.
    ///
    /// # Errors
    /// When there are too many.
    pub(super) fn order<'a>(&mut self, command: Command) -> Answered<'a> {
        self.queue(command)?;
        Ok(CallAnswer::Nothing)
    }

    /// The state, for a `member` that needs a body.
    ///
    /// # Errors
    /// In a level's own script.
    #[inline]
    pub(super) fn with_body(&mut self, member: &str) -> Accepted<&mut Self> {
        charge(PER_MEMBER)?;
        if self.level {
            return refuse(no_level_member(member));
        }
        Ok(self)
    }
}
