//! Input in a test, in place of a player.

use super::*;
use hangtime_core::{models::Action, sim::PlayerInput};
use hangtime_script::calls::{action, parameter, unknown_axis};

/// Splits `p2.right` into player 2 and `right`; without a prefix it is player 1. An entity of the level must be the
/// player's, or scripts must hear players.
fn player_and<'w>(level: &TestLevel, word: &'w str) -> Result<(u8, &'w str), CallRefusal> {
    let (player, rest) = word.split_once('.').unwrap_or(("p1", word));
    match player.strip_prefix('p').and_then(|n| n.parse().ok()) {
        Some(number @ 1..=8) => {
            let played = level.lock();
            let revision = played.game.live.revision();
            let heard = revision.scripts.hears_players();
            if heard || revision.stage.starts.iter().any(|start| start.player == Some(number)) {
                Ok((number, rest))
            } else {
                refuse(format!(
                    "no entity of this level has `player = {number}`, and no script asks `world::held`, so nothing gets these keys"
                ))
            }
        }
        _ => refuse(format!("there is no player `{player}`; use `p1` to `p8`")),
    }
}

/// Changes what a player holds by an action: `p2.right`.
fn change<'a>(level: &TestLevel, args: Args<'_>, change: fn(&mut PlayerInput, Action)) -> Answered<'a> {
    let (player, name) = player_and(level, args.text(0)?)?;
    let mut played = level.lock();
    let action = action(name, &played.game.live.revision().stage.actions)?;
    change(played.game.progress.held.player_mut(player), action);
    Ok(CallAnswer::Nothing)
}

/// A finite number of any size; a test may aim anywhere.
fn coordinate(name: &str, value: Arg<'_>) -> Result<f64, CallRefusal> {
    let what = parameter("axis", name);
    match value.any_number(what)? {
        x if x.is_finite() => Ok(x),
        x => refuse(format!("{what} cannot be {x}")),
    }
}

const ACTION: Param = param("action", Type::Name(Names::PlayerAction), "");

/// Adds these calls.
pub fn add(table: &mut ObjectCalls) {
    add_calls! { table;
        /// Holds an action down until it is released. Prefix `p2.` for the second player.
        call hold(ACTION);
        "t.hold(\"right\");\nt.run(0.5);";
        |level: &TestLevel, args| change(level, args, |input, action| input.held.insert(action));

        /// Releases an action.
        call release(ACTION);
        "t.release(\"right\");";
        |level: &TestLevel, args| change(level, args, |input, action| input.held.remove(action));

        /// Presses an action during the next tick only.
        call press(ACTION);
        "t.press(\"jump\");\nt.ticks(2);";
        |level: &TestLevel, args| change(level, args, |input, action| input.pressed.insert(action));

        /// Moves the stick (`move`, -1 to 1 on each axis), or aims at a point (`aim`, px).
        call axis(AXIS, param("x", Type::Number, ""), param("y", Type::Number, ""));
        "t.axis(\"move\", 0.5, 0);";
        axis;

        /// Plays the keys of an input file, which is next to the test, to its end.
        call input(param("file", Type::Name(Names::Input), ""));
        "t.input(\"../playground.input\");";
        |level: &TestLevel, args| {
            let (ticks, warnings) = level.lock().game.input(args.text(0)?)?;
            level.session.warn(warnings);
            level.steps(ticks)
        };
    }
}

const AXIS: Param = param("axis", Type::Name(Names::PlayerAxis), "");

fn axis<'a>(level: &'a TestLevel, args: Args<'a>) -> Answered<'a> {
    let (player, axis) = player_and(level, args.text(0)?)?;
    let at = DVec2::new(coordinate("x", args.get(1))?, coordinate("y", args.get(2))?);
    let mut played = level.lock();
    let input = played.game.progress.held.player_mut(player);
    match axis {
        "move" if at.abs().max_element() <= 1.0 => input.stick = at,
        "move" => {
            return refuse(format!("`move` must be between -1 and 1 on each axis, not {at}"));
        }
        "aim" => input.aim = Some(at),
        _ => return unknown_axis(axis),
    }
    Ok(CallAnswer::Nothing)
}
