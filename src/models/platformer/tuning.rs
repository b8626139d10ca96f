//! What is tuned about the platformer.

use crate::models::{FootingTuning, JumpTuning, ModelTuning};
use crate::tuning::{ACCEL, SPEED, tunables};

tunables! {
    /// The table `[platformer]`.
    pub struct PlatformerTuning {
        include jump: JumpTuning;
        include footing: FootingTuning;
        /// Speed at which a run starts, at once. 0 makes starting feel heavy.
        run_speed_min: f64 = 360.0, "px/s", SPEED;
        /// Speed up to which a run gains. What is faster by other means is kept.
        run_speed_max: f64 = 650.0, "px/s", SPEED;
        /// Gain of a run. Small values make the top speed a matter of long straights.
        run_accel: f64 = 650.0, "px/s²", ACCEL;
        /// Speed of walking: moving against the side one faces, while aiming.
        walk_speed_min: f64 = 180.0, "px/s", SPEED;
        /// Loss of speed when slowing, when turning round and when walking too fast. Low values
        /// feel like ice.
        ground_decel: f64 = 4000.0, "px/s²", ACCEL;
        /// Gain in the air while a key is held.
        air_accel: f64 = 2000.0, "px/s²", ACCEL;
        /// Speed beyond which a key adds nothing in the air. What is faster is never cut.
        air_speed_soft: f64 = 360.0, "px/s", SPEED;
        /// Loss of horizontal speed in the air with no key held. 0 keeps momentum.
        air_brake: f64 = 0.0, "px/s²", ACCEL;
    }
}

impl ModelTuning for PlatformerTuning {
    fn footing(&self) -> &FootingTuning {
        &self.footing
    }
    fn jump(&self) -> &JumpTuning {
        &self.jump
    }
}
