//! The rules of the scripts: what a running game asks them.

use super::answers;
use super::compile::Scripts;
use super::phase::Phase;
use super::runtime::Runtime;
use crate::script::host::Fault;
use crate::script::rhai::api::me::Me;
use crate::script::rhai::api::outlook::Outlook;
use crate::script::rhai::engine::budget::within_tick;
use crate::sim::{Ask, Event, EventKind, Question, Rules, Scene, ScriptId, Subscriptions, Turn};
use std::sync::Arc;

/// Plays turns with compiled scripts. One for each running game; replaced with each revision.
pub struct ScriptRules {
    scripts: Arc<Scripts>,
    runtimes: Vec<Runtime>,
    /// The handle that all scripts are given, one after the other.
    me: Me,
    outlook: Outlook,
    /// Which of the scene's events were emitted by scripts.
    signals: Vec<usize>,
    faults: Vec<Fault>,
    /// How many operations its scripts have left together in this tick.
    left: u64,
    /// Whether it was told in this tick that its scripts have used up what they have together.
    gave_up: bool,
}

impl ScriptRules {
    /// Rules that call these scripts.
    #[must_use]
    pub fn new(scripts: Arc<Scripts>) -> Self {
        let (outlook, me) = (Outlook::default(), Me::default());
        outlook.lock().me = Some(me.clone());
        let all = scripts.all().iter();
        let runtimes = all.map(|script| Runtime::new(script, &outlook)).collect();
        Self {
            scripts,
            runtimes,
            me,
            outlook,
            signals: Vec::new(),
            faults: Vec::new(),
            left: 0,
            gave_up: false,
        }
    }

    /// What scripts have printed since this was last asked.
    pub fn take_printed(&mut self) -> Vec<String> {
        self.scripts.printed.take()
    }

    /// What went wrong since this was last asked.
    pub fn take_faults(&mut self) -> Vec<Fault> {
        std::mem::take(&mut self.faults)
    }

    fn phase<'a>(&'a mut self, scene: &'a Scene<'a>) -> Phase<'a> {
        Phase {
            scene,
            scripts: &self.scripts,
            runtimes: &mut self.runtimes,
            me: &self.me,
            signals: &self.signals,
            faults: &mut self.faults,
            outlook: &self.outlook,
            gave_up: &mut self.gave_up,
        }
    }
}

impl Rules for ScriptRules {
    fn heeds(&self, script: ScriptId) -> Subscriptions {
        self.scripts.get(script).heeds
    }

    fn hears(&self, script: ScriptId, name: &str) -> bool {
        self.scripts.get(script).events.contains_key(name)
    }

    fn begin_tick(&mut self) {
        self.left = self.scripts.limits.tick_operations;
        self.gave_up = false;
    }

    fn decide(&mut self, scene: &Scene<'_>, turns: &mut [Turn]) {
        self.outlook.open(scene, self.scripts.interest, true);
        self.signals.clear();
        let emitted = |event: &Event| matches!(event.happening, EventKind::Signal { .. });
        let events = scene.events.iter().enumerate();
        self.signals
            .extend(events.filter(|(_, e)| emitted(e)).map(|(place, _)| place));
        let mut left = self.left;
        let mut phase = self.phase(scene);
        within_tick(&mut left, || {
            turns.iter_mut().for_each(|turn| phase.play(turn))
        });
        self.left = left;
    }

    fn answers(&self, script: ScriptId, question: &Question) -> bool {
        let rules = &self.scripts.get(script).rules;
        rules.contains_key(answers::hook_for(question))
    }

    fn answer(&mut self, scene: &Scene<'_>, asks: &mut [Ask]) {
        self.outlook.open(scene, self.scripts.interest, false);
        let mut left = self.left;
        let mut phase = self.phase(scene);
        within_tick(&mut left, || {
            asks.iter_mut().for_each(|ask| phase.answer(ask))
        });
        self.left = left;
    }
}
