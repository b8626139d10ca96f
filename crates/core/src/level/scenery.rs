//! The terrain as a body meets it in one tick.

use super::*;
use crate::geometry::sweep::ABOVE;

/// The terrain with its platforms where they are in this tick, with or without its one-way
/// platforms. All queries go through it.
#[derive(Clone, Copy, Debug)]
pub struct Scenery<'a> {
    /// The terrain.
    pub terrain: &'a Terrain,
    pub(super) transit: &'a Transit,
    one_ways: bool,
    /// The direction against gravity along y: 1, or −1 where gravity is inverted.
    pub(super) up: f64,
    left_out: LeftOut,
    /// The bodies that may be in the way, if any carries.
    pub(super) others: Option<Others<'a>>,
}

/// Maximum number of platforms that [`Scenery::movers_after`] returns.
pub const MOST_MOVERS: usize = 64;

/// Platforms that are switched on but ignored.
#[derive(Clone, Copy, Debug)]
enum LeftOut {
    Nothing,
    One(u16),
    /// Those that were switched on in this tick.
    New,
}

impl Terrain {
    /// The terrain as it is at tick 0.
    pub fn still(&self) -> Scenery<'_> {
        self.moved(&self.starts)
    }

    /// The terrain with its platforms as in `transit`.
    #[inline(always)]
    pub fn moved<'a>(&'a self, transit: &'a Transit) -> Scenery<'a> {
        Scenery { terrain: self, transit, one_ways: true, up: 1.0, left_out: LeftOut::Nothing, others: None }
    }
}

/// Two unit normals are the same if the sine of the angle between them is less than this.
const PARALLEL: f64 = 1e-9;

/// How many joined edges to each side belong to a flat stretch. A body passes fewer in a tick.
const MOST_JOINED: usize = 64;

impl<'a> Scenery<'a> {
    /// The same with the bodies that one of them may meet.
    #[inline(always)]
    pub fn among(self, others: Option<Others<'a>>) -> Self {
        Self { others, ..self }
    }

    /// The same, without one-way platforms if the body `drops` through them.
    #[inline(always)]
    pub fn dropping(self, drops: bool) -> Self {
        Self { one_ways: !drops, ..self }
    }

    /// The same for a body whose gravity pulls against `up`, 1 or −1. That decides what is below it,
    /// and which side of a one-way platform is solid.
    #[inline(always)]
    pub fn upward(self, up: f64) -> Self {
        Self { up, ..self }
    }

    /// The same without one platform, for its rider or for a body that it pushes.
    pub fn without(self, platform: u16) -> Self {
        Self { left_out: LeftOut::One(platform), ..self }
    }

    /// The same without the solids that were switched on at the start of this tick.
    pub fn as_it_was(self) -> Self {
        Self { left_out: LeftOut::New, ..self }
    }

    /// Whether a platform is switched on and not ignored.
    pub fn has_platform(&self, platform: u16) -> bool {
        self.transit.is_there(platform) && !self.leaves_out(platform)
    }

    /// Whether a platform is ignored.
    #[inline]
    pub(super) fn leaves_out(&self, platform: u16) -> bool {
        let left_out = match self.left_out {
            LeftOut::Nothing => false,
            LeftOut::One(other) => other == platform,
            LeftOut::New => self.transit.switched.contains(&platform),
        };
        left_out || self.others.is_some_and(|others| others.hides(platform))
    }

    /// Calls `visit` with the active platforms whose boxes meet `area`: index, platform, and offset
    /// from the drawn position, px. A platform may be visited more than once.
    #[inline]
    pub(super) fn visit_platforms(&self, area: &Bounds, mut visit: impl FnMut(u16, &Platform, DVec2)) {
        self.visit_movers(area, |number| self.consider(number, self.offset(number), area, &mut visit));
        if let Some(fixtures) = &self.terrain.fixtures {
            fixtures.visit(area, |number| self.consider(*number, DVec2::ZERO, area, &mut visit));
        }
    }

    #[inline(always)]
    fn consider(&self, number: u16, offset: DVec2, area: &Bounds, visit: &mut impl FnMut(u16, &Platform, DVec2)) {
        let platform = &self.terrain.platforms[number as usize];
        if platform.bounds.meets(&area.moved(-offset)) && self.has_platform(number) {
            visit(number, platform, offset);
        }
    }

    /// Whether anything in it may move.
    pub fn has_movers(&self) -> bool {
        !self.terrain.movers.is_empty() || self.others.is_some()
    }

    /// Calls `visit` with the moving platforms that may be in `area` at some time. A platform may be
    /// visited more than once.
    #[inline]
    pub fn visit_movers(&self, area: &Bounds, mut visit: impl FnMut(u16)) {
        match &self.terrain.ranges {
            None => self.terrain.movers.iter().for_each(|number| visit(*number)),
            Some(ranges) => ranges.visit(area, |number| visit(*number)),
        }
        if let Some(others) = &self.others {
            others.bodies.visit(area, visit);
        }
    }

