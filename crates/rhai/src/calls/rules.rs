//! Rules implemented by scripts.

use super::answers;
use super::caller::Caller;
use super::compile::Scripts;
use super::compiled::CallCounts;
use super::judging::{DONE, REWARD};
use super::layer_place::LayerPlace;
use super::probing::Probing;
use super::runtime::Runtime;
use crate::engine::budget::within_tick;
use hangtime_core::sim::{
    Decision, Invocation, Judgement, Question, RuleCall, RuleReply, Rules, Scene, ScriptId, Subscriptions,
};
use hangtime_script::calls::CallMoment;
use hangtime_script::{CallDifference, CallProbe, Fault, FaultQueue};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Calls compiled scripts. Each running game has one; a new revision replaces it.
pub struct ScriptRules {
    scripts: Arc<Scripts>,
    runtimes: Vec<Runtime>,
    /// What scripts read and write: pointed at each entity in turn.
    moment: Box<CallMoment>,
    /// The indexes of the scene's events that scripts emitted and this script has a hook for, by script.
    signals: Vec<Vec<usize>>,
    /// The operations that each script has used in this tick, once a script is called in it.
    used: Vec<u64>,
    /// Whether those are still the operations of an earlier tick.
    used_before: bool,
    faults: FaultQueue,
    probing: Probing,
    /// The first call that did something else when it was compiled.
    call_difference: Option<CallDifference>,
    /// The operations that all scripts together have left in this tick.
    operations_left: u64,
    /// Whether it has been reported that the operations of this tick are used up.
    skip_reported: bool,
}

impl ScriptRules {
    /// Rules that call these scripts.
    #[must_use]
    pub fn new(scripts: Arc<Scripts>) -> Self {
        let moment = Box::new(CallMoment::new(&scripts.limits));
        let runtimes = scripts.all().iter().map(Runtime::new).collect();
        let count = scripts.all().len();
        Self {
            scripts,
            runtimes,
            moment,
            signals: vec![Vec::new(); count],
            used: vec![0; count],
            used_before: false,
            faults: FaultQueue::default(),
            probing: Probing::default(),
            call_difference: None,
            operations_left: 0,
            skip_reported: false,
        }
    }

    /// Sets what is called around each call from now on.
    pub fn probe_calls(&mut self, probe: Option<CallProbe>) {
        self.probing.probe = probe;
    }

    /// Returns what scripts have printed since the last call.
    pub fn take_printed(&mut self) -> Vec<String> {
        self.scripts.printed.take()
    }

    /// The operations that all scripts have used in the last tick.
    #[must_use]
    pub fn operations(&self) -> u64 {
        self.scripts.limits.tick_operations - self.operations_left
    }

    /// Returns the faults of scripts since the last call: the first
    /// [`MOST_SHOWN`](hangtime_script::MOST_SHOWN); later ones are only counted.
    pub fn take_faults(&mut self) -> Vec<Fault> {
        self.faults.take()
    }

    /// Returns the number of faults that [`take_faults`](Self::take_faults) left out since the last call.
    pub fn take_left_out_faults(&mut self) -> u64 {
        self.faults.take_left_out()
    }

    /// Takes the first call since the last call of this function that did something else when it was compiled.
    pub fn take_call_difference(&mut self) -> Option<CallDifference> {
        self.call_difference.take()
    }

    /// How many calls were made in which way.
    #[must_use]
    pub fn call_counts(&self) -> CallCounts {
        let mut all = CallCounts::default();
        for runtime in &self.runtimes {
            all.add(runtime.compiled.counts);
        }
        all
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
            let layers = script.layers.iter().map(|layer| self.scripts.get(*layer));
            let hooks = layers.flat_map(|layer| layer.events.keys());
            for hook in hooks.chain(script.events.keys()) {
                signals.extend(by_name.get(&**hook).into_iter().flatten());
            }
            // In the order in which they were emitted; those that several layers have a hook for once.
            signals.sort_unstable();
            signals.dedup();
        }
    }

    fn caller<'a>(&'a mut self, scene: &'a Scene<'a>) -> Caller<'a> {
        if std::mem::take(&mut self.used_before) {
            self.used.fill(0);
        }
        Caller {
            scene,
            scripts: &self.scripts,
            runtimes: &mut self.runtimes,
            moment: &mut self.moment,
            signals: &self.signals,
            used: &mut self.used,
            faults: &mut self.faults,
            probing: &mut self.probing,
            skip_reported: &mut self.skip_reported,
            call_difference: &mut self.call_difference,
            running: None,
            script: ScriptId(0),
            place: LayerPlace::default(),
        }
    }
}

impl Rules for ScriptRules {
    fn subscriptions(&self, script: ScriptId) -> Subscriptions {
        self.scripts.get(script).subscriptions
    }

    fn has_hook(&self, script: ScriptId, event: &str) -> bool {
        let script = self.scripts.get(script);
        script.events.contains_key(event)
            || script.layers.iter().any(|layer| {
                let layer = self.scripts.get(*layer);
                layer.events.contains_key(event)
            })
    }

    fn begin_tick(&mut self) {
        self.operations_left = self.scripts.limits.tick_operations;
        self.skip_reported = false;
        self.used_before = true;
    }

    fn decide(&mut self, scene: &Scene<'_>, invocations: &mut [Invocation], decisions: &mut [Decision]) {
        let interest = self.scripts.interest;
        self.moment.open(scene, interest, true);
        self.find_signals(scene);
        let mut left = self.operations_left;
        let mut caller = self.caller(scene);
        within_tick(&mut left, || caller.decide_all(invocations, decisions));
        self.operations_left = left;
    }

    fn has_rule(&self, script: ScriptId, question: &Question) -> bool {
        let rule = answers::hook_for(question);
        let script = self.scripts.get(script);
        script.rules.contains_key(rule)
            || script.layers.iter().any(|layer| {
                let layer = self.scripts.get(*layer);
                layer.rules.contains_key(rule)
            })
    }

    fn answer(&mut self, scene: &Scene<'_>, calls: &mut [RuleCall], replies: &mut [RuleReply]) {
        let interest = self.scripts.interest;
        self.moment.open(scene, interest, false);
        let mut left = self.operations_left;
        let mut caller = self.caller(scene);
        within_tick(&mut left, || caller.answer_all(calls, replies));
        self.operations_left = left;
    }

    fn judges(&self, script: ScriptId) -> bool {
        let judges = |script: ScriptId| {
            let rules = &self.scripts.get(script).rules;
            rules.contains_key(REWARD) || rules.contains_key(DONE)
        };
        judges(script) || self.scripts.get(script).layers.iter().any(|id| judges(*id))
    }

    fn judge(&mut self, scene: &Scene<'_>, invocation: &mut Invocation, decision: &mut Decision) -> Judgement {
        let interest = self.scripts.interest;
        self.moment.open(scene, interest, false);
        // The operations of the last tick are not those of a judgement.
        let mut left = self.scripts.limits.tick_operations;
        let mut caller = self.caller(scene);
        let mut judgement = Judgement::default();
        within_tick(&mut left, || {
            judgement = caller.judge_safely(invocation, decision);
        });
        judgement
    }
}
