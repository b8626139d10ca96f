//! `play(level)` and `t`: how a test script plays.

use super::math::number;
use super::me::{READABLE, show};
use crate::models::Action;
use crate::script::host::names::suggestion;
use crate::script::host::{EVENTS, Game, Playtest, Settings};
use crate::script::rhai::values::{event_map, same, to_map, type_name};
use glam::DVec2;
use rhai::{
    Array, Dynamic, Engine, EvalAltResult, FLOAT, FnPtr, INT, ImmutableString, Map,
    NativeCallContext, Position,
};
use std::sync::{Arc, Mutex, MutexGuard};

type Fallible<T> = Result<T, Box<EvalAltResult>>;

/// What the runner learns of a test while it plays: the tick of the level played last, and how many
/// ticks were played in all.
#[derive(Clone, Default)]
pub(in crate::script::rhai) struct Seen(Arc<Mutex<Progress>>);

#[derive(Default)]
struct Progress {
    tick: Option<u64>,
    played: u64,
}

impl Seen {
    fn lock(&self) -> MutexGuard<'_, Progress> {
        self.0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn set(&self, tick: u64) {
        self.lock().tick = Some(tick);
    }

    pub fn forget(&self) {
        *self.lock() = Progress::default();
    }

    pub fn tick(&self) -> Option<u64> {
        self.lock().tick
    }
}

/// Most ticks that one test plays: more than four hours at 60 Hz.
const MOST_TICKS: u64 = 1_000_000;

/// `t`: a level being played.
#[derive(Clone)]
pub(super) struct Test {
    game: Arc<Mutex<Box<dyn Game>>>,
    seen: Seen,
}

/// An entity of a level being played; reads are of its state now.
#[derive(Clone)]
pub(super) struct Live {
    test: Test,
    name: String,
}

impl Live {
    /// What a property shows now.
    fn read(&self, property: &str) -> Fallible<Dynamic> {
        let game = self.test.lock();
        match game.entity(&self.name) {
            Some(_) if property == "vars" => Ok(to_map(&game.vars(&self.name)).into()),
            Some(view) => Ok(show(&view, property)),
            None => wrong(format!("`{}` is no longer in the level", self.name)),
        }
    }
}

/// What can be called on `t`, for typing errors.
pub(in crate::script::rhai) const CALLABLE: [&str; 18] = [
    "play",
    "hold",
    "release",
    "press",
    "axis",
    "run",
    "ticks",
    "run_until",
    "input",
    "tune",
    "entity",
    "events",
    "why",
    "why_text",
    "tick",
    "time",
    "vars",
    "age",
];

fn wrong<T>(message: String) -> Fallible<T> {
    Err(EvalAltResult::ErrorRuntime(message.into(), Position::NONE).into())
}

/// A whole number, or a floating one that is whole.
fn whole(what: &str, value: &Dynamic) -> Fallible<u64> {
    match number(value) {
        Some(x) if x >= 0.0 && x.trunc() == x && x < 1e9 => Ok(x as u64),
        Some(x) => wrong(format!("{what} takes a whole number from 0, not {x}")),
        None => wrong(format!("{what} takes a number, not {}", type_name(value))),
    }
}

fn finite(what: &str, value: &Dynamic) -> Fallible<FLOAT> {
    match number(value) {
        Some(x) if x.is_finite() => Ok(x),
        Some(x) => wrong(format!("{what} cannot be {x}")),
        None => wrong(format!("{what} takes a number, not {}", type_name(value))),
    }
}

/// Splits `p2.right` into player 2 and `right`; without a prefix it is player 1.
fn player_and(word: &str) -> Fallible<(u8, &str)> {
    let Some((player, rest)) = word.split_once('.') else {
        return Ok((1, word));
    };
    match player.strip_prefix('p').and_then(|n| n.parse().ok()) {
        Some(number @ 1..=8) => Ok((number, rest)),
        _ => wrong(format!("`{player}` is no player; they are `p1` to `p8`")),
    }
}

