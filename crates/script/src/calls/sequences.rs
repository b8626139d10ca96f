//! Sequences: functions that wait. The words that wait, and starting and stopping sequences.
//!
//! A language cuts a function at its waits when it compiles it, so none of the words is ever called as a function. What
//! is left of a wait is a call of one of three calls that are in no reference: they are given the place of the wait among
//! the [`WaitPoint`]s of the script, and a map of the values that are remembered, or nothing if there are none.

use super::*;
use hangtime_core::{
    models::ClockTick,
    sim::{LONGEST_WAIT, MOST_FRAME_DATA, MOST_FRAMES, Until, WaitPoint, due_tick},
};

/// The words that wait.
pub const WAITS: [&str; 4] = ["wait", "wait_ticks", "wait_until", "wait_for"];

/// Operations charged for starting, stopping and asking for a sequence, and for a wait.
const PER_ORDER: u64 = 8;
/// How many commands are looked through for one operation.
const COMMANDS_IN_ONE: usize = 8;

const SEQUENCE: Param = param("name", Type::Text, "");
const SECONDS: Param = param("seconds", Type::Number, "s");
const COUNT: Param = param("count", Type::Whole, "ticks");
const EVENT: Param = param("event", Type::Text, "");
const CONDITION: Param = param("condition", Type::Function, "");
const POINT: Param = param("point", Type::Whole, "");

/// A word that waits.
const fn word(name: &'static str, doc: &'static str, example: &'static str) -> ApiEntry {
    ApiEntry::call(Owner::Free, name, doc, example).only_in(ApiSet::Behavior)
}

/// Adds the topic.
pub fn add(table: &mut CallTable) {
    table.topic(Topic::Sequences);
    add_calls! { table;
        /// Continues after a delay, rounded to the nearest tick, never in the current one.
        word wait(SECONDS);
        "fn on_land(me) { wait(0.5); me.jump(); }";
        refuse_word;

        /// Continues after this many ticks, at least one.
        word wait_ticks(COUNT);
        "fn on_land(me) { wait_ticks(3); me.jump(); }";
        refuse_word;

        /// Continues in the first tick in which a condition holds, which may be the current one.
        word wait_until(CONDITION);
        "fn on_jump(me) { wait_until(|| me.vel.y < 0); me.spin = 9; }";
        refuse_word;

        /// Continues with the next event of this name that the script could have a hook for, and returns the event.
        word wait_for(EVENT) -> Type::Any;
        r#"fn on_jump(me) { let landed = wait_for("land"); me.note(landed.surface); }"#;
        refuse_word;

        /// The same for a limited time: returns `()` if the event has not come by then.
        word wait_for(EVENT, SECONDS) -> Type::Any;
        r#"fn on_jump(me) { if wait_for("land", 2.0) == () { me.remove(); } }"#;
        refuse_word;

        /// Starts a sequence, a function `fn NAME(me)` of this script that waits: from its beginning, after this tick's
        /// `on_tick`. If it runs already, it starts again.
        of_me start(SEQUENCE);
        "fn on_land(me) { me.start(\"attack\"); }\nfn attack(me) { wait(0.5); me.jump(); }";
        start_sequence;

        /// Stops a sequence where it waits.
        of_me stop(SEQUENCE);
        "fn on_hit(me) { me.stop(\"attack\"); }\nfn attack(me) { wait(0.5); me.jump(); }";
        |moment, args| {
            let at = moment.me.sequence(args)?;
            if moment.me.runs(&at.sequence)? {
                moment.me.queue(Command::Stop(at.sequence.clone()))?;
            }
            Ok(CallAnswer::Nothing)
        };

        /// Whether a sequence runs.
        of_me running(SEQUENCE) -> Type::Flag;
        "fn on_tick(me) { if !me.running(\"attack\") { me.start(\"attack\"); } }\nfn attack(me) { wait(0.5); me.jump(); }";
        |moment, args| {
            let at = moment.me.sequence(args)?;
            Ok(CallAnswer::Flag(moment.me.runs(&at.sequence)?))
        };
    }
    add_cuts(table);
}

/// No word is called as a function where a language has cut the function.
fn refuse_word<'a>(_: &'a mut CallMoment, args: Args<'a>) -> Answered<'a> {
    refuse(misplaced(args.call()))
}

