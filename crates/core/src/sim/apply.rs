//! The end of the decide phase: commands take effect.

use super::{
    command::{apply_to_intent, begin_jump, carrier_velocity, is_for_intent, lets_go},
    decide::footing,
    flight::start_flight,
    model_change::{drop_cling, let_go, return_to_start},
    resizing::{resize, set_stance},
    script_state::LayerOutcome,
    spawn::despawn_removed,
    timers::Timer,
    *,
};
use std::mem::{swap, take};

/// Applies the decisions of the decide phase in entity order. Then entities despawn, entities
/// outside the level return to their starts, and models change. `pending` says whether any entity
/// has to do so for another reason than these decisions.
pub fn apply(world: &mut World, stage: &Stage, mut calls: DecideCalls, pending: bool) {
    let (invocations, decisions) = (calls.0.items(), calls.1.items());
    if invocations.is_empty() && !pending {
        world.aside.buffers.calls = calls;
        return;
    }
    for (invocation, decision) in invocations.iter().zip(decisions) {
        apply_decision(world, stage, invocation, decision, true);
    }
    world.aside.buffers.calls = calls;
    // Each platform that rested and has been sent elsewhere departs. Only the last of several orders counts.
    for solid in world.aside.buffers.called.drain(..) {
        if let Some(point) = world.switches.departs_to(solid) {
            let solid = stage.level.terrain.solids()[solid as usize].name.clone();
            world.journal.emit_for_level(world.tick + 1, EventKind::Depart { solid, point });
        }
    }
    if !world.population.entities.iter().any(Entity::is_pending) {
        return;
    }
    let before = world.population.entities.len();
    despawn_removed(world);
    let count = world.population.entities.len();
    if count < before {
        world.aside.drawing.keep(|id| world.population.index_of(id).is_some());
    }
    for index in 0..count {
        if world.population.entities[index].outside {
            let text = "left the level's bounds and returned to its start";
            world.aside.why.note(&world.population.entities[index], text);
            return_to_start(world, stage, index);
        }
        if world.population.entities[index].model_due {
            change_model(world, stage, index);
        }
    }
}

/// The index of the called entity: usually the one it had when it was called.
fn index_of(population: &Population, invocation: &Invocation) -> Option<usize> {
    let there = population.entities.get(invocation.index);
    if there.is_some_and(|entity| entity.id == invocation.entity) {
        return Some(invocation.index);
    }
    population.index_of(invocation.entity)
}

/// Applies a decision: one of the decide phase if `decided`, else one of a rule that was asked
/// within the tick.
pub fn apply_decision(
    world: &mut World,
    stage: &Stage,
    invocation: &Invocation,
    decision: &mut Decision,
    decided: bool,
) {
    if invocation.entity == EntityId::LEVEL {
        apply_level_decision(world, stage, decision);
        return;
    }
    let Some(index) = index_of(&world.population, invocation) else {
        decision.vars = Vars::default();
        decision.layers.clear();
        return;
    };
    let state = world.population.entities[index].script_state.as_ref();
    let failing = decision.failed || state.is_some_and(|state| state.failures.failures > 0);
    let disabled = (failing || !decision.layers.is_empty()) && count_failures(world, index, decision, decided);
    let population = &mut world.population;
    let entity = &mut population.entities[index];
    // Nothing else depends on the ground.
    let ground = matches!(decision.last_asked, LastAsked::Under(_)).then(|| footing(entity, &population.lanes));
    let state = entity.script_state_mut();
    if decided {
        swap(&mut state.last_asked, &mut decision.last_asked);
        // Rules are not asked during a planned jump, and skipped scripts have not been asked.
        state.stale = invocation.jumping || decision.skipped;
        state.footing = ground.unwrap_or_default();
    } else {
        // The rule may have changed variables on which other rules depend.
        state.stale = true;
    }
    if decision.random > 0 {
        state.random = decision.random;
    }
    if !decision.layers.is_empty() {
        swap(&mut state.layers, &mut decision.layers);
    }
    let enabled = !disabled && !state.is_disabled();
    if disabled {
        // The scripts that are left are asked.
        state.last_asked = LastAsked::Never;
    }
    swap(&mut entity.vars, &mut decision.vars);
    if !decision.answers.is_empty() {
        let answers = take(&mut decision.answers);
        world.aside.why.answered(entity, answers);
    }
    // Answers of a script that was just disabled do not count.
    if enabled {
        match decision.model {
            ModelAnswer::Unchanged => {}
            // The change itself comes later in the tick.
            ModelAnswer::Default => (entity.ruled_model, entity.model_due) = (None, true),
            ModelAnswer::Model(model) => (entity.ruled_model, entity.model_due) = (Some(model), true),
        }
        if let Some(windows) = decision.windows {
            population.lanes.body_mut(entity).windows = windows;
        }
    }
    if decision.commands.is_empty() {
        return;
    }
    // Whether the jump key is held decides the height of a jump, even if the jump is ordered first.
    let (intent, before) = population.lanes.intent_mut(entity);
    let mut others = !world.aside.why.is_off();
    for command in &decision.commands {
        if is_for_intent(command) {
            apply_to_intent(intent, *before, command);
        } else {
            others = true;
        }
    }
    if !others {
        return;
    }
    let mut layer = None;
    for command in decision.commands.drain(..) {
        if let Command::InLayer(name) = command {
            world.aside.why.set_layer(&name);
            layer = name;
        } else if let Command::Wait(at, until, locals) = command {
            set_frame(world, stage, (Some(index), &layer), (at, until, locals));
        } else if is_for_intent(&command) {
            world.aside.why.ordered(&world.population.entities[index], &command);
        } else {
            apply_command(world, stage, index, &layer, &command);
        }
    }
    if layer.is_some() {
        world.aside.why.set_layer(&None);
    }
}

