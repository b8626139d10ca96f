//! Input: what the player holds and presses, and virtual input from the script.

use super::arguments::{Fallible, action, point, unknown_axis};
use super::entries::of_me;
use super::me::{Me, MeState};
use super::registry::Registry;
use crate::script::host::api::{Names, Param, Topic, Type, param};
use crate::script::rhai::engine::vector::Vector;
use crate::sim::Command;
use glam::DVec2;
use rhai::Dynamic;

const ACTION: &[Param] = &[param("action", Type::Name(Names::Action), "")];
const AXIS: Param = param("axis", Type::Name(Names::Axis), "");

/// Registers both topics.
pub(super) fn register(registry: &mut Registry<'_>) {
    registry.topic(Topic::Queries);
    register_queries(registry);
    registry.topic(Topic::VirtualInput);
    register_keys(registry);
    register_axes(registry);
}

fn register_queries(registry: &mut Registry<'_>) {
    registry.add(
        of_me(
            "held",
            "True while the action is down: held by the player or by `me.hold` in this tick, and not released by \
             `me.release`.",
            r#"if me.held("jump") { this.wants = true; }"#,
        )
        .takes(ACTION)
        .returns(Type::Flag, ""),
        |me: &mut Me, name: &str| -> Fallible<bool> {
            Ok(me.with_body("held")?.intent.held.has(action(name)?))
        },
    );
    registry.add(
        of_me(
            "pressed",
            "True in the tick in which the action is pressed. Calls to `me.hold` and `me.release` in earlier ticks do \
             not count.",
            r#"if me.pressed("jump") && !me.grounded { me.jump(); }"#,
        )
        .takes(ACTION)
        .returns(Type::Flag, ""),
        |me: &mut Me, name: &str| -> Fallible<bool> {
            Ok(me.with_body("pressed")?.intent.pressed.has(action(name)?))
        },
    );
    registry.add(
        of_me(
            "released",
            "True in the tick in which the action is released. Calls to `me.hold` and `me.release` in earlier ticks do \
             not count.",
            r#"if me.released("jump") { this.wants = false; }"#,
        )
        .takes(ACTION)
        .returns(Type::Flag, ""),
        |me: &mut Me, name: &str| -> Fallible<bool> {
            Ok(me.with_body("released")?.intent.released.has(action(name)?))
        },
    );
    registry.add(
        of_me(
            "axis",
            "The stick (`move`, -1 to 1 on each axis), or the point being aimed at (`aim`, px; `()` without aim).",
            r#"let far = me.axis("move").length() > 0.8;"#,
        )
        .takes(const { &[AXIS] })
        .returns(Type::Either(&[Type::Vec, Type::Nothing]), ""),
        |me: &mut Me, name: &str| -> Fallible<Dynamic> {
            let state = me.with_body("axis")?;
            let aim = state.intent.aim;
            match name {
                "move" => Ok(Dynamic::from(Vector::from(state.intent.stick))),
                "aim" => Ok(aim.map_or(Dynamic::UNIT, |at| Dynamic::from(Vector::from(at)))),
                _ => unknown_axis(name),
            }
        },
    );
}

fn register_keys(registry: &mut Registry<'_>) {
    registry.add(
        of_me(
            "hold",
            "Holds an action during this tick, as a player would.",
            r#"me.hold("right");"#,
        )
        .takes(ACTION),
        |me: &mut Me, name: &str| -> Fallible<()> {
            let action = action(name)?;
            let mut state = me.with_body("hold")?;
            let before = state.before;
            state.intent.hold(action, before);
            state.queue(Command::Hold(action))
        },
    );
    registry.add(
        of_me(
            "release",
            "Releases an action during this tick, even if the player holds it.",
            r#"if this.stunned == true { me.release("jump"); }"#,
        )
        .takes(ACTION),
        |me: &mut Me, name: &str| -> Fallible<()> {
            let action = action(name)?;
            let mut state = me.with_body("release")?;
            let before = state.before;
            state.intent.release(action, before);
            state.queue(Command::Release(action))
        },
    );
}

fn register_axes(registry: &mut Registry<'_>) {
    registry.add(
        of_me(
            "steer",
            "Moves the stick during this tick (`move`, clamped to -1 to 1 on each axis), or aims at a point \
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
            let mut state = me.with_body("steer")?;
            match axis {
                "move" => steer(&mut state, at),
                "aim" => aim(&mut state, at),
                _ => unknown_axis(axis),
            }
        },
    );
    registry.add(
        of_me(
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

fn steer(state: &mut MeState, stick: DVec2) -> Fallible<()> {
    state.intent.stick = stick.clamp(DVec2::NEG_ONE, DVec2::ONE);
    let stick = state.intent.stick;
    state.queue(Command::Steer(stick))
}

fn aim(state: &mut MeState, at: DVec2) -> Fallible<()> {
    state.intent.aim = Some(at);
    state.queue(Command::Aim(at))
}
