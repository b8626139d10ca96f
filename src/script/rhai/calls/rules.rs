//! The rules of the scripts: playing the turns of a tick.

use super::compile::Scripts;
use super::runtime::Runtime;
use super::vars::RhaiVars;
use crate::models::{ROOF, Windows};
use crate::script::host::names::suggestion;
use crate::script::host::{Diagnostic, EVENTS, Fault, Place};
use crate::script::rhai::api::me::{self, Me, Moment};
use crate::script::rhai::api::outlook::Outlook;
use crate::script::rhai::api::vector::Vector;
use crate::script::rhai::errors::Explainer;
use crate::script::rhai::values::{event_map, type_name};
use crate::sim::why::{self, spelled_windows};
use crate::sim::{Ask, Question, Rules, Scene, ScriptId, Turn};
use crate::tuning::TIME;
use rhai::{Dynamic, EvalAltResult};
use std::sync::Arc;

/// Plays turns with compiled scripts. One for each running game; replaced with each revision.
pub struct ScriptRules {
    scripts: Arc<Scripts>,
    runtimes: Vec<Runtime>,
    me: Option<Me>,
    outlook: Outlook,
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
    fn decide(&mut self, scene: &Scene<'_>, turns: &mut [Turn]) {
        self.outlook.open(scene, self.scripts.interest, true);
        for turn in turns {
            self.play(scene, turn);
        }
    }

    fn answers(&self, script: ScriptId, question: &Question) -> bool {
        self.has(script, hook_for(question))
    }

    fn answer(&mut self, scene: &Scene<'_>, asks: &mut [Ask]) {
        self.outlook.open(scene, self.scripts.interest, false);
        for ask in asks {
            self.answer_one(scene, ask);
        }
    }
}

/// The hook that a question is put to.
fn hook_for(question: &Question) -> &'static str {
    match question {
        Question::Snaps(_) => "grapple_snaps",
        Question::Grabs(_) => "can_grab",
    }
}

/// What was to be answered, and why it was not.
type Answer<T> = Result<T, String>;

impl ScriptRules {
    fn play(&mut self, scene: &Scene<'_>, turn: &mut Turn) {
        let me = self.present(scene, turn);
        for event in &scene.events[turn.events.clone()] {
            let Some(hook) = hook_of(event.happening.name()) else {
                continue;
            };
            if let Some(&parameters) = self.scripts.get(turn.script).hooks.get(hook) {
                let mut arguments = vec![Dynamic::from(me.clone())];
                if parameters == 2 {
                    arguments.push(event_map(event).into());
                }
                self.call(scene, turn, hook, &mut arguments);
            }
        }
        if let Some(&parameters) = self.scripts.get(turn.script).hooks.get("on_tick") {
            let mut arguments = vec![Dynamic::from(me.clone())];
            if parameters == 2 {
                arguments.push(tick_map(scene, turn).into());
            }
            self.call(scene, turn, "on_tick", &mut arguments);
        }
        self.ask(scene, turn, &me);
        turn.commands.append(&mut me.lock().commands);
    }

    /// Asks a rule about something; `()`, and a rule that fails, leave it to tuning.
    fn answer_one(&mut self, scene: &Scene<'_>, ask: &mut Ask) {
        let me = self.present(scene, &ask.turn);
        let hook = hook_for(&ask.question);
        let about = about(&ask.question, scene);
        let mut arguments = [Dynamic::from(me.clone()), about.into()];
        let answer = self.call(scene, &mut ask.turn, hook, &mut arguments);
        let read = |value: &Dynamic| match value.as_bool() {
            Ok(answer) => Ok(Some(answer)),
            Err(_) if value.is_unit() => Ok(None),
            Err(_) => Err(format!(
                "`{hook}` answers true or false, not {}",
                type_name(value)
            )),
        };
        if let Some(answer) = answer
            && let Some(Some(answer)) = self.taken(scene, &ask.turn, hook, read(&answer))
        {
            ask.answer = answer;
            ask.ruled = true;
        }
        ask.turn.commands.append(&mut me.lock().commands);
    }

