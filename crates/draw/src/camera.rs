//! The camera: follows the players, or what the level and its scripts want, without shaking with them.
//!
//! It advances from plain data: the bodies to follow and the time since the last picture. So the window
//! and a film of the same run show the same part of the level.

use super::*;
use hangtime_core::{
    level::{CAMERA_ZOOM, CameraAim, CameraSettings, CameraTarget, FARTHEST},
    models::Mode,
};

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

/// Room around a part of the level that is shown whole: a share of its size, and px to each side.
const AROUND: (f64, f64) = (0.1, 70.0);

/// The most that a part of the level is enlarged to fill the picture.
const LARGEST: f64 = 2.0;

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
    fn of(body: &EntityView) -> Self {
        Self {
            pos: body.pos,
            vel: body.vel + body.external,
            rests: body.grounded || matches!(body.mode, Mode::Wall | Mode::Roof),
        }
    }
}

/// The bodies that a camera follows: by default the players, or the first body if there are none.
fn followed<'b>(bodies: &'b [EntityView], aim: Option<&CameraAim>) -> Vec<&'b EntityView> {
    let targets = match aim {
        None => {
            let players: Vec<_> = bodies.iter().filter(|body| body.player > 0).collect();
            return if players.is_empty() { bodies.first().into_iter().collect() } else { players };
        }
        Some(CameraAim::At(_)) => return Vec::new(),
        Some(CameraAim::Follow(targets)) => targets,
    };
    // No kind is meant by a name that an entity has.
    let is_name = |target: &CameraTarget| match target {
        CameraTarget::Named(name) => bodies.iter().any(|body| body.name == *name),
        CameraTarget::Player(_) => false,
    };
    let targets: Vec<(&CameraTarget, bool)> = targets.iter().map(|target| (target, is_name(target))).collect();
    let is_target = |body: &&EntityView| {
        targets.iter().any(|(target, named)| match target {
            CameraTarget::Named(name) if *named => body.name == *name,
            CameraTarget::Named(kind) => body.kind == *kind,
            CameraTarget::Player(player) => body.player == *player,
        })
    };
    bodies.iter().filter(is_target).collect()
}

/// What a camera is to show of a tick.
#[derive(Clone, Debug, PartialEq)]
pub struct Shot {
    /// The bodies to follow.
    pub focus: Vec<Focus>,
    /// What limits the camera, and how it is to look.
    pub frame: Frame,
}

impl Shot {
    /// What a picture of this size shows of a level with these bodies: as scripts want it, else as the level does, else
    /// as the kind of the body that is followed does.
    pub fn of(level: &Level, bodies: &[EntityView], drawing: Option<&Drawing>, size: (u32, u32)) -> Self {
        let own = &level.camera.own;
        let mut settings = drawing.map_or_else(|| own.clone(), |drawing| drawing.camera.settings.over(own));
        let followed = followed(bodies, settings.aim.as_ref());
        if let Some(of_kind) = followed.first().and_then(|body| level.camera.kinds.get(&body.kind)) {
            settings = settings.over(of_kind);
        }
        let focus = match settings.aim {
            Some(CameraAim::At(pos)) => vec![Focus { pos, vel: DVec2::ZERO, rests: true }],
            _ => followed.into_iter().map(Focus::of).collect(),
        };
        Self { focus, frame: Frame::of(level, settings, size) }
    }
}

/// What limits the camera: the picture's size and the level; and how it is to look.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Size of the picture, pixels.
    pub size: DVec2,
    /// What the picture may show, px.
    pub bounds: Bounds,
    /// The view.
    pub view: View,
    /// What is chosen about the camera. The bounds are those above.
    pub settings: CameraSettings,
}

impl Frame {
    /// The frame of a picture of this size of a level.
    fn of(level: &Level, settings: CameraSettings, (width, height): (u32, u32)) -> Self {
        // High solids are painted further up, beyond the edge of the plane.
        let tops = level.terrain.solids().iter().map(|solid| solid.top);
        let highest = tops.filter(|top| top.is_finite()).fold(0.0, f64::max);
        let mut bounds = level.bounds;
        bounds.max.y += highest;
        let bounds = settings.bounds.unwrap_or(bounds);
        Self { size: dvec2(f64::from(width), f64::from(height)), bounds, view: level.view, settings }
    }

