//! What is tuned about the vessel.

use super::hull::Hull;
use crate::models::{BodyShape, FootingTuning, ModelTuning};
use crate::tuning::{
    ACCEL, ANY, LENGTH, RATE, SHARE, SPEED, SetError, Setting, TunableValue, range, tunables,
};

tunables! {
    /// The table `[vessel]`.
    pub struct VesselTuning {
        /// Factor on gravity for this model. 0 floats, above 1 falls harder.
        gravity_scale: f64 = 1.0, "", range(0.0, 100.0);
        /// Mass by moment of inertia: how readily it turns when it is hit off its center. 0 takes it
        /// from the pieces (a box w by h has 12/(w² + h²)); too high and every touch makes it spin.
        inertia_ratio: f64 = 0.0, "/px²", range(0.0, 1000.0);
        /// How it bounces, times the surface's: 1 stops at what it hits, 2 loses nothing. Below 1 it
        /// sinks in and is pushed out again.
        rebound: f64 = 1.2, "", range(0.0, 2.0);
        /// Share of the speed along a surface that a hard touch takes each tick, times the surface's,
        /// counted at 60 ticks a second. 0 lets it glide for ever, on slopes too.
        friction: f64 = 0.1, "", SHARE;
        /// How steep a slope it rests on, times the surface's friction: the tangent of the angle
        /// (0.8 holds up to 38°). 0 holds nowhere.
        friction_cap: f64 = 0.8, "", range(0.0, 100.0);
        /// Touches slower than this do not bounce, so that it comes to rest. 0 lets it tremble.
        rest_rebound_speed: f64 = 20.0, "px/s", SPEED;
        /// How hard a foot pushes back. Soft feet stay pressed in.
        foot_stiffness: f64 = 16.0, "/s²", RATE;
        /// How fast the swinging of a foot dies away. 0 swings for ever.
        foot_damping: f64 = 3.1, "/s", RATE;
        /// How far a foot can be pressed in, and out. 0 makes feet stiff.
        foot_travel: f64 = 6.0, "px", LENGTH;
        /// Acceleration along its own up while `up` is held. Below gravity it cannot take off.
        thrust_accel: f64 = 6000.0, "px/s²", ACCEL;
        /// How fast it starts to turn while `left` or `right` is held.
        turn_accel: f64 = 20.0, "rad/s²", range(0.0, 1e4);
        /// `"sequential"` lets touches know of each other; `"simultaneous"` is the published way, in
        /// which two at once overreact.
        solver: Solver = Solver::Sequential, "", ANY;
        /// How often touches are gone through until they agree. Few leave corners restless.
        solver_sweeps: u32 = 16, "", range(1.0, 1000.0);
        /// How often a tick is split at the moment of a hit: 0, 1 or 2. More is truer for fast hits,
        /// and costs time.
        impact_steps: u32 = 0, "", range(0.0, 2.0);
    }
}

impl ModelTuning for VesselTuning {
    type Kit = Hull;
    fn footing(&self) -> FootingTuning {
        FootingTuning {
            gravity_scale: self.gravity_scale,
            ..FootingTuning::default()
        }
    }
    fn kit(&self, figure: &BodyShape) -> Hull {
        Hull::new(figure, self.inertia_ratio)
    }
}

/// How impulses of several touches are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Solver {
    /// One after the other, several times, until they agree.
    Sequential,
    /// All from the velocity before any of them.
    Simultaneous,
}

impl TunableValue for Solver {
    fn from_setting(value: &Setting) -> Result<Self, SetError> {
        match value {
            Setting::Word(word) if word == "sequential" => Ok(Self::Sequential),
            Setting::Word(word) if word == "simultaneous" => Ok(Self::Simultaneous),
            _ => Err(SetError::Type("\"sequential\" or \"simultaneous\"".into())),
        }
    }
    fn setting(&self) -> Setting {
        Setting::Word(match self {
            Self::Sequential => "sequential".into(),
            Self::Simultaneous => "simultaneous".into(),
        })
    }
}
