//! Loading saved worlds: everything in them is checked against the stage first.

use super::{journal::event_order, overrides::set_override, script_state::FailureCount, world::Aside, *};
use crate::{
    geometry::polygon,
    level::{
        Carries, CreatedSolid, FARTHEST, Feature, MOST_ANGLE, MOST_CREATED, MOST_CREATED_POINTS, MOST_MOVED,
        MOST_SCALE, RotationLaw,
    },
    models::saved::{SavedError, between, index, length, number, unit, wrong},
    tuning::MOST,
};

/// A world as it was saved. It may come from a stranger or another version of the game, so it can
/// only be played after [`check`](Self::check).
#[derive(Clone, Debug, Deserialize)]
pub struct SavedWorld(#[serde(with = "Fields")] World);

/// The fields of a [`World`] as it is saved: worlds are only made by [`World::new`] and [`SavedWorld::check`].
#[derive(Serialize, Deserialize)]
#[serde(remote = "World")]
struct Fields {
    tick: u64,
    seed: u64,
    population: Population,
    journal: Journal,
    level: LevelState,
    timers: Timers,
    #[serde(default, getter = "World::saved_frames", skip_serializing_if = "Vec::is_empty")]
    frames: Vec<SequenceFrame>,
    switches: Switches,
    contacts: Contacts,
    #[serde(default, skip_serializing_if = "KeptValues::is_empty")]
    kept: KeptValues,
    #[serde(default)]
    passage: Passage,
    #[serde(default, skip_serializing_if = "Routes::is_empty")]
    routes: Routes,
    #[serde(default, skip_serializing_if = "Joints::is_default")]
    joints: Joints,
    #[serde(default, skip_serializing_if = "Players::is_empty")]
    players: Players,
    surface_keys: Vec<u64>,
    #[serde(skip)]
    aside: Aside,
}

impl From<Fields> for World {
    fn from(saved: Fields) -> Self {
        let Fields { tick, seed, mut population, journal, mut level, timers, frames, switches, contacts, .. } = saved;
        for frame in frames {
            let index = population.index_of(frame.entity);
            let state = index.and_then(|index| population.entities[index].script_state.as_deref_mut());
            // The check refuses those of others in the level's list.
            state.unwrap_or(&mut level.script_state).frames.push(frame);
        }
        let Fields { kept, passage, routes, joints, players, surface_keys, aside, .. } = saved;
        Self {
            tick,
            seed,
            population,
            journal,
            level,
            timers,
            switches,
            contacts,
            kept,
            passage,
            routes,
            joints,
            players,
            surface_keys,
            aside,
        }
    }
}

impl Serialize for World {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Fields::serialize(self, serializer)
    }
}

impl World {
    fn saved_frames(&self) -> Vec<SequenceFrame> {
        self.frames().iter().cloned().collect()
    }
}

