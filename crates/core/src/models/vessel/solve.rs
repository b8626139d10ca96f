//! Finds the impulses by which contacts change a vessel's velocity and spin.

use super::constraint::{ConstraintRow, ConstraintSet, ContactConstraint, ONE_POINT};
use super::contact::{ContactSet, Manifold};
use super::foot::Foot;
use super::tuning::{Solver, VesselTuning};
use super::velocity::RigidVelocity;
use crate::models::Impact;
use crate::tuning::SurfaceTuning;
use glam::DVec2;

/// Finds the impulses of all contacts in one part of a tick.
pub struct ImpulseSolver<'a> {
    /// The vessel's tuning.
    pub tuning: &'a VesselTuning,
    /// Mass divided by moment of inertia, 1/px².
    pub ratio: f64,
    /// Share of tangential speed that a hard contact removes on a surface of friction 1.
    pub friction: f64,
    /// Duration of the part of a tick, s.
    pub dt: f64,
    /// Unit vector along the vessel's own up.
    pub up: DVec2,
}

/// A contact as the solver meets it.
pub struct SolverContact<'a> {
    /// The contact.
    pub contact: &'a Manifold,
    /// Tuning of its surface.
    pub surface: &'a SurfaceTuning,
    /// Velocity of the touched surface, px/s.
    pub carrier: DVec2,
}

/// The result of the impulses.
#[derive(Clone, Copy, Debug)]
pub struct ImpulseResult {
    /// Whether every contact was slow.
    pub slow: bool,
    /// The hardest contact that was not slow, with its point relative to the vessel's center.
    pub hardest: Option<Impact>,
    /// Whether friction holds the vessel at any slow contact, which then does not slide.
    pub grips: bool,
}

/// The solver stops once no impulse changes by more than this, px/s.
const AGREED: f64 = 3e-3;

/// If there are several contacts, a short one acts through a single impulse, so that the vessel
/// does not rock on it.
const SHORT: f64 = 0.1;

