//! Parry's shape cast, through Rapier's tree of colliders.

use super::{Contact, Queries};
use crate::characters::{
    level::Layout,
    rapier::{OFFSET, Solids, vector},
};
use glam::{DVec2, dvec2};
use rapier2d::{parry::query::ShapeCastOptions, prelude::Pose};

pub struct Parry(Solids);

impl Parry {
    pub fn new(layout: &Layout) -> Self {
        Self(Solids::new(layout))
    }
}

impl Queries for Parry {
    fn name(&self) -> &'static str {
        "parry cast"
    }

    fn sweep(&self, from: DVec2, motion: DVec2) -> Option<Contact> {
        // As in Rapier's controller.
        let options = ShapeCastOptions {
            target_distance: OFFSET,
            stop_at_penetration: false,
            max_time_of_impact: 1.0,
            compute_impact_geometry_on_penetration: true,
        };
        let at = Pose::from_translation(vector(from));
        let (_, hit) = self.0.queries().cast_shape(&at, vector(motion), &self.0.shape, options)?;
        let normal = dvec2(hit.normal1.x.into(), hit.normal1.y.into());
        Some(Contact { time: hit.time_of_impact.into(), normal })
    }
}
