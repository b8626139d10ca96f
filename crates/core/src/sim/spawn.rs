//! Spawning and despawning entities.

use super::*;

/// Spawns an entity of the level, with the platforms at `standing`.
pub fn spawn_start(world: &mut World, stage: &Stage, standing: &Transit, start_index: usize) {
    let start = &stage.starts[start_index];
    let profile = &stage.profiles[start.profile];
    expect_rate(world, stage, profile);
    let World { tick: now, population, journal, switches, .. } = world;
    let born = ClockTick(switches.level.clock_at(*now));
    let mut entity = new_entity(EntityId(population.next_id), start, profile, born);
    entity.start = start_index as u32;
    journal.emit(*now, &entity, EventKind::Birth);
    population.insert(entity, start, stage, standing);
}

/// Spawns the entities that scripts have created in this tick.
pub fn spawn_created(world: &mut World, stage: &Stage, standing: &Transit) {
    for creation in mem::take(&mut world.population.spawning) {
        let Creation { id, name, profile, at, z, velocity, vel_z, facing, vars } = creation;
        expect_rate(world, stage, &stage.profiles[profile]);
        let World { tick: now, population, journal, switches, .. } = &mut *world;
        let born = ClockTick(switches.level.clock_at(*now));
        let start = Start { name, profile, at, z, angle: 0.0, velocity, player: None };
        let mut entity = new_entity(id, &start, &stage.profiles[profile], born);
        entity.script_state_mut().spawned_at = Some((at, z));
        if !vars.is_empty() {
            let mut all = stage.profiles[profile].vars.clone();
            all.extend(vars);
            entity.vars = Vars::plain(all);
        }
        journal.emit(*now, &entity, EventKind::Birth);
        population.insert(entity, &start, stage, standing);
        let body = population.body_at_mut(population.entities.len() - 1);
        body.vel_z = vel_z;
        body.facing = facing;
    }
}

/// Removes the entity at `index` with its timers, contacts and undelivered events. Events of this
/// step stay: other scripts still receive them.
pub fn despawn(world: &mut World, index: usize) {
    let id = world.population.remove(index).id;
    world.timers.forget(id);
    world.journal.deferred.retain(|event| event.entity != id);
    world.contacts.forget(id);
}

/// Despawns the entities that scripts have removed in this phase, and spawned ones that have left the
/// level.
pub fn despawn_removed(world: &mut World) {
    for index in (0..world.population.entities.len()).rev() {
        let entity = &world.population.entities[index];
        let lost = entity.outside && entity.is_created();
        if !entity.removed && !lost {
            continue;
        }
        world.journal.emit(world.tick + 1, entity, EventKind::Death);
        world.aside.sounding.leave(entity);
        if !entity.is_created() {
            let name = entity.name.clone();
            world.population.removed_starts.insert(name);
        }
        despawn(world, index);
    }
}

/// Takes note of a kind whose time does not run at full rate.
fn expect_rate(world: &mut World, stage: &Stage, profile: &Profile) {
    if profile.time_scale != 1.0 {
        world.switches.expect_rates(stage, world.tick);
    }
}

/// An entity that has just spawned and is not in a lane yet.
fn new_entity(id: EntityId, start: &Start, profile: &Profile, born: ClockTick) -> Entity {
    Entity {
        id,
        name: start.name.clone(),
        kind: profile.kind.clone(),
        player: start.player,
        model: profile.model,
        place: 0,
        profile: start.profile as u32,
        slot: Slot::new(start.profile as u32),
        start: 0,
        born,
        set_model: None,
        ruled_model: None,
        posture: None,
        vars: Vars::plain(profile.vars.clone()),
        script_state: profile.script.map(|_| {
            let layers = profile.layers.iter().map(LayerState::new).collect();
            Box::new(ScriptState { layers, ..ScriptState::default() })
        }),
        model_due: false,
        refused: None,
        outside: false,
        removed: false,
        jumping: false,
        zones: Box::default(),
    }
}

impl World {
    /// Emits an event, as a script's `world::emit` does in a tick: in the next one it calls `fn on_NAME`
    /// of every script that has it. It is an event of the level.
    pub fn emit(&mut self, name: Arc<str>, data: Value) {
        let signal = EventKind::Signal { name, data };
        self.journal.emit_for_level(self.tick, signal);
        self.journal.sort();
    }
}