/// Adds what is left of waits.
fn add_cuts(table: &mut CallTable) {
    let cut = |name| of_me(name, "", "");
    table.add_hidden(cut("__wait__").takes(const { &[SECONDS, POINT, DATA] }), |moment, args| {
        let seconds = seconds(args.get(0), "wait")?;
        moment.wait((args.whole(1)?, args.get(2)), |due| Until::Time(due(seconds)))
    });
    table.add_hidden(cut("__wait_ticks__").takes(const { &[COUNT, POINT, DATA] }), |moment, args| {
        let what = parameter("wait_ticks", "count");
        let count = args.get(0).whole(what)?;
        let most = (LONGEST_WAIT * f64::from(moment.world.hz)) as i64;
        if !(0..=most).contains(&count) {
            return refuse(format!("{what} is {count}; it must be between 0 and {most}"));
        }
        let now = moment.world.tick;
        moment.wait((args.whole(1)?, args.get(2)), |_| Until::Tick(now + count.max(1) as u64))
    });
    table.add_hidden(cut("__wait_for__").takes(const { &[EVENT, SECONDS, POINT, DATA] }), |moment, args| {
        let name: Arc<str> = args.text(0)?.into();
        let seconds = match args.get(1) {
            Arg::Nothing => None,
            given => Some(seconds(given, "wait_for")?),
        };
        moment.wait((args.whole(2)?, args.get(3)), |due| Until::Event(name, seconds.map(due)))
    });
}

/// The message about a wait where a function cannot be cut.
fn misplaced(word: &str) -> String {
    format!("`{word}` waits in event hooks and in functions that `me.start` starts, not here")
}

fn seconds(value: Arg<'_>, word: &str) -> Accepted<f64> {
    value.within(parameter(word, "seconds"), 0.0..=LONGEST_WAIT)
}

fn start_sequence<'a>(moment: &'a mut CallMoment, args: Args<'a>) -> Answered<'a> {
    let at = moment.me.sequence(args)?;
    if at.step > 0 {
        return refuse(format!("`{}` is a hook, which starts with its event", at.sequence));
    }
    let at = at.clone();
    moment.me.require_frame(&at.sequence)?;
    moment.me.order(Command::Start(at))
}

impl CallMoment {
    /// Lets the sequence that runs wait at a point of the script, with the values of its local variables. A sequence that
    /// has stopped or started itself again does not wait.
    fn wait<'a>(
        &mut self,
        (point, locals): (i64, Arg<'_>),
        until: impl FnOnce(&dyn Fn(f64) -> ClockTick) -> Until,
    ) -> Answered<'a> {
        charge(PER_ORDER)?;
        let at = usize::try_from(point).ok().and_then(|point| self.me.points.as_ref()?.get(point).cloned());
        let Some(at) = at else {
            return refuse(misplaced("wait"));
        };
        if self.me.has_moved_on(&at.sequence) {
            return Ok(CallAnswer::Nothing);
        }
        let locals = remembered(locals, &at)?;
        self.me.require_frame(&at.sequence)?;
        let (now, hz) = (self.world.tick, self.world.hz);
        let until = until(&|seconds| due_tick(seconds, now, hz).into());
        self.me.order(Command::Wait(at, until, locals))
    }
}

/// The values that are remembered at a point, in the order of its names.
fn remembered(given: Arg<'_>, at: &WaitPoint) -> Accepted<Vec<Value>> {
    if let (Arg::Nothing, []) = (given, &at.names[..]) {
        return Ok(Vec::new());
    }
    let Arg::Foreign(given) = given else { return refuse(misplaced("wait")) };
    let (most_values, most_text) = MOST_FRAME_DATA;
    let too_much = || {
        let names: Vec<String> = at.names.iter().map(|name| format!("`{name}`")).collect();
        CallRefusal::Message(format!(
            "`{}` cannot wait here: it can remember at most {most_values} values and {most_text} bytes of text, and \
             remembers {}; keep large data in variables of the script",
            at.sequence,
            names.join(", ")
        ).into())
    };
    // Each name stands for a value, which may be nothing.
    let mut values = most_values.checked_sub(at.names.len()).ok_or_else(too_much)?;
    let (mut text, mut locals) = (most_text, vec![Value::Unit; at.names.len()]);
    given.each_entry(&mut |name, local| {
        let Some(place) = at.names.iter().position(|own| **own == *name) else { return refuse(misplaced("wait")) };
        values += 1;
        local.take_size(&mut values, &mut text).ok_or_else(too_much)?;
        let plain = local.to_plain();
        locals[place] = plain.or_else(|NotPlain { what, .. }| {
            refuse(format!(
                "`{}` cannot wait here: `{name}` has {what}, which cannot be remembered; look for it again after the wait",
                at.sequence
            ))
        })?;
        Ok(())
    })?;
    charge((most_values + 1 - values) as u64 * 2 + (most_text - text) as u64 / 32)?;
    Ok(locals)
}

