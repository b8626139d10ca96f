//! Whether two bodies overlap, and the shortest move that separates them.

use super::{
    separation::separation,
    sweep::{Face, Touch},
    *,
};

/// Iteration limit for Newton's method. Close to the solution each step doubles the number of
/// correct digits.
const STEPS: u32 = 24;

/// Newton's method stops at a step smaller than this, radians: it changes the overlap by less than
/// rounding error.
const SHORTEST: f64 = 1e-9;

/// How often the interval that is searched for an axis doubles at most.
const WIDENINGS: u32 = 24;

/// The quarter turn that holds the best axis is searched in this many equal parts. `TURN` is the
/// cosine and sine of one part, 7.5°.
const PARTS: u32 = 12;
const TURN: DVec2 = DVec2::new(0.991_444_861_373_810_4, 0.130_526_192_220_051_57);

/// The move that takes the first of two upright bodies out of the second, px; `None` if they do not overlap.
///
/// Two convex bodies are separated along the axis `n` by `d·n − reach₁(n) − reach₂(n)`, where `d`
/// points from one center to the other. The best axis is the one with the largest separation. An
/// upright body reaches equally far along an axis and its mirror images, so the best axis lies in the
/// same quarter as `d`. A wide and a tall ellipse have several local maxima there with almost the
/// same value: every part of the quarter in which the slope changes from positive to negative is
/// refined with Newton's method. Two boxes have none, and the best axis is one of its ends.
pub fn colliders(a: Collider, at_a: DVec2, b: Collider, at_b: DVec2) -> Option<DVec2> {
    let from = at_a - at_b;
    let sum = a.half + b.half;
    if from.abs().cmpge(sum).any() {
        return None;
    }
    let (axis, gap) = best_axis(a, b, from);
    (gap < -TOUCH).then(|| axis * -gap)
}

/// The axis along which two upright bodies are separated most, toward the first one, which is this far from the second, and
/// that separation, px.
fn best_axis(a: Collider, b: Collider, from: DVec2) -> (DVec2, f64) {
    let side = DVec2::new(side(from.x), side(from.y));
    let pair = ColliderPair::new(a, b, from.abs());
    let mut best = (DVec2::X, pair.gap(DVec2::X));
    let (mut begin, mut leads_up) = (DVec2::X, pair.slope(DVec2::X).0 >= 0.0);
    for part in 1..=PARTS {
        let end = if part == PARTS { DVec2::Y } else { turned(TURN, begin) };
        let slope = pair.slope(end).0;
        if leads_up && (slope <= 0.0 || part == PARTS) {
            for axis in [pair.summit(begin, end), end] {
                let gap = pair.gap(axis);
                if gap > best.1 {
                    best = (axis, gap);
                }
            }
        }
        (begin, leads_up) = (end, slope >= 0.0);
    }
    (best.0 * side, best.1)
}

/// When a motion leads the first of two upright bodies, which is this far from the second, into that; `None` if it does not, or
/// if they overlap.
///
/// The separation of convex bodies is a convex function of the time, so each step of Newton's method ends before the touch.
pub fn sweep_colliders(a: Collider, from: DVec2, b: Collider, motion: DVec2) -> Option<Touch> {
    let mut time = 0.0;
    for _ in 0..STEPS {
        let (normal, gap) = best_axis(a, b, from + motion * time);
        let speed = -motion.dot(normal);
        if speed <= 0.0 || gap < -TOUCH {
            return None;
        }
        if gap <= 0.5 * TOUCH {
            return Some(Touch { time, normal });
        }
        time += gap / speed;
        if time > 1.0 {
            return None;
        }
    }
    None
}

/// How far the first of two upright bodies moves along the unit vector `toward` until it leaves the second, px;
/// `None` if they do not overlap.
///
/// For an axis `v` whose component along `toward` is 1, the two are separated along `v` after
/// a move by `reach₁(v) + reach₂(v) − d·v`, where `d` points from one center to the other. The
/// least of these distances is the answer. With `v = toward + t·across`, it is a convex function of
/// `t`.
pub fn colliders_along(a: Collider, at_a: DVec2, b: Collider, at_b: DVec2, toward: DVec2) -> Option<f64> {
    let pair = ColliderPair::new(a, b, at_a - at_b);
    let across = toward.perp();
    if pair.gap(across) >= 0.0 || pair.gap(-across) >= 0.0 {
        return None;
    }
    let slope = |t: f64| pair.slope_along(toward + across * t, across);
    let (mut low, mut high) = (-1.0, 1.0);
    for _ in 0..WIDENINGS {
        if slope(low).0 > 0.0 {
            low *= 2.0;
        }
        if slope(high).0 < 0.0 {
            high *= 2.0;
        }
    }
    let mut t = 0.0;
    for _ in 0..2 * STEPS {
        let (slope, bend) = slope(t);
        if slope > 0.0 {
            high = t;
        } else {
            low = t;
        }
        let next = t - slope / bend;
        let next = if next > low && next < high { next } else { 0.5 * (low + high) };
        let step = (next - t).abs();
        t = next;
        if step <= SHORTEST {
            break;
        }
    }
    let distance = -pair.gap(toward + across * t);
    (distance > TOUCH).then_some(distance)
}

