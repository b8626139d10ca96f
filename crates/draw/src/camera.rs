//! The camera: follows the players without shaking with them.
//!
//! It advances from plain data: the bodies to follow and the time since the last picture. So the window
//! and a film of the same run show the same part of the level.

use super::*;
use hangtime_core::models::Mode;

/// Half the size of the area in which a followed body moves without moving the camera: along x, px,
/// and along y, as a fraction of the picture's height.
const DEAD_ZONE: (f64, f64) = (20.0, 0.14);

/// How fast the camera approaches its goal along x and y, 1/s.
const EAGERNESS: DVec2 = dvec2(10.0, 8.0);

/// How far ahead of a moving body the camera looks, s: enough for the distance that it lags behind, and more.
const AHEAD: f64 = 0.36;

/// The farthest that it looks ahead, as fractions of the picture's size.
const MOST_AHEAD: DVec2 = dvec2(0.34, 1.0);

/// The vertical speed of a jump, px/s: a side view does not look ahead for less. For each px/s more, it
/// looks this far ahead, s: falls are short, and what comes matters.
const JUMP: f64 = 560.0;
const DEEP: f64 = 2.5;

/// How fast looking ahead, the height of the ground and the size adjust, 1/s.
const LOOKING: f64 = 3.0;
const LANDING: f64 = 3.5;
const ZOOMING: f64 = 2.5;

/// How far a single followed body may be from the middle of the picture, as fractions of its size.
const SAFE: DVec2 = dvec2(0.38, 0.38);

/// How far a side view looks above the players, as a fraction of the picture's height.
const ABOVE: f64 = 0.18;

/// Room around several players, as a fraction of the picture's size.
const ROOM: f64 = 0.4;

/// The smallest size at which several players are shown together.
const SMALLEST: f64 = 0.4;

/// Limits of [`Camera::zoom_by`].
const WHEEL: (f64, f64) = (0.25, 4.0);

/// A body that moves this much farther in a tick than its velocity takes it was teleported, px.
const TELEPORTED: f64 = 200.0;

/// A body that the camera follows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Focus {
    /// Its center, px.
    pub pos: DVec2,
    /// Its velocity, px/s.
    pub vel: DVec2,
    /// Whether it stands on something or holds on to it.
    pub rests: bool,
}

impl Focus {
    /// The bodies to follow: the players, or the first body if there are none.
    pub fn of(bodies: &[EntityView]) -> Vec<Self> {
        let focus = |body: &EntityView| Self {
            pos: body.pos,
            vel: body.vel + body.external,
            rests: body.grounded || matches!(body.mode, Mode::Wall | Mode::Roof),
        };
        let players: Vec<Self> = bodies.iter().filter(|b| b.player > 0).map(focus).collect();
        if players.is_empty() {
            return bodies.first().map(focus).into_iter().collect();
        }
        players
    }
}

/// What limits the camera: the picture's size and the level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Size of the picture, pixels.
    pub size: DVec2,
    /// What the picture may show, px.
    pub bounds: Bounds,
    /// The view.
    pub view: View,
}

impl Frame {
    /// The frame of a picture of this size of a level.
    pub fn of(level: &Level, (width, height): (u32, u32)) -> Self {
        // High solids are painted further up, beyond the edge of the plane.
        let tops = level.terrain.solids().iter().map(|solid| solid.top);
        let highest = tops.filter(|top| top.is_finite()).fold(0.0, f64::max);
        let mut bounds = level.bounds;
        bounds.max.y += highest;
        Self { size: dvec2(f64::from(width), f64::from(height)), bounds, view: level.view }
    }

    /// How far above a body the camera looks, px. A side view has more to show above than below; a
    /// top view shows equally much in all directions.
    fn above(&self, zoom: f64) -> DVec2 {
        match self.view {
            View::Side => dvec2(0.0, self.size.y / zoom * ABOVE),
            View::Top => DVec2::ZERO,
        }
    }

