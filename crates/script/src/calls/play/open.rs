//! `play`: opening a level.

use super::super::answer::{Answered, CallAnswer};
use super::super::arg::Arg;
use super::super::arguments::{exactly, parameter, text};
use super::super::entries::free_in_tests;
use super::super::table::CallTable;
use super::level::TestLevel;
use super::session::TestSession;
use super::settings::setting_text;
use crate::api::{Names, Param, Type, param};
use crate::budget::charge;
use crate::{Settings, refuse};

/// Operations charged for opening a level, whose files are read and built.
const PER_LEVEL: u64 = 20_000;

const LEVEL: Param = param("level", Type::Name(Names::Level), "");

fn open<'a>(session: &TestSession, level: &str, settings: &Settings) -> Answered<'a> {
    charge(PER_LEVEL)?;
    if session.record.is_listing() {
        return refuse("a table of cases is read before tests run, and cannot play levels");
    }
    match session.playtest.play(level, settings) {
        Ok(level) => {
            let (record, may_emit) = (session.record.clone(), session.may_emit.clone());
            let level = TestLevel::new(level, record, may_emit)?;
            Ok(CallAnswer::Level(Box::new(level)))
        }
        Err(error) => refuse(error.0),
    }
}

fn open_with<'a>(session: &TestSession, level: &str, map: Arg<'_>) -> Answered<'a> {
    let Arg::Foreign(map) = map else {
        return refuse(format!("{} must be a map, not {}", parameter("play", "settings"), map.type_name()));
    };
    let mut settings = Settings::new();
    map.each_entry(&mut |key, value| {
        settings.push((key.to_string(), setting_text(value)?));
        Ok(())
    })?;
    open(session, level, &settings)
}

/// Adds `play` with and without settings.
pub(super) fn add(table: &mut CallTable) {
    table.add_in_session(
        free_in_tests(
            "play",
            "Opens a level at tick 0: a file next to the test or in `levels/`.",
            "let t = play(\"playground.toml\");",
        )
        .takes(const { &[LEVEL] })
        .returns(Type::Test, ""),
        |session, args| {
            let [level] = *exactly(args)?;
            open(session, text("play", "level", level)?, &Settings::new())
        },
    );
    table.add_in_session(
        free_in_tests(
            "play",
            "With settings that override the files, as `--set` does, and with the random `seed` of the level, 0 without one. \
             Limits of scripts can only be lowered.",
            "let t = play(\"playground.toml\", #{ \"simulation.tick_hz\": 120, seed: 7 });",
        )
        .takes(const { &[LEVEL, param("settings", Type::Data, "")] })
        .returns(Type::Test, ""),
        |session, args| {
            let [level, settings] = *exactly(args)?;
            open_with(session, text("play", "level", level)?, settings)
        },
    );
}
