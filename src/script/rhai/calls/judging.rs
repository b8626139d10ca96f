//! Asking a script how well its entity does.

use super::answers::{FlagOf, NumberOf, Wanted};
use super::caller::Caller;
use crate::script::rhai::bytecode::About;
use crate::sim::{Decision, Invocation, Judgement};

/// The rule that gives a reward.
pub(super) const REWARD: &str = "reward";

/// The rule that ends an entity's run.
pub(super) const DONE: &str = "done";

impl Caller<'_> {
    /// Asks the rules `reward` and `done`.
    pub(super) fn judge(
        &mut self,
        invocation: &mut Invocation,
        decision: &mut Decision,
    ) -> Judgement {
        self.probing.restart();
        self.point_me_at(invocation, decision);
        let judgement = Judgement {
            reward: self.judge_by(invocation, decision, REWARD, &NumberOf(REWARD)),
            done: self.judge_by(invocation, decision, DONE, &FlagOf(DONE)),
        };
        self.moment.me.finish(invocation, decision);
        judgement
    }

    fn judge_by<T, W: Wanted<Answer = Option<T>>>(
        &mut self,
        invocation: &Invocation,
        decision: &mut Decision,
        rule: &'static str,
        wanted: &W,
    ) -> Option<T> {
        let hook = self.scripts.get(invocation.script).rules.get(rule)?;
        let about = About::Nothing;
        let answer = self.call(invocation, decision, (hook, about), wanted);
        answer.ok().flatten()
    }
}
