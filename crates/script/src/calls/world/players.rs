//! What players hold, for scripts of levels and of entities that no player controls.

use crate::calls::*;
use hangtime_core::{models::Intent, sim::MOST_PLAYERS};

const PLAYER: Param = param("player", Type::Whole, "");

/// Adds the topic.
pub fn add(table: &mut CallTable) {
    table.topic(Topic::Players);
    add_calls! { table;
        /// True while the first player holds the action.
        of_world held(ACTION) -> Type::Flag;
        r#"if world::held("right") { this.turned = (this.turned ?? 0.0) + 90.0 * world::dt(); }"#;
        |moment, args| has(moment, args, |intent| intent.held);

        /// True while this player, 1 to 8, holds the action.
        of_world held(ACTION, PLAYER) -> Type::Flag;
        r#"let both = world::held("jump") && world::held("jump", 2);"#;
        |moment, args| has(moment, args, |intent| intent.held);

        /// True in the tick in which the first player presses the action: it is down now and was not in the tick
        /// before.
        of_world pressed(ACTION) -> Type::Flag;
        r#"if world::pressed("jump") { world::play_level("playground"); }"#;
        |moment, args| has(moment, args, |intent| intent.pressed);

        /// The same for this player, 1 to 8.
        of_world pressed(ACTION, PLAYER) -> Type::Flag;
        r#"if world::pressed("jump", 2) { hud::text("joined", 8, 4, "Player 2 is in"); }"#;
        |moment, args| has(moment, args, |intent| intent.pressed);

        /// True in the tick in which the first player releases the action.
        of_world released(ACTION) -> Type::Flag;
        r#"if world::released("hook") { world::emit("let_go"); }"#;
        |moment, args| has(moment, args, |intent| intent.released);

        /// The same for this player, 1 to 8.
        of_world released(ACTION, PLAYER) -> Type::Flag;
        r#"if world::released("hook", 2) { world::emit("let_go"); }"#;
        |moment, args| has(moment, args, |intent| intent.released);

        /// The first player's stick (`move`, -1 to 1 on each axis), or the point being aimed at (`aim`, px of the
        /// level; `()` without aim). The mouse of a player without an entity aims as long as it is used.
        of_world axis(AXIS) -> Type::Either(&[Type::Vec, Type::Nothing]);
        r#"let tilt = world::axis("move").x;"#;
        axis;

        /// The same for this player, 1 to 8.
        of_world axis(AXIS, PLAYER) -> Type::Either(&[Type::Vec, Type::Nothing]);
        r#"let at = world::axis("aim", 2);
    if at != () { world::circle("aim", at.x, at.y, 3); }"#;
        axis;
    }
}

/// The input of the player that the arguments name after the first one.
fn player(moment: &CallMoment, args: Args<'_>) -> Accepted<Intent> {
    let number = if args.count() > 1 { args.whole(1)? } else { 1 };
    let players = &moment.world()?.players;
    match u8::try_from(number) {
        Ok(player @ 1..=MOST_PLAYERS) => Ok(players.of(player)),
        _ => refuse(format!("there is no player {number}; players are 1 to {MOST_PLAYERS}")),
    }
}

/// Whether an action is among some of a player's input.
fn has<'a>(moment: &mut CallMoment, args: Args<'a>, some: fn(&Intent) -> Actions) -> Answered<'a> {
    let action = action(args.text(0)?, &moment.world()?.actions)?;
    Ok(CallAnswer::Flag(some(&player(moment, args)?).has(action)))
}

fn axis<'a>(moment: &'a mut CallMoment, args: Args<'a>) -> Answered<'a> {
    let intent = player(moment, args)?;
    match args.text(0)? {
        "move" => Ok(intent.stick.into()),
        "aim" => Ok(intent.aim.into()),
        name => unknown_axis(name),
    }
}
