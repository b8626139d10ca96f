//! Calling compiled scripts in a game.

use super::*;
use hangtime_script::{LanguageRules, Program};

/// Calls compiled scripts. Each running game has one.
struct RhaiRules {
    scripts: Arc<RhaiProgram>,
    runtimes: Vec<Runtime>,
}

impl Program for RhaiProgram {
    fn rules(self: Arc<Self>) -> Box<dyn LanguageRules> {
        let runtimes = self.scripts.iter().map(Runtime::new).collect();
        Box::new(RhaiRules { scripts: self, runtimes })
    }
}

impl RhaiRules {
    fn caller<'a>(&'a mut self, phase: CallPhase<'a>) -> Caller<'a> {
        Caller {
            phase,
            scripts: &self.scripts,
            runtimes: &mut self.runtimes,
            running: None,
            script: ScriptId(0),
            place: LayerPlace::default(),
        }
    }
}

impl LanguageRules for RhaiRules {
    fn decide(&mut self, phase: CallPhase<'_>, invocations: &mut [Invocation], decisions: &mut [Decision]) {
        self.caller(phase).decide_all(invocations, decisions);
    }

    fn answer(&mut self, phase: CallPhase<'_>, calls: &mut [RuleCall], replies: &mut [RuleReply]) {
        self.caller(phase).answer_all(calls, replies);
    }

    fn judge(&mut self, phase: CallPhase<'_>, invocation: &mut Invocation, decision: &mut Decision) -> Judgement {
        self.caller(phase).judge_safely(invocation, decision)
    }

    fn call_counts(&self) -> CallCounts {
        let mut all = CallCounts::default();
        self.runtimes.iter().for_each(|runtime| all.add(runtime.compiled.counts));
        all
    }
}
