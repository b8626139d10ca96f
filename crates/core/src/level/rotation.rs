//! Solids that rotate about a point. A tilt is the rotation of one in a tick: every outline follows from the drawn one and
//! the angle, so that no error adds up and the angle is all that is state.

use super::*;
use crate::geometry::{separation::separation, turn, turned};
use std::f64::consts::TAU;

/// The most corners of a solid that rotates.
pub const MOST_CORNERS: usize = 32;

/// The most solids of a level that rotate.
pub const MOST_ROTATING: usize = 64;

/// The highest speed of a rotation, °/s.
pub const MOST_TURN: f64 = 3600.0;

/// The largest angle to which a script can rotate a solid, °.
pub const MOST_ANGLE: f64 = 360_000.0;

/// The farthest that a corner of a solid may be from its pivot, px.
pub const MOST_REACH: f64 = 4096.0;

/// How a solid rotates. Angles count counterclockwise from where it is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rotation {
    /// The point about which it rotates, px, as drawn. It moves along with the solid's path.
    pub pivot: DVec2,
    /// When it rotates.
    pub law: RotationLaw,
}

/// When a solid rotates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RotationLaw {
    /// Always, at this speed, °/s; clockwise if it is below 0.
    Steady(f64),
    /// To and fro like a pendulum, from where it is drawn: the largest angle, °, and how long it takes to and fro, s.
    Swing(f64, f64),
    /// When scripts order it, at this speed, °/s.
    Called(f64),
}

/// Where a solid is whose rotation scripts have ordered.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CalledRotation {
    /// Its solid, as an index into the level's solids.
    pub solid: u32,
    /// The angle at which it was when the order came, °.
    pub from: f64,
    /// The angle to which it rotates, °.
    pub to: f64,
    /// When the order came, in seconds since the level began.
    pub since: f64,
    /// Whether it has not arrived yet.
    pub travels: bool,
}

impl CalledRotation {
    /// Its angle at this speed after this many seconds of the level, °.
    fn angle(&self, speed: f64, seconds: f64) -> f64 {
        let (way, done) = (self.to - self.from, speed * (seconds - self.since).max(0.0));
        if done >= way.abs() - ARRIVED {
            self.to
        } else {
            self.from + done.copysign(way)
        }
    }
}

/// A rotation this close to its end has arrived, °.
const ARRIVED: f64 = 1e-9;

impl LevelChanges {
    /// The angle of a solid this many seconds after the level began, °.
    pub fn angle(&self, solid: u32, rotation: &Rotation, seconds: f64) -> f64 {
        match rotation.law {
            RotationLaw::Steady(speed) => speed * seconds,
            RotationLaw::Swing(angle, period) => angle * libm::sin(TAU * (seconds / period).fract()),
            RotationLaw::Called(speed) => {
                let place = self.rotated.binary_search_by_key(&solid, |called| called.solid);
                place.map_or(0.0, |place| self.rotated[place].angle(speed, seconds))
            }
        }
    }

    /// How a solid is rotated this many seconds after the level began; `None` if it never is.
    pub fn tilt(&self, index: u32, solid: &Solid, seconds: f64) -> Option<Tilt> {
        let rotation = solid.rotation?;
        let angle = self.angle(index, &rotation, seconds);
        Some(Tilt::new(0, rotation.pivot, solid.reach_from(rotation.pivot), [angle; 2]))
    }

    /// Rotates a solid to an angle, °, from `seconds` after the level began. Returns whether it rested until then.
    pub fn turn_solid(&mut self, solid: u32, rotation: &Rotation, to: f64, seconds: f64) -> bool {
        let from = self.angle(solid, rotation, seconds);
        let called = CalledRotation { solid, from, to, since: seconds, travels: true };
        match self.rotated.binary_search_by_key(&solid, |called| called.solid) {
            Ok(place) => !std::mem::replace(&mut self.rotated[place], called).travels,
            Err(place) => {
                self.rotated.insert(place, called);
                true
            }
        }
    }
}

/// How a platform that rotates lies at the end of a tick, and how far it has rotated in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tilt {
    /// Its platform.
    pub platform: u16,
    /// The point about which it rotates, px, as drawn.
    pub pivot: DVec2,
    /// How far its outline reaches from there, px.
    pub reach: f64,
    /// Its angle at the end of the tick, °.
    angle: f64,
    /// How far it has rotated in the tick, °.
    pub step: f64,
    /// The direction of its x axis.
    turn: DVec2,
}

/// The cosine and sine of an angle in degrees; exact for quarters.
fn direction(degrees: f64) -> DVec2 {
    let quarters = (degrees / 90.0).round();
    let DVec2 { x, y } = turn((degrees - quarters * 90.0).to_radians());
    match quarters.rem_euclid(4.0) as u8 {
        0 => DVec2::new(x, y),
        1 => DVec2::new(-y, x),
        2 => DVec2::new(-x, -y),
        _ => DVec2::new(y, -x),
    }
}

impl Tilt {
    /// A platform that rotates from one angle to another, °.
    pub(super) fn new(platform: u16, pivot: DVec2, reach: f64, [from, to]: [f64; 2]) -> Self {
        Self { platform, pivot, reach, angle: to, step: to - from, turn: direction(to) }
    }

