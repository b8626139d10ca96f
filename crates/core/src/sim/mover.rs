//! The motion of one entity.

use super::*;

/// The motion state of one entity. `S` is the state of its model.
///
/// What a tick of a walking body reads is together: it ends the body, and it begins the scratch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[repr(C)]
pub struct Mover<S> {
    /// The state that does not depend on the model.
    pub body: Body,
    /// The entity.
    pub id: EntityId,
    /// Its profile.
    #[serde(skip)]
    pub(super) slot: Slot,
    /// This tick's input.
    pub intent: Intent,
    /// Actions held in the previous tick.
    pub(super) before: Actions,
    /// How its time passes.
    #[serde(default, skip_serializing_if = "BodyClock::is_default")]
    pub(super) clock: BodyClock,
    /// The state of the model.
    pub state: S,
    /// Results that one phase leaves for the next; reset at the end of a tick.
    #[serde(skip)]
    pub(super) scratch: Scratch,
}

/// Results that one phase of a tick leaves for the next.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Scratch {
    /// Whether something other than the model has changed the velocities since they were last
    /// checked against the ground.
    pub pushed: bool,
    /// What it waits for within a tick.
    pub waits: Waits,
    /// The rate of its time in this tick, where rates may differ from 1.
    pub rate: f64,
    pub report: Report,
    /// Computed again in each tick, so that its value between ticks does not matter.
    pub motion: Motion,
}

/// What a body waits for whose phases are played one right after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Waits {
    #[default]
    Nothing,
    /// For the answer to whether its rope snaps: it has a velocity, and has not moved yet.
    Rope,
    /// For the answer to whether it grabs what it ran into.
    Grab,
    /// For its report to be read.
    Reading,
}

impl PartialEq for Scratch {
    fn eq(&self, other: &Self) -> bool {
        self.report == other.report && self.pushed == other.pushed
    }
}

impl<S> Mover<S> {
    /// Forgets what was ordered and what happened in a tick.
    #[inline]
    pub(super) fn end_tick(&mut self) {
        self.intent.end_orders();
        self.scratch.report.clear();
        self.scratch.pushed = false;
    }

    /// The conditions around it in the time of the level, `around`, in its own time and among other bodies; `None` if
    /// they are the same.
    #[inline]
    pub(super) fn paced<'a>(&self, around: &Surroundings<'a>) -> Option<Surroundings<'a>> {
        let paced = around.scaled.then(|| around.paced(&self.clock, self.scratch.rate));
        match around.others {
            Some(others) if !others.are_of(self.id.0) => Some(paced.as_ref().unwrap_or(around).of_body(self.id.0)),
            _ => paced,
        }
    }

    /// The conditions where it is; `None` if they are the same.
    #[inline(always)]
    pub(super) fn here<'a>(&self, around: &Surroundings<'a>) -> Option<Surroundings<'a>> {
        let alike = !around.scaled && around.others.is_none() && around.zones.list().is_empty();
        if alike { None } else { self.own_conditions(around) }
    }

    #[inline(never)]
    fn own_conditions<'a>(&self, around: &Surroundings<'a>) -> Option<Surroundings<'a>> {
        let paced = self.paced(around);
        paced.as_ref().unwrap_or(around).within(self.body.pos).or(paced)
    }

    /// Whether it moves in this tick.
    #[inline]
    pub(super) fn moves(&self, around: &Surroundings) -> bool {
        !around.scaled || self.scratch.rate > 0.0
    }

    /// Checks the parts of a saved mover that do not depend on the model.
    pub(super) fn check(&self, id: EntityId, saved: &SavedContext) -> Checked {
        ensure!(self.id == id, "id", "is {}; it must be {}", self.id.0, id.0);
        self.before.check("before")?;
        self.intent.check().within("intent")?;
        self.clock.check(saved).within("clock")?;
        saved.body(&self.body).within("body")
    }
}

/// A mover without its model's state: the part that survives a change of model.
pub type StatelessMover = Mover<()>;

/// Replaces the state of the model.
pub fn with_state<A, B>(mover: Mover<A>, state: B) -> Mover<B> {
    let Mover { id, slot, before, clock, intent, body, scratch, .. } = mover;
    Mover { id, slot, before, clock, intent, body, state, scratch }
}

/// Feeds the state that does not depend on the model into a hash.
pub fn digest_body(body: &Body, intent: &Intent, digest: &mut Digest) {
    digest.vector(body.pos);
    digest.vector(body.vel);
    digest.vector(body.external);
    for number in [body.z, body.vel_z, body.angle, body.spin, body.facing] {
        digest.number(number);
    }
    if body.external_z != 0.0 {
        digest.number(body.external_z);
    }
    digest.word(body.floor.map_or(u64::MAX, |f| f.height.to_bits()));
    if let Some(contact) = body.ground {
        digest.vector(contact.normal);
        digest.vector(contact.touch);
    }
    if let Some(cling) = body.cling {
        digest.vector(cling.normal);
    }
    digest.flags(&[body.crushed, body.inverted, body.pushed_aside]);
    body.jump.digest(digest);
    let windows = body.windows;
    for time in [windows.jump_hold_time, windows.coyote_time, windows.jump_buffer] {
        digest.word(time.get().map_or(u64::MAX, f64::to_bits));
    }
    // The second byte says which of the held actions come from a script. The actions of the game have
    // two more bytes, so that games without any have the hashes that they had before there were such actions.
    let (held, scripted) = (intent.held.bits(), intent.held.bits() ^ intent.keys.bits());
    let [held, scripted] = [held, scripted].map(u16::to_le_bytes);
    digest.word(u64::from_le_bytes([held[0], scripted[0], held[1], scripted[1], 0, 0, 0, 0]));
}

impl StatelessMover {
    /// A mover for an entity that has just spawned.
    pub fn new(id: EntityId, slot: Slot, body: Body) -> Self {
        Self {
            id,
            slot,
            before: Actions::NONE,
            clock: BodyClock::default(),
            intent: Intent::default(),
            body,
            state: (),
            scratch: Scratch { pushed: true, ..Scratch::default() },
        }
    }
}
