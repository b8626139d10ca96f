//! Starting and ending planned jumps.

use super::*;

/// Starts a planned jump of the entity at `index`: it leaves the ground and has the model `ballistic`
/// until the flight is over. If it has moved since the jump was planned, the jump is planned again.
pub fn start_flight(world: &mut World, stage: &Stage, index: usize, jump: &PlannedJump) {
    let now = world.tick;
    let view = world.view(stage, &world.population.entities[index]);
    let standing = world.standing(stage);
    let stood = view.grounded;
    let was_jumping = mem::replace(&mut world.population.entities[index].jumping, true);
    change_model(world, stage, index);
    let World { population, journal, aside, .. } = world;
    let entity = &mut population.entities[index];
    if entity.model != ModelName::ballistic {
        entity.jumping = was_jumping;
        return;
    }
    let mut flight = jump.flight;
    let lanes = &mut population.lanes;
    let body = lanes.body(entity);
    if body.pos.extend(body.z) != flight.origin || flight.began != view.now {
        let profile = entity.slot.index();
        let mut work = PlanWork::up_to(2 * jump.work);
        match stage.plan_jump(now, &standing, profile, &view, &jump.aim, &mut work) {
            Ok(plan) => flight = plan.flight,
            Err(error) => {
                end_flight(entity);
                let text = error.to_string();
                aside.why.refused(entity, "jump", &text, |_| vec![]);
                let (model, reason) = (ModelName::ballistic, Arc::from(text));
                journal.emit(now + 1, entity, EventKind::ModelRefused { model, reason });
                return;
            }
        }
    }
    lanes.launch(entity, &flight);
    let body = lanes.body_mut(entity);
    (body.pos, body.z) = Flight::split(flight.origin);
    (body.vel, body.vel_z) = Flight::split(flight.velocity);
    body.ground = None;
    body.floor = None;
    body.jump.land();
    let dropped = body.cling.take().is_some();
    lanes.intent_mut(entity).0.order_jump();
    let scratch = lanes.scratch_mut(entity);
    // Commands before the jump are part of the launch; commands after it change the flight.
    scratch.pushed = false;
    scratch.report.jumped = true;
    scratch.report.stood |= stood;
    scratch.report.dropped |= dropped;
}

/// Ends a planned jump: the entity gets its own model again.
pub fn end_flight(entity: &mut Entity) {
    entity.jumping = false;
    entity.model_due = true;
}
