//! Running the calls of a phase so that a panic in one of them leaves the others.

use super::*;
use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
};

/// What a panic carries.
type Panic = Box<dyn Any + Send>;

impl Caller<'_> {
    /// Runs the calls of the decide phase. Each invocation has its decision at the same index.
    pub fn decide_all(&mut self, invocations: &mut [Invocation], decisions: &mut [Decision]) {
        self.each(
            invocations.iter_mut().zip(decisions),
            |caller, (invocation, decision)| caller.decide(invocation, decision),
            |caller, (invocation, decision), panic| {
                caller.recover(decision, panic);
                let leave = AssertUnwindSafe(|| caller.leave(invocation, decision));
                if let Err(panic) = catch_unwind(leave) {
                    caller.recover(decision, panic);
                }
                caller.shared.moment.me.finish(decision);
            },
        );
    }

    /// Answers the questions of rules. Each call has its reply at the same index.
    pub fn answer_all(&mut self, calls: &mut [RuleCall], replies: &mut [RuleReply]) {
        self.each(
            calls.iter_mut().zip(replies),
            |caller, (call, reply)| caller.answer(call, reply),
            |caller, (_, reply), panic| {
                caller.recover(&mut reply.decision, panic);
                caller.shared.moment.me.finish(&mut reply.decision);
            },
        );
    }

    /// Asks one script how well its entity does.
    pub fn judge_safely(&mut self, invocation: &Invocation, decision: &mut Decision) -> Judgement {
        let asked = catch_unwind(AssertUnwindSafe(|| self.judge(invocation, decision)));
        asked.unwrap_or_else(|panic| {
            self.recover(decision, panic);
            self.shared.moment.me.finish(decision);
            Judgement::default()
        })
    }

    /// Runs all calls. A panic is a bug in Rhai or hangtime, and other scripts should still run: one guard is enough for
    /// all calls up to the one that panics.
    fn each<T>(
        &mut self,
        mut calls: impl Iterator<Item = T>,
        run: impl Fn(&mut Self, &mut T),
        recover: impl Fn(&mut Self, &mut T, Panic),
    ) {
        let mut current = calls.next();
        while current.is_some() {
            let all = AssertUnwindSafe(|| {
                while let Some(call) = &mut current {
                    run(self, call);
                    current = calls.next();
                }
            });
            if let (Err(panic), Some(call)) = (catch_unwind(all), &mut current) {
                recover(self, call, panic);
                current = calls.next();
            }
        }
    }

    /// Ends a hook that has panicked as one that has failed.
    fn recover(&mut self, decision: &mut Decision, panic: Panic) {
        if !self.abandon(decision) {
            resume_unwind(panic);
        }
        self.exit(decision);
    }
}
