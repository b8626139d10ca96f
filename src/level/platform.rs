//! Platforms: solids that move or can be switched off, and where they are in one tick.

use super::{Absent, Path};
use glam::DVec2;
use std::ops::Range;

/// A solid that is a part of its own: it moves, or it can be switched off, or both.
#[derive(Clone, Debug)]
pub struct Platform {
    /// Its solid, an index into [`Terrain::solids`].
    pub solid: u32,
    /// Its edges; none where it is not in the way.
    pub edges: Range<u32>,
    /// Its way; of one that stays where it is, one without points.
    pub path: Path,
}

/// The platform that a solid is, as an index into `platforms`, which are sorted by solid.
pub(super) fn platform_of(platforms: &[Platform], solid: u32) -> Option<u16> {
    let place = platforms.binary_search_by_key(&solid, |p| p.solid);
    place.ok().map(|p| p as u16)
}

/// Where the platforms are in one tick, at its end, since they move first; and which of them are there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transit {
    /// How far each is from where it is drawn, px.
    pub offsets: Vec<DVec2>,
    /// How far each has gone in this tick, px.
    pub steps: Vec<DVec2>,
    /// Which of them are there: all but those that are switched off.
    pub there: Vec<bool>,
    /// Those that were switched on or off as this tick began.
    pub switched: Vec<u16>,
}

impl Transit {
    /// Where the platforms stand at tick `now`, before anything moves.
    #[must_use]
    pub fn standing(platforms: &[Platform], absent: &Absent, now: u64, hz: f64) -> Self {
        Self::at(platforms, absent, now as f64 / hz)
    }

    /// Where they stand after so many seconds.
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

    /// Takes the step from tick `now` to the next. Its memory is used again.
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

    /// Notes which solids were switched as this tick began.
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

    /// Whether a platform is there.
    #[must_use]
    pub fn is_there(&self, platform: u16) -> bool {
        self.there[platform as usize]
    }

    /// Forgets where they are.
    pub fn clear(&mut self) {
        self.offsets.clear();
        self.steps.clear();
        self.there.clear();
        self.switched.clear();
    }
}
