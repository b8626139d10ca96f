//! Linear and angular velocity of a vessel.

use glam::DVec2;

/// Linear and angular velocity of a rigid body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidVelocity {
    /// Velocity of the center of mass, px/s.
    pub vel: DVec2,
    /// Angular velocity, rad/s.
    pub spin: f64,
}

impl RigidVelocity {
    /// Velocity of the point at `r` from the center, px/s.
    #[inline]
    pub fn at(&self, r: DVec2) -> DVec2 {
        self.vel + r.perp() * self.spin
    }

    /// Applies an impulse along `direction` with a lever `arm`. `ratio` is mass divided by moment
    /// of inertia.
    #[inline]
    pub(super) fn push(&mut self, impulse: f64, direction: DVec2, arm: f64, ratio: f64) {
        self.vel += direction * impulse;
        self.spin += ratio * arm * impulse;
    }
}
