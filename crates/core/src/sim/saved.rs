//! Loading saved worlds: everything in them is checked against the stage first.

use super::journal::event_order;
use super::script_state::FailureCount;
use super::world::TickBuffers;
use super::*;
use crate::level::Path;
use crate::models::saved::{SavedError, each, index, length, number, unit};
use crate::tuning::SetError;

/// A world as it was saved. It may come from a stranger or another version of the game, so it can
/// only be played after [`check`](Self::check).
#[derive(Clone, Debug, Deserialize)]
pub struct SavedWorld(#[serde(with = "Fields")] World);

/// The fields of a [`World`]: worlds are only made by [`World::new`] and [`SavedWorld::check`].
#[derive(Deserialize)]
#[serde(remote = "World")]
struct Fields {
    tick: u64,
    seed: u64,
    population: Population,
    journal: Journal,
    level: LevelState,
    timers: Timers,
    switches: Switches,
    contacts: Contacts,
    #[serde(default)]
    kept: KeptValues,
    #[serde(default)]
    passage: Passage,
    surface_keys: Vec<u64>,
    #[serde(skip)]
    overrides: OverrideCache,
    #[serde(skip)]
    buffers: TickBuffers,
    #[serde(skip)]
    drawing: Drawing,
    #[serde(skip)]
    sounding: Sounding,
}

impl SavedWorld {
    /// The world, ready to be played under this stage: the one under which it was saved, or an
    /// equal one.
    ///
    /// # Errors
    /// The first field that does not fit the stage, or that no world has.
    pub fn check(self, stage: &Stage) -> Result<World, SavedError> {
        let mut world = self.0;
        check(&world, stage)?;
        // Points entities to their profiles.
        world.tuned_stage(stage);
        Ok(world)
    }
}

/// The largest number of ticks of a saved world. At 60 Hz they take 580 years.
pub const MOST_TICKS: u64 = 1 << 40;

/// More ids than this are never used.
const MOST_IDS: u32 = 1 << 31;

/// Checks a world.
fn check(world: &World, stage: &Stage) -> Checked {
    let tick = world.tick;
    ensure(tick <= MOST_TICKS, "tick", || format!("is {tick}; it must be at most {MOST_TICKS}"))?;
    let saved = SavedContext { level: &stage.level, now: tick };
    let keys = surface_keys(stage);
    length("surface_keys", world.surface_keys.len(), keys.len())?;
    ensure(world.surface_keys == keys, "surface_keys", || "is of a level with other surfaces".into())?;
    let kept = world.kept.check();
    ensure(kept.is_ok(), "kept", || kept.err().unwrap_or_default())?;
    check_population(world, stage, &saved).within("population")?;
    check_events(world).within("journal")?;
    check_level(world, stage, &saved).within("level")?;
    check_timers(world).within("timers")?;
    check_switches(world, stage).within("switches")?;
    check_passage(world).within("passage")?;
    check_contacts(world).within("contacts")
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
    each("entities", &population.entities, |entity| {
        let id = entity.id;
        ensure(id > before && id.0 < next, "id", || {
            format!("is {}; it must be above {} and below {next}", id.0, before.0)
        })?;
        before = id;
        ensure(names.insert(&entity.name), "name", || format!("is `{}`, which another entity has", entity.name))?;
        check_entity(entity, stage, saved)?;
        if entity.is_created() {
            check_created(entity, stage)
        } else {
            check_start(entity, stage)
        }
    })?;
    // Every entity has one mover, and every mover an entity.
    for model in ModelName::ALL {
        let of_model = |entity: &&Entity| entity.model == *model;
        let count = population.entities.iter().filter(of_model).count();
        let movers = format!("lanes.{model}.movers");
        length(&movers, population.lanes.count(*model), count)?;
    }
    for (place, entity) in population.entities.iter().enumerate() {
        let count = population.lanes.count(entity.model);
        index("place", entity.place as usize, count).within(format_args!("entities[{place}]"))?;
        let lane = format_args!("lanes.{}.movers[{}]", entity.model, entity.place);
        population.lanes.check(entity, stage, saved).within(lane)?;
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
    check_script_state(state, saved).within("script_state")
}

fn check_timers(world: &World) -> Checked {
    each("", world.timers.iter(), |timer| {
        let (due, now, id) = (timer.due, world.tick, timer.entity);
        ensure(due > now, "due", || format!("is {due}; the tick of the world is {now}"))?;
        let lives = id == EntityId::LEVEL || world.population.index_of(id).is_some();
        ensure(lives, "entity", || no_entity(id))?;
        check_value("data", &timer.data)
    })
}

fn check_switches(world: &World, stage: &Stage) -> Checked {
    let solids = stage.level.terrain.solids();
    check_absent("absent", &world.switches.level.absent, solids.len(), |solid| solids[solid].present.is_some())?;
    let changed = &world.switches.changed;
    for (place, solid) in changed.iter().enumerate() {
        index("changed", *solid as usize, solids.len())?;
        let can_be = solids[*solid as usize].present.is_some();
        ensure(can_be && !changed[..place].contains(solid), "changed", || {
            format!("contains {solid} twice, or cannot contain it")
        })?;
    }
    check_changes(&world.switches.level, stage, world.tick)?;
    let Switches { key, changed_key, level_key, .. } = world.switches;
    let expected = world.switches.keys(stage);
    for (field, got, expected) in
        [("level_key", level_key, expected[2]), ("key", key, expected[0]), ("changed_key", changed_key, expected[1])]
    {
        ensure(got == expected, field, || format!("is {got}; it must be {expected}"))?;
    }
    Ok(())
}

/// Checks the zones that are off, and where called platforms are.
fn check_changes(changes: &LevelChanges, stage: &Stage, now: u64) -> Checked {
    let began = changes.began;
    ensure(began <= now, "began", || format!("is {began}; the tick of the world is {now}"))?;
    check_absent("zones_off", &changes.zones_off, stage.level.zones.list().len(), |_| true)?;
    let solids = stage.level.terrain.solids();
    let fresh = LevelChanges::at_start(solids, began).called;
    length("called", changes.called.len(), fresh.len())?;
    let seconds = changes.seconds(now, f64::from(stage.hz));
    each("called", changes.called.iter().zip(&fresh), |(called, known)| {
        check_called(called, known.solid, stage, seconds)
    })
}

/// Checks which of `count` solids or zones are off.
fn check_absent(field: &str, absent: &Absent, count: usize, can_be_off: impl Fn(usize) -> bool) -> Checked {
    let mut before = None;
    for place in absent.iter() {
        index(field, place as usize, count)?;
        ensure(can_be_off(place as usize), field, || format!("contains {place}, which cannot be switched off"))?;
        ensure(before < Some(place), field, || "is not sorted".into())?;
        before = Some(place);
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

/// Checks what all entities have in common.
fn check_entity(entity: &Entity, stage: &Stage, saved: &SavedContext<'_>) -> Checked {
    index("profile", entity.profile as usize, stage.profiles.len())?;
    let profile = &stage.profiles[entity.profile as usize];
    ensure(entity.kind == profile.kind, "kind", || {
        format!("is `{}`; its profile is of `{}`", entity.kind, profile.kind)
    })?;
    let works = entity.model.views().contains(&stage.level.view);
    ensure(works || entity.model == profile.model, "model", || {
        format!("is `{}`, which does not work in this view", entity.model)
    })?;
    // A planned jump has a model for itself.
    let flies = !entity.jumping || entity.model == entity.wanted_model(entity.model);
    ensure(flies, "jumping", || format!("must be false in the model `{}`", entity.model))?;
    saved.past("born", entity.born)?;
    let zones = stage.level.zones.list().len();
    for zone in &entity.zones {
        index("zones", usize::from(*zone), zones)?;
    }
    let sorted = entity.zones.is_sorted_by(|a, b| a < b);
    ensure(sorted, "zones", || "is not sorted".into())?;
    check_vars("vars", &entity.vars)?;
    check_layers(entity.layers(), &profile.layers)?;
    let Some(state) = &entity.script_state else {
        return Ok(());
    };
    check_script_state(state, saved)
        .and_then(|()| check_overrides(state, &profile.loadouts))
        .within("script_state")
}

/// Checks that a spawned entity is of a kind that can be spawned.
fn check_created(entity: &Entity, stage: &Stage) -> Checked {
    let profile = stage.kinds.get(&entity.kind);
    ensure(profile == Some(&(entity.profile as usize)), "profile", || {
        format!("is not that of the kind `{}`", entity.kind)
    })?;
    ensure(entity.player.is_none(), "player", || "must be missing: a script has spawned the entity".into())
}

/// Checks that an entity of the level is the one at its start.
fn check_start(entity: &Entity, stage: &Stage) -> Checked {
    index("start", entity.start as usize, stage.starts.len())?;
    let start = &stage.starts[entity.start as usize];
    ensure(entity.name == start.name, "name", || {
        format!("is `{}`; its start is that of `{}`", entity.name, start.name)
    })?;
    let profile = entity.profile as usize;
    ensure(profile == start.profile, "profile", || format!("is {profile}; that of its start is {}", start.profile))?;
    ensure(entity.player == start.player, "player", || {
        format!("is {:?}; that of its start is {:?}", entity.player, start.player)
    })
}

/// Checks that tunables accept their overrides. Those that no longer exist have no effect.
fn check_overrides(state: &ScriptState, loadouts: &Loadouts) -> Checked {
    if state.overrides.is_empty() {
        return Ok(());
    }
    let mut loadouts = loadouts.clone();
    for (key, value) in &state.overrides {
        let Some((model, name)) = key.split_once('.') else {
            continue;
        };
        let Some(model) = ModelName::parse(model) else {
            continue;
        };
        let error = loadouts.set(model, name, value).err();
        let error = error.filter(|error| *error != SetError::Unknown);
        ensure(error.is_none(), "overrides", || {
            let why = error.map_or_else(String::new, |error| error.to_string());
            format!("sets `{key}` to {value}: {why}")
        })?;
    }
    Ok(())
}

/// Lists and maps may be nested this deep. Scripts cannot nest them as deep.
const DEEPEST: usize = 64;

/// Checks script variables.
fn check_vars(field: &str, vars: &Vars) -> Checked {
    let plain = vars.0.to_plain();
    let mut values = plain.iter();
    values.try_for_each(|(key, value)| check_value(&format!("{field}.{key}"), value))
}

/// Checks plain data.
fn check_value(field: &str, value: &Value) -> Checked {
    let mut open = vec![(value, 0)];
    while let Some((value, depth)) = open.pop() {
        ensure(depth <= DEEPEST, field, || format!("is nested more than {DEEPEST} levels deep"))?;
        match value {
            Value::Float(x) => number(field, *x, f64::MAX)?,
            Value::Vector(parts) => {
                let mut parts = parts.iter();
                parts.try_for_each(|x| number(field, *x, f64::MAX))?;
            }
            Value::List(list) => open.extend(list.iter().map(|v| (v, depth + 1))),
            Value::Map(map) => open.extend(map.values().map(|v| (v, depth + 1))),
            Value::Unit | Value::Bool(_) | Value::Int(_) | Value::Text(_) => {}
        }
    }
    Ok(())
}

/// Checks what the world stores for a script, besides its variables.
fn check_script_state(state: &ScriptState, saved: &SavedContext<'_>) -> Checked {
    if let LastAsked::Under(conditions) = &state.last_asked {
        check_vars("last_asked.vars", &conditions.vars)?;
        let mut layers = conditions.layers.iter();
        layers.try_for_each(|vars| check_vars("last_asked.layers", vars))?;
    }
    check_drawn(state.random)?;
    if let Some((at, z)) = state.spawned_at {
        vector("spawned_at[0]", at, FARTHEST_SAVED)?;
        number("spawned_at[1]", z, FARTHEST_SAVED)?;
    }
    check_failures(&state.failures, saved)?;
    for layer in &state.layers {
        check_layer(layer, saved).within(format_args!("layers.{}", layer.name))?;
    }
    Ok(())
}

fn check_failures(count: &FailureCount, saved: &SavedContext<'_>) -> Checked {
    let failures = count.failures;
    ensure(failures <= MOST_FAILURES, "failures", || format!("is {failures}; it must be at most {MOST_FAILURES}"))?;
    let mut failed_at = count.failed_at.iter();
    failed_at.try_for_each(|tick| saved.past("failed_at", *tick))
}

fn check_layer(layer: &LayerState, saved: &SavedContext<'_>) -> Checked {
    check_vars("vars", &layer.vars)?;
    check_drawn(layer.random)?;
    check_failures(&layer.failures, saved)
}

/// Checks how many numbers a random stream has produced.
fn check_drawn(random: u64) -> Checked {
    ensure(random <= MOST_DRAWN, "random", || format!("is {random}; it must be at most {MOST_DRAWN}"))
}

/// Checks that an entity has the layers of its kind.
fn check_layers(layers: &[LayerState], of_kind: &[ScriptLayer]) -> Checked {
    let saved = layers.iter().map(|layer| &layer.name);
    let right = saved.eq(of_kind.iter().map(|layer| &layer.name));
    ensure(right, "layers", || {
        let names = of_kind.iter().map(|layer| &*layer.name);
        let names: Vec<&str> = names.collect();
        format!("must be those of its kind: {names:?}")
    })
}

/// Checks the events of the last step and those that were deferred.
fn check_events(world: &World) -> Checked {
    let journal = &world.journal;
    let sorted = journal.events.is_sorted_by(|a, b| event_order(a, b).is_le());
    ensure(sorted, "events", || "is not sorted by entity".into())?;
    each("events", &journal.events, |event| check_event(event, world))?;
    each("deferred", &journal.deferred, |event| check_event(event, world))
}

fn check_event(event: &Event, world: &World) -> Checked {
    let next = world.population.next_id;
    ensure(event.entity.0 < next, "entity", || format!("is {}; it must be below {next}", event.entity.0))?;
    ensure(event.tick <= world.tick, "tick", || format!("is {}; the tick of the world is {}", event.tick, world.tick))?;
    check_kind(&event.kind).within("kind")
}

fn check_kind(kind: &EventKind) -> Checked {
    match kind {
        EventKind::Land { normal, speed, at, .. } => {
            vector("at", *at, f64::MAX)?;
            if *normal != DVec2::ZERO {
                unit("normal", *normal)?;
            }
            number("speed", *speed, f64::MAX)
        }
        EventKind::Hit { normal, speed, at, .. } => {
            vector("at", *at, f64::MAX)?;
            unit("normal", *normal)?;
            number("speed", *speed, f64::MAX)
        }
        EventKind::Grab { normal, .. } => unit("normal", *normal),
        EventKind::Hook { at, .. } => vector("at", *at, f64::MAX),
        EventKind::Signal { data, .. } | EventKind::Timer { data, .. } => check_value("data", data),
        _ => Ok(()),
    }
}
