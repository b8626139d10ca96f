//! Checks of the parts of a world that belong to no single entity.

use super::super::entity::Entity;
use super::super::id::EntityId;
use super::super::stage::Stage;
use super::super::world::{World, surface_keys};
use super::entity::{check_created, check_entity, check_start};
use super::events::check_events;
use super::script::{check_script_state, check_vars};
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
    ensure(tick <= MOST_TICKS, "tick", || {
        format!("is {tick}; it must be at most {MOST_TICKS}")
    })?;
    let saved = SavedContext {
        level: &stage.level,
        now: tick,
    };
    let keys = surface_keys(stage);
    length("surface_keys", world.surface_keys.len(), keys.len())?;
    ensure(world.surface_keys == keys, "surface_keys", || {
        "is of a level with other surfaces".into()
    })?;
    let kept = world.kept.check();
    ensure(kept.is_ok(), "kept", || kept.err().unwrap_or_default())?;
    check_population(world, stage, &saved).map_err(|e| e.within("population"))?;
    check_events(world).map_err(|e| e.within("journal"))?;
    check_level(world, stage, &saved).map_err(|e| e.within("level"))?;
    check_timers(world).map_err(|e| e.within("timers"))?;
    check_switches(world, stage).map_err(|e| e.within("switches"))?;
    check_contacts(world).map_err(|e| e.within("contacts"))
}

fn check_population(world: &World, stage: &Stage, saved: &SavedContext<'_>) -> Checked {
    let population = &world.population;
    let next = population.next_id;
    ensure(next <= MOST_IDS, "next_id", || {
        format!("is {next}; it must be at most {MOST_IDS}")
    })?;
    let mut names = BTreeSet::new();
    let mut before = EntityId::LEVEL;
    for (place, entity) in population.entities.iter().enumerate() {
        let within = |error: SavedError| error.within(&format!("entities[{place}]"));
        let id = entity.id;
        ensure(id > before && id.0 < next, "id", || {
            format!(
                "is {}; it must be above {} and below {next}",
                id.0, before.0
            )
        })
        .map_err(within)?;
        before = id;
        ensure(names.insert(&entity.name), "name", || {
            format!("is `{}`, which another entity has", entity.name)
        })
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
        ensure(there, "removed_starts", || {
            format!("names `{name}`, which is no entity of the level")
        })?;
    }
    Ok(())
}

fn check_level(world: &World, stage: &Stage, saved: &SavedContext<'_>) -> Checked {
    let level = &world.level;
    let has_script = stage.script.is_some();
    ensure(level.has_script == has_script, "has_script", || {
        format!("must be {has_script}")
    })?;
    check_vars("vars", &level.vars)?;
    let state = &level.script_state;
    check_script_state(state, saved).map_err(|e| e.within("script_state"))
}

fn check_timers(world: &World) -> Checked {
    for (place, timer) in world.timers.iter().enumerate() {
        let within = |error: SavedError| error.within(&format!("[{place}]"));
        ensure(timer.due > world.tick, "due", || {
            format!("is {}; the tick of the world is {}", timer.due, world.tick)
        })
        .map_err(within)?;
        let id = timer.entity;
        let lives = id == EntityId::LEVEL || world.population.index_of(id).is_some();
        ensure(lives, "entity", || no_entity(id)).map_err(within)?;
    }
    Ok(())
}

fn check_switches(world: &World, stage: &Stage) -> Checked {
    let solids = stage.level.terrain.solids();
    let mut before = None;
    for solid in world.switches.absent.iter() {
        index("absent", solid as usize, solids.len())?;
        let can_be = solids[solid as usize].present.is_some();
        ensure(can_be, "absent", || {
            format!("contains {solid}, which cannot be switched off")
        })?;
        ensure(before < Some(solid), "absent", || "is not sorted".into())?;
        before = Some(solid);
    }
    let changed = &world.switches.changed;
    for (place, solid) in changed.iter().enumerate() {
        index("changed", *solid as usize, solids.len())?;
        let can_be = solids[*solid as usize].present.is_some();
        ensure(
            can_be && !changed[..place].contains(solid),
            "changed",
            || format!("contains {solid} twice, or cannot contain it"),
        )?;
    }
    let [key, changed_key] = world.switches.keys(stage);
    ensure(world.switches.key == key, "key", || {
        format!("is {}; it must be {key}", world.switches.key)
    })?;
    let got = world.switches.changed_key;
    ensure(got == changed_key, "changed_key", || {
        format!("is {got}; it must be {changed_key}")
    })
}

fn check_contacts(world: &World) -> Checked {
    let touching = &world.contacts.touching;
    for (place, (first, second)) in touching.iter().enumerate() {
        let field = format!("touching[{place}]");
        ensure(first < second, &field, || {
            "does not name the lower id first".into()
        })?;
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
