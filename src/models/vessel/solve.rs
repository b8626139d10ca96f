//! Impulses: what touches do to a vessel's speed and spin.
//!
//! For a point at `r` from the center an impulse `j` along `d` changes the velocity by `j·d` and the
//! spin by `ratio·(r×d)·j`, so that the point's own velocity along `d` changes by
//! `j·(1 + ratio·(r×d)²)`.

use super::foot::Foot;
use super::touch::{MOST, Touch, Touches};
use super::tuning::{Solver, VesselTuning};
use crate::models::Impact;
use crate::tuning::SurfaceTuning;
use glam::DVec2;

/// How a vessel moves: of its center of mass, and around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Speed {
    /// Velocity of the center, px/s.
    pub vel: DVec2,
    /// Spin, rad/s.
    pub spin: f64,
}

impl Speed {
    /// The velocity of the point at `r` from the center.
    #[inline]
    #[must_use]
    pub fn at(&self, r: DVec2) -> DVec2 {
        self.vel + r.perp() * self.spin
    }

    #[inline]
    pub(super) fn push(&mut self, impulse: f64, direction: DVec2, arm: f64, ratio: f64) {
        self.vel += direction * impulse;
        self.spin += ratio * arm * impulse;
    }
}

/// What impulses follow from.
pub struct Law<'a> {
    /// The vessel's tunables.
    pub tuning: &'a VesselTuning,
    /// Its mass by moment of inertia.
    pub ratio: f64,
    /// The share of tangential speed that a hard touch takes where the surface's friction is 1.
    pub friction: f64,
    /// Touches slower than this do not bounce, px/s.
    pub slow: f64,
    /// Length of the part of a tick, s.
    pub dt: f64,
    /// The vessel's own up.
    pub up: DVec2,
}

/// A touch as the law meets it.
pub struct Meeting<'a> {
    /// The touch.
    pub touch: &'a Touch,
    /// What the surface does.
    pub surface: &'a SurfaceTuning,
    /// The velocity of what is touched, px/s.
    pub carrier: DVec2,
}

/// What came of it.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    /// Whether every touch was slow.
    pub slow: bool,
    /// The hardest touch that was not.
    pub hardest: Option<Impact>,
}

/// One impulse in the making.
#[derive(Clone, Copy, Default)]
pub(super) struct Row {
    pub arm: f64,
    pub at: DVec2,
    /// What an impulse of 1 changes.
    pub yields: f64,
    /// The speed along it that is to come out.
    pub target: f64,
    /// The impulse so far.
    pub sum: f64,
}

impl Row {
    fn new(at: DVec2, direction: DVec2, ratio: f64) -> Self {
        let arm = at.perp_dot(direction);
        // Rounding alone turns nothing: a flat drop stays flat.
        let arm = if arm.abs() < STRAIGHT * at.length() {
            0.0
        } else {
            arm
        };
        Self {
            arm,
            at,
            yields: 1.0 + ratio * arm * arm,
            target: 0.0,
            sum: 0.0,
        }
    }
}

/// A touch with its impulses.
#[derive(Clone, Copy, Default)]
pub(super) struct Joint {
    pub normal: DVec2,
    pub tangent: DVec2,
    pub carrier: DVec2,
    pub slow: bool,
    /// Along the normal: at the barycenter, or at both ends of a slow touch.
    pub rows: [Row; 2],
    pub count: usize,
    pub grip: Row,
    /// Most tangential impulse beside the normal one, of a slow touch.
    pub cap: f64,
    /// Share of the tangential speed that goes, of a fast one.
    pub share: f64,
    pub rebound: f64,
    pub foot: f64,
}

/// Impulses below this change nothing that matters, px/s.
const AGREED: f64 = 3e-3;

/// Ends of a touch whose arms differ by less have one impulse, as a share of what it yields.
const ONE_POINT: f64 = 1e-6;

/// Arms shorter than this share of the distance are none.
const STRAIGHT: f64 = 1e-9;

/// Beside other touches a short one has one impulse, too: it does not rock about those.
const SHORT: f64 = 0.1;

/// All joints of a vessel.
pub(super) struct Joints {
    pub list: [Joint; MOST],
    pub count: usize,
}