fn player_action(word: &str) -> Fallible<(u8, Action)> {
    let (player, name) = player_and(word)?;
    match Action::parse(name) {
        Some(action) => Ok((player, action)),
        None => {
            let hint = suggestion(name, Action::ALL.map(Action::name));
            wrong(format!("there is no action `{name}`{hint}"))
        }
    }
}

impl Test {
    pub(super) fn lock(&self) -> MutexGuard<'_, Box<dyn Game>> {
        self.game
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// One tick. A behaviour that fails fails the test.
    fn step(&self) -> Fallible<()> {
        let mut game = self.lock();
        self.seen.lock().played += 1;
        if self.seen.lock().played > MOST_TICKS {
            return wrong(format!("a test plays at most {MOST_TICKS} ticks"));
        }
        game.step();
        self.seen.set(game.tick());
        let faults = game.take_faults();
        match faults.first() {
            None => Ok(()),
            Some(first) => wrong(format!("a behaviour failed: {first}")),
        }
    }

    fn steps(&self, ticks: u64) -> Fallible<()> {
        (0..ticks).try_for_each(|_| self.step())
    }

    fn ticks_in(&self, what: &str, seconds: &Dynamic) -> Fallible<u64> {
        let seconds = finite(what, seconds)?;
        if !(0.0..=3600.0).contains(&seconds) {
            return wrong(format!("{what} takes 0 to 3600 seconds, not {seconds}"));
        }
        Ok((seconds * f64::from(self.lock().hz())).round() as u64)
    }

    pub(super) fn entity(&self, name: &str) -> Fallible<Live> {
        let game = self.lock();
        if game.entity(name).is_some() {
            return Ok(Live {
                test: self.clone(),
                name: name.into(),
            });
        }
        let names = game.names();
        let hint = suggestion(name, names.iter().map(String::as_str).collect::<Vec<_>>());
        wrong(format!("there is no entity `{name}` in this level{hint}"))
    }

    fn events(&self, name: Option<&str>) -> Fallible<Array> {
        let known = EVENTS.iter().filter_map(|hook| hook.event());
        if let Some(name) = name
            && !known.clone().any(|event| event == name)
        {
            let hint = suggestion(name, known.collect::<Vec<_>>());
            return wrong(format!("there is no event `{name}`{hint}"));
        }
        let game = self.lock();
        let wanted =
            |event: &&crate::sim::Event| name.is_none_or(|name| event.happening.name() == name);
        Ok(game
            .events()
            .iter()
            .filter(wanted)
            .map(|e| event_map(e).into())
            .collect())
    }
}

/// A setting's value as it would stand in a file.
fn setting(value: &Dynamic) -> Fallible<String> {
    if let Ok(text) = value.as_immutable_string_ref() {
        return Ok(format!("{:?}", text.as_str()));
    }
    if value.is_int() || value.is_float() || value.is_bool() {
        return Ok(value.to_string());
    }
    wrong(format!(
        "a setting takes a number, text, true or false, not {}",
        type_name(value)
    ))
}

/// Registers everything that plays.
pub(in crate::script::rhai) fn register(
    engine: &mut Engine,
    playtest: Arc<dyn Playtest>,
    seen: Seen,
) {
    engine.register_type_with_name::<Test>("test");
    engine.register_type_with_name::<Live>("entity");
    let open = move |level: &str, settings: &Settings| -> Fallible<Test> {
        match playtest.play(level, settings) {
            Ok(game) => {
                seen.set(game.tick());
                Ok(Test {
                    game: Arc::new(Mutex::new(game)),
                    seen: seen.clone(),
                })
            }
            Err(why) => wrong(why),
        }
    };
    let plain = open.clone();
    engine.register_fn("play", move |level: &str| plain(level, &Settings::new()));
    engine.register_fn("play", move |level: &str, map: Map| -> Fallible<Test> {
        let each = map
            .iter()
            .map(|(key, value)| Ok((key.to_string(), setting(value)?)));
        open(level, &each.collect::<Fallible<Settings>>()?)
    });
    register_input(engine);
    register_time(engine);
    register_sight(engine);
    super::why::register(engine);
}

