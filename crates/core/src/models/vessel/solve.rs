//! Finds the impulses by which contacts change a vessel's velocity and spin.
//!
//! An impulse `j` along `d`, at `r` from the center, changes the velocity by `j·d` and the spin by
//! `ratio·(r×d)·j`. So the velocity of that point along `d` changes by `j·(1 + ratio·(r×d)²)`.

use super::{contact::MAX_CONTACTS, *};

/// Linear and angular velocity of a rigid body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
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
    pub fn push(&mut self, impulse: f64, direction: DVec2, arm: f64, ratio: f64) {
        self.vel += direction * impulse;
        self.spin += ratio * arm * impulse;
    }
}

/// Lever arms shorter than this share of the distance count as 0.
const STRAIGHT: f64 = 1e-9;

/// Two impulses whose effects differ by less than this share act as one.
pub const ONE_POINT: f64 = 1e-6;

/// Friction above this share of its limit counts as at the limit. The solver leaves it slightly below.
const LIMIT: f64 = 0.99;

/// One impulse of a contact.
#[derive(Clone, Copy, Default)]
pub struct ConstraintRow {
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
pub struct ContactConstraint {
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

impl ContactConstraint {
    /// Whether friction holds this slow contact with less than its limit. At the limit it slides.
    fn sticks(&self) -> bool {
        self.slow && self.grip.sum.abs() < self.most_friction() * LIMIT
    }

    /// How far the velocity along a row is above the one that its impulse has to reach, px/s.
    fn missing(&self, speed: &RigidVelocity, row: &ConstraintRow) -> f64 {
        (speed.at(row.at) - self.carrier).dot(self.normal) - row.target
    }

    /// How fast it slides, px/s.
    fn sliding(&self, speed: &RigidVelocity) -> f64 {
        (speed.at(self.grip.at) - self.carrier).dot(self.tangent)
    }

    /// The greatest friction impulse.
    fn most_friction(&self) -> f64 {
        self.cap * (self.rows[0].sum + self.rows[1].sum)
    }

    /// Whether friction keeps it from sliding.
    fn holds(&self) -> bool {
        self.slow && self.grip.sum.abs() < self.most_friction() * (1.0 - ROUNDING)
    }

    /// Its friction impulse for each unit of those along the normal while it slides.
    fn drag(&self) -> f64 {
        if self.slow && !self.holds() { self.cap.copysign(self.grip.sum) } else { 0.0 }
    }

