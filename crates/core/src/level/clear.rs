//! Where nothing is in the way of a body that walks on a face.
//!
//! Most bodies walk along faces. What they could run into there does not change, so each face knows for bodies of one
//! shape on which part of the line of their centers they touch nothing else.

use super::{
    touchable::{NearFace, SLACK, Touchable},
    *,
};
use crate::geometry::TOUCH_SHARE;

/// The longest such part of the line, px from where the center is over the middle of the face.
#[derive(Clone, Copy, Debug)]
pub struct ClearStretch {
    from: f64,
    to: f64,
}

/// A body this close to the line is on it, px: more than rounding can change, and less than what counts as a touch.
const ON_LINE: f64 = 1e-8;

/// The distance of the places on the line for which it is looked up what is near them, px. What is near a place is so for those
/// around it, too.
const APART: f64 = 12.0;

/// How many faces and corners are looked at for all stretches of a shape. Only faces of millions of px in all have more; no
/// stretch is known of the rest.
pub const MOST_LOOKS: u32 = 1 << 21;

/// The sine of the angle between a line and a face that are about parallel.
const ABOUT_PARALLEL: f64 = 1e-3;

/// Where a quantity is in this range that is `first` in the middle and grows by `pace` per px.
fn within(first: f64, pace: f64, [least, most]: [f64; 2]) -> [f64; 2] {
    if pace.abs() < 1e-12 {
        let all = first >= least && first <= most;
        return if all {
            [f64::NEG_INFINITY, f64::INFINITY]
        } else {
            [f64::INFINITY, f64::NEG_INFINITY]
        };
    }
    let ends = [least, most].map(|end| (end - first) / pace);
    [ends[0].min(ends[1]), ends[0].max(ends[1])]
}

impl ClearStretch {
    /// A stretch without any place.
    const NONE: Self = Self { from: 0.0, to: -1.0 };

    /// The stretch of a face. It may lead beyond its ends, by up to the size of the body. Takes what it looks at from `left`,
    /// and is empty if that is not enough.
    pub fn new(own: &NearFace, touchable: &Touchable, left: &mut u32) -> Self {
        let half = own.half + touchable.shape.half.max_element();
        let middle = own.along * own.middle + Face::normal_of(own.along) * own.height;
        let mut blocked = vec![[half, half]];
        let count = (2.0 * half / APART).ceil();
        for step in 0..=count as u32 {
            if *left == 0 {
                return Self::NONE;
            }
            *left -= 1;
            let mut look = || *left = left.saturating_sub(1);
            let ahead = (f64::from(step) / count - 0.5) * (2.0 * half);
            let (faces, corners) = touchable.near(middle + own.along * ahead);
            blocked.extend(faces.inspect(|_| look()).filter_map(|face| past_face(face, middle, own.along, half)));
            let (per_half, along) = (touchable.per_half, own.along * touchable.per_half);
            blocked.extend(
                corners
                    .inspect(|_| look())
                    .filter_map(|corner| past_corner((middle - corner) * per_half, along)),
            );
        }
        blocked.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]));
        let (mut clear, mut free) = (Self::NONE, -half);
        for [from, to] in blocked {
            if from.min(half) - free > (clear.to - clear.from).max(0.0) {
                clear = Self { from: free, to: from.min(half) };
            }
            free = free.max(to);
        }
        clear
    }

    /// Whether a place is on the stretch of this face.
    #[inline(always)]
    pub fn holds(&self, own: &NearFace, at: DVec2) -> bool {
        let (place, gap) = (own.along.dot(at) - own.middle, Face::normal_of(own.along).dot(at) - own.height);
        (gap.abs() <= ON_LINE) & (self.from <= place) & (place <= self.to)
    }
}

/// The part of a line through `middle` on which a face may be touched from there. Moving along a face, or away from it, is no
/// touch.
fn past_face(face: &NearFace, middle: DVec2, along: DVec2, half: f64) -> Option<[f64; 2]> {
    let normal = Face::normal_of(face.along);
    let (gap, closing) = (normal.dot(middle) - face.height, normal.dot(along));
    if gap - closing.abs() * half >= -0.5 * TOUCH {
        return None;
    }
    let place = face.along.dot(middle) - face.middle - face.lean * gap;
    let pace = face.along.dot(along) - face.lean * closing;
    // From where the line comes to a face that it is not about parallel to, it leads by hardly anything along that before it
    // is as deep as a touch has to lead.
    let touches = if closing.abs() < ABOUT_PARALLEL { SLACK } else { -0.5 * TOUCH };
    let most = face.half + SLACK;
    let [a, b] = [within(gap, closing, [-face.reach - SLACK, touches]), within(place, pace, [-most, most])];
    let both = [a[0].max(b[0]), a[1].min(b[1])];
    (both[0] <= both[1]).then_some(both)
}

/// The same for a corner, from the middle relative to it and the direction of the line, both in the space in which the body is
/// a unit circle.
fn past_corner(middle: DVec2, along: DVec2) -> Option<[f64; 2]> {
    let (squared, approach) = (along.length_squared(), middle.dot(along));
    let radius = 1.0 - 0.5 * TOUCH_SHARE;
    let inside = approach * approach - squared * (middle.length_squared() - radius * radius);
    (inside > 0.0).then(|| [-1.0, 1.0].map(|side: f64| (side * inside.sqrt() - approach) / squared))
}