    /// The nearest center that shows nothing outside the bounds.
    fn inside(&self, center: DVec2, zoom: f64) -> DVec2 {
        let half = self.size / zoom * 0.5;
        let (min, max) = (self.bounds.min + half, self.bounds.max - half);
        center.min(max).max(min.min(max))
    }
}

/// What the camera shows.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Framing {
    center: DVec2,
    zoom: f64,
}

/// Where a picture looks. It starts settled, and [`advance`](Self::advance) moves it once per tick.
#[derive(Clone, Debug, PartialEq)]
pub struct Camera {
    now: Framing,
    /// The pose one tick ago.
    before: Framing,
    /// Velocity of the center, px/s.
    glide: DVec2,
    /// The middle of the dead zone, px.
    held: DVec2,
    /// How far it looks ahead, px.
    look: DVec2,
    /// The middle of the followed bodies, and their number.
    last: (DVec2, usize),
    /// The size that the player has chosen.
    wheel: f64,
}

impl Camera {
    /// A camera at rest on these bodies, within the level.
    pub fn settled(bodies: &[Focus], frame: &Frame) -> Self {
        Self::settled_at(bodies, frame, 1.0)
    }

    fn settled_at(bodies: &[Focus], frame: &Frame, wheel: f64) -> Self {
        let middle = middle(bodies).unwrap_or_default();
        let zoom = fitting(bodies, frame) * wheel;
        let pose = Framing { center: frame.inside(middle + frame.above(zoom), zoom), zoom };
        Self {
            now: pose,
            before: pose,
            glide: DVec2::ZERO,
            held: middle,
            look: DVec2::ZERO,
            last: (middle, bodies.len()),
            wheel,
        }
    }

    /// Follows the bodies for `dt` seconds. Teleports are followed at once.
    pub fn advance(&mut self, bodies: &[Focus], frame: &Frame, dt: f64) {
        self.before = self.now;
        let Some(middle) = middle(bodies) else {
            return;
        };
        let count = bodies.len() as f64;
        let vel = bodies.iter().map(|b| b.vel).sum::<DVec2>() / count;
        let (last, known) = self.last;
        let moved = last.distance(middle);
        if known == 0 || known == bodies.len() && moved > TELEPORTED + 2.0 * vel.length() * dt {
            *self = Self::settled_at(bodies, frame, self.wheel);
            return;
        }
        self.last = (middle, bodies.len());
        self.hold(middle, bodies.iter().all(|b| b.rests), frame, dt);
        let zoom = fitting(bodies, frame) * self.wheel;
        self.now.zoom += (zoom - self.now.zoom) * share(ZOOMING, dt);
        let ahead = ahead(vel, frame, self.now.zoom);
        self.look += (ahead - self.look) * share(LOOKING, dt);
        let goal = self.held + self.look + frame.above(self.now.zoom);
        self.glide_to(frame.inside(goal, self.now.zoom), dt);
        self.keep_in_sight(bodies, frame);
        let inside = frame.inside(self.now.center, self.now.zoom);
        for axis in 0..2 {
            if inside[axis] != self.now.center[axis] {
                self.glide[axis] = 0.0;
            }
        }
        self.now.center = inside;
    }

    /// Moves the dead zone, so that the bodies stay in it. In a side view it settles on the ground that
    /// they stand on, and a jump does not move it.
    fn hold(&mut self, middle: DVec2, rests: bool, frame: &Frame, dt: f64) {
        let high = match frame.view {
            View::Side => frame.size.y / self.now.zoom * DEAD_ZONE.1,
            View::Top => DEAD_ZONE.0,
        };
        let zone = dvec2(DEAD_ZONE.0, high);
        if rests && frame.view == View::Side {
            self.held.y += (middle.y - self.held.y) * share(LANDING, dt);
        }
        self.held = self.held.clamp(middle - zone, middle + zone);
    }

