//! The decide phase: calling the scripts that have something to do.

use super::{script_state::StandingOn, *};

/// A script and the events it listens to in this tick.
#[derive(Clone, Copy)]
pub struct Listener {
    pub script: ScriptId,
    pub subscriptions: Subscriptions,
    /// Whether it has a hook for an emitted event.
    pub hears_signal: bool,
}

/// Undelivered events are dropped after this many ticks.
const MOST_LATE: u64 = 60;

/// Calls the scripts that have something to do, and returns what they decided, in entity order. The
/// events of the last step are consumed.
pub fn decide(world: &mut World, stage: &Stage, rules: &mut dyn Rules) -> DecideCalls {
    rules.begin_tick();
    let mut calls = mem::take(&mut world.aside.buffers.calls);
    calls.0.clear();
    calls.1.clear();
    prepare_calls(world, stage, rules, &mut calls);
    let (invocations, decisions) = (calls.0.items(), calls.1.items());
    if !invocations.is_empty() {
        let scene = Scene { tick: world.tick, time: world.seconds(stage), events: &world.journal.events, stage, world };
        rules.decide(&scene, invocations, decisions);
    }
    // The events of the last step are consumed. Those that skipped scripts did not receive are delivered with the events of
    // the next step, except signals, which other scripts have already received.
    let journal = &mut world.journal;
    for (invocation, decision) in invocations.iter().zip(decisions).filter(|(_, decision)| decision.skipped) {
        let Range { start, end } = invocation.events;
        let rest = journal.events[start + decision.delivered..end].iter();
        let own = rest.filter(|event| {
            let for_all = event.kind.is_for_all();
            !for_all && event.entity == invocation.entity && event.tick + MOST_LATE > world.tick
        });
        journal.deferred.extend(own.cloned());
    }
    journal.events.clear();
    calls
}

/// Adds a call for the level and for each entity whose script has something to do, in entity order.
/// Entities whose script is idle cost next to nothing.
#[inline(never)]
fn prepare_calls(world: &mut World, stage: &Stage, rules: &dyn Rules, (invocations, decisions): &mut DecideCalls) {
    let journal = &mut world.journal;
    if !journal.deferred.is_empty() {
        journal.events.append(&mut journal.deferred);
        journal.sort();
    }
    if !stage.has_scripts() {
        return;
    }
    let mut listeners = mem::take(&mut world.aside.buffers.listeners);
    let for_all = journal.events.iter().filter(|event| event.kind.is_for_all());
    let signals: BTreeSet<&str> = for_all.map(|event| event.kind.name()).collect();
    for profile in stage.profiles.iter() {
        // Profiles with overrides often have the script of the one before.
        let known = listeners.last().copied().flatten();
        listeners.push(profile.script.map(|script| {
            known.filter(|known| known.script == script).unwrap_or_else(|| Listener {
                script,
                subscriptions: rules.subscriptions(script),
                hears_signal: signals.iter().any(|name| rules.has_hook(script, name)),
            })
        }));
    }
    let enabled = !world.level.script_state.is_disabled();
    if let Some(script) = stage.script.filter(|_| enabled) {
        let invocation = invocations.add(Invocation::empty);
        let decision = decisions.add(Decision::default);
        level_call(world, script, invocation, decision);
    }
    let mut next = 0;
    for index in 0..world.population.entities.len() {
        let entity = &world.population.entities[index];
        let all = &world.journal.events;
        let until = |from: usize, last: u32| {
            let rest = all[from..].iter();
            from + rest.take_while(|event| event.entity.0 <= last).count()
        };
        let mut first = next;
        if next < all.len() {
            first = until(next, entity.id.0 - 1);
            next = until(first, entity.id.0);
        }
        let Some(listener) = &listeners[entity.slot.index()] else {
            continue;
        };
        let (lanes, own) = (&world.population.lanes, &all[first..next]);
        let reached = || world.reached(stage, entity.id);
        let waited = || entity.frames().iter().any(|frame| frame.is_due(world.tick, reached));
        if is_due(entity, lanes, listener, (own, waited), rules) {
            let invocation = invocations.add(Invocation::empty);
            let decision = decisions.add(Decision::default);
            entity_call(world, index, listener.script, invocation, decision);
            invocation.events = first..next;
            if let Some(state) = &mut world.population.entities[index].script_state {
                mem::swap(&mut decision.last_asked, &mut state.last_asked);
            }
        }
    }
    listeners.clear();
    world.aside.buffers.listeners = listeners;
}

/// Whether the script of an entity with these events has something to do; `waited` says that a sequence has waited long
/// enough.
fn is_due(
    entity: &Entity,
    lanes: &Lanes,
    listener: &Listener,
    (events, waited): (&[Event], impl Fn() -> bool),
    rules: &dyn Rules,
) -> bool {
    let Some(state) = &entity.script_state else {
        return true;
    };
    if state.is_disabled() {
        return false;
    }
    let hooked = |event: &Event| match &event.kind {
        EventKind::Timer { name, .. } => rules.has_hook(listener.script, name),
        other => listener.subscriptions.events & other.bit() != 0,
    };
    listener.subscriptions.ticks
        || waited()
        || listener.hears_signal
        || state.last_asked.is_never()
        || (listener.subscriptions.rules && (state.stale || state.footing != footing(entity, lanes)))
        || events.iter().any(hooked)
        // A spawned entity that has left the level gets a last call.
        || (entity.outside && state.spawned_at.is_some())
}

/// The ground that an entity is on.
pub fn footing(entity: &Entity, lanes: &Lanes) -> StandingOn {
    let body = lanes.body(entity);
    let stands = body.stands();
    StandingOn { stands, surface: body.surface.filter(|_| stands) }
}

/// Writes a call for the entity at `index`. Its variables and layers are moved to the decision until that
/// is applied.
#[inline]
pub fn entity_call(
    world: &mut World,
    index: usize,
    script: ScriptId,
    invocation: &mut Invocation,
    decision: &mut Decision,
) {
    let World { population, aside, timers, .. } = world;
    let entity = &mut population.entities[index];
    invocation.entity = entity.id;
    invocation.index = index;
    invocation.script = script;
    invocation.profile = entity.slot.index();
    invocation.jumping = entity.jumping;
    invocation.leaves = entity.outside && entity.is_created();
    invocation.events = 0..0;
    invocation.timers = timers.of(entity.id).len();
    invocation.watched = aside.why.watches(entity.id);
    let state = entity.script_state.as_deref();
    let random = state.map_or(0, |state| state.random);
    decision.begin(&mut entity.vars, random);
    if let Some(state) = &mut entity.script_state
        && !state.layers.is_empty()
    {
        mem::swap(&mut decision.layers, &mut state.layers);
        decision.lowest_disabled = state.failures.quarantined;
    }
}

/// Writes the call for the level's own script, which receives all events.
fn level_call(world: &mut World, script: ScriptId, invocation: &mut Invocation, decision: &mut Decision) {
    *invocation = Invocation::empty();
    invocation.script = script;
    invocation.events = 0..world.journal.events.len();
    invocation.timers = world.timers.of(EntityId::LEVEL).len();
    let level = &mut world.level;
    decision.begin(&mut level.vars, level.script_state.random);
}
