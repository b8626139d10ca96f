//! Queries on the terrain: sweep, probe and cast.

use super::*;
use crate::geometry::apart::{colliders, sweep_colliders};

/// The first contact of a moving body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Fraction of the motion, 0..=1, after which it touches.
    pub time: f64,
    /// Unit normal at the point of contact, toward the mover. It is a normal of the joined outline,
    /// never one of a seam between two solids.
    pub normal: DVec2,
    /// The face or corner that is touched.
    pub feature: Feature,
}

/// Touches whose times differ by less than this are simultaneous.
const TIE: f64 = 1e-9;

impl Hit {
    /// Which of two contacts of the same motion comes first: the earlier one; at equal times the
    /// straight face before the corner, then the normal that opposes the motion more. The storage
    /// order of edges has no influence. A body with sides may touch several faces in a line, and the first edge counts.
    fn counts_before(&self, other: &Self, shape: Collider, motion: DVec2) -> bool {
        if (self.time - other.time).abs() > TIE {
            return self.time < other.time;
        }
        match (self.feature, other.feature) {
            (Feature::Face(_), Feature::Corner(_)) => true,
            (Feature::Corner(_), Feature::Face(_)) => false,
            _ => {
                let (into, into_other) = (self.normal.dot(motion), other.normal.dot(motion));
                let same = !shape.is_round() && into == into_other;
                into < into_other || same && self.feature.edge() < other.feature.edge()
            }
        }
    }

    /// The point of contact of a body of this shape with its center at `at`; the middle of the side that touches.
    pub fn point(&self, shape: Collider, at: DVec2) -> DVec2 {
        at - shape.farthest(self.normal)
    }

    /// The point that a cast from `from` by `motion` hit.
    pub fn cast_point(&self, from: DVec2, motion: DVec2) -> DVec2 {
        self.point(DOT, from + motion * self.time)
    }
}

/// Records a touch of this motion if it comes before the first one so far.
#[inline(always)]
pub fn first_of(first: &mut Option<Hit>, touch: Touch, feature: Feature, shape: Collider, motion: DVec2) {
    let hit = Hit { time: touch.time, normal: touch.normal, feature };
    if first.is_none_or(|best| hit.counts_before(&best, shape, motion)) {
        *first = Some(hit);
    }
}

/// The shape that a cast sweeps: too small to see, but larger than the touching tolerance.
const DOT: Collider = Collider::ellipse(1e-3, 1e-3);

/// The box around a body that moves from 0 by `motion`, slightly enlarged.
fn reach(shape: Collider, motion: DVec2) -> Bounds {
    Bounds::of(DVec2::ZERO, motion).grown(shape.half * (1.0 + 1e-6))
}

/// A sweep in progress.
struct Sweep<'a> {
    scenery: &'a Scenery<'a>,
    shape: Collider,
    motion: DVec2,
    /// The box around the body's motion, relative to its start.
    reach: Bounds,
    /// An upper bound on the body's reach in any direction, px.
    longest: f64,
    /// A bound on the distance of a touch from the start along any line, px.
    farthest: f64,
    first: Option<Hit>,
}

/// How many faces in a line the middle of a body's side is looked for in.
const MOST_IN_LINE: usize = 64;

/// How many edges are compared with a motion before those that it may touch are swept.
const GROUP: usize = 32;

impl<'a> Sweep<'a> {
    fn new(scenery: &'a Scenery<'a>, shape: Collider, motion: DVec2) -> Self {
        Self {
            scenery,
            shape,
            motion,
            reach: reach(shape, motion),
            longest: shape.longest(),
            // Plus more than rounding can change.
            farthest: shape.longest() + motion.x.abs() + motion.y.abs() + 1.0,
            first: None,
        }
    }

