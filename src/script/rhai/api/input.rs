//! Keys and stick: what the player does, and what the script does in their place.

use super::arguments::{Fallible, action, no_axis, point};
use super::me::{Me, Moment};
use super::registry::Registry;
use crate::script::host::api::{Entry, Names, Owner, Param, Topic, Type, param};
use crate::script::rhai::engine::vector::Vector;
use crate::sim::Command;
use glam::DVec2;
use rhai::Dynamic;

const ACTION: &[Param] = &[param("action", Type::Name(Names::Action), "")];
const AXIS: Param = param("axis", Type::Name(Names::Axis), "");

/// Registers both.
pub(in crate::script::rhai) fn register(registry: &mut Registry<'_>) {
    registry.topic(Topic::Input);
    register_reading(registry);
    register_orders(registry);
}

fn me(name: &'static str, doc: &'static str, example: &'static str) -> Entry {
    Entry::call(Owner::Me, name, doc, example)
}

fn register_reading(registry: &mut Registry<'_>) {
    registry.add(
        me(
            "held",
            "Whether an action is held down: by its player, but for what the script itself holds and \
             releases in this tick.",
            r#"if me.held("jump") { this.wants = true; }"#,
        )
        .takes(ACTION)
        .answers(Type::Flag, ""),
        |me: &mut Me, name: &str| -> Fallible<bool> {
            Ok(me.with_body("held")?.intent.held.has(action(name)?))
        },
    );
    registry.add(
        me(
            "pressed",
            "Whether an action has gone down in this tick. What the script held or released in earlier \
             ticks presses nothing.",
            r#"if me.pressed("jump") && !me.grounded { me.jump(); }"#,
        )
        .takes(ACTION)
        .answers(Type::Flag, ""),
        |me: &mut Me, name: &str| -> Fallible<bool> {
            Ok(me.with_body("pressed")?.intent.pressed.has(action(name)?))
        },
    );
    registry.add(
        me(
            "released",
            "Whether an action has come up in this tick. What the script held or released in earlier \
             ticks lets nothing go.",
            r#"if me.released("jump") { this.wants = false; }"#,
        )
        .takes(ACTION)
        .answers(Type::Flag, ""),
        |me: &mut Me, name: &str| -> Fallible<bool> {
            Ok(me.with_body("released")?.intent.released.has(action(name)?))
        },
    );
    registry.add(
        me(
            "axis",
            "Where the stick is (`move`, -1 to 1 each way), or the point that is aimed at (`aim`, px; \
             `()` if there is none).",
            r#"let far = me.axis("move").length() > 0.8;"#,
        )
        .takes(const { &[AXIS] })
        .answers(Type::Either(&[Type::Vec, Type::Nothing]), ""),
        |me: &mut Me, name: &str| -> Fallible<Dynamic> {
            let moment = me.with_body("axis")?;
            let aim = moment.intent.aim;
            match name {
                "move" => Ok(Dynamic::from(Vector::from(moment.intent.stick))),
                "aim" => Ok(aim.map_or(Dynamic::UNIT, |at| Dynamic::from(Vector::from(at)))),
                _ => no_axis(name),
            }
        },
    );
}

fn register_orders(registry: &mut Registry<'_>) {
    registry.add(
        me(
            "hold",
            "Holds an action during this tick, as a player would.",
            r#"me.hold("right");"#,
        )
        .takes(ACTION),
        |me: &mut Me, name: &str| -> Fallible<()> {
            let action = action(name)?;
            let mut moment = me.with_body("hold")?;
            let before = moment.before;
            moment.intent.hold(action, before);
            moment.order(Command::Hold(action))
        },
    );
    registry.add(
        me(
            "release",
            "Lets an action go during this tick, whatever the player holds.",
            r#"if this.stunned == true { me.release("jump"); }"#,
        )
        .takes(ACTION),
        |me: &mut Me, name: &str| -> Fallible<()> {
            let action = action(name)?;
            let mut moment = me.with_body("release")?;
            let before = moment.before;
            moment.intent.release(action, before);
            moment.order(Command::Release(action))
        },
    );
    registry.add(
        me(
            "steer",
            "Moves the stick during this tick (`move`, -1 to 1 each way; what is more is cut), or aims \
             (`aim`, px).",
            r#"me.steer("move", 0.5, 0);"#,
        )
        .takes(const { &[
            AXIS,
            param("x", Type::Number, ""),
            param("y", Type::Number, ""),
        ] }),
        |me: &mut Me, axis: &str, x: Dynamic, y: Dynamic| -> Fallible<()> {
            let at = point("steer", &x, &y)?;
            let mut moment = me.with_body("steer")?;
            match axis {
                "move" => steer(&mut moment, at),
                "aim" => aim(&mut moment, at),
                _ => no_axis(axis),
            }
        },
    );
    register_aim(registry);
}

fn register_aim(registry: &mut Registry<'_>) {
    registry.add(
        me(
            "aim",
            "Aims at a point during this tick.",
            "me.aim(me.x + 100, me.y + 100);",
        )
        .takes(
            const {
                &[
                    param("x", Type::Number, "px"),
                    param("y", Type::Number, "px"),
                ]
            },
        ),
        |me: &mut Me, x: Dynamic, y: Dynamic| -> Fallible<()> {
            let at = point("aim", &x, &y)?;
            aim(&mut *me.with_body("aim")?, at)
        },
    );
}

fn steer(moment: &mut Moment, stick: DVec2) -> Fallible<()> {
    moment.intent.stick = stick.clamp(DVec2::NEG_ONE, DVec2::ONE);
    let stick = moment.intent.stick;
    moment.order(Command::Steer(stick))
}

fn aim(moment: &mut Moment, at: DVec2) -> Fallible<()> {
    moment.intent.aim = Some(at);
    moment.order(Command::Aim(at))
}
