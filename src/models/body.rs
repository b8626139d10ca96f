//! What every entity has, whatever moves it.

use super::{Jump, Windows};
use crate::level::{Contact, SurfaceId};
use glam::DVec2;
use serde::{Deserialize, Serialize};

/// The part of an entity's state that goes along when its model changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Body {
    /// Centre, px.
    pub pos: DVec2,
    /// The model's own velocity, px/s, without external velocity.
    pub vel: DVec2,
    /// Velocity from outside (pushes, wind), px/s; decays by `external_damping`.
    pub external: DVec2,
    /// 1 towards +x, −1 towards −x.
    pub facing: f64,
    /// What it stands on; none in the air.
    pub ground: Option<Contact>,
    /// Whether `ground` is right for `pos` and the terrain. Placing a body or changing the level
    /// clears it, and the next sense phase looks again.
    pub sensed: bool,
    /// The surface last stood on.
    pub surface: Option<SurfaceId>,
    /// Where it is in its jump.
    pub jump: Jump,
    /// What a script's rule says about jump times.
    pub windows: Windows,
}

impl Body {
    /// A body at rest, facing +x, not yet sensed.
    #[must_use]
    pub fn at(pos: DVec2) -> Self {
        Self {
            pos,
            vel: DVec2::ZERO,
            external: DVec2::ZERO,
            facing: 1.0,
            ground: None,
            sensed: false,
            surface: None,
            jump: Jump::default(),
            windows: Windows::default(),
        }
    }

    /// Takes the ground away if velocity or external velocity lead off it: what is thrown upwards
    /// does not stick.
    pub fn lift_off(&mut self, now: u64) {
        let Some(contact) = self.ground else { return };
        let away = |v: DVec2| v.dot(contact.normal) > 1e-6;
        if away(self.vel) || away(self.external) {
            self.ground = None;
            self.jump.leave_ground(now);
        }
    }
}

/// What a model wants to happen in a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motion {
    /// Displacement by the model's own velocity, px.
    pub displacement: DVec2,
    /// Velocity at the end of the tick if nothing stands in the way, px/s.
    pub velocity: DVec2,
}

/// What happened to a body in a tick; written by models, told as events by the simulation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Report {
    /// It stood when the tick began.
    pub stood: bool,
    /// A jump started.
    pub jumped: bool,
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
        self.jumped || self.left_ground || self.landed.is_some() || self.new_surface.is_some()
    }
}

/// How a body came to stand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Landing {
    /// What it stands on.
    pub contact: Contact,
    /// Speed into the ground, px/s.
    pub speed: f64,
}