    /// Whether an edge may be touched: true a little too often. Without branches, because few of the edges
    /// near a body are touched, and which ones is hard to predict.
    #[inline(always)]
    fn may_touch(&self, from: DVec2, near: &GridEdge) -> bool {
        let (normal, offset) = (near.normal(), from - near.start);
        let approach = normal.dot(self.motion);
        let height = normal.dot(offset);
        let place = near.along.dot(offset);
        let face = (approach < 0.0)
            & (height >= 0.0)
            & (height + approach <= self.longest)
            & (place >= -self.farthest)
            & (place <= near.length + self.farthest);
        let end = near.end - from;
        let corner = near.corner
            & (self.reach.min.x <= end.x)
            & (self.reach.min.y <= end.y)
            & (end.x <= self.reach.max.x)
            & (end.y <= self.reach.max.y);
        face | corner
    }

    /// Sweeps against edges that are stored next to each other.
    #[inline(always)]
    fn row(&mut self, from: DVec2, row: &[GridEdge]) {
        for group in row.chunks(GROUP) {
            let mut marks = 0_u32;
            for (place, near) in group.iter().enumerate() {
                marks |= u32::from(self.may_touch(from, near)) << place;
            }
            while marks != 0 {
                self.against(from, &group[marks.trailing_zeros() as usize]);
                marks &= marks - 1;
            }
        }
    }

    /// Sweeps from `from`, in the edge's own frame, against its face and its corner.
    fn against(&mut self, from: DVec2, near: &GridEdge) {
        let one_way = near.side != Side::Solid;
        if !self.scenery.has(near.side) {
            return;
        }
        let blocks = !one_way || self.scenery.blocks(near.side);
        if blocks {
            let touch = sweep_face(self.shape, from, self.motion, &near.face(), one_way);
            self.consider(touch, Feature::Face(near.index));
        }
        if near.corner && (blocks || near.tip) && self.reach.holds(near.end - from) {
            let touch = if one_way {
                let up = self.scenery.up;
                sweep_corner_from_above(self.shape, from, self.motion, near.end, up)
            } else {
                sweep_corner(self.shape, from, self.motion, near.end)
            };
            // The lower corner of a box in a row with this one bears nothing.
            let among = self.scenery.others.is_some() && !self.shape.is_round();
            let touch = touch.filter(|touch| !among || self.scenery.is_at_corner(near.index, touch.normal));
            self.consider(touch, Feature::Corner(near.index));
        }
    }

    #[inline]
    fn consider(&mut self, touch: Option<Touch>, feature: Feature) {
        if let Some(touch) = touch {
            first_of(&mut self.first, touch, feature, self.shape, self.motion);
        }
    }
}

