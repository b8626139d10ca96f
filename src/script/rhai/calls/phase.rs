//! One phase in which scripts are called: playing turns, and answering what a tick asks.

use super::answers::{self, Answer};
use super::compile::{HookFn, Scripts};
use super::runtime::{Arguments, Runtime};
use super::vars::RhaiVars;
use crate::models::Windows;
use crate::script::host::api::Room;
use crate::script::host::{Diagnostic, Fault, Place};
use crate::script::rhai::api::catalog;
use crate::script::rhai::api::me::{Mark, Me, Moment};
use crate::script::rhai::api::outlook::Outlook;
use crate::script::rhai::engine::budget::{
    charge_sleep, charge_tick, tick_is_spent, tick_too_long,
};
use crate::script::rhai::engine::halt::IN_USE;
use crate::script::rhai::engine::values::event_map;
use crate::script::rhai::messages::errors::Explainer;
use crate::sim::{Ask, Command, EntityId, Event, EventKind, Scene, ScriptId, Turn};
use rhai::{Dynamic, EvalAltResult};

/// What the calls of one phase share.
pub(super) struct Phase<'a> {
    pub scene: &'a Scene<'a>,
    pub scripts: &'a Scripts,
    pub runtimes: &'a mut [Runtime],
    pub me: &'a Me,
    /// Which of the scene's events were emitted by scripts.
    pub signals: &'a [usize],
    pub faults: &'a mut Vec<Fault>,
    pub outlook: &'a Outlook,
    /// Whether it was told in this tick that its scripts have used up what they have together.
    pub gave_up: &'a mut bool,
}

/// What building one value of an event's data takes, in steps of a script.
const VALUE: u64 = 4;

impl<'a> Phase<'a> {
    /// Plays a turn: what has happened to the entity, what scripts have emitted, the tick, the rules, and
    /// if it has left the world its last hook.
    pub fn play(&mut self, turn: &mut Turn) {
        let script = self.scripts.get(turn.script);
        let of_level = turn.entity == EntityId::LEVEL;
        self.present(turn);
        if !script.events.is_empty() {
            for place in turn.events.clone() {
                let event = &self.scene.events[place];
                // What was kept back for those who were left out, the level was told in its tick; what was
                // emitted is told to everybody further down.
                let due = match event.happening {
                    _ if of_level => event.tick == self.scene.tick || event.entity == turn.entity,
                    EventKind::Signal { .. } => false,
                    _ => true,
                };
                if due {
                    self.tell(turn, event);
                }
                if turn.skipped {
                    break;
                }
                turn.events.start = place + 1;
            }
            if !of_level {
                for signal in self.signals {
                    self.tell(turn, &self.scene.events[*signal]);
                }
            }
            if let Some(hook) = &script.on_tick {
                let event = || answers::own_event(self.scene, turn, "tick");
                let arguments = Arguments::told(self.me, hook.parameters, event);
                self.call_unless_gone(turn, hook, arguments);
            }
        }
        if !of_level {
            self.ask(turn);
        }
        if turn.called || turn.leaves {
            self.part(turn);
        }
    }

    /// Tells of an event, if the script has a hook for it.
    fn tell(&mut self, turn: &mut Turn, event: &Event) {
        let events = &self.scripts.get(turn.script).events;
        if let Some(hook) = events.get(event.happening.name()) {
            if hook.parameters == 2
                && let EventKind::Signal { data, .. } = &event.happening
            {
                charge_tick(VALUE * data.count());
            }
            let arguments = Arguments::told(self.me, hook.parameters, || event_map(event));
            self.call_unless_gone(turn, hook, arguments);
        }
    }

    /// Who has been removed is told nothing more.
    fn call_unless_gone(&mut self, turn: &mut Turn, hook: &HookFn, mut arguments: Arguments) {
        let gone = turn.called && self.me.lock().commands.contains(&Command::Remove);
        if !gone {
            self.call(turn, &hook.name, arguments.as_mut());
        }
    }

    /// The last hook of who leaves the world: removed, or created and fallen out of the level without
    /// having been placed elsewhere.
    fn part(&mut self, turn: &mut Turn) {
        {
            let mut moment = self.me.lock();
            let placed = |c: &Command| matches!(c, Command::Place(..));
            if turn.leaves && !moment.commands.iter().any(placed) {
                moment.commands.push(Command::Remove);
            }
            if !moment.commands.contains(&Command::Remove) {
                take_over(turn, &mut moment);
                return;
            }
        }
        if let Some(hook) = self.scripts.get(turn.script).events.get("death") {
            let event = || answers::own_event(self.scene, turn, "death");
            let mut arguments = Arguments::told(self.me, hook.parameters, event);
            self.call(turn, &hook.name, arguments.as_mut());
        }
        take_over(turn, &mut self.me.lock());
    }

    /// Asks a rule about something; `()`, and a rule that fails, leave it to tuning.
    pub fn answer(&mut self, ask: &mut Ask) {
        self.present(&ask.turn);
        let rule = answers::hook_for(&ask.question);
        let about = answers::about(&ask.question, self.scene);
        let mut arguments = Arguments::two(self.me, about.into());
        let answer = self.call(&mut ask.turn, rule, arguments.as_mut());
        if let Some(answer) = answer {
            let read = answers::read_flag(rule, &answer);
            if let Some(Some(answer)) = self.taken(&mut ask.turn, rule, read) {
                ask.answer = answer;
                ask.ruled = true;
            }
        }
        take_over(&mut ask.turn, &mut self.me.lock());
    }

    /// Points `me` at the entity whose turn it is.
    fn present(&self, turn: &Turn) {
        let mut moment = self.me.lock();
        moment.profile = turn.profile;
        moment.seen_from = self.scene.stage.level.view;
        moment.view.clone_from(&turn.view);
        moment.intent = turn.intent;
        moment.before = turn.before;
        moment.random = turn.random;
        moment.timers = turn.timers;
        moment.level = turn.entity == EntityId::LEVEL;
        moment.commands.clear();
    }

