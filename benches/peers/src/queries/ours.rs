//! hangtime's own queries.

use super::{Contact, Queries};
use crate::characters::level::{BODY, Layout};
use glam::DVec2;
use hangtime::level::{Terrain, slide};

pub struct Ours(Terrain);

impl Ours {
    pub fn new(layout: &Layout) -> Self {
        let terrain = crate::characters::ours::terrain(layout);
        terrain.expect(BODY);
        Self(terrain)
    }
}

impl Queries for Ours {
    fn name(&self) -> &'static str {
        "hangtime"
    }

    fn sweep(&self, from: DVec2, motion: DVec2) -> Option<Contact> {
        let hit = self.0.still().sweep(BODY, from, motion)?;
        Some(Contact { time: hit.time, normal: hit.normal })
    }

    fn slide(&self, from: DVec2, motion: DVec2) -> DVec2 {
        slide(&self.0.still(), BODY, from, motion, |_, _| false).pos
    }
}
