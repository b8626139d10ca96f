//! What models ask of the terrain: sweep, probe and push-out.

use super::{Bend, Feature, Terrain};
use crate::geometry::Ellipse;
use crate::geometry::grid::Bounds;
use crate::geometry::sweep::{Touch, sweep_corner, sweep_face};
use glam::DVec2;

/// The first thing that a moving body touches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Share of the motion, 0..=1, after which it touches.
    pub time: f64,
    /// Unit normal at the touch, pointing at the mover: one that the outline has there.
    pub normal: DVec2,
    /// What is touched.
    pub feature: Feature,
}

/// Touches whose times differ by less than this are simultaneous.
const TIE: f64 = 1e-9;

impl Hit {
    /// Which of two touches of the same motion counts: the earlier; of two at once the straight
    /// face before the corner, then the one that stands more in the way. The order in which
    /// edges are stored decides nothing.
    fn counts_before(&self, other: &Self, motion: DVec2) -> bool {
        if (self.time - other.time).abs() > TIE {
            return self.time < other.time;
        }
        match (self.feature, other.feature) {
            (Feature::Face(_), Feature::Corner(_)) => true,
            (Feature::Corner(_), Feature::Face(_)) => false,
            _ => self.normal.dot(motion) < other.normal.dot(motion),
        }
    }
}

/// What a cast sweeps: too small to see, large enough for the touching tolerance.
const DOT: Ellipse = Ellipse::new(1e-3, 1e-3);

impl Terrain {
    /// The first touch of `shape` moving from `from` by `motion`, or none.
    #[must_use]
    pub fn sweep(&self, shape: Ellipse, from: DVec2, motion: DVec2) -> Option<Hit> {
        let area = Bounds::of(from, from + motion).grown(shape.half);
        let mut first: Option<Hit> = None;
        let mut consider = |touch: Option<Touch>, feature: Feature| {
            let Some(Touch { time, normal }) = touch else {
                return;
            };
            let hit = Hit {
                time,
                normal,
                feature,
            };
            if first.is_none_or(|best| hit.counts_before(&best, motion)) {
                first = Some(hit);
            }
        };
        self.grid.visit(&area, |i| {
            let edge = &self.edges[i];
            consider(
                sweep_face(shape, from, motion, &edge.face),
                Feature::Face(i as u32),
            );
            if edge.bend == Bend::Out {
                let corner = self.edges[edge.after as usize].face.start;
                consider(
                    sweep_corner(shape, from, motion, corner),
                    Feature::Corner(i as u32),
                );
            }
        });
        first
    }

    /// What lies within `reach` px straight below the body.
    #[must_use]
    pub fn probe(&self, shape: Ellipse, from: DVec2, reach: f64) -> Option<Hit> {
        self.sweep(shape, from, DVec2::new(0.0, -reach))
    }

    /// The first thing on a straight line from `from` by `motion`.
    #[must_use]
    pub fn cast(&self, from: DVec2, motion: DVec2) -> Option<Hit> {
        self.sweep(DOT, from, motion)
    }
}
