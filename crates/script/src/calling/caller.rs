//! Calling the hooks of scripts in one phase.

use super::{
    hook_call::{name_of, record_fault, roll_back},
    layers::OfLayer,
    *,
};
use crate::Diagnostic;
use hangtime_core::sim::{Command, EntityId, Event, EventKind, RuleLayer, SequenceFrame};

/// Goes through the calls of one phase.
pub struct Caller<'a> {
    /// What they are made for.
    pub scene: &'a Scene<'a>,
    /// What the calls of all languages share.
    pub shared: &'a mut SharedCalls,
    /// The indexes of the scene's events that scripts emitted and this script has a hook for, by script.
    pub signals: &'a [Vec<usize>],
    /// What makes the calls, by language.
    pub parts: &'a mut [Box<dyn LanguageRules>],
    /// All scripts.
    pub scripts: CalledScripts<'a>,
    /// The hook that runs.
    pub running: Option<usize>,
    /// The script whose hooks are called.
    pub script: ScriptId,
    /// What is known of it.
    pub listed: &'a ListedScript,
    /// Where it is among several scripts of one entity.
    pub place: LayerPlace<'a>,
    /// The sequences of the entity that is called, as the phase began.
    pub frames: &'a [SequenceFrame],
}

/// What the calls of a phase need to know of the scripts.
#[derive(Clone, Copy)]
pub struct CalledScripts<'a> {
    /// All scripts, by id.
    pub all: &'a [ListedScript],
    /// The place of each script's language among the parts.
    pub part_of: &'a [usize],
    /// The limits of their calls.
    pub limits: &'a Limits,
}

impl<'a> CalledScripts<'a> {
    /// The script with this id.
    pub fn get(self, id: ScriptId) -> &'a ListedScript {
        &self.all[id.0 as usize]
    }

    /// The place of a script's language among the parts.
    pub fn part_of(self, id: ScriptId) -> usize {
        self.part_of[id.0 as usize]
    }
}

/// What building an event costs, in operations, in addition to its data.
const EVENT_COST: u64 = 16;

/// What building one value of an event's data costs, in operations.
const VALUE_COST: u64 = 4;

/// How many bytes of text in an event's data are built for one operation.
const TEXT_IN_ONE: u64 = 64;

impl<'a> Caller<'a> {
    /// Calls the hooks of one entity or of the level: events, signals, `on_tick`, the rules and, if it
    /// leaves the world, `on_death`. Each event hook is called in every layer, the lowest one first.
    pub fn decide(&mut self, invocation: &Invocation, decision: &mut Decision) {
        let before = left_in_tick();
        self.shared.probing.restart();
        self.point_me_at(invocation, decision);
        self.call_hooks(invocation, decision);
        if !self.place.is_stacked() {
            self.count_used(before);
        }
        self.shared.moment.me.finish(decision);
    }

    /// Charges the script for the operations used since `before` of them were left, and returns their number.
    pub(super) fn count_used(&mut self, before: u64) -> u64 {
        let used = before.saturating_sub(left_in_tick());
        self.shared.used[self.script.0 as usize] += used;
        used
    }

    fn call_hooks(&mut self, invocation: &Invocation, decision: &mut Decision) {
        let of_level = invocation.entity == EntityId::LEVEL;
        if self.place.is_stacked() || self.listed.has_events || self.has_sequences() {
            self.deliver_events(invocation, decision);
            let signals = self.signals[self.script.0 as usize].iter();
            for signal in signals.filter(|_| !of_level) {
                self.deliver(decision, &self.scene.events[*signal]);
                if decision.skipped {
                    break;
                }
            }
            self.in_layers(decision, Self::call_on_tick);
        }
        if !of_level {
            self.ask_rules(invocation, decision);
        }
        let called = |decision: &Decision| decision.called || decision.layers.iter().any(|it| it.outcome.called);
        let ordered = !self.shared.moment.me.commands.is_empty();
        if invocation.leaves || ordered && called(decision) {
            self.leave(invocation, decision);
        }
    }

    /// Continues the sequences that are due, calls `on_tick` and begins what was started.
    #[inline(always)]
    fn call_on_tick(&mut self, decision: &mut Decision) {
        let sequences = self.has_sequences();
        if sequences {
            self.continue_due(decision);
        }
        if let Some(hook) = self.listed.on_tick {
            let event = self.call_event(hook, "tick");
            self.call_unless_removed(decision, hook, &event);
        }
        if sequences {
            self.begin_started(decision);
        }
    }

