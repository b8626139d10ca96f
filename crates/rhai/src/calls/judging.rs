//! Asking a script how well its entity does.

use super::answers::NumberOf;
use super::*;

/// The rule that gives a reward.
const REWARD: &str = "reward";

/// The rule that ends an entity's run.
const DONE: &str = "done";

impl Caller<'_> {
    /// Asks the rules `reward` and `done`.
    pub(super) fn judge(&mut self, invocation: &Invocation, decision: &mut Decision) -> Judgement {
        self.phase.shared.probing.restart();
        self.point_me_at(invocation, decision);
        let judgement = Judgement {
            reward: self.judge_by(decision, REWARD, &NumberOf(REWARD)),
            done: self.judge_by(decision, DONE, &FlagOf(DONE)),
        };
        self.phase.shared.moment.me.finish(decision);
        judgement
    }

    /// Asks one of the two; of several layers, the topmost one that answers decides.
    fn judge_by<T, W: Wanted<Answer = Option<T>>>(
        &mut self,
        decision: &mut Decision,
        rule: &'static str,
        wanted: &W,
    ) -> Option<T> {
        let answer = self.ask_topmost(rule, decision, |caller, decision, hook| {
            caller.call(decision, (hook, About::Nothing), wanted).ok()?
        });
        answer.map(|(answer, _)| answer)
    }
}
