//! Jumping: holding, coyote and buffer. One state for every model that jumps, so that a jump
//! survives a change of model.

use super::{Action, Intent, Surroundings, motion};
use crate::tuning::{SPEED, TIME, tunables};
use serde::{Deserialize, Serialize};
use std::num::NonZeroU64;

tunables! {
    /// What every jumping model tunes about its jump.
    pub struct JumpTuning {
        /// Upward speed of a jump while its key is held. The height of a full jump is
        /// `jump_speed · jump_hold_time + jump_speed² / (2 · gravity)`.
        jump_speed: f64 = 540.0, "px/s", SPEED;
        /// For how long holding the key keeps the speed. 0 makes every jump the same height.
        jump_hold_time: f64 = 0.278, "s", TIME;
        /// For how long after leaving the ground a jump still starts ("coyote time"). 0 makes
        /// players fall off ledges they believe they jumped from.
        coyote_time: f64 = 0.1, "s", TIME;
        /// For how long a press is remembered until a jump can start. 0 swallows presses made just
        /// before landing.
        jump_buffer: f64 = 0.1, "s", TIME;
    }
}

/// The times of a jump as a script's rule may set them; what is none is as tuned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Windows {
    /// Seconds for which holding keeps the jump's speed.
    pub jump_hold_time: Option<f64>,
    /// Seconds after leaving the ground in which a jump still starts.
    pub coyote_time: Option<f64>,
    /// Seconds for which a press is remembered.
    pub jump_buffer: Option<f64>,
}

/// Where an entity is in its jump. Times are the ticks at which something began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Jump {
    /// When the remembered press was made.
    pressed: Moment,
    /// When the ground was left by anything but a jump.
    left: Moment,
    /// When the jump began whose hold still runs.
    holding: Moment,
    /// Whether the body goes up in its own jump, which letting go would cut.
    rising: bool,
    /// Whether no key holds the jump: a script's, which goes on for as long as a held one.
    free: bool,
}

/// A tick at which something happened, or none. One more than the tick is kept, so that none takes no
/// room of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Moment(Option<NonZeroU64>);

impl Moment {
    const NEVER: Self = Self(None);

    fn at(tick: u64) -> Self {
        Self(NonZeroU64::new(tick + 1))
    }

    fn tick(self) -> Option<u64> {
        self.0.map(|one_more| one_more.get() - 1)
    }
}

/// Slack on windows, s: a press exactly at the end of a window counts.
const WINDOW_SLACK: f64 = 1e-9;

/// For how many ticks after the one in which it opens a window of so many seconds is open.
#[must_use]
pub fn window_ticks(seconds: f64, hz: f64) -> u64 {
    let open = |ticks: u64| ticks as f64 / hz <= seconds + WINDOW_SLACK;
    // Rounding may be off by one, and what decides is the comparison that a jump makes.
    let mut ticks = (seconds * hz) as u64 + 1;
    while ticks > 0 && !open(ticks) {
        ticks -= 1;
    }
    ticks
}

impl Jump {
    /// Notes that the ground was left at the tick `now` by anything but a jump.
    pub fn leave_ground(&mut self, now: u64) {
        self.left = Moment::at(now);
    }

    /// Notes that the body stands: a jump that was going on is over.
    pub fn land(&mut self) {
        self.left = Moment::NEVER;
        self.holding = Moment::NEVER;
        self.rising = false;
    }

    /// Notes a ceiling: the hold is over.
    pub fn bump_head(&mut self) {
        self.holding = Moment::NEVER;
        self.rising = false;
    }

    /// When the ground was left by anything but a jump; none for who stands, or has jumped since.
    #[must_use]
    pub fn left_at(&self) -> Option<u64> {
        self.left.tick()
    }

    /// Whether the body goes up in its own jump.
    #[must_use]
    pub fn rising(&self) -> bool {
        self.rising
    }

    /// Starts a jump if there is a press to use and something to jump from. Both are used up.
    pub fn start(
        &mut self,
        intent: &Intent,
        grounded: bool,
        windows: &Windows,
        tuning: &JumpTuning,
        around: &Surroundings<'_>,
    ) -> bool {
        // A script has begun a jump in this very tick: the press has had its jump.
        let begun = self.holding == Moment::at(around.now);
        if intent.pressed.has(Action::Jump) && !begun {
            self.pressed = Moment::at(around.now);
        }
        let within = |began: Moment, window: f64| {
            began
                .tick()
                .is_some_and(|b| around.since(b) <= window + WINDOW_SLACK)
        };
        let wanted = within(
            self.pressed,
            windows.jump_buffer.unwrap_or(tuning.jump_buffer),
        );
        let coyote = within(self.left, windows.coyote_time.unwrap_or(tuning.coyote_time));
        if !(wanted && (grounded || coyote)) {
            return false;
        }
        self.begin(around.now, false);
        true
    }

    /// Begins a jump at the tick `now`: one that no key holds if it is `free`. A remembered press
    /// and the coyote are used up.
    pub fn begin(&mut self, now: u64, free: bool) {
        *self = Self {
            pressed: Moment::NEVER,
            left: Moment::NEVER,
            holding: Moment::at(now),
            rising: true,
            free,
        };
    }

    /// The vertical velocity at the start of this tick, and for how many of its seconds the hold
    /// keeps it there. Letting go while moving up in one's own jump sets it to 0, once.
    pub fn hold(
        &mut self,
        velocity: f64,
        intent: &Intent,
        windows: &Windows,
        tuning: &JumpTuning,
        around: &Surroundings<'_>,
    ) -> (f64, f64) {
        let first_tick = self.holding == Moment::at(around.now);
        let let_go =
            !self.free && (intent.released.has(Action::Jump) || !intent.held.has(Action::Jump));
        if self.rising && !first_tick && let_go {
            self.bump_head();
            return (velocity.min(0.0), 0.0);
        }
        let Some(began) = self.holding.tick() else {
            self.rising &= velocity > 0.0;
            return (velocity, 0.0);
        };
        let time = windows.jump_hold_time.unwrap_or(tuning.jump_hold_time);
        let left = (time - around.since(began)).clamp(0.0, around.dt);
        if left < around.dt {
            self.holding = Moment::NEVER;
        }
        let speed = if left > 0.0 || first_tick {
            tuning.jump_speed
        } else {
            velocity
        };
        (speed, left)
    }

    /// Feeds the state into a hash.
    pub fn digest(&self, feed: &mut dyn FnMut(u64)) {
        for began in [self.pressed, self.left, self.holding] {
            feed(began.tick().unwrap_or(u64::MAX));
        }
        feed(u64::from(self.rising) + 2 * u64::from(self.free));
    }
}

/// Vertical motion of a tick in the air: `held` seconds at `velocity`, then gravity down to
/// `max_fall_speed`. What already falls faster is not slowed.
#[must_use]
pub fn fall(
    velocity: f64,
    held: f64,
    gravity: f64,
    max_fall_speed: f64,
    dt: f64,
) -> motion::Stretch {
    let target = (-max_fall_speed).min(velocity);
    let free = motion::approach(velocity, target, gravity, dt - held);
    motion::Stretch {
        distance: free.distance + velocity * held,
        ..free
    }
}
