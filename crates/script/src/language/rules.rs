//! Rules implemented by scripts, whatever their languages.

use super::{Probing, Scripts};
use crate::budget::within_tick;
use crate::calls::CallMoment;
use crate::{CallDifference, CallProbe, FaultQueue};
use hangtime_core::sim::{
    Decision, Invocation, Judgement, Question, RuleCall, RuleReply, Rules, Scene, ScriptId, Subscriptions,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Calls the scripts of one language in one game.
pub trait LanguageRules: Send + Sync {
    /// Runs calls of the decide phase in entity order. Each invocation has its decision at the same index.
    fn decide(&mut self, phase: CallPhase<'_>, invocations: &mut [Invocation], decisions: &mut [Decision]);

    /// Answers questions of the tick in entity order. Each call has its reply at the same index.
    fn answer(&mut self, phase: CallPhase<'_>, calls: &mut [RuleCall], replies: &mut [RuleReply]);

    /// Asks a script how well its entity does.
    fn judge(&mut self, phase: CallPhase<'_>, invocation: &mut Invocation, decision: &mut Decision) -> Judgement;

    /// How many calls were made in which way.
    fn call_counts(&self) -> CallCounts;
}

/// A part of a tick in which scripts are called.
pub struct CallPhase<'a> {
    /// What they are called for.
    pub scene: &'a Scene<'a>,
    /// The indexes of the scene's events that scripts emitted and this script has a hook for, by script.
    pub signals: &'a [Vec<usize>],
    /// What the calls of all phases share.
    pub shared: &'a mut SharedCalls,
}

/// What the calls of all languages in one game share.
#[derive(Debug)]
pub struct SharedCalls {
    /// What scripts read and write: pointed at each entity in turn. Open for the phase.
    pub moment: Box<CallMoment>,
    /// The operations that each script has used in this tick, once a script is called in it.
    pub used: Vec<u64>,
    /// The errors of scripts.
    pub faults: FaultQueue,
    /// What is called around each call.
    pub probing: Probing,
    /// Whether it has been reported that the operations of this tick are used up.
    pub skip_reported: bool,
    /// The first call that did something else when it was compiled.
    pub call_difference: Option<CallDifference>,
}

/// How many calls were made in which way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallCounts {
    /// Compiled code.
    pub compiled: u64,
    /// Compiled code that could not be completed, and then the interpreter.
    pub bailed: u64,
    /// The interpreter alone.
    pub interpreted: u64,
}

impl CallCounts {
    /// Adds those of other scripts.
    pub fn add(&mut self, other: Self) {
        self.compiled += other.compiled;
        self.bailed += other.bailed;
        self.interpreted += other.interpreted;
    }
}

/// Calls compiled scripts. Each running game has one; a new revision replaces it.
pub struct ScriptRules {
    scripts: Arc<Scripts>,
    /// One for each language.
    parts: Vec<Box<dyn LanguageRules>>,
    shared: SharedCalls,
    /// The indexes of the scene's events that scripts emitted and this script has a hook for, by script.
    signals: Vec<Vec<usize>>,
    /// Whether the operations used are still those of an earlier tick.
    used_before: bool,
    /// The operations that all scripts together have left in this tick.
    operations_left: u64,
}

impl ScriptRules {
    pub(super) fn new(scripts: Arc<Scripts>) -> Self {
        let count = scripts.all().len();
        let shared = SharedCalls {
            moment: Box::new(CallMoment::new(scripts.limits())),
            used: vec![0; count],
            faults: FaultQueue::default(),
            probing: Probing::default(),
            skip_reported: false,
            call_difference: None,
        };
        let (parts, signals) = (scripts.parts(), vec![Vec::new(); count]);
        Self { scripts, parts, shared, signals, used_before: false, operations_left: 0 }
    }

    /// Sets what is called around each call from now on.
    pub fn probe_calls(&mut self, probe: Option<CallProbe>) {
        self.shared.probing.probe = probe;
    }

    /// The operations that all scripts have used in the last tick.
    pub fn operations(&self) -> u64 {
        self.scripts.limits().tick_operations - self.operations_left
    }

    /// Takes the faults of scripts since the last call.
    pub fn take_faults(&mut self) -> FaultQueue {
        std::mem::take(&mut self.shared.faults)
    }

    /// Takes the first call since the last call of this function that did something else when it was compiled.
    pub fn take_call_difference(&mut self) -> Option<CallDifference> {
        self.shared.call_difference.take()
    }

    /// How many calls were made in which way.
    pub fn call_counts(&self) -> CallCounts {
        let mut all = CallCounts::default();
        self.parts.iter().for_each(|part| all.add(part.call_counts()));
        all
    }

    /// Whether an entity with this topmost script has a script for which something holds.
    fn any_layer(&self, top: ScriptId, holds: impl Fn(&super::ListedScript) -> bool) -> bool {
        self.scripts.layers_of(self.scripts.get(top)).any(holds)
    }

    /// Finds out which events of the scene that go to all scripts each script has a hook for.
    fn find_signals(&mut self, scene: &Scene<'_>) {
        self.signals.iter_mut().for_each(Vec::clear);
        let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (index, event) in scene.events.iter().enumerate() {
            if event.kind.is_for_all() {
                by_name.entry(event.kind.name()).or_default().push(index);
            }
        }
        if by_name.is_empty() {
            return;
        }
        for (script, signals) in self.scripts.all().iter().zip(&mut self.signals) {
            for (name, events) in &by_name {
                if self.scripts.layers_of(script).any(|layer| layer.handles(name)) {
                    signals.extend(events);
                }
            }
            // In the order in which they were emitted.
            signals.sort_unstable();
        }
    }

    /// Opens a phase, and lets each language make its calls in it: batches of one language in entity order.
    fn play<C, R>(
        &mut self,
        (scene, deciding): (&Scene<'_>, bool),
        (calls, results): (&mut [C], &mut [R]),
        script_of: impl Fn(&C) -> ScriptId,
        run: impl Fn(&mut dyn LanguageRules, CallPhase<'_>, &mut [C], &mut [R]),
    ) {
        if std::mem::take(&mut self.used_before) {
            self.shared.used.fill(0);
        }
        self.shared.moment.open(scene, self.scripts.interest(), deciding);
        let Self { scripts, parts, shared, signals, operations_left, .. } = self;
        within_tick(operations_left, || {
            if let [only] = &mut **parts {
                return run(&mut **only, CallPhase { scene, signals, shared }, calls, results);
            }
            let part = |call: &C| scripts.part_of(script_of(call));
            let mut results = results;
            for batch in calls.chunk_by_mut(|a, b| part(a) == part(b)) {
                let (own, later) = results.split_at_mut(batch.len());
                results = later;
                run(&mut *parts[part(&batch[0])], CallPhase { scene, signals, shared }, batch, own);
            }
        });
    }
}

impl Rules for ScriptRules {
    fn subscriptions(&self, script: ScriptId) -> Subscriptions {
        self.scripts.get(script).subscriptions
    }

    fn has_hook(&self, script: ScriptId, event: &str) -> bool {
        self.any_layer(script, |layer| layer.handles(event))
    }

    fn begin_tick(&mut self) {
        self.operations_left = self.scripts.limits().tick_operations;
        self.shared.skip_reported = false;
        self.used_before = true;
    }

    fn decide(&mut self, scene: &Scene<'_>, invocations: &mut [Invocation], decisions: &mut [Decision]) {
        self.find_signals(scene);
        self.play(
            (scene, true),
            (invocations, decisions),
            |invocation| invocation.script,
            |part, phase, invocations, decisions| part.decide(phase, invocations, decisions),
        );
    }

    fn has_rule(&self, script: ScriptId, question: &Question) -> bool {
        self.any_layer(script, |layer| layer.has_hook(rule_for(question)))
    }

    fn reads_others_within_ticks(&self) -> bool {
        self.scripts.reads_others_within_ticks()
    }

    fn answer(&mut self, scene: &Scene<'_>, calls: &mut [RuleCall], replies: &mut [RuleReply]) {
        self.play(
            (scene, false),
            (calls, replies),
            |call| call.invocation.script,
            |part, phase, calls, replies| part.answer(phase, calls, replies),
        );
    }

    fn judges(&self, script: ScriptId) -> bool {
        self.any_layer(script, |layer| layer.has_hook("reward") || layer.has_hook("done"))
    }

    fn judge(&mut self, scene: &Scene<'_>, invocation: &mut Invocation, decision: &mut Decision) -> Judgement {
        if std::mem::take(&mut self.used_before) {
            self.shared.used.fill(0);
        }
        self.shared.moment.open(scene, self.scripts.interest(), false);
        let part = self.scripts.part_of(invocation.script);
        let phase = CallPhase { scene, signals: &self.signals, shared: &mut self.shared };
        let mut judgement = Judgement::default();
        // The operations of the last tick are not those of a judgement.
        let mut left = self.scripts.limits().tick_operations;
        within_tick(&mut left, || judgement = self.parts[part].judge(phase, invocation, decision));
        judgement
    }
}

/// The rules that are asked within a tick, by questions.
pub(super) const WITHIN_TICKS: [&str; 2] = [SNAPS, GRABS];

const SNAPS: &str = "grapple_snaps";
const GRABS: &str = "can_grab";

/// The rule that answers a question.
pub fn rule_for(question: &Question) -> &'static str {
    match question {
        Question::Snaps(_) => SNAPS,
        Question::Grabs(_) => GRABS,
    }
}