impl Law<'_> {
    /// Lets touches act on the speed and on the feet.
    pub fn resolve<'a>(
        &self,
        speed: &mut Speed,
        touches: &'a Touches,
        feet: &mut [Foot],
        meet: impl Fn(&'a Touch) -> Meeting<'a>,
    ) -> Outcome {
        let mut joints = Joints {
            list: [Joint::default(); MOST],
            count: 0,
        };
        let mut outcome = Outcome {
            slow: true,
            hardest: None,
        };
        let alone = touches.iter().count() == 1;
        for touch in touches.iter() {
            let foot = touch.foot.map_or(0.0, |f| feet[f as usize].share());
            let joint = self.joint(speed, &meet(touch), foot, alone);
            let approach = -(speed.at(touch.at) - joint.carrier).dot(touch.normal);
            if !joint.slow {
                outcome.slow = false;
                // A foot that is being pressed in has told its hit already.
                let told = touch.foot.is_some_and(|f| feet[f as usize].touching);
                if !told && outcome.hardest.is_none_or(|h| approach > h.speed) {
                    outcome.hardest = Some(Impact {
                        feature: touch.feature,
                        normal: touch.normal,
                        speed: approach,
                        foot: touch.foot.is_some(),
                    });
                }
            }
            joints.list[joints.count] = joint;
            joints.count += 1;
        }
        let before = *speed;
        joints.solve(speed, self);
        self.press(&before, speed, touches, feet, &joints);
        outcome
    }

    fn joint(&self, speed: &Speed, meeting: &Meeting<'_>, foot: f64, alone: bool) -> Joint {
        let Meeting {
            touch,
            surface,
            carrier,
        } = meeting;
        let (normal, tangent) = (touch.normal, touch.tangent());
        let approach = -(speed.at(touch.at) - *carrier).dot(normal);
        let slow = approach < self.slow;
        let foot = if normal.dot(self.up) > 0.0 { foot } else { 0.0 };
        let mut joint = Joint {
            normal,
            tangent,
            carrier: *carrier,
            slow,
            grip: Row::new(touch.at, tangent, self.ratio),
            cap: self.tuning.friction_cap * surface.friction,
            share: (self.friction * surface.friction).min(1.0),
            rebound: if slow {
                1.0
            } else {
                self.tuning.rebound * surface.rebound
            },
            foot,
            ..Joint::default()
        };
        if slow && self.tuning.friction * surface.friction <= 0.0 {
            joint.cap = 0.0;
        }
        let gap = touch.depth.min(0.0) / self.dt;
        let arms = touch.ends.map(|end| end.perp_dot(normal));
        let apart = self.ratio * (arms[0] - arms[1]) * (arms[0] - arms[1]);
        let least = if alone { ONE_POINT } else { SHORT };
        if slow && apart > least {
            joint.rows = touch.ends.map(|end| Row::new(end, normal, self.ratio));
            joint.count = 2;
        } else {
            joint.rows[0] = Row::new(touch.at, normal, self.ratio);
            joint.count = 1;
        }
        for row in &mut joint.rows[..joint.count] {
            let point = speed.at(row.at) - *carrier;
            let kept = point - self.up * (foot * point.dot(self.up));
            let into = point.dot(normal);
            // A foot takes a share of the approach; it never adds to it.
            let felt = kept.dot(normal).max(into);
            let bounced = if felt < 0.0 {
                into - joint.rebound * felt
            } else {
                into.min(0.0)
            };
            // What does not meet yet may come as near as that.
            row.target = if gap < 0.0 { bounced.min(gap) } else { bounced };
        }
        joint
    }

    /// Presses feet in, by what they took of the touches.
    fn press(
        &self,
        before: &Speed,
        after: &Speed,
        touches: &Touches,
        feet: &mut [Foot],
        joints: &Joints,
    ) {
        let travel = self.tuning.foot_travel;
        if travel <= 0.0 {
            return;
        }
        for (touch, joint) in touches.iter().zip(&joints.list) {
            let lift = touch.normal.dot(self.up);
            let Some(foot) = touch.foot.filter(|_| lift > 0.0) else {
                continue;
            };
            let foot = &mut feet[foot as usize];
            foot.pos += joint.foot * lift * touch.depth.max(0.0) / travel;
            if joint.slow {
                // It stands still on what it stands on.
                let rise = (after.at(touch.at) - joint.carrier).dot(self.up);
                foot.rate = -rise / travel;
            } else {
                let rise = (before.at(touch.at) - joint.carrier).dot(self.up);
                foot.rate -= joint.foot * rise * (joint.rebound - 1.0) / travel;
            }
            foot.hold();
        }
    }
}