impl MeState {
    /// Any point of the sequence that an argument names; its beginning, if it can be started.
    fn sequence(&self, args: Args<'_>) -> Accepted<&Arc<WaitPoint>> {
        charge(PER_ORDER)?;
        let name = args.text(0)?;
        let points = || self.points.iter().flat_map(|points| points.iter());
        points().find(|point| *point.sequence == *name).map_or_else(
            || {
                let hint = suggestion(name, points().filter(|point| point.step == 0).map(|point| &*point.sequence));
                refuse(format!(
                    "this script has no sequence `{name}`, a function `{name}(me)` that waits{hint}; a function that does not wait \
                     is called, not started"
                ))
            },
            Ok,
        )
    }

    /// The sequences that run after what has been ordered in this call, with their layers.
    fn sequences(&self) -> Vec<(Option<&str>, &str)> {
        let began = self.frames.iter().map(|(layer, name)| (layer.as_deref(), &**name));
        let mut all: Vec<_> = began.collect();
        for (layer, name, runs) in self.ordered() {
            all.retain(|other| *other != (layer, name));
            if runs {
                all.push((layer, name));
            }
        }
        all
    }

    /// The orders about sequences: the layer, the name, and whether it runs then.
    fn ordered(&self) -> impl Iterator<Item = (Option<&str>, &str, bool)> {
        let mut layer = None;
        self.commands.iter().filter_map(move |command| match command {
            Command::InLayer(name) => {
                layer = name.as_deref();
                None
            }
            other => about_sequence(other).map(|(name, runs)| (layer, name, runs)),
        })
    }

    /// Whether a sequence of the layer runs.
    fn runs(&self, name: &str) -> Accepted<bool> {
        charge((self.commands.len() / COMMANDS_IN_ONE) as u64)?;
        Ok(self.is_running(name))
    }

    /// Whether a sequence of the layer runs.
    pub(crate) fn is_running(&self, name: &str) -> bool {
        let began = self
            .frames
            .iter()
            .any(|(layer, other)| layer.as_ref() == self.layer() && **other == *name);
        self.last_order(name).unwrap_or(began)
    }

    /// The last order of this call about a sequence of the layer: whether it runs then.
    pub(crate) fn last_order(&self, name: &str) -> Option<bool> {
        if self.commands.is_empty() {
            return None;
        }
        let layer = self.layer().map(|layer| &**layer);
        self.ordered()
            .filter(|order| (order.0, order.1) == (layer, name))
            .last()
            .map(|order| order.2)
    }

    /// Whether the running function has let a sequence wait, or stopped or started it.
    pub(crate) fn has_moved_on(&self, sequence: &str) -> bool {
        let since = self.commands.get(self.began..).unwrap_or_default();
        since
            .iter()
            .any(|command| about_sequence(command).is_some_and(|(name, _)| name == sequence))
    }

    /// The sequences of the layer that this call has started and that have not begun.
    pub(crate) fn started(&self) -> Vec<Arc<WaitPoint>> {
        let mut layer = None;
        let mut started: Vec<Arc<WaitPoint>> = Vec::new();
        for command in &self.commands {
            match command {
                Command::InLayer(name) => layer = name.as_ref(),
                _ if layer != self.layer() => {}
                other => {
                    if let Some((name, _)) = about_sequence(other) {
                        started.retain(|point| *point.sequence != *name);
                    }
                    if let Command::Start(at) = other {
                        started.push(at.clone());
                    }
                }
            }
        }
        started
    }

    /// Refuses one sequence too many.
    fn require_frame(&self, name: &str) -> Accepted<()> {
        if self.runs(name)? || self.sequences().len() < MOST_FRAMES {
            return Ok(());
        }
        refuse(format!("an entity can have at most {MOST_FRAMES} running sequences; stop some with `me.stop(name)`"))
    }
}

/// The sequence that an order is about, and whether it runs then.
fn about_sequence(command: &Command) -> Option<(&str, bool)> {
    match command {
        Command::Start(at) | Command::Wait(at, ..) => Some((&at.sequence, true)),
        Command::Stop(name) => Some((name, false)),
        _ => None,
    }
}
