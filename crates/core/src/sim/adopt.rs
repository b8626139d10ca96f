//! Continuing under a changed stage.

use super::{posture::ducks, script_state::adopt_layers, spawn::despawn, zones::adopt_zones, *};

/// Continues under `new` instead of `old`: see [`World::adopt`].
pub fn adopt_stage(world: &mut World, old: &Stage, new: &Stage) {
    let old = &*world.stage(old);
    // Positions mean nothing in another view: all entities start over.
    let same_view = old.level.view == new.level.view;
    for index in (0..world.population.entities.len()).rev() {
        let entity = &world.population.entities[index];
        let (id, name) = (entity.id, &entity.name);
        // Its start does or, if a script spawned it, its kind.
        let exists = if entity.is_created() {
            new.kinds.contains_key(&entity.kind)
        } else {
            new.starts.iter().any(|start| start.name == *name)
        };
        if !same_view || !exists {
            despawn(world, index);
            world.journal.events.retain(|event| event.entity != id);
        }
    }
    let population = &world.population;
    world.aside.drawing.keep(|id| population.index_of(id).is_some());
    world.switches = world.switches.adopted(old, new, world.tick);
    let new = &*world.stage(new);
    world.level.vars.0.fill(&new.vars);
    world.level.script_state.forgive();
    world.level.has_script = new.script.is_some();
    if new.script.is_some() {
        world.journal.emit_for_level(world.tick, EventKind::Reload);
    } else {
        world.level.script_state.frames.clear();
    }
    world.aside.overrides.forget();
    if old.actions != new.actions {
        world.players.translate(&old.actions, &new.actions);
    }
    world.adopt_joints(new);
    world.routes = Routes::default();
    world.aside.search = None;
    world.aside.settled = false;
    let standing = world.standing(new);
    for index in 0..world.population.entities.len() {
        adopt_entity(world, [old, new], &standing, index);
    }
    // A start that was removed from the file and added again later counts as a new one.
    let has_start = |name: &Arc<str>| new.starts.iter().any(|start| start.name == *name);
    world.population.removed_starts.retain(has_start);
    for (index, start) in new.starts.iter().enumerate() {
        let there = world.entity(&start.name).is_some();
        if !there && !world.population.removed_starts.contains(&start.name) {
            spawn_start(world, new, &standing, index);
        }
    }
    world.aside.why.clear();
    world.surface_keys = surface_keys(new);
    // With the overrides that scripts have set, as in every tick.
    let tuned = world.tuned_stage(new);
    let stage = tuned.as_ref().unwrap_or(new);
    world.sense_all(stage);
    // A flight is over if the new terrain has moved the body off its path.
    let Population { lanes, entities, .. } = &mut world.population;
    lanes.report(|id, report| {
        let place = entities.binary_search_by_key(&id, |entity| entity.id);
        if let (true, Ok(place)) = (report.flight_over.is_some(), place) {
            end_flight(&mut entities[place]);
        }
    });
    world.journal.sort();
}

fn adopt_entity(world: &mut World, [old, new]: [&Stage; 2], standing: &Transit, index: usize) {
    let population = &mut world.population;
    let entity = &mut population.entities[index];
    let Some(number) = adopt_start(entity, new) else {
        return;
    };
    let profile = &new.profiles[number as usize];
    let was_shape = entity.shape(&old.profiles[entity.profile as usize]);
    let before = mem::replace(&mut entity.profile, number);
    entity.slot = Slot::new(number);
    entity.kind = profile.kind.clone();
    if let Some(state) = &mut entity.script_state {
        state.forgive();
    } else if profile.script.is_some() {
        entity.script_state_mut();
    }
    entity.model_due = true;
    if let Some(state) = &mut entity.script_state {
        adopt_layers(&mut state.layers, &profile.layers);
        // Sequences of a script that is gone end.
        let has = |layer: &Arc<str>| profile.layers.iter().any(|it| it.name == *layer);
        state
            .frames
            .retain(|frame| profile.script.is_some() && frame.layer.as_ref().is_none_or(has));
    }
    entity.vars.0.fill(&profile.vars);
    let lanes = &mut population.lanes;
    lanes.set_slot(entity);
    // A factor that a script has set stays.
    let was = old.profiles.get(before as usize).map_or(1.0, |profile| profile.time_scale);
    let clock = lanes.clock_mut(entity);
    if clock.scale == was && was != profile.time_scale {
        clock.scale = profile.time_scale;
        world.switches.expect_rates(new, world.tick);
    }
    if old.actions != new.actions {
        let (intent, before) = lanes.intent_mut(entity);
        intent.translate(&old.actions, &new.actions);
        *before = old.actions.translated(*before, &new.actions);
    }
    let body = lanes.body_mut(entity);
    if profile.script.is_none() {
        entity.ruled_model = None;
        entity.set_model = None;
        body.windows = Windows::default();
    }
    let scenery = new.level.terrain_at(body.z).moved(standing);
    lanes.intent_mut(entity).0.set_ducks(ducks(&profile.stances));
    let hook_lost = lanes.adopt(entity, Some(&old.level.terrain), &scenery);
    let body = lanes.body_mut(entity);
    if entity.posture.is_some() {
        entity.posture = entity.posture_with(|posture| posture.adopt(&profile.stances));
        if new.level.view == View::Side {
            // The feet stay where they are if its stance has changed.
            body.pos.y += (entity.shape(profile).half.y - was_shape.half.y) * body.up();
        }
    }
    if let Some(free) = new.fit_entity(standing, entity, body) {
        body.pos = free;
    }
    body.surface = body.surface.and_then(|s| {
        let name = old.level.surface_name(s);
        let place = new.level.surfaces.iter().position(|n| n == name)?;
        Some(SurfaceId(place as u16))
    });
    body.sensed = false;
    body.crushed = false;
    let (journal, now) = (&mut world.journal, world.tick);
    adopt_zones(entity, journal, old, new, now);
    journal.emit(now, entity, EventKind::Reload);
    if hook_lost {
        journal.emit(now, entity, EventKind::Unhook { snapped: false });
    }
}

/// Finds an entity's start in a new stage, and returns the index of its profile there.
fn adopt_start(entity: &mut Entity, new: &Stage) -> Option<u32> {
    if entity.is_created() {
        return new.kinds.get(&entity.kind).map(|number| *number as u32);
    }
    let mut starts = new.starts.iter();
    let place = starts.position(|start| start.name == entity.name)?;
    entity.start = place as u32;
    entity.player = new.starts[place].player;
    Some(new.starts[place].profile as u32)
}
