//! Free motion that loses the velocity into each surface it hits.

use super::{Hit, Scenery};
use crate::geometry::Ellipse;
use glam::DVec2;

/// Maximum number of surfaces that deflect one motion.
const MOST_BUMPS: usize = 4;

/// The surfaces that a motion hit, in order.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bumps {
    hits: [Option<Hit>; MOST_BUMPS],
    count: usize,
}

impl Bumps {
    /// The hits in order.
    pub fn iter(&self) -> impl Iterator<Item = &Hit> {
        self.hits[..self.count].iter().flatten()
    }

    /// Records a hit; hits past the limit are dropped.
    pub fn push(&mut self, hit: Hit) {
        if self.count < MOST_BUMPS {
            self.hits[self.count] = Some(hit);
            self.count += 1;
        }
    }

    /// `velocity` without its components into any of the surfaces; zero where two surfaces leave no
    /// way out.
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
    /// The surfaces that deflected the motion.
    pub bumps: Bumps,
    /// The hit that ended the motion early because `stop` returned true, and the fraction of the
    /// motion completed by then.
    pub stopped: Option<(Hit, f64)>,
}

/// Moves `shape` from `from` by `motion`. At each surface the component of the remaining motion
/// into it is removed and the rest continues along it. If `stop` returns true for a hit and the
/// center at that moment, the motion ends there.
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
    let mut completed = 0.0;
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
        completed += (1.0 - completed) * hit.time;
        if stop(&hit, result.pos) {
            result.stopped = Some((hit, completed));
            break;
        }
        result.bumps.push(hit);
        rest = result.bumps.clip(rest);
    }
    result
}
