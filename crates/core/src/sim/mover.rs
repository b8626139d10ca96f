//! The motion of one entity.

use super::*;

/// The motion state of one entity. `S` is the state of its model.
///
/// What a tick of a walking body reads is in four cache lines: from where it stands, in the body, to what its model's state
/// begins with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[repr(C, align(64))]
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
    /// Its player, as in the entity.
    #[serde(skip)]
    pub(super) player: Option<u8>,
    /// The state of the model.
    pub state: S,
    /// How its time passes.
    #[serde(default, skip_serializing_if = "BodyClock::is_default")]
    pub(super) clock: BodyClock,
    /// The rate of its time in this tick, where rates may differ from 1; 0 between ticks.
    #[serde(skip)]
    pub(super) rate: f64,
}

/// Results that one phase of a tick leaves for the next; reset at the end of a tick.
///
/// They are not with the motion: most bodies have none that outlast their part of a tick.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Scratch {
    /// Whether something other than the model has changed the velocities since they were last
    /// checked against the ground.
    pub pushed: bool,
    pub report: Report,
    /// Computed again in each tick, so that its value between ticks does not matter.
    pub motion: Motion,
}

/// What a body waits for whose phases are played one right after the other. Between ticks, the scratch of a body that waits
/// for nothing is empty.
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
    /// For a tick that reads what was noted of it.
    Tick,
}

impl PartialEq for Scratch {
    fn eq(&self, other: &Self) -> bool {
        self.report == other.report && self.pushed == other.pushed
    }
}

impl Scratch {
    /// Forgets what happened in a tick.
    #[inline]
    pub fn clear(&mut self) {
        self.report.clear();
        self.pushed = false;
    }
}

impl<S> Mover<S> {
    /// The conditions around it in the time of the level, `around`, in its own time and among other bodies; `None` if
    /// they are the same.
    #[inline]
    pub(super) fn paced<'a>(&self, around: &Surroundings<'a>) -> Option<Surroundings<'a>> {
        let paced = around.scaled.then(|| around.paced(&self.clock, self.rate));
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
        !around.scaled || self.rate > 0.0
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
    let Mover { id, slot, before, player, clock, intent, body, rate, .. } = mover;
    Mover { id, slot, before, player, clock, intent, body, state, rate }
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
    pub fn new(entity: &Entity, body: Body) -> Self {
        Self {
            id: entity.id,
            slot: entity.slot,
            before: Actions::NONE,
            player: entity.player,
            clock: BodyClock::default(),
            intent: Intent::default(),
            body,
            state: (),
            rate: 0.0,
        }
    }
}
