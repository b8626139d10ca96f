//! Calling the hooks of scripts in one phase.

use super::answers;
use super::answers::NoAnswer;
use super::layers::OfLayer;
use super::lent_layers::LentLayers;
use super::*;
use crate::engine::budget::{charge_sleep, tick_too_long};
use crate::engine::halt::IN_USE;
use hangtime_core::sim::{Command, EntityId, Event, EventKind, RuleLayer};
use hangtime_script::{Fault, rule_for};

/// The value of an interpreted call, and whether it has left its variables plain.
pub(super) type Interpreted = Result<(Dynamic, Result<(), RejectedVar>), Box<EvalAltResult>>;

/// What all calls of one phase share.
pub(super) struct Caller<'a> {
    pub phase: CallPhase<'a>,
    pub scripts: &'a RhaiProgram,
    pub runtimes: &'a mut [Runtime],
    /// The hook that runs, and the state to return to if it fails.
    pub running: Option<(&'a HookFn, Checkpoint)>,
    /// The script whose hooks are called.
    pub script: ScriptId,
    /// Where it is among several scripts of one entity.
    pub place: LayerPlace<'a>,
}

/// What building an event costs, in operations, in addition to its data.
const EVENT_COST: u64 = 16;

/// What building one value of an event's data costs, in operations.
const VALUE_COST: u64 = 4;

/// How many bytes of text in an event's data are built for one operation.
const TEXT_IN_ONE: u64 = 64;

/// What it costs that an error is handed through a call, in operations.
const PER_FRAME: u64 = 16;

impl<'a> Caller<'a> {
    /// Calls the hooks of one entity or of the level: events, signals, `on_tick`, the rules and, if it
    /// leaves the world, `on_death`. Each event hook is called in every layer, the lowest one first.
    pub fn decide(&mut self, invocation: &Invocation, decision: &mut Decision) {
        let before = left_in_tick();
        self.phase.shared.probing.restart();
        self.point_me_at(invocation, decision);
        self.call_hooks(invocation, decision);
        if !self.place.is_stacked() {
            self.count_used(before);
        }
        self.phase.shared.moment.me.finish(decision);
    }

    /// Counts the operations used since there were `before` left as those of the script, and returns them.
    pub(super) fn count_used(&mut self, before: u64) -> u64 {
        let used = before.saturating_sub(left_in_tick());
        self.phase.shared.used[self.script.0 as usize] += used;
        used
    }

    fn call_hooks(&mut self, invocation: &Invocation, decision: &mut Decision) {
        let of_level = invocation.entity == EntityId::LEVEL;
        if self.place.is_stacked() || !self.scripts.get(self.script).events.is_empty() {
            self.deliver_events(invocation, decision);
            let signals = self.phase.signals[self.script.0 as usize].iter();
            for signal in signals.filter(|_| !of_level) {
                self.deliver(decision, &self.phase.scene.events[*signal]);
                if decision.skipped {
                    break;
                }
            }
            self.in_layers(decision, |caller, decision| {
                if let Some(hook) = &caller.scripts.get(caller.script).on_tick {
                    let event = caller.call_event("tick");
                    caller.call_unless_removed(decision, hook, event);
                }
            });
        }
        if !of_level {
            self.ask_rules(invocation, decision);
        }
        let called = |decision: &Decision| decision.called || decision.layers.iter().any(|it| it.outcome.called);
        let ordered = !self.phase.shared.moment.me.commands.is_empty();
        if invocation.leaves || ordered && called(decision) {
            self.leave(invocation, decision);
        }
    }