fn apply_level_decision(world: &mut World, stage: &Stage, decision: &mut Decision) {
    if decision.called {
        count_level_failure(world, decision.failed);
    }
    swap(&mut world.level.vars, &mut decision.vars);
    world.level.script_state.random = decision.random;
    for command in &decision.commands {
        apply_world_command(world, stage, None, &None, command);
    }
}

/// Applies a command that does not concern a body, from a layer of the entity at `index` or from the level.
fn apply_world_command(
    world: &mut World,
    stage: &Stage,
    index: Option<usize>,
    layer: &Option<Arc<str>>,
    command: &Command,
) {
    let World { tick: now, population, journal, aside, .. } = world;
    let now = *now;
    // What waits does so in the time of the entity.
    let clock = |id| population.time(id, stage, &world.switches.level, now).now;
    let entity = index.map(|index| &population.entities[index]);
    let id = entity.map_or(EntityId::LEVEL, |entity| entity.id);
    match command {
        Command::Draw(order) => aside.drawing.follow(id, order, now, || owner_name(entity)),
        Command::Sound(order) => aside.sounding.follow(entity, order, now),
        Command::After(seconds, name, data) => world.timers.set(Timer {
            due: ClockTick(clock(id).0 + due_tick(*seconds, 0, stage.hz) as f64),
            entity: id,
            layer: layer.clone(),
            name: name.clone(),
            data: data.clone(),
        }),
        Command::Cancel(name) => world.timers.cancel(id, layer, name),
        Command::Start(at) => set_frame(world, stage, (index, layer), (at.clone(), Until::Tick(now), Vec::new())),
        Command::Wait(at, until, locals) => {
            set_frame(world, stage, (index, layer), (at.clone(), until.clone(), locals.clone()));
        }
        Command::Stop(name) => script_state_of(world, index).frames.retain(|frame| !frame.is_of(layer, name)),
        Command::Emit(name, data) => {
            let event = EventKind::Signal { name: name.clone(), data: data.clone() };
            journal.emit_for(population, id, now + 1, event);
        }
        Command::Note(text) => journal.emit_for(population, id, now + 1, EventKind::Note { text: text.clone() }),
        Command::Create(creation) => {
            population.next_id = population.next_id.max(creation.id.0 + 1);
            population.spawning.push((**creation).clone());
        }
        Command::FindRoute(order) => world.routes.ask(order, now),
        Command::Join(joint) => world.joints.add(joint, population),
        Command::Reel(id, reel) => world.joints.reel(*id, *reel),
        Command::Cut(id) => world.joints.cut(*id),
        Command::Keep(name, value) => _ = world.kept.set(name, value.clone()),
        Command::Level(order) => world.passage.wanted = Some(order.clone()),
        Command::Checkpoint(data) => world.passage.checkpoint = Some(data.clone()),
        Command::Switch(solid, there) => world.switches.set(stage, *solid, *there),
        Command::CreateSolid(created) => world.switches.create(stage, created),
        Command::RemoveSolid(name) => world.switches.remove(stage, name),
        Command::BreakTile(at) => world.switches.break_tiles(stage, *at),
        Command::SetWorldTimeScale(scale) => world.switches.set_time_scale(stage, *scale, now),
        Command::SwitchZone(zone, there) => {
            let switched = world.switches.set_zone(stage, *zone, *there);
            if switched {
                population.lanes.wake();
            }
        }
        Command::Call(solid, point) => {
            let rested = world.switches.call(stage, *solid, *point, now);
            note_called(&mut aside.buffers.called, *solid, rested);
        }
        Command::MoveSolid(solid, to) => {
            let rested = world.switches.move_to(stage, *solid, *to, now);
            note_called(&mut aside.buffers.called, *solid, rested);
        }
        Command::TurnSolid(solid, angle) => {
            let rested = world.switches.turn_solid(stage, *solid, *angle, now);
            note_called(&mut aside.buffers.called, *solid, rested);
        }
        Command::SetSpeed(solid, speed) => world.switches.set_speed(stage, *solid, *speed, now),
        // These are about a body, and handled before. A new command does not compile until it is here or above.
        Command::SetVelocity(..)
        | Command::Turn(_)
        | Command::Spin(_)
        | Command::SetExternal(..)
        | Command::Push(_)
        | Command::PushZ(_)
        | Command::Face(_)
        | Command::Hold(_)
        | Command::Release(_)
        | Command::Steer(_)
        | Command::Aim(_)
        | Command::Jump
        | Command::LetGo
        | Command::FireHook(_)
        | Command::ReleaseHook
        | Command::JumpTo(_)
        | Command::Place(..)
        | Command::SetTimeScale(_)
        | Command::SetModel(_)
        | Command::ClearModel
        | Command::Tune(..)
        | Command::Untune(_)
        | Command::Resize(_)
        | Command::SetStance(_)
        | Command::Remove
        | Command::InLayer(_) => {}
    }
}

