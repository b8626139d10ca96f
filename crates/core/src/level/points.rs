//! Finding points by where they are.

use crate::geometry::Grid;
use crate::geometry::grid::Bounds;
use glam::DVec2;

/// Numbered points that are found by place.
pub(super) struct Points {
    points: Vec<DVec2>,
    grid: Grid<u32>,
    found: Vec<u32>,
}

/// Width of a grid cell, px.
const CELL: f64 = 16.0;

/// Maximum number of points that are found at one place.
const MOST_NEAR: usize = 256;

impl Points {
    /// Points with their indices as numbers.
    pub fn new(points: Vec<DVec2>) -> Self {
        let numbered = points.iter().zip(0..);
        let boxes: Vec<(Bounds, u32)> = numbered.map(|(p, i)| (Bounds::of(*p, *p), i)).collect();
        Self { grid: Grid::new(&boxes, CELL), points, found: Vec::new() }
    }

    /// The points in the square of this half-width around a place: from left to right, then upward,
    /// then in the order given. Of very many, not all are found.
    pub fn near(&mut self, place: DVec2, distance: f64) -> &[u32] {
        let area = Bounds::of(place, place).grown(DVec2::splat(distance));
        let Self { points, grid, found } = self;
        found.clear();
        grid.visit(&area, |i| {
            if found.len() < MOST_NEAR && area.holds(points[*i as usize]) {
                found.push(*i);
            }
        });
        found.sort_unstable_by(|i, j| {
            let (a, b) = (points[*i as usize], points[*j as usize]);
            (a.x.total_cmp(&b.x)).then(a.y.total_cmp(&b.y)).then(i.cmp(j))
        });
        found.dedup();
        found
    }
}
