//! What is tuned about flights.

use crate::models::{BodyShape, FootingTuning, ModelTuning};
use crate::tuning::{ANY, LENGTH, SPEED, range, tunables};

tunables! {
    /// The table `[ballistic]`.
    pub struct BallisticTuning {
        /// Factor on gravity for this model. 0 flies straight on, and no jump to a destination can
        /// be planned.
        gravity_scale: f64 = 1.0, "", range(0.0, 100.0);
        /// Fastest launch of a jump to a destination; what would need more is refused. 0 sets no
        /// limit.
        max_launch_speed: f64 = 0.0, "px/s", SPEED;
        /// By how much a jump to a destination is made higher where something is in its way, until
        /// nothing is. 0 tries only the clearance that is asked for.
        clearance_step: f64 = 8.0, "px", LENGTH;
        /// Largest clearance that is tried so.
        clearance_max: f64 = 200.0, "px", LENGTH;
        /// Whether a landing keeps the velocity along the ground; without it the body stands still.
        keep_landing_velocity: bool = false, "", ANY;
    }
}

impl ModelTuning for BallisticTuning {
    type Kit = ();
    fn footing(&self) -> FootingTuning {
        FootingTuning {
            gravity_scale: self.gravity_scale,
            // Nothing but the ground ends a fall.
            max_fall_speed: f64::INFINITY,
            ..FootingTuning::default()
        }
    }
    fn kit(&self, _figure: &BodyShape) {}
}
