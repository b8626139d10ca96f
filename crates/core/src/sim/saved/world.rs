//! Checks of the parts of a world that belong to no single entity.

use super::super::entity::Entity;
use super::super::id::EntityId;
use super::super::passage::Passage;
use super::super::stage::Stage;
use super::super::world::{World, surface_keys};
use super::entity::{check_created, check_entity, check_start};
use super::events::check_events;
use super::script::{check_script_state, check_value, check_vars};
use crate::level::{CalledPlatform, LevelChanges, Path};
use crate::models::ModelName;
use crate::models::saved::{Checked, SavedContext, SavedError, ensure, index, length};
use std::collections::BTreeSet;

/// The largest number of ticks of a saved world. At 60 Hz they take 580 years.
pub const MOST_TICKS: u64 = 1 << 40;

/// More ids than this are never used.
const MOST_IDS: u32 = 1 << 31;

/// Checks a world.
pub(super) fn check(world: &World, stage: &Stage) -> Checked {
    let tick = world.tick;
    ensure(tick <= MOST_TICKS, "tick", || format!("is {tick}; it must be at most {MOST_TICKS}"))?;
    let saved = SavedContext { level: &stage.level, now: tick };
    let keys = surface_keys(stage);
    length("surface_keys", world.surface_keys.len(), keys.len())?;
    ensure(world.surface_keys == keys, "surface_keys", || "is of a level with other surfaces".into())?;
    let kept = world.kept.check();
    ensure(kept.is_ok(), "kept", || kept.err().unwrap_or_default())?;
    check_population(world, stage, &saved).map_err(|e| e.within("population"))?;
    check_events(world).map_err(|e| e.within("journal"))?;
    check_level(world, stage, &saved).map_err(|e| e.within("level"))?;
    check_timers(world).map_err(|e| e.within("timers"))?;
    check_switches(world, stage).map_err(|e| e.within("switches"))?;
    check_passage(world).map_err(|e| e.within("passage"))?;
    check_contacts(world).map_err(|e| e.within("contacts"))
}

fn check_passage(world: &World) -> Checked {
    let Passage { handed, checkpoint, wanted } = &world.passage;
    check_value("handed", handed)?;
    let ordered = wanted.as_ref().and_then(|order| order.data.as_ref());
    for (field, data) in [("checkpoint", checkpoint.as_ref()), ("wanted", ordered)] {
        data.map_or(Ok(()), |data| check_value(field, data))?;
    }
    Ok(())
}

fn check_population(world: &World, stage: &Stage, saved: &SavedContext<'_>) -> Checked {
    let population = &world.population;
    let next = population.next_id;
    ensure(next <= MOST_IDS, "next_id", || format!("is {next}; it must be at most {MOST_IDS}"))?;
    let mut names = BTreeSet::new();
    let mut before = EntityId::LEVEL;
    for (place, entity) in population.entities.iter().enumerate() {
        let within = |error: SavedError| error.within(&format!("entities[{place}]"));
        let id = entity.id;
        ensure(id > before && id.0 < next, "id", || {
            format!("is {}; it must be above {} and below {next}", id.0, before.0)
        })
        .map_err(within)?;
        before = id;
        ensure(names.insert(&entity.name), "name", || format!("is `{}`, which another entity has", entity.name))
            .map_err(within)?;
        check_entity(entity, stage, saved).map_err(within)?;
        match entity.is_created() {
            true => check_created(entity, stage),
            false => check_start(entity, stage),
        }
        .map_err(within)?;
    }
    // Every entity has one mover, and every mover an entity.
    for model in ModelName::ALL {
        let of_model = |entity: &&Entity| entity.model == *model;
        let count = population.entities.iter().filter(of_model).count();
        let movers = format!("lanes.{model}.movers");
        length(&movers, population.lanes.count(*model), count)?;
    }
    for (place, entity) in population.entities.iter().enumerate() {
        let within = |error: SavedError| error.within(&format!("entities[{place}]"));
        let count = population.lanes.count(entity.model);
        index("place", entity.place as usize, count).map_err(within)?;
        let lane = format!("lanes.{}.movers[{}]", entity.model, entity.place);
        let checked = population.lanes.check(entity, stage, saved);
        checked.map_err(|error| error.within(&lane))?;
    }
    for name in &population.removed_starts {
        let there = stage.starts.iter().any(|start| start.name == *name);
        ensure(there, "removed_starts", || format!("names `{name}`, which is no entity of the level"))?;
    }
    Ok(())
}

fn check_level(world: &World, stage: &Stage, saved: &SavedContext<'_>) -> Checked {
    let level = &world.level;
    let has_script = stage.script.is_some();
    ensure(level.has_script == has_script, "has_script", || format!("must be {has_script}"))?;
    check_vars("vars", &level.vars)?;
    let state = &level.script_state;
    check_script_state(state, saved).map_err(|e| e.within("script_state"))
}

