//! Input: what the player holds and presses, and virtual input from the script.

use super::*;
use hangtime_core::models::{Action, Intent};

/// Adds both topics.
pub fn add(table: &mut CallTable) {
    table.topic(Topic::Queries);
    add_calls! { table;
        /// Whether the entity touched another one of this kind when the tick began. `on_touch` reports when that
        /// starts.
        of_me touching(KIND) -> Type::Flag;
        r#"if me.touching("spring") { me.jump(); }"#;
        touching;

        /// True while the action is down: held by the player or by `me.hold` in this tick, and not released by
        /// `me.release`.
        of_me held(ACTION) -> Type::Flag;
        r#"if me.held("jump") { this.wants = true; }"#;
        |moment, args| has(moment, args, |intent| intent.held);

        /// True in the tick in which the action is pressed. Calls to `me.hold` and `me.release` in earlier ticks do not
        /// count.
        of_me pressed(ACTION) -> Type::Flag;
        r#"if me.pressed("jump") && !me.grounded { me.jump(); }"#;
        |moment, args| has(moment, args, |intent| intent.pressed);

        /// True in the tick in which the action is released. Calls to `me.hold` and `me.release` in earlier ticks do
        /// not count.
        of_me released(ACTION) -> Type::Flag;
        r#"if me.released("jump") { this.wants = false; }"#;
        |moment, args| has(moment, args, |intent| intent.released);

        /// The stick (`move`, -1 to 1 on each axis), or the point being aimed at (`aim`, px; `()` without aim).
        of_me axis(AXIS) -> Type::Either(&[Type::Vec, Type::Nothing]);
        r#"let far = me.axis("move").length() > 0.8;"#;
        |moment, args| {
            let name = args.text(0)?;
            let me = moment.body(args)?;
            match name {
                "move" => Ok(me.intent().stick.into()),
                "aim" => Ok(me.intent().aim.into()),
                _ => unknown_axis(name),
            }
        };
    }
    table.topic(Topic::VirtualInput);
    add_calls! { table;
        /// Holds an action during this tick, as a player would.
        of_me hold(ACTION);
        r#"me.hold("right");"#;
        |moment, args| press(moment, args, Intent::hold, Command::Hold);

        /// Releases an action during this tick, even if the player holds it.
        of_me release(ACTION);
        r#"if this.stunned == true { me.release("jump"); }"#;
        |moment, args| press(moment, args, Intent::release, Command::Release);

        /// Moves the stick during this tick (`move`, clamped to -1 to 1 on each axis), or aims at a point (`aim`, px).
        of_me steer(AXIS, param("x", Type::Number, ""), param("y", Type::Number, ""));
        r#"me.steer("move", 0.5, 0);"#;
        |moment, args| {
            let axis = args.text(0)?;
            let at = args.point(1)?;
            let me = moment.body(args)?;
            match axis {
                "move" => {
                    me.intent_mut().stick = at.clamp(DVec2::NEG_ONE, DVec2::ONE);
                    let stick = me.intent().stick;
                    me.order(Command::Steer(stick))
                }
                "aim" => aim(me, at),
                _ => unknown_axis(axis),
            }
        };

        /// Aims at a point during this tick.
        of_me aim(X, Y);
        "me.aim(me.x + 100, me.y + 100);";
        |moment, args| {
            let at = args.point(0)?;
            aim(moment.body(args)?, at)
        };
    }
}

/// How many contacts are looked through for one operation.
const CONTACTS_PER_OPERATION: u64 = 8;

/// Whether the entity touches another one of a kind.
fn touching<'a>(moment: &'a mut CallMoment, args: Args<'a>) -> Answered<'a> {
    let kind = args.text(0)?;
    let (me, world) = moment.both()?;
    let me = me.with_body(args.call())?.view().id;
    if !world.stage()?.touches {
        return refuse(
            "`touching` needs contacts between entities; set `touches = true` in `[simulation]` of \
             `config/hangtime.toml`",
        );
    }
    charge(world.touching.len() as u64 / CONTACTS_PER_OPERATION)?;
    let entities = &world.entities;
    let is_of_kind = |id: &EntityId| {
        let place = entities.binary_search_by_key(id, |view| view.id);
        place.is_ok_and(|place| *entities[place].kind == *kind)
    };
    let mut others = world.touching.iter().filter_map(|(a, b)| match me {
        me if me == *a => Some(b),
        me if me == *b => Some(a),
        _ => None,
    });
    Ok(CallAnswer::Flag(others.any(is_of_kind)))
}

/// Whether an action is among some of the input.
fn has<'a>(moment: &mut CallMoment, args: Args<'a>, some: fn(&Intent) -> Actions) -> Answered<'a> {
    let name = args.text(0)?;
    let actions = some(moment.body(args)?.intent());
    Ok(CallAnswer::Flag(actions.has(action(name, &moment.world.actions)?)))
}

/// Holds or releases an action.
fn press<'a>(
    moment: &mut CallMoment,
    args: Args<'a>,
    change: fn(&mut Intent, Action, Actions),
    command: fn(Action) -> Command,
) -> Answered<'a> {
    let name = args.text(0)?;
    let action = action(name, &moment.world.actions)?;
    let me = moment.body(args)?;
    let before = me.before;
    change(me.intent_mut(), action, before);
    me.order(command(action))
}

fn aim<'a>(me: &mut MeState, at: DVec2) -> Answered<'a> {
    me.intent_mut().aim = Some(at);
    me.order(Command::Aim(at))
}
