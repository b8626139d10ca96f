//! What every entity has, whatever moves it.

use super::{Jump, Windows};
use crate::level::{Contact, Feature, Floor, SurfaceId};
use glam::DVec2;
use serde::{Deserialize, Serialize};

/// The part of an entity's state that goes along when its model changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Body {
    /// Center, px.
    pub pos: DVec2,
    /// The model's own velocity, px/s, without external velocity.
    pub vel: DVec2,
    /// Velocity from outside (pushes, wind), px/s; decays by `external_damping`.
    pub external: DVec2,
    /// Height of its feet above the ground plane of a top view, px; 0 in a side view.
    pub z: f64,
    /// How fast they rise, px/s.
    pub vel_z: f64,
    /// How far it is turned, radians counter-clockwise. Only rigid bodies turn.
    pub angle: f64,
    /// How fast it turns, rad/s.
    pub spin: f64,
    /// 1 towards +x, −1 towards −x.
    pub facing: f64,
    /// What it stands on in a side view; none in the air.
    pub ground: Option<Contact>,
    /// What it stands on in a top view; none in the air.
    pub floor: Option<Floor>,
    /// What it clings to instead of standing: a wall or a roof.
    pub cling: Option<Cling>,
    /// Whether `ground` and `hold` are right for `pos` and the terrain. Placing a body or changing the level
    /// clears it, and the next sense phase looks again.
    pub sensed: bool,
    /// The surface last stood on.
    pub surface: Option<SurfaceId>,
    /// Where it is in its jump.
    pub jump: Jump,
    /// What a script's rule says about jump times.
    pub windows: Windows,
    /// Whether platforms leave it no room.
    pub crushed: bool,
}

impl Body {
    /// A body at rest, facing +x, not yet sensed.
    #[must_use]
    pub fn at(pos: DVec2) -> Self {
        Self {
            pos,
            vel: DVec2::ZERO,
            external: DVec2::ZERO,
            z: 0.0,
            vel_z: 0.0,
            angle: 0.0,
            spin: 0.0,
            facing: 1.0,
            ground: None,
            floor: None,
            cling: None,
            sensed: false,
            surface: None,
            jump: Jump::default(),
            windows: Windows::default(),
            crushed: false,
        }
    }

    /// Whether it stands.
    #[must_use]
    pub fn stands(&self) -> bool {
        self.ground.is_some() || self.floor.is_some()
    }

    /// Takes the ground away if velocity or external velocity throw the body up from it with more
    /// than `least` px/s. What leads off it otherwise is held by the ground: a little upward push
    /// is swallowed, and one that leads out over falling ground is followed down.
    pub fn lift_off(&mut self, least: f64, now: u64) {
        let Some(contact) = self.ground else { return };
        let off = |v: DVec2| v.dot(contact.normal);
        let thrown = |v: DVec2| v.y > 0.0 && off(v) > least.max(1e-6);
        if thrown(self.vel) || thrown(self.external) {
            self.ground = None;
            self.jump.leave_ground(now);
            return;
        }
        if off(self.vel) > 0.0 {
            self.vel -= contact.normal * off(self.vel);
        }
        if self.external.y > 0.0 && off(self.external) > 0.0 {
            self.external -= contact.normal * off(self.external);
        }
    }
}

/// What a model wants to happen in a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motion {
    /// Velocity at the start of the tick, px/s: a jump's is set there.
    pub start: DVec2,
    /// Displacement by the model's own velocity, px.
    pub displacement: DVec2,
    /// Velocity at the end of the tick if nothing stands in the way, px/s.
    pub velocity: DVec2,
    /// What pulls it down until it falls as fast as at the end of the tick, px/s².
    pub pull: f64,
    /// Displacement in height in a top view, px.
    pub rise: f64,
    /// Speed in height at the end of the tick, px/s.
    pub vel_z: f64,
}

impl Motion {
    /// When this share of the displacement is done: the seconds that have gone, of the `dt` of the
    /// tick, and the velocity then. Exact for a fall, with its limit: `v² = v₀² + 2·pull·drop`.
    #[must_use]
    pub fn at_share(&self, share: f64, dt: f64) -> (f64, DVec2) {
        let (from, to) = (self.start, self.velocity);
        let drop = -share * self.displacement.y;
        let squared = from.y * from.y + 2.0 * self.pull * drop;
        let (y, seconds) = if self.pull == 0.0 {
            (to.y, share * dt)
        } else if self.pull < 0.0 {
            let y = squared.max(0.0).sqrt().copysign(from.y);
            (y, (from.y - y) / self.pull)
        } else if to.y < 0.0 && squared > to.y * to.y {
            let before = (from.y - to.y) / self.pull;
            let fallen = (to.y * to.y - from.y * from.y) / (2.0 * self.pull);
            (to.y, before + (drop - fallen) / -to.y)
        } else {
            let y = to.y.signum() * squared.max(0.0).sqrt();
            (y, (from.y - y) / self.pull)
        };
        let seconds = seconds.clamp(0.0, dt);
        let x = from.x + (to.x - from.x) * (seconds / dt);
        (seconds, DVec2::new(x, y))
    }
}

