//! Tuning of the vessel.

use super::*;
use crate::tuning::words;

tunables! {
    /// The table `[vessel]`.
    pub struct VesselTuning {
        /// Multiplier for gravity in this model. At 0 the body floats; above 1 it falls faster; below 0
        /// it falls up.
        gravity_scale: f64 = 1.0, "", range(-100.0, 100.0);
        /// Mass divided by moment of inertia: how easily an off-center hit makes it spin. 0 computes it
        /// from the pieces (a box w by h has 12/(w² + h²)). If it is too high, every contact causes spin.
        inertia_ratio: f64 = 0.0, "/px²", range(0.0, 1000.0);
        /// Bounciness, times the surface's: 1 stops on impact, 2 loses no speed. Below 1 it sinks in and
        /// is pushed out again.
        rebound: f64 = 1.2, "", range(0.0, 2.0);
        /// Share of the speed along a surface that a hard contact removes, times the surface's friction. 0
        /// lets it glide forever, even on slopes.
        friction: f64 = 0.1, "", SHARE;
        /// Steepest slope it rests on, as the tangent of the angle, times the surface's friction (0.8
        /// holds up to 38°). At 0 it slides on every slope.
        friction_cap: f64 = 0.8, "", range(0.0, 100.0);
        /// Contacts slower than this when they touch do not bounce, so that the vessel comes to rest. At 0
        /// it jitters.
        rest_rebound_speed: f64 = 20.0, "px/s", SPEED;
        /// Spring stiffness of a foot. Soft feet stay pressed in.
        foot_stiffness: f64 = 16.0, "/s²", RATE;
        /// Damping of a foot's spring. At 0 it oscillates forever.
        foot_damping: f64 = 3.1, "/s", RATE;
        /// How far a foot can be pressed in or extend. At 0 feet bear like the hull.
        foot_travel: f64 = 6.0, "px", LENGTH;
        /// Acceleration along the vessel's own up while `up` is held. Below gravity it cannot take off.
        thrust_accel: f64 = 6000.0, "px/s²", ACCEL;
        /// Angular acceleration while `left` or `right` is held.
        turn_accel: f64 = 20.0, "rad/s²", range(0.0, 1e4);
        /// How impulses are found: `"sequential"` lets contacts take each other into account;
        /// `"simultaneous"` is the published method, in which two contacts at once overreact.
        solver: Solver = Solver::Sequential, "", ANY;
        /// Maximum number of solver passes over all contacts. With few passes, bodies jitter in corners.
        solver_sweeps: u32 = 16, "", range(1.0, 1000.0);
        /// Maximum number of times a step is split at an impact: 0, 1 or 2. More splits are more
        /// accurate for fast impacts, and cost time.
        impact_steps: u32 = 0, "", range(0.0, 2.0);
    }
}

impl ModelTuning for VesselTuning {
    type Derived = Hull;
    fn footing(&self) -> FootingTuning {
        FootingTuning { gravity_scale: self.gravity_scale, ..FootingTuning::default() }
    }
    fn derived(&self, shape: &BodyShape) -> Hull {
        Hull::new(shape, self.inertia_ratio)
    }
}

named! {
    /// How the impulses of several contacts are found.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Solver, as_str {
        /// One after the other, repeatedly, until they agree.
        Sequential = "sequential",
        /// All at once, from the velocity before any impulse.
        Simultaneous = "simultaneous",
    }
}

words!(Solver);