/// Whether two upright bodies overlap.
///
/// They overlap if the offset between their centers lies in the sum of both shapes. That sum
/// contains the ellipse with the summed half-widths, so an offset well inside this ellipse needs no
/// search.
pub fn colliders_meet(a: Collider, at_a: DVec2, b: Collider, at_b: DVec2) -> bool {
    let inside = (at_a - at_b) / (a.half + b.half - TOUCH);
    inside.length_squared() < 1.0 || colliders(a, at_a, b, at_b).is_some()
}

fn side(v: f64) -> f64 {
    if v < 0.0 { -1.0 } else { 1.0 }
}

/// Two upright bodies and the vector between their centers.
struct ColliderPair {
    /// Half-widths of the flat parts of both together, px.
    flat: DVec2,
    /// Half-widths of the ellipses with which each is round.
    round: [DVec2; 2],
    from: DVec2,
}

impl ColliderPair {
    fn new(a: Collider, b: Collider, from: DVec2) -> Self {
        Self { flat: a.flat() + b.flat(), round: [a.round(), b.round()], from }
    }

    /// The half-widths of each round part, and how far that reaches along an axis.
    fn reaches(&self, axis: DVec2) -> impl Iterator<Item = (DVec2, f64)> {
        let round = self.round.into_iter().filter(|half| *half != DVec2::ZERO);
        round.map(move |half| (half, Collider::ellipse(half.x, half.y).reach(axis)))
    }

    /// Separation of the two along an axis, px; negative where they overlap.
    fn gap(&self, axis: DVec2) -> f64 {
        let flat = self.from.dot(axis) - self.flat.dot(axis.abs());
        self.reaches(axis).fold(flat, |gap, (_, reach)| gap - reach)
    }

    /// First and second derivative of the gap with respect to the axis's angle.
    fn slope(&self, axis: DVec2) -> (f64, f64) {
        let across = axis.perp();
        let from = self.from - self.flat * axis.map(side);
        let (mut slope, mut bend) = (from.dot(across), -from.dot(axis));
        for (half, reach) in self.reaches(axis) {
            let squared = half * half;
            let first = (squared * axis).dot(across) / reach;
            slope -= first;
            bend -= ((squared * across).dot(across) - reach * reach - first * first) / reach;
        }
        (slope, bend)
    }

    /// First and second derivative of the overlap along `axis` as the axis moves by `across`.
    fn slope_along(&self, axis: DVec2, across: DVec2) -> (f64, f64) {
        let from = self.from - self.flat * axis.map(side);
        let (mut slope, mut bend) = (-from.dot(across), 0.0);
        for (half, reach) in self.reaches(axis) {
            let squared = half * half;
            let first = (squared * axis).dot(across) / reach;
            slope += first;
            bend += ((squared * across).dot(across) - first * first) / reach;
        }
        (slope, bend)
    }

    /// The axis between `low` and `high` with the largest gap. The gap grows at `low` and shrinks
    /// at `high`. Where a Newton step would leave that interval, the interval is bisected instead.
    fn summit(&self, mut low: DVec2, mut high: DVec2) -> DVec2 {
        let mut axis = (low + high).normalize();
        for _ in 0..STEPS {
            let (slope, bend) = self.slope(axis);
            if slope > 0.0 {
                low = axis;
            } else {
                high = axis;
            }
            let turn = if bend < 0.0 { -slope / bend } else { 1.0 };
            let next = (axis + axis.perp() * turn).normalize();
            if low.perp_dot(next) > 0.0 && next.perp_dot(high) > 0.0 {
                axis = next;
            } else if turn.abs() > SHORTEST {
                axis = (low + high).normalize();
            }
            if turn.abs() <= SHORTEST {
                break;
            }
        }
        axis
    }
}

/// The move that takes the first convex polygon out of the second and leaves `margin` px between
/// them; `None` if they are that far apart already. Both are wound counterclockwise.
pub fn convex(a: &[DVec2], b: &[DVec2], margin: f64) -> Option<DVec2> {
    let out_of_b = least_overlap(b, a, margin)?;
    let out_of_a = least_overlap(a, b, margin)?;
    let ((out, least), (away, other)) = (out_of_b, out_of_a);
    Some(if least <= other { out * least } else { -away * other })
}

/// The edge normal of `of` along which `other` overlaps it least, and the depth along it, px. `of`
/// is grown by `margin` px first.
fn least_overlap(of: &[DVec2], other: &[DVec2], margin: f64) -> Option<(DVec2, f64)> {
    let mut least = (DVec2::ZERO, f64::INFINITY);
    for (start, end) in sides(of) {
        let normal = Face::normal_of((end - start).normalize_or_zero());
        let depth = other.iter().map(|p| -(*p - start).dot(normal)).fold(f64::NEG_INFINITY, f64::max) + margin;
        if depth <= TOUCH {
            return None;
        }
        if depth < least.1 {
            least = (normal, depth);
        }
    }
    Some(least)
}

/// The move that takes an upright body out of a polygon, px; `None` if they do not overlap.
pub fn collider_and_polygon(a: Collider, at: DVec2, b: &[DVec2]) -> Option<DVec2> {
    let separation = separation(a, at, b);
    separation.overlaps().then_some(separation.to_touch)
}
