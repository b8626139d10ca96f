//! Free motion that loses the velocity into each surface it hits.

use super::*;

/// Maximum number of surfaces that deflect one motion.
const MOST_BUMPS: usize = 4;

/// The surfaces that a motion hit, in order.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bumps {
    hits: [Option<Hit>; MOST_BUMPS],
    count: usize,
    /// How they move, if any of them may.
    moving: Option<Moving>,
}

/// How the surfaces move that a motion hit.
#[derive(Clone, Copy, Debug, Default)]
struct Moving {
    /// Displacement of each along its normal, px per tick.
    paces: [f64; MOST_BUMPS],
    /// The fraction of the motion that was completed at each hit.
    times: [f64; MOST_BUMPS],
    /// Whether any of them moves along its normal.
    any: bool,
}

/// A hit of a motion among moving platforms.
#[derive(Clone, Copy, Debug)]
pub struct MovingHit {
    /// Unit normal, toward the body.
    pub normal: DVec2,
    /// Displacement of the surface along its normal, px per tick.
    pub pace: f64,
    /// The fraction of the motion that was completed by then.
    pub time: f64,
}

/// Surfaces whose normals enclose an angle with a smaller sine leave no corner between them in which
/// a body could move along with both.
const CORNER: f64 = 0.1;

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
    #[inline]
    pub fn clip(&self, velocity: DVec2) -> DVec2 {
        if self.count == 0 { velocity } else { self.clip_any(velocity) }
    }

    #[inline(never)]
    fn clip_any(&self, velocity: DVec2) -> DVec2 {
        let mut clipped = velocity;
        for hit in self.iter() {
            let into = clipped.dot(hit.normal);
            if into < 0.0 {
                clipped -= hit.normal * into;
            }
        }
        let wedged = self.count > 1 && self.iter().any(|hit| clipped.dot(hit.normal) < -1e-9 * velocity.length());
        if wedged { DVec2::ZERO } else { clipped }
    }

    /// Whether a surface was hit that moves along its normal.
    pub fn on_platform(&self) -> bool {
        self.moving.is_some_and(|moving| moving.any)
    }

    /// The hits in order, with the motion of what was hit; nothing if none may move.
    pub fn among_platforms(&self) -> impl Iterator<Item = MovingHit> {
        let moving = self.moving.iter();
        moving.flat_map(|moving| {
            self.iter().enumerate().map(|(i, hit)| MovingHit {
                normal: hit.normal,
                pace: moving.paces[i],
                time: moving.times[i],
            })
        })
    }

    /// Like [`clip`](Self::clip), but relative to the velocity of what was hit. `velocity` is in px
    /// per 1/`rate` ticks. Between two surfaces that block each other, the result follows both.
    pub fn clip_at(&self, velocity: DVec2, rate: f64) -> DVec2 {
        if !self.on_platform() {
            return self.clip(velocity);
        }
        self.clip_moving(velocity, rate)
    }

    #[cold]
    fn clip_moving(&self, velocity: DVec2, rate: f64) -> DVec2 {
        let mut clipped = velocity;
        for hit in self.among_platforms() {
            let short = hit.pace * rate - clipped.dot(hit.normal);
            if short > 0.0 {
                clipped += hit.normal * short;
            }
        }
        let scale = velocity.length() + clipped.length();
        let follows = |v: DVec2| self.among_platforms().all(|hit| v.dot(hit.normal) >= hit.pace * rate - 1e-9 * scale);
        if follows(clipped) {
            return clipped;
        }
        let corners = self.among_platforms().enumerate().flat_map(|(i, a)| {
            let others = self.among_platforms().take(i);
            others.filter_map(move |b| corner_between(&a, &b, rate))
        });
        corners.into_iter().find(|v| follows(*v)).unwrap_or(DVec2::ZERO)
    }

    /// Records the motion of the platforms that were hit, for a motion that met them where they are
    /// at the end of the tick.
    #[cold]
    pub fn note_platforms(&mut self, scenery: &Scenery) {
        for place in 0..self.count {
            let Some(hit) = self.hits[place] else {
                continue;
            };
            let pace = scenery.step_under(hit.feature).dot(hit.normal);
            self.note(place, pace, 1.0);
        }
    }

    fn note(&mut self, place: usize, pace: f64, time: f64) {
        let moving = self.moving.get_or_insert_default();
        moving.any |= pace != 0.0;
        moving.paces[place] = pace;
        moving.times[place] = time;
    }
}

