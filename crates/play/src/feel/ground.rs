//! The ground of each measurement.

use super::*;
use hangtime_core::{
    geometry::Collider,
    level::{Solid, SurfaceId},
};

/// Where bodies start, px. To the right of it is room for a long run.
pub const START: f64 = -15_000.0;

/// How far the ground reaches to both sides, px.
pub const FARTHEST_GROUND: f64 = 16_000.0;

/// How deep gaps are in a side view, and how wide the ground is in a top view, px.
const DEPTH: f64 = 2_000.0;

/// Height of the ground in a top view, px: what is lower is a gap.
const PLATEAU: f64 = 1_000.0;

/// What a body is measured on: parts of ground, and where it starts.
#[derive(Clone, Debug, PartialEq)]
pub struct FeelGround {
    /// From one x to another, at a height.
    parts: Vec<(f64, f64, f64)>,
    start: f64,
    /// The direction of the ground: a unit vector to the right.
    way: DVec2,
}

impl FeelGround {
    fn new(parts: &[(f64, f64, f64)]) -> Self {
        let parts = parts.iter().copied().filter(|(from, to, _)| from < to);
        Self { parts: parts.collect(), start: START, way: DVec2::X }
    }

    /// Level ground.
    pub fn flat() -> Self {
        Self::new(&[(-FARTHEST_GROUND, FARTHEST_GROUND, 0.0)])
    }

    /// Straight ground that leads up at this angle, degrees; level at 0.
    pub fn slope(degrees: f64) -> Self {
        Self { way: way_up(degrees), ..Self::flat() }
    }

    /// Ground that ends at `edge` and begins again `width` px later.
    pub fn gap(edge: f64, width: f64) -> Self {
        Self::new(&[(-FARTHEST_GROUND, edge, 0.0), (edge + width, FARTHEST_GROUND, 0.0)])
    }

    /// Ground with a step up at `edge`.
    pub fn step(edge: f64, height: f64) -> Self {
        if height > 0.0 && edge < FARTHEST_GROUND {
            Self::new(&[(-FARTHEST_GROUND, edge, 0.0), (edge, FARTHEST_GROUND, height)])
        } else {
            Self::flat()
        }
    }

    /// A middle part with a higher one to the right and a lower one to the left. `half` is half the width of the middle, on
    /// which the body starts.
    pub fn terraces(half: f64, up: f64, down: f64) -> Self {
        let parts = [(-FARTHEST_GROUND, -half, -down), (-half, half, 0.0), (half, FARTHEST_GROUND, up)];
        Self { start: 0.0, ..Self::new(&parts) }
    }

    /// The solids that it is made of.
    pub fn solids(&self, view: View, surface: SurfaceId) -> Vec<Solid> {
        let solid = |(from, to, height): &(f64, f64, f64)| {
            let top = if view == View::Side { *height } else { DEPTH };
            let points = [(*from, -DEPTH), (*to, -DEPTH), (*to, top), (*from, top)];
            let points = points.map(|(along, up)| self.way * along + self.way.perp() * up).to_vec();
            let solid = Solid::new(format!("ground at {from}").into(), surface, points);
            match view {
                View::Side => solid,
                View::Top => Solid { top: PLATEAU + height, ..solid },
            }
        };
        self.parts.iter().map(solid).collect()
    }

    /// Where the center of a body with this collider starts, and the height of its feet in a top view. `depth` is the
    /// distance from the center to the feet.
    pub fn start(&self, view: View, shape: Collider, depth: f64) -> (DVec2, f64) {
        let above = if self.way == DVec2::X { depth } else { shape.reach(self.way.perp()) };
        match view {
            View::Side => (self.way * self.start + self.way.perp() * above, 0.0),
            View::Top => (DVec2::new(self.start, 0.0), PLATEAU),
        }
    }

    /// The height of the ground that the body starts on.
    pub fn zero(&self, view: View) -> f64 {
        if view == View::Side { self.way.y * self.start } else { PLATEAU }
    }
}

/// The direction of ground that leads up at this angle, degrees, as a unit vector.
pub fn way_up(degrees: f64) -> DVec2 {
    if degrees == 0.0 { DVec2::X } else { DVec2::from_angle(degrees.to_radians()) }
}