    /// Delivers the entity's own events, or all events to the level.
    fn deliver_events(&mut self, invocation: &Invocation, decision: &mut Decision) {
        let of_level = invocation.entity == EntityId::LEVEL;
        for index in invocation.events.clone() {
            let event = &self.scene.events[index];
            // The level has received deferred events of entities in their tick. Signals go to all
            // scripts and are delivered separately.
            let due = match event.kind {
                _ if of_level => event.tick == self.scene.tick || event.entity == invocation.entity,
                ref kind => !kind.is_for_all(),
            };
            if due {
                self.deliver(decision, event);
            }
            if decision.skipped {
                break;
            }
            decision.delivered = index + 1 - invocation.events.start;
        }
    }

    /// Delivers an event to all layers. A timer's event goes only to the layer that has set the timer.
    fn deliver(&mut self, decision: &mut Decision, event: &Event) {
        let of_timer = match &event.kind {
            EventKind::Timer { layer, .. } => Some(layer.as_ref()),
            _ => None,
        };
        self.in_layers(decision, |caller, decision| {
            let stacked = caller.place.is_stacked();
            if of_timer.is_none_or(|layer| !stacked || layer == caller.shared.moment.me.layer()) {
                caller.call_for(decision, event);
            }
        });
    }

    /// Calls the hook for an event, if the script has one.
    fn call_for(&mut self, decision: &mut Decision, event: &Event) {
        let script = self.listed;
        let open = self.place.begun || !tick_is_spent();
        // The birth of the level may come late, for the rest of its hooks.
        if event.entity == EntityId::LEVEL
            && (&event.kind, event.tick) == (&EventKind::Birth, self.scene.tick)
            && let Some(hook) = script.event_hook("start")
        {
            let started = self.call_event(hook, "start");
            self.call_unless_removed(decision, hook, &started);
        }
        if let Some(hook) = script.event_hook(event.kind.name()) {
            self.end_before(open, &script.hooks[hook].name);
            if script.hooks[hook].parameters == 2 {
                charge_tick(EVENT_COST);
                let data = match &event.kind {
                    EventKind::Signal { data, .. } => Some(data),
                    EventKind::Timer { data, .. } => Some(data).filter(|data| !data.is_unit()),
                    _ => None,
                };
                if let Some(data) = data {
                    charge_tick(VALUE_COST * data.count() + data.text() / TEXT_IN_ONE);
                }
            }
            self.call_unless_removed(decision, hook, &About::Event(event));
        }
        if self.has_sequences() {
            self.continue_for(decision, open, event);
        }
    }

    /// Calls a hook, unless the entity has been despawned in this call.
    #[inline]
    pub(super) fn call_unless_removed(&mut self, decision: &mut Decision, hook: usize, event: &About<'_>) {
        let called = decision.called || self.place.is_stacked();
        let removed = called && self.shared.moment.me.is_removed();
        if !removed {
            self.call_with(decision, hook, event);
        }
    }