impl Joints {
    fn solve(&mut self, speed: &mut Speed, law: &Law<'_>) {
        let before = *speed;
        let simultaneous = law.tuning.solver == Solver::Simultaneous;
        for joint in self.list[..self.count].iter_mut().filter(|j| !j.slow) {
            // Friction takes its share of what is there, or with all others at once of what was.
            let seen = if simultaneous { before } else { *speed };
            let point = seen.at(joint.grip.at) - joint.carrier;
            let kept = point - law.up * (joint.foot * point.dot(law.up));
            let all = point.dot(joint.tangent);
            let along = kept.dot(joint.tangent).clamp(all.min(0.0), all.max(0.0));
            let impulse = -along * joint.share / joint.grip.yields;
            let approaches = point.dot(joint.normal) < 0.0;
            if approaches {
                speed.push(impulse, joint.tangent, joint.grip.arm, law.ratio);
            }
            if simultaneous && approaches {
                let row = &joint.rows[0];
                let into = (before.at(row.at) - joint.carrier).dot(joint.normal);
                let impulse = ((row.target - into) / row.yields).max(0.0);
                speed.push(impulse, joint.normal, row.arm, law.ratio);
            }
        }
        if simultaneous && self.list[..self.count].iter().all(|j| !j.slow) {
            return;
        }
        if self.stand(speed, law.ratio) {
            return;
        }
        if self.count == 1 && self.list[0].hold_alone(speed, law.ratio) {
            return;
        }
        self.hold_off_both(speed, law.ratio);
        for _ in 0..law.tuning.solver_sweeps {
            let mut change = 0.0_f64;
            for joint in &mut self.list[..self.count] {
                if simultaneous && !joint.slow {
                    continue;
                }
                change = change.max(joint.hold_off(speed, law.ratio));
                if joint.slow && joint.cap > 0.0 {
                    change = change.max(joint.hold_fast(speed, law.ratio));
                }
            }
            if change < AGREED {
                break;
            }
        }
    }
}

impl Joints {
    /// The impulses of exactly two touches with one point each, such as two feet, in closed form.
    fn hold_off_both(&mut self, speed: &mut Speed, ratio: f64) {
        let [first, second, ..] = &mut self.list;
        if self.count != 2 || first.count != 1 || second.count != 1 {
            return;
        }
        let (one, other) = (first.rows[0], second.rows[0]);
        let shared = first.normal.dot(second.normal) + ratio * one.arm * other.arm;
        let missing = [first, second].map(|joint| {
            let row = &joint.rows[0];
            (speed.at(row.at) - joint.carrier).dot(joint.normal) - row.target
        });
        if one.yields * other.yields - shared * shared < ONE_POINT {
            return;
        }
        let sums = balance(one.yields, shared, other.yields, missing);
        for (joint, sum) in self.list.iter_mut().zip(sums) {
            joint.rows[0].sum = sum;
            speed.push(sum, joint.normal, joint.rows[0].arm, ratio);
        }
    }
}

impl Joint {
    /// The impulses along the normal; how much they changed.
    fn hold_off(&mut self, speed: &mut Speed, ratio: f64) -> f64 {
        let along = |speed: &Speed, row: &Row| {
            (speed.at(row.at) - self.carrier).dot(self.normal) - row.target
        };
        let [first, second] = self.rows;
        let sums = if self.count == 1 {
            let sum = (first.sum - along(speed, &first) / first.yields).max(0.0);
            [sum, 0.0]
        } else {
            let shared = 1.0 + ratio * first.arm * second.arm;
            let missing = [
                along(speed, &first) - first.yields * first.sum - shared * second.sum,
                along(speed, &second) - shared * first.sum - second.yields * second.sum,
            ];
            balance(first.yields, shared, second.yields, missing)
        };
        let mut change = 0.0_f64;
        for (row, sum) in self.rows.iter_mut().zip(sums) {
            let by = sum - row.sum;
            speed.push(by, self.normal, row.arm, ratio);
            row.sum = sum;
            change = change.max(by.abs());
        }
        change
    }

    /// The tangential impulse, which stops what slides as far as the normal ones hold it; how much it
    /// changed.
    fn hold_fast(&mut self, speed: &mut Speed, ratio: f64) -> f64 {
        let sliding = (speed.at(self.grip.at) - self.carrier).dot(self.tangent);
        let most = self.cap * (self.rows[0].sum + self.rows[1].sum);
        let sum = (self.grip.sum - sliding / self.grip.yields).clamp(-most, most);
        let by = sum - self.grip.sum;
        speed.push(by, self.tangent, self.grip.arm, ratio);
        self.grip.sum = sum;
        by.abs()
    }
}

/// The two impulses, neither below 0, after which neither end goes in: `K·x + b ≥ 0`, and where an
/// impulse acts it is 0.
fn balance(k1: f64, shared: f64, k2: f64, b: [f64; 2]) -> [f64; 2] {
    let det = k1 * k2 - shared * shared;
    let both = [
        (shared * b[1] - k2 * b[0]) / det,
        (shared * b[0] - k1 * b[1]) / det,
    ];
    if both[0] >= 0.0 && both[1] >= 0.0 {
        return both;
    }
    let first = -b[0] / k1;
    if first >= 0.0 && shared * first + b[1] >= 0.0 {
        return [first, 0.0];
    }
    let second = -b[1] / k2;
    if second >= 0.0 && shared * second + b[0] >= 0.0 {
        return [0.0, second];
    }
    [0.0, 0.0]
}
