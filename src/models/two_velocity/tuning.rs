//! What is tuned about the two-velocity character.

use crate::models::{BodyShape, FootingTuning, JumpTuning, ModelTuning};
use crate::tuning::{ACCEL, RATE, SHARE, SPEED, tunables};

tunables! {
    /// The table `[two_velocity]`.
    pub struct TwoVelocityTuning {
        include jump: JumpTuning;
        include footing: FootingTuning;
        /// Gain of the intended speed on solid ground.
        accel: f64 = 1500.0, "px/s²", ACCEL;
        /// Speed that feet alone reach. What is faster by other means is kept.
        max_speed: f64 = 300.0, "px/s", SPEED;
        /// Share of the speed lost each second without a direction, on solid ground and counted at
        /// 60 ticks a second. 60 stops at once; 0 never stops.
        brake: f64 = 10.0, "/s", RATE;
        /// Below this a braking body stands still. 0 lets it creep for ever.
        stop_speed: f64 = 5.0, "px/s", SPEED;
        /// Grip in the air: 1 steers there as on stone, 0 not at all.
        air_grip: f64 = 1.0, "", SHARE;
        /// How far a stick moves before it counts. 0 lets worn sticks walk by themselves.
        dead_zone: f64 = 0.15, "", SHARE;
        /// Share of the speed lost while climbing the steepest walkable slope; gentler slopes cost
        /// less. 0 climbs as fast as it walks.
        slope_slowdown: f64 = 0.0, "", SHARE;
    }
}

impl ModelTuning for TwoVelocityTuning {
    type Kit = ();
    fn footing(&self) -> FootingTuning {
        self.footing.clone()
    }
    fn kit(&self, _figure: &BodyShape) {}
}
