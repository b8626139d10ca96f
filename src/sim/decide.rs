//! The decide phase: calling the scripts that have something to do.

use super::entity::Entity;
use super::event::{Event, EventKind};
use super::id::EntityId;
use super::invocation::{Decision, Invocation};
use super::lane::Lanes;
use super::observe::observe;
use super::rules::{Rules, Scene, Subscriptions};
use super::script_state::StandingOn;
use super::stage::{ScriptId, Stage};
use super::view::EntityView;
use super::world::World;
use crate::models::{Actions, Intent};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Undelivered events are dropped after this many ticks.
const MOST_LATE: u64 = 60;

/// A script and the events it listens to in this tick.
#[derive(Clone, Copy)]
struct Listener {
    script: ScriptId,
    subscriptions: Subscriptions,
    /// Whether it has a hook for an emitted event.
    hears_signal: bool,
}

/// Calls the scripts that have something to do, and returns what they decided, in entity order. The
/// events of the last step are consumed.
pub(super) fn decide(
    world: &mut World,
    stage: &Stage,
    rules: &mut dyn Rules,
) -> (Vec<Invocation>, Vec<Decision>) {
    rules.begin_tick();
    let (invocations, mut decisions) = prepare_calls(world, stage, rules);
    if !invocations.is_empty() {
        let scene = Scene {
            tick: world.tick,
            time: world.tick as f64 / f64::from(stage.hz),
            events: &world.journal.events,
            stage,
            world,
        };
        rules.decide(&scene, &invocations, &mut decisions);
    }
    defer_events(world, &invocations, &decisions);
    (invocations, decisions)
}

/// A call for the level and for each entity whose script has something to do, in entity order.
/// Entities whose script is idle cost next to nothing.
fn prepare_calls(
    world: &mut World,
    stage: &Stage,
    rules: &dyn Rules,
) -> (Vec<Invocation>, Vec<Decision>) {
    let (mut invocations, mut decisions) = (Vec::new(), Vec::new());
    let journal = &mut world.journal;
    if !journal.deferred.is_empty() {
        journal.events.append(&mut journal.deferred);
        journal.sort();
    }
    let scripts = stage.profiles.iter().map(|profile| profile.script);
    if scripts.chain([stage.script]).all(|script| script.is_none()) {
        return (invocations, decisions);
    }
    let listeners = listeners(stage, &journal.events, rules);
    let enabled = !world.level.script_state.quarantined;
    if let Some(script) = stage.script.filter(|_| enabled) {
        let (invocation, decision) = level_call(world, stage, script);
        invocations.push(invocation);
        decisions.push(decision);
    }
    let mut next = 0;
    for index in 0..world.population.entities.len() {
        let entity = &world.population.entities[index];
        let all = &world.journal.events;
        let until = |from: usize, more: &dyn Fn(EntityId) -> bool| {
            let rest = all[from..].iter();
            from + rest.take_while(|event| more(event.entity)).count()
        };
        let first = until(next, &|id| id < entity.id);
        next = until(first, &|id| id == entity.id);
        let Some(listener) = &listeners[entity.slot.index()] else {
            continue;
        };
        let (lanes, own) = (&world.population.lanes, &all[first..next]);
        if is_due(entity, lanes, listener, own, rules) {
            let script = listener.script;
            let (invocation, mut decision) = entity_call(world, stage, index, script, first..next);
            if let Some(state) = &mut world.population.entities[index].script_state {
                decision.last_asked = std::mem::take(&mut state.last_asked);
            }
            invocations.push(invocation);
            decisions.push(decision);
        }
    }
    (invocations, decisions)
}

/// The listener for each profile; `None` for a profile without a script.
fn listeners(stage: &Stage, events: &[Event], rules: &dyn Rules) -> Vec<Option<Listener>> {
    let signals: BTreeSet<&str> = events
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::Signal { name, .. } => Some(&**name),
            _ => None,
        })
        .collect();
    let listen = |script: ScriptId| Listener {
        script,
        subscriptions: rules.subscriptions(script),
        hears_signal: signals.iter().any(|name| rules.has_hook(script, name)),
    };
    let mut known = BTreeMap::new();
    let mut once = |script: ScriptId| *known.entry(script.0).or_insert_with(|| listen(script));
    let profiles = stage.profiles.iter();
    profiles.map(|p| p.script.map(&mut once)).collect()
}

