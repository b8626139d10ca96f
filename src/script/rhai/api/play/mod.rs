//! `play(level)` and `t`: how a test script plays.

mod hands;
mod known;
mod moments;
mod sight;
mod time;
mod why;

use super::arguments::{Fallible, any_number, wrong};
use super::expect::Idle;
use super::registry::Registry;
use crate::script::host::api::{Entry, Names, Owner, Param, Room, Topic, Type, param};
use crate::script::host::{PlayedLevel, Playtest, Settings};
use crate::script::rhai::engine::values::type_name;
use crate::script::rhai::messages::thrown::BehaviorFailed;
use rhai::{Dynamic, EvalAltResult, FLOAT, Map, Position};
use std::sync::{Arc, Mutex, MutexGuard};

/// What the runner learns of a test while it plays: the tick of the level played last, how many
/// ticks were played in all, whether it is known to fail, and where it expects nothing.
#[derive(Clone, Default)]
pub(in crate::script::rhai) struct Seen(Arc<Mutex<Progress>>);

#[derive(Default)]
struct Progress {
    tick: Option<u64>,
    played: u64,
    known: Option<String>,
    idle: Option<Idle>,
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

    /// Why the test is known to fail, if it has said so.
    pub fn known(&self) -> Option<String> {
        self.lock().known.clone()
    }

    /// Notes an expectation that was compared with nothing; the first is told.
    pub fn note_idle(&self, idle: &Idle) {
        self.lock().idle.get_or_insert_with(|| idle.clone());
    }

    /// The first expectation that was compared with nothing.
    pub fn idle(&self) -> Option<Idle> {
        self.lock().idle.clone()
    }
}

/// Whether some script of the game may tell of an event of its own by this name.
pub(in crate::script::rhai) type Told = Arc<dyn Fn(&str) -> bool + Send + Sync>;

/// Most ticks that one test plays: more than four hours at 60 Hz.
const MOST_TICKS: u64 = 1_000_000;

/// `t`: a level being played.
#[derive(Clone)]
struct Test {
    game: Arc<Mutex<Box<dyn PlayedLevel>>>,
    seen: Seen,
    told: Told,
}

/// A number that is finite; places in a test may be anywhere.
fn finite(what: &str, value: &Dynamic) -> Fallible<FLOAT> {
    match any_number(what, value)? {
        x if x.is_finite() => Ok(x),
        x => wrong(format!("{what} cannot be {x}")),
    }
}

impl Test {
    fn lock(&self) -> MutexGuard<'_, Box<dyn PlayedLevel>> {
        self.game
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// One tick. A behavior that fails fails the test.
    fn step(&self) -> Fallible<()> {
        let mut game = self.lock();
        self.seen.lock().played += 1;
        if self.seen.lock().played > MOST_TICKS {
            return wrong(format!("a test plays at most {MOST_TICKS} ticks"));
        }
        game.step();
        self.seen.set(game.tick());
        match game.take_faults().into_iter().next() {
            None => Ok(()),
            Some(first) => {
                let failed = Dynamic::from(BehaviorFailed(Arc::new(first)));
                Err(EvalAltResult::ErrorRuntime(failed, Position::NONE).into())
            }
        }
    }

    fn steps(&self, ticks: u64) -> Fallible<()> {
        (0..ticks).try_for_each(|_| self.step())
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

const LEVEL: Param = param("level", Type::Name(Names::Level), "");

/// Registers everything that plays.
pub(in crate::script::rhai) fn register(
    registry: &mut Registry<'_>,
    playtest: Arc<dyn Playtest>,
    seen: Seen,
    told: Told,
) {
    registry.topic(Topic::Play);
    registry.value::<Test>(Owner::Test);
    known::register(registry, seen.clone());
    let open = move |level: &str, settings: &Settings| -> Fallible<Test> {
        match playtest.play(level, settings) {
            Ok(game) => {
                seen.set(game.tick());
                Ok(Test {
                    game: Arc::new(Mutex::new(game)),
                    seen: seen.clone(),
                    told: told.clone(),
                })
            }
            Err(error) => wrong(error.0),
        }
    };
    let plain = open.clone();
    registry.add(
        Entry::call(
            Owner::Free,
            "play",
            "Opens a level at tick 0: a file beside the test, or below `levels/`.",
            "let t = play(\"playground.toml\");",
        )
        .takes(const { &[LEVEL] })
        .answers(Type::Test, "")
        .only_in(Room::Test),
        move |level: &str| plain(level, &Settings::new()),
    );
    registry.add(
        Entry::call(
            Owner::Free,
            "play",
            "The same, with settings laid over the files, as `--set` does.",
            "let t = play(\"playground.toml\", #{ \"simulation.tick_hz\": 120 });",
        )
        .takes(const { &[LEVEL, param("settings", Type::Data, "")] })
        .answers(Type::Test, "")
        .only_in(Room::Test),
        move |level: &str, map: Map| -> Fallible<Test> {
            let each = map
                .iter()
                .map(|(key, value)| Ok((key.to_string(), setting(value)?)));
            open(level, &each.collect::<Fallible<Settings>>()?)
        },
    );
    hands::register(registry);
    time::register(registry);
    moments::register(registry);
    sight::register(registry);
    why::register(registry);
}

fn of_test(name: &'static str, doc: &'static str, example: &'static str) -> Entry {
    Entry::call(Owner::Test, name, doc, example)
}
