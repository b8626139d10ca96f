//! Asking a script how well its entity does.

use super::*;

/// The rule that gives a reward.
const REWARD: &str = "reward";

/// The rule that ends an entity's run.
const DONE: &str = "done";

impl Caller<'_> {
    /// Asks the rules `reward` and `done`.
    pub(super) fn judge(&mut self, invocation: &Invocation, decision: &mut Decision) -> Judgement {
        self.shared.probing.restart();
        self.point_me_at(invocation, decision);
        let judgement = Judgement {
            reward: self.judge_by(decision, Wanted::Number(REWARD)).and_then(HookAnswer::number),
            done: self.judge_by(decision, Wanted::Flag(DONE)).and_then(HookAnswer::flag),
        };
        self.shared.moment.me.finish(decision);
        judgement
    }

    /// Asks one of the two. If there are several layers, the topmost one that answers decides.
    fn judge_by(&mut self, decision: &mut Decision, wanted: Wanted) -> Option<HookAnswer> {
        let (Wanted::Number(rule) | Wanted::Flag(rule)) = wanted else {
            return None;
        };
        let answer = self.ask_topmost(rule, decision, |caller, decision, hook| {
            let answer = caller.call(decision, (hook, &About::Nothing), wanted).ok();
            answer.filter(|answer| *answer != HookAnswer::Nothing)
        });
        answer.map(|(answer, _)| answer)
    }
}
