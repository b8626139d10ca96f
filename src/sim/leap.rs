//! Jumps to a destination: planned on a stage, begun in the world, and over.

use super::{EntityView, EventKind, Stage, World};
use crate::level::Transit;
use crate::models::ballistic::{Aim, Plan, PlanError, plan};
use crate::models::{Body, Flight, LoadoutOf, ModelName, ballistic::Ballistic};
use glam::DVec2;
use std::sync::Arc;

/// A jump that was planned: where it is to lead, and the flight that leads there.
#[derive(Clone, Debug, PartialEq)]
pub struct Leap {
    /// Where it is to lead.
    pub aim: Aim,
    /// The flight, from where the body was when it was planned.
    pub flight: Flight,
}

impl Stage {
    /// Plans a jump of an entity with this profile to a destination, beginning with tick `now`, at which
    /// platforms are `standing` so.
    ///
    /// # Errors
    /// Why there is none: see [`PlanError`].
    pub fn plan_jump(
        &self,
        now: u64,
        standing: &Transit,
        profile: usize,
        view: &EntityView,
        aim: &Aim,
    ) -> Result<Plan, PlanError> {
        let mut body = Body {
            z: view.z,
            angle: view.angle,
            ..Body::at(view.pos)
        };
        let models = [view.model, ModelName::ballistic];
        let stands = view.grounded && self.level.view == crate::level::View::Side;
        let place = self.refit(standing, profile, models, &mut body, stands);
        let place: DVec2 = place.ok_or(PlanError::NoRoom)?;
        let around = self.surroundings(now, standing);
        let loadout = Ballistic::loadout(&self.profiles[profile].loadouts);
        plan(&around, loadout, place.extend(body.z), aim)
    }
}

impl World {
    /// Sends an entity on a flight: it leaves what it stands on and has the model that flies until
    /// the flight is over. One that was moved since the flight was planned has it planned anew.
    pub(super) fn leap(&mut self, stage: &Stage, index: usize, leap: &Leap) {
        let view = self.view(stage, &self.entities[index]);
        let stood = self.lanes.body(&self.entities[index]).stands();
        let was_jumping = std::mem::replace(&mut self.entities[index].jumping, true);
        self.change_model(stage, index);
        let entity = &self.entities[index];
        if entity.model != ModelName::ballistic {
            self.entities[index].jumping = was_jumping;
            return;
        }
        let mut flight = leap.flight;
        let body = self.lanes.body(entity);
        if body.pos.extend(body.z) != flight.origin || flight.began != self.tick {
            let profile = entity.profile as usize;
            let standing = self.standing(stage);
            match stage.plan_jump(self.tick, &standing, profile, &view, &leap.aim) {
                Ok(plan) => flight = plan.flight,
                Err(refusal) => {
                    self.refuse_jump(index, &refusal);
                    return;
                }
            }
        }
        let entity = &self.entities[index];
        self.lanes.launch(entity, &flight);
        let body = self.lanes.body_mut(entity);
        (body.pos, body.z) = Flight::split(flight.origin);
        (body.vel, body.vel_z) = Flight::split(flight.velocity);
        body.ground = None;
        body.floor = None;
        body.jump.land();
        let dropped = body.cling.take().is_some();
        let scratch = self.lanes.scratch_mut(entity);
        // What was written before is part of the launch; what is written later bends the flight.
        scratch.pushed = false;
        scratch.report.jumped = true;
        scratch.report.stood |= stood;
        scratch.report.dropped |= dropped;
    }

    fn refuse_jump(&mut self, index: usize, refusal: &PlanError) {
        self.end_jump(index);
        self.why_refused(index, "jump", &refusal.to_string(), |_| vec![]);
        let happening = EventKind::ModelRefused {
            model: ModelName::ballistic,
            reason: Arc::from(refusal.to_string()),
        };
        self.note(self.tick + 1, index, happening);
    }

    /// Gives an entity its own model again.
    pub(super) fn end_jump(&mut self, index: usize) {
        let entity = &mut self.entities[index];
        entity.jumping = false;
        entity.model_due = true;
    }
}