/// What happened to a body in a tick; written by models, told as events by the simulation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Report {
    /// It stood when the tick began.
    pub stood: bool,
    /// A jump started.
    pub jumped: bool,
    /// The velocity of the platform that carried it, px/s.
    pub carried: DVec2,
    /// Platforms have left it no room since this tick.
    pub crushed: bool,
    /// A sweep has ended on something to grab; it is to be said whether it is.
    pub grasp: Option<Grasp>,
    /// It clings to something since this tick.
    pub grabbed: bool,
    /// It let go of what it clung to.
    pub dropped: bool,
    /// What became of its hook.
    pub hook: HookNews,
    /// It has run into something.
    pub hit: Option<Impact>,
    /// The solid that it has run into. In a top view parts of the terrain are numbered for each
    /// height, so that the part alone does not tell.
    pub struck: Option<u32>,
    /// Its flight to a destination is over; whether it has arrived there.
    pub flight_over: Option<bool>,
    /// It came to stand.
    pub landed: Option<Landing>,
    /// It stood when the tick began and does not any more.
    pub left_ground: bool,
    /// It stands on another surface than this, which it stood on last.
    pub new_surface: Option<Option<SurfaceId>>,
}

impl Report {
    /// Whether anything happened that is worth telling.
    #[must_use]
    pub const fn is_eventful(&self) -> bool {
        self.grabbed
            || self.dropped
            || self.hook.attached.is_some()
            || self.hook.lost.is_some()
            || self.crushed
            || self.hit.is_some()
            || self.flight_over.is_some()
            || self.jumped
            || self.left_ground
            || self.landed.is_some()
            || self.new_surface.is_some()
    }
}

/// What a body clings to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cling {
    /// The face or corner that it holds.
    pub feature: Feature,
    /// Unit normal there.
    pub normal: DVec2,
}

/// A surface whose normal points down by more than this is a roof, which ends a jump's hold; up to
/// it, it is a wall (5.73° from vertical).
pub const ROOF: f64 = 0.1;

impl Cling {
    /// Whether it hangs from a roof; else it clings to a wall.
    #[must_use]
    pub fn is_roof(&self) -> bool {
        self.normal.y < -ROOF
    }

    /// The side away from a wall, 1 or −1.
    #[must_use]
    pub fn away(&self) -> f64 {
        self.normal.x.signum()
    }
}

/// A sweep that has ended on something to grab, and what is left of it otherwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grasp {
    /// What was hit.
    pub feature: Feature,
    /// Unit normal there.
    pub normal: DVec2,
    /// What is left of the tick's displacement, px.
    pub rest: DVec2,
    /// What is left of the tick, as a share.
    pub left: f64,
}

/// What became of a hook in a tick: it may attach and be lost in the same one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HookNews {
    /// It has attached to this.
    pub attached: Option<Feature>,
    /// It holds on no more; whether its rope has snapped.
    pub lost: Option<bool>,
    /// It was fired and turns back without having attached.
    pub missed: Option<Miss>,
}

/// Why a hook that was fired has not attached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Miss {
    /// There was nothing on its way, as far as it reaches.
    Nothing,
    /// Its owner has flown so far away from what it hit that the rope is too short.
    TooFar,
}

/// Why something that could have been is not, for those who ask.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// In words.
    pub text: String,
    /// The tunables that have decided, by their names.
    pub keys: &'static [&'static str],
}

/// What holds a body up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Support {
    /// A part of the terrain, in a side view.
    Feature(Feature),
    /// A floor, in a top view.
    Floor(Floor),
}

/// A contact that is no landing, told because it was hard.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// What was hit.
    pub feature: Feature,
    /// Unit normal there.
    pub normal: DVec2,
    /// Speed into it, px/s.
    pub speed: f64,
    /// Whether a foot took it.
    pub foot: bool,
}

/// How a body came to stand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Landing {
    /// What it came to stand on.
    pub on: Support,
    /// Unit normal there, as a walker feels it; 0 on a floor of a top view, whose normal points out
    /// of the plane.
    pub normal: DVec2,
    /// Speed into the ground, px/s.
    pub speed: f64,
}
