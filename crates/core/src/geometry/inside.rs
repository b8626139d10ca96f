//! Whether points lie inside an outline with many edges.

use super::grid::{Bounds, Extent};
use super::separation::{Nearest, Separation};
use super::{Ellipse, Grid, polygon};
use glam::DVec2;

/// The edges of an outline by where they lie along one axis. A query looks only at those next to the
/// point.
#[derive(Clone, Debug)]
pub struct Inside {
    /// The axis: 0 for x, 1 for y.
    axis: usize,
    from: f64,
    per_px: f64,
    /// Where the list of each stripe begins in `listed`, and the end of the last.
    first: Vec<u32>,
    /// Indices of edges, stripe by stripe.
    listed: Vec<u32>,
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
        let ways = [1, 0].map(|axis| (axis, stripes(points, axis)));
        let (axis, stripes) = if ways[1].1 > ways[0].1 { ways[1] } else { ways[0] };
        let (from, to) = extent(points, axis);
        let mut inside = Self {
            axis,
            from,
            per_px: stripes as f64 / (to - from).max(f64::MIN_POSITIVE),
            first: vec![0; stripes + 1],
            listed: Vec::new(),
        };
        for i in 0..points.len() {
            for stripe in inside.stripes_of(points, i) {
                inside.first[stripe + 1] += 1;
            }
        }
        for stripe in 0..stripes {
            inside.first[stripe + 1] += inside.first[stripe];
        }
        let mut next = inside.first.clone();
        inside.listed = vec![0; next[stripes] as usize];
        for i in 0..points.len() {
            for stripe in inside.stripes_of(points, i) {
                inside.listed[next[stripe] as usize] = i as u32;
                next[stripe] += 1;
            }
        }
        Some(inside)
    }

    fn stripe(&self, place: f64) -> usize {
        let last = self.first.len() - 2;
        (((place - self.from) * self.per_px).max(0.0) as usize).min(last)
    }

    fn stripes_of(&self, points: &[DVec2], edge: usize) -> std::ops::RangeInclusive<usize> {
        let ends = [points[edge], points[(edge + 1) % points.len()]].map(|p| p[self.axis]);
        self.stripe(ends[0].min(ends[1]))..=self.stripe(ends[0].max(ends[1]))
    }

    /// Whether `point` lies inside the outline with these points, from which this was made.
    pub fn contains(&self, points: &[DVec2], point: DVec2) -> bool {
        let (v, u) = (self.axis, 1 - self.axis);
        let stripe = self.stripe(point[v]);
        let listed = self.first[stripe] as usize..self.first[stripe + 1] as usize;
        let mut inside = false;
        for &i in &self.listed[listed] {
            let (a, b) = (points[i as usize], points[(i as usize + 1) % points.len()]);
            if (a[v] > point[v]) != (b[v] > point[v]) {
                let crossing = a[u] + (point[v] - a[v]) / (b[v] - a[v]) * (b[u] - a[u]);
                if point[u] < crossing {
                    inside = !inside;
                }
            }
        }
        inside
    }
}

fn extent(points: &[DVec2], axis: usize) -> (f64, f64) {
    let all = points.iter().map(|p| p[axis]);
    all.fold((f64::INFINITY, f64::NEG_INFINITY), |(from, to), at| (from.min(at), to.max(at)))
}

/// Into how many stripes an axis can be divided without listing edges too often.
fn stripes(points: &[DVec2], axis: usize) -> usize {
    let (from, to) = extent(points, axis);
    let next = points.iter().cycle().skip(1);
    let spans: f64 = points.iter().zip(next).map(|(a, b)| (a[axis] - b[axis]).abs()).sum();
    let share = spans / (to - from).max(f64::MIN_POSITIVE);
    let most = points.len() as f64 * (MOST_LISTED - 2.0) / share.max(1.0);
    (most as usize).clamp(1, points.len() / EDGES_PER_STRIPE)
}

/// Whether `point` lies inside the outline, determined by counting the edges to its right.
pub fn contains(points: &[DVec2], point: DVec2) -> bool {
    let mut inside = false;
    for (i, &a) in points.iter().enumerate() {
        let b = points[(i + 1) % points.len()];
        if (a.y > point.y) != (b.y > point.y) {
            let x = a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x);
            if point.x < x {
                inside = !inside;
            }
        }
    }
    inside
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

/// How far the nearest edge is looked for at most, in sizes of the ellipse.
const FARTHEST: f64 = 1e7;

impl Rim {
    /// Sorts the edges of a closed outline; `None` if there are few.
    pub fn of(points: &[DVec2]) -> Option<Self> {
        if points.len() < FEW_EDGES {
            return None;
        }
        let next = points.iter().cycle().skip(1);
        let edges = points.iter().zip(next);
        let boxes: Vec<(Bounds, [DVec2; 2])> = edges.map(|(a, b)| (Bounds::of(*a, *b), [*a, *b])).collect();
        Some(Self { edges: Grid::shaped(&boxes, CELL, |ends| Extent::Line(*ends)), inside: Inside::of(points) })
    }

    /// The separation of an ellipse at `center` from the outline with these points, from which this was
    /// made, if they overlap; `None` if not.
    pub fn overlap(&self, shape: Ellipse, center: DVec2, points: &[DVec2]) -> Option<Separation> {
        let inside = match &self.inside {
            Some(inside) => inside.contains(points, center),
            None => polygon::contains(points, center),
        };
        // With the center inside, the way out may be longer than the ellipse.
        let mut reach = 1.0;
        loop {
            let area = Bounds::of(center, center).grown(shape.half * reach);
            let mut nearest = Nearest::default();
            self.edges.visit(&area, |[start, end]| {
                nearest.consider(shape, center, *start, *end);
            });
            if nearest.distance() <= reach {
                let found = nearest.separation(shape, inside);
                return found.overlaps().then_some(found);
            }
            if !inside || reach > FARTHEST {
                return None;
            }
            reach *= 2.0;
        }
    }
}
