//! Jumping with hold time, coyote time and jump buffer. All models that jump share one state, so
//! that a jump survives a change of model.

use super::*;
use crate::tuning::TIME;
use serde::{Deserializer, Serializer};

tunables! {
    /// Jump parameters of every model that jumps.
    pub struct JumpTuning {
        /// Upward speed of a jump while the key is held. The height of a full jump is
        /// `jump_speed · jump_hold_time + jump_speed² / (2 · gravity)`.
        jump_speed: f64 = 540.0, "px/s", SPEED;
        /// Longest time that holding the jump key keeps the body rising at `jump_speed`. 0 makes
        /// every jump the same height.
        jump_hold_time: f64 = 0.278, "s", TIME;
        /// Time after leaving the ground in which a jump still starts. At 0, players fall off
        /// ledges that they believe they jumped from.
        coyote_time: f64 = 0.1, "s", TIME;
        /// Time for which a press is remembered until a jump can start. At 0, presses just before a
        /// landing are lost.
        jump_buffer: f64 = 0.1, "s", TIME;
    }
}

/// Jump times set by a script's rule; without one, the tuned value stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Windows {
    /// Longest time that holding the jump key keeps the body rising at `jump_speed`, s.
    pub jump_hold_time: RuledTime,
    /// Time after leaving the ground in which a jump still starts, s.
    pub coyote_time: RuledTime,
    /// Time for which a press is remembered, s.
    pub jump_buffer: RuledTime,
}

impl Windows {
    /// Checks saved times.
    ///
    /// # Errors
    /// Its first field that is wrong.
    pub fn check(&self) -> Checked {
        let times = [
            ("jump_hold_time", self.jump_hold_time),
            ("coyote_time", self.coyote_time),
            ("jump_buffer", self.jump_buffer),
        ];
        for (field, time) in times {
            time.get().map_or(Ok(()), |time| between(field, time, TIME.min, TIME.max))?;
        }
        Ok(())
    }
}

/// A time that a rule has set, s, or none. NaN is none, because each body has three of these and an `Option` would take
/// twice the room.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(from = "Option<f64>", into = "Option<f64>")]
pub struct RuledTime(f64);

impl RuledTime {
    /// The time, if there is one.
    pub fn get(self) -> Option<f64> {
        (!self.0.is_nan()).then_some(self.0)
    }
}

impl Default for RuledTime {
    fn default() -> Self {
        None.into()
    }
}

impl PartialEq for RuledTime {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl From<Option<f64>> for RuledTime {
    fn from(time: Option<f64>) -> Self {
        Self(time.unwrap_or(f64::NAN))
    }
}

impl From<RuledTime> for Option<f64> {
    fn from(time: RuledTime) -> Self {
        time.get()
    }
}

/// Progress of an entity's jump. Timers store when they began, on the clock of the body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Jump {
    /// The remembered press.
    pressed: TickStamp,
    /// The last time the ground was left other than by a jump.
    left: TickStamp,
    /// The start of the jump, while its hold time runs.
    holding: TickStamp,
    /// Whether the body rises in its own jump, which releasing the key would cut short.
    rising: bool,
    /// Whether a script started the jump, which then lasts as if the key were held.
    free: bool,
    /// Whether a remembered press started the jump after the key had been released. The key then
    /// counts as held for [`TAP`].
    tapped: bool,
    /// Whether the ground that was left is a one-way platform. While the body drops, that is not
    /// ground, and its coyote time does not count.
    one_way: bool,
}

/// The moment of an event, or never. Stores the moment plus one tick, so that 0 is free for `NEVER`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct TickStamp(ClockTick);

impl TickStamp {
    const NEVER: Self = Self(ClockTick(0.0));

    fn at(now: ClockTick) -> Self {
        Self(ClockTick(now.0 + 1.0))
    }

    fn tick(self) -> Option<ClockTick> {
        (self != Self::NEVER).then_some(ClockTick(self.0.0 - 1.0))
    }
}

impl Serialize for TickStamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Some(self.0).filter(|_| *self != Self::NEVER).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for TickStamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Option::deserialize(deserializer).map(|stamp| stamp.map_or(Self::NEVER, Self))
    }
}

/// For how long (s) a key counts as held that was pressed and released before its jump began: a
/// 60th of a second, as long as the shortest press at 60 Hz.
const TAP: f64 = 1.0 / 60.0;

/// Slack on time windows, s, so that a press exactly at the end of a window counts.
const WINDOW_SLACK: f64 = 1e-9;

