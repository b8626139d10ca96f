//! Impulses: what touches do to a vessel's speed and spin.
//!
//! For a point at `r` from the centre an impulse `j` along `d` changes the velocity by `j·d` and the
//! spin by `ratio·(r×d)·j`, so that the point's own velocity along `d` changes by
//! `j·(1 + ratio·(r×d)²)`.

use super::foot::Foot;
use super::touch::{MOST, Touch, Touches};
use super::tuning::{Solver, VesselTuning};
use crate::models::Impact;
use crate::tuning::SurfaceTuning;
use glam::DVec2;

/// How a vessel moves: of its centre of mass, and around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Speed {
    /// Velocity of the centre, px/s.
    pub vel: DVec2,
    /// Spin, rad/s.
    pub spin: f64,
}

impl Speed {
    /// The velocity of the point at `r` from the centre.
    #[inline]
    #[must_use]
    pub fn at(&self, r: DVec2) -> DVec2 {
        self.vel + r.perp() * self.spin
    }

    #[inline]
    fn push(&mut self, impulse: f64, direction: DVec2, arm: f64, ratio: f64) {
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
struct Row {
    arm: f64,
    at: DVec2,
    /// What an impulse of 1 changes.
    yields: f64,
    /// The speed along it that is to come out.
    target: f64,
    /// The impulse so far.
    sum: f64,
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
struct Joint {
    normal: DVec2,
    tangent: DVec2,
    carrier: DVec2,
    slow: bool,
    /// Along the normal: at the barycentre, or at both ends of a slow touch.
    rows: [Row; 2],
    count: usize,
    grip: Row,
    /// Most tangential impulse beside the normal one, of a slow touch.
    cap: f64,
    /// Share of the tangential speed that goes, of a fast one.
    share: f64,
    rebound: f64,
    foot: f64,
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
struct Joints {
    list: [Joint; MOST],
    count: usize,
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

/// Gaps below this, as speeds, are none: what lies so near bears weight, px/s.
const BEARING: f64 = -0.1;

impl Joints {
    /// Lets the vessel stand fast, if impulses that touches can give take all of its speed away: at
    /// the two points that are farthest apart, each within its cone of friction. Whether they do.
    fn stand(&self, speed: &mut Speed, ratio: f64) -> bool {
        let joints = &self.list[..self.count];
        let carrier = joints[0].carrier;
        let along = joints[0].tangent;
        let mut ends: [Option<(f64, &Joint, &Row)>; 2] = [None, None];
        for joint in joints {
            if !joint.slow || joint.cap <= 0.0 || joint.carrier != carrier {
                return false;
            }
            for row in joint.rows[..joint.count]
                .iter()
                .filter(|r| r.target > BEARING)
            {
                let place = row.at.dot(along);
                if ends[0].is_none_or(|(least, ..)| place < least) {
                    ends[0] = Some((place, joint, row));
                }
                if ends[1].is_none_or(|(most, ..)| place > most) {
                    ends[1] = Some((place, joint, row));
                }
            }
        }
        let [Some((_, one, first)), Some((_, other, second))] = ends else {
            return false;
        };
        let stands = stands(
            (one, first),
            (other, second),
            carrier - speed.vel,
            -speed.spin / ratio,
        );
        if stands {
            *speed = Speed {
                vel: carrier,
                spin: 0.0,
            };
        }
        stands
    }

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

    /// All impulses of a slow touch that is the only one, in closed form: it stands fast, or it slides
    /// and friction does all it can. Whether one of the two fits.
    fn hold_alone(&mut self, speed: &mut Speed, ratio: f64) -> bool {
        if !self.slow || self.count != 2 {
            return false;
        }
        let [first, second] = self.rows;
        let grip = self.grip;
        let start = [first, second]
            .map(|row| (speed.at(row.at) - self.carrier).dot(self.normal) - row.target);
        let sliding = (speed.at(grip.at) - self.carrier).dot(self.tangent);
        let shared = 1.0 + ratio * first.arm * second.arm;
        // What a tangential impulse of 1 does along the normal at either end.
        let lever = [first, second].map(|row| ratio * row.arm * grip.arm);
        // As it slides: the tangential impulse is `drag` times the sum of the other two.
        let slide = |drag: f64| {
            let k = [
                [first.yields + drag * lever[0], shared + drag * lever[0]],
                [shared + drag * lever[1], second.yields + drag * lever[1]],
            ];
            let det = k[0][0] * k[1][1] - k[0][1] * k[1][0];
            [
                (k[0][1] * start[1] - k[1][1] * start[0]) / det,
                (k[1][0] * start[0] - k[0][0] * start[1]) / det,
            ]
        };
        let along = |sums: [f64; 2], grip_sum: f64| {
            sliding + grip.yields * grip_sum + lever[0] * sums[0] + lever[1] * sums[1]
        };
        let fits = |sums: [f64; 2]| sums[0] >= 0.0 && sums[1] >= 0.0;
        if self.cap > 0.0
            && let Some((sums, held)) = stand_fast(&self.rows, &grip, shared, lever, start, sliding)
            && fits(sums)
            && held.abs() <= self.cap * (sums[0] + sums[1])
        {
            self.act(speed, sums, held, ratio);
            return true;
        }
        let drag = -sliding.signum() * self.cap;
        let sums = slide(drag);
        let held = drag * (sums[0] + sums[1]);
        // It has to go on sliding the same way.
        let goes_on = along(sums, held) * sliding.signum() >= 0.0;
        if fits(sums) && goes_on {
            self.act(speed, sums, held, ratio);
            return true;
        }
        false
    }

    fn act(&self, speed: &mut Speed, sums: [f64; 2], held: f64, ratio: f64) {
        speed.push(sums[0], self.normal, self.rows[0].arm, ratio);
        speed.push(sums[1], self.normal, self.rows[1].arm, ratio);
        speed.push(held, self.tangent, self.grip.arm, ratio);
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

/// Whether impulses at two points, each pushing and within its cone of friction, can be `wanted` in
/// all, with `torque` around the centre: three equations for four impulses, so that one is free, and
/// each bound leaves it a range.
fn stands(
    (one, first): (&Joint, &Row),
    (other, second): (&Joint, &Row),
    wanted: DVec2,
    torque: f64,
) -> bool {
    // Unknown: the normal and tangential impulse at the first point and the normal one at the second,
    // each a number plus a multiple of the tangential one at the second.
    let arms = [
        first.at.perp_dot(one.normal),
        first.at.perp_dot(one.tangent),
        second.at.perp_dot(other.normal),
        second.at.perp_dot(other.tangent),
    ];
    let columns = [
        (one.normal, arms[0]),
        (one.tangent, arms[1]),
        (other.normal, arms[2]),
    ];
    let det3 = |a: (DVec2, f64), b: (DVec2, f64), c: (DVec2, f64)| {
        a.1 * b.0.perp_dot(c.0) + b.1 * c.0.perp_dot(a.0) + c.1 * a.0.perp_dot(b.0)
    };
    let det = det3(columns[0], columns[1], columns[2]);
    if det.abs() < 1e-9 {
        return false;
    }
    let solve = |right: (DVec2, f64)| {
        [
            det3(right, columns[1], columns[2]) / det,
            det3(columns[0], right, columns[2]) / det,
            det3(columns[0], columns[1], right) / det,
        ]
    };
    let base = solve((wanted, torque));
    let free = solve((-other.tangent, -arms[3]));
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    // `a + b·x ≥ 0` for each bound.
    let mut bound = |a: f64, b: f64| {
        if b > 0.0 {
            low = low.max(-a / b);
        } else if b < 0.0 {
            high = high.min(-a / b);
        } else if a < 0.0 {
            high = f64::NEG_INFINITY;
        }
    };
    bound(one.cap * base[0] - base[1], one.cap * free[0] - free[1]);
    bound(one.cap * base[0] + base[1], one.cap * free[0] + free[1]);
    bound(other.cap * base[2], other.cap * free[2] - 1.0);
    bound(other.cap * base[2], other.cap * free[2] + 1.0);
    bound(base[0], free[0]);
    bound(base[2], free[2]);
    low <= high
}

/// The impulses at both ends and along the tangent after which none of the three moves.
fn stand_fast(
    rows: &[Row; 2],
    grip: &Row,
    shared: f64,
    lever: [f64; 2],
    start: [f64; 2],
    sliding: f64,
) -> Option<([f64; 2], f64)> {
    // The tangential impulse is taken out of the other two equations.
    let [k1, k2] = rows.map(|row| row.yields);
    let (a, b) = (lever[0] / grip.yields, lever[1] / grip.yields);
    let (k11, k12, k22) = (k1 - a * lever[0], shared - a * lever[1], k2 - b * lever[1]);
    let (s1, s2) = (start[0] - a * sliding, start[1] - b * sliding);
    let det = k11 * k22 - k12 * k12;
    if det <= 0.0 {
        return None;
    }
    let sums = [(k12 * s2 - k22 * s1) / det, (k12 * s1 - k11 * s2) / det];
    let held = -(sliding + lever[0] * sums[0] + lever[1] * sums[1]) / grip.yields;
    Some((sums, held))
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
