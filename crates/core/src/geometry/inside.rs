//! Whether points lie inside an outline with many edges.

use super::{
    separation::{Nearest, Separation},
    *,
};

/// The edges of an outline by where they lie along one axis. A query looks only at those next to the
/// point.
#[derive(Clone, Debug)]
pub struct Inside {
    /// The axis: 0 for x, 1 for y.
    axis: usize,
    /// Indices of the edges by their places along it.
    edges: Grid<u32>,
}

/// Outlines with fewer points are searched faster as they are.
const FEW: usize = 64;

/// The number of edges for each stripe, and how often edges are listed at most on average.
const EDGES_PER_STRIPE: usize = 4;
const MOST_LISTED: f64 = 4.0;

impl Inside {
    /// Sorts the edges of a closed outline; `None` if there are few.
    pub fn of(points: &[DVec2]) -> Option<Self> {
        if points.len() < FEW {
            return None;
        }
        let all = Bounds::around(points);
        let size = (all.max - all.min).max(DVec2::splat(f64::MIN_POSITIVE));
        // Into how many stripes each axis can be divided without listing edges too often.
        let spans = polygon::sides(points).fold(DVec2::ZERO, |sum, (a, b)| sum + (a - b).abs());
        let share = (spans / size).max(DVec2::ONE);
        let most = DVec2::splat(points.len() as f64 * (MOST_LISTED - 2.0)) / share;
        let stripes = [most.x, most.y].map(|most| (most as usize).clamp(1, points.len() / EDGES_PER_STRIPE));
        let axis = usize::from(stripes[1] >= stripes[0]);
        let place = |point: DVec2| DVec2::new(point[axis], 0.0);
        let edges = polygon::sides(points).map(|(a, b)| Bounds::of(place(a), place(b)));
        let edges: Vec<(Bounds, u32)> = edges.zip(0..).collect();
        Some(Self { axis, edges: Grid::new(&edges, size[axis] / stripes[axis] as f64) })
    }

    /// Whether `point` lies inside the outline with these points, from which this was made.
    pub fn contains(&self, points: &[DVec2], point: DVec2) -> bool {
        let (v, u) = (self.axis, 1 - self.axis);
        let place = DVec2::new(point[v], 0.0);
        let mut inside = false;
        self.edges.visit(&Bounds::of(place, place), |i| {
            let (a, b) = (points[*i as usize], points[(*i as usize + 1) % points.len()]);
            if (a[v] > point[v]) != (b[v] > point[v]) {
                let crossing = a[u] + (point[v] - a[v]) / (b[v] - a[v]) * (b[u] - a[u]);
                inside ^= point[u] < crossing;
            }
        });
        inside
    }
}

/// Whether `point` lies inside the outline with these points, whose edges are sorted if there are many.
pub fn lies_in(points: &[DVec2], sorted: Option<&Inside>, point: DVec2) -> bool {
    match sorted {
        Some(inside) => inside.contains(points, point),
        None => polygon::contains(points, point),
    }
}

/// The edges of an outline by place.
#[derive(Clone, Debug)]
pub struct Rim {
    edges: Grid<[DVec2; 2]>,
    inside: Option<Inside>,
}

/// Outlines with fewer edges are searched faster as they are.
const FEW_EDGES: usize = 32;

/// Width of a grid cell, px.
const CELL: f64 = 40.0;

impl Rim {
    /// Sorts the edges of a closed outline; `None` if there are few.
    pub fn of(points: &[DVec2]) -> Option<Self> {
        if points.len() < FEW_EDGES {
            return None;
        }
        let edges = polygon::sides(points).map(|(a, b)| (Bounds::of(a, b), [a, b]));
        let boxes: Vec<(Bounds, [DVec2; 2])> = edges.collect();
        Some(Self { edges: Grid::shaped(&boxes, CELL, |ends| Extent::Line(*ends)), inside: Inside::of(points) })
    }

    /// The separation of a body at `center` from the outline with these points, from which this was
    /// made, if they overlap; `None` if not.
    pub fn overlap(&self, shape: Collider, center: DVec2, points: &[DVec2]) -> Option<Separation> {
        let inside = lies_in(points, self.inside.as_ref(), center);
        let found = Nearest::search(shape, center, inside, |nearest, area| {
            self.edges.visit(area, |[start, end]| nearest.consider(shape, center, *start, *end));
        });
        found.filter(Separation::overlaps)
    }
}