    /// How far above a body the camera looks, px. A side view has more to show above than below; a
    /// top view shows equally much in all directions, and so does a camera that looks at a point.
    fn above(&self, zoom: f64) -> DVec2 {
        match self.view {
            View::Side if !matches!(self.settings.aim, Some(CameraAim::At(_))) => {
                dvec2(0.0, self.size.y / zoom * ABOVE)
            }
            _ => DVec2::ZERO,
        }
    }

    /// The nearest center that shows nothing outside the bounds. Along an axis on which the bounds are smaller than the
    /// picture, they are in its middle.
    fn inside(&self, center: DVec2, zoom: f64) -> DVec2 {
        let half = self.size / zoom * 0.5;
        let middle = (self.bounds.min + self.bounds.max) * 0.5;
        let (min, max) = (self.bounds.min + half, self.bounds.max - half);
        center.min(max.max(middle)).max(min.min(middle))
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
    /// What was to be looked at, and whether the camera is on its way there.
    aim: (Option<CameraAim>, bool),
    /// The size that the player has chosen.
    wheel: f64,
    /// What is shown instead, since the view was moved by hand.
    free: Option<Framing>,
}

impl Camera {
    /// A camera at rest on these bodies, within the level.
    pub fn settled(bodies: &[Focus], frame: &Frame) -> Self {
        Self::settled_at(bodies, frame, 1.0)
    }

    /// A camera that shows this part of the level whole in a picture of this size, with some room around it, as far as the
    /// limits of its size allow.
    pub fn around(part: &Bounds, (width, height): (u32, u32)) -> Self {
        let needed = (part.max - part.min) * (1.0 + AROUND.0) + 2.0 * AROUND.1;
        let zoom = (dvec2(f64::from(width), f64::from(height)) / needed).min_element();
        let center = (part.min + part.max) * 0.5;
        let pose = Framing { center, zoom: zoom.clamp(*CAMERA_ZOOM.start(), LARGEST) };
        Self {
            now: pose,
            before: pose,
            glide: DVec2::ZERO,
            held: center,
            look: DVec2::ZERO,
            last: (center, 0),
            aim: (None, false),
            wheel: 1.0,
            free: None,
        }
    }

    /// Stays where it is for a tick.
    pub(super) fn rest(&mut self) {
        self.before = self.now;
    }

