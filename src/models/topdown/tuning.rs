//! What is tuned about the top-down character.

use crate::models::{BodyShape, FootingTuning, JumpTuning, ModelTuning};
use crate::tuning::{ANY, RATE, SPEED, range, tunables};

tunables! {
    /// The table `[topdown]`.
    pub struct TopdownTuning {
        include jump: JumpTuning;
        /// Factor on gravity in height, in a top view. 0 floats, above 1 falls harder.
        gravity_scale: f64 = 1.0, "", range(0.0, 100.0);
        /// Fastest fall that gravity alone leads to.
        max_fall_speed: f64 = 700.0, "px/s", SPEED;
        /// Speed that walking reaches. What is faster by other means loses only its friction.
        max_speed: f64 = 300.0, "px/s", SPEED;
        /// Factor on the acceleration. Far below 1 the body hardly gets going against friction; above
        /// 6 it is at full speed within a tick.
        accel_speed: f64 = 1.0, "", range(0.0, 1000.0);
        /// Factor on acceleration and friction on the ground, beside the surface's own. 0 glides for
        /// ever and cannot steer.
        friction: f64 = 1.0, "", range(0.0, 100.0);
        /// The same above the ground. Near 1 jumps steer as walking does.
        air_friction: f64 = 0.2, "", range(0.0, 100.0);
        /// Acceleration in full speeds a second: 10 reaches `max_speed` in a tenth of a second.
        accel_gain: f64 = 10.0, "/s", RATE;
        /// Share of the speed lost to friction each second, counted at 60 ticks a second. 60 stops at
        /// once.
        friction_gain: f64 = 12.0, "/s", RATE;
        /// Below this a body that wants nowhere stands still. 0 lets it creep for ever.
        stop_speed: f64 = 0.5, "px/s", SPEED;
        /// Whether it hops by itself from an edge that it runs off, in a top view.
        auto_jump: bool = false, "", ANY;
    }
}

impl ModelTuning for TopdownTuning {
    type Kit = ();
    fn footing(&self) -> FootingTuning {
        FootingTuning {
            gravity_scale: self.gravity_scale,
            max_fall_speed: self.max_fall_speed,
            ..FootingTuning::default()
        }
    }
    fn kit(&self, _figure: &BodyShape) {}
}
