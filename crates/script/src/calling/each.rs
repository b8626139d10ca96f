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
        self.each((invocations, decisions), Self::decide_from, |caller, (invocation, decision), panic| {
            caller.recover(decision, panic);
            let leave = AssertUnwindSafe(|| caller.leave(invocation, decision));
            if let Err(panic) = catch_unwind(leave) {
                caller.recover(decision, panic);
            }
            caller.shared.moment.me.finish(decision);
        });
    }

    /// Answers the questions of rules. Each call has its reply at the same index.
    pub fn answer_all(&mut self, calls: &mut [RuleCall], replies: &mut [RuleReply]) {
        self.each(
            (calls, replies),
            |caller, (calls, replies), at| {
                caller.answer(&calls[*at], &mut replies[*at]);
                *at += 1;
            },
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
    /// all calls up to the one that panics. `run` makes the call at a place, and moves the place on.
    fn each<C, R>(
        &mut self,
        (calls, results): (&[C], &mut [R]),
        run: impl Fn(&mut Self, (&[C], &mut [R]), &mut usize),
        recover: impl Fn(&mut Self, (&C, &mut R), Panic),
    ) {
        let mut at = 0;
        while at < calls.len() {
            let all = AssertUnwindSafe(|| {
                while at < calls.len() {
                    run(self, (calls, &mut *results), &mut at);
                }
            });
            if let Err(panic) = catch_unwind(all) {
                recover(self, (&calls[at], &mut results[at]), panic);
                at += 1;
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