impl Scenery<'_> {
    /// The first contact of `shape` moving from `from` by `motion`, or `None`.
    pub fn sweep(&self, shape: Collider, from: DVec2, motion: DVec2) -> Option<Hit> {
        match self.terrain.clear(shape) {
            Some(touchable) if shape.is_round() => touchable.sweep(self, from, motion),
            _ => self.sweep_all(&shape, from, motion),
        }
    }

    /// The same for a motion along a face, if `on` is one, for which it may be known that nothing is in its way.
    pub fn sweep_along(&self, shape: Collider, on: Feature, from: DVec2, motion: DVec2) -> Option<Hit> {
        let clear = |face| Some(self.terrain.clear(shape)?.is_clear(face, [from, from + motion]));
        match on {
            Feature::Face(face) if clear(face) == Some(true) => None,
            _ => self.sweep(shape, from, motion),
        }
    }

    /// The same hit with the face that is in front of the middle of the body's side, if the side touches several that
    /// form a line.
    #[inline(never)]
    fn under_middle(&self, hit: Hit, shape: Collider, at: DVec2) -> Option<Hit> {
        let Feature::Face(mut index) = hit.feature else {
            return Some(hit);
        };
        if shape.spread(hit.normal) > 0.0 {
            let foot = hit.point(shape, at);
            for _ in 0..MOST_IN_LINE {
                let (face, line) = (self.face(index), self.terrain.span(index));
                let place = face.along.dot(foot - face.start);
                let (before, after) = if line.sense > 0.0 { (line.left, line.right) } else { (line.right, line.left) };
                let next = if place < 0.0 {
                    before
                } else if place > face.length {
                    after
                } else {
                    index
                };
                if next == index {
                    break;
                }
                index = next;
            }
        }
        Some(Hit { feature: Feature::Face(index), ..hit })
    }

    /// A sweep that has met what stays in place, and the area that it reaches.
    #[inline]
    fn sweep_resting(&self, shape: Collider, from: DVec2, motion: DVec2) -> (Sweep<'_>, Bounds) {
        let mut sweep = Sweep::new(self, shape, motion);
        let area = sweep.reach.moved(from);
        match self.terrain.touchable(shape) {
            Some(touchable) => sweep.first = touchable.sweep(self, from, motion),
            None => self.terrain.grid.visit_rows(&area, |row| sweep.row(from, row)),
        }
        (sweep, area)
    }

    /// The first contact with anything, be it a platform.
    #[inline(never)]
    fn sweep_all(&self, shape: &Collider, from: DVec2, motion: DVec2) -> Option<Hit> {
        let shape = *shape;
        let (mut sweep, area) = self.sweep_resting(shape, from, motion);
        if !self.terrain.platforms.is_empty() {
            self.visit_platforms(&area, |number, platform, offset| {
                sweep.platform(number, platform, from - offset);
            });
        }
        let hit = sweep.first?;
        if shape.is_round() {
            Some(hit)
        } else {
            self.under_middle(hit, shape, from + motion * hit.time)
        }
    }

    /// Whether an edge or a platform in `area` has a surface for which `is` returns true. True a little too often: it
    /// looks at whole cells of the grid.
    pub fn has_ground(&self, area: &Bounds, is: impl Fn(SurfaceId) -> bool) -> bool {
        let terrain = self.terrain;
        if !terrain.used_surfaces.iter().any(|(surface, bounds)| bounds.meets(area) && is(*surface)) {
            return false;
        }
        let mut found = false;
        terrain.grid.visit_rows(area, |row| {
            found |= row.iter().any(|near| is(terrain.edge(near.index).surface));
        });
        self.visit_platforms(area, |_, platform, _| {
            found |= is(terrain.solids[platform.solid as usize].surface);
        });
        found
    }

    /// How many edges a sweep within `area` looks at.
    pub fn crowd(&self, area: &Bounds) -> u64 {
        let mut count = 0;
        self.terrain.grid.visit(area, |_| count += 1);
        self.visit_platforms(area, |_, platform, offset| {
            platform.visit_edges(&area.moved(-offset), |_| count += 1);
        });
        count
    }

    /// The first contact with one platform alone, at its position at the end of this tick.
    pub fn sweep_platform(&self, platform: u16, shape: Collider, from: DVec2, motion: DVec2) -> Option<Hit> {
        if !self.has_platform(platform) {
            return None;
        }
        let mut sweep = Sweep::new(self, shape, motion);
        let target = &self.terrain.platforms[platform as usize];
        let from = from - self.offset(platform);
        // What is this far away cannot be touched.
        let area = sweep.reach.moved(from).grown(DVec2::ONE);
        if !target.bounds.meets(&area) {
            return None;
        }
        sweep.platform(platform, target, from);
        sweep.first
    }

    /// The first contact within `reach` px straight below the body, or above it under inverted
    /// gravity.
    pub fn probe(&self, shape: Collider, from: DVec2, reach: f64) -> Option<Hit> {
        self.sweep(shape, from, DVec2::new(0.0, -reach * self.up))
    }

    /// The first contact on the straight line from `from` by `motion`. One-way platforms stop it
    /// from above.
    pub fn cast(&self, from: DVec2, motion: DVec2) -> Option<Hit> {
        self.sweep(DOT, from, motion)
    }

    /// Like [`cast`](Self::cast), for something that makes `motion` in the first `share` of this
    /// tick, while the platforms are on their way.
    pub fn cast_in_tick(&self, from: DVec2, motion: DVec2, share: f64) -> Option<Hit> {
        let span = TickSpan { left: 1.0, length: share };
        self.sweep_in_tick(DOT, from, motion, span)
    }

    /// Like [`sweep`](Self::sweep), for a motion that takes this part of the tick, while the
    /// platforms are on their way.
    pub fn sweep_in_tick(&self, shape: Collider, from: DVec2, motion: DVec2, span: TickSpan) -> Option<Hit> {
        let (mut sweep, area) = self.sweep_resting(shape, from, motion);
        self.visit_platforms(&area, |number, platform, offset| {
            if self.step_of(number) == DVec2::ZERO {
                sweep.platform(number, platform, from - offset);
            }
        });
        let mut first = sweep.first;
        let mut by = None;
        self.visit_movers(&area, |number| {
            let step = self.step_of(number);
            if step == DVec2::ZERO {
                return;
            }
            // In the frame of the platform, which is on its way to its place at the tick's end.
            let (from, motion) = (from + step * span.left, motion - step * span.length);
            let hit = self.sweep_platform(number, shape, from, motion);
            // If there are several hits at the same time, the first one counts, whatever the order of the visits.
            if let Some(hit) = hit
                && first.is_none_or(|best| {
                    hit.time < best.time || hit.time == best.time && by.is_some_and(|by| number < by)
                })
            {
                (first, by) = (Some(hit), Some(number));
            }
        });
        first
    }

    /// Whether a body that moves from `from` by `motion` may meet a platform that moves in this
    /// tick. Cheap, and true a little too often.
    pub fn meets_platforms(&self, shape: Collider, from: DVec2, motion: DVec2) -> bool {
        let area = reach(shape, motion).moved(from);
        let mut meets = false;
        self.visit_movers(&area, |number| {
            // `step_of` is slower for a body, so the unfiltered step is tested first.
            let reach = self.transit.steps[usize::from(number)].abs();
            let bounds = &self.terrain.platforms[number as usize].bounds;
            let near = !meets && reach != DVec2::ZERO && bounds.meets(&area.moved(-self.offset(number)).grown(reach));
            meets |= near && self.step_of(number) != DVec2::ZERO && !self.leaves_out(number);
        });
        meets
    }
}

