//! Splits an outline with many points into triangles.
//!
//! Walks around the outline and cuts off every other ear it meets, so that the triangles stay about
//! equally large. Only corners that bend inward can be in the way of an ear; a grid finds them.

use super::{STRAIGHT, bends_in};
use crate::geometry::Grid;
use crate::geometry::grid::Bounds;
use glam::DVec2;

/// An outline from which ears are cut.
pub(super) struct Ears<'a> {
    outline: &'a [DVec2],
    /// The neighbors of each remaining point.
    before: Vec<usize>,
    after: Vec<usize>,
    /// Whether a point remains that bent inward when it was last looked at.
    inward: Vec<bool>,
    /// The points that bend inward in the whole outline.
    grid: Grid<u32>,
    /// How many more points may be looked at.
    work: usize,
}

/// How strictly ears are chosen: clear of all other points by more than rounding error, clear of
/// them, and, for outlines that are not simple or too tangled, any.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Care {
    Full,
    Some,
    Little,
}

/// How many points all ears of one outline may be compared with.
const MOST_WORK: usize = 30_000_000;

impl<'a> Ears<'a> {
    pub fn new(outline: &'a [DVec2]) -> Self {
        let count = outline.len();
        let before: Vec<usize> = (0..count).map(|i| (i + count - 1) % count).collect();
        let after: Vec<usize> = (0..count).map(|i| (i + 1) % count).collect();
        let inward: Vec<bool> =
            (0..count).map(|i| bends_in(outline[before[i]], outline[i], outline[after[i]])).collect();
        let points: Vec<(Bounds, u32)> = (0..count)
            .filter(|i| inward[*i])
            .map(|i| (Bounds::of(outline[i], outline[i]), i as u32))
            .collect();
        let all = Bounds::around(outline);
        let cell = (all.max - all.min).max_element() / count as f64;
        Self { outline, before, after, inward, grid: Grid::new(&points, cell), work: MOST_WORK }
    }

    /// The triangles, as the indices of their corners.
    pub fn cut(mut self) -> Vec<Vec<usize>> {
        let mut triangles = Vec::with_capacity(self.outline.len() - 2);
        let mut left = self.outline.len();
        let (mut at, mut refused, mut care) = (0, 0, Care::Full);
        while left > 3 {
            if self.work == 0 {
                care = Care::Little;
            }
            if self.is_ear(at, care) {
                let (before, after) = (self.before[at], self.after[at]);
                triangles.push(vec![before, at, after]);
                self.after[before] = after;
                self.before[after] = before;
                self.inward[at] = false;
                for i in [before, after] {
                    self.inward[i] &= self.bends_in(i);
                }
                left -= 1;
                refused = 0;
                at = self.after[after];
                continue;
            }
            at = self.after[at];
            refused += 1;
            if refused > left {
                refused = 0;
                care = match care {
                    Care::Full => Care::Some,
                    _ => Care::Little,
                };
            }
        }
        triangles.push(vec![self.before[at], at, self.after[at]]);
        triangles
    }

    fn bends_in(&self, at: usize) -> bool {
        let point = |i: usize| self.outline[i];
        bends_in(point(self.before[at]), point(at), point(self.after[at]))
    }

    /// Whether a corner can be cut off.
    fn is_ear(&mut self, at: usize, care: Care) -> bool {
        let corners = [self.before[at], at, self.after[at]];
        let [a, b, c] = corners.map(|i| self.outline[i]);
        let longest = [b - a, c - b, a - c].map(DVec2::length_squared);
        let longest = longest.into_iter().fold(0.0, f64::max);
        let thickness = (b - a).perp_dot(c - a);
        let margin = match care {
            Care::Full => STRAIGHT,
            Care::Some => 0.0,
            Care::Little => return true,
        };
        if thickness <= margin * longest {
            return false;
        }
        let within = |from: DVec2, to: DVec2, point: DVec2| {
            let side = to - from;
            side.perp_dot(point - from) >= -margin * side.length_squared()
        };
        let mut clear = true;
        let mut visited = 1;
        let Self { outline, inward, grid, .. } = &*self;
        grid.visit(&Bounds::around(&[a, b, c]), |i| {
            let i = *i as usize;
            visited += 1;
            let point = outline[i];
            clear &= !(inward[i]
                && within(c, a, point)
                && within(a, b, point)
                && within(b, c, point)
                && !corners.contains(&i));
        });
        self.work = self.work.saturating_sub(visited);
        clear
    }
}
