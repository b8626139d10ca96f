//! Contacts as constraints on a vessel's velocity, and the impulses that satisfy them.
//!
//! An impulse `j` along `d`, at `r` from the center, changes the velocity by `j·d` and the spin by
//! `ratio·(r×d)·j`. So the velocity of that point along `d` changes by `j·(1 + ratio·(r×d)²)`.

use super::contact::MAX_CONTACTS;
use super::velocity::RigidVelocity;
use arrayvec::ArrayVec;
use glam::DVec2;

/// Lever arms shorter than this share of the distance count as 0.
const STRAIGHT: f64 = 1e-9;

/// Two impulses whose effects differ by less than this share act as one.
pub(super) const ONE_POINT: f64 = 1e-6;

/// Friction above this share of its limit counts as at the limit. The solver leaves it slightly below.
const LIMIT: f64 = 0.99;

/// One impulse of a contact.
#[derive(Clone, Copy, Default)]
pub(super) struct ConstraintRow {
    pub arm: f64,
    pub at: DVec2,
    /// Change of the velocity along the row per unit of impulse.
    pub yields: f64,
    /// The velocity along it that the impulse has to reach, px/s.
    pub target: f64,
    /// The accumulated impulse.
    pub sum: f64,
}

impl ConstraintRow {
    pub fn new(at: DVec2, direction: DVec2, ratio: f64) -> Self {
        let arm = at.perp_dot(direction);
        // Ignores arms that come from rounding, so that a flat drop stays flat.
        let arm = if arm.abs() < STRAIGHT * at.length() { 0.0 } else { arm };
        Self { arm, at, yields: 1.0 + ratio * arm * arm, target: 0.0, sum: 0.0 }
    }
}

/// A contact and its impulses.
#[derive(Clone, Copy, Default)]
pub(super) struct ContactConstraint {
    pub normal: DVec2,
    pub tangent: DVec2,
    pub carrier: DVec2,
    pub slow: bool,
    /// Impulses along the normal: one at the barycenter, or one at each end of a slow contact.
    pub rows: [ConstraintRow; 2],
    pub count: usize,
    pub grip: ConstraintRow,
    /// Friction coefficient of a slow contact.
    pub cap: f64,
    /// Share of the tangential speed that a fast contact removes.
    pub share: f64,
    pub rebound: f64,
    pub foot: f64,
}

/// All constraints of a vessel.
#[derive(Default)]
pub(super) struct ConstraintSet {
    pub list: ArrayVec<ContactConstraint, MAX_CONTACTS>,
}

impl ConstraintSet {
    /// Whether friction at any slow contact holds with less than it could.
    pub fn any_sticks(&self) -> bool {
        self.list.iter().any(ContactConstraint::sticks)
    }

    /// The impulses of exactly two contacts with one point each, such as two feet, in closed form.
    pub fn separate_both(&mut self, speed: &mut RigidVelocity, ratio: f64) {
        let [first, second] = self.list.as_slice() else {
            return;
        };
        if first.count != 1 || second.count != 1 {
            return;
        }
        let (one, other) = (first.rows[0], second.rows[0]);
        let shared = first.normal.dot(second.normal) + ratio * one.arm * other.arm;
        let missing = [first, second].map(|constraint| {
            let row = &constraint.rows[0];
            (speed.at(row.at) - constraint.carrier).dot(constraint.normal) - row.target
        });
        if one.yields * other.yields - shared * shared < ONE_POINT {
            return;
        }
        let sums = balance(one.yields, shared, other.yields, missing);
        for (constraint, sum) in self.list.iter_mut().zip(sums) {
            constraint.rows[0].sum = sum;
            speed.push(sum, constraint.normal, constraint.rows[0].arm, ratio);
        }
    }
}

impl ContactConstraint {
    /// Whether friction holds this slow contact with less than its limit. At the limit it slides.
    fn sticks(&self) -> bool {
        let most = self.cap * (self.rows[0].sum + self.rows[1].sum);
        self.slow && self.grip.sum.abs() < most * LIMIT
    }

    /// Updates the impulses along the normal. Returns how much they changed.
    pub fn separate(&mut self, speed: &mut RigidVelocity, ratio: f64) -> f64 {
        let along = |speed: &RigidVelocity, row: &ConstraintRow| {
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

    /// Updates the friction impulse, which is limited by those along the normal. Returns how much
    /// it changed.
    pub fn friction(&mut self, speed: &mut RigidVelocity, ratio: f64) -> f64 {
        let sliding = (speed.at(self.grip.at) - self.carrier).dot(self.tangent);
        let most = self.cap * (self.rows[0].sum + self.rows[1].sum);
        let sum = (self.grip.sum - sliding / self.grip.yields).clamp(-most, most);
        let by = sum - self.grip.sum;
        speed.push(by, self.tangent, self.grip.arm, ratio);
        self.grip.sum = sum;
        by.abs()
    }
}

/// The two impulses, neither below 0, after which neither end approaches the terrain:
/// `K·x + b ≥ 0`, with equality wherever an impulse acts.
fn balance(k1: f64, shared: f64, k2: f64, b: [f64; 2]) -> [f64; 2] {
    let det = k1 * k2 - shared * shared;
    let both = [(shared * b[1] - k2 * b[0]) / det, (shared * b[0] - k1 * b[1]) / det];
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
