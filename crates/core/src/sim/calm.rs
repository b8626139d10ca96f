//! Bodies that overlap nothing, and that nothing has come near since this was found out: looking again would find the same.

use super::*;
use crate::{
    geometry::Collider,
    level::{Bodies, Terrain, Transit},
};

/// What is known of bodies that carry and are carried from tick to tick. It follows from the state.
#[derive(Default)]
pub struct Calm {
    /// In the order of their names.
    bodies: Vec<CalmBody>,
    /// The tick that comes next in the same level, and when that began.
    next: (u64, u64),
}

/// What is known of one of them.
struct CalmBody {
    pos: DVec2,
    shape: Collider,
    up: f64,
    /// Whether it has moved in this tick.
    moved: bool,
    /// Whether it is where it was as the last tick began.
    rests: bool,
    /// Whether it overlaps nothing, and nothing near it has moved since.
    free: bool,
    /// The platform that it touched when it was looked at last.
    touches: Option<u16>,
}

impl Calm {
    /// Finds out what has moved since the last tick began. Between two ticks, the bodies and the level may be the `same`.
    pub fn begin(&mut self, now: u64, same: bool, bodies: &Bodies, terrain: &Terrain, transit: &Transit) {
        let divided = transit.swept > 0.0 || !transit.turning.is_empty() || !transit.switched.is_empty();
        let began = transit.changes.began;
        if !same || divided || self.next != (now, began) || bodies.list.len() != self.bodies.len() {
            self.bodies.clear();
        }
        self.next = (now + 1, began);
        for (slot, body) in bodies.list.iter().enumerate() {
            let Some(known) = self.bodies.get_mut(slot) else {
                let (pos, shape, up) = (body.pos, body.shape, body.up);
                let known = CalmBody { pos, shape, up, moved: false, rests: false, free: false, touches: None };
                self.bodies.push(known);
                continue;
            };
            let (from, same) = (known.pos, (known.pos, known.shape, known.up) == (body.pos, body.shape, body.up));
            known.rests = same && !mem::take(&mut known.moved);
            (known.pos, known.shape, known.up) = (body.pos, body.shape, body.up);
            if !same {
                self.disturb(bodies, &Bounds::of(from, body.pos).grown(body.shape.half));
            }
        }
        for (platform, (offset, step)) in terrain.platforms().iter().zip(transit.offsets.iter().zip(&transit.steps)) {
            if *step != DVec2::ZERO {
                let bounds = terrain.solids()[platform.solid as usize].bounds.moved(*offset);
                self.disturb(bodies, &bounds.grown(step.abs()));
            }
        }
    }

    /// Takes note that a body moves.
    pub fn shift(&mut self, bodies: &Bodies, slot: u16, to: DVec2) {
        let known = &mut self.bodies[slot as usize];
        let from = mem::replace(&mut known.pos, to);
        known.moved = true;
        let area = Bounds::of(from, to).grown(known.shape.half);
        self.disturb(bodies, &area);
    }

    /// Takes note that something has moved in an area.
    fn disturb(&mut self, bodies: &Bodies, area: &Bounds) {
        bodies.visit(&area.grown(DVec2::ONE), |platform| {
            if let Some((slot, _)) = bodies.body_of(platform) {
                self.bodies[slot as usize].free = false;
            }
        });
    }

    /// Finds the bodies at rest that overlap nothing, with all others in their way. `overlaps` returns whether the level
    /// overlaps one.
    pub fn find_free(&mut self, bodies: &Bodies, overlaps: impl Fn(Collider, DVec2) -> bool) {
        for (slot, known) in (0..).zip(&mut self.bodies) {
            if known.rests && !known.free {
                known.free = bodies.is_apart(slot) && !overlaps(known.shape, known.pos);
            }
        }
    }

    /// Whether a body overlaps nothing where it was as the tick began.
    pub fn is_free(&self, slot: u16) -> bool {
        self.bodies[slot as usize].free
    }

    /// Whether a body still touches a platform as in the last tick.
    pub fn touches(&self, slot: u16, platform: u16) -> bool {
        let known = &self.bodies[slot as usize];
        known.free && known.touches == Some(platform)
    }

    /// Remembers what a body touches.
    pub fn note(&mut self, slot: u16, platform: Option<u16>) {
        self.bodies[slot as usize].touches = platform;
    }
}
