//! Tuning of the two-velocity character.

use super::*;

tunables! {
    /// The table `[two_velocity]`.
    pub struct TwoVelocityTuning {
        include jump: JumpTuning;
        include footing: FootingTuning;
        /// Acceleration on ground with full grip.
        accel: f64 = 1500.0, "px/s²", ACCEL;
        /// Top walking speed. Higher speeds from other sources are kept.
        max_speed: f64 = 300.0, "px/s", SPEED;
        /// Braking without input, on ground with full grip. At 60 ticks per second, each tick
        /// removes this number divided by 60 of the speed: 10 removes a sixth. 60 stops the body at
        /// once; 0 never stops it.
        brake: f64 = 10.0, "/s", RATE;
        /// A body without input stops below this speed. 0 lets it creep forever.
        stop_speed: f64 = 5.0, "px/s", SPEED;
        /// Grip in the air: at 1 the body steers as on stone, at 0 not at all.
        air_grip: f64 = 1.0, "", SHARE;
        /// How far the stick has to move before it counts. At 0, worn sticks make the body drift.
        dead_zone: f64 = 0.15, "", SHARE;
        /// Share of the speed lost on the steepest walkable slope uphill; gentler slopes cost less. At 0
        /// the body climbs as fast as it walks.
        slope_slowdown: f64 = 0.0, "", SHARE;
    }
}

impl ModelTuning for TwoVelocityTuning {
    type Derived = ();
    fn footing(&self) -> FootingTuning {
        self.footing.clone()
    }
    fn derived(&self, _shape: &BodyShape) {}
}