    /// Moves toward the goal like a critically damped spring: without jerks, never past it. The closed
    /// form does not depend on how the time is divided.
    fn glide_to(&mut self, goal: DVec2, dt: f64) {
        for axis in 0..2 {
            let (away, eager) = (self.now.center[axis] - goal[axis], EAGERNESS[axis]);
            let kept = libm::exp(-eager * dt);
            let by = (self.glide[axis] + eager * away) * dt;
            self.now.center[axis] = goal[axis] + (away + by) * kept;
            self.glide[axis] = (self.glide[axis] - eager * by) * kept;
        }
    }

    /// Keeps the middle of the bodies in the picture, however fast they are.
    fn keep_in_sight(&mut self, bodies: &[Focus], frame: &Frame) {
        let Some(middle) = middle(bodies) else { return };
        let safe = frame.size / self.now.zoom * SAFE;
        self.now.center = self.now.center.clamp(middle - safe, middle + safe);
    }

    /// Enlarges everything by this factor, up to four times; a factor below 1 shows more of the level.
    pub fn zoom_by(&mut self, factor: f64) {
        let wheel = (self.wheel * factor).clamp(WHEEL.0, WHEEL.1);
        self.now.zoom *= wheel / self.wheel;
        self.wheel = wheel;
    }

    /// Returns to the size before [`zoom_by`](Self::zoom_by).
    pub fn reset_zoom(&mut self) {
        self.zoom_by(self.wheel.recip());
    }

    /// The middle of the picture, px.
    pub fn center(&self) -> DVec2 {
        self.now.center
    }

    /// Pixels of the picture per px of the level.
    pub fn zoom(&self) -> f64 {
        self.now.zoom
    }

    /// The point of the level at a pixel of a picture of this size, counted from its upper left corner.
    pub fn level_at(&self, (width, height): (u32, u32), x: f64, y: f64) -> DVec2 {
        let size = dvec2(f64::from(width), f64::from(height));
        self.lens(size, 1.0).level_at(x, y)
    }

    /// The part of the level that a picture of this size shows.
    pub fn shows(&self, (width, height): (u32, u32)) -> Bounds {
        let size = dvec2(f64::from(width), f64::from(height));
        self.lens(size, 1.0).shows()
    }

    /// The lens at this share of the way from the last tick to this one.
    pub(super) fn lens(&self, size: DVec2, share: f64) -> Lens {
        let center = self.before.center.lerp(self.now.center, share);
        let zoom = self.before.zoom + (self.now.zoom - self.before.zoom) * share;
        Lens::new(size, center, zoom)
    }
}

/// The share of the distance to a goal that is covered in `dt` seconds at this rate.
fn share(rate: f64, dt: f64) -> f64 {
    1.0 - libm::exp(-rate * dt)
}

/// The middle of the bodies: of the box around them.
fn middle(bodies: &[Focus]) -> Option<DVec2> {
    let [min, max] = corners(bodies)?;
    Some((min + max) * 0.5)
}

fn corners(bodies: &[Focus]) -> Option<[DVec2; 2]> {
    let first = bodies.first()?.pos;
    let around = bodies.iter().fold([first; 2], |[min, max], b| [min.min(b.pos), max.max(b.pos)]);
    Some(around)
}

/// The size at which all bodies are in the picture, with room around them; at most 1.
fn fitting(bodies: &[Focus], frame: &Frame) -> f64 {
    let Some([min, max]) = corners(bodies) else {
        return 1.0;
    };
    let needed = max - min + frame.size * ROOM;
    (frame.size / needed).min_element().clamp(SMALLEST, 1.0)
}

/// How far ahead to look at this velocity, px.
fn ahead(vel: DVec2, frame: &Frame, zoom: f64) -> DVec2 {
    let most = frame.size / zoom * MOST_AHEAD;
    let ahead = match frame.view {
        View::Side => dvec2(vel.x * AHEAD, (vel.y - vel.y.clamp(-JUMP, JUMP)) * DEEP),
        View::Top => vel * AHEAD,
    };
    ahead.clamp(-most, most)
}
