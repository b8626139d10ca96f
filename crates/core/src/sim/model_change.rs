//! Changing models, and returning to a start.

use super::why::cause_of_model;
use super::*;

/// Moves the entity at `index` back to its start, with its initial velocity.
pub fn return_to_start(world: &mut World, stage: &Stage, index: usize) {
    let standing = world.standing(stage);
    let population = &mut world.population;
    let entity = &mut population.entities[index];
    entity.outside = false;
    let start = &stage.starts[entity.start as usize];
    let mut body = start.body(entity.model);
    let profile = entity.slot.index();
    let fit = stage.fit(&standing, profile, entity.model, &body);
    body.pos = fit.unwrap_or(start.at);
    let_go(&mut population.lanes, entity, world.tick);
    let old = population.lanes.body_mut(entity);
    body.windows = old.windows;
    *old = body;
}

/// Moves the entity at `index` to the lane of the model it should have. Position, velocities, jump and
/// variables are kept; a grounded body keeps its feet in place.
pub fn change_model(world: &mut World, stage: &Stage, index: usize) {
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
        let reason = match stage.level.view {
            View::Side => "it does not work in a side view",
            View::Top => "it does not work in a top view",
        };
        refuse_model(entity, journal, model, reason, now);
        return;
    }
    let mut body = population.lanes.body(entity).clone();
    let wanted = body.pos;
    let stands = body.ground.is_some();
    let loadouts = &profile.loadouts;
    let standing = stage.standing(now, &switches.level);
    let Some(at) = stage.refit(&standing, number, [was, model], &mut body, stands) else {
        refuse_model(entity, journal, model, "there is no room for its body", now);
        return;
    };
    switch_lane(population, index, model, now);
    let same = loadouts.shape(was) == loadouts.shape(model) && !was.turns() && !model.turns();
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
fn refuse_model(entity: &mut Entity, journal: &mut Journal, model: ModelName, reason: &str, now: u64) {
    entity.model_due = true;
    if entity.refused != Some(model) {
        entity.refused = Some(model);
        let why = format!("`{}`: {reason}", model.as_str());
        let causes = |e: &Entity| vec![cause_of_model(e, model)];
        journal.why.refused(entity, "model", &why, causes);
        let reason = Arc::from(reason);
        let kind = EventKind::ModelRefused { model, reason };
        journal.emit(now + 1, entity, kind);
    }
}

fn switch_lane(population: &mut Population, index: usize, model: ModelName, now: u64) {
    let entity = &population.entities[index];
    let_go(&mut population.lanes, entity, now);
    let place = entity.place;
    let (mover, moved) = population.lanes.take(entity.model, place);
    if let Some(other) = moved.and_then(|id| population.index_of(id)) {
        population.entities[other].place = place;
    }
    let entity = &mut population.entities[index];
    entity.place = population.lanes.push(model, mover);
    entity.model = model;
    entity.refused = None;
}

/// Releases an entity's hook and lets go of a wall or roof, before it is teleported or its model
/// changes.
pub fn let_go(lanes: &mut Lanes, entity: &Entity, now: u64) {
    lanes.order(entity, HookOrder::Release);
    drop_cling(lanes, entity, now);
}

/// Lets go of a wall or roof. Returns whether the entity held one.
fn drop_cling(lanes: &mut Lanes, entity: &Entity, now: u64) -> bool {
    let body = lanes.body_mut(entity);
    if body.cling.take().is_none() {
        return false;
    }
    body.jump.leave_ground(now);
    lanes.scratch_mut(entity).report.dropped = true;
    true
}

/// Lets go of a wall or roof because a script says so. A key that is still held does not grab it at once.
pub fn let_go_of_wall(lanes: &mut Lanes, entity: &Entity, now: u64) {
    if drop_cling(lanes, entity, now) {
        lanes.let_go(entity);
    }
}
