//! Planned jumps.

use super::*;
use crate::models::ballistic::{Aim, Ballistic, Plan, PlanError, plan};
use glam::DVec3;

/// A jump that has been planned: its destination and the flight that leads there.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedJump {
    /// The destination.
    pub aim: Aim,
    /// The flight, from where the body was when the jump was planned.
    pub flight: Flight,
    /// How much work planning it took. Planning it again may take twice as much.
    pub work: u64,
}

impl PlannedJump {
    /// The model that an entity has during the flight.
    pub const MODEL: ModelName = ModelName::ballistic;
}

impl Stage {
    /// Plans a jump of an entity with this profile, starting in tick `now` with the platforms
    /// at `standing`.
    ///
    /// # Errors
    /// The reason why there is no such jump: see [`PlanError`].
    pub fn plan_jump(
        &self,
        now: u64,
        standing: &Transit,
        profile: usize,
        view: &EntityView,
        aim: &Aim,
        work: &mut PlanWork,
    ) -> Result<Plan, PlanError> {
        let mut body = Body { z: view.z, angle: view.angle, ..Body::at(view.pos) };
        let models = [view.model.unwrap_or(ModelName::ballistic), ModelName::ballistic];
        let stands = view.grounded && self.level.view == View::Side;
        let place = self.refit(standing, profile, models, &mut body, stands);
        let place = place.ok_or(PlanError::NoRoom)?;
        let around = self.surroundings(now, standing).paced(&BodyClock::default(), view.rate);
        let loadout = Ballistic::loadout(&self.profiles[profile].loadouts);
        let plan = plan(&around, loadout, place.extend(body.z), aim, 0, work)?;
        Ok(Plan { flight: Flight { began: view.now, ..plan.flight }, ..plan })
    }

    /// Plans the flight of a projectile with this profile that spawns in tick `now` with its center at `from`, and the height
    /// of its feet as z, with the platforms at `standing`.
    ///
    /// # Errors
    /// The reason why there is no such flight: see [`PlanError`].
    pub fn plan_throw(
        &self,
        now: u64,
        standing: &Transit,
        profile: usize,
        from: DVec3,
        aim: &Aim,
        work: &mut PlanWork,
    ) -> Result<Plan, PlanError> {
        let Profile { loadouts, time_scale, .. } = &self.profiles[profile];
        let air = self.zones().air_at(from.truncate()).unwrap_or_default();
        let clock = BodyClock { scale: *time_scale, behind: 0.0 };
        let around = self.surroundings(now, standing);
        let around = around.paced(&clock, clock.rate(around.rate, air.time_scale));
        let loadout = Ballistic::loadout(loadouts);
        let scenery = self.level.terrain_at(from.z).moved(standing);
        if scenery.overlap(loadout.shape, from.truncate()).is_some() {
            return Err(PlanError::NoRoom);
        }
        plan(&around, loadout, from, aim, 1, work)
    }
}
