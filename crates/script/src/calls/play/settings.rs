//! Settings of a level that a test plays.

use super::super::answer::CallAnswer;
use super::super::arg::Arg;
use super::super::arguments::{exactly, text};
use super::super::entries::of_test;
use super::super::table::CallTable;
use crate::api::{Names, Param, Type, param};
use crate::budget::charge;
use crate::{CallRefusal, refuse};

/// The value of a setting as TOML.
pub(super) fn setting_text(value: Arg<'_>) -> Result<String, CallRefusal> {
    if let Some(number) = value.written() {
        return Ok(number);
    }
    match value {
        Arg::Text(text) => Ok(format!("{text:?}")),
        Arg::Flag(x) => Ok(x.to_string()),
        other => refuse(format!("a setting must be a number, text, or true or false, not {}", other.type_name())),
    }
}

/// Operations charged for a setting: the files of the level are built again.
const PER_SETTING: u64 = 20_000;

const KEY_AND_VALUE: &[Param] = &[
    param("key", Type::Name(Names::Setting), ""),
    param("value", Type::Either(&[Type::Number, Type::Flag, Type::Text]), ""),
];

/// Adds `tune`.
pub(super) fn add(table: &mut CallTable) {
    table.add_of_level(
        of_test(
            "tune",
            "Changes a setting while the level runs, as if its file had been edited. Limits of scripts can only be lowered.",
            "t.tune(\"platformer.jump_speed\", 700);",
        )
        .takes(KEY_AND_VALUE),
        |level, args| {
            let [key, value] = *exactly(args)?;
            let key = text("tune", "key", key)?;
            charge(PER_SETTING)?;
            let value = setting_text(value)?;
            let done = level.lock().tune(key, &value);
            done.or_else(|error| refuse(error.0))?;
            Ok(CallAnswer::Nothing)
        },
    );
}
