//! What an entity does because its script says so.

use super::arguments::{Fallible, finite, model, point, wrong};
use super::me::Me;
use super::outlook::Outlook;
use super::registry::Registry;
use crate::level::View;
use crate::script::host::api::{Entry, Names, Owner, Param, Topic, Type, param};
use crate::sim::Command;
use glam::DVec2;
use rhai::{Dynamic, NativeCallContext};

const PLACE: &[Param] = &[
    param("x", Type::Number, "px"),
    param("y", Type::Number, "px"),
];
const SPEEDS: &[Param] = &[
    param("x", Type::Number, "px/s"),
    param("y", Type::Number, "px/s"),
];
const PLACE_AND_HEIGHT: &[Param] = &[
    param("x", Type::Number, "px"),
    param("y", Type::Number, "px"),
    param("z", Type::Number, "px"),
];

fn me(name: &'static str, doc: &'static str, example: &'static str) -> Entry {
    Entry::call(Owner::Me, name, doc, example)
}

/// Registers them.
pub(in crate::script::rhai) fn register(registry: &mut Registry<'_>) {
    registry.topic(Topic::Deeds);
    register_motion(registry);
    register_places(registry);
    register_choices(registry);
}

fn register_motion(registry: &mut Registry<'_>) {
    registry.add(
        me(
            "jump",
            "Starts a jump now, on ground or in the air: a full one, unless `jump` is held, which then \
             decides how long it lasts.",
            r#"if me.pressed("up") { me.jump(); }"#,
        ),
        |me: &mut Me| me.with_body("jump")?.order(Command::Jump),
    );
    registry.add(
        me(
            "push",
            "Adds to the velocity from outside, `external`, which dies away.",
            "me.push(-120 * me.facing, 60);",
        )
        .takes(SPEEDS),
        |me: &mut Me, x: Dynamic, y: Dynamic| -> Fallible<()> {
            let by = point("push", &x, &y)?;
            let mut moment = me.with_body("push")?;
            moment.view.external += by;
            moment.order(Command::Push(by))
        },
    );
    registry.add(
        me(
            "fire_hook",
            "Fires the hook at a point. It holds until it is released or snaps.",
            "me.fire_hook(me.x + 100, me.y + 200);",
        )
        .takes(PLACE),
        |me: &mut Me, x: Dynamic, y: Dynamic| -> Fallible<()> {
            let at = point("fire_hook", &x, &y)?;
            me.with_body("fire_hook")?.order(Command::FireHook(at))
        },
    );
    registry.add(
        me(
            "release_hook",
            "Lets the hook go.",
            r#"if me.hook.state == "attached" { me.release_hook(); }"#,
        ),
        |me: &mut Me| me.with_body("release_hook")?.order(Command::ReleaseHook),
    );
}

fn register_places(registry: &mut Registry<'_>) {
    registry.add(
        me(
            "place",
            "Puts the center somewhere, out of solids. The velocity stays.",
            "me.place(0, 100);\nme.vel = vec(0, 0);",
        )
        .takes(PLACE),
        |me: &mut Me, x: Dynamic, y: Dynamic| -> Fallible<()> {
            let at = point("place", &x, &y)?;
            let mut moment = me.with_body("place")?;
            moment.view.pos = at;
            moment.order(Command::Place(at, None))
        },
    );
    registry.add(
        me(
            "place",
            "The same, with the feet at a height: in a top view.",
            "me.place(0, 100, 24);",
        )
        .takes(PLACE_AND_HEIGHT),
        |me: &mut Me, x: Dynamic, y: Dynamic, z: Dynamic| -> Fallible<()> {
            let at = point("place", &x, &y)?;
            let z = finite("place's z", &z)?;
            let mut moment = me.with_body("place")?;
            height("place", moment.seen_from, z)?;
            moment.view.pos = at;
            moment.view.z = z;
            moment.order(Command::Place(at, Some(z)))
        },
    );
    registry.add(
        me(
            "place_feet",
            "Puts its lowest point somewhere, whatever its body is.",
            "me.place_feet(0, 100);",
        )
        .takes(PLACE),
        |me: &mut Me, x: Dynamic, y: Dynamic| -> Fallible<()> {
            let feet = point("place_feet", &x, &y)?;
            let mut moment = me.with_body("place_feet")?;
            // From above the lowest point is under the middle.
            let depth = match moment.seen_from {
                View::Side => moment.view.depth,
                View::Top => 0.0,
            };
            let at = feet + DVec2::new(0.0, depth);
            moment.view.pos = at;
            moment.order(Command::Place(at, None))
        },
    );
}

/// Heights are there in top views only, from the ground plane up.
pub(in crate::script::rhai) fn height(call: &str, seen_from: View, z: f64) -> Fallible<()> {
    if z < 0.0 {
        return wrong(format!("{call}'s z counts up from the ground plane, 0"));
    }
    if z != 0.0 && seen_from == View::Side {
        return wrong("z is always 0 in a side view".into());
    }
    Ok(())
}

fn register_choices(registry: &mut Registry<'_>) {
    registry.add(
        me(
            "set_model",
            "Sets the model, over the rule `model`, until `me.clear_model()`.",
            r#"if "water" in me.zones { me.set_model("topdown"); }"#,
        )
        .takes(const { &[param("name", Type::Name(Names::Model), "")] }),
        |me: &mut Me, name: &str| -> Fallible<()> {
            let mut moment = me.with_body("set_model")?;
            match model(name, moment.seen_from) {
                Ok(model) => moment.order(Command::SetModel(model)),
                Err(why) => wrong(why),
            }
        },
    );
    registry.add(
        me(
            "clear_model",
            "Gives the choice of the model back to the rule `model`, or to the files.",
            "me.clear_model();",
        ),
        |me: &mut Me| me.with_body("clear_model")?.order(Command::ClearModel),
    );
    registry.add(
        me(
            "remove",
            "Takes the entity out of the world at the end of the tick. Its `on_death` is told; other \
             scripts find it no more.",
            "if me.age > 3 { me.remove(); }",
        ),
        |context: NativeCallContext<'_>, me: &mut Me| -> Fallible<()> {
            Outlook::of(&context)?.lock().in_event("remove")?;
            me.with_body("remove")?.order(Command::Remove)
        },
    );
}
