//! The nearest edge of an outline with many edges.

use super::grid::{Bounds, Extent};
use super::separation::{Nearest, Separation};
use super::{Ellipse, Grid, Inside, polygon};
use glam::DVec2;

/// The edges of an outline by place.
#[derive(Clone, Debug)]
pub struct Rim {
    edges: Grid<[DVec2; 2]>,
    inside: Option<Inside>,
}

/// Outlines with fewer points are searched faster as they are.
const FEW: usize = 32;

/// Width of a grid cell, px.
const CELL: f64 = 40.0;

/// How far the nearest edge is looked for at most, in sizes of the ellipse.
const FARTHEST: f64 = 1e7;

impl Rim {
    /// Sorts the edges of a closed outline; `None` if there are few.
    pub fn of(points: &[DVec2]) -> Option<Self> {
        if points.len() < FEW {
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
