//! Input in a test, in place of a player.

use super::super::arguments::{Fallible, any_number, fail, parameter};
use super::super::entries::of_test;
use super::super::registry::Registry;
use super::test_level::TestLevel;
use crate::models::Action;
use crate::script::host::api::{Names, Param, Type, param};
use crate::script::host::calls::{action, unknown_axis};
use glam::DVec2;
use rhai::{Dynamic, FLOAT};

/// Splits `p2.right` into player 2 and `right`; without a prefix it is player 1.
fn player_and(word: &str) -> Fallible<(u8, &str)> {
    let Some((player, rest)) = word.split_once('.') else {
        return Ok((1, word));
    };
    match player.strip_prefix('p').and_then(|n| n.parse().ok()) {
        Some(number @ 1..=8) => Ok((number, rest)),
        _ => fail(format!("there is no player `{player}`; use `p1` to `p8`")),
    }
}

fn player_action(word: &str) -> Fallible<(u8, Action)> {
    let (player, name) = player_and(word)?;
    Ok((player, action(name)?))
}

/// A finite number of any size; a test may aim anywhere.
fn coordinate(name: &str, value: &Dynamic) -> Fallible<FLOAT> {
    let what = parameter("axis", name);
    match any_number(what, value)? {
        x if x.is_finite() => Ok(x),
        x => fail(format!("{what} cannot be {x}")),
    }
}

const ACTION: &[Param] = &[param("action", Type::Name(Names::PlayerAction), "")];

/// Registers these calls.
pub(super) fn register(registry: &mut Registry<'_>) {
    register_keys(registry);
    register_axes(registry);
    registry.add(
        of_test(
            "input",
            "Plays the keys of an input file, which is next to the test, to its end.",
            "t.input(\"../playground.input\");",
        )
        .takes(const { &[param("file", Type::Name(Names::Input), "")] }),
        |t: &mut TestLevel, file: &str| -> Fallible<()> {
            let played = t.lock().input(file);
            match played {
                Ok(played) => {
                    t.record.warn(played.warnings);
                    t.steps(played.ticks)
                }
                Err(error) => fail(error.0),
            }
        },
    );
}

fn register_keys(registry: &mut Registry<'_>) {
    registry.add(
        of_test(
            "hold",
            "Holds an action down until it is released. Prefix `p2.` for the second player.",
            "t.hold(\"right\");\nt.run(0.5);",
        )
        .takes(ACTION),
        |t: &mut TestLevel, word: &str| -> Fallible<()> {
            let (player, action) = player_action(word)?;
            t.lock().hold(player, action);
            Ok(())
        },
    );
    registry.add(
        of_test("release", "Releases an action.", "t.release(\"right\");").takes(ACTION),
        |t: &mut TestLevel, word: &str| -> Fallible<()> {
            let (player, action) = player_action(word)?;
            t.lock().release(player, action);
            Ok(())
        },
    );
    registry.add(
        of_test(
            "press",
            "Presses an action during the next tick only.",
            "t.press(\"jump\");\nt.ticks(2);",
        )
        .takes(ACTION),
        |t: &mut TestLevel, word: &str| -> Fallible<()> {
            let (player, action) = player_action(word)?;
            t.lock().press(player, action);
            Ok(())
        },
    );
}

const AXIS: &[Param] = &[
    param("axis", Type::Name(Names::PlayerAxis), ""),
    param("x", Type::Number, ""),
    param("y", Type::Number, ""),
];

fn register_axes(registry: &mut Registry<'_>) {
    registry.add(
        of_test(
            "axis",
            "Moves the stick (`move`, -1 to 1 on each axis), or aims at a point (`aim`, px).",
            "t.axis(\"move\", 0.5, 0);",
        )
        .takes(AXIS),
        |t: &mut TestLevel, word: &str, x: Dynamic, y: Dynamic| -> Fallible<()> {
            let (player, axis) = player_and(word)?;
            let at = DVec2::new(coordinate("x", &x)?, coordinate("y", &y)?);
            match axis {
                "move" if at.abs().max_element() <= 1.0 => t.lock().steer(player, at),
                "move" => {
                    return fail(format!(
                        "`move` must be between -1 and 1 on each axis, not {at}"
                    ));
                }
                "aim" => t.lock().aim(player, at),
                _ => return Ok(unknown_axis(axis)?),
            }
            Ok(())
        },
    );
}