fn check_timers(world: &World) -> Checked {
    for (place, timer) in world.timers.iter().enumerate() {
        let within = |error: SavedError| error.within(&format!("[{place}]"));
        ensure(timer.due > world.tick, "due", || format!("is {}; the tick of the world is {}", timer.due, world.tick))
            .map_err(within)?;
        let id = timer.entity;
        let lives = id == EntityId::LEVEL || world.population.index_of(id).is_some();
        ensure(lives, "entity", || no_entity(id)).map_err(within)?;
        check_value("data", &timer.data).map_err(within)?;
    }
    Ok(())
}

fn check_switches(world: &World, stage: &Stage) -> Checked {
    let solids = stage.level.terrain.solids();
    let mut before = None;
    for solid in world.switches.level.absent.iter() {
        index("absent", solid as usize, solids.len())?;
        let can_be = solids[solid as usize].present.is_some();
        ensure(can_be, "absent", || format!("contains {solid}, which cannot be switched off"))?;
        ensure(before < Some(solid), "absent", || "is not sorted".into())?;
        before = Some(solid);
    }
    let changed = &world.switches.changed;
    for (place, solid) in changed.iter().enumerate() {
        index("changed", *solid as usize, solids.len())?;
        let can_be = solids[*solid as usize].present.is_some();
        ensure(can_be && !changed[..place].contains(solid), "changed", || {
            format!("contains {solid} twice, or cannot contain it")
        })?;
    }
    check_changes(&world.switches.level, stage, world.tick)?;
    let [key, changed_key, level_key] = world.switches.keys(stage);
    let got = world.switches.level_key;
    ensure(got == level_key, "level_key", || format!("is {got}; it must be {level_key}"))?;
    ensure(world.switches.key == key, "key", || format!("is {}; it must be {key}", world.switches.key))?;
    let got = world.switches.changed_key;
    ensure(got == changed_key, "changed_key", || format!("is {got}; it must be {changed_key}"))
}

/// Checks the zones that are off, and where called platforms are.
fn check_changes(changes: &LevelChanges, stage: &Stage, now: u64) -> Checked {
    let began = changes.began;
    ensure(began <= now, "began", || format!("is {began}; the tick of the world is {now}"))?;
    let mut before = None;
    for zone in changes.zones_off.iter() {
        index("zones_off", zone as usize, stage.level.zones.list().len())?;
        ensure(before < Some(zone), "zones_off", || "is not sorted".into())?;
        before = Some(zone);
    }
    let solids = stage.level.terrain.solids();
    let fresh = LevelChanges::at_start(solids, began).called;
    length("called", changes.called.len(), fresh.len())?;
    for (place, (called, known)) in changes.called.iter().zip(&fresh).enumerate() {
        let within = |error: SavedError| error.within(&format!("called[{place}]"));
        check_called(called, known.solid, stage, changes.seconds(now, f64::from(stage.hz))).map_err(within)?;
    }
    Ok(())
}

fn check_called(called: &CalledPlatform, solid: u32, stage: &Stage, seconds: f64) -> Checked {
    ensure(called.solid == solid, "solid", || format!("is {}; it must be {solid}", called.solid))?;
    let path = stage.level.terrain.solids()[solid as usize].path.as_ref();
    let most = path.map_or(0.0, Path::length);
    for (field, value, most) in [("from", called.from, most), ("to", called.to, most), ("since", called.since, seconds)]
    {
        ensure((0.0..=most).contains(&value), field, || format!("is {value}; it must be from 0 to {most}"))?;
    }
    let at_point = |point| path.and_then(|path| path.mark(point)) == Some(called.to);
    ensure(called.point.is_none_or(at_point), "point", || {
        format!("is {:?}, which is not where it travels", called.point)
    })?;
    ensure(!called.travels || called.point.is_some(), "travels", || "must be false without a point".into())
}

fn check_contacts(world: &World) -> Checked {
    let touching = &world.contacts.touching;
    for (place, (first, second)) in touching.iter().enumerate() {
        let field = format!("touching[{place}]");
        ensure(first < second, &field, || "does not name the lower id first".into())?;
        let after = place == 0 || touching[place - 1] < (*first, *second);
        ensure(after, &field, || "is not sorted".into())?;
        for id in [*first, *second] {
            let lives = world.population.index_of(id).is_some();
            ensure(lives, &field, || no_entity(id))?;
        }
    }
    Ok(())
}

fn no_entity(id: EntityId) -> String {
    format!("is {}; no entity has this id", id.0)
}
