//! Platforms: solids that move or can be switched off, and where they are in one tick.

use super::{Edge, LevelChanges, Path, Solid};
use crate::geometry::Grid;
use crate::geometry::grid::{Bounds, Extent};
use glam::DVec2;
use std::ops::Range;

/// A solid that is not joined with others because it moves, can be switched off, or both.
#[derive(Clone, Debug)]
pub struct Platform {
    /// Its solid, as an index into [`Terrain::solids`](super::Terrain::solids).
    pub solid: u32,
    /// Its range of edges; empty if it is not an obstacle in this terrain.
    pub edges: Range<u32>,
    /// A grid of these edges by their places in that range, if there are many.
    pub(super) grid: Option<Grid<u32>>,
    /// Its path; a path without points if it stays in place.
    pub path: Path,
}

/// Up to this many edges of a platform are looked through one by one.
pub(super) const FEW_EDGES: u32 = 32;

/// Width of a cell of the grid of a platform's edges, px.
const CELL: f64 = 40.0;

impl Platform {
    /// The box around its solid wherever it is, with room for rounding.
    pub(super) fn range(&self, solid: &Solid) -> Bounds {
        let reach = self.path.reach();
        Bounds { min: solid.bounds.min + reach.min, max: solid.bounds.max + reach.max }.grown(DVec2::ONE)
    }

    /// Its offset from where it is drawn at tick `now`, in a level that scripts have changed like this, px.
    pub fn offset(&self, changes: &LevelChanges, now: u64, hz: f64) -> DVec2 {
        changes.offset(self.solid, &self.path, changes.seconds(now, hz))
    }

    /// A grid of a platform's edges, if there are many.
    pub(super) fn grid_of(edges: &[Edge]) -> Option<Grid<u32>> {
        if edges.len() <= FEW_EDGES as usize {
            return None;
        }
        let line = |edge: &Edge| Bounds::of(edge.face.start, edge.end);
        let boxes: Vec<(Bounds, u32)> = edges.iter().map(line).zip(0..).collect();
        Some(Grid::shaped(&boxes, CELL, |i| {
            let edge = &edges[*i as usize];
            Extent::Line([edge.face.start, edge.end])
        }))
    }

    /// Calls `visit` with the indices of the edges near `area`, both as drawn. An edge may be visited
    /// more than once.
    #[inline]
    pub(super) fn visit_edges(&self, area: &Bounds, mut visit: impl FnMut(u32)) {
        match &self.grid {
            None => self.edges.clone().for_each(visit),
            Some(grid) => grid.visit(area, |i| visit(self.edges.start + *i)),
        }
    }
}

/// The platform made of this solid, as an index into `platforms`, which are sorted by solid.
pub(super) fn platform_of(platforms: &[Platform], solid: u32) -> Option<u16> {
    let place = platforms.binary_search_by_key(&solid, |p| p.solid);
    place.ok().map(|p| p as u16)
}

/// Where the platforms are at the end of one tick (they move first), and which of them are switched
/// on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transit {
    /// Offset of each platform from where it is drawn, px.
    pub offsets: Vec<DVec2>,
    /// Displacement of each platform in this tick, px.
    pub steps: Vec<DVec2>,
    /// The largest of these displacements along x and along y, px; 0 if nothing moves.
    pub widest: DVec2,
    /// The length of the longest of them, px.
    pub longest: f64,
    /// Whether each platform is switched on.
    pub there: Vec<bool>,
    /// The platforms that were switched on or off at the start of this tick.
    pub switched: Vec<u16>,
    /// What all of this follows from.
    pub changes: LevelChanges,
}

/// A part of a tick, in ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TickSpan {
    /// How much of the tick is left when it begins, 0..=1.
    pub left: f64,
    /// How long it is, at most `left`.
    pub length: f64,
}

impl TickSpan {
    /// What remains of it after this share.
    pub fn after(self, share: f64) -> Self {
        Self { left: self.left - self.length * share, length: self.length * (1.0 - share) }
    }
}

impl Transit {
    /// The platforms at tick `now`, before anything moves.
    pub fn standing(platforms: &[Platform], changes: &LevelChanges, now: u64, hz: f64) -> Self {
        Self::at(platforms, changes, changes.seconds(now, hz))
    }

    /// The platforms this many seconds after the level began.
    pub fn at(platforms: &[Platform], changes: &LevelChanges, seconds: f64) -> Self {
        let mut transit = Self::default();
        for platform in platforms {
            let offset = changes.offset(platform.solid, &platform.path, seconds);
            transit.offsets.push(offset);
            transit.steps.push(DVec2::ZERO);
            transit.there.push(!changes.absent.holds(platform.solid));
        }
        transit.changes.copy_from(changes);
        transit
    }

    /// No platforms, in a level that began in this tick and in which nothing has changed.
    pub fn plain(began: u64) -> Self {
        let changes = LevelChanges { began, ..LevelChanges::default() };
        Self { changes, ..Self::default() }
    }

    /// Advances from tick `now` to the next, reusing the allocated memory.
    pub fn step(&mut self, platforms: &[Platform], changes: &LevelChanges, now: u64, hz: f64) {
        self.clear();
        for platform in platforms {
            let from = platform.offset(changes, now, hz);
            let to = platform.offset(changes, now + 1, hz);
            self.offsets.push(to);
            let step = to - from;
            self.steps.push(step);
            self.widest = self.widest.max(step.abs());
            self.longest = self.longest.max(step.length());
            self.there.push(!changes.absent.holds(platform.solid));
        }
        self.changes.copy_from(changes);
    }

    /// Records which solids were switched at the start of this tick.
    pub fn switch(&mut self, platforms: &[Platform], solids: &[u32]) {
        let switched = solids.iter().filter_map(|s| platform_of(platforms, *s));
        self.switched.extend(switched);
    }

    /// Whether a platform is switched on.
    pub fn is_there(&self, platform: u16) -> bool {
        self.there[platform as usize]
    }

    /// Clears all positions and keeps the memory.
    pub fn clear(&mut self) {
        self.offsets.clear();
        self.steps.clear();
        self.widest = DVec2::ZERO;
        self.longest = 0.0;
        self.there.clear();
        self.switched.clear();
        self.changes.clear();
    }
}
