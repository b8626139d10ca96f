//! How bodies stand and fall, for all models that walk.

use crate::level::GroundRule;
use crate::tuning::{LENGTH, SPEED, range, tunables};

tunables! {
    /// Ground parameters of every model that walks.
    pub struct FootingTuning {
        /// Multiplier for gravity in this model. At 0 the body floats; above 1 it falls faster; below 0
        /// it falls up, and stands, walks and jumps on ceilings.
        gravity_scale: f64 = 1.0, "", range(-100.0, 100.0);
        /// Highest fall speed that gravity alone reaches. Rising is never limited.
        max_fall_speed: f64 = 700.0, "px/s", SPEED;
        /// Distance below the body at which it finds ground. With much larger values bodies land in
        /// mid-air; at 0 they stand only where they touch.
        ground_probe: f64 = 0.5, "px", LENGTH;
        /// How far down a walking body follows ground that falls away. At 0 it flies off every bump
        /// and cannot jump there.
        ground_adherence: f64 = 20.0, "px", LENGTH;
        /// Highest step that a body walks up. At 0 it stops at every step; more than a few px looks
        /// like climbing.
        step_height: f64 = 0.0, "px", LENGTH;
        /// How far a rising body is moved sideways when its head would clip the end of a ceiling.
        /// At 0, every bump against a corner ends a jump; more than a few px is visible.
        corner_correction: f64 = 0.0, "px", LENGTH;
        /// Steepest slope that a body can stand and walk on.
        max_slope_deg: f64 = 45.0, "°", range(0.0, 89.0);
    }
}

/// How a body stands and falls; computed once from [`FootingTuning`].
#[derive(Clone, Debug, PartialEq)]
pub struct Footing {
    /// Which contacts count as ground.
    pub rule: GroundRule,
    /// The same under inverted gravity.
    pub inverted_rule: GroundRule,
    /// Multiplier for gravity.
    pub gravity_scale: f64,
    /// Fastest fall, px/s.
    pub max_fall_speed: f64,
    /// Sine of the steepest walkable slope.
    pub steepest_climb: f64,
    /// How far a rising body may be moved aside to pass a corner, px.
    pub corner_correction: f64,
}

impl Footing {
    /// Computes the footing.
    pub fn new(tuning: &FootingTuning) -> Self {
        let steepest = tuning.max_slope_deg * std::f64::consts::PI / 180.0;
        let rule = GroundRule {
            up: 1.0,
            least_up: libm::cos(steepest),
            probe: tuning.ground_probe,
            adherence: tuning.ground_adherence,
            step: tuning.step_height,
        };
        Self {
            rule,
            inverted_rule: GroundRule { up: -1.0, ..rule },
            gravity_scale: tuning.gravity_scale,
            max_fall_speed: tuning.max_fall_speed,
            steepest_climb: libm::sin(steepest),
            corner_correction: tuning.corner_correction,
        }
    }

    /// The direction against gravity along y, where this (px/s², positive toward −y) is the gravity
    /// of the place: 1, or −1 if gravity is inverted. Without gravity, down is toward −y.
    #[inline(always)]
    pub fn up(&self, gravity: f64) -> f64 {
        if gravity * self.gravity_scale < 0.0 { -1.0 } else { 1.0 }
    }

    /// Which contacts count as ground if `up` (1 or −1) is the direction against gravity.
    #[inline(always)]
    pub(super) fn rule_for(&self, up: f64) -> &GroundRule {
        if up < 0.0 { &self.inverted_rule } else { &self.rule }
    }

    /// The lowest upward speed (px/s) that throws a standing body off its ground. At this speed it
    /// just leaves the reach of the probe: `√(2·gravity·ground_probe)`.
    pub fn least_throw(&self, gravity: f64) -> f64 {
        (2.0 * gravity * self.gravity_scale * self.rule.probe).abs().sqrt()
    }
}
