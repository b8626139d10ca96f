//! The rules of the scripts: playing the turns of a tick.

use super::answers::{self, Answer};
use super::compile::{HookFn, Scripts};
use super::runtime::{Arguments, Runtime};
use super::vars::RhaiVars;
use crate::models::Windows;
use crate::script::host::{Diagnostic, Fault, Place};
use crate::script::rhai::api::me::{self, Me, Moment};
use crate::script::rhai::api::outlook::Outlook;
use crate::script::rhai::errors::Explainer;
use crate::script::rhai::values::event_map;
use crate::sim::{
    Ask, Command, EntityId, Event, Happening, Heeds, Question, Rules, Scene, ScriptId, Turn,
};
use rhai::{Dynamic, EvalAltResult};
use std::sync::Arc;

/// Plays turns with compiled scripts. One for each running game; replaced with each revision.
pub struct ScriptRules {
    scripts: Arc<Scripts>,
    runtimes: Vec<Runtime>,
    me: Option<Me>,
    outlook: Outlook,
    /// Which of the scene's events were emitted by scripts.
    signals: Vec<usize>,
    faults: Vec<Fault>,
}

impl ScriptRules {
    /// Rules that call these scripts.
    #[must_use]
    pub fn new(scripts: Arc<Scripts>) -> Self {
        let outlook = Outlook::default();
        let all = scripts.all().iter();
        let runtimes = all.map(|script| Runtime::new(script, &outlook)).collect();
        Self {
            scripts,
            runtimes,
            me: None,
            outlook,
            signals: Vec::new(),
            faults: Vec::new(),
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
}

impl Rules for ScriptRules {
    fn heeds(&self, script: ScriptId) -> Heeds {
        self.scripts.get(script).heeds
    }

    fn hears(&self, script: ScriptId, name: &str) -> bool {
        self.scripts.get(script).events.contains_key(name)
    }

    fn decide(&mut self, scene: &Scene<'_>, turns: &mut [Turn]) {
        self.outlook.open(scene, self.scripts.interest, true);
        self.signals.clear();
        let emitted = |event: &Event| matches!(event.happening, Happening::Signal { .. });
        let events = scene.events.iter().enumerate();
        self.signals
            .extend(events.filter(|(_, e)| emitted(e)).map(|(place, _)| place));
        for turn in turns {
            self.play(scene, turn);
        }
    }

    fn answers(&self, script: ScriptId, question: &Question) -> bool {
        let rules = &self.scripts.get(script).rules;
        rules.contains_key(answers::hook_for(question))
    }

    fn answer(&mut self, scene: &Scene<'_>, asks: &mut [Ask]) {
        self.outlook.open(scene, self.scripts.interest, false);
        for ask in asks {
            self.answer_one(scene, ask);
        }
    }
}

impl ScriptRules {
    /// Plays a turn: what has happened to the entity, what scripts have emitted, the tick, the rules, and
    /// if it has left the world its last hook.
    fn play(&mut self, scene: &Scene<'_>, turn: &mut Turn) {
        let me = self.present(scene, turn);
        let of_level = turn.entity == EntityId::LEVEL;
        for event in &scene.events[turn.events.clone()] {
            // What was emitted is told to everybody further down.
            if of_level || !matches!(event.happening, Happening::Signal { .. }) {
                self.tell(scene, turn, &me, event);
            }
        }
        if !of_level {
            for signal in 0..self.signals.len() {
                self.tell(scene, turn, &me, &scene.events[self.signals[signal]]);
            }
        }
        if let Some(hook) = self.event_hook(turn.script, "tick") {
            let event = || answers::own_event(scene, turn, "tick");
            let arguments = Arguments::told(&me, hook.parameters, event);
            self.call_unless_gone(scene, turn, &me, &hook.name, arguments);
        }
        if !of_level {
            self.ask(scene, turn, &me);
        }
        self.part(scene, turn, &me);
        let mut moment = me.lock();
        turn.random = moment.random;
        turn.commands.append(&mut moment.commands);
    }

    /// Tells of an event, if the script has a hook for it.
    fn tell(&mut self, scene: &Scene<'_>, turn: &mut Turn, me: &Me, event: &Event) {
        if let Some(hook) = self.event_hook(turn.script, event.happening.name()) {
            let arguments = Arguments::told(me, hook.parameters, || event_map(event));
            self.call_unless_gone(scene, turn, me, &hook.name, arguments);
        }
    }

    /// Who has been removed is told nothing more.
    fn call_unless_gone(
        &mut self,
        scene: &Scene<'_>,
        turn: &mut Turn,
        me: &Me,
        hook: &Arc<str>,
        mut arguments: Arguments,
    ) {
        if !me.lock().commands.contains(&Command::Remove) {
            self.call(scene, turn, hook, arguments.as_mut());
        }
    }

    /// The last hook of who leaves the world: removed, or created and fallen out of the level without
    /// having been placed elsewhere.
    fn part(&mut self, scene: &Scene<'_>, turn: &mut Turn, me: &Me) {
        let gone = {
            let mut moment = me.lock();
            let placed = |c: &Command| matches!(c, Command::Place(..));
            if turn.leaves && !moment.commands.iter().any(placed) {
                moment.commands.push(Command::Remove);
            }
            moment.commands.contains(&Command::Remove)
        };
        if gone && let Some(hook) = self.event_hook(turn.script, "death") {
            let mut arguments = Arguments::told(me, hook.parameters, || {
                answers::own_event(scene, turn, "death")
            });
            self.call(scene, turn, &hook.name, arguments.as_mut());
        }
    }

    fn event_hook(&self, script: ScriptId, event: &str) -> Option<HookFn> {
        self.scripts.get(script).events.get(event).cloned()
    }

    /// Asks a rule about something; `()`, and a rule that fails, leave it to tuning.
    fn answer_one(&mut self, scene: &Scene<'_>, ask: &mut Ask) {
        let me = self.present(scene, &ask.turn);
        let rule = answers::hook_for(&ask.question);
        let about = answers::about(&ask.question, scene);
        let mut arguments = Arguments::two(&me, about.into());
        let answer = self.call(scene, &mut ask.turn, rule, arguments.as_mut());
        if let Some(answer) = answer
            && let Some(Some(answer)) = self.taken(
                scene,
                &mut ask.turn,
                rule,
                answers::read_flag(rule, &answer),
            )
        {
            ask.answer = answer;
            ask.ruled = true;
        }
        let mut moment = me.lock();
        ask.turn.random = moment.random;
        ask.turn.commands.append(&mut moment.commands);
    }

    /// Points `me` at the entity whose turn it is.
    fn present(&mut self, scene: &Scene<'_>, turn: &Turn) -> Me {
        let moment = Moment {
            profile: turn.profile,
            seen_from: scene.stage.level.view,
            view: turn.view.clone(),
            intent: turn.intent,
            random: turn.random,
            commands: Vec::new(),
        };
        match &self.me {
            Some(me) => {
                *me.lock() = moment;
                me.clone()
            }
            None => self.me.insert(Me::new(moment)).clone(),
        }
    }

    /// Asks the rules, if what their answers may depend on has changed. While a jump is on its way
    /// the last answers are kept.
    fn ask(&mut self, scene: &Scene<'_>, turn: &mut Turn, me: &Me) {
        if turn.jumping {
            return;
        }
        let rules = &self.scripts.get(turn.script).rules;
        let has = ["model", "jump_windows"].map(|rule| rules.contains_key(rule));
        if has == [false, false] {
            if turn.asked.is_none() {
                // A reload may have taken the rules away, and their answers with them.
                turn.model = Some(None);
                turn.windows = Some(Windows::default());
                turn.asked = Some(0);
            }
            return;
        }
        let conditions = turn.conditions();
        if turn.asked == Some(conditions) {
            return;
        }
        turn.model = Some(None);
        turn.windows = Some(Windows::default());
        if has[0] {
            let answer = self.call(scene, turn, "model", Arguments::one(me).as_mut());
            let view = scene.stage.level.view;
            turn.model = answer.map(|answer| {
                let read = answers::read_model(&answer, view);
                self.taken(scene, turn, "model", read).flatten()
            });
            answers::write_model(turn);
        }
        if has[1] {
            let answer = self.call(scene, turn, "jump_windows", Arguments::one(me).as_mut());
            turn.windows = answer.and_then(|answer| {
                let read = answers::read_windows(&answer);
                self.taken(scene, turn, "jump_windows", read)
            });
            answers::write_windows(turn);
        }
        // Rules may have changed variables themselves; that alone does not ask them again.
        turn.asked = Some(turn.conditions());
    }

    /// The answer, or none with a fault noted.
    fn taken<T>(
        &mut self,
        scene: &Scene<'_>,
        turn: &mut Turn,
        hook: &str,
        answer: Answer<T>,
    ) -> Option<T> {
        let wrong = |why| self.note(scene, turn, hook, None, why);
        answer.map_err(wrong).ok()
    }

    /// Calls a hook. What it ordered before it failed is forgotten; the others play on.
    fn call(
        &mut self,
        scene: &Scene<'_>,
        turn: &mut Turn,
        hook: &str,
        arguments: &mut [Dynamic],
    ) -> Option<Dynamic> {
        turn.called = true;
        let runtime = &mut self.runtimes[turn.script.0 as usize];
        let this = RhaiVars::of(&mut turn.vars);
        let mark = self.me.as_ref().map(|me| me.lock().mark());
        let result = runtime.call(&self.scripts, hook, &mut this.0, arguments);
        let kept = this.keep_plain(self.scripts.limits.map);
        match result {
            Ok(value) => {
                if let Err(wrong) = kept {
                    let why = format!(
                        "`this{}` cannot be kept: it is {}; variables are numbers, text, true or \
                         false, (), vecs, and arrays and maps of them",
                        wrong.path, wrong.what
                    );
                    self.note(scene, turn, hook, None, why);
                }
                Some(value)
            }
            Err(error) => {
                if let (Some(me), Some(mark)) = (&self.me, mark) {
                    me.lock().go_back(&mark);
                }
                self.note(scene, turn, hook, Some(&error), String::new());
                None
            }
        }
    }

    fn note(
        &mut self,
        scene: &Scene<'_>,
        turn: &mut Turn,
        hook: &str,
        error: Option<&EvalAltResult>,
        why: String,
    ) {
        turn.failed = true;
        let script = self.scripts.get(turn.script);
        let diagnostic = match error {
            Some(error) => {
                let names = me::names();
                let (sources, limits) = (&self.scripts.sources, &self.scripts.limits);
                let explainer = Explainer {
                    file: &script.file,
                    sources,
                    limits,
                    names: &names,
                };
                explainer.explain(error, self.place_of(turn.script, hook))
            }
            None => Diagnostic::error(self.place_of(turn.script, hook), why),
        };
        let entity = turn.view.name.to_string();
        self.faults.push(Fault {
            diagnostic,
            entity,
            hook: hook.into(),
            tick: scene.tick,
        });
    }

    /// Where a hook's name stands in its file.
    fn place_of(&self, script: ScriptId, hook: &str) -> Place {
        let file = &self.scripts.get(script).file;
        let at = file.text.find(&format!("fn {hook}")).map_or(0, |at| at + 3);
        Place::new(file, at..at + hook.len())
    }
}
