//! Settings of a level that a test plays.

use super::super::arguments::{Fallible, fail};
use super::super::entries::of_test;
use super::super::registry::Registry;
use super::test_level::TestLevel;
use crate::script::host::api::{Names, Param, Type, param};
use crate::script::rhai::engine::budget::charge;
use crate::script::rhai::engine::values::type_name;
use rhai::Dynamic;

/// The value of a setting as TOML.
pub(super) fn setting_text(value: &Dynamic) -> Fallible<String> {
    if let Ok(text) = value.as_immutable_string_ref() {
        return Ok(format!("{:?}", text.as_str()));
    }
    if value.is_int() || value.is_float() || value.is_bool() {
        return Ok(value.to_string());
    }
    fail(format!(
        "a setting must be a number, text, or true or false, not {}",
        type_name(value)
    ))
}

/// Operations charged for a setting: the files of the level are built again.
const PER_SETTING: u64 = 20_000;

const KEY_AND_VALUE: &[Param] = &[
    param("key", Type::Name(Names::Setting), ""),
    param(
        "value",
        Type::Either(&[Type::Number, Type::Flag, Type::Text]),
        "",
    ),
];

/// Registers `tune`.
pub(super) fn register(registry: &mut Registry<'_>) {
    registry.add(
        of_test(
            "tune",
            "Changes a setting while the level runs, as if its file had been edited. Limits of scripts can only be lowered.",
            "t.tune(\"platformer.jump_speed\", 700);",
        )
        .takes(KEY_AND_VALUE),
        |t: &mut TestLevel, key: &str, value: Dynamic| -> Fallible<()> {
            charge(PER_SETTING)?;
            let value = setting_text(&value)?;
            let done = t.lock().tune(key, &value);
            done.or_else(|error| fail(error.0))
        },
    );
}