/// The state of the script of the entity at `index`, or of the level.
fn script_state_of(world: &mut World, index: Option<usize>) -> &mut ScriptState {
    match index {
        Some(index) => world.population.entities[index].script_state_mut(),
        None => &mut world.level.script_state,
    }
}

/// Lets a sequence of a layer of the entity at `index`, or of the level, wait.
fn set_frame(
    world: &mut World,
    stage: &Stage,
    (index, layer): (Option<usize>, &Option<Arc<str>>),
    (at, until, locals): (Arc<WaitPoint>, Until, Vec<Value>),
) {
    let entity = index.map_or(EntityId::LEVEL, |index| world.population.entities[index].id);
    let until = until.after(|| world.time_of(stage, entity).now, world.tick);
    let frame = SequenceFrame { entity, layer: layer.clone(), at, until, locals };
    script_state_of(world, index).set_frame(frame);
}

/// Applies a command that a layer of the entity at `index` gave.
pub fn apply_command(world: &mut World, stage: &Stage, index: usize, layer: &Option<Arc<str>>, command: &Command) {
    let OwnTime { now, rate, .. } = world.time_of(stage, world.population.entities[index].id);
    let (population, why) = (&mut world.population, &mut world.aside.why);
    let (entity, lanes) = (&mut population.entities[index], &mut population.lanes);
    // What is seen and heard moves nothing, and where a sequence waits is recorded in every tick.
    if !matches!(command, Command::Draw(_) | Command::Sound(_) | Command::Wait(..)) {
        why.ordered(entity, command);
    }
    if lets_go(lanes.body(entity), command) {
        // A key that is still held does not grab it at once.
        if drop_cling(lanes, entity, now) {
            lanes.let_go(entity);
        }
    }
    if move_body(lanes, entity, command) {
        return;
    }
    match *command {
        Command::Jump if !entity.model.jumps() => why.no_jump(entity, stage),
        Command::Jump => {
            let (population, changes) = (&world.population, &world.switches.level);
            let carried = carrier_velocity(index, population, stage, changes, world.tick, rate);
            let Population { entities, lanes, .. } = &mut world.population;
            begin_jump(lanes, &entities[index], carried, now);
        }
        Command::JumpTo(ref jump) => start_flight(world, stage, index, jump),
        Command::FireHook(at) => lanes.order(entity, HookOrder::Fire(at)),
        Command::ReleaseHook => lanes.order(entity, HookOrder::Release),
        Command::Place(at, z) => {
            let standing = world.standing(stage);
            let placed = teleport(world, stage, &standing, index, at, z);
            let World { population, aside, .. } = world;
            let entity = &population.entities[index];
            if placed {
                aside.buffers.zones.trail.restart(entity.id, population.lanes.body(entity).pos);
            } else {
                aside.why.refused(entity, "place", "there is no room for its body", |_| vec![]);
            }
        }
        Command::SetTimeScale(scale) => {
            if lanes.clock(entity).scale != scale {
                world.switches.expect_rates(stage, world.tick);
                lanes.clock_mut(entity).scale = scale;
            }
        }
        Command::SetModel(model) => (entity.set_model, entity.model_due) = (Some(model), true),
        Command::ClearModel => (entity.set_model, entity.model_due) = (None, true),
        Command::Tune(model, name, ref value) => world.aside.overrides.set(entity, model, name, value),
        Command::Untune(which) => world.aside.overrides.unset(entity, which),
        Command::Resize(size) => resize(world, stage, index, size),
        Command::SetStance(ref name) => set_stance(world, index, name.as_ref()),
        Command::Remove => entity.removed = true,
        Command::LetGo => {}
        _ if is_for_intent(command) => {
            let (intent, before) = lanes.intent_mut(entity);
            apply_to_intent(intent, *before, command);
        }
        _ => apply_world_command(world, stage, Some(index), layer, command),
    }
}