/// Consumes the events of the last step. Events that skipped scripts did not receive are delivered
/// with those of the next step, except signals, which other scripts have already received.
fn defer_events(world: &mut World, invocations: &[Invocation], decisions: &[Decision]) {
    let journal = &mut world.journal;
    for (invocation, decision) in invocations.iter().zip(decisions) {
        if !decision.skipped {
            continue;
        }
        let Range { start, end } = invocation.events;
        let rest = journal.events[start + decision.delivered..end].iter();
        let own = rest.filter(|event| {
            let signal = matches!(event.kind, EventKind::Signal { .. });
            !signal && event.entity == invocation.entity && event.tick + MOST_LATE > world.tick
        });
        journal.deferred.extend(own.cloned());
    }
    journal.events.clear();
}

/// Whether the script of an entity with these events has something to do.
fn is_due(
    entity: &Entity,
    lanes: &Lanes,
    listener: &Listener,
    events: &[Event],
    rules: &dyn Rules,
) -> bool {
    let Some(state) = &entity.script_state else {
        return true;
    };
    if state.quarantined {
        return false;
    }
    let Subscriptions {
        ticks,
        rules: has_rules,
        events: bits,
    } = listener.subscriptions;
    let hooked = |event: &Event| match &event.kind {
        EventKind::Timer { name } => rules.has_hook(listener.script, name),
        other => bits & other.bit() != 0,
    };
    ticks
        || listener.hears_signal
        || state.last_asked.is_never()
        || (has_rules && (state.stale || state.footing != footing(entity, lanes)))
        || events.iter().any(hooked)
        // A spawned entity that has left the level gets a last call.
        || (entity.outside && state.spawned_at.is_some())
}

/// The ground that an entity is on.
pub(super) fn footing(entity: &Entity, lanes: &Lanes) -> StandingOn {
    let body = lanes.body(entity);
    let stands = body.stands();
    StandingOn {
        stands,
        surface: body.surface.filter(|_| stands),
    }
}

/// A call for the entity at `index`. Its variables are moved to the decision until that is applied.
pub(super) fn entity_call(
    world: &mut World,
    stage: &Stage,
    index: usize,
    script: ScriptId,
    events: Range<usize>,
) -> (Invocation, Decision) {
    let World {
        tick,
        population,
        journal,
        timers,
        views,
        ..
    } = world;
    let entity = &mut population.entities[index];
    let lanes = &mut population.lanes;
    let view = views.take(index, |view| {
        observe(view, entity, lanes, stage, *tick);
    });
    let (intent, before) = lanes.intent_mut(entity);
    let state = entity.script_state.as_deref();
    let invocation = Invocation {
        entity: entity.id,
        index,
        script,
        view,
        profile: entity.slot.index(),
        jumping: entity.jumping,
        leaves: entity.outside && entity.is_created(),
        intent: *intent,
        before: *before,
        events,
        timers: timers.of(entity.id).len(),
        watched: journal.why.watches(entity.id),
    };
    let decision = Decision {
        random: state.map_or(0, |state| state.random),
        vars: std::mem::take(&mut entity.vars),
        ..Decision::default()
    };
    (invocation, decision)
}

/// The call for the level's own script, which receives all events.
fn level_call(world: &mut World, stage: &Stage, script: ScriptId) -> (Invocation, Decision) {
    let age = world.tick as f64 / f64::from(stage.hz);
    let invocation = Invocation {
        entity: EntityId::LEVEL,
        index: usize::MAX,
        script,
        view: EntityView::of_level(age).into(),
        profile: 0,
        jumping: false,
        leaves: false,
        intent: Intent::default(),
        before: Actions::default(),
        events: 0..world.journal.events.len(),
        timers: world.timers.of(EntityId::LEVEL).len(),
        watched: false,
    };
    let decision = Decision {
        random: world.level.script_state.random,
        vars: std::mem::take(&mut world.level.vars),
        ..Decision::default()
    };
    (invocation, decision)
}
