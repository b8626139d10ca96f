//! What a test does in a player's place.

use super::super::arguments::{Fallible, no_axis, wrong};
use super::super::registry::Registry;
use super::{Test, finite, of_test, setting};
use crate::models::Action;
use crate::script::host::api::{Names, Param, Type, param};
use crate::script::host::names::suggestion;
use glam::DVec2;
use rhai::Dynamic;

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

const ACTION: &[Param] = &[param("action", Type::Name(Names::PlayerAction), "")];

/// Registers it.
pub(super) fn register(registry: &mut Registry<'_>) {
    register_keys(registry);
    register_axes(registry);
    registry.add(
        of_test(
            "input",
            "Plays an input file, beside the test, to its end.",
            "t.input(\"../playground.input\");",
        )
        .takes(const { &[param("file", Type::Name(Names::Input), "")] }),
        |t: &mut Test, file: &str| -> Fallible<()> {
            let ticks = t.lock().input(file);
            match ticks {
                Ok(ticks) => t.steps(ticks),
                Err(error) => wrong(error.0),
            }
        },
    );
    registry.add(
        of_test(
            "tune",
            "Changes a setting from now on, as a change of its file would.",
            "t.tune(\"platformer.jump_speed\", 700);",
        )
        .takes(
            const {
                &[
                    param("key", Type::Name(Names::Setting), ""),
                    param(
                        "value",
                        Type::Either(&[Type::Number, Type::Flag, Type::Text]),
                        "",
                    ),
                ]
            },
        ),
        |t: &mut Test, key: &str, value: Dynamic| -> Fallible<()> {
            let value = setting(&value)?;
            let done = t.lock().tune(key, &value);
            done.or_else(|error| wrong(error.0))
        },
    );
}

fn register_keys(registry: &mut Registry<'_>) {
    registry.add(
        of_test(
            "hold",
            "Holds an action down until it is released. Those of a second player begin with `p2.`.",
            "t.hold(\"right\");\nt.run(0.5);",
        )
        .takes(ACTION),
        |t: &mut Test, word: &str| -> Fallible<()> {
            let (player, action) = player_action(word)?;
            t.lock().hold(player, action);
            Ok(())
        },
    );
    registry.add(
        of_test("release", "Lets an action go.", "t.release(\"right\");").takes(ACTION),
        |t: &mut Test, word: &str| -> Fallible<()> {
            let (player, action) = player_action(word)?;
            t.lock().release(player, action);
            Ok(())
        },
    );
    registry.add(
        of_test(
            "press",
            "Presses an action for the next tick alone.",
            "t.press(\"jump\");\nt.ticks(2);",
        )
        .takes(ACTION),
        |t: &mut Test, word: &str| -> Fallible<()> {
            let (player, action) = player_action(word)?;
            t.lock().press(player, action);
            Ok(())
        },
    );
}

fn register_axes(registry: &mut Registry<'_>) {
    registry.add(
        of_test(
            "axis",
            "Moves the stick (`move`, -1 to 1 each way), or aims at a point (`aim`, px).",
            "t.axis(\"move\", 0.5, 0);",
        )
        .takes(
            const {
                &[
                    param("axis", Type::Name(Names::PlayerAxis), ""),
                    param("x", Type::Number, ""),
                    param("y", Type::Number, ""),
                ]
            },
        ),
        |t: &mut Test, word: &str, x: Dynamic, y: Dynamic| -> Fallible<()> {
            let (player, axis) = player_and(word)?;
            let at = DVec2::new(finite("axis's x", &x)?, finite("axis's y", &y)?);
            match axis {
                "move" if at.abs().max_element() <= 1.0 => t.lock().steer(player, at),
                "move" => return wrong(format!("`move` takes -1 to 1 on each axis, not {at}")),
                "aim" => t.lock().aim(player, at),
                _ => return no_axis(axis),
            }
            Ok(())
        },
    );
}
