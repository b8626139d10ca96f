//! The vessel as a rigid body of pieces.

use super::out::fit_hull;
use super::pilot::pilot;
use super::{Vessel, VesselState, VesselTuning};
use crate::geometry::turn;
use crate::level::Scenery;
use crate::models::{Intent, Loadout, Piece, Rigid};
use glam::DVec2;
use std::sync::Arc;

impl Rigid<VesselState, VesselTuning> for Vessel {
    fn pieces(&self, loadout: &Loadout<VesselTuning>) -> Arc<[Piece]> {
        loadout.derived.pieces.clone()
    }

    fn fit(&self, loadout: &Loadout<VesselTuning>, scenery: &Scenery<'_>, at: DVec2, angle: f64) -> Option<DVec2> {
        fit_hull(&loadout.derived, scenery, at, angle)
    }

    fn depth(&self, loadout: &Loadout<VesselTuning>, angle: f64) -> f64 {
        loadout.derived.depth(turn(angle))
    }

    fn feet(&self, state: &VesselState) -> Vec<f64> {
        state.feet.iter().map(|foot| foot.pos).collect()
    }

    fn foot_travel(&self, loadout: &Loadout<VesselTuning>) -> f64 {
        loadout.tuning.foot_travel
    }

    fn thrust(&self, intent: &Intent) -> f64 {
        pilot(intent).0
    }
}