/// For how many ticks after its first tick a time window of this many seconds stays open.
pub fn window_ticks(seconds: f64, hz: f64) -> u64 {
    let open = |ticks: u64| ticks as f64 / hz <= seconds + WINDOW_SLACK;
    // Rounding may be off by one, so the result is checked with the comparison that jumps use.
    let mut ticks = (seconds * hz) as u64 + 1;
    while ticks > 0 && !open(ticks) {
        ticks -= 1;
    }
    ticks
}

impl Jump {
    /// Records that the ground was left at the moment `now` other than by a jump.
    pub fn leave_ground(&mut self, now: ClockTick) {
        self.left = TickStamp::at(now);
    }

    /// Records that the ground that the body leaves in this tick is a one-way platform.
    #[cold]
    pub fn leave_one_way(&mut self) {
        self.one_way = true;
    }

    /// Records that the body stands, which ends a jump.
    pub fn land(&mut self) {
        self.left = TickStamp::NEVER;
        self.holding = TickStamp::NEVER;
        self.rising = false;
        self.tapped = false;
        self.one_way = false;
    }

    /// Records a bump against a ceiling, which ends the hold time.
    pub fn bump_head(&mut self) {
        self.holding = TickStamp::NEVER;
        self.rising = false;
        self.tapped = false;
    }

    /// When the ground was left other than by a jump; `None` if the body stands, or
    /// has jumped since.
    pub fn left_at(&self) -> Option<ClockTick> {
        self.left.tick()
    }

    /// The moment of the remembered press; `None` if there is none.
    pub fn pressed_at(&self) -> Option<ClockTick> {
        self.pressed.tick()
    }

    /// When the jump began whose hold time runs; `None` if none does.
    pub fn held_since(&self) -> Option<ClockTick> {
        self.holding.tick()
    }

    /// Whether the jump's hold time still runs. After [`hold`](Self::hold), it then lasts for the
    /// whole tick.
    pub fn holds(&self) -> bool {
        self.holding != TickStamp::NEVER
    }

    /// Whether the body rises in its own jump.
    pub fn rising(&self) -> bool {
        self.rising
    }

    /// Whether a press of the jump key is remembered, in a window that is shorter by some seconds.
    #[inline]
    fn is_buffered_until(&self, less: f64, windows: &Windows, tuning: &JumpTuning, around: &Surroundings) -> bool {
        let window = || windows.jump_buffer.get().unwrap_or(tuning.jump_buffer) - less;
        is_within(self.pressed, window, around)
    }

    /// Whether a press of the jump key will still be remembered in the next tick, in which a body that lands in this one
    /// may jump.
    pub fn stays_buffered(&self, windows: &Windows, tuning: &JumpTuning, around: &Surroundings) -> bool {
        self.is_buffered_until(around.tick_seconds(), windows, tuning, around)
    }

    /// Starts a jump if there is a press, and ground or coyote time to jump from; uses up both. A press
    /// that would jump from a one-way platform through which the body drops is used up without a jump.
    #[inline(always)]
    pub fn start(
        &mut self,
        intent: &Intent,
        grounded: bool,
        windows: &Windows,
        tuning: &JumpTuning,
        around: &Surroundings,
    ) -> bool {
        let may = intent.pressed.has(Action::Jump) || self.pressed != TickStamp::NEVER || self.one_way;
        may && self.start_pressed(intent, grounded, windows, tuning, around)
    }

    #[inline(never)]
    fn start_pressed(
        &mut self,
        intent: &Intent,
        grounded: bool,
        windows: &Windows,
        tuning: &JumpTuning,
        around: &Surroundings,
    ) -> bool {
        // If a script started a jump in this tick, the press must not start another one.
        let begun = self.holding == TickStamp::at(around.now);
        if intent.pressed.has(Action::Jump) && !begun {
            self.pressed = TickStamp::at(around.now);
        }
        let wanted = self.is_buffered_until(0.0, windows, tuning, around);
        if !wanted && !self.one_way {
            return false;
        }
        let window = || windows.coyote_time.get().unwrap_or(tuning.coyote_time);
        let coyote = is_within(self.left, window, around);
        if coyote && self.one_way && intent.drops() {
            self.pressed = TickStamp::NEVER;
            return false;
        }
        if !(wanted && (grounded || coyote)) {
            return false;
        }
        self.begin(around.now, false);
        self.tapped = !intent.held.has(Action::Jump);
        true
    }

