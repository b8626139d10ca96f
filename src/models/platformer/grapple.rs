//! The grappling hook: it flies out, attaches, and flies back.
//!
//! While it is attached, the rope pulls the body in at a minimum speed, never lets it get farther
//! away, and snaps when the body pulls away too hard.

use super::tuning::PlatformerTuning;
use crate::geometry::{Ellipse, TOUCH};
use crate::level::{Feature, Platform, Scenery, Terrain, slide};
use crate::models::{
    Action, Body, HookLoss, HookMiss, HookNews, HookState, Intent, Motion, MoveContext, Strain,
    Surroundings,
};
use glam::DVec2;
use serde::{Deserialize, Serialize};

/// The area around its tip in which an attached hook looks for its hold after a reload.
const GRIP: Ellipse = Ellipse::new(1.0, 1.0);

/// How often a body is moved back within the rope's length, each time along the obstacle that
/// blocked the previous move.
const MOST_PULLS: usize = 4;

/// A grappling hook.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GrapplingHook {
    /// What it is doing.
    pub state: HookState,
    /// Position of its tip, px.
    pub tip: DVec2,
    /// Unit vector of the direction in which it was fired.
    heading: DVec2,
    /// Length of the rope, px: while the hook flies out, the distance flown; while it is attached,
    /// the largest distance between body and tip.
    pub length: f64,
    /// The platform that it is attached to.
    platform: Option<u16>,
    /// Whether a script fired it, so that it holds without the key.
    free: bool,
}

impl GrapplingHook {
    /// Fires it from one point at another; a `free` one holds without the key.
    pub fn fire(&mut self, from: DVec2, at: DVec2, free: bool) {
        *self = Self {
            state: HookState::Firing,
            tip: from,
            heading: (at - from).normalize_or(DVec2::Y),
            free,
            ..Self::default()
        };
    }

    /// Releases it; the tip flies back.
    pub fn release(&mut self, news: &mut HookNews) {
        if self.state == HookState::Attached {
            news.lost = Some(HookLoss::Released);
        }
        if self.state != HookState::Idle {
            self.state = HookState::Returning;
        }
    }

    /// Whether the hook holds on to something, so that its rope limits the body.
    #[must_use]
    pub fn is_attached(&self) -> bool {
        self.state == HookState::Attached
    }

    /// Fires, flies and releases for one tick.
    pub fn act(
        &mut self,
        body: &Body,
        intent: &Intent,
        tuning: &PlatformerTuning,
        around: &Surroundings<'_>,
        news: &mut HookNews,
    ) {
        if intent.pressed.has(Action::Hook)
            && matches!(self.state, HookState::Idle | HookState::Returning)
        {
            let ahead = DVec2::new(body.facing, 1.0);
            self.fire(body.pos, intent.aim.unwrap_or(body.pos + ahead), false);
        }
        if !self.free && !intent.held.has(Action::Hook) {
            self.release(news);
        }
        let step = tuning.hook_speed * around.dt;
        match self.state {
            HookState::Idle => {}
            HookState::Firing => {
                let drops = intent.down();
                self.fly_out(body, drops, tuning, around, news);
            }
            HookState::Attached => {
                if let Some(platform) = self.platform {
                    self.tip += around.transit.steps[platform as usize];
                    if !around.transit.is_there(platform) {
                        self.release(news);
                        return;
                    }
                }
                let distance = self.tip.distance(body.pos);
                if body.cling.is_some() && distance > self.length + TOUCH {
                    // A platform carries the clinging body away, so the rope snaps.
                    self.snap(news);
                }
                self.length = self.length.min(distance);
            }
            HookState::Returning => {
                let back = body.pos - self.tip;
                if back.length() <= step {
                    *self = Self::default();
                } else {
                    self.tip += back.normalize_or_zero() * step;
                }
            }
        }
    }

    fn fly_out(
        &mut self,
        body: &Body,
        drops: bool,
        tuning: &PlatformerTuning,
        around: &Surroundings<'_>,
        news: &mut HookNews,
    ) {
        let step = tuning.hook_speed * around.dt;
        let left = tuning.hook_length - self.length;
        let motion = self.heading * step.min(left);
        let scenery = around.scenery().dropping(drops);
        if let Some(hit) = scenery.cast(self.tip, motion) {
            self.tip += motion * hit.time;
            let rope = self.tip.distance(body.pos);
            if rope > tuning.hook_length {
                // The body has moved away since, so the rope is too short.
                self.state = HookState::Returning;
                news.missed = Some(HookMiss::RopeTooShort);
                return;
            }
            self.length = rope;
            self.attach(hit.feature, around);
            news.attached = Some(hit.feature);
            return;
        }
        self.tip += motion;
        self.length += step;
        if self.length >= tuning.hook_length {
            self.state = HookState::Returning;
            news.missed = Some(HookMiss::NothingInReach);
        }
    }

