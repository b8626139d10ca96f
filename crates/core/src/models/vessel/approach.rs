//! Which contacts are slow: too slow to bounce.
//!
//! A contact's approach is compared with a constant speed, so what gravity adds after the vessel has
//! touched the surface does not count. Otherwise a vessel at rest would hit its ground with the speed
//! that it gains in a tick, and would behave differently at every tick rate.

use super::contact::{ContactSet, Manifold};
use super::run::SubStep;
use super::step::{MotionState, VesselStep};

/// A vessel that rocks on its ground does not bounce up to this multiple of the speed at which others
/// do.
const ROCKING: f64 = 3.0;

impl VesselStep<'_> {
    /// Marks the slow contacts at the end of a part of a tick. `touched` tells whether the vessel
    /// touched anything at its start.
    pub(super) fn mark_slow(&self, now: &MotionState, contacts: &mut ContactSet, part: &SubStep, touched: bool) {
        let rest = self.tuning.rest_rebound_speed;
        for contact in contacts.iter_mut() {
            let approach = self.approach(&now.speed, contact);
            let turned = contact.at.perp() * self.torque;
            let pull = -(self.accel(&now.pose) + turned).dot(contact.normal);
            // What stays on its ground falls only as far as the ground lets it, and a hop ends with
            // the speed it began with.
            let began = approach - pull * part.dt;
            let rocks = pull > 0.5 * self.gravity.abs() && contact.gaps != [0.0; 2];
            let most = if rocks { ROCKING * rest } else { rest };
            contact.slow =
                (touched && began > -rest && began < most) || touch_speed(approach, began, pull, contact, part) < rest;
        }
    }
}

/// Approach speed at the moment of touching, px/s: `approach`, that at the end of a part of a tick,
/// less what the acceleration `pull` into the surface has added since then. `began` is the approach
/// at the start of the part.
fn touch_speed(approach: f64, began: f64, pull: f64, contact: &Manifold, part: &SubStep) -> f64 {
    let drifting = -part.drift.dot(contact.normal) / part.dt;
    let moving = approach + drifting;
    if moving <= 0.0 {
        return approach;
    }
    // `v² − 2·a·depth`, back to the surface, or on to it if there is still a gap.
    let squared = moving * moving - 2.0 * pull * contact.depth;
    let touching = squared.max(0.0).sqrt() - drifting;
    // The earliest it can have touched is at the start.
    if contact.depth <= 0.0 {
        touching
    } else if pull > 0.0 {
        touching.max(began)
    } else {
        touching.min(began)
    }
}
