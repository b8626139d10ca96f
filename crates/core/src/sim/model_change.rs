//! Changing models, and returning to a start.

use super::{why::cause_of_model, *};

/// Moves the entity at `index` back to its start, with its initial velocity.
pub fn return_to_start(world: &mut World, stage: &Stage, index: usize) {
    let standing = world.standing(stage);
    let clock = world.time_of(stage, world.population.entities[index].id).now;
    let population = &mut world.population;
    let entity = &mut population.entities[index];
    entity.outside = false;
    let start = &stage.starts[entity.start as usize];
    let mut body = start.body(entity.model);
    let fit = stage.fit_entity(&standing, entity, &body);
    body.pos = fit.unwrap_or(start.at);
    let_go(&mut population.lanes, entity, clock);
    let old = population.lanes.body_mut(entity);
    body.windows = old.windows;
    *old = body;
}

/// Moves the entity at `index` to the lane of the model it should have. Position, velocities, jump and
/// variables are kept; a grounded body keeps its feet in place.
pub fn change_model(world: &mut World, stage: &Stage, index: usize) {
    let clock = world.time_of(stage, world.population.entities[index].id).now;
    let World { tick: now, population, journal, switches, .. } = world;
    let now = *now;
    let entity = &mut population.entities[index];
    entity.model_due = false;
    let number = entity.slot.index();
    let profile = &stage.profiles[number];
    let (was, model) = (entity.model, entity.wanted_model(profile.model));
    if was == model {
        entity.refused = None;
        return;
    }
    if !model.views().contains(&stage.level.view) {
        let reason = format!("it does not work in a {} view", stage.level.view);
        refuse_model(world, index, model, &reason);
        return;
    }
    let mut body = population.lanes.body(entity).clone();
    let wanted = body.pos;
    let stands = body.ground.is_some();
    let loadouts = &profile.loadouts;
    let standing = stage.standing(now, &switches.level);
    let Some(at) = stage.refit(&standing, number, [was, model], &mut body, stands) else {
        refuse_model(world, index, model, "there is no room for its body");
        return;
    };
    switch_lane(population, index, model, clock);
    let same = loadouts.shape(was) == loadouts.shape(model) && !was.turns() && !model.turns();
    // A rigid body's velocity includes its platform's velocity.
    let rides = match_model!(was, |M| M::RIGID.is_none());
    let scratch = population.lanes.scratch_mut(&population.entities[index]);
    scratch.report.refitted = rides && body.sensed;
    let moved = population.body_at_mut(index);
    (moved.angle, moved.spin) = (body.angle, body.spin);
    if !same || at != wanted {
        moved.pos = at;
        moved.sensed = false;
    }
    let kind = EventKind::Model { model, was };
    journal.emit(now + 1, &population.entities[index], kind);
}

/// Reports once that a model change is impossible. It is tried again in every tick.
fn refuse_model(world: &mut World, index: usize, model: ModelName, reason: &str) {
    let entity = &mut world.population.entities[index];
    entity.model_due = true;
    if entity.refused.replace(model) != Some(model) {
        let why = format!("`{model}`: {reason}");
        world.aside.why.refused(entity, "model", &why, |e| vec![cause_of_model(e, model)]);
        world
            .journal
            .emit(world.tick + 1, entity, EventKind::ModelRefused { model, reason: reason.into() });
    }
}

fn switch_lane(population: &mut Population, index: usize, model: ModelName, now: ClockTick) {
    let entity = &population.entities[index];
    let_go(&mut population.lanes, entity, now);
    let place = entity.place;
    let (taken, moved) = population.lanes.take(entity.model, place);
    if let Some(other) = moved.and_then(|id| population.index_of(id)) {
        population.entities[other].place = place;
    }
    let entity = &mut population.entities[index];
    entity.place = population.lanes.push(model, taken);
    entity.model = model;
    entity.refused = None;
}

/// Releases an entity's hook and lets go of a wall or roof, before it is teleported or its model
/// changes.
pub fn let_go(lanes: &mut Lanes, entity: &Entity, now: ClockTick) {
    lanes.order(entity, HookOrder::Release);
    drop_cling(lanes, entity, now);
}

/// Lets go of a wall or roof. Returns whether the entity held one.
pub fn drop_cling(lanes: &mut Lanes, entity: &Entity, now: ClockTick) -> bool {
    let body = lanes.body_mut(entity);
    let held = body.cling.take().is_some();
    if held {
        body.jump.leave_ground(now);
        lanes.scratch_mut(entity).report.dropped = true;
    }
    held
}
