//! `play`: opening a level.

use super::super::arguments::{Fallible, fail};
use super::super::entries::free_in_tests;
use super::super::registry::Registry;
use super::super::test_record::TestRecord;
use super::settings::setting_text;
use super::test_level::{MayEmit, TestLevel};
use crate::script::host::api::{Names, Owner, Param, Type, param};
use crate::script::host::{Playtest, Settings};
use crate::script::rhai::engine::budget::charge;
use rhai::Map;
use std::sync::Arc;

/// Operations charged for opening a level, whose files are read and built.
const PER_LEVEL: u64 = 20_000;

const LEVEL: Param = param("level", Type::Name(Names::Level), "");

/// Registers `play` with and without settings.
pub(super) fn register(
    registry: &mut Registry<'_>,
    playtest: Arc<dyn Playtest>,
    record: &TestRecord,
    may_emit: MayEmit,
) {
    registry.value::<TestLevel>(Owner::Test);
    let record = record.clone();
    let open = move |level: &str, settings: &Settings| -> Fallible<TestLevel> {
        charge(PER_LEVEL)?;
        if record.is_listing() {
            return fail(
                "a table of cases is read before tests run, and cannot play levels".into(),
            );
        }
        match playtest.play(level, settings) {
            Ok(level) => TestLevel::new(level, record.clone(), may_emit.clone()),
            Err(error) => fail(error.0),
        }
    };
    let plain = open.clone();
    registry.add(
        free_in_tests(
            "play",
            "Opens a level at tick 0: a file next to the test or in `levels/`.",
            "let t = play(\"playground.toml\");",
        )
        .takes(const { &[LEVEL] })
        .returns(Type::Test, ""),
        move |level: &str| plain(level, &Settings::new()),
    );
    registry.add(
        free_in_tests(
            "play",
            "With settings that override the files, as `--set` does. Limits of scripts can only be lowered.",
            "let t = play(\"playground.toml\", #{ \"simulation.tick_hz\": 120 });",
        )
        .takes(const { &[LEVEL, param("settings", Type::Data, "")] })
        .returns(Type::Test, ""),
        move |level: &str, map: Map| -> Fallible<TestLevel> {
            let each = map
                .iter()
                .map(|(key, value)| Ok((key.to_string(), setting_text(value)?)));
            open(level, &each.collect::<Fallible<Settings>>()?)
        },
    );
}
