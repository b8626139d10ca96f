//! A convex shape on the stack that lines can clip.

use super::cross;
use glam::DVec2;

/// Maximum number of corners of a [`Clip`]. Each cut adds at most one.
pub const MOST_CLIP: usize = 32;

/// Maximum number of corners a [`Clip`] can start with, which leaves room for the same number of
/// cuts.
const MOST_START: usize = MOST_CLIP / 2;

/// The thickness that rounding alone can give a line, as a fraction of its coordinates.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// A convex outline, wound counterclockwise, that lines cut down. It lives on the stack because one
/// is made and cut for every contact in every tick.
#[derive(Clone, Copy, Debug)]
pub struct Clip {
    points: [DVec2; MOST_CLIP],
    count: usize,
}

impl Clip {
    /// The whole of a convex outline, px; `None` if it has more than 16 points.
    #[inline]
    pub fn of(points: &[DVec2]) -> Option<Self> {
        if points.len() > MOST_START {
            return None;
        }
        let mut clip = Self { points: [DVec2::ZERO; MOST_CLIP], count: points.len() };
        clip.points[..points.len()].copy_from_slice(points);
        Some(clip)
    }

    /// The corners that remain, px; empty if nothing does.
    #[inline]
    pub fn points(&self) -> &[DVec2] {
        &self.points[..self.count]
    }

    /// The part at or behind the line through `start` with the outward unit normal `normal`.
    ///
    /// A result with more than [`MOST_CLIP`] corners, which takes more than 16 cuts, drops the
    /// corners that make the least difference.
    #[inline]
    pub fn behind(mut self, start: DVec2, normal: DVec2) -> Self {
        self.keep_behind(start, normal);
        self
    }

    /// Cuts in place, like [`Self::behind`]. Several cuts in a row are several times faster without
    /// copies in between.
    #[inline]
    pub fn keep_behind(&mut self, start: DVec2, normal: DVec2) {
        let mut outside = 0_u32;
        for (i, point) in self.points().iter().enumerate() {
            outside |= u32::from(normal.dot(*point - start) > 0.0) << i;
        }
        if outside != 0 {
            if self.count == MOST_CLIP {
                self.make_room();
                self.keep_behind(start, normal);
                return;
            }
            self.cut(outside, start, normal);
        }
    }

    /// Drops the corner that makes the least difference.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self) {
        let points = self.points();
        let mut least = (f64::INFINITY, 0);
        for (i, point) in points.iter().enumerate() {
            let before = points[(i + points.len() - 1) % points.len()];
            let after = points[(i + 1) % points.len()];
            let area = (*point - before).perp_dot(after - *point);
            if area < least.0 {
                least = (area, i);
            }
        }
        self.points.copy_within(least.1 + 1..self.count, least.1);
        self.count -= 1;
    }

    /// Cuts off the corners whose bits are set in `outside`. At least one is set, and there is room
    /// for one more corner.
    #[inline]
    fn cut(&mut self, outside: u32, start: DVec2, normal: DVec2) {
        let inside = !outside & (u32::MAX >> (MOST_CLIP - self.count));
        if inside == 0 {
            self.count = 0;
            return;
        }
        // A line crosses a convex outline in one place, so the corners to cut form one run.
        if outside & 1 == 0 {
            let first = outside.trailing_zeros();
            let run = (outside >> first).trailing_ones();
            if (outside >> first) >> run == 0 {
                self.cut_middle(first as usize, run as usize, start, normal);
                return;
            }
        } else {
            let first = inside.trailing_zeros();
            let run = (inside >> first).trailing_ones();
            if (inside >> first) >> run == 0 {
                self.cut_ends(first as usize, run as usize, start, normal);
                return;
            }
        }
        self.cut_often(start, normal);
    }

    /// Replaces a run of corners, not including the first, with the two ends of the cut.
    #[inline]
    fn cut_middle(&mut self, first: usize, run: usize, start: DVec2, normal: DVec2) {
        let after = first + run;
        let next = if after == self.count { 0 } else { after };
        let leaves = self.crossing(first - 1, first, start, normal);
        let enters = self.crossing(next, after - 1, start, normal);
        self.points[first] = leaves;
        if run != 2 {
            self.points.copy_within(after..self.count, first + 2);
        }
        self.points[first + 1] = enters;
        self.count = self.count + 2 - run;
    }

    /// Keeps a run of corners, not including the first, and adds the two ends of the cut.
    #[inline]
    fn cut_ends(&mut self, first: usize, run: usize, start: DVec2, normal: DVec2) {
        let after = first + run;
        let next = if after == self.count { 0 } else { after };
        let leaves = self.crossing(after - 1, next, start, normal);
        let enters = self.crossing(first, first - 1, start, normal);
        self.points.copy_within(first..after, 0);
        self.points[run] = leaves;
        self.points[run + 1] = enters;
        self.count = run + 2;
    }

    /// Where the edge from a kept corner to a removed one crosses the line.
    #[inline]
    fn crossing(&self, kept: usize, removed: usize, start: DVec2, normal: DVec2) -> DVec2 {
        let (kept, removed) = (self.points[kept], self.points[removed]);
        let (behind, before) = (normal.dot(kept - start), normal.dot(removed - start));
        kept + (removed - kept) * (behind / (behind - before))
    }

    /// The cut of an outline that the line crosses more than once, which happens when it lies along
    /// an edge and rounding puts corners on both sides of it.
    #[cold]
    #[inline(never)]
    fn cut_often(&mut self, start: DVec2, normal: DVec2) {
        let whole = *self;
        let is_kept = |i: usize| normal.dot(whole.points[i] - start) <= 0.0;
        self.count = 0;
        for i in 0..whole.count {
            let next = (i + 1) % whole.count;
            match (is_kept(i), is_kept(next)) {
                (true, true) => self.add(whole.points[i]),
                (true, false) => {
                    self.add(whole.points[i]);
                    self.add(whole.crossing(i, next, start, normal));
                }
                (false, true) => self.add(whole.crossing(next, i, start, normal)),
                (false, false) => {}
            }
        }
    }

    fn add(&mut self, point: DVec2) {
        if self.count < MOST_CLIP {
            self.points[self.count] = point;
            self.count += 1;
        }
    }

    /// Area in px² and barycenter of the remaining shape; `None` if it is no thicker than rounding
    /// error.
    #[inline]
    pub fn area_and_barycenter(&self) -> Option<(f64, DVec2)> {
        let [first, second, rest @ ..] = self.points() else {
            return None;
        };
        let mut before = *second - *first;
        let mut reach = before.abs();
        let (mut doubled, mut weighted) = (0.0, DVec2::ZERO);
        for point in rest {
            let here = *point - *first;
            let part = cross(before, here);
            doubled += part;
            weighted += (before + here) * part;
            reach = reach.max(here.abs());
            before = here;
        }
        let size = reach.max_element();
        let thinnest = ROUNDING * (size + first.abs().max_element());
        (doubled > size * thinnest).then(|| (doubled / 2.0, *first + weighted / (3.0 * doubled)))
    }

    /// Minimum and maximum of the corners' distances along a unit vector, px from the origin;
    /// reversed and infinite if nothing remains.
    #[inline]
    pub fn extent(&self, along: DVec2) -> (f64, f64) {
        let nothing = (f64::INFINITY, f64::NEG_INFINITY);
        self.points().iter().fold(nothing, |(least, most), point| {
            let at = along.dot(*point);
            (least.min(at), most.max(at))
        })
    }
}