    /// Points `me` at the entity whose turn it is.
    fn present(&mut self, scene: &Scene<'_>, turn: &Turn) -> Me {
        let moment = Moment {
            profile: turn.profile,
            seen_from: scene.stage.level.view,
            view: turn.view.clone(),
            intent: turn.intent,
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

    fn has(&self, script: ScriptId, hook: &str) -> bool {
        self.scripts.get(script).hooks.contains_key(hook)
    }

    /// Asks the rules, if what their answers may depend on has changed. While a jump is on its way
    /// the last answers are kept.
    fn ask(&mut self, scene: &Scene<'_>, turn: &mut Turn, me: &Me) {
        if turn.jumping {
            return;
        }
        let (model, windows) = (
            self.has(turn.script, "model"),
            self.has(turn.script, "jump_windows"),
        );
        if !(model || windows) {
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
        turn.asked = Some(conditions);
        turn.model = Some(None);
        turn.windows = Some(Windows::default());
        if model {
            let answer = self.call(scene, turn, "model", &mut [Dynamic::from(me.clone())]);
            let read = |value: &Dynamic| -> Answer<_> {
                if value.is_unit() {
                    return Ok(None);
                }
                let name = value.as_immutable_string_ref().map_err(|_| {
                    format!("`model` answers a model's name, not {}", type_name(value))
                })?;
                me::model(&name, scene.stage.level.view).map(Some)
            };
            turn.model = answer.map(|a| self.taken(scene, turn, "model", read(&a)).flatten());
            let given = turn.model.flatten();
            write_down(turn, "model", || {
                given.map_or_else(|| "()".into(), |model| format!("\"{}\"", model.as_str()))
            });
        }
        if windows {
            let answer = self.call(
                scene,
                turn,
                "jump_windows",
                &mut [Dynamic::from(me.clone())],
            );
            turn.windows =
                answer.and_then(|a| self.taken(scene, turn, "jump_windows", read_windows(&a)));
            let given = turn.windows.unwrap_or_default();
            write_down(turn, "jump_windows", || spelled_windows(&given));
        }
        // Rules may have changed variables themselves; that alone does not ask them again.
        turn.asked = Some(turn.conditions());
    }

    /// The answer, or none with a fault noted.
    fn taken<T>(
        &mut self,
        scene: &Scene<'_>,
        turn: &Turn,
        hook: &'static str,
        answer: Answer<T>,
    ) -> Option<T> {
        answer
            .map_err(|why| self.note(scene, turn, hook, None, why))
            .ok()
    }

    /// Calls a hook. What it ordered before it failed is forgotten; the others play on.
    fn call(
        &mut self,
        scene: &Scene<'_>,
        turn: &mut Turn,
        hook: &'static str,
        arguments: &mut [Dynamic],
    ) -> Option<Dynamic> {
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
        turn: &Turn,
        hook: &'static str,
        error: Option<&EvalAltResult>,
        why: String,
    ) {
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
            hook,
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

/// Keeps what a rule has answered, for those who ask why.
fn write_down(turn: &mut Turn, rule: &'static str, text: impl FnOnce() -> String) {
    if turn.watched {
        let text = text();
        turn.answers.push(why::Answer { rule, text });
    }
}

/// What a question is about, as scripts see it.
fn about(question: &Question, scene: &Scene<'_>) -> rhai::Map {
    let mut map = rhai::Map::new();
    match question {
        Question::Snaps(strain) => {
            map.insert("pull_away".into(), strain.pull_away.into());
            map.insert("length".into(), strain.length.into());
            map.insert("tip".into(), Dynamic::from(Vector::from(strain.tip)));
            map.insert("away_held".into(), strain.away_held.into());
            map.insert("snaps".into(), strain.snaps.into());
        }
        Question::Grabs(grasp) => {
            let level = &scene.stage.level;
            let solid = level.terrain.solid_of(grasp.feature);
            let surface = level.surface_name(solid.surface);
            map.insert("solid".into(), solid.name.to_string().into());
            map.insert("surface".into(), surface.to_string().into());
            map.insert("normal".into(), Dynamic::from(Vector::from(grasp.normal)));
            map.insert("roof".into(), (grasp.normal.y < -ROOF).into());
        }
    }
    map
}

/// The event of `on_tick`, which no trace shows.
fn tick_map(scene: &Scene<'_>, turn: &Turn) -> rhai::Map {
    let mut map = rhai::Map::new();
    map.insert("event".into(), "tick".into());
    map.insert("entity".into(), turn.view.name.to_string().into());
    map.insert("tick".into(), (scene.tick as i64).into());
    map
}

/// The hook that is told of an event.
fn hook_of(event: &str) -> Option<&'static str> {
    EVENTS
        .iter()
        .find(|hook| hook.event() == Some(event))
        .map(|h| h.name)
}

/// The answer of `jump_windows`.
fn read_windows(value: &Dynamic) -> Answer<Windows> {
    let mut windows = Windows::default();
    if value.is_unit() {
        return Ok(windows);
    }
    let map = value
        .as_map_ref()
        .map_err(|_| format!("`jump_windows` answers a map, not {}", type_name(value)))?;
    for (key, value) in map.iter() {
        let seconds = crate::script::rhai::api::math::number(value)
            .ok_or_else(|| format!("`{key}` takes seconds, not {}", type_name(value)))?;
        if !(TIME.min..=TIME.max).contains(&seconds) {
            return Err(format!(
                "`{key}` is {seconds}; it must be {} to {} s",
                TIME.min, TIME.max
            ));
        }
        let known = ["grace_time", "jump_buffer", "jump_hold_time"];
        match key.as_str() {
            "grace_time" => windows.grace_time = Some(seconds),
            "jump_buffer" => windows.jump_buffer = Some(seconds),
            "jump_hold_time" => windows.jump_hold_time = Some(seconds),
            other => {
                return Err(format!(
                    "`jump_windows` knows no `{other}`{}",
                    suggestion(other, known)
                ));
            }
        }
    }
    Ok(windows)
}