    /// Updates the impulses along the normal. Returns how much they changed.
    pub fn separate(&mut self, speed: &mut RigidVelocity, ratio: f64) -> f64 {
        let [first, second] = &self.rows;
        let sums = if self.count == 1 {
            let sum = (first.sum - self.missing(speed, first) / first.yields).max(0.0);
            [sum, 0.0]
        } else {
            let shared = 1.0 + ratio * first.arm * second.arm;
            let missing = [
                self.missing(speed, first) - first.yields * first.sum - shared * second.sum,
                self.missing(speed, second) - shared * first.sum - second.yields * second.sum,
            ];
            balance(first.yields, shared, second.yields, missing)
        };
        let mut change = 0.0_f64;
        for (row, sum) in self.rows[..self.count].iter_mut().zip(sums) {
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
        let (sliding, most) = (self.sliding(speed), self.most_friction());
        let sum = (self.grip.sum - sliding / self.grip.yields).clamp(-most, most);
        let by = sum - self.grip.sum;
        speed.push(by, self.tangent, self.grip.arm, ratio);
        self.grip.sum = sum;
        by.abs()
    }
}

/// Applies the impulses of exactly two contacts with one point each, such as two feet, in closed form.
fn separate_both(constraints: &mut [ContactConstraint], speed: &mut RigidVelocity, ratio: f64) {
    let [first, second] = constraints else {
        return;
    };
    if first.count != 1 || second.count != 1 {
        return;
    }
    let (one, other) = (first.rows[0], second.rows[0]);
    let shared = first.normal.dot(second.normal) + ratio * one.arm * other.arm;
    let missing = [first.missing(speed, &one), second.missing(speed, &other)];
    if one.yields * other.yields - shared * shared < ONE_POINT {
        return;
    }
    for (constraint, sum) in constraints.iter_mut().zip(balance(one.yields, shared, other.yields, missing)) {
        constraint.rows[0].sum = sum;
        speed.push(sum, constraint.normal, constraint.rows[0].arm, ratio);
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

/// Finds the impulses of all contacts in one part of a tick.
pub struct ImpulseSolver<'a> {
    /// The vessel's tuning.
    pub tuning: &'a VesselTuning,
    /// Mass divided by moment of inertia, 1/px².
    pub ratio: f64,
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
#[derive(Clone, Copy)]
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
        let mut constraints = ArrayVec::<_, MAX_CONTACTS>::new();
        let mut impulses = ImpulseResult { slow: true, hardest: None, grips: false };
        let alone = contacts.list.iter().count() == 1;
        for contact in &contacts.list {
            let lift = contact.normal.dot(self.up);
            // A foot absorbs less of a contact if it reaches the end of its travel.
            let foot = contact.foot.filter(|_| lift > 0.0).map_or(0.0, |f| {
                let (foot, travel) = (&feet[f as usize], self.tuning.foot_travel);
                let depth = contact.depth * lift;
                if depth > 0.0 {
                    foot.absorbs(depth, travel) / depth
                } else {
                    foot.share(travel)
                }
            });
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
            constraints.push(constraint);
        }
        let before = *speed;
        let stands = self.solve(speed, &mut constraints);
        impulses.grips = stands || constraints.iter().any(ContactConstraint::sticks);
        self.press(&before, speed, contacts, feet, &constraints);
        impulses
    }

    #[inline(always)]
    fn constraint(&self, speed: &RigidVelocity, input: &SolverContact, foot: f64, alone: bool) -> ContactConstraint {
        let SolverContact { contact, surface, carrier } = input;
        let (normal, tangent) = (contact.normal, contact.tangent());
        let slow = contact.slow;
        let SurfaceTuning { own_rebound, own_friction, .. } = **surface;
        let mut constraint = ContactConstraint {
            normal,
            tangent,
            carrier: *carrier,
            slow,
            grip: ConstraintRow::new(contact.at, tangent, self.ratio),
            cap: self.tuning.friction_cap * surface.friction,
            share: own_friction.unwrap_or(self.tuning.friction * surface.friction).min(1.0),
            rebound: if slow {
                1.0
            } else {
                own_rebound.unwrap_or(self.tuning.rebound * surface.rebound)
            },
            foot,
            ..ContactConstraint::default()
        };
        if slow && own_friction.unwrap_or(self.tuning.friction * surface.friction) <= 0.0 {
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
        constraints: &[ContactConstraint],
    ) {
        let travel = self.tuning.foot_travel;
        if travel <= 0.0 {
            return;
        }
        for (contact, constraint) in contacts.list.iter().zip(constraints) {
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
    fn solve(&self, speed: &mut RigidVelocity, constraints: &mut [ContactConstraint]) -> bool {
        let before = *speed;
        let simultaneous = self.tuning.solver == Solver::Simultaneous;
        for constraint in constraints.iter_mut().filter(|c| !c.slow) {
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
        if simultaneous && constraints.iter().all(|c| !c.slow) {
            return false;
        }
        if stand(constraints, speed, self.ratio) {
            return true;
        }
        if let [alone] = constraints
            && alone.solve_alone(speed, self.ratio)
        {
            return false;
        }
        separate_both(constraints, speed, self.ratio);
        for sweep in 1..=self.tuning.solver_sweeps {
            let mut change = 0.0_f64;
            for constraint in constraints.iter_mut() {
                if simultaneous && !constraint.slow {
                    continue;
                }
                change = change.max(constraint.separate(speed, self.ratio));
                if constraint.slow && constraint.cap > 0.0 {
                    change = change.max(constraint.friction(speed, self.ratio));
                }
            }
            if change < AGREED || (!simultaneous && sweep.is_power_of_two() && agree(constraints, speed, self.ratio)) {
                break;
            }
        }
        false
    }
}

/// The change of velocity and spin by an impulse of 1, without what mass and inertia make of it.
#[derive(Clone, Copy)]
struct Lever {
    along: DVec2,
    arm: f64,
}

impl Lever {
    /// The share of another impulse's effect that is along this one.
    fn meets(&self, other: &Self, ratio: f64) -> f64 {
        self.along.dot(other.along) + ratio * self.arm * other.arm
    }
}

/// A body in a plane moves in three ways, so no more impulses follow from what they have to reach.
const MOST_FREE: usize = 3;

/// What is off by less than this is rounding, px/s.
const ROUNDING: f64 = 1e-9;

/// Finds by equations what sweeps only come near to: the rows that press now press, contacts with full friction slide, and
/// the others hold. Returns whether all of that is true of the impulses that follow; if not, nothing changes.
fn agree(constraints: &mut [ContactConstraint], speed: &mut RigidVelocity, ratio: f64) -> bool {
    let mut free = *speed;
    for c in constraints.iter() {
        c.rows.iter().for_each(|row| free.push(-row.sum, c.normal, row.arm, ratio));
        free.push(-c.grip.sum, c.tangent, c.grip.arm, ratio);
    }
    // Of each unknown impulse: what it does, where that is measured, and what it has to remove.
    let mut unknown = ArrayVec::<(Lever, Lever, f64), MOST_FREE>::new();
    for c in constraints.iter() {
        let drag = c.drag();
        let grip = Lever { along: c.tangent, arm: c.grip.arm };
        for row in c.rows.iter().filter(|row| row.sum > 0.0) {
            let press = Lever { along: c.normal, arm: row.arm };
            let acts = Lever { along: press.along + grip.along * drag, arm: press.arm + grip.arm * drag };
            if unknown.try_push((acts, press, c.missing(&free, row))).is_err() {
                return false;
            }
        }
        if c.holds() && unknown.try_push((grip, grip, c.sliding(&free))).is_err() {
            return false;
        }
    }
    let Some(found) = eliminate(&unknown, ratio) else {
        return false;
    };
    let mut after = free;
    for ((acts, ..), impulse) in unknown.iter().zip(found) {
        after.push(impulse, acts.along, acts.arm, ratio);
    }
    // The same order as above.
    let mut impulses = found.into_iter();
    let mut next = || impulses.next().unwrap_or(0.0);
    let mut solved = ArrayVec::<[f64; 3], MAX_CONTACTS>::new();
    for c in constraints.iter() {
        let sums = c.rows.map(|row| if row.sum > 0.0 { next() } else { 0.0 });
        let most = sums[0] + sums[1];
        let held = if c.holds() { next() } else { c.drag() * most };
        let presses = sums.iter().all(|sum| *sum >= 0.0);
        let parts = c.rows[..c.count].iter().all(|row| row.sum > 0.0 || c.missing(&after, row) >= -ROUNDING);
        let drags = if c.holds() {
            held.abs() <= c.cap * most
        } else {
            c.sliding(&after) * held <= ROUNDING
        };
        if !(presses && parts && drags) {
            return false;
        }
        solved.push([sums[0], sums[1], held]);
    }
    for (c, [first, second, held]) in constraints.iter_mut().zip(solved) {
        (c.rows[0].sum, c.rows[1].sum, c.grip.sum) = (first, second, held);
    }
    *speed = after;
    true
}

/// The impulses that remove what they have to; `None` if they do not follow from that.
fn eliminate(unknown: &[(Lever, Lever, f64)], ratio: f64) -> Option<[f64; MOST_FREE]> {
    let count = unknown.len();
    let mut rows = [[0.0; MOST_FREE + 1]; MOST_FREE];
    for (row, (_, measured, missing)) in rows.iter_mut().zip(unknown) {
        for (entry, (acts, ..)) in row.iter_mut().zip(unknown) {
            *entry = measured.meets(acts, ratio);
        }
        row[MOST_FREE] = -missing;
    }
    for i in 0..count {
        let pivot = (i..count).max_by(|a, b| rows[*a][i].abs().total_cmp(&rows[*b][i].abs()))?;
        rows.swap(i, pivot);
        if rows[i][i].abs() < ONE_POINT {
            return None;
        }
        let above = rows[i];
        for row in &mut rows[i + 1..count] {
            let share = row[i] / above[i];
            row.iter_mut().zip(above).skip(i).for_each(|(entry, by)| *entry -= share * by);
        }
    }
    let mut found = [0.0; MOST_FREE];
    for i in (0..count).rev() {
        let known: f64 = (i + 1..count).map(|j| rows[i][j] * found[j]).sum();
        found[i] = (rows[i][MOST_FREE] - known) / rows[i][i];
    }
    Some(found)
}

/// A gap that closes more slowly than this bears weight, px/s; negative, as targets are.
const BEARING: f64 = -0.1;

/// So does a gap of a few thousandths of a px where the hull bears without one. Friction may keep that gap open for good.
const WEDGED: f64 = -2.0;

/// Stops the vessel if impulses at its two outermost contact points, each within its friction cone,
/// can remove all of its velocity. Returns whether they can.
fn stand(constraints: &[ContactConstraint], speed: &mut RigidVelocity, ratio: f64) -> bool {
    let Some(first) = constraints.first() else {
        return false;
    };
    let (carrier, along) = (first.carrier, first.tangent);
    let bears = |c: &ContactConstraint| c.rows[..c.count].iter().any(|row| row.target > BEARING);
    let wedged = constraints.iter().all(|c| c.foot == 0.0) && constraints.iter().any(bears);
    let least = if wedged { WEDGED } else { BEARING };
    let mut ends: [Option<(f64, &ContactConstraint, &ConstraintRow)>; 2] = [None, None];
    for constraint in constraints {
        if !constraint.slow || constraint.cap <= 0.0 || constraint.carrier != carrier {
            return false;
        }
        for row in constraint.rows[..constraint.count].iter().filter(|r| r.target > least) {
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
    let wanted = carrier - speed.vel;
    // Impulses that all lie on one side of what is wanted cannot add up to it.
    let least = ROUNDING * wanted.abs().max_element();
    let side = |c: &ContactConstraint, cap: f64| wanted.perp_dot(c.normal + c.tangent * cap);
    let sides = [side(one, one.cap), side(one, -one.cap), side(other, other.cap), side(other, -other.cap)];
    if sides.iter().all(|side| *side > least) || sides.iter().all(|side| *side < -least) {
        return false;
    }
    let stands = stands(one, first, other, second, wanted, -speed.spin / ratio);
    if stands {
        *speed = RigidVelocity { vel: carrier, spin: 0.0 };
    }
    stands
}
impl ContactConstraint {
    /// Applies all impulses of a single slow contact in closed form: either it holds, or it slides with
    /// full friction. Returns whether one of the two is consistent.
    pub fn solve_alone(&mut self, speed: &mut RigidVelocity, ratio: f64) -> bool {
        if !self.slow || self.count != 2 {
            return false;
        }
        let [first, second] = self.rows;
        let grip = self.grip;
        let start = [first, second].map(|row| self.missing(speed, &row));
        let sliding = self.sliding(speed);
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
    one: &ContactConstraint,
    first: &ConstraintRow,
    other: &ContactConstraint,
    second: &ConstraintRow,
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
