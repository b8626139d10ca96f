//! Box2D 3: casts of its mover.

use super::{Contact, Queries};
use crate::characters::{box2d::Solids, level::Layout};
use glam::DVec2;

pub struct Box2d(Solids);

impl Box2d {
    pub fn new(layout: &Layout) -> Self {
        Self(Solids::new(layout))
    }
}

impl Queries for Box2d {
    fn name(&self) -> &'static str {
        "Box2D 3 cast"
    }

    /// Box2D's answer has no normal.
    fn sweep(&self, from: DVec2, motion: DVec2) -> Option<Contact> {
        let time = self.0.cast(from, motion);
        (time < 1.0).then_some(Contact { time, normal: DVec2::ZERO })
    }

    fn slide(&self, from: DVec2, motion: DVec2) -> DVec2 {
        self.0.slide(from, motion)
    }
}
