//! The end of a vessel's tick: what it stands on, and whether it has come to rest.

use super::state::{Perch, SinceTick, VesselState};
use super::step::{STILL, StepResult, VesselStep};
use crate::level::Contact;
use crate::models::{Body, Report};
use glam::DVec2;

impl VesselStep<'_> {
    /// A vessel that is calm for this long comes to rest, s.
    const CALM: f64 = 0.25;

    /// A vessel that moves slower than this is calm, px/s.
    const CALM_SPEED: f64 = 3.0;

    /// A vessel that spins slower than this is calm, rad/s.
    const CALM_SPIN: f64 = 0.5;

    /// A vessel that moves no farther than this (px, radians) for `PERCH_TIME` comes to rest.
    const PERCH: (f32, f32) = (2.5, 0.15);
    /// How long the vessel has to stay within `PERCH`, s.
    const PERCH_TIME: f64 = 1.0;

    /// Reports the ground and the hardest impact, and decides whether the vessel comes to rest.
    pub(super) fn conclude(&self, body: &mut Body, state: &mut VesselState, result: &StepResult, report: &mut Report) {
        let around = self.context.around;
        if report.details().hit != result.hardest {
            report.details_mut().hit = result.hardest;
        }
        // A vessel that hops for a single tick has not left its ground.
        let near = result.touched || state.touching;
        state.touching = result.touched;
        body.ground = result.ground.map(|contact| Contact {
            feature: contact.feature,
            normal: contact.normal,
            touch: contact.normal,
        });
        let idle = self.thrust == 0.0 && self.torque == 0.0;
        let undisturbed = near
            && result.slow
            && !result.carried
            && idle
            && body.external == DVec2::ZERO
            && around.air.external_accel == DVec2::ZERO;
        self.rest(body, state, undisturbed, result.grips);
    }

    /// Passes a tick in which the vessel stands still.
    pub(super) fn stay(&self, body: &mut Body, state: &mut VesselState) {
        let idle = self.thrust == 0.0 && self.torque == 0.0;
        // Nothing moves, so nothing slides either.
        self.rest(body, state, idle, true);
    }

    /// Brings the vessel to rest if it has been calm for long enough, undisturbed. One that nothing
    /// `grips` glides on, however slowly.
    fn rest(&self, body: &mut Body, state: &mut VesselState, undisturbed: bool, grips: bool) {
        let mut calm = || self.is_calm(body, state, grips) || (grips && self.stays(body, state));
        if undisturbed && calm() {
            state.resting = true;
            (body.vel, body.spin) = (DVec2::ZERO, 0.0);
            for foot in &mut state.feet {
                foot.rate = 0.0;
            }
        } else if !undisturbed {
            state.wake();
        }
    }

    /// Whether the vessel has been slow for long enough.
    fn is_calm(&self, body: &Body, state: &mut VesselState, grips: bool) -> bool {
        let around = self.context.around;
        let calm = if grips { Self::CALM_SPEED } else { STILL.0 };
        let slow = body.vel.length_squared() < calm * calm && body.spin.abs() < Self::CALM_SPIN;
        if !slow {
            state.calm_since = SinceTick::default();
            return false;
        }
        let ticks = state.calm_since.ticks(around.now);
        f64::from(ticks) * around.dt + 1e-9 >= Self::CALM
    }

    /// Whether the vessel has trembled in one place for so long that it is not going anywhere.
    fn stays(&self, body: &Body, state: &mut VesselState) -> bool {
        let around = self.context.around;
        let pos = [body.pos.x as f32, body.pos.y as f32];
        let angle = body.angle as f32;
        let perch = &mut state.perch;
        let off = (perch.pos[0] - pos[0]).abs().max((perch.pos[1] - pos[1]).abs());
        let left = off > Self::PERCH.0 || (perch.angle - angle).abs() > Self::PERCH.1;
        if left || perch.since == SinceTick::default() {
            *perch = Perch { since: SinceTick(around.now as u32), pos, angle };
            return false;
        }
        f64::from(perch.since.ticks(around.now)) * around.dt >= Self::PERCH_TIME
    }
}