    /// Asks the rules, if what their answers may depend on has changed. While a jump is on its way
    /// the last answers are kept.
    fn ask(&mut self, turn: &mut Turn) {
        if turn.jumping {
            return;
        }
        let script = self.scripts.get(turn.script);
        if !script.heeds.rules {
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
        if script.rules.contains_key("model") {
            let answer = self.call(turn, "model", Arguments::one(self.me).as_mut());
            let view = self.scene.stage.level.view;
            turn.model = answer.map(|answer| {
                let read = answers::read_model(&answer, view);
                self.taken(turn, "model", read).flatten()
            });
            answers::write_model(turn);
        }
        if script.rules.contains_key("jump_windows") {
            let answer = self.call(turn, "jump_windows", Arguments::one(self.me).as_mut());
            turn.windows = answer.and_then(|answer| {
                let read = answers::read_windows(&answer);
                self.taken(turn, "jump_windows", read)
            });
            answers::write_windows(turn);
        }
        // Rules may have changed variables themselves; that alone does not ask them again.
        turn.asked = Some(turn.conditions());
    }

    /// The answer, or none with a fault noted.
    fn taken<T>(&mut self, turn: &mut Turn, hook: &str, answer: Answer<T>) -> Option<T> {
        answer.map_err(|why| self.note(turn, hook, None, why)).ok()
    }

    /// Calls a hook. What it ordered before it failed is forgotten; the others play on.
    fn call(&mut self, turn: &mut Turn, hook: &str, arguments: &mut [Dynamic]) -> Option<Dynamic> {
        if tick_is_spent() {
            self.give_up(turn, hook);
            return None;
        }
        let first = !std::mem::replace(&mut turn.called, true);
        let runtime = &mut self.runtimes[turn.script.0 as usize];
        let this = RhaiVars::of(&mut turn.vars);
        // Where nothing has been ordered yet, the turn itself knows where to go back to.
        let mark = (!first).then(|| self.me.lock().mark());
        let result = runtime.call(self.scripts, hook, &mut this.this, arguments);
        let kept = this.keep_plain(&self.scripts.limits);
        match result {
            Ok(value) => {
                if let Err(wrong) = kept {
                    let then = if wrong.restored {
                        "holds again what it held before"
                    } else {
                        "has been taken out"
                    };
                    let why = format!(
                        "`this{}` cannot be kept: it is {}; variables are numbers, text, true or \
                         false, (), vecs, and arrays and maps of them. It {then}",
                        wrong.path, wrong.what
                    );
                    self.note(turn, hook, None, why);
                }
                Some(value)
            }
            Err(error) => {
                let kept = mark.as_ref().map_or(0, Mark::orders);
                self.give_back(kept);
                match mark {
                    Some(mark) => self.me.lock().go_back(&mark),
                    None => {
                        // Random numbers that were taken stay taken.
                        turn.random = self.me.lock().random;
                        self.present(turn);
                    }
                }
                self.note(turn, hook, Some(&error), String::new());
                None
            }
        }
    }

    /// Gives back what a hook that failed has taken of what all share: the orders after the first `kept`.
    fn give_back(&self, kept: usize) {
        let moment = self.me.lock();
        let count = |wanted: fn(&Command) -> bool| {
            let failed = moment.commands.iter().skip(kept);
            failed.filter(|command| wanted(command)).count()
        };
        let emitted = count(|c| matches!(c, Command::Emit(..)));
        let created = count(|c| matches!(c, Command::Create(_)));
        drop(moment);
        if emitted + created > 0 {
            self.outlook.lock().give_back(emitted, created);
        }
    }

    fn note(&mut self, turn: &mut Turn, hook: &str, error: Option<&EvalAltResult>, why: String) {
        turn.failed = true;
        let script = self.scripts.get(turn.script);
        let place = self.place_of(turn.script, hook);
        let diagnostic = match error {
            Some(error) => {
                let explainer = Explainer {
                    file: &script.file,
                    sources: &self.scripts.sources,
                    limits: &self.scripts.limits,
                    room: Room::Behavior,
                    catalog,
                };
                let told = explainer.explain(error, place);
                if told.message == IN_USE {
                    charge_sleep();
                }
                told
            }
            None => Diagnostic::error(place, why),
        };
        self.fault(turn, hook, diagnostic);
    }

    fn fault(&mut self, turn: &Turn, hook: &str, diagnostic: Diagnostic) {
        self.faults.push(Fault {
            diagnostic,
            entity: turn.view.name.to_string(),
            hook: hook.into(),
            tick: self.scene.tick,
            revision: 0,
        });
    }

    /// Says, once, that the scripts of this tick have used up what they have together. Who is not called
    /// for that has not failed.
    fn give_up(&mut self, turn: &mut Turn, hook: &str) {
        turn.skipped = true;
        if !std::mem::replace(self.gave_up, true) {
            let why = tick_too_long(&self.scripts.limits);
            let place = self.place_of(turn.script, hook);
            self.fault(turn, hook, Diagnostic::error(place, why));
        }
    }

    /// Where a hook's name stands in its file.
    fn place_of(&self, script: ScriptId, hook: &str) -> Place {
        let script = self.scripts.get(script);
        let nowhere = || Place::new(&script.file, 0..0);
        script.place_of(hook).unwrap_or_else(nowhere)
    }
}

/// Takes over what was ordered in a turn.
fn take_over(turn: &mut Turn, moment: &mut Moment) {
    turn.random = moment.random;
    std::mem::swap(&mut turn.commands, &mut moment.commands);
}