    fn settled_at(bodies: &[Focus], frame: &Frame, wheel: f64) -> Self {
        let middle = middle(bodies).unwrap_or_default();
        let zoom = fitting(bodies, frame, wheel);
        let pose = Framing { center: frame.inside(middle + frame.above(zoom), zoom), zoom };
        Self {
            now: pose,
            before: pose,
            glide: DVec2::ZERO,
            held: middle,
            look: DVec2::ZERO,
            last: (middle, bodies.len()),
            aim: (frame.settings.aim.clone(), false),
            wheel,
            free: None,
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
        if self.aim.0 != frame.settings.aim {
            self.aim = (frame.settings.aim.clone(), true);
        } else if known == 0 || known == bodies.len() && moved > TELEPORTED + 2.0 * vel.length() * dt {
            *self = Self { free: self.free, ..Self::settled_at(bodies, frame, self.wheel) };
            return;
        }
        self.last = (middle, bodies.len());
        self.hold(middle, bodies.iter().all(|b| b.rests), frame, dt);
        let zoom = fitting(bodies, frame, self.wheel);
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
        let chosen = frame.settings.dead_zone;
        let shown = frame.size / self.now.zoom;
        let zone = match (chosen, frame.view) {
            _ if matches!(frame.settings.aim, Some(CameraAim::At(_))) => DVec2::ZERO,
            (Some(size), _) => (size * 0.5).min(shown * SAFE),
            (None, View::Side) => dvec2(DEAD_ZONE.0, shown.y * DEAD_ZONE.1),
            (None, View::Top) => DVec2::splat(DEAD_ZONE.0),
        };
        if rests && frame.view == View::Side && chosen.is_none() {
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

    /// Keeps the middle of the bodies in the picture, however fast they are, once it has been there.
    fn keep_in_sight(&mut self, bodies: &[Focus], frame: &Frame) {
        let Some(middle) = middle(bodies) else { return };
        let safe = frame.size / self.now.zoom * SAFE;
        let kept = self.now.center.clamp(middle - safe, middle + safe);
        self.aim.1 &= kept != self.now.center;
        if !self.aim.1 {
            self.now.center = kept;
        }
    }

    /// Enlarges everything by this factor, up to four times; a factor below 1 shows more of the level.
    pub fn zoom_by(&mut self, factor: f64) {
        let wheel = (self.wheel * factor).clamp(WHEEL.0, WHEEL.1);
        self.now.zoom *= wheel / self.wheel;
        self.wheel = wheel;
    }

    /// Returns to the size before [`zoom_by`](Self::zoom_by), and to what the camera follows.
    pub fn reset_zoom(&mut self) {
        self.zoom_by(self.wheel.recip());
        self.follow_again();
    }

    /// Moves the view by some px of the level. It stays there until [`follow_again`](Self::follow_again).
    pub fn pan_by(&mut self, by: DVec2) {
        let Framing { center, zoom } = self.shown();
        let center = (center + by).clamp(DVec2::splat(-FARTHEST), DVec2::splat(FARTHEST));
        if by.is_finite() {
            self.free = Some(Framing { center, zoom });
        }
    }

    /// Enlarges everything by this factor around a point of the level, px, which stays where it is in the picture. The view
    /// stays there until [`follow_again`](Self::follow_again).
    pub fn zoom_at(&mut self, factor: f64, point: DVec2) {
        let Framing { center, zoom } = self.shown();
        let larger = (zoom * factor).clamp(*CAMERA_ZOOM.start(), *CAMERA_ZOOM.end());
        if point.is_finite() && larger.is_finite() {
            let center = point + (center - point) * (zoom / larger);
            self.free = Some(Framing { center, zoom: larger });
        }
    }

    /// Shows what it follows.
    pub fn follow_again(&mut self) {
        self.free = None;
    }

    fn shown(&self) -> Framing {
        self.free.unwrap_or(self.now)
    }

    /// The middle of the picture, px.
    pub fn center(&self) -> DVec2 {
        self.shown().center
    }

    /// Pixels of the picture per px of the level.
    pub fn zoom(&self) -> f64 {
        self.shown().zoom
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
        if let Some(Framing { center, zoom }) = self.free {
            return Lens::new(size, center, zoom);
        }
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

/// The size at which all bodies are in the picture, with room around them, and at most the chosen one; times what the
/// player has chosen.
fn fitting(bodies: &[Focus], frame: &Frame, wheel: f64) -> f64 {
    let most = frame.settings.zoom.unwrap_or(1.0);
    let size = corners(bodies).map_or(most, |[min, max]| {
        let needed = max - min + frame.size * ROOM / most;
        (frame.size / needed).min_element().clamp(SMALLEST.min(most), most)
    });
    (size * wheel).clamp(*CAMERA_ZOOM.start(), *CAMERA_ZOOM.end())
}

/// How far ahead to look at this velocity, px.
fn ahead(vel: DVec2, frame: &Frame, zoom: f64) -> DVec2 {
    let most = frame.size / zoom * MOST_AHEAD;
    let usual = if frame.settings.dead_zone.is_some() { 0.0 } else { AHEAD };
    let seconds = frame.settings.look_ahead.unwrap_or(usual);
    let ahead = match frame.view {
        _ if seconds == 0.0 => DVec2::ZERO,
        View::Side => dvec2(vel.x * seconds, (vel.y - vel.y.clamp(-JUMP, JUMP)) * DEEP),
        View::Top => vel * seconds,
    };
    ahead.clamp(-most, most)
}
