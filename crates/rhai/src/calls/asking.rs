//! Asking the rules of a script for the model and the jump windows of an entity.

use super::answers;
use super::answers::{ModelWanted, WindowsWanted};
use super::*;
use hangtime_core::sim::LastAsked;

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
        self.observe_me();
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
                if conditions.hold(self.phase.shared.moment.me.view(), &decision.vars, &decision.layers) {
                    decision.last_asked = LastAsked::Under(conditions);
                    return;
                }
                conditions
            }
            LastAsked::Never | LastAsked::WithoutRules => Box::default(),
        };
        decision.model = ModelAnswer::Default;
        decision.windows = Some(Windows::default());
        self.ask_model_and_windows(invocation, decision);
        // Rules may change variables themselves, which alone does not make them due again.
        conditions.record(self.phase.shared.moment.me.view(), &decision.vars, &decision.layers);
        decision.last_asked = LastAsked::Under(conditions);
    }

    /// Asks the rules `model` and `jump_windows`: the topmost layer that answers decides.
    fn ask_model_and_windows(&mut self, invocation: &Invocation, decision: &mut Decision) {
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

    fn ask_model(&mut self, decision: &mut Decision, rule: &'a HookFn) -> ModelAnswer {
        let about = About::Nothing;
        match self.call(decision, (rule, about), &ModelWanted) {
            Ok(model) => model,
            Err(Unanswered::Failed) => ModelAnswer::Unchanged,
            Err(Unanswered::Invalid) => ModelAnswer::Default,
        }
    }

    fn ask_windows(&mut self, decision: &mut Decision, rule: &'a HookFn) -> Option<Windows> {
        let about = About::Nothing;
        self.call(decision, (rule, about), &WindowsWanted).ok()
    }
}
