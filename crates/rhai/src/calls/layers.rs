//! Calling the scripts of an entity that has several: those of mods above the one of the game.
//!
//! To enter a layer is to make the call that of its script: its variables, its random stream and its failures take
//! the place of those of the lowest one. So all that calls one script serves for several.

use super::answers;
use super::caller::Caller;
use super::compile::HookFn;
use crate::engine::budget::{left_in_tick, tick_is_spent};
use hangtime_core::models::Windows;
use hangtime_core::sim::why::RuleAnswer;
use hangtime_core::sim::{Decision, Event, EventKind, Invocation, LayerState, ModelAnswer, Question};
use hangtime_script::budget::share_call;
use hangtime_script::rule_for;
use std::mem::swap;
use std::sync::Arc;

/// What a rule of a layer answers, with the layer that does.
type OfLayer<T> = Option<(T, Option<Arc<str>>)>;

impl<'a> Caller<'a> {
    /// The same as for an entity with one script: each hook is called in every layer, the lowest one first.
    pub(super) fn decide_layers(&mut self, invocation: &Invocation, decision: &mut Decision) {
        let top = self.script;
        for index in invocation.events.clone() {
            let event = &self.phase.scene.events[index];
            if !event.kind.is_for_all() {
                self.deliver_in_layers(decision, event);
            }
            if decision.skipped {
                break;
            }
            decision.delivered = index + 1 - invocation.events.start;
        }
        let signals = self.phase.signals;
        for signal in &signals[top.0 as usize] {
            self.deliver_in_layers(decision, &self.phase.scene.events[*signal]);
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
        self.ask_rules(invocation, decision);
        let called = decision.layers.iter().any(|layer| layer.outcome.called);
        if decision.called || called || invocation.leaves {
            self.leave(invocation, decision);
        }
    }

    /// Delivers an event to all layers. A timer is that of the layer that has set it.
    fn deliver_in_layers(&mut self, decision: &mut Decision, event: &Event) {
        let of_timer = match &event.kind {
            EventKind::Timer { layer, .. } => Some(layer.clone()),
            _ => None,
        };
        self.in_layers(decision, |caller, decision| {
            let running = caller.shared.moment.me.layer();
            let is_for = |layer: &Option<Arc<str>>| layer.as_ref() == running;
            if of_timer.as_ref().is_none_or(is_for) {
                caller.deliver(decision, event);
            }
        });
    }

    /// Runs calls in each layer, the lowest one first. Together they have the operations of one call, of which those of
    /// a layer that fails are not counted. Disabled layers are left out.
    pub(super) fn in_layers(&mut self, decision: &mut Decision, run: impl Fn(&mut Self, &mut Decision)) {
        let mut used = 0;
        self.place.begun = !tick_is_spent();
        for layer in 0..self.layers_of(decision) {
            if !self.enter(layer, decision) {
                continue;
            }
            let before = left_in_tick();
            let failed = std::mem::take(&mut decision.failed);
            share_call(used);
            run(self, decision);
            let more = self.count_used(before);
            used += if decision.failed { 0 } else { more };
            decision.failed |= failed;
            self.exit(decision);
            if decision.skipped {
                break;
            }
        }
        self.place.begun = false;
    }

    /// The number of layers of the entity that is called.
    fn layers_of(&self, decision: &Decision) -> usize {
        self.place.layers.len().min(decision.layers.len() + 1)
    }

    /// Enters a layer; false if it is disabled. The lowest one is 0.
    fn enter(&mut self, layer: usize, decision: &mut Decision) -> bool {
        let above = layer.checked_sub(1);
        let disabled = match above {
            None => decision.lowest_disabled,
            Some(above) => decision.layers[above].is_disabled(),
        };
        if disabled {
            return false;
        }
        let name = above.map(|above| decision.layers[above].name.clone());
        self.place.entered = Some(layer);
        self.script = self.place.layers[layer];
        self.exchange(decision);
        self.shared.moment.me.set_layer(name);
        true
    }

    /// Leaves the layer that was entered.
    pub(super) fn exit(&mut self, decision: &mut Decision) {
        if self.place.entered.is_none() {
            return;
        }
        share_call(0);
        self.exchange(decision);
        self.place.entered = None;
        self.script = self.place.layers.last().copied().unwrap_or(self.script);
    }

    /// Exchanges the state of the entered layer with that of the lowest one.
    fn exchange(&mut self, decision: &mut Decision) {
        let Some(above) = self.place.layer().checked_sub(1) else {
            return;
        };
        let LayerState { vars, random, outcome, .. } = &mut decision.layers[above];
        swap(vars, &mut decision.vars);
        swap(random, &mut self.shared.moment.me.random);
        swap(&mut outcome.called, &mut decision.called);
        swap(&mut outcome.failed, &mut decision.failed);
    }

    /// Asks the rules `model` and `jump_windows`: the topmost layer that answers decides.
    pub(super) fn ask_layers(&mut self, invocation: &Invocation, decision: &mut Decision) {
        let mut failed = false;
        let model = self.ask_topmost("model", decision, |caller, decision, rule| {
            let answer = caller.ask_model(decision, rule);
            failed |= answer == ModelAnswer::Unchanged;
            matches!(answer, ModelAnswer::Model(_)).then_some(answer)
        });
        let (answer, layer) = model.unwrap_or_else(|| {
            let unanswered = if failed { ModelAnswer::Unchanged } else { ModelAnswer::Default };
            (unanswered, None)
        });
        decision.model = answer;
        if invocation.watched && self.has_rule("model") {
            decision.answers.push((answers::logged_model(answer), layer));
        }
        let mut failed = false;
        let windows = self.ask_topmost("jump_windows", decision, |caller, decision, rule| {
            let answer = caller.ask_windows(decision, rule);
            failed |= answer.is_none();
            answer.filter(|windows| *windows != Windows::default())
        });
        let (windows, layer) = match windows {
            Some((windows, layer)) => (Some(windows), layer),
            None => ((!failed).then(Windows::default), None),
        };
        decision.windows = windows;
        if invocation.watched && self.has_rule("jump_windows") {
            let answer = RuleAnswer::JumpWindows(windows.unwrap_or_default());
            decision.answers.push((answer, layer));
        }
    }

    /// Whether any layer has this rule.
    fn has_rule(&self, rule: &str) -> bool {
        let mut scripts = self.place.layers.iter().map(|id| self.scripts.get(*id));
        scripts.any(|script| script.rules.contains_key(rule))
    }

    /// Asks the rule that answers a question: the topmost layer that answers decides.
    pub(super) fn answer_in_layers(&mut self, question: &Question, decision: &mut Decision) -> OfLayer<bool> {
        let rule = rule_for(question);
        self.ask_topmost(rule, decision, |caller, decision, _| caller.answer_one(question, decision))
    }

    /// Asks a rule in each layer that has it, the topmost one first, until one answers. Together they have the operations
    /// of one call.
    pub(super) fn ask_topmost<T>(
        &mut self,
        rule: &str,
        decision: &mut Decision,
        mut ask: impl FnMut(&mut Self, &mut Decision, &'a HookFn) -> Option<T>,
    ) -> OfLayer<T> {
        let mut used = 0;
        self.place.begun = !tick_is_spent();
        let mut answered = None;
        for layer in (0..self.layers_of(decision)).rev() {
            let script = self.scripts.get(self.place.layers[layer]);
            let Some(hook) = script.rules.get(rule) else {
                continue;
            };
            if !self.enter(layer, decision) {
                continue;
            }
            let before = left_in_tick();
            let failed = std::mem::take(&mut decision.failed);
            share_call(used);
            let answer = ask(self, decision, hook);
            let more = self.count_used(before);
            used += if decision.failed { 0 } else { more };
            decision.failed |= failed;
            let name = self.shared.moment.me.layer().cloned();
            self.exit(decision);
            if let Some(answer) = answer {
                answered = Some((answer, name));
                break;
            }
        }
        self.place.begun = false;
        answered
    }
}
