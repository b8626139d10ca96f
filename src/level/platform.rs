//! Platforms: solids that move or can be switched off, and where they are in one tick.

use super::{Absent, Path};
use glam::DVec2;
use std::ops::Range;

/// A solid that is not joined with others because it moves, can be switched off, or both.
#[derive(Clone, Debug)]
pub struct Platform {
    /// Its solid, as an index into [`Terrain::solids`](super::Terrain::solids).
    pub solid: u32,
    /// Its range of edges; empty if it is not an obstacle in this terrain.
    pub edges: Range<u32>,
    /// Its path; a path without points if it stays in place.
    pub path: Path,
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
    /// Whether each platform is switched on.
    pub there: Vec<bool>,
    /// The platforms that were switched on or off at the start of this tick.
    pub switched: Vec<u16>,
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
    #[must_use]
    pub fn after(self, share: f64) -> Self {
        Self {
            left: self.left - self.length * share,
            length: self.length * (1.0 - share),
        }
    }
}

impl Transit {
    /// The platforms at tick `now`, before anything moves.
    #[must_use]
    pub fn standing(platforms: &[Platform], absent: &Absent, now: u64, hz: f64) -> Self {
        Self::at(platforms, absent, now as f64 / hz)
    }

    /// The platforms after this many seconds.
    #[must_use]
    pub fn at(platforms: &[Platform], absent: &Absent, seconds: f64) -> Self {
        let mut transit = Self::default();
        for platform in platforms {
            transit.offsets.push(platform.path.offset(seconds));
            transit.steps.push(DVec2::ZERO);
            transit.there.push(!absent.holds(platform.solid));
        }
        transit
    }

    /// Advances from tick `now` to the next, reusing the allocated memory.
    pub fn step(&mut self, platforms: &[Platform], absent: &Absent, now: u64, hz: f64) {
        self.clear();
        for platform in platforms {
            let from = platform.path.offset(now as f64 / hz);
            let to = platform.path.offset((now + 1) as f64 / hz);
            self.offsets.push(to);
            self.steps.push(to - from);
            self.there.push(!absent.holds(platform.solid));
        }
    }

    /// Records which solids were switched at the start of this tick.
    pub fn switch(&mut self, platforms: &[Platform], solids: &[u32]) {
        let switched = solids.iter().filter_map(|s| platform_of(platforms, *s));
        self.switched.extend(switched);
    }

    /// The solids that are switched off.
    #[must_use]
    pub fn absent(&self, platforms: &[Platform]) -> Absent {
        let mut absent = Absent::default();
        for (platform, there) in platforms.iter().zip(&self.there) {
            absent.set(platform.solid, *there);
        }
        absent
    }

    /// Whether a platform is switched on.
    #[must_use]
    pub fn is_there(&self, platform: u16) -> bool {
        self.there[platform as usize]
    }

    /// Clears all positions and keeps the memory.
    pub fn clear(&mut self) {
        self.offsets.clear();
        self.steps.clear();
        self.there.clear();
        self.switched.clear();
    }
}
