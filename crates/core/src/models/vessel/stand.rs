//! Standing still and sliding in closed form: the result of many solver rounds, for the simple cases in
//! which it can be computed at once.

use super::constraint::{ConstraintRow, ConstraintSet, ContactConstraint};
use super::velocity::RigidVelocity;
use glam::DVec2;

/// A gap that closes more slowly than this bears weight, px/s; negative, as targets are.
const BEARING: f64 = -0.1;

impl ConstraintSet {
    /// Stops the vessel if impulses at its two outermost contact points, each within its friction cone,
    /// can remove all of its velocity. Returns whether they can.
    pub(super) fn stand(&self, speed: &mut RigidVelocity, ratio: f64) -> bool {
        let Some(first) = self.list.first() else {
            return false;
        };
        let (carrier, along) = (first.carrier, first.tangent);
        let mut ends: [Option<(f64, &ContactConstraint, &ConstraintRow)>; 2] = [None, None];
        for constraint in &self.list {
            if !constraint.slow || constraint.cap <= 0.0 || constraint.carrier != carrier {
                return false;
            }
            for row in constraint.rows[..constraint.count].iter().filter(|r| r.target > BEARING) {
                let place = row.at.dot(along);
                if ends[0].is_none_or(|(least, ..)| place < least) {
                    ends[0] = Some((place, constraint, row));
                }
                if ends[1].is_none_or(|(most, ..)| place > most) {
                    ends[1] = Some((place, constraint, row));
                }
            }
        }
        let [Some((_, one, first)), Some((_, other, second))] = ends else {
            return false;
        };
        let stands = stands((one, first), (other, second), carrier - speed.vel, -speed.spin / ratio);
        if stands {
            *speed = RigidVelocity { vel: carrier, spin: 0.0 };
        }
        stands
    }
}

impl ContactConstraint {
    /// Applies all impulses of a single slow contact in closed form: either it holds, or it slides with
    /// full friction. Returns whether one of the two is consistent.
    pub(super) fn solve_alone(&mut self, speed: &mut RigidVelocity, ratio: f64) -> bool {
        if !self.slow || self.count != 2 {
            return false;
        }
        let [first, second] = self.rows;
        let grip = self.grip;
        let start = [first, second].map(|row| (speed.at(row.at) - self.carrier).dot(self.normal) - row.target);
        let sliding = (speed.at(grip.at) - self.carrier).dot(self.tangent);
        let shared = 1.0 + ratio * first.arm * second.arm;
        // Effect of a tangential impulse of 1 along the normal at either end.
        let lever = [first, second].map(|row| ratio * row.arm * grip.arm);
        // While it slides, the tangential impulse is `drag` times the sum of the other two.
        let slide = |drag: f64| {
            let k = [
                [first.yields + drag * lever[0], shared + drag * lever[0]],
                [shared + drag * lever[1], second.yields + drag * lever[1]],
            ];
            let det = k[0][0] * k[1][1] - k[0][1] * k[1][0];
            [(k[0][1] * start[1] - k[1][1] * start[0]) / det, (k[1][0] * start[0] - k[0][0] * start[1]) / det]
        };
        let along =
            |sums: [f64; 2], grip_sum: f64| sliding + grip.yields * grip_sum + lever[0] * sums[0] + lever[1] * sums[1];
        let fits = |sums: [f64; 2]| sums[0] >= 0.0 && sums[1] >= 0.0;
        if self.cap > 0.0
            && let Some((sums, held)) = hold_still(&self.rows, &grip, shared, lever, start, sliding)
            && fits(sums)
            && held.abs() <= self.cap * (sums[0] + sums[1])
        {
            self.act(speed, sums, held, ratio);
            return true;
        }
        let drag = -sliding.signum() * self.cap;
        let sums = slide(drag);
        let held = drag * (sums[0] + sums[1]);
        // It has to keep sliding in the same direction.
        let keeps_sliding = along(sums, held) * sliding.signum() >= 0.0;
        if fits(sums) && keeps_sliding {
            self.act(speed, sums, held, ratio);
            return true;
        }
        false
    }

    fn act(&mut self, speed: &mut RigidVelocity, sums: [f64; 2], held: f64, ratio: f64) {
        for (row, sum) in self.rows.iter_mut().zip(sums) {
            row.sum = sum;
            speed.push(sum, self.normal, row.arm, ratio);
        }
        self.grip.sum = held;
        speed.push(held, self.tangent, self.grip.arm, ratio);
    }
}

/// Whether impulses at two points, each pushing and within its friction cone, can add up to `wanted`
/// with `torque` around the center. These are three equations for four impulses, so one impulse is
/// free, and every bound limits its range.
fn stands(
    (one, first): (&ContactConstraint, &ConstraintRow),
    (other, second): (&ContactConstraint, &ConstraintRow),
    wanted: DVec2,
    torque: f64,
) -> bool {
    // The unknowns are the normal and tangential impulse at the first point and the normal one at the
    // second, each a constant plus a multiple of the tangential one at the second.
    let arms = [
        first.at.perp_dot(one.normal),
        first.at.perp_dot(one.tangent),
        second.at.perp_dot(other.normal),
        second.at.perp_dot(other.tangent),
    ];
    let columns = [(one.normal, arms[0]), (one.tangent, arms[1]), (other.normal, arms[2])];
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

/// The impulses at both ends and along the tangent that stop all three motions.
fn hold_still(
    rows: &[ConstraintRow; 2],
    grip: &ConstraintRow,
    shared: f64,
    lever: [f64; 2],
    start: [f64; 2],
    sliding: f64,
) -> Option<([f64; 2], f64)> {
    // Eliminates the tangential impulse from the other two equations.
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
