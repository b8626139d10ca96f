//! Tuning of flights.

use super::*;

tunables! {
    /// The table `[ballistic]`.
    pub struct BallisticTuning {
        /// Multiplier for gravity in this model. At 0 the body flies in a straight line; below 0 it
        /// falls up and lands on ceilings. No jump to a destination can be planned in either case.
        gravity_scale: f64 = 1.0, "", range(-100.0, 100.0);
        /// Highest launch speed of a jump to a destination; jumps that need more are refused. 0 sets no
        /// limit.
        max_launch_speed: f64 = 0.0, "px/s", SPEED;
        /// If a jump to a destination is blocked, it is tried again with this much more clearance.
        /// 0 tries only the requested clearance.
        clearance_step: f64 = 8.0, "px", LENGTH;
        /// Largest clearance to try for a blocked jump.
        clearance_max: f64 = 200.0, "px", LENGTH;
        /// Whether the body keeps its velocity along the ground when it lands; otherwise it stops.
        keep_landing_velocity: bool = false, "", ANY;
    }
}

impl ModelTuning for BallisticTuning {
    type Derived = ();
    fn footing(&self) -> FootingTuning {
        FootingTuning {
            gravity_scale: self.gravity_scale,
            // Flights have no fall speed limit.
            max_fall_speed: f64::INFINITY,
            ..FootingTuning::default()
        }
    }
    fn derived(&self, _shape: &BodyShape) {}
}
