//! What is tuned about the platformer.

use crate::models::{BodyShape, FootingTuning, JumpTuning, ModelTuning};
use crate::tuning::{ACCEL, ANY, LENGTH, SPEED, range, tunables};

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
        /// The same while the hook is attached, so that one can swing.
        air_speed_soft_hooked: f64 = 720.0, "px/s", SPEED;
        /// Loss of horizontal speed in the air with no key held. 0 keeps momentum.
        air_brake: f64 = 0.0, "px/s²", ACCEL;
        /// Slowest motion along the ground that counts as standing still.
        rest_speed: f64 = 0.5, "px/s", SPEED;
        /// Distance between rest positions: who stands still or holds on moves to the nearest one,
        /// by at most half of this. 0 lets bodies rest anywhere; large values show.
        rest_spacing: f64 = 4.0, "px", LENGTH;
        /// How far from vertical a wall may be that can be grabbed. 0 leaves exact ones only; large
        /// values make bodies stick to slopes.
        wall_tolerance_deg: f64 = 5.73, "°", range(0.0, 45.0);
        /// Speed of the hook's tip, out and back.
        hook_speed: f64 = 3000.0, "px/s", SPEED;
        /// How far the hook reaches. 0 leaves no hook.
        hook_length: f64 = 500.0, "px", LENGTH;
        /// Least speed at which an attached hook pulls in. Below what gravity adds in a tick it
        /// does not lift.
        hook_pull_speed: f64 = 600.0, "px/s", SPEED;
        /// How near the tip a body that is pulled in grabs what it touches.
        hook_grab_distance: f64 = 20.0, "px", LENGTH;
        /// How fast a body has to pull away from the hook's pull for the rope to snap: its speed
        /// away, and `hook_pull_speed`. Low values lose swings.
        hook_snap_speed: f64 = 1000.0, "px/s", SPEED;
        /// Whether the rope snaps only while the key away from the hook is held.
        hook_snap_needs_key: bool = true, "", ANY;
    }
}

impl ModelTuning for PlatformerTuning {
    type Kit = ();
    fn footing(&self) -> FootingTuning {
        self.footing.clone()
    }
    fn kit(&self, _figure: &BodyShape) {}
}
