//! Whether a resting body is inside something, and how to get it out.

use super::Terrain;
use crate::geometry::Ellipse;
use crate::geometry::grid::Bounds;
use crate::geometry::separation::{Separation, separation};
use glam::DVec2;

/// Most moves out of one solid after the other: from where a body is, and from each place around
/// it that is tried when those lead nowhere.
const MOST_MOVES: usize = 64;
const MOVES_AROUND: usize = 8;

/// How far around a body is looked for a free place, in half-widths.
const RINGS: u32 = 32;

/// Directions in which is looked.
const DIRECTIONS: u32 = 16;

impl Terrain {
    /// How the body overlaps the solid that it is deepest in, or none.
    #[must_use]
    pub fn overlap(&self, shape: Ellipse, at: DVec2) -> Option<Separation> {
        let area = Bounds::of(at, at).grown(shape.half);
        self.solids
            .iter()
            .filter(|solid| solid.bounds.meets(&area))
            .map(|solid| separation(shape, at, &solid.points))
            .filter(Separation::overlaps)
            .min_by(|a, b| a.gap.total_cmp(&b.gap))
    }

    /// A place near `from` in which the body overlaps no solid, or none.
    ///
    /// It leaves what it is deepest in first, then looks again. Where leaving one solid always
    /// enters another, the same is tried from places around, nearer ones first.
    #[must_use]
    pub fn push_out(&self, shape: Ellipse, from: DVec2) -> Option<DVec2> {
        self.move_out(shape, from, MOST_MOVES)
            .or_else(|| self.search_around(shape, from))
    }

    fn move_out(&self, shape: Ellipse, from: DVec2, moves: usize) -> Option<DVec2> {
        let mut place = from;
        for _ in 0..moves {
            match self.overlap(shape, place) {
                None => return Some(place),
                Some(overlap) => place += overlap.to_touch,
            }
        }
        None
    }

    fn search_around(&self, shape: Ellipse, from: DVec2) -> Option<DVec2> {
        for ring in 1..=RINGS {
            for direction in 0..DIRECTIONS {
                let angle = std::f64::consts::TAU * f64::from(direction) / f64::from(DIRECTIONS);
                let towards = DVec2::new(libm::cos(angle), libm::sin(angle));
                let place = from + towards * shape.half * f64::from(ring);
                if let Some(free) = self.move_out(shape, place, MOVES_AROUND) {
                    return Some(free);
                }
            }
        }
        None
    }
}