fn register_input(engine: &mut Engine) {
    engine.register_fn("hold", |t: &mut Test, word: &str| -> Fallible<()> {
        let (player, action) = player_action(word)?;
        t.lock().hold(player, action);
        Ok(())
    });
    engine.register_fn("release", |t: &mut Test, word: &str| -> Fallible<()> {
        let (player, action) = player_action(word)?;
        t.lock().release(player, action);
        Ok(())
    });
    engine.register_fn("press", |t: &mut Test, word: &str| -> Fallible<()> {
        let (player, action) = player_action(word)?;
        t.lock().press(player, action);
        Ok(())
    });
    engine.register_fn(
        "axis",
        |t: &mut Test, word: &str, x: Dynamic, y: Dynamic| -> Fallible<()> {
            let (player, axis) = player_and(word)?;
            let at = DVec2::new(finite("axis's x", &x)?, finite("axis's y", &y)?);
            match axis {
                "move" if at.abs().max_element() <= 1.0 => t.lock().steer(player, at),
                "move" => return wrong(format!("`move` takes -1 to 1 on each axis, not {at}")),
                "aim" => t.lock().aim(player, at),
                _ => {
                    return wrong(format!(
                        "there is no axis `{axis}`; it can be `move` or `aim`"
                    ));
                }
            }
            Ok(())
        },
    );
    engine.register_fn("input", |t: &mut Test, file: &str| -> Fallible<()> {
        let ticks = t.lock().input(file);
        match ticks {
            Ok(ticks) => t.steps(ticks),
            Err(why) => wrong(why),
        }
    });
    engine.register_fn(
        "tune",
        |t: &mut Test, key: &str, value: Dynamic| -> Fallible<()> {
            let value = setting(&value)?;
            let done = t.lock().tune(key, &value);
            done.or_else(wrong)
        },
    );
}

fn register_time(engine: &mut Engine) {
    engine.register_fn("run", |t: &mut Test, seconds: Dynamic| -> Fallible<()> {
        let ticks = t.ticks_in("run", &seconds)?;
        t.steps(ticks)
    });
    engine.register_fn("ticks", |t: &mut Test, count: Dynamic| -> Fallible<()> {
        t.steps(whole("ticks", &count)?)
    });
    engine.register_fn(
        "run_until",
        |context: NativeCallContext<'_>, t: Test, condition: FnPtr, seconds: Dynamic| {
            let most = t.ticks_in("run_until", &seconds)?;
            for _ in 0..most {
                if condition.call_within_context::<bool>(&context, (t.clone(),))? {
                    return Ok(());
                }
                t.step()?;
            }
            if condition.call_within_context::<bool>(&context, (t.clone(),))? {
                return Ok(());
            }
            wrong(format!("the condition was not met within {seconds} s"))
        },
    );
    engine.register_get("tick", |t: &mut Test| t.lock().tick() as INT);
    engine.register_get("time", |t: &mut Test| {
        let game = t.lock();
        game.tick() as FLOAT / FLOAT::from(game.hz())
    });
}

fn register_sight(engine: &mut Engine) {
    engine.register_fn("entity", |t: &mut Test, name: &str| t.entity(name));
    engine.register_fn("events", |t: &mut Test| t.events(None));
    engine.register_fn("events", |t: &mut Test, name: &str| t.events(Some(name)));
    for property in READABLE.into_iter().chain(["age", "vars"]) {
        engine.register_get(property, move |live: &mut Live| live.read(property));
        engine.register_set(property, move |live: &mut Live, value: Dynamic| {
            // A method of what was read, as in `hero.vel.length()`, writes it back as it was.
            if same(&value, &live.read(property)?) {
                return Ok(());
            }
            wrong(format!(
                "`{property}` cannot be written: a test holds keys and tunes, and reads what comes \
                 of it"
            ))
        });
    }
    engine.register_fn("to_string", |live: &mut Live| {
        ImmutableString::from(live.name.as_str())
    });
}