impl ImpulseSolver<'_> {
    /// Applies all impulses to the velocity and the feet.
    pub fn resolve<'a>(
        &self,
        speed: &mut RigidVelocity,
        contacts: &'a ContactSet,
        feet: &mut [Foot],
        meet: impl Fn(&'a Manifold) -> SolverContact<'a>,
    ) -> ImpulseResult {
        let mut constraints = ConstraintSet::default();
        let mut impulses = ImpulseResult { slow: true, hardest: None, grips: false };
        let alone = contacts.iter().count() == 1;
        for contact in contacts.iter() {
            let foot = contact.foot.map_or(0.0, |f| self.foot_share(&feet[f as usize], contact));
            let constraint = self.constraint(speed, &meet(contact), foot, alone);
            let approach = -(speed.at(contact.at) - constraint.carrier).dot(contact.normal);
            if !constraint.slow {
                impulses.slow = false;
                // A foot that is being pressed in has reported its impact already.
                let known = contact.foot.is_some_and(|f| feet[f as usize].touching);
                if !known && impulses.hardest.is_none_or(|h| approach > h.speed) {
                    impulses.hardest = Some(Impact {
                        feature: contact.feature,
                        normal: contact.normal,
                        speed: approach,
                        foot: contact.foot.is_some(),
                        at: contact.at,
                        piece: contact.piece,
                    });
                }
            }
            constraints.list.push(constraint);
        }
        let before = *speed;
        impulses.grips = self.solve(speed, &mut constraints) || constraints.any_sticks();
        self.press(&before, speed, contacts, feet, &constraints);
        impulses
    }

    /// The share of a contact that a foot absorbs: less if it reaches the end of its travel.
    fn foot_share(&self, foot: &Foot, contact: &Manifold) -> f64 {
        let travel = self.tuning.foot_travel;
        let depth = contact.depth * contact.normal.dot(self.up);
        if depth > 0.0 {
            foot.absorbs(depth, travel) / depth
        } else {
            foot.share(travel)
        }
    }

    fn constraint(
        &self,
        speed: &RigidVelocity,
        input: &SolverContact<'_>,
        foot: f64,
        alone: bool,
    ) -> ContactConstraint {
        let SolverContact { contact, surface, carrier } = input;
        let (normal, tangent) = (contact.normal, contact.tangent());
        let slow = contact.slow;
        let foot = if normal.dot(self.up) > 0.0 { foot } else { 0.0 };
        let mut constraint = ContactConstraint {
            normal,
            tangent,
            carrier: *carrier,
            slow,
            grip: ConstraintRow::new(contact.at, tangent, self.ratio),
            cap: self.tuning.friction_cap * surface.friction,
            share: (self.friction * surface.friction).min(1.0),
            rebound: if slow { 1.0 } else { self.tuning.rebound * surface.rebound },
            foot,
            ..ContactConstraint::default()
        };
        if slow && self.tuning.friction * surface.friction <= 0.0 {
            constraint.cap = 0.0;
        }
        let gap = contact.depth.min(0.0) / self.dt;
        let arms = contact.ends.map(|end| end.perp_dot(normal));
        let apart = self.ratio * (arms[0] - arms[1]) * (arms[0] - arms[1]);
        let least = if alone { ONE_POINT } else { SHORT };
        if slow && apart > least {
            constraint.rows = contact.ends.map(|end| ConstraintRow::new(end, normal, self.ratio));
            constraint.count = 2;
        } else {
            constraint.rows[0] = ConstraintRow::new(contact.at, normal, self.ratio);
            constraint.count = 1;
        }
        let ends = constraint.count == 2;
        for (i, row) in constraint.rows[..constraint.count].iter_mut().enumerate() {
            let gap = gap - if ends { contact.gaps[i] / self.dt } else { 0.0 };
            let point = speed.at(row.at) - *carrier;
            let kept = point - self.up * (foot * point.dot(self.up));
            let into = point.dot(normal);
            // A foot absorbs a share of the approach and never adds to it.
            let felt = kept.dot(normal).max(into);
            let bounced = if felt < 0.0 { into - constraint.rebound * felt } else { into.min(0.0) };
            // A contact with a gap may close that gap.
            row.target = if gap < 0.0 { bounced.min(gap) } else { bounced };
        }
        constraint
    }

    /// Presses feet in, by their share of the contacts.
    fn press(
        &self,
        before: &RigidVelocity,
        after: &RigidVelocity,
        contacts: &ContactSet,
        feet: &mut [Foot],
        constraints: &ConstraintSet,
    ) {
        let travel = self.tuning.foot_travel;
        if travel <= 0.0 {
            return;
        }
        for (contact, constraint) in contacts.iter().zip(&constraints.list) {
            let lift = contact.normal.dot(self.up);
            let Some(foot) = contact.foot.filter(|_| lift > 0.0) else {
                continue;
            };
            let foot = &mut feet[foot as usize];
            foot.pos += foot.absorbs(lift * contact.depth.max(0.0), travel) / travel;
            if constraint.slow {
                // The foot does not move on the ground.
                let rise = (after.at(contact.at) - constraint.carrier).dot(self.up);
                foot.rate = -rise / travel;
            } else {
                let rise = (before.at(contact.at) - constraint.carrier).dot(self.up);
                foot.rate -= constraint.foot * rise * (constraint.rebound - 1.0) / travel;
            }
            foot.limit();
        }
    }

    /// Finds the impulses of all constraints and applies them to the velocity. Returns whether the
    /// vessel was stopped without them.
    fn solve(&self, speed: &mut RigidVelocity, constraints: &mut ConstraintSet) -> bool {
        let before = *speed;
        let simultaneous = self.tuning.solver == Solver::Simultaneous;
        for constraint in constraints.list.iter_mut().filter(|c| !c.slow) {
            // Friction acts on the current velocity, or in simultaneous mode on the initial one.
            let seen = if simultaneous { before } else { *speed };
            let point = seen.at(constraint.grip.at) - constraint.carrier;
            let kept = point - self.up * (constraint.foot * point.dot(self.up));
            let all = point.dot(constraint.tangent);
            let along = kept.dot(constraint.tangent).clamp(all.min(0.0), all.max(0.0));
            let impulse = -along * constraint.share / constraint.grip.yields;
            let approaches = point.dot(constraint.normal) < 0.0;
            if approaches {
                speed.push(impulse, constraint.tangent, constraint.grip.arm, self.ratio);
            }
            if simultaneous && approaches {
                let row = &constraint.rows[0];
                let into = (before.at(row.at) - constraint.carrier).dot(constraint.normal);
                let impulse = ((row.target - into) / row.yields).max(0.0);
                speed.push(impulse, constraint.normal, row.arm, self.ratio);
            }
        }
        if simultaneous && constraints.list.iter().all(|c| !c.slow) {
            return false;
        }
        if constraints.stand(speed, self.ratio) {
            return true;
        }
        if let [alone] = constraints.list.as_mut_slice()
            && alone.solve_alone(speed, self.ratio)
        {
            return false;
        }
        constraints.separate_both(speed, self.ratio);
        for _ in 0..self.tuning.solver_sweeps {
            let mut change = 0.0_f64;
            for constraint in &mut constraints.list {
                if simultaneous && !constraint.slow {
                    continue;
                }
                change = change.max(constraint.separate(speed, self.ratio));
                if constraint.slow && constraint.cap > 0.0 {
                    change = change.max(constraint.friction(speed, self.ratio));
                }
            }
            if change < AGREED {
                break;
            }
        }
        false
    }
}
