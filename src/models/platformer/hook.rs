//! The grappling hook: fired, flying, attached, flying back.
//!
//! While it is attached the rope pulls the body in at a least speed, never lets it get farther
//! away, and snaps when the body pulls away too hard.

use super::PlatformerTuning;
use crate::geometry::{Ellipse, TOUCH};
use crate::level::{Feature, Platform, Scenery, Terrain};
use crate::models::{Action, Body, HookNews, Intent, Miss, Motion, Strain, Surroundings};
use glam::DVec2;
use serde::{Deserialize, Serialize};

/// How near to its tip an attached hook finds what it holds on to after a reload.
const NEAR: Ellipse = Ellipse::new(1.0, 1.0);

/// What a hook is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phase {
    /// It is with its owner.
    #[default]
    Idle,
    /// It flies out.
    Firing,
    /// It holds on to something.
    Attached,
    /// It flies back.
    Returning,
}

impl Phase {
    /// The word in traces and scripts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Firing => "firing",
            Self::Attached => "attached",
            Self::Returning => "returning",
        }
    }
}

/// A hook.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Hook {
    /// What it is doing.
    pub phase: Phase,
    /// Where its tip is, px.
    pub tip: DVec2,
    /// Unit vector in which it was fired.
    heading: DVec2,
    /// How much rope is out, px: how far the tip has flown, and once it holds on how far from it
    /// the body may be.
    pub length: f64,
    /// The platform that it holds on to.
    platform: Option<u16>,
    /// Whether a script holds it, and no key.
    free: bool,
}

impl Hook {
    /// Fires it from `from` at a point.
    pub fn fire(&mut self, from: DVec2, at: DVec2, free: bool) {
        *self = Self {
            phase: Phase::Firing,
            tip: from,
            heading: (at - from).normalize_or(DVec2::Y),
            free,
            ..Self::default()
        };
    }

    /// Lets it go; the tip flies back.
    pub fn release(&mut self, report: &mut HookNews) {
        if self.phase == Phase::Attached {
            report.lost = Some(false);
        }
        if self.phase != Phase::Idle {
            self.phase = Phase::Returning;
        }
    }

    /// Whether it holds on to something.
    #[must_use]
    pub fn is_attached(&self) -> bool {
        self.phase == Phase::Attached
    }

    /// This tick's firing, flight and release.
    pub fn act(
        &mut self,
        body: &Body,
        intent: &Intent,
        tuning: &PlatformerTuning,
        around: &Surroundings<'_>,
        news: &mut HookNews,
    ) {
        if intent.pressed.has(Action::Hook) && matches!(self.phase, Phase::Idle | Phase::Returning)
        {
            let ahead = DVec2::new(body.facing, 1.0);
            self.fire(body.pos, intent.aim.unwrap_or(body.pos + ahead), false);
        }
        if !self.free && !intent.held.has(Action::Hook) {
            self.release(news);
        }
        let step = tuning.hook_speed * around.dt;
        match self.phase {
            Phase::Idle => {}
            Phase::Firing => {
                let drops = intent.held.has(Action::Down);
                self.fly_out(body, step, drops, tuning, around, news);
            }
            Phase::Attached => {
                if let Some(platform) = self.platform {
                    self.tip += around.transit.steps[platform as usize];
                    if !around.transit.is_there(platform) {
                        self.release(news);
                        return;
                    }
                }
                let distance = self.tip.distance(body.pos);
                if body.cling.is_some() && distance > self.length + TOUCH {
                    // Something carries its owner away, who holds on to that: the rope gives.
                    self.phase = Phase::Returning;
                    news.lost = Some(true);
                }
                self.length = self.length.min(distance);
            }
            Phase::Returning => {
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
        step: f64,
        drops: bool,
        tuning: &PlatformerTuning,
        around: &Surroundings<'_>,
        news: &mut HookNews,
    ) {
        let left = tuning.hook_length - self.length;
        let motion = self.heading * step.min(left);
        let scenery = around.scenery().dropping(drops);
        if let Some(hit) = scenery.cast(self.tip, motion) {
            self.tip += motion * hit.time;
            let rope = self.tip.distance(body.pos);
            if rope > tuning.hook_length {
                // Its owner has flown away from it: the rope does not reach so far.
                self.phase = Phase::Returning;
                news.missed = Some(Miss::TooFar);
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
            self.phase = Phase::Returning;
            news.missed = Some(Miss::Nothing);
        }
    }

    fn attach(&mut self, feature: Feature, around: &Surroundings<'_>) {
        self.phase = Phase::Attached;
        self.platform = around.level.terrain.edge_of(feature).platform;
    }

    /// Goes on in another terrain: a platform is known by its name, and what is none by being where the
    /// tip is. Whether it has lost what it held on to.
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
                self.platform = new.platform_at(NEAR, self.tip);
                let above = self.tip + DVec2::Y * NEAR.half.y;
                new.overlap(NEAR, self.tip).is_some()
                    || new.probe(NEAR, above, NEAR.half.y).is_some()
            }
        };
        if !kept {
            self.phase = Phase::Returning;
        }
        !kept
    }

    /// How the rope is strained by a motion, and whether tuning lets it snap.
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

    /// Lets the rope act on a motion, or snap.
    pub fn haul(
        &mut self,
        body: &Body,
        motion: &mut Motion,
        snaps: bool,
        tuning: &PlatformerTuning,
        around: &Surroundings<'_>,
        news: &mut HookNews,
    ) {
        if !self.is_attached() {
            // A script has let it go while it was asked.
            return;
        }
        let dt = around.dt;
        if snaps {
            self.phase = Phase::Returning;
            news.lost = Some(true);
            return;
        }
        let rope = self.tip - body.pos;
        let distance = rope.length();
        let towards = rope.normalize_or_zero();
        // No faster than what arrives exactly in this tick.
        let least = tuning.hook_pull_speed.min(distance / dt);
        let missing = least - motion.velocity.dot(towards);
        motion.velocity += towards * missing.max(0.0);
        let missing = least * dt - motion.displacement.dot(towards);
        motion.displacement += towards * missing.max(0.0);
        // Who is farther away than the rope is long, behind a corner it was caught at, comes in no
        // faster than it is pulled.
        let most = self.length.max(distance - least * dt);
        let outside = body.external * around.external_seconds;
        let from_tip = motion.displacement + outside - rope;
        if from_tip.length() > most {
            motion.displacement = rope + from_tip.normalize_or_zero() * most - outside;
        }
        motion.start = motion.velocity;
        motion.pull = 0.0;
    }

    /// How far a body has to move back so that the rope is long enough; none where it is.
    #[must_use]
    pub fn excess(&self, at: DVec2) -> Option<DVec2> {
        let rope = self.tip - at;
        let over = rope.length() - self.length;
        (self.is_attached() && over > TOUCH).then(|| rope.normalize_or_zero() * over)
    }

    /// Feeds the state into a hash.
    pub fn digest(&self, feed: &mut dyn FnMut(u64)) {
        feed(self.phase as u64 + 4 * u64::from(self.free));
        // Numbers of platforms follow from their order in the file, which must not show.
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