    /// The event of a call that is in no trace, if the hook has a parameter for it.
    pub(super) fn call_event(&self, hook: usize, name: &'static str) -> About<'a> {
        match self.listed.hooks[hook].parameters {
            2 => About::Call { name, entity: name_of(self.scene, self.shared), tick: self.scene.tick },
            _ => About::Nothing,
        }
    }

    /// Calls a hook, with an event if it has a parameter for it.
    #[inline]
    pub(super) fn call_with(&mut self, decision: &mut Decision, hook: usize, event: &About<'_>) {
        let about = match self.listed.hooks[hook].parameters {
            2 => event,
            _ => &About::Nothing,
        };
        let _ = self.call(decision, (hook, about), Wanted::Nothing);
    }

    /// Calls `on_death` if the entity leaves the world: despawned, or spawned by a script and out of the level without
    /// being teleported.
    pub fn leave(&mut self, invocation: &Invocation, decision: &mut Decision) {
        let commands = &mut self.shared.moment.me.commands;
        let placed = |c: &Command| matches!(c, Command::Place(..));
        if invocation.leaves && !commands.iter().any(placed) {
            commands.push(Command::Remove);
        }
        if !self.shared.moment.me.is_removed() {
            return;
        }
        self.in_layers(decision, Self::die);
    }

    /// Calls `on_death` of the script.
    fn die(&mut self, decision: &mut Decision) {
        if let Some(hook) = self.listed.event_hook("death") {
            let event = self.call_event(hook, "death");
            self.call_with(decision, hook, &event);
        }
    }

    /// Asks the rule that answers a question. `()` and a failing rule leave the answer to tuning.
    pub fn answer(&mut self, call: &RuleCall, reply: &mut RuleReply) {
        let before = left_in_tick();
        self.shared.probing.restart();
        let (invocation, decision) = (&call.invocation, &mut reply.decision);
        self.point_me_at(invocation, decision);
        let (answer, layer) = self.answer_question(&call.question, decision).unzip();
        (reply.answer, reply.layer) = (answer, RuleLayer(layer.flatten()));
        if !self.place.is_stacked() {
            self.count_used(before);
        }
        self.shared.moment.me.finish(&mut reply.decision);
    }

    /// What the topmost layer that answers a question says, with that layer.
    fn answer_question(&mut self, question: &Question, decision: &mut Decision) -> OfLayer<bool> {
        let rule = rule_for(question);
        self.ask_topmost(rule, decision, |caller, decision, hook| {
            let about = About::question(question, caller.scene);
            caller.call(decision, (hook, &about), Wanted::Flag(rule)).ok()?.flag()
        })
    }

    /// Calls the hooks of this script from now on.
    pub(super) fn choose(&mut self, script: ScriptId) {
        (self.script, self.listed) = (script, self.scripts.get(script));
    }

    /// Points `me` at the entity that is called.
    #[inline]
    pub(super) fn point_me_at(&mut self, invocation: &Invocation, decision: &Decision) {
        self.choose(invocation.script);
        self.place = LayerPlace::among(&self.listed.layers);
        self.frames = self.scene.frames_of(invocation.called());
        self.shared.moment.me.point_at(self.scene, (invocation, self.frames), decision);
    }

    /// Calls a hook. If it fails, the commands it gave are dropped; other hooks still run. `about` is what it receives in
    /// addition to `me`.
    pub(super) fn call(
        &mut self,
        decision: &mut Decision,
        (hook, about): (usize, &About<'_>),
        wanted: Wanted,
    ) -> Result<HookAnswer, Unanswered> {
        if tick_is_spent() && !self.place.begun {
            self.skip(decision, hook);
            return Err(Unanswered::Failed);
        }
        self.shared.probing.begin();
        decision.called = true;
        self.shared.moment.me.checkpoint();
        self.shared.moment.me.set_points(&self.listed.points);
        // A panic while a failure is explained fails the hook, too.
        self.running = Some(hook);
        let (part, mut call) = self.hook_call(hook, about, wanted);
        let answer = part.call(&mut call, decision);
        self.running = None;
        answer
    }

    /// A call of a hook, and what makes it.
    #[inline]
    pub(super) fn hook_call<'c>(
        &'c mut self,
        hook: usize,
        about: &'c About<'c>,
        wanted: Wanted,
    ) -> (&'c mut dyn LanguageRules, HookCall<'c>) {
        let Self { scene, shared, script, listed, .. } = self;
        let part = &mut *self.parts[self.scripts.part_of(*script)];
        let layer = self.place.layer();
        (part, HookCall { scene, shared, script: *script, listed, hook, about, wanted, layer })
    }

    /// Ends a hook that has panicked as one that has failed; false if none was running.
    pub fn abandon(&mut self, decision: &mut Decision) -> bool {
        let Some(hook) = self.running.take() else {
            return false;
        };
        self.parts[self.scripts.part_of(self.script)].abandon(self.script, &mut decision.vars);
        roll_back(self.shared);
        decision.failed = true;
        self.fault(hook, "internal error in hangtime; please report this bug".into());
        true
    }

    /// Records a fault at the name of a hook.
    fn fault(&mut self, hook: usize, why: String) {
        let script = self.listed;
        let name = script.hooks[hook].name.clone();
        let diagnostic = Diagnostic::error(script.start_of(&name), why);
        record_fault(self.scene, self.shared, (name, diagnostic));
    }

    /// Skips a hook because the operations of this tick are used up, which is reported once and does
    /// not count as a failure of the skipped script.
    fn skip(&mut self, decision: &mut Decision, hook: usize) {
        decision.skipped = true;
        if !std::mem::replace(&mut self.shared.skip_reported, true) {
            // The operations of the running invocation are not counted yet, but are few compared to all.
            let used = &self.shared.used;
            let most = (0..used.len()).max_by_key(|i| (used[*i], usize::MAX - i));
            let most = most.map_or(("", 0), |i| (self.scripts.get(ScriptId(i as u32)).name(), used[i]));
            self.fault(hook, tick_too_long(self.scripts.limits, most));
        }
    }
}
