//! Rules implemented by scripts, whatever their languages.

use super::Scripts;
use crate::{
    CallDifference, CallProbe, FaultQueue, ListedScript,
    budget::{Allowance, within_tick},
    calling::{CallCounts, Caller, LanguageRules, LayerPlace, Probing, SharedCalls, rule_for},
    calls::CallMoment,
};
use hangtime_core::sim::{
    Decision, Invocation, Judgement, Question, RuleCall, RuleReply, Rules, Scene, ScriptId, Subscriptions,
};
use std::{collections::BTreeMap, sync::Arc};

/// Calls compiled scripts. Each running game has one; a new revision replaces it.
pub struct ScriptRules {
    scripts: Arc<Scripts>,
    /// One for each language.
    parts: Vec<Box<dyn LanguageRules>>,
    shared: SharedCalls,
    /// The indexes of the scene's events that scripts emitted and this script has a hook for, by script.
    signals: Vec<Vec<usize>>,
    /// Whether the operations used still count an earlier tick.
    used_before: bool,
    /// The operations that all scripts together have left in this tick.
    operations_left: u64,
}

impl ScriptRules {
    pub(super) fn new(scripts: Arc<Scripts>) -> Self {
        let count = scripts.all().len();
        let shared = SharedCalls {
            scripts: scripts.clone(),
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
    fn any_layer(&self, top: ScriptId, holds: impl Fn(&ListedScript) -> bool) -> bool {
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

    /// Opens a phase for as many operations as are left, and makes its calls.
    fn play(&mut self, (scene, deciding): (&Scene<'_>, bool), left: &mut u64, run: impl FnOnce(&mut Caller<'_>)) {
        if std::mem::take(&mut self.used_before) {
            self.shared.used.fill(0);
        }
        self.shared.moment.open(scene, self.scripts.interest(), deciding);
        let Self { scripts, parts, shared, signals, .. } = self;
        // What runs outside has its own count, which continues after the phase.
        let _calls = Allowance::begin(scripts.limits());
        // Without scripts there are no calls.
        let Some(listed) = scripts.all().first() else { return };
        let mut caller = Caller {
            scene,
            shared,
            signals,
            parts,
            scripts: scripts.called(),
            running: None,
            script: ScriptId(0),
            listed,
            frames: &[],
            place: LayerPlace::default(),
        };
        within_tick(left, || run(&mut caller));
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
        let mut left = self.operations_left;
        self.play((scene, true), &mut left, |caller| caller.decide_all(invocations, decisions));
        self.operations_left = left;
    }

    fn has_rule(&self, script: ScriptId, question: &Question) -> bool {
        self.any_layer(script, |layer| layer.has_hook(rule_for(question)))
    }

    fn hears_players(&self) -> bool {
        self.scripts.hears_players()
    }

    fn reads_others_within_ticks(&self) -> bool {
        self.scripts.reads_others_within_ticks()
    }

    fn answer(&mut self, scene: &Scene<'_>, calls: &mut [RuleCall], replies: &mut [RuleReply]) {
        let mut left = self.operations_left;
        self.play((scene, false), &mut left, |caller| caller.answer_all(calls, replies));
        self.operations_left = left;
    }

    fn judges(&self, script: ScriptId) -> bool {
        self.any_layer(script, |layer| layer.has_hook("reward") || layer.has_hook("done"))
    }

    fn judge(&mut self, scene: &Scene<'_>, invocation: &mut Invocation, decision: &mut Decision) -> Judgement {
        let mut judgement = Judgement::default();
        // A judgement has its own operations, whatever the last tick has left.
        let mut left = self.scripts.limits().tick_operations;
        self.play((scene, false), &mut left, |caller| judgement = caller.judge_safely(invocation, decision));
        judgement
    }
}
