//! A free motion that loses what goes into surfaces.

use super::{Hit, Scenery};
use crate::geometry::Ellipse;
use glam::DVec2;

/// Most surfaces that one motion is turned by.
const MOST_BUMPS: usize = 4;

/// The surfaces that a motion has met, in order.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bumps {
    hits: [Option<Hit>; MOST_BUMPS],
    count: usize,
}

impl Bumps {
    /// The hits, first to last.
    pub fn iter(&self) -> impl Iterator<Item = &Hit> {
        self.hits[..self.count].iter().flatten()
    }

    /// Notes a hit; one beyond the most that are kept is dropped.
    pub fn push(&mut self, hit: Hit) {
        if self.count < MOST_BUMPS {
            self.hits[self.count] = Some(hit);
            self.count += 1;
        }
    }

    /// `velocity` without the parts that go into any of the surfaces. Where two of them leave no
    /// way out nothing is left.
    #[must_use]
    pub fn clip(&self, velocity: DVec2) -> DVec2 {
        let mut clipped = velocity;
        for hit in self.iter() {
            let into = clipped.dot(hit.normal);
            if into < 0.0 {
                clipped -= hit.normal * into;
            }
        }
        let wedged = self
            .iter()
            .any(|hit| clipped.dot(hit.normal) < -1e-9 * velocity.length());
        if wedged { DVec2::ZERO } else { clipped }
    }
}

/// Where a free motion ended.
#[derive(Clone, Copy, Debug)]
pub struct Slide {
    /// The center at the end, px.
    pub pos: DVec2,
    /// The surfaces that turned the motion.
    pub bumps: Bumps,
    /// The hit that ended it early when `stop` asked for that, and the share of the motion after
    /// which it came.
    pub stopped: Option<(Hit, f64)>,
}

/// Moves `shape` from `from` by `motion`. At each surface the part of the rest that goes into it
/// is removed and the rest continues along it, unless `stop` says that this hit, with the center
/// there, ends the motion.
#[must_use]
#[inline]
pub fn slide(
    scenery: &Scenery<'_>,
    shape: Ellipse,
    from: DVec2,
    motion: DVec2,
    mut stop: impl FnMut(&Hit, DVec2) -> bool,
) -> Slide {
    let mut result = Slide {
        pos: from,
        bumps: Bumps::default(),
        stopped: None,
    };
    let mut rest = motion;
    let mut gone = 0.0;
    for _ in 0..MOST_BUMPS {
        if rest == DVec2::ZERO {
            break;
        }
        let Some(hit) = scenery.sweep(shape, result.pos, rest) else {
            result.pos += rest;
            break;
        };
        result.pos += rest * hit.time;
        rest *= 1.0 - hit.time;
        gone += (1.0 - gone) * hit.time;
        if stop(&hit, result.pos) {
            result.stopped = Some((hit, gone));
            break;
        }
        result.bumps.push(hit);
        rest = result.bumps.clip(rest);
    }
    result
}