    /// The moving platforms after `last`, in the order of [`Terrain::movers`], that may be in `area` at
    /// some time; the first ones of very many.
    pub fn movers_after(&self, last: Option<u16>, area: &Bounds) -> ArrayVec<u16, MOST_MOVERS> {
        let mut found: ArrayVec<u16, MOST_MOVERS> = ArrayVec::new();
        self.visit_movers(area, |n| {
            let after = found.last().is_none_or(|last| n > *last);
            if last.is_some_and(|last| n <= last) || (found.is_full() && after) {
                return;
            }
            let place = found.partition_point(|other| *other < n);
            if found.get(place) != Some(&n) {
                if found.is_full() {
                    found.pop();
                }
                found.insert(place, n);
            }
        });
        found
    }

    /// The edge with this index. Its face is as drawn; see [`Self::face`] for its current position.
    pub fn edge(&self, index: u32) -> &Edge {
        self.terrain.edge(index)
    }

    /// The largest displacement of any platform in this tick along x and along y, px.
    pub fn widest_step(&self) -> DVec2 {
        self.transit.widest
    }

    /// How far a platform has moved in this tick, px. A body that is not in the way is met where it is, as if it had not moved.
    pub(super) fn step_of(&self, platform: u16) -> DVec2 {
        match self.others {
            Some(others) if !others.are_pushed_by(platform) => DVec2::ZERO,
            _ => self.transit.steps[platform as usize],
        }
    }

    /// How far what a feature belongs to has moved in this tick along its path, px.
    pub fn step_under(&self, feature: Feature) -> DVec2 {
        let platform = self.terrain.edge_of(feature).platform;
        platform.map_or(DVec2::ZERO, |p| self.step_of(p))
    }

    /// Offset of a platform from where it is drawn, px.
    #[inline]
    pub fn offset(&self, platform: u16) -> DVec2 {
        self.transit.offsets[platform as usize]
    }

    /// The face of an edge at its position in this tick.
    #[inline]
    pub fn face(&self, index: u32) -> Face {
        let edge = self.terrain.edge(index);
        let mut face = edge.face;
        if let Some(platform) = edge.platform {
            if let Some(tilt) = self.tilt(platform) {
                face = tilt.face(&face);
            }
            face.start += self.offset(platform);
        }
        face
    }

    /// The end of an edge at its position in this tick, px.
    #[inline]
    pub(super) fn end(&self, index: u32) -> DVec2 {
        let edge = self.terrain.edge(index);
        edge.platform.map_or(edge.end, |platform| self.transit.point_of(platform, edge.end))
    }

    /// Whether a body can touch the corner at the end of an edge with this unit normal: the normal lies between the
    /// normals of the two edges, and above if one is of a one-way platform.
    pub fn is_at_corner(&self, edge: u32, normal: DVec2) -> bool {
        let ends = self.edge(edge);
        if ends.side != Side::Solid && normal.y * self.up < ABOVE {
            return false;
        }
        let [before, after] = [edge, ends.after].map(|index| self.face(index).normal);
        before.perp_dot(normal) >= -PARALLEL && normal.perp_dot(after) >= -PARALLEL
    }

    /// The ends of the flat stretch of an outline that an edge is part of: how far they are along the edge from its
    /// start, px, and the corners there, as the edges that end in them. No body can touch one that bends inward, which
    /// is left out.
    #[cold]
    pub fn ends_of(&self, index: u32) -> [Option<(f64, u32)>; 2] {
        let (mut begins, mut ends) = (0.0, self.edge(index).face.length);
        let (mut first, mut last) = (index, index);
        for _ in 0..MOST_JOINED {
            let before = self.edge(first).before;
            if self.edge(before).bend != Bend::Straight {
                break;
            }
            first = before;
            begins -= self.edge(first).face.length;
        }
        for _ in 0..MOST_JOINED {
            if self.edge(last).bend != Bend::Straight {
                break;
            }
            last = self.edge(last).after;
            ends += self.edge(last).face.length;
        }
        let corners = [(begins, self.edge(first).before), (ends, last)];
        corners.map(|end| Some(end).filter(|(_, corner)| self.edge(*corner).bend == Bend::Out))
    }

    /// Whether edges of this side exist for the body.
    pub(super) fn has(&self, side: Side) -> bool {
        side == Side::Solid || self.one_ways
    }

    /// Whether edges of this side stop the body: of the two sides of a one-way line, the upper one.
    pub(super) fn blocks(&self, side: Side) -> bool {
        let passed = if self.up < 0.0 { Side::OneWay } else { Side::Under };
        side != passed
    }

    /// Whether a feature exists for the body: its solid is switched on, and it is not a one-way
    /// platform that the body drops through.
    pub fn is_there(&self, feature: Feature) -> bool {
        if self.terrain.plain {
            return true;
        }
        let edge = self.terrain.edge_of(feature);
        self.has(edge.side) && edge.platform.is_none_or(|p| self.has_platform(p))
    }
}