impl Sweep<'_> {
    fn platform(&mut self, number: u16, platform: &super::Platform, from: DVec2) {
        let scenery = self.scenery;
        if let Some(others) = scenery.others
            && let Some(body) = others.bodies.round_shape(number)
            && colliders(self.shape, from, Collider::new(ColliderForm::Box, body.half), DVec2::ZERO).is_some()
        {
            // In the box around a round body, which another body gets into when that comes to its corner, only the body itself
            // is in the way.
            let touch = sweep_colliders(self.shape, from, body, self.motion);
            let faces = |touch: &Touch| {
                let toward = |edge: &u32| scenery.edge(*edge).face.normal.dot(touch.normal);
                platform.edges.clone().max_by(|a, b| toward(a).total_cmp(&toward(b)))
            };
            let face = touch.as_ref().and_then(faces);
            face.into_iter().for_each(|edge| self.consider(touch, Feature::Face(edge)));
            return;
        }
        let tilt = scenery.tilt(number);
        platform.visit_edges(&self.reach.moved(from), |index| {
            let edge = scenery.edge(index);
            let (_, near) = match tilt {
                None => grid_edge((index as usize, edge)),
                Some(tilt) => {
                    let (face, end) = (tilt.face(&edge.face), tilt.point(edge.end));
                    grid_edge((index as usize, &super::Edge { face, end, ..*edge }))
                }
            };
            self.against(from, &near);
        });
    }
}
