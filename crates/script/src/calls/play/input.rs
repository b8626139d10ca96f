//! Input in a test, in place of a player.

use super::super::answer::{Answered, CallAnswer};
use super::super::arg::Arg;
use super::super::arguments::{action, any_number, exactly, parameter, text, unknown_axis};
use super::super::entries::of_test;
use super::super::table::CallTable;
use super::level::TestLevel;
use crate::api::{Names, Param, Type, param};
use crate::{CallRefusal, refuse};
use glam::DVec2;
use hangtime_core::models::Action;

/// Splits `p2.right` into player 2 and `right`; without a prefix it is player 1.
fn player_and(word: &str) -> Result<(u8, &str), CallRefusal> {
    let Some((player, rest)) = word.split_once('.') else {
        return Ok((1, word));
    };
    match player.strip_prefix('p').and_then(|n| n.parse().ok()) {
        Some(number @ 1..=8) => Ok((number, rest)),
        _ => refuse(format!("there is no player `{player}`; use `p1` to `p8`")),
    }
}

fn player_action(level: &TestLevel, word: &str) -> Result<(u8, Action), CallRefusal> {
    let (player, name) = player_and(word)?;
    let own = level.lock().own_actions();
    Ok((player, action(name, &own)?))
}

/// A finite number of any size; a test may aim anywhere.
fn coordinate(name: &str, value: Arg<'_>) -> Result<f64, CallRefusal> {
    let what = parameter("axis", name);
    match any_number(what, value)? {
        x if x.is_finite() => Ok(x),
        x => refuse(format!("{what} cannot be {x}")),
    }
}

const ACTION: &[Param] = &[param("action", Type::Name(Names::PlayerAction), "")];

/// Adds these calls.
pub(super) fn add(table: &mut CallTable) {
    add_keys(table);
    add_axes(table);
    table.add_of_level(
        of_test(
            "input",
            "Plays the keys of an input file, which is next to the test, to its end.",
            "t.input(\"../playground.input\");",
        )
        .takes(const { &[param("file", Type::Name(Names::Input), "")] }),
        |level, args| {
            let [file] = *exactly(args)?;
            let played = level.lock().input(text("input", "file", file)?);
            match played {
                Ok(played) => {
                    level.record.warn(played.warnings);
                    level.steps(played.ticks)?;
                    Ok(CallAnswer::Nothing)
                }
                Err(error) => refuse(error.0),
            }
        },
    );
}

fn add_keys(table: &mut CallTable) {
    table.add_of_level(
        of_test(
            "hold",
            "Holds an action down until it is released. Prefix `p2.` for the second player.",
            "t.hold(\"right\");\nt.run(0.5);",
        )
        .takes(ACTION),
        |level, args| {
            let [word] = *exactly(args)?;
            let (player, action) = player_action(level, text("hold", "action", word)?)?;
            level.lock().hold(player, action);
            Ok(CallAnswer::Nothing)
        },
    );
    table.add_of_level(
        of_test("release", "Releases an action.", "t.release(\"right\");").takes(ACTION),
        |level, args| {
            let [word] = *exactly(args)?;
            let (player, action) = player_action(level, text("release", "action", word)?)?;
            level.lock().release(player, action);
            Ok(CallAnswer::Nothing)
        },
    );
    table.add_of_level(
        of_test("press", "Presses an action during the next tick only.", "t.press(\"jump\");\nt.ticks(2);")
            .takes(ACTION),
        |level, args| {
            let [word] = *exactly(args)?;
            let (player, action) = player_action(level, text("press", "action", word)?)?;
            level.lock().press(player, action);
            Ok(CallAnswer::Nothing)
        },
    );
}

const AXIS: &[Param] =
    &[param("axis", Type::Name(Names::PlayerAxis), ""), param("x", Type::Number, ""), param("y", Type::Number, "")];

fn add_axes(table: &mut CallTable) {
    table.add_of_level(
        of_test(
            "axis",
            "Moves the stick (`move`, -1 to 1 on each axis), or aims at a point (`aim`, px).",
            "t.axis(\"move\", 0.5, 0);",
        )
        .takes(AXIS),
        |level, args| {
            let [word, x, y] = *exactly(args)?;
            axis(level, text("axis", "axis", word)?, [x, y])
        },
    );
}

fn axis<'a>(level: &TestLevel, word: &str, [x, y]: [Arg<'_>; 2]) -> Answered<'a> {
    let (player, axis) = player_and(word)?;
    let at = DVec2::new(coordinate("x", x)?, coordinate("y", y)?);
    match axis {
        "move" if at.abs().max_element() <= 1.0 => level.lock().steer(player, at),
        "move" => {
            return refuse(format!("`move` must be between -1 and 1 on each axis, not {at}"));
        }
        "aim" => level.lock().aim(player, at),
        _ => return unknown_axis(axis),
    }
    Ok(CallAnswer::Nothing)
}
