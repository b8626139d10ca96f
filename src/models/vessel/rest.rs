//! The end of a vessel's tick: what it stands on, and whether it has come to rest.

use super::step::{Course, Step};
use super::{Haunt, Since, VesselState};
use crate::level::Contact;
use crate::models::{Body, Report};
use glam::DVec2;

impl Step<'_> {
    /// How long it has to be calm before it is at rest, s.
    const CALM: f64 = 0.25;

    /// Slower spins than this are calm, rad/s.
    const CALM_SPIN: f64 = 0.5;

    /// A vessel that goes no farther than this, px and radians, for so many seconds stays.
    const HAUNT: (f32, f32) = (2.5, 0.15);
    const HAUNTED: f64 = 1.0;
    /// Notes what the vessel stands on, what it has hit, and whether it has come to rest.
    pub(super) fn conclude(
        &self,
        body: &mut Body,
        state: &mut VesselState,
        course: &Course,
        report: &mut Report,
    ) {
        let around = self.context.around;
        report.hit = course.hardest;
        // One that hops by less than a tick's fall has not left what it is on.
        let near = course.touched || state.touching;
        state.touching = course.touched;
        body.ground = course.ground.map(|touch| Contact {
            feature: touch.feature,
            normal: touch.normal,
            touch: touch.normal,
        });
        let idle = self.thrust == 0.0 && self.torque == 0.0;
        let undisturbed = near
            && course.slow
            && !course.carried
            && idle
            && body.external == DVec2::ZERO
            && around.air.external_accel == DVec2::ZERO;
        self.rest(body, state, undisturbed);
    }

    /// A tick in which all stays as it is.
    pub(super) fn stay(&self, body: &mut Body, state: &mut VesselState) {
        let idle = self.thrust == 0.0 && self.torque == 0.0;
        self.rest(body, state, idle);
    }

    /// Lets a vessel rest that has been calm for long enough, undisturbed.
    fn rest(&self, body: &mut Body, state: &mut VesselState, undisturbed: bool) {
        if undisturbed && (self.is_calm(body, state) || self.stays(body, state)) {
            state.resting = true;
            (body.vel, body.spin) = (DVec2::ZERO, 0.0);
            for foot in &mut state.feet {
                foot.rate = 0.0;
            }
        } else if !undisturbed {
            state.wake();
        }
    }

    /// Whether it has been slow for long enough.
    fn is_calm(&self, body: &Body, state: &mut VesselState) -> bool {
        let around = self.context.around;
        let slow = body.vel.length() < 0.5 * self.gravity.abs() * around.dt
            && body.spin.abs() < Self::CALM_SPIN;
        if !slow {
            state.calm_since = Since::default();
            return false;
        }
        let ticks = state.calm_since.ticks(around.now);
        f64::from(ticks) * around.dt + 1e-9 >= Self::CALM
    }

    /// Whether it has trembled in one place for so long that it is not going anywhere.
    fn stays(&self, body: &Body, state: &mut VesselState) -> bool {
        let around = self.context.around;
        let pos = [body.pos.x as f32, body.pos.y as f32];
        let angle = body.angle as f32;
        let haunt = &mut state.haunt;
        let off = (haunt.pos[0] - pos[0])
            .abs()
            .max((haunt.pos[1] - pos[1]).abs());
        let left = off > Self::HAUNT.0 || (haunt.angle - angle).abs() > Self::HAUNT.1;
        if self.tuning.friction <= 0.0 || left || haunt.since == Since::default() {
            *haunt = Haunt {
                since: Since(around.now as u32),
                pos,
                angle,
            };
            return false;
        }
        f64::from(haunt.since.ticks(around.now)) * around.dt >= Self::HAUNTED
    }
}
