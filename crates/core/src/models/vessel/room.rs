//! Vessels that moving platforms leave no room.

use super::query::ContactQuery;
use super::state::VesselState;
use super::step::{MotionState, VesselStep};
use crate::models::{Body, Report};
use glam::DVec2;

/// A vessel that lacks more room than this is crushed, px. Less is rounding: contacts keep gaps, and
/// the solver rocks a vessel before it lies flat.
const LACKING: f64 = 1.0;

/// A crushed vessel moves to a free place up to this far away, px, plus the step of the fastest
/// platform. A longer way may lead out on the other side.
const WAY_OUT: f64 = 20.0;

/// Attempts to find room by moving out of one surface after another.
const TRIES: u32 = 8;

/// How far away a crushed vessel may find a free place, px.
pub(super) fn longest_way(steps: &[DVec2]) -> f64 {
    WAY_OUT + fastest(steps)
}

/// The longest step of any platform in this tick, px.
fn fastest(steps: &[DVec2]) -> f64 {
    steps.iter().map(|step| step.length()).fold(0.0, f64::max)
}

impl VesselStep<'_> {
    /// Crushes a vessel that was squeezed in this part of the tick if it has no room any more. It
    /// stays at the place where it began, since impulses from two sides would throw it anywhere.
    #[cold]
    pub(super) fn check_room(
        &self,
        began: &MotionState,
        body: &mut Body,
        state: &mut VesselState,
        report: &mut Report,
    ) {
        if !self.is_squeezed(&MotionState::of(body), state) {
            return;
        }
        began.write(body);
        report.crushed |= !body.crushed;
        body.crushed = true;
        hold(body, state);
    }

    /// Keeps a crushed vessel in place while it has no room. Returns whether it does.
    #[cold]
    pub(super) fn stays_crushed(&self, body: &mut Body, state: &mut VesselState) -> bool {
        let squeezed = self.is_squeezed(&MotionState::of(body), state);
        if squeezed {
            hold(body, state);
        }
        squeezed
    }

    /// Whether there is no room for the vessel near this place.
    fn is_squeezed(&self, now: &MotionState, state: &VesselState) -> bool {
        let steps = &self.context.around.transit.steps;
        let query = ContactQuery {
            scenery: self.context.scenery(),
            ahead: (1.0 - self.span[1], steps),
            hull: self.hull,
            foot_travel: self.tuning.foot_travel,
            before: now.pose,
        };
        let most = fastest(steps) + LACKING;
        let mut near = *now;
        for _ in 0..TRIES {
            let contacts = query.contacts_inside(&near.pose, &state.feet);
            let out = self.way_out(&near, state, &contacts);
            if out.length_squared() < LACKING * LACKING {
                return false;
            }
            near.pose.pos += out;
            if near.pose.pos.distance_squared(now.pose.pos) > most * most {
                return true;
            }
        }
        true
    }
}

/// Stops a crushed vessel.
fn hold(body: &mut Body, state: &mut VesselState) {
    (body.vel, body.spin, body.external) = (DVec2::ZERO, 0.0, DVec2::ZERO);
    state.stood_under = None;
}
