//! The decide phase's beginning: dealing turns to those whose scripts have something to do.

use super::script_state::Footprint;
use super::{
    Entity, EntityId, EntityView, EventKind, Rules, ScriptId, Stage, Subscriptions, Turn, World,
};
use std::ops::Range;

/// For how many ticks what an entity is to be told is kept, while the scripts have no time for it.
const MOST_LATE: u64 = 60;

/// What a script listens to in this tick.
#[derive(Clone, Copy)]
struct Listener {
    script: ScriptId,
    heeds: Subscriptions,
    /// Whether it has a hook for something that was emitted.
    hears: bool,
}

impl World {
    /// A turn for the level and for each entity whose script has something to do, in entity order. A
    /// script that has nothing to do costs next to nothing.
    pub(super) fn deal_turns(&mut self, stage: &Stage, rules: &dyn Rules) -> Vec<Turn> {
        let mut turns = Vec::new();
        if !self.held_back.is_empty() {
            self.events.append(&mut self.held_back);
            self.sort_events();
        }
        let scripts = stage.profiles.iter().map(|profile| profile.script);
        if scripts.chain([stage.script]).all(|script| script.is_none()) {
            return turns;
        }
        let listen = |script: ScriptId| Listener {
            script,
            heeds: rules.heeds(script),
            hears: self.events.iter().any(|event| match &event.happening {
                EventKind::Signal { name, .. } => rules.hears(script, name),
                _ => false,
            }),
        };
        let profiles = stage.profiles.iter();
        let listeners: Vec<Option<Listener>> = profiles.map(|p| p.script.map(listen)).collect();
        if let Some(script) = stage
            .script
            .filter(|_| !self.level.script_state.quarantined)
        {
            turns.push(self.deal_level(stage, script));
        }
        let mut first = 0;
        for index in 0..self.entities.len() {
            let id = self.entities[index].id;
            while self.events.get(first).is_some_and(|e| e.entity < id) {
                first += 1;
            }
            let from = first;
            while self.events.get(first).is_some_and(|e| e.entity == id) {
                first += 1;
            }
            let Some(listener) = listeners[self.entities[index].profile as usize] else {
                continue;
            };
            if self.is_due(index, &listener, from..first, rules) {
                turns.push(self.deal(stage, index, listener.script, from..first));
            }
        }
        turns
    }

    /// The events of this tick are told. Who was left out is told the rest of its own in the next; not what
    /// others have emitted, which would reach those twice who have heard it.
    pub(super) fn hold_back(&mut self, turns: &[Turn]) {
        let mut events = std::mem::take(&mut self.events);
        for turn in turns.iter().filter(|turn| turn.skipped) {
            let rest = events[turn.events.clone()].iter();
            let own = rest.filter(|event| {
                let said = matches!(event.happening, EventKind::Signal { .. });
                !said && event.entity == turn.entity && event.tick + MOST_LATE > self.tick
            });
            self.held_back.extend(own.cloned());
        }
        events.clear();
        self.events = events;
    }

    /// Whether the script of the entity at `index` has something to do.
    fn is_due(
        &self,
        index: usize,
        listener: &Listener,
        events: Range<usize>,
        rules: &dyn Rules,
    ) -> bool {
        let entity = &self.entities[index];
        let Some(own) = &entity.script_state else {
            return true;
        };
        if own.quarantined {
            return false;
        }
        let told = |happening: &EventKind| match happening {
            EventKind::Timer { name } => rules.hears(listener.script, name),
            other => listener.heeds.told & other.bit() != 0,
        };
        listener.heeds.ticks
            || listener.hears
            || own.asked.is_none()
            || (listener.heeds.rules && (own.stale || own.stood != self.footprint(entity)))
            || self.events[events].iter().any(|e| told(&e.happening))
            // Whoever has fallen out of the world takes a turn, to be heard once more.
            || (entity.outside && own.created.is_some())
    }

    /// What an entity stands on.
    pub(super) fn footprint(&self, entity: &Entity) -> Footprint {
        let body = self.lanes.body(entity);
        let stands = body.stands();
        Footprint {
            stands,
            surface: body.surface.filter(|_| stands),
        }
    }

    /// The turn of the entity at `index`, which gives its variables away until that is applied.
    pub(super) fn deal(
        &mut self,
        stage: &Stage,
        index: usize,
        script: ScriptId,
        events: Range<usize>,
    ) -> Turn {
        let view = self.shared_view(stage, index);
        let entity = &self.entities[index];
        let id = entity.id;
        let (intent, before) = self.lanes.intent_mut(entity);
        let (intent, before) = (*intent, *before);
        let timers = self.timers.iter().filter(|t| t.entity == id).count();
        let watched = self.watches(id);
        let entity = &mut self.entities[index];
        let own = entity.script_state.as_deref();
        Turn {
            watched,
            answers: Vec::new(),
            entity: id,
            place: index,
            script,
            view,
            profile: entity.profile as usize,
            jumping: entity.jumping,
            leaves: entity.outside && own.is_some_and(|own| own.created.is_some()),
            intent,
            before,
            events,
            asked: own.and_then(|own| own.asked),
            random: own.map_or(0, |own| own.random),
            vars: std::mem::take(&mut entity.vars),
            timers,
            commands: Vec::new(),
            model: None,
            windows: None,
            called: false,
            failed: false,
            skipped: false,
        }
    }

    /// The level's own turn. It is told of everything that has happened.
    fn deal_level(&mut self, stage: &Stage, script: ScriptId) -> Turn {
        let of_level = self.timers.iter().filter(|t| t.entity == EntityId::LEVEL);
        let timers = of_level.count();
        let age = self.tick as f64 / f64::from(stage.hz);
        Turn {
            watched: false,
            answers: Vec::new(),
            entity: EntityId::LEVEL,
            place: usize::MAX,
            script,
            view: EntityView::of_level(&self.no_surface, &self.no_zones, age).into(),
            profile: 0,
            jumping: false,
            leaves: false,
            intent: Default::default(),
            before: Default::default(),
            events: 0..self.events.len(),
            vars: std::mem::take(&mut self.level.vars),
            asked: Some(0),
            random: self.level.script_state.random,
            timers,
            commands: Vec::new(),
            model: None,
            windows: None,
            called: false,
            failed: false,
            skipped: false,
        }
    }
}
