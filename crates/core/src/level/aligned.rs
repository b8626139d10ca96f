//! Corners that are almost in line with others.

use super::Solid;
use crate::geometry::polygon::doubled_area;
use glam::DVec2;
use std::borrow::Cow;

/// Coordinates of corners closer than this are the same coordinate, px. It is more than the
/// distances that joining takes for none: sides of boxes then coincide or are clearly apart, and no
/// side is shorter than the distance at which pieces are linked.
const ALIGNED: f64 = 8e-6;

/// The solids, with corners that are almost in line with others moved into line.
pub(super) fn aligned<'a>(solids: &[&'a Solid]) -> Vec<Cow<'a, Solid>> {
    let columns = Lines::new(solids, |p| p.x);
    let rows = Lines::new(solids, |p| p.y);
    let align = |solid: &&'a Solid| {
        let moved = |p: &DVec2| DVec2::new(columns.nearest_below(p.x), rows.nearest_below(p.y));
        let points: Vec<DVec2> = solid.points.iter().map(moved).collect();
        // A sliver thinner than that could lose its area or be turned inside out.
        if points == solid.points || doubled_area(&points) <= 0.0 {
            Cow::Borrowed(*solid)
        } else {
            Cow::Owned(Solid::new(solid.name.clone(), solid.surface, points))
        }
    };
    solids.iter().map(align).collect()
}

/// The coordinates of all corners along an axis, ascending, each far enough from the one before.
struct Lines(Vec<f64>);

impl Lines {
    fn new(solids: &[&Solid], along: fn(&DVec2) -> f64) -> Self {
        let points = solids.iter().flat_map(|solid| &solid.points);
        let mut all: Vec<f64> = points.map(along).collect();
        all.sort_unstable_by(f64::total_cmp);
        let mut last = f64::NEG_INFINITY;
        all.retain(|at| {
            let is_apart = at - last > ALIGNED;
            if is_apart {
                last = *at;
            }
            is_apart
        });
        Self(all)
    }

    /// The line that a corner's coordinate belongs to.
    fn nearest_below(&self, at: f64) -> f64 {
        let above = self.0.partition_point(|line| *line <= at);
        let below = above.checked_sub(1).map(|index| self.0[index]);
        // What is not a number is in no line.
        below.unwrap_or(at)
    }
}