/// Moves the entity at `index` to a point, out of solids, and to a height if one is given. Returns
/// false and does nothing if there is no room.
pub fn teleport(world: &mut World, stage: &Stage, standing: &Transit, index: usize, at: DVec2, z: Option<f64>) -> bool {
    let now = world.time_of(stage, world.population.entities[index].id).now;
    let population = &mut world.population;
    let entity = &mut population.entities[index];
    let mut body = population.lanes.body(entity).clone();
    body.pos = at;
    body.z = z.unwrap_or(body.z);
    let Some(at) = stage.fit_entity(standing, entity, &body) else {
        return false;
    };
    // An entity teleported out of the level in this tick falls out at its end.
    entity.outside &= !stage.level.bounds.holds(at);
    let_go(&mut population.lanes, entity, now);
    let placed = population.lanes.body_mut(entity);
    placed.pos = at;
    placed.z = body.z;
    placed.sensed = false;
    true
}

/// Records whether scripts of the entity at `index` have failed, in the decide phase or in a rule
/// asked within the tick. A script that keeps failing is disabled, and the answers of its rules are
/// dropped: other scripts are asked again, or tuning decides. Returns whether one was disabled.
#[inline(never)]
fn count_failures(world: &mut World, index: usize, decision: &mut Decision, decided: bool) -> bool {
    let World { tick, population, journal, .. } = world;
    let now = *tick;
    let entity = &mut population.entities[index];
    let mut disabled = false;
    if decision.called {
        let failures = &mut entity.script_state_mut().failures;
        disabled = failures.count(decision.failed, decided, now);
    }
    for layer in &mut decision.layers {
        let LayerOutcome { called, failed } = take(&mut layer.outcome);
        if called {
            disabled |= layer.failures.count(failed, decided, now);
        }
    }
    if disabled {
        entity.ruled_model = None;
        entity.model_due = true;
        population.lanes.body_mut(entity).windows = Windows::default();
        journal.emit(now + 1, entity, EventKind::Quarantine);
    }
    disabled
}

/// Records whether the level's script has failed.
fn count_level_failure(world: &mut World, failed: bool) {
    let now = world.tick;
    if world.level.script_state.failures.count(failed, true, now) {
        world.journal.emit_for_level(now + 1, EventKind::Quarantine);
    }
}

/// Notes a platform that `rested` until an order of this tick: once all orders are known, it may depart.
fn note_called(called: &mut Vec<u32>, solid: u32, rested: bool) {
    if rested && !called.contains(&solid) {
        called.push(solid);
    }
}