    /// Begins a jump at the moment `now`; a `free` one lasts as if the key were held. Uses up a
    /// remembered press and the coyote time.
    pub fn begin(&mut self, now: ClockTick, free: bool) {
        *self = Self {
            pressed: TickStamp::NEVER,
            left: TickStamp::NEVER,
            holding: TickStamp::at(now),
            rising: true,
            free,
            tapped: false,
            one_way: false,
        };
    }

    /// The vertical velocity at the start of this tick, and for how long (s) the held key keeps it.
    /// Releasing the key while rising in the jump sets the velocity to 0, once.
    pub fn hold(
        &mut self,
        velocity: f64,
        intent: &Intent,
        windows: &Windows,
        tuning: &JumpTuning,
        around: &Surroundings,
    ) -> (f64, f64) {
        let first_tick = self.holding == TickStamp::at(around.now);
        // A key that is pressed again in time holds the jump like one that was never released.
        self.tapped &= !intent.held.has(Action::Jump);
        let is_up = intent.released.has(Action::Jump) || !intent.held.has(Action::Jump);
        let tapping = self.tapped && self.tap_left(around) > WINDOW_SLACK;
        let let_go = is_up && !self.free && !tapping;
        if self.rising && !first_tick && let_go {
            self.bump_head();
            return (velocity.min(0.0), 0.0);
        }
        let Some(began) = self.holding.tick() else {
            self.rising &= velocity > 0.0;
            return (velocity, 0.0);
        };
        let time = windows.jump_hold_time.get().unwrap_or(tuning.jump_hold_time);
        let left = (time - around.since(began)).clamp(0.0, around.dt);
        if left < around.dt && !self.tapped {
            self.holding = TickStamp::NEVER;
        }
        let speed = if left > 0.0 || first_tick { tuning.jump_speed } else { velocity };
        (speed, left)
    }

    /// The rest of [`TAP`] at the start of this tick, s; not above 0 if it is over.
    fn tap_left(&self, around: &Surroundings) -> f64 {
        let began = self.holding.tick();
        began.map_or(0.0, |began| TAP - around.since(began))
    }

    /// Ends the rise of a jump whose key was released before it began, if that is due within this
    /// tick. Returns when, s from the start of the tick.
    pub fn end_tap(&mut self, around: &Surroundings) -> Option<f64> {
        if !self.tapped {
            return None;
        }
        let left = self.tap_left(around);
        if left > around.dt - WINDOW_SLACK {
            return None;
        }
        self.bump_head();
        Some(left.max(0.0))
    }

    /// Checks a saved state.
    ///
    /// # Errors
    /// Its first field that is wrong.
    pub fn check(&self, saved: &SavedContext) -> Checked {
        let stamps = [("pressed", self.pressed), ("left", self.left), ("holding", self.holding)];
        stamps
            .into_iter()
            .try_for_each(|(field, stamp)| saved.passed(field, stamp.tick().unwrap_or_default()))
    }

    /// Feeds the state into a hash.
    pub fn digest(&self, digest: &mut Digest) {
        for began in [self.pressed, self.left, self.holding] {
            match began.tick() {
                Some(began) => began.digest(digest),
                None => digest.word(u64::MAX),
            }
        }
        digest.flags(&[self.rising, self.free, self.tapped, self.one_way]);
    }
}

/// Vertical motion of a tick in the air: `held` seconds at `velocity`, then gravity up to
/// `max_fall_speed`. A body that already falls faster is not slowed down.
pub fn fall(velocity: f64, held: f64, gravity: f64, max_fall_speed: f64, dt: f64) -> motion::Stretch {
    let target = (-max_fall_speed).min(velocity);
    let free = motion::approach(velocity, target, gravity, dt - held);
    motion::Stretch { distance: free.distance + velocity * held, ..free }
}

/// Like [`fall`], for a jump whose rise ends `end` seconds into the tick: there the upward velocity
/// becomes 0.
#[cold]
pub fn hop(velocity: f64, held: f64, end: f64, gravity: f64, max_fall_speed: f64, dt: f64) -> motion::Stretch {
    let rise = fall(velocity, held.min(end), gravity, max_fall_speed, end);
    let rest = fall(rise.velocity.min(0.0), 0.0, gravity, max_fall_speed, dt - end);
    motion::Stretch { distance: rise.distance + rest.distance, ..rest }
}

/// Whether no more than `window` seconds have passed since `began`. Mostly it never did, and nothing is looked up.
#[inline]
fn is_within(began: TickStamp, window: impl FnOnce() -> f64, around: &Surroundings) -> bool {
    let began = began.tick();
    began.is_some_and(|tick| around.since(tick) <= window() + WINDOW_SLACK)
}