    /// The same before this share of its step.
    pub fn rewound(&self, share: f64) -> Self {
        let angle = self.angle - self.step * share;
        Self { angle, turn: direction(angle), ..*self }
    }

    /// How far its outermost point moves in the tick, px.
    pub(super) fn swept(&self) -> f64 {
        self.reach * self.step.to_radians().abs().min(2.0)
    }

    /// The angle by which a vector rotates in this share of the tick, as a direction.
    pub fn turn_in(&self, share: f64) -> DVec2 {
        direction(self.step * share)
    }

    /// Where a point of the drawn outline is, px.
    pub fn point(&self, drawn: DVec2) -> DVec2 {
        self.pivot + turned(self.turn, drawn - self.pivot)
    }

    /// Where a face of the drawn outline is.
    pub fn face(&self, drawn: &Face) -> Face {
        let along = turned(self.turn, drawn.along);
        Face { start: self.point(drawn.start), along, normal: Face::normal_of(along), length: drawn.length }
    }

    /// The outline of its solid, px.
    pub fn outline(&self, solid: &Solid) -> ArrayVec<DVec2, MOST_CORNERS> {
        solid.points.iter().take(MOST_CORNERS).map(|point| self.point(*point)).collect()
    }

    /// The solid as it lies, rotated.
    pub fn solid(&self, drawn: &Solid) -> Solid {
        let points: Vec<DVec2> = self.outline(drawn).to_vec();
        Solid { bounds: Bounds::around(&points), inside: None, rim: None, points, ..drawn.clone() }
    }

    /// The angle at the end of the tick, °.
    pub const fn angle(&self) -> f64 {
        self.angle
    }

    /// How a body with its center at `at` overlaps it, both relative to its offset; `None` if it does not.
    pub fn overlap(&self, solid: &Solid, shape: Collider, at: DVec2) -> Option<Separation> {
        let apart = at.distance(self.pivot) > self.reach + shape.half.length();
        (!apart && !solid.one_way)
            .then(|| separation(shape, at, &self.outline(solid)))
            .filter(Separation::overlaps)
    }

    /// How far a point at this place from its pivot would move in the tick if it went straight, px: the tangent of its arc.
    pub fn step_at(&self, from_pivot: DVec2) -> DVec2 {
        from_pivot.perp() * self.step.to_radians()
    }
}

impl Transit {
    /// The tilt of a platform that rotates.
    #[inline]
    pub fn tilt(&self, platform: u16) -> Option<&Tilt> {
        if self.tilts.is_empty() { None } else { self.find_tilt(platform) }
    }

    #[cold]
    fn find_tilt(&self, platform: u16) -> Option<&Tilt> {
        let place = self.tilts.binary_search_by_key(&platform, |tilt| tilt.platform);
        place.ok().map(|place| &self.tilts[place])
    }

    /// Whether a platform moves in the tick.
    pub fn moves(&self, platform: u16) -> bool {
        self.steps[platform as usize] != DVec2::ZERO || self.tilt(platform).is_some_and(|tilt| tilt.step != 0.0)
    }

    /// How far the point of a platform that is at `at` when the tick ends moves in it, px; for one that rotates, along the
    /// tangent.
    pub fn step_at(&self, platform: u16, at: DVec2) -> DVec2 {
        let (step, offset) = (self.steps[platform as usize], self.offsets[platform as usize]);
        self.tilt(platform).map_or(step, |tilt| step + tilt.step_at(at - tilt.pivot - offset))
    }

    /// Where the point of a platform that is at `at` when the tick begins is when it ends, px.
    pub fn carried(&self, platform: u16, at: DVec2) -> DVec2 {
        let step = self.steps[platform as usize];
        let Some(tilt) = self.tilt(platform) else { return at + step };
        let pivot = tilt.pivot + self.offsets[platform as usize];
        pivot + turned(tilt.turn_in(1.0), at + step - pivot)
    }

    /// The point of a platform's drawn outline that is at this place, px.
    pub fn drawn_at(&self, platform: u16, at: DVec2) -> DVec2 {
        let at = at - self.offsets[platform as usize];
        self.tilt(platform)
            .map_or(at, |tilt| tilt.pivot + turned(tilt.turn * DVec2::new(1.0, -1.0), at - tilt.pivot))
    }

    /// The place of a point of a platform's drawn outline, px.
    pub fn point_of(&self, platform: u16, drawn: DVec2) -> DVec2 {
        self.tilt(platform).map_or(drawn, |tilt| tilt.point(drawn)) + self.offsets[platform as usize]
    }
}

impl Scenery<'_> {
    /// The tilt of a platform that rotates.
    #[inline]
    pub fn tilt(&self, platform: u16) -> Option<&Tilt> {
        self.transit.tilt(platform)
    }

    /// How a body overlaps the outline of a platform, with its center relative to the platform's offset.
    pub(super) fn overlap_with(&self, platform: u16, shape: Collider, at: DVec2) -> Option<Separation> {
        let solid = &self.terrain.solids[self.terrain.platforms[platform as usize].solid as usize];
        match self.tilt(platform) {
            Some(tilt) => tilt.overlap(solid, shape, at),
            None => solid.overlap(shape, at),
        }
    }
}
