//! Actions of an entity: moving, placing, changing models, despawning.

use super::arguments::{Fallible, any_model, check_height, fail, finite, parameter, point};
use super::entries::of_me;
use super::me::Me;
use super::registry::Registry;
use super::world_view::WorldHandle;
use crate::geometry::grid::Bounds;
use crate::level::View;
use crate::script::host::api::{Names, Param, Topic, Type, param};
use crate::script::rhai::engine::budget::charge;
use crate::sim::Command;
use glam::DVec2;
use rhai::{Dynamic, NativeCallContext};

const POINT: &[Param] = &[
    param("x", Type::Number, "px"),
    param("y", Type::Number, "px"),
];
const VELOCITY: &[Param] = &[
    param("x", Type::Number, "px/s"),
    param("y", Type::Number, "px/s"),
];
const POINT_AND_HEIGHT: &[Param] = &[
    param("x", Type::Number, "px"),
    param("y", Type::Number, "px"),
    param("z", Type::Number, "px"),
];

/// Operations charged for teleporting a body, which is pushed out of solids.
const PER_PLACE: u64 = 60;

/// Operations charged for an edge that a teleported body may be pushed out of, and how near it is, px.
const PER_EDGE: u64 = 5;
const PLACE_REACH: f64 = 48.0;

/// Operations charged for a change of the model.
const PER_MODEL: u64 = 50;

/// Registers the topic.
pub(super) fn register(registry: &mut Registry<'_>) {
    registry.topic(Topic::Actions);
    register_motion(registry);
    register_places(registry);
    register_models(registry);
    registry.add(
        of_me(
            "remove",
            "Despawns the entity once all scripts have run, and calls its `on_death`.",
            "if me.age > 3 { me.remove(); }",
        ),
        |context: NativeCallContext<'_>, me: &mut Me| -> Fallible<()> {
            WorldHandle::of(&context)?.lock().require_event("remove")?;
            me.with_body("remove")?.queue(Command::Remove)
        },
    );
}

fn register_motion(registry: &mut Registry<'_>) {
    registry.add(
        of_me(
            "jump",
            "Jumps now, on the ground or in the air. Full height if the jump key is up; if it is down, \
             releasing it ends the jump.",
            r#"if me.pressed("up") { me.jump(); }"#,
        ),
        |me: &mut Me| me.with_body("jump")?.queue(Command::Jump),
    );
    registry.add(
        of_me(
            "push",
            "Adds to the external velocity (`me.external`), which decays over time.",
            "me.push(-120 * me.facing, 60);",
        )
        .takes(VELOCITY),
        |me: &mut Me, x: Dynamic, y: Dynamic| -> Fallible<()> {
            let by = point("push", &x, &y)?;
            let mut state = me.with_body("push")?;
            state.view.external += by;
            state.queue(Command::Push(by))
        },
    );
    registry.add(
        of_me(
            "fire_hook",
            "Fires the grappling hook at a point. Once attached it holds until it is released or snaps.",
            "me.fire_hook(me.x + 100, me.y + 200);",
        )
        .takes(POINT),
        |me: &mut Me, x: Dynamic, y: Dynamic| -> Fallible<()> {
            let at = point("fire_hook", &x, &y)?;
            me.with_body("fire_hook")?.queue(Command::FireHook(at))
        },
    );
    registry.add(
        of_me(
            "release_hook",
            "Releases the grappling hook.",
            r#"if me.hook.state == "attached" { me.release_hook(); }"#,
        ),
        |me: &mut Me| me.with_body("release_hook")?.queue(Command::ReleaseHook),
    );
}

fn register_places(registry: &mut Registry<'_>) {
    registry.add(
        of_me(
            "place",
            "Teleports the center of the entity to (x, y), pushed out of any solid there. The velocity stays.",
            "me.place(0, 100);\nme.vel = vec(0, 0);",
        )
        .takes(POINT),
        |context: NativeCallContext<'_>, me: &mut Me, x: Dynamic, y: Dynamic| -> Fallible<()> {
            let at = point("place", &x, &y)?;
            charge_for_place(&context, at)?;
            let mut state = me.with_body("place")?;
            state.view.pos = at;
            state.queue(Command::Place(at, None))
        },
    );
    registry.add(
        of_me(
            "place",
            "Top view: also sets the height of the feet.",
            "me.place(0, 100, 24);",
        )
        .takes(POINT_AND_HEIGHT),
        |context: NativeCallContext<'_>,
         me: &mut Me,
         x: Dynamic,
         y: Dynamic,
         z: Dynamic|
         -> Fallible<()> {
            let at = point("place", &x, &y)?;
            charge_for_place(&context, at)?;
            let z = finite(&parameter("place", "z"), &z)?;
            let mut state = me.with_body("place")?;
            check_height("place", state.level_view, z)?;
            state.view.pos = at;
            state.view.z = z;
            state.queue(Command::Place(at, Some(z)))
        },
    );
    registry.add(
        of_me(
            "place_feet",
            "Teleports the entity so that the lowest point of its body is at (x, y).",
            "me.place_feet(0, 100);",
        )
        .takes(POINT),
        |context: NativeCallContext<'_>, me: &mut Me, x: Dynamic, y: Dynamic| -> Fallible<()> {
            let feet = point("place_feet", &x, &y)?;
            charge_for_place(&context, feet)?;
            let mut state = me.with_body("place_feet")?;
            // In a top view the lowest point is right below the center.
            let depth = match state.level_view {
                View::Side => state.view.depth,
                View::Top => 0.0,
            };
            let at = feet + DVec2::new(0.0, depth);
            state.view.pos = at;
            state.queue(Command::Place(at, None))
        },
    );
}

/// Charges for a place: the body is pushed out of the solids there.
fn charge_for_place(context: &NativeCallContext<'_>, at: DVec2) -> Fallible<()> {
    let world = WorldHandle::of(context)?;
    let world = world.lock();
    let around = DVec2::splat(PLACE_REACH);
    let scenery = world.stage()?.level.terrain.moved(&world.standing);
    let crowd = scenery.crowd(&Bounds::of(at - around, at + around));
    charge(PER_PLACE + PER_EDGE * crowd)
}

fn register_models(registry: &mut Registry<'_>) {
    registry.add(
        of_me(
            "set_model",
            "Sets the movement model. It takes precedence over the rule `model` until `me.clear_model()`. A model that \
             does not work in the level's view, or whose body has no room, is refused: see `on_model_refused`.",
            r#"if "water" in me.zones { me.set_model("topdown"); }"#,
        )
        .takes(const { &[param("name", Type::Name(Names::Model), "")] }),
        |me: &mut Me, name: &str| -> Fallible<()> {
            charge(PER_MODEL)?;
            let mut state = me.with_body("set_model")?;
            match any_model(name) {
                Ok(model) => state.queue(Command::SetModel(model)),
                Err(why) => fail(why),
            }
        },
    );
    registry.add(
        of_me(
            "clear_model",
            "Undoes `me.set_model`: the rule `model` decides again, or the entity's kind if there is no rule.",
            "me.clear_model();",
        ),
        |me: &mut Me| me.with_body("clear_model")?.queue(Command::ClearModel),
    );
}