    /// The name of the entity that is called.
    pub(super) fn name(&self) -> &'a str {
        let called = self.phase.shared.moment.me.called();
        self.phase.scene.name_of(called).map_or("level", |name| &**name)
    }

    /// Delivers the entity's own events, or all events to the level.
    fn deliver_events(&mut self, invocation: &Invocation, decision: &mut Decision) {
        let of_level = invocation.entity == EntityId::LEVEL;
        for index in invocation.events.clone() {
            let event = &self.phase.scene.events[index];
            // The level has received deferred events of entities in their tick. Signals go to all
            // scripts and are delivered separately.
            let due = match event.kind {
                _ if of_level => event.tick == self.phase.scene.tick || event.entity == invocation.entity,
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

    /// Delivers an event to all layers. A timer is that of the layer that has set it.
    fn deliver(&mut self, decision: &mut Decision, event: &Event) {
        let of_timer = match &event.kind {
            EventKind::Timer { layer, .. } => Some(layer.as_ref()),
            _ => None,
        };
        self.in_layers(decision, |caller, decision| {
            let stacked = caller.place.is_stacked();
            if of_timer.is_none_or(|layer| !stacked || layer == caller.phase.shared.moment.me.layer()) {
                caller.call_for(decision, event);
            }
        });
    }

    /// Calls the hook for an event, if the script has one.
    fn call_for(&mut self, decision: &mut Decision, event: &Event) {
        let events = &self.scripts.get(self.script).events;
        if let Some(hook) = events.get(event.kind.name()) {
            if hook.parameters == 2 {
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
            self.call_unless_removed(decision, hook, About::Event(event));
        }
    }

    /// Calls a hook, unless the entity has been despawned in this call.
    pub(super) fn call_unless_removed(&mut self, decision: &mut Decision, hook: &'a HookFn, event: About<'_>) {
        let called = decision.called || self.place.is_stacked();
        let removed = called && self.has_ordered(&Command::Remove);
        if !removed {
            self.call_with(decision, hook, event);
        }
    }

    /// The event of a call that is in no trace.
    pub(super) fn call_event(&self, name: &'static str) -> About<'a> {
        About::Call { name, entity: self.name(), tick: self.phase.scene.tick }
    }

    /// Calls a hook, with an event if it has a parameter for it.
    pub(super) fn call_with(&mut self, decision: &mut Decision, hook: &'a HookFn, event: About<'_>) {
        let about = match hook.parameters {
            2 => event,
            _ => About::Nothing,
        };
        let _ = self.call(decision, (hook, about), &NoAnswer);
    }

    /// Whether the entity has been given this command in this call.
    pub(super) fn has_ordered(&self, command: &Command) -> bool {
        self.phase.shared.moment.me.commands.contains(command)
    }

    /// Calls `on_death` if the entity leaves the world: despawned, or spawned by a script and out of the level without
    /// being teleported.
    pub fn leave(&mut self, invocation: &Invocation, decision: &mut Decision) {
        let commands = &mut self.phase.shared.moment.me.commands;
        let placed = |c: &Command| matches!(c, Command::Place(..));
        if invocation.leaves && !commands.iter().any(placed) {
            commands.push(Command::Remove);
        }
        if !self.has_ordered(&Command::Remove) {
            return;
        }
        self.in_layers(decision, Self::die);
    }

    /// Calls `on_death` of the script.
    fn die(&mut self, decision: &mut Decision) {
        let events = &self.scripts.get(self.script).events;
        if let Some(hook) = events.get("death") {
            let event = self.call_event("death");
            self.call_with(decision, hook, event);
        }
    }

    /// Asks the rule that answers a question. `()` and a failing rule leave the answer to tuning.
    pub fn answer(&mut self, call: &mut RuleCall, reply: &mut RuleReply) {
        let before = left_in_tick();
        self.phase.shared.probing.restart();
        let (invocation, decision) = (&call.invocation, &mut reply.decision);
        self.point_me_at(invocation, decision);
        let (answer, layer) = self.answer_question(&call.question, decision).unzip();
        (reply.answer, reply.layer) = (answer, RuleLayer(layer.flatten()));
        if !self.place.is_stacked() {
            self.count_used(before);
        }
        self.phase.shared.moment.me.finish(&mut reply.decision);
    }

    /// What the topmost layer that answers a question says, with that layer.
    fn answer_question(&mut self, question: &Question, decision: &mut Decision) -> OfLayer<bool> {
        let rule = rule_for(question);
        self.ask_topmost(rule, decision, |caller, decision, hook| {
            let about = answers::about(question, caller.phase.scene);
            caller.call(decision, (hook, about), &FlagOf(rule)).ok().flatten()
        })
    }

    /// Points `me` at the entity that is called.
    pub(super) fn point_me_at(&mut self, invocation: &Invocation, decision: &mut Decision) {
        self.script = invocation.script;
        self.place = LayerPlace::among(&self.scripts.get(self.script).listed.layers);
        self.phase.shared.moment.me.point_at_unobserved(self.phase.scene, invocation, decision);
    }

    /// Lets `me` show the entity that is called, if it does not yet: many hooks look at events and variables alone.
    #[inline]
    pub(super) fn observe_me(&mut self) {
        self.phase.shared.moment.me.observe(self.phase.scene);
    }

    /// What the value of an interpreted call means; a fault if it is invalid.
    fn accept<W: Wanted>(
        &mut self,
        decision: &mut Decision,
        (hook, wanted): (&HookFn, &W),
        value: Option<Dynamic>,
    ) -> Result<W::Answer, Unanswered> {
        let value = value.ok_or(Unanswered::Failed)?;
        wanted.of_rhai(&value).map_err(|why| {
            self.fail_with(decision, &hook.name, why);
            Unanswered::Invalid
        })
    }

    /// Calls a hook. If it fails, the commands it gave are dropped; other hooks still run. `about` is what it receives in
    /// addition to `me`.
    pub(super) fn call<W: Wanted>(
        &mut self,
        decision: &mut Decision,
        (hook, about): (&'a HookFn, About<'_>),
        wanted: &W,
    ) -> Result<W::Answer, Unanswered> {
        if tick_is_spent() && !self.place.begun {
            self.skip(decision, &hook.name);
            return Err(Unanswered::Failed);
        }
        self.phase.shared.probing.begin();
        decision.called = true;
        let mark = self.phase.shared.moment.me.checkpoint();
        self.running = Some((hook, mark));
        let made = match self.scripts.execution {
            Execution::Interpreted => Err(CallPath::Interpreted),
            Execution::Compiled => {
                let code = hook.code.map(|number| self.scripts.get(self.script).code.code(number));
                if code.is_none_or(Code::observes_me) {
                    self.observe_me();
                }
                let read = |answer: &CompiledAnswer<'_>| wanted.of_compiled(answer).ok();
                self.call_compiled(decision, (hook, about), read)
            }
            Execution::BothWays => {
                let answer = self.call_both_ways(decision, (hook, about, mark));
                let path = CallPath::Compiled;
                self.phase.shared.probing.end(self.script, &hook.name, path);
                return self.accept(decision, (hook, wanted), answer);
            }
        };
        let path = match made {
            Ok(answer) => {
                self.running = None;
                let path = CallPath::Compiled;
                self.phase.shared.probing.end(self.script, &hook.name, path);
                return Ok(answer);
            }
            Err(path) => path,
        };
        let result = self.interpret(decision, hook, about);
        self.phase.shared.probing.end(self.script, &hook.name, path);
        let answer = self.conclude(decision, (hook, mark), result);
        self.accept(decision, (hook, wanted), answer)
    }

    /// Makes a call in the interpreter. The inner error is that of a variable that is not plain.
    pub(super) fn interpret(&mut self, decision: &mut Decision, hook: &'a HookFn, about: About<'_>) -> Interpreted {
        self.observe_me();
        let about = answers::map_of(&about).map(Dynamic::from_map);
        let runtime = &mut self.runtimes[self.script.0 as usize];
        let _lent = LentLayers::below(self.place.layer(), &mut decision.layers);
        let this = RhaiVars::of(&mut decision.vars);
        let result = runtime.call(self.scripts, hook, &mut self.phase.shared.moment, this.bind(), about);
        let plain = this.enforce_plain(&self.scripts.limits, hook.only_reads());
        self.running = None;
        result.map(|value| (value, plain))
    }

    /// Reports what is wrong with an interpreted call. The commands of a call that has failed are dropped.
    pub(super) fn conclude(
        &mut self,
        decision: &mut Decision,
        (hook, mark): (&HookFn, Checkpoint),
        result: Interpreted,
    ) -> Option<Dynamic> {
        match result {
            Ok((value, plain)) => {
                if let Err(rejected) = plain {
                    self.fail_with(decision, &hook.name, rejected.message());
                }
                Some(value)
            }
            Err(error) => {
                self.roll_back(&mark);
                charge_tick(PER_FRAME * frames(&error));
                self.fail(decision, &hook.name, &error);
                None
            }
        }
    }

    /// Ends a hook that has panicked as one that has failed; false if none was running.
    pub fn abandon(&mut self, decision: &mut Decision) -> bool {
        let Some((hook, mark)) = self.running.take() else {
            return false;
        };
        let script = self.scripts.get(self.script);
        self.runtimes[self.script.0 as usize].reset(script);
        // The failure is reported below; what is not plain is restored.
        let vars = RhaiVars::of(&mut decision.vars);
        vars.bind();
        let _ = vars.enforce_plain(&self.scripts.limits, false);
        self.roll_back(&mark);
        let error = stop("internal error in hangtime; please report this bug".into());
        self.fail(decision, &hook.name, &error);
        true
    }

    /// Returns to the state before a hook that has failed.
    fn roll_back(&mut self, mark: &Checkpoint) {
        self.refund(mark.commands());
        self.phase.shared.moment.me.roll_back(mark);
    }

    /// Returns what a failed hook has used of the limits that all scripts share: its commands are those
    /// after the first `kept`.
    fn refund(&mut self, kept: usize) {
        let failed = &self.phase.shared.moment.me.commands[kept..];
        let count = |wanted: fn(&Command) -> bool| failed.iter().filter(|c| wanted(c)).count();
        let emitted = count(|c| matches!(c, Command::Emit(..)));
        let created = count(|c| matches!(c, Command::Create(_)));
        let timers = count(|c| matches!(c, Command::After(..)));
        let keeps = count(|c| matches!(c, Command::Keep(..)));
        self.phase.shared.moment.world.refund(emitted, created, timers, keeps);
    }

    /// Records that a hook failed with a runtime error.
    fn fail(&mut self, decision: &mut Decision, hook: &str, error: &EvalAltResult) {
        decision.failed = true;
        // Explaining a name takes time, and thousands of entities may fail in one tick. Whether a value
        // was in use must be found out in any case.
        if is_in_use(error) {
            charge_sleep();
        } else if self.phase.shared.faults.is_full() {
            self.phase.shared.faults.leave_out();
            return;
        }
        let script = self.scripts.get(self.script);
        let explainer = Explainer {
            file: &script.listed.file,
            sources: &self.scripts.sources,
            limits: &self.scripts.limits,
            api_set: ApiSet::Behavior,
            catalog: Box::new(behavior_catalog),
        };
        let place = self.place_of(self.script, hook);
        let diagnostic = explainer.explain(error, place);
        self.fault(hook, diagnostic);
    }

    /// Records that a hook left an invalid answer or variable.
    fn fail_with(&mut self, decision: &mut Decision, hook: &str, why: String) {
        decision.failed = true;
        let place = self.place_of(self.script, hook);
        self.fault(hook, Diagnostic::error(place, why));
    }

    fn fault(&mut self, hook: &str, diagnostic: Diagnostic) {
        let entity = self.name().to_string();
        self.phase.shared.faults.push(Fault {
            diagnostic,
            entity,
            hook: hook.into(),
            tick: self.phase.scene.tick,
            revision: 0,
        });
    }

    /// Skips a hook because the operations of this tick are used up, which is reported once and does
    /// not count as a failure of the skipped script.
    fn skip(&mut self, decision: &mut Decision, hook: &str) {
        decision.skipped = true;
        if !std::mem::replace(&mut self.phase.shared.skip_reported, true) {
            // The operations of the running invocation are not counted yet, but are few compared to all.
            let most = (0..self.phase.shared.used.len()).max_by_key(|i| (self.phase.shared.used[*i], usize::MAX - i));
            let most = most
                .map_or(("", 0), |i| (self.scripts.get(ScriptId(i as u32)).listed.name(), self.phase.shared.used[i]));
            let why = tick_too_long(&self.scripts.limits, most);
            let place = self.place_of(self.script, hook);
            self.fault(hook, Diagnostic::error(place, why));
        }
    }

    /// The place of a hook's name in its file, or else the beginning of the file.
    fn place_of(&self, script: ScriptId, hook: &str) -> Place {
        let script = self.scripts.get(script);
        let start = || Place::new(&script.listed.file, 0..0);
        script.listed.place_of(hook).unwrap_or_else(start)
    }
}

/// Whether the message of an error is [`IN_USE`].
fn is_in_use(error: &EvalAltResult) -> bool {
    match error {
        EvalAltResult::ErrorInFunctionCall(_, _, inner, _) | EvalAltResult::ErrorInModule(_, inner, _) => {
            is_in_use(inner)
        }
        EvalAltResult::ErrorDataRace(..) => true,
        EvalAltResult::ErrorRuntime(why, _) => why.as_immutable_string_ref().is_ok_and(|why| *why == IN_USE),
        _ => false,
    }
}

/// The number of calls that an error was handed through. Each has noted its name and place in it.
fn frames(error: &EvalAltResult) -> u64 {
    match error {
        EvalAltResult::ErrorInFunctionCall(_, _, inner, _) | EvalAltResult::ErrorInModule(_, inner, _) => {
            1 + frames(inner)
        }
        _ => 0,
    }
}
