//! Calling the hooks of scripts in one phase.

use super::answers;
use super::compile::{HookFn, Scripts};
use super::probing::Probing;
use super::runtime::{HookArguments, Runtime};
use super::vars::RhaiVars;
use crate::models::Windows;
use crate::script::host::api::ApiSet;
use crate::script::host::calls::{Checkpoint, MeState};
use crate::script::host::{CallPath, Diagnostic, Fault, FaultQueue, Place};
use crate::script::rhai::api::catalog;
use crate::script::rhai::api::handles::{Me, WorldHandle};
use crate::script::rhai::engine::budget::{
    charge_sleep, charge_tick, left_in_tick, tick_is_spent, tick_too_long,
};
use crate::script::rhai::engine::halt::IN_USE;
use crate::script::rhai::engine::values::event_map;
use crate::script::rhai::messages::errors::Explainer;
use crate::sim::{
    Command, Conditions, Decision, EntityId, Event, EventKind, Invocation, LastAsked, ModelAnswer,
    RuleCall, RuleReply, Scene, ScriptId,
};
use rhai::{Dynamic, EvalAltResult};

/// What all calls of one phase share.
pub(super) struct Caller<'a> {
    pub scene: &'a Scene<'a>,
    pub scripts: &'a Scripts,
    pub runtimes: &'a mut [Runtime],
    pub me: &'a Me,
    /// The indexes of the scene's events that scripts emitted and this script has a hook for, by script.
    pub signals: &'a [Vec<usize>],
    /// The operations that each script has used in this tick.
    pub used: &'a mut [u64],
    pub faults: &'a mut FaultQueue,
    pub probing: &'a mut Probing,
    pub world_handle: &'a WorldHandle,
    /// Whether it has been reported that the operations of this tick are used up.
    pub skip_reported: &'a mut bool,
}

/// What building an event costs, in operations, in addition to its data.
const EVENT_COST: u64 = 16;

/// What building one value of an event's data costs, in operations.
const VALUE_COST: u64 = 4;

/// How many bytes of text in an event's data are built for one operation.
const TEXT_IN_ONE: u64 = 64;

