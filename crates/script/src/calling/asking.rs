//! Asking the rules of a script for the model and the jump windows of an entity.

use super::*;
use hangtime_core::sim::{Conditions, LastAsked};

impl Caller<'_> {
    /// Asks `model` and `jump_windows` if the conditions of their answers have changed. During a planned
    /// jump the last answers remain valid.
    pub(super) fn ask_rules(&mut self, invocation: &Invocation, decision: &mut Decision) {
        if invocation.jumping {
            return;
        }
        let script = self.listed;
        if !script.subscriptions.rules {
            if decision.last_asked.is_never() {
                // A reload may have removed the rules, and their answers with them.
                decision.model = ModelAnswer::Default;
                decision.windows = Some(Windows::default());
                decision.last_asked = LastAsked::WithoutRules;
            }
            return;
        }
        self.shared.moment.me.observe(self.scene);
        let mut conditions = match std::mem::take(&mut decision.last_asked) {
            LastAsked::Under(mut conditions) => {
                self.adopt(&mut conditions, decision);
                if conditions.hold(self.shared.moment.me.view(), &decision.vars, &decision.layers) {
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
        conditions.record(self.shared.moment.me.view(), &decision.vars, &decision.layers);
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
            decision.answers.push((logged_model(answer), layer));
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

    /// Lets languages keep conditions and variables in their own form, which compares faster. A loaded world has them
    /// as plain data: they are converted once, not in every tick.
    fn adopt(&mut self, conditions: &mut Conditions, decision: &mut Decision) {
        let mut lowest = self.script;
        if let Some(first) = self.place.layers.first() {
            lowest = *first;
            let above = self.place.layers[1..].iter();
            let vars = conditions.layers.iter_mut().zip(decision.layers.iter_mut().map(|layer| &mut layer.vars));
            for (script, (asked, now)) in above.zip(vars) {
                let part = &self.parts[self.scripts.part_of(*script)];
                part.adopt(asked);
                part.adopt(now);
            }
        }
        let part = &self.parts[self.scripts.part_of(lowest)];
        part.adopt(&mut conditions.vars);
        part.adopt(&mut decision.vars);
    }

    fn ask_model(&mut self, decision: &mut Decision, rule: usize) -> ModelAnswer {
        match self.call(decision, (rule, &About::Nothing), Wanted::Model) {
            Ok(HookAnswer::Model(model)) => ModelAnswer::Model(model),
            Ok(_) | Err(Unanswered::Invalid) => ModelAnswer::Default,
            Err(Unanswered::Failed) => ModelAnswer::Unchanged,
        }
    }

    fn ask_windows(&mut self, decision: &mut Decision, rule: usize) -> Option<Windows> {
        match self.call(decision, (rule, &About::Nothing), Wanted::Windows) {
            Ok(HookAnswer::Windows(windows)) => Some(windows),
            Ok(_) => Some(Windows::default()),
            Err(_) => None,
        }
    }
}

/// The answer of the rule `model`, for the why log.
fn logged_model(answer: ModelAnswer) -> RuleAnswer {
    match answer {
        ModelAnswer::Model(model) => RuleAnswer::Model(Some(model)),
        ModelAnswer::Unchanged | ModelAnswer::Default => RuleAnswer::Model(None),
    }
}