    fn attach(&mut self, feature: Feature, around: &Surroundings<'_>) {
        self.state = HookState::Attached;
        self.platform = around.level.terrain.edge_of(feature).platform;
    }

    /// Moves the hook to a reloaded terrain. Its platform is found by name, any other hold by
    /// position. Returns whether the hook lost its hold.
    pub fn adopt(&mut self, old: &Terrain, new: &Scenery<'_>) -> bool {
        if !self.is_attached() {
            return false;
        }
        let name = |terrain: &Terrain, platform: &Platform| {
            terrain.solids()[platform.solid as usize].name.clone()
        };
        let found = self.platform.and_then(|platform| {
            let wanted = name(old, &old.platforms()[platform as usize]);
            let mut platforms = new.terrain.platforms().iter();
            platforms.position(|p| name(new.terrain, p) == wanted)
        });
        let kept = match found {
            Some(place) => {
                self.platform = Some(place as u16);
                true
            }
            None => {
                self.platform = new.platform_at(GRIP, self.tip);
                let above = self.tip + DVec2::Y * GRIP.half.y;
                new.overlap(GRIP, self.tip).is_some()
                    || new.probe(GRIP, above, GRIP.half.y).is_some()
            }
        };
        if !kept {
            self.state = HookState::Returning;
        }
        !kept
    }

    /// How hard a motion strains the rope; `None` unless the body hangs on it.
    #[must_use]
    pub fn strain(
        &self,
        body: &Body,
        intent: &Intent,
        motion: &Motion,
        tuning: &PlatformerTuning,
    ) -> Option<Strain> {
        if !self.is_attached() || body.cling.is_some() {
            return None;
        }
        let rope = self.tip - body.pos;
        let towards = rope.normalize_or_zero();
        let pull_away = tuning.hook_pull_speed - motion.velocity.dot(towards);
        let away_held = intent.side() * rope.x < 0.0;
        let snaps =
            pull_away > tuning.hook_snap_speed && (away_held || !tuning.hook_snap_needs_key);
        Some(Strain {
            pull_away,
            length: rope.length(),
            tip: self.tip,
            away_held,
            snaps,
        })
    }

    /// Snaps the rope.
    pub fn snap(&mut self, news: &mut HookNews) {
        // A script may have released the hook while its rule was asked.
        if self.is_attached() {
            self.state = HookState::Returning;
            news.lost = Some(HookLoss::Snapped);
        }
    }

    /// Lets the rope pull on a motion.
    pub fn pull(
        &mut self,
        body: &Body,
        motion: &mut Motion,
        tuning: &PlatformerTuning,
        around: &Surroundings<'_>,
    ) {
        if !self.is_attached() {
            // A script has released the hook while its rule was asked.
            return;
        }
        let dt = around.dt;
        let rope = self.tip - body.pos;
        let distance = rope.length();
        let towards = rope.normalize_or_zero();
        // At most the speed that reaches the tip exactly in this tick.
        let least = tuning.hook_pull_speed.min(distance / dt);
        let missing = least - motion.velocity.dot(towards);
        motion.velocity += towards * missing.max(0.0);
        let missing = least * dt - motion.displacement.dot(towards);
        motion.displacement += towards * missing.max(0.0);
        // If a corner has kept the body farther away than the rope is long, the body comes in no
        // faster than the rope pulls.
        let most = self.length.max(distance - least * dt);
        let outside = body.external * around.external_seconds;
        let from_tip = motion.displacement + outside - rope;
        if from_tip.length() > most {
            motion.displacement = rope + from_tip.normalize_or_zero() * most - outside;
        }
        motion.start = motion.velocity;
        motion.pull = 0.0;
    }

    /// Moves the body back within the rope's length, if sliding along obstacles led it beyond.
    pub fn hold_back(&self, body: &mut Body, context: &MoveContext<'_>) {
        if body.cling.is_some() {
            return;
        }
        for _ in 0..MOST_PULLS {
            let Some(back) = self.excess(body.pos) else {
                return;
            };
            let slid = slide(&context.scenery, context.shape, body.pos, back, |_, _| {
                false
            });
            body.pos = slid.pos;
            // The body may have left its ground; settling looks for it again.
            body.ground = None;
        }
    }

    /// The shortest move back to within the rope's length, px; `None` if the body is within it.
    fn excess(&self, at: DVec2) -> Option<DVec2> {
        let rope = self.tip - at;
        let over = rope.length() - self.length;
        (self.is_attached() && over > TOUCH).then(|| rope.normalize_or_zero() * over)
    }

    /// Feeds the state into a hash.
    pub fn digest(&self, feed: &mut dyn FnMut(u64)) {
        feed(self.state as u64 + 4 * u64::from(self.free));
        // Platform numbers depend on the order in the file, which must not influence the hash.
        feed(self.platform.map_or(u64::MAX, |_| 0));
        for number in [
            self.tip.x,
            self.tip.y,
            self.heading.x,
            self.heading.y,
            self.length,
        ] {
            feed(number.to_bits());
        }
    }
}