impl SavedWorld {
    /// The world, ready to be played under this stage: the one under which it was saved, or an
    /// equal one.
    ///
    /// # Errors
    /// The first field that does not fit the stage, or that no world has.
    pub fn check(self, stage: &Stage) -> Result<World, SavedError> {
        let mut world = self.0;
        let level = &mut world.switches.level;
        check_solids(level, &stage.level).within("switches")?;
        level.build(&stage.level);
        let stage = &*world.stage(stage);
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
    ensure!(tick <= MOST_TICKS, "tick", "is {tick}; it must be at most {MOST_TICKS}");
    check_clock(&world.switches.level, tick).within("switches")?;
    let clock = ClockTick(world.switches.level.clock_at(tick));
    let saved = SavedContext { level: &stage.level, now: tick, clock };
    let keys = surface_keys(stage);
    length("surface_keys", world.surface_keys.len(), keys.len())?;
    ensure!(world.surface_keys == keys, "surface_keys", "is of a level with other surfaces");
    world.kept.check().map_err(|problem| wrong("kept", problem))?;
    check_population(world, stage, &saved).within("population")?;
    check_events(world).within("journal")?;
    check_level(world, stage, &saved).within("level")?;
    each("", world.timers.iter(), |timer| {
        let (due, id) = (timer.due, timer.entity);
        if id != EntityId::LEVEL {
            check_lives("entity", id, world)?;
        }
        let now = world.time_of(stage, id).now;
        ensure!(due > now, "due", "is {due}, but its clock is at {now}");
        check_value("data", &timer.data)
    })
    .within("timers")?;
    check_frames(world, stage).within("frames")?;
    check_switches(world, stage).within("switches")?;
    let Passage { handed, checkpoint, wanted } = &world.passage;
    let ordered = wanted.as_ref().and_then(|order| order.data.as_ref());
    for (field, data) in [("handed", Some(handed)), ("checkpoint", checkpoint.as_ref()), ("wanted", ordered)] {
        data.map_or(Ok(()), |data| check_value(field, data)).within("passage")?;
    }
    check_contacts(world).within("contacts")?;
    world.players.check().within("players")?;
    world.joints.check(&world.population, stage).within("joints")?;
    world.routes.check(stage, tick).within("routes")
}

fn check_population(world: &World, stage: &Stage, saved: &SavedContext) -> Checked {
    let population = &world.population;
    let next = population.next_id;
    ensure!(next <= MOST_IDS, "next_id", "is {next}; it must be at most {MOST_IDS}");
    let mut names = BTreeSet::new();
    let mut before = EntityId::LEVEL;
    each("entities", &population.entities, |entity| {
        let (EntityId(id), EntityId(least)) = (entity.id, before);
        ensure!(id > least && id < next, "id", "is {id}; it must be above {least} and below {next}");
        before = entity.id;
        ensure!(names.insert(&entity.name), "name", "is `{}`, which another entity has", entity.name);
        check_entity(entity, stage, saved)
    })?;
    let carries = stage.profiles.iter().any(|profile| profile.carries != Carries::Nothing);
    // Every entity has one mover, and every mover an entity.
    for model in ModelName::ALL {
        let count = population.entities.iter().filter(|entity| entity.model == *model).count();
        length(&format!("lanes.{model}.movers"), population.lanes.count(*model), count)?;
    }
    for (place, entity) in population.entities.iter().enumerate() {
        let count = population.lanes.count(entity.model);
        index("place", entity.place as usize, count).within(format_args!("entities[{place}]"))?;
        let lane = format_args!("lanes.{}.movers[{}]", entity.model, entity.place);
        let clock = population.lanes.clock(entity);
        ensure!(
            clock.is_default() || world.switches.level.clock.is_some(),
            "lanes",
            "has a clock, but its level has none"
        );
        let saved = &SavedContext { clock: clock.at(saved.clock), ..*saved };
        population.lanes.check(entity, stage, saved).within(lane)?;
        let body = population.lanes.body(entity);
        let ground = body.ground.map(|contact| contact.feature);
        let held_by = ground.into_iter().chain(body.cling.map(|cling| cling.feature)).filter_map(Feature::body);
        for id in held_by {
            let known = carries && population.index_of(EntityId(id)).is_some();
            ensure!(known, "lanes", "has a body that stands on the entity {id}, which cannot carry it");
        }
        saved.passed("born", entity.born).within(format_args!("entities[{place}]"))?;
    }
    for name in &population.removed_starts {
        let there = stage.starts.iter().any(|start| start.name == *name);
        ensure!(there, "removed_starts", "names `{name}`, but the level has no such entity");
    }
    Ok(())
}

fn check_level(world: &World, stage: &Stage, saved: &SavedContext) -> Checked {
    let LevelState { has_script, vars, script_state } = &world.level;
    let expected = stage.script.is_some();
    ensure!(*has_script == expected, "has_script", "must be {expected}");
    check_vars("vars", vars)?;
    check_script_state(script_state, saved).within("script_state")
}

fn check_switches(world: &World, stage: &Stage) -> Checked {
    let Switches { level, changed, key, changed_key, level_key, .. } = &world.switches;
    let solids = stage.level.terrain.solids();
    let own = stage.level.own_solids;
    let can_be_off = |solid: usize| solids[solid].present.is_some() || solid < own;
    check_absent("absent", &level.absent, solids.len(), can_be_off)?;
    for (place, solid) in changed.iter().enumerate() {
        index("changed", *solid as usize, solids.len())?;
        let can_be = solids[*solid as usize].present.is_some();
        let fits = can_be && !changed[..place].contains(solid);
        ensure!(fits, "changed", "contains {solid} twice, or cannot contain it");
    }
    check_changes(level, stage, world.tick)?;
    let keys = world.switches.keys(stage);
    let known = [("key", key), ("changed_key", changed_key), ("level_key", level_key)];
    for ((field, got), expected) in known.into_iter().zip(keys) {
        ensure!(*got == expected, field, "is {got}; it must be {expected}");
    }
    Ok(())
}

/// Checks the solids that scripts have created and the tiles that they have broken.
fn check_solids(changes: &LevelChanges, level: &Level) -> Checked {
    let LevelChanges { created, broken, .. } = changes;
    let own = level.terrain.solids();
    let mut names: BTreeSet<&str> = own.iter().map(|solid| &*solid.name).collect();
    let most = 2 * MOST_CREATED;
    ensure!(created.len() <= most, "created", "has {} places; there can be {most}", created.len());
    each("created", created.iter().flatten(), |created| {
        let CreatedSolid { name, surface, points, one_way, top, speed, removed } = created;
        ensure!(names.insert(name), "name", "is `{name}`, which another solid has");
        ensure!(!removed, "removed", "must be false between two ticks");
        index("surface", surface.0.into(), level.surfaces.len())?;
        let right = if *one_way { polygon::one_way(points) } else { polygon::outline(points) };
        let fits = points.len() <= MOST_CREATED_POINTS && right.as_ref() == Ok(points);
        ensure!(fits, "points", "must be an outline, counterclockwise, or a line to the left");
        points.iter().try_for_each(|point| vector("points", *point, FARTHEST))?;
        between("top", top.unwrap_or(0.0), 0.0, MOST)?;
        between("speed", speed.unwrap_or(0.0), 0.0, MOST)
    })?;
    ensure!(broken.is_sorted_by(|a, b| a < b), "broken", "is not sorted");
    each("broken", broken, |tile| {
        index("layer", tile.layer as usize, level.tiles.len())?;
        ensure!(level.tiles[tile.layer as usize].has(tile.cell), "cell", "has no tile");
        Ok(())
    })
}

/// Checks where sequences wait.
fn check_frames(world: &World, stage: &Stage) -> Checked {
    let with_frames = world.frames().by_owner().filter(|(_, own)| !own.is_empty());
    each("", with_frames, |(owner, own)| {
        let id = &own.iter().find(|frame| frame.entity != owner).map_or(owner, |frame| frame.entity);
        let layers = match world.population.index_of(*id) {
            Some(index) => &world.population.entities[index].script_state,
            None if *id == EntityId::LEVEL => &None,
            None => return Err(wrong("entity", format!("is {}; no entity has this id", id.0))),
        };
        let has_script = layers.is_some() || *id == EntityId::LEVEL && world.level.has_script;
        ensure!(has_script, "entity", "is {}, which has no script", id.0);
        ensure!(own.len() <= MOST_FRAMES, "", "has more than {MOST_FRAMES} sequences of one entity");
        for (place, frame) in own.iter().enumerate() {
            let SequenceFrame { layer, at, locals, until, .. } = frame;
            let double = own[..place].iter().any(|other| other.is_of(layer, &at.sequence));
            ensure!(!double, "at", "has the sequence `{}` twice", at.sequence);
            let mut known = layers.iter().flat_map(|state| &state.layers);
            let fits = layer.as_ref().is_none_or(|layer| known.any(|state| state.name == *layer));
            ensure!(fits, "layer", "is `{}`, which the entity does not have", layer.as_deref().unwrap_or(""));
            ensure!(locals.len() == at.names.len(), "locals", "must have {} values", at.names.len());
            let (values, text): (u64, u64) =
                (locals.iter().map(Value::count).sum(), locals.iter().map(Value::text).sum());
            let (most_values, most_text) = MOST_FRAME_DATA;
            let small = values <= most_values as u64 && text <= most_text as u64;
            ensure!(small, "locals", "has more than {most_values} values or {most_text} bytes of text");
            locals.iter().try_for_each(|value| check_value("locals", value))?;
            let (due, now) = match until {
                Until::Tick(due) => (ClockTick::from(*due), ClockTick::from(world.tick)),
                Until::Time(due) | Until::Event(_, Some(due)) => (*due, world.time_of(stage, *id).now),
                Until::Event(_, None) => continue,
            };
            let most = ClockTick(now.0 + due_tick(LONGEST_WAIT, 0, stage.hz) as f64);
            ensure!(due <= most, "until", "is {due}; it must be at most {most}");
        }
        Ok(())
    })
}

/// Checks how the time of the level passes.
fn check_clock(changes: &LevelChanges, now: u64) -> Checked {
    let Some(LevelClock { since, at, scale }) = changes.clock else { return Ok(()) };
    ensure!(since <= now, "clock.since", "is {since}; the tick of the world is {now}");
    between("clock.at", at, changes.began as f64, MOST_SCALE * MOST_TICKS as f64)?;
    between("clock.scale", scale, 0.0, MOST_SCALE)
}

/// Checks the zones that are off, and where called platforms are.
fn check_changes(changes: &LevelChanges, stage: &Stage, now: u64) -> Checked {
    let began = changes.began;
    ensure!(began <= now, "began", "is {began}; the tick of the world is {now}");
    check_absent("zones_off", &changes.zones_off, stage.level.zones.list().len(), |_| true)?;
    let solids = stage.level.terrain.solids();
    let fresh = LevelChanges::at_start(solids, began).called;
    let by_itself = |called: &&CalledPlatform| fresh.binary_search_by_key(&called.solid, |c| c.solid).is_err();
    let sent = changes.called.len() - changes.called.iter().filter(by_itself).count();
    length("called", sent, fresh.len())?;
    let seconds = changes.seconds(now, f64::from(stage.hz));
    let mut before = None;
    each("called", &changes.called, |called| {
        let CalledPlatform { solid, from, to, since, point, travels, line, speed } = *called;
        index("solid", solid as usize, solids.len())?;
        ensure!(before.replace(solid) < Some(solid), "solid", "is not sorted");
        let Some(path) = &solids[solid as usize].path else {
            return Err(wrong("solid", format!("is {solid}, which has no path")));
        };
        between("since", since, 0.0, seconds)?;
        between("speed", speed.unwrap_or(0.0), 0.0, MOST)?;
        let points = line.unwrap_or_default().map(|at| at.abs().max_element());
        between("line", points[0].max(points[1]), 0.0, MOST_MOVED)?;
        ensure!(line.is_none() || path.is_free(), "line", "must be left out for this path");
        if !path.is_called() {
            ensure!(speed.is_some(), "speed", "must be given for a platform that travels by itself");
            ensure!(point.is_none() && !travels && to == 0.0, "point", "must be none for this path");
            return between("from", from, 0.0, f64::MAX);
        }
        let most = line.map_or(path.length(), |[start, end]| start.distance(end));
        between("from", from, 0.0, most)?;
        between("to", to, 0.0, most)?;
        let there = line.is_some() || point.is_none_or(|point| path.mark(point) == Some(to));
        ensure!(there, "point", "is {point:?}, but the platform does not travel there");
        ensure!(!travels || point.is_some(), "travels", "must be false without a point");
        Ok(())
    })?;
    let mut before = None;
    each("rotated", &changes.rotated, |called| {
        let CalledRotation { solid, from, to, since, .. } = *called;
        index("solid", solid as usize, solids.len())?;
        ensure!(before.replace(solid) < Some(solid), "solid", "is not sorted");
        let rotation = solids[solid as usize].rotation;
        let sent = rotation.is_some_and(|rotation| matches!(rotation.law, RotationLaw::Called(_)));
        ensure!(sent, "solid", "is {solid}, which scripts do not rotate");
        between("since", since, 0.0, seconds)?;
        between("from", from, -MOST_ANGLE, MOST_ANGLE)?;
        between("to", to, -MOST_ANGLE, MOST_ANGLE)
    })
}

/// Checks which of `count` solids or zones are off.
fn check_absent(field: &str, absent: &Absent, count: usize, can_be_off: impl Fn(usize) -> bool) -> Checked {
    let mut before = None;
    for place in absent.iter() {
        index(field, place as usize, count)?;
        ensure!(can_be_off(place as usize), field, "contains {place}, which cannot be switched off");
        ensure!(before < Some(place), field, "is not sorted");
        before = Some(place);
    }
    Ok(())
}

fn check_contacts(world: &World) -> Checked {
    let mut before = None;
    each("touching", &world.contacts.touching, |pair| {
        ensure!(pair.0 < pair.1, "", "does not name the lower id first");
        ensure!(before.replace(pair) < Some(pair), "", "is not sorted");
        check_lives("", pair.0, world)?;
        check_lives("", pair.1, world)
    })
}

fn check_lives(field: &str, id: EntityId, world: &World) -> Checked {
    ensure!(world.population.index_of(id).is_some(), field, "is {}; no entity has this id", id.0);
    Ok(())
}

fn check_entity(entity: &Entity, stage: &Stage, saved: &SavedContext) -> Checked {
    let number = entity.profile as usize;
    index("profile", number, stage.profiles.len())?;
    let profile = &stage.profiles[number];
    let (kind, model) = (&entity.kind, entity.model);
    ensure!(*kind == profile.kind, "kind", "is `{kind}`; its profile is of `{}`", profile.kind);
    let works = model.views().contains(&stage.level.view) || model == profile.model;
    ensure!(works, "model", "is `{model}`, which does not work in this view");
    // A planned jump has a model for itself.
    let flies = !entity.jumping || model == entity.wanted_model(model);
    ensure!(flies, "jumping", "must be false in the model `{model}`");
    for zone in &entity.zones {
        index("zones", usize::from(*zone), stage.level.zones.list().len())?;
    }
    ensure!(entity.zones.is_sorted_by(|a, b| a < b), "zones", "is not sorted");
    check_vars("vars", &entity.vars)?;
    let names = || profile.layers.iter().map(|layer| &*layer.name);
    let right = entity.layers().iter().map(|layer| &*layer.name).eq(names());
    ensure!(right, "layers", "must be the layers of its kind: {:?}", names().collect::<Vec<_>>());
    if let Some(state) = &entity.script_state {
        check_script_state(state, saved)
            .and_then(|()| check_overrides(state, &profile.loadouts))
            .within("script_state")?;
    }
    entity
        .posture
        .as_ref()
        .map_or(Ok(()), |posture| posture.check(&profile.stances))
        .within("posture")?;
    if entity.is_created() {
        let spawns = stage.kinds.get(kind) == Some(&number);
        ensure!(spawns, "profile", "is not the profile of the kind `{kind}`");
        ensure!(entity.player.is_none(), "player", "must be missing: a script has spawned the entity");
        return Ok(());
    }
    // It is the one at its start.
    index("start", entity.start as usize, stage.starts.len())?;
    let Start { name, profile, player, .. } = &stage.starts[entity.start as usize];
    ensure!(entity.name == *name, "name", "is `{}`; the entity at its start is `{name}`", entity.name);
    ensure!(number == *profile, "profile", "is {number}; its start has profile {profile}");
    ensure!(entity.player == *player, "player", "is {:?}; its start has {player:?}", entity.player);
    Ok(())
}

/// Checks that tunables accept their overrides. Those that no longer exist have no effect.
fn check_overrides(state: &ScriptState, loadouts: &Loadouts) -> Checked {
    if state.overrides.is_empty() {
        return Ok(());
    }
    let mut loadouts = loadouts.clone();
    for (key, value) in &state.overrides {
        match set_override(&mut loadouts, key, value) {
            Ok(()) | Err(SetError::Unknown) => {}
            Err(why) => return Err(wrong("overrides", format!("sets `{key}` to {value}: {why}"))),
        }
    }
    Ok(())
}

/// Lists and maps may be nested this deep. Scripts cannot nest them as deep.
const DEEPEST: u64 = 64;

/// Checks script variables.
fn check_vars(field: &str, vars: &Vars) -> Checked {
    let plain = vars.0.to_plain();
    let mut values = plain.iter();
    values.try_for_each(|(key, value)| check_value(&format!("{field}.{key}"), value))
}

/// Checks plain data.
fn check_value(field: &str, value: &Value) -> Checked {
    ensure!(value.depth() <= DEEPEST, field, "is nested more than {DEEPEST} levels deep");
    ensure!(value.is_finite(), field, "has a number that is not finite");
    Ok(())
}

/// Checks what the world stores for a script, besides its variables.
fn check_script_state(state: &ScriptState, saved: &SavedContext) -> Checked {
    if let LastAsked::Under(conditions) = &state.last_asked {
        check_vars("last_asked.vars", &conditions.vars)?;
        let mut layers = conditions.layers.iter();
        layers.try_for_each(|vars| check_vars("last_asked.layers", vars))?;
    }
    check_runs(state.random, &state.failures, saved)?;
    if let Some((at, z)) = state.spawned_at {
        vector("spawned_at[0]", at, FARTHEST_SAVED)?;
        number("spawned_at[1]", z, FARTHEST_SAVED)?;
    }
    for layer in &state.layers {
        let checked = check_vars("vars", &layer.vars);
        let checked = checked.and_then(|()| check_runs(layer.random, &layer.failures, saved));
        checked.within(format_args!("layers.{}", layer.name))?;
    }
    Ok(())
}

/// Checks how many numbers a script has drawn, and how often it has failed.
fn check_runs(random: u64, count: &FailureCount, saved: &SavedContext) -> Checked {
    ensure!(random <= MOST_DRAWN, "random", "is {random}; it must be at most {MOST_DRAWN}");
    let failures = count.failures;
    ensure!(failures <= MOST_FAILURES, "failures", "is {failures}; it must be at most {MOST_FAILURES}");
    count.failed_at.iter().try_for_each(|tick| saved.past("failed_at", *tick))
}

/// Checks the events of the last step and those that were deferred.
fn check_events(world: &World) -> Checked {
    let journal = &world.journal;
    let sorted = journal.events.is_sorted_by(|a, b| event_order(a, b).is_le());
    ensure!(sorted, "events", "is not sorted by entity");
    for (list, events) in [("events", &journal.events), ("deferred", &journal.deferred)] {
        each(list, events, |event| {
            let (next, EntityId(id), tick, now) = (world.population.next_id, event.entity, event.tick, world.tick);
            ensure!(id < next, "entity", "is {id}; it must be below {next}");
            ensure!(tick <= now, "tick", "is {tick}; the tick of the world is {now}");
            check_kind(&event.kind).within("kind")
        })?;
    }
    Ok(())
}

fn check_kind(kind: &EventKind) -> Checked {
    let (normal, speed, at) = match kind {
        EventKind::Land { normal, speed, at, .. } => (Some(normal).filter(|n| **n != DVec2::ZERO), *speed, *at),
        EventKind::Hit { normal, speed, at, .. } => (Some(normal), *speed, *at),
        EventKind::Grab { normal, .. } => (Some(normal), 0.0, DVec2::ZERO),
        EventKind::Hook { at, .. } => (None, 0.0, *at),
        EventKind::Signal { data, .. } | EventKind::Timer { data, .. } => return check_value("data", data),
        _ => return Ok(()),
    };
    vector("at", at, f64::MAX)?;
    normal.map_or(Ok(()), |normal| unit("normal", *normal))?;
    number("speed", speed, f64::MAX)
}
