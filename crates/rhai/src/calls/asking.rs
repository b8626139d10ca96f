//! Asking the rules of a script for the model and the jump windows of an entity.

use super::answers::{self, ModelWanted, Unanswered, WindowsWanted};
use super::caller::Caller;
use super::compile::HookFn;
use super::vars::RhaiVars;
use crate::bytecode::About;
use hangtime_core::models::Windows;
use hangtime_core::sim::why::RuleAnswer;
use hangtime_core::sim::{Conditions, Decision, Invocation, LastAsked, ModelAnswer};

impl<'a> Caller<'a> {
    /// Asks `model` and `jump_windows` if the conditions of their answers have changed. During a planned
    /// jump the last answers remain valid.
    pub(super) fn ask_rules(&mut self, invocation: &Invocation, decision: &mut Decision) {
        if invocation.jumping {
            return;
        }
        let script = self.scripts.get(self.script);
        if !script.listed.subscriptions.rules {
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
                conditions.layers.iter_mut().for_each(|vars| {
                    RhaiVars::of(vars);
                });
                decision.layers.iter_mut().for_each(|layer| {
                    RhaiVars::of(&mut layer.vars);
                });
                if conditions.hold(self.shared.moment.me.view(), &decision.vars, &decision.layers) {
                    decision.last_asked = LastAsked::Under(conditions);
                    return;
                }
                conditions
            }
            LastAsked::Never | LastAsked::WithoutRules => Conditions::default(),
        };
        decision.model = ModelAnswer::Default;
        decision.windows = Some(Windows::default());
        if script.listed.layers.is_empty() {
            self.ask_script(invocation, decision);
        } else {
            self.ask_layers(invocation, decision);
        }
        // Rules may change variables themselves, which alone does not make them due again.
        conditions.record(self.shared.moment.me.view(), &decision.vars, &decision.layers);
        decision.last_asked = LastAsked::Under(conditions);
    }

    /// Asks an entity's only script.
    fn ask_script(&mut self, invocation: &Invocation, decision: &mut Decision) {
        let rules = &self.scripts.get(self.script).rules;
        if let Some(rule) = rules.get("model") {
            decision.model = self.ask_model(decision, rule);
            if invocation.watched {
                decision.answers.push((answers::logged_model(decision.model), None));
            }
        }
        if let Some(rule) = rules.get("jump_windows") {
            decision.windows = self.ask_windows(decision, rule);
            if invocation.watched {
                let answer = (RuleAnswer::JumpWindows(decision.windows.unwrap_or_default()), None);
                decision.answers.push(answer);
            }
        }
    }

    pub(super) fn ask_model(&mut self, decision: &mut Decision, rule: &'a HookFn) -> ModelAnswer {
        let about = About::Nothing;
        match self.call(decision, (rule, about), &ModelWanted) {
            Ok(model) => model,
            Err(Unanswered::Failed) => ModelAnswer::Unchanged,
            Err(Unanswered::Invalid) => ModelAnswer::Default,
        }
    }

    pub(super) fn ask_windows(&mut self, decision: &mut Decision, rule: &'a HookFn) -> Option<Windows> {
        let about = About::Nothing;
        self.call(decision, (rule, about), &WindowsWanted).ok()
    }
}
