//! Tuning of the top-down character.

use super::*;

tunables! {
    /// The table `[topdown]`.
    pub struct TopdownTuning {
        include jump: JumpTuning;
        /// Multiplier for gravity in a top view. At 0 the body floats; above 1 it falls faster; below 0
        /// it rises from its floor.
        gravity_scale: f64 = 1.0, "", range(-100.0, 100.0);
        /// Highest fall speed that gravity alone reaches.
        max_fall_speed: f64 = 700.0, "px/s", SPEED;
        /// Top walking speed. Friction slowly reduces higher speeds from other sources.
        max_speed: f64 = 300.0, "px/s", SPEED;
        /// Multiplier for the acceleration. Far below 1 the body hardly gets going against
        /// friction; above 6 it reaches full speed within a tick.
        accel_speed: f64 = 1.0, "", range(0.0, 1000.0);
        /// Multiplier for acceleration and friction on the ground, times the surface's friction. At
        /// 0 the body glides forever and cannot steer.
        friction: f64 = 1.0, "", range(0.0, 100.0);
        /// The same in the air. Near 1 the body steers in the air as on the ground.
        air_friction: f64 = 0.2, "", range(0.0, 100.0);
        /// Acceleration, in multiples of `max_speed` per second: 10 reaches it in a tenth of a second.
        accel_gain: f64 = 10.0, "/s", RATE;
        /// Strength of friction. At 60 ticks per second and where friction is 1, each tick removes
        /// this number divided by 60 of the speed: 12 removes a fifth. 60 stops the body at once.
        friction_gain: f64 = 12.0, "/s", RATE;
        /// A body without input stops below this speed. 0 lets it creep forever.
        stop_speed: f64 = 0.5, "px/s", SPEED;
        /// Whether the body jumps automatically when it runs off an edge, in a top view.
        auto_jump: bool = false, "", ANY;
    }
}

impl ModelTuning for TopdownTuning {
    type Derived = ();
    fn footing(&self) -> FootingTuning {
        FootingTuning {
            gravity_scale: self.gravity_scale,
            max_fall_speed: self.max_fall_speed,
            ..FootingTuning::default()
        }
    }
    fn derived(&self, _shape: &BodyShape) {}
}
