//! Tuning of the platformer.

use super::*;
use crate::tuning::words;

tunables! {
    /// The table `[platformer]`.
    pub struct PlatformerTuning {
        include jump: JumpTuning;
        include footing: FootingTuning;
        /// Speed at which a run starts immediately. 0 makes starting feel heavy.
        run_speed_min: f64 = 360.0, "px/s", SPEED;
        /// Top running speed. Higher speeds from other sources are kept.
        run_speed_max: f64 = 650.0, "px/s", SPEED;
        /// Acceleration while running. With small values, it takes a long run to reach top speed.
        run_accel: f64 = 650.0, "px/s²", ACCEL;
        /// Walking speed, used when moving backward while aiming forward.
        walk_speed_min: f64 = 180.0, "px/s", SPEED;
        /// Deceleration when slowing down, turning around or walking too fast. Low values feel like ice.
        ground_decel: f64 = 4000.0, "px/s²", ACCEL;
        /// The least grip that the body has on any ground. At 1 it runs on ice as on stone, as with spikes.
        least_grip: f64 = 0.0, "", SHARE;
        /// Acceleration in the air while a direction key is held.
        air_accel: f64 = 2000.0, "px/s²", ACCEL;
        /// Speed above which a direction key has no effect in the air. Higher speeds are never cut.
        air_speed_soft: f64 = 360.0, "px/s", SPEED;
        /// The same while the hook is attached, to allow swinging.
        air_speed_soft_hooked: f64 = 720.0, "px/s", SPEED;
        /// Horizontal deceleration in the air while no direction key is held. 0 keeps momentum.
        air_brake: f64 = 0.0, "px/s²", ACCEL;
        /// A body slower than this along the ground counts as standing still.
        rest_speed: f64 = 0.5, "px/s", SPEED;
        /// Distance between rest positions along a floor, wall or roof. A body that stands still or clings
        /// moves to the nearest one. 0 lets bodies rest anywhere; large values are visible.
        rest_spacing: f64 = 4.0, "px", LENGTH;
        /// Largest angle from vertical at which a wall can be grabbed. What overhangs more is a roof. 0
        /// allows only vertical walls; large values make bodies stick to slopes.
        wall_tolerance_deg: f64 = 5.73, "°", range(0.0, 45.0);
        /// Speed of the hook's tip, out and back.
        hook_speed: f64 = 3000.0, "px/s", SPEED;
        /// Reach of the hook. 0 disables it.
        hook_length: f64 = 500.0, "px", LENGTH;
        /// What the hook attaches to: `solids`, or `entities` as well. A hook on an entity follows it and pulls both bodies, the
        /// lighter one more, by the `mass` of their kinds.
        hook_holds: HookHolds = HookHolds::Solids, "", ANY;
        /// Lowest speed at which an attached hook pulls the body in. At 0 the rope only holds, and the
        /// body swings freely.
        hook_pull_speed: f64 = 600.0, "px/s", SPEED;
        /// A hooked body grabs any surface that it touches within this distance of the tip.
        hook_grab_distance: f64 = 20.0, "px", LENGTH;
        /// The rope snaps when the body's speed away from the tip plus `hook_pull_speed` is above this.
        /// With low values the rope snaps during swings.
        hook_snap_speed: f64 = 1000.0, "px/s", SPEED;
        /// Whether the rope snaps only while the direction key away from the hook is held.
        hook_snap_needs_key: bool = true, "", ANY;
    }
}

named! {
    /// What a hook attaches to.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum HookHolds, as_str {
        /// Terrain.
        Solids = "solids",
        /// Terrain and the bodies of entities.
        Entities = "entities",
    }
}

words!(HookHolds);

impl ModelTuning for PlatformerTuning {
    type Derived = ();
    fn footing(&self) -> FootingTuning {
        self.footing.clone()
    }
    fn derived(&self, _shape: &BodyShape) {}
}