/// The longer of two ways.
pub fn longer(a: DVec2, b: DVec2) -> DVec2 {
    if b.length_squared() > a.length_squared() { b } else { a }
}

/// The velocity that follows both surfaces, px per 1/`rate` ticks.
fn corner_between(a: &MovingHit, b: &MovingHit, rate: f64) -> Option<DVec2> {
    let det = a.normal.perp_dot(b.normal);
    let across = b.normal.perp() * -a.pace + a.normal.perp() * b.pace;
    (det.abs() > CORNER).then(|| across * (rate / det))
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
    /// How a platform moves into the body because something else is in its way, along the platform's normal, px.
    pub pressed: DVec2,
}

impl Slide {
    fn at(pos: DVec2) -> Self {
        Self { pos, bumps: Bumps::default(), stopped: None, pressed: DVec2::ZERO }
    }
}

/// Moves `shape` from `from` by `motion`. At each surface the component of the remaining motion
/// into it is removed and the rest continues along it. If `stop` returns true for a hit and the
/// center at that moment, the motion ends there.
#[inline]
pub fn slide(
    scenery: &Scenery,
    shape: Collider,
    from: DVec2,
    motion: DVec2,
    stop: impl FnMut(&Hit, DVec2) -> bool,
) -> Slide {
    let first = if motion == DVec2::ZERO { None } else { scenery.sweep(shape, from, motion) };
    match first {
        Some(hit) => slide_on(scenery, shape, from, motion, hit, stop),
        None => Slide::at(from + motion),
    }
}

/// Like [`slide`], for a motion whose first hit is known.
pub fn slide_on(
    scenery: &Scenery,
    shape: Collider,
    from: DVec2,
    motion: DVec2,
    first: Hit,
    mut stop: impl FnMut(&Hit, DVec2) -> bool,
) -> Slide {
    let mut result = Slide::at(from);
    let mut rest = motion;
    let mut completed = 0.0;
    let mut known = Some(first);
    for _ in 0..MOST_BUMPS {
        if rest == DVec2::ZERO {
            break;
        }
        let next = known.take();
        let Some(hit) = next.or_else(|| scenery.sweep(shape, result.pos, rest)) else {
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

/// Like [`slide`], for a motion that takes this part of the tick: it meets moving platforms where
/// they are at that moment, and they push the body along. `stop` is given the center as the surface
/// will carry it until the end of the tick.
#[cold]
pub fn slide_in_tick(
    scenery: &Scenery,
    shape: Collider,
    from: DVec2,
    motion: DVec2,
    span: TickSpan,
    mut stop: impl FnMut(&Hit, DVec2) -> bool,
) -> Slide {
    let mut result = Slide::at(from);
    let (mut rest, mut span) = (motion, span);
    let mut completed = 0.0;
    // The motion of everything that was hit, as long as all of it is the same.
    let mut shared = None;
    for _ in 0..MOST_BUMPS {
        let Some(hit) = scenery.sweep_in_tick(shape, result.pos, rest, span) else {
            result.pos += rest;
            return result;
        };
        result.pos += rest * hit.time;
        rest *= 1.0 - hit.time;
        completed += (1.0 - completed) * hit.time;
        span = span.after(hit.time);
        let step = scenery.step_under(hit.feature);
        if stop(&hit, result.pos + step * span.left) {
            result.stopped = Some((hit, completed));
            return result;
        }
        let place = result.bumps.count;
        shared = match place {
            0 => Some(step),
            _ => shared.filter(|known| *known == step),
        };
        result.bumps.push(hit);
        result.bumps.note(place, step.dot(hit.normal), completed);
        rest = result.bumps.clip_at(rest, span.length);
    }
    // A body that is still turned around stays where it is, on a platform that does not, as far as that is free.
    let carry = shared.unwrap_or_default() * span.left;
    let hit = scenery.sweep_in_tick(shape, result.pos, carry, TickSpan { length: span.left, ..span });
    let carried = carry * hit.map_or(1.0, |hit| hit.time);
    result.pos += carried;
    let into = |hit: MovingHit| (hit.pace * span.left - carried.dot(hit.normal)).max(0.0) * hit.normal;
    result.pressed = result.bumps.among_platforms().map(into).fold(DVec2::ZERO, longer);
    result
}
