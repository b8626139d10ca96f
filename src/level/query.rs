//! What is asked of the terrain: sweep, probe and cast.

use super::edge::GridEdge;
use super::{Feature, Scenery, Side};
use crate::geometry::Ellipse;
use crate::geometry::grid::Bounds;
use crate::geometry::sweep::{Touch, sweep_corner, sweep_corner_from_above, sweep_face};
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

    /// The point of touch of a body of this shape whose center is at `at`.
    #[must_use]
    pub fn point(&self, shape: Ellipse, at: DVec2) -> DVec2 {
        at - shape.farthest(self.normal)
    }

    /// The point that a cast from `from` by `motion` has met.
    #[must_use]
    pub fn cast_point(&self, from: DVec2, motion: DVec2) -> DVec2 {
        self.point(DOT, from + motion * self.time)
    }
}

/// What a cast sweeps: too small to see, large enough for the touching tolerance.
const DOT: Ellipse = Ellipse::new(1e-3, 1e-3);

/// The box around a body that moves from 0 by `motion`, and a little more.
fn reach(shape: Ellipse, motion: DVec2) -> Bounds {
    Bounds::of(DVec2::ZERO, motion).grown(shape.half * (1.0 + 1e-6))
}

/// A sweep in progress.
struct Sweep<'a> {
    scenery: &'a Scenery<'a>,
    shape: Ellipse,
    motion: DVec2,
    /// The box around the body on its way, relative to where it begins.
    reach: Bounds,
    first: Option<Hit>,
}

impl<'a> Sweep<'a> {
    fn new(scenery: &'a Scenery<'a>, shape: Ellipse, motion: DVec2) -> Self {
        Self {
            scenery,
            shape,
            motion,
            reach: reach(shape, motion),
            first: None,
        }
    }

    /// Sweeps from `from`, in the space in which the edge lies, against its face and its corner.
    #[inline]
    fn against(&mut self, from: DVec2, near: &GridEdge) {
        let one_way = near.side == Side::OneWay;
        if !self.scenery.has(near.side) {
            return;
        }
        if near.side != Side::Under {
            let touch = sweep_face(self.shape, from, self.motion, &near.face, one_way);
            self.consider(touch, Feature::Face(near.index));
        }
        if near.corner && self.reach.holds(near.end - from) {
            let touch = if near.side == Side::Solid {
                sweep_corner(self.shape, from, self.motion, near.end)
            } else {
                sweep_corner_from_above(self.shape, from, self.motion, near.end)
            };
            self.consider(touch, Feature::Corner(near.index));
        }
    }

    #[inline]
    fn consider(&mut self, touch: Option<Touch>, feature: Feature) {
        let Some(Touch { time, normal }) = touch else {
            return;
        };
        let hit = Hit {
            time,
            normal,
            feature,
        };
        if self
            .first
            .is_none_or(|best| hit.counts_before(&best, self.motion))
        {
            self.first = Some(hit);
        }
    }
}

impl Scenery<'_> {
    /// The first touch of `shape` moving from `from` by `motion`, or none.
    #[must_use]
    pub fn sweep(&self, shape: Ellipse, from: DVec2, motion: DVec2) -> Option<Hit> {
        let mut sweep = Sweep::new(self, shape, motion);
        let area = sweep.reach.moved(from);
        let terrain = self.terrain;
        terrain.grid.visit(&area, |near| sweep.against(from, near));
        self.visit_platforms(&area, |_, platform, offset| {
            sweep.platform(platform, from - offset);
        });
        sweep.first
    }

    /// The first touch with one platform alone, where it is at the end of this tick.
    #[must_use]
    pub fn sweep_platform(
        &self,
        platform: u16,
        shape: Ellipse,
        from: DVec2,
        motion: DVec2,
    ) -> Option<Hit> {
        if !self.has_platform(platform) {
            return None;
        }
        let mut sweep = Sweep::new(self, shape, motion);
        let its = &self.terrain.platforms[platform as usize];
        sweep.platform(its, from - self.offset(platform));
        sweep.first
    }

    /// What lies within `reach` px straight below the body.
    #[must_use]
    pub fn probe(&self, shape: Ellipse, from: DVec2, reach: f64) -> Option<Hit> {
        self.sweep(shape, from, DVec2::new(0.0, -reach))
    }

    /// The first thing on a straight line from `from` by `motion`. One-way platforms stop it from
    /// above.
    #[must_use]
    pub fn cast(&self, from: DVec2, motion: DVec2) -> Option<Hit> {
        self.sweep(DOT, from, motion)
    }
}

impl Sweep<'_> {
    fn platform(&mut self, platform: &super::Platform, from: DVec2) {
        for index in platform.edges.clone() {
            let edge = self.scenery.edge(index);
            if let Some((_, near)) = super::edge::grid_edge((index as usize, edge)) {
                self.against(from, &near);
            }
        }
    }
}