impl Caller<'_> {
    /// Calls the hooks of one entity or of the level: events, signals, `on_tick`, the rules and, if it
    /// leaves the world, `on_death`.
    pub fn decide(&mut self, invocation: &Invocation, decision: &mut Decision) {
        let before = left_in_tick();
        self.probing.restart();
        self.decide_one(invocation, decision);
        self.count_used(invocation, before);
    }

    /// Counts the operations used since there were `before` left as those of the script.
    fn count_used(&mut self, invocation: &Invocation, before: u64) {
        let used = before.saturating_sub(left_in_tick());
        self.used[invocation.script.0 as usize] += used;
    }

    fn decide_one(&mut self, invocation: &Invocation, decision: &mut Decision) {
        let script = self.scripts.get(invocation.script);
        let of_level = invocation.entity == EntityId::LEVEL;
        self.point_me_at(invocation, decision.random);
        if !script.events.is_empty() {
            self.deliver_events(invocation, decision);
            if !of_level {
                let signals = self.signals;
                for signal in &signals[invocation.script.0 as usize] {
                    self.deliver(invocation, decision, &self.scene.events[*signal]);
                    if decision.skipped {
                        break;
                    }
                }
            }
            if let Some(hook) = &script.on_tick {
                let event = || answers::call_event(self.scene, invocation, "tick");
                let arguments = HookArguments::with_event(self.me, hook.parameters, event);
                self.call_unless_removed(invocation, decision, hook, arguments);
            }
        }
        if !of_level {
            self.ask_rules(invocation, decision);
        }
        if decision.called || invocation.leaves {
            self.finish(invocation, decision);
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
                EventKind::Signal { .. } => false,
                _ => true,
            };
            if due {
                self.deliver(invocation, decision, event);
            }
            if decision.skipped {
                break;
            }
            decision.delivered = index + 1 - invocation.events.start;
        }
    }

    /// Calls the hook for an event, if the script has one.
    fn deliver(&mut self, invocation: &Invocation, decision: &mut Decision, event: &Event) {
        let events = &self.scripts.get(invocation.script).events;
        if let Some(hook) = events.get(event.kind.name()) {
            if hook.parameters == 2 {
                charge_tick(EVENT_COST);
                if let EventKind::Signal { data, .. } = &event.kind {
                    charge_tick(VALUE_COST * data.count() + data.text() / TEXT_IN_ONE);
                }
            }
            let event = || event_map(event);
            let arguments = HookArguments::with_event(self.me, hook.parameters, event);
            self.call_unless_removed(invocation, decision, hook, arguments);
        }
    }

    /// Calls a hook, unless the entity has been despawned in this call.
    fn call_unless_removed(
        &mut self,
        invocation: &Invocation,
        decision: &mut Decision,
        hook: &HookFn,
        mut arguments: HookArguments,
    ) {
        let removed = decision.called && self.me.lock().commands.contains(&Command::Remove);
        if !removed {
            self.call(invocation, decision, &hook.name, arguments.as_mut());
        }
    }

    /// Takes over the commands. Calls `on_death` first if the entity leaves the world: despawned, or
    /// spawned by a script and out of the level without being teleported.
    fn finish(&mut self, invocation: &Invocation, decision: &mut Decision) {
        {
            let mut moment = self.me.lock();
            let placed = |c: &Command| matches!(c, Command::Place(..));
            if invocation.leaves && !moment.commands.iter().any(placed) {
                moment.commands.push(Command::Remove);
            }
            if !moment.commands.contains(&Command::Remove) {
                take_commands(decision, &mut moment);
                return;
            }
        }
        let events = &self.scripts.get(invocation.script).events;
        if let Some(hook) = events.get("death") {
            let event = || answers::call_event(self.scene, invocation, "death");
            let mut arguments = HookArguments::with_event(self.me, hook.parameters, event);
            self.call(invocation, decision, &hook.name, arguments.as_mut());
        }
        take_commands(decision, &mut self.me.lock());
    }

    /// Asks the rule that answers a question. `()` and a failing rule leave the answer to tuning.
    pub fn answer(&mut self, call: &RuleCall, reply: &mut RuleReply) {
        let before = left_in_tick();
        self.probing.restart();
        self.answer_one(call, reply);
        self.count_used(&call.invocation, before);
    }

    fn answer_one(&mut self, call: &RuleCall, reply: &mut RuleReply) {
        let RuleCall {
            invocation,
            question,
        } = call;
        let decision = &mut reply.decision;
        self.point_me_at(invocation, decision.random);
        let rule = answers::hook_for(question);
        let about = answers::about(question, self.scene);
        let mut arguments = HookArguments::two(self.me, about.into());
        let answer = self.call(invocation, decision, rule, arguments.as_mut());
        if let Some(answer) = answer {
            let read = answers::read_flag(rule, &answer);
            reply.answer = self.accept(invocation, decision, rule, read).flatten();
        }
        take_commands(decision, &mut self.me.lock());
    }

    /// Points `me` at the entity that is called.
    fn point_me_at(&self, invocation: &Invocation, random: u64) {
        let level_view = self.scene.stage.level.view;
        self.me.lock().point_at(level_view, invocation, random);
    }

    /// Asks `model` and `jump_windows` if the conditions of their answers have changed. During a planned
    /// jump the last answers remain valid.
    fn ask_rules(&mut self, invocation: &Invocation, decision: &mut Decision) {
        if invocation.jumping {
            return;
        }
        let script = self.scripts.get(invocation.script);
        if !script.subscriptions.rules {
            if decision.last_asked.is_never() {
                // A reload may have removed the rules, and their answers with them.
                decision.model = ModelAnswer::Default;
                decision.windows = Some(Windows::default());
                decision.last_asked = LastAsked::WithoutRules;
            }
            return;
        }
        let mut conditions = match std::mem::take(&mut decision.last_asked) {
            LastAsked::Under(mut conditions) => {
                // Conditions of a loaded world are plain data: convert them once, not in every tick.
                RhaiVars::of(&mut conditions.vars);
                RhaiVars::of(&mut decision.vars);
                if conditions.hold(&invocation.view, &decision.vars) {
                    decision.last_asked = LastAsked::Under(conditions);
                    return;
                }
                conditions
            }
            LastAsked::Never | LastAsked::WithoutRules => Conditions::default(),
        };
        decision.model = ModelAnswer::Default;
        decision.windows = Some(Windows::default());
        if script.rules.contains_key("model") {
            decision.model = self.ask_model(invocation, decision);
            if invocation.watched {
                decision.answers.push(answers::model_answer(decision.model));
            }
        }
        if script.rules.contains_key("jump_windows") {
            decision.windows = self.ask_windows(invocation, decision);
            if invocation.watched {
                let answer = answers::windows_answer(decision.windows);
                decision.answers.push(answer);
            }
        }
        // Rules may change variables themselves, which alone does not make them due again.
        conditions.record(&invocation.view, &decision.vars);
        decision.last_asked = LastAsked::Under(conditions);
    }

    fn ask_model(&mut self, invocation: &Invocation, decision: &mut Decision) -> ModelAnswer {
        let mut arguments = HookArguments::one(self.me);
        let answer = self.call(invocation, decision, "model", arguments.as_mut());
        let Some(answer) = answer else {
            return ModelAnswer::Unchanged;
        };
        let read = answers::read_model(&answer);
        let model = self.accept(invocation, decision, "model", read);
        model.unwrap_or(ModelAnswer::Default)
    }

    fn ask_windows(&mut self, invocation: &Invocation, decision: &mut Decision) -> Option<Windows> {
        let mut arguments = HookArguments::one(self.me);
        let answer = self.call(invocation, decision, "jump_windows", arguments.as_mut())?;
        let read = answers::read_windows(&answer);
        self.accept(invocation, decision, "jump_windows", read)
    }

    /// The answer, or none with a fault if it is invalid.
    fn accept<T>(
        &mut self,
        invocation: &Invocation,
        decision: &mut Decision,
        hook: &str,
        answer: Result<T, String>,
    ) -> Option<T> {
        answer
            .map_err(|why| self.fail_with(invocation, decision, hook, why))
            .ok()
    }

    /// Calls a hook. If it fails, the commands it gave are dropped; other hooks still run.
    fn call(
        &mut self,
        invocation: &Invocation,
        decision: &mut Decision,
        hook: &str,
        arguments: &mut [Dynamic],
    ) -> Option<Dynamic> {
        if tick_is_spent() {
            self.skip(invocation, decision, hook);
            return None;
        }
        self.probing.begin();
        let first = !std::mem::replace(&mut decision.called, true);
        let runtime = &mut self.runtimes[invocation.script.0 as usize];
        let this = RhaiVars::of(&mut decision.vars);
        // Before the first hook, the invocation itself is the state to return to.
        let mark = (!first).then(|| self.me.lock().checkpoint());
        let result = runtime.call(self.scripts, hook, &mut this.this, arguments);
        let plain = this.enforce_plain(&self.scripts.limits);
        let path = CallPath::Interpreted;
        self.probing.end(invocation.script, hook, path);
        match result {
            Ok(value) => {
                if let Err(rejected) = plain {
                    self.fail_with(invocation, decision, hook, rejected.message());
                }
                Some(value)
            }
            Err(error) => {
                self.refund(mark.as_ref().map_or(0, Checkpoint::commands));
                match mark {
                    Some(mark) => self.me.lock().roll_back(&mark),
                    None => {
                        // Random numbers that were drawn stay drawn.
                        decision.random = self.me.lock().random;
                        self.point_me_at(invocation, decision.random);
                    }
                }
                self.fail(invocation, decision, hook, &error);
                None
            }
        }
    }

    /// Returns what a failed hook has used of the limits that all scripts share: its commands are those
    /// after the first `kept`.
    fn refund(&self, kept: usize) {
        let moment = self.me.lock();
        let count = |wanted: fn(&Command) -> bool| {
            let failed = moment.commands.iter().skip(kept);
            failed.filter(|command| wanted(command)).count()
        };
        let emitted = count(|c| matches!(c, Command::Emit(..)));
        let created = count(|c| matches!(c, Command::Create(_)));
        let timers = count(|c| matches!(c, Command::After(..)));
        drop(moment);
        if emitted + created + timers > 0 {
            let mut moment = self.world_handle.moment();
            moment.world.refund(emitted, created, timers);
        }
    }

    /// Records that a hook failed with a runtime error.
    fn fail(
        &mut self,
        invocation: &Invocation,
        decision: &mut Decision,
        hook: &str,
        error: &EvalAltResult,
    ) {
        decision.failed = true;
        // Explaining a name takes time, and thousands of entities may fail in one tick. Whether a value
        // was in use must be found out in any case.
        if self.faults.is_full() && !may_be_in_use(error) {
            self.faults.leave_out();
            return;
        }
        let script = self.scripts.get(invocation.script);
        let explainer = Explainer {
            file: &script.file,
            sources: &self.scripts.sources,
            limits: &self.scripts.limits,
            api_set: ApiSet::Behavior,
            catalog,
        };
        let place = self.place_of(invocation.script, hook);
        let diagnostic = explainer.explain(error, place);
        if diagnostic.message == IN_USE {
            charge_sleep();
        }
        self.fault(invocation, hook, diagnostic);
    }

    /// Records that a hook left an invalid answer or variable.
    fn fail_with(
        &mut self,
        invocation: &Invocation,
        decision: &mut Decision,
        hook: &str,
        why: String,
    ) {
        decision.failed = true;
        let place = self.place_of(invocation.script, hook);
        self.fault(invocation, hook, Diagnostic::error(place, why));
    }

    fn fault(&mut self, invocation: &Invocation, hook: &str, diagnostic: Diagnostic) {
        self.faults.push(Fault {
            diagnostic,
            entity: invocation.view.name.to_string(),
            hook: hook.into(),
            tick: self.scene.tick,
            revision: 0,
        });
    }

    /// Skips a hook because the operations of this tick are used up, which is reported once and does
    /// not count as a failure of the skipped script.
    fn skip(&mut self, invocation: &Invocation, decision: &mut Decision, hook: &str) {
        decision.skipped = true;
        if !std::mem::replace(self.skip_reported, true) {
            // The operations of the running invocation are not counted yet, but are few compared to all.
            let most = (0..self.used.len()).max_by_key(|i| (self.used[*i], usize::MAX - i));
            let most = most.map_or(("", 0), |i| (self.scripts.all()[i].name(), self.used[i]));
            let why = tick_too_long(&self.scripts.limits, most);
            let place = self.place_of(invocation.script, hook);
            self.fault(invocation, hook, Diagnostic::error(place, why));
        }
    }

    /// The place of a hook's name in its file, or else the beginning of the file.
    fn place_of(&self, script: ScriptId, hook: &str) -> Place {
        let script = self.scripts.get(script);
        let start = || Place::new(&script.file, 0..0);
        script.place_of(hook).unwrap_or_else(start)
    }
}

/// Whether the message of an error may be [`IN_USE`].
fn may_be_in_use(error: &EvalAltResult) -> bool {
    match error {
        EvalAltResult::ErrorInFunctionCall(_, _, inner, _)
        | EvalAltResult::ErrorInModule(_, inner, _) => may_be_in_use(inner),
        other => matches!(
            other,
            EvalAltResult::ErrorDataRace(..) | EvalAltResult::ErrorRuntime(..)
        ),
    }
}

/// Takes over the commands of a call and the state of its random stream.
fn take_commands(decision: &mut Decision, moment: &mut MeState) {
    decision.random = moment.random;
    std::mem::swap(&mut decision.commands, &mut moment.commands);
}
