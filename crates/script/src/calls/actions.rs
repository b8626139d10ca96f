//! Actions of an entity: moving, placing, changing models, despawning.

use super::answer::{Answered, CallAnswer};
use super::arg::Arg;
use super::arguments::{any_model, check_height, exactly, finite, parameter, point, text};
use super::entries::of_me;
use super::moment::CallMoment;
use super::table::CallTable;
use crate::api::{Names, Param, Topic, Type, param};
use crate::budget::charge;
use crate::{CallRefusal, refuse};
use glam::DVec2;
use hangtime_core::geometry::grid::Bounds;
use hangtime_core::level::View;
use hangtime_core::sim::Command;

const POINT: &[Param] = &[param("x", Type::Number, "px"), param("y", Type::Number, "px")];
const VELOCITY: &[Param] = &[param("x", Type::Number, "px/s"), param("y", Type::Number, "px/s")];
const POINT_AND_HEIGHT: &[Param] =
    &[param("x", Type::Number, "px"), param("y", Type::Number, "px"), param("z", Type::Number, "px")];

/// Operations charged for teleporting a body, which is pushed out of solids.
const PER_PLACE: u64 = 60;

/// Operations charged for an edge that a teleported body may be pushed out of, and how near it is, px.
const PER_EDGE: u64 = 5;
const PLACE_REACH: f64 = 48.0;

/// Operations charged for a change of the model.
const PER_MODEL: u64 = 50;

/// Adds the topic.
pub(super) fn add(table: &mut CallTable) {
    table.topic(Topic::Actions);
    add_motion(table);
    add_places(table);
    add_models(table);
    table.add(
        of_me(
            "remove",
            "Despawns the entity once all scripts have run, and calls its `on_death`.",
            "if me.age > 3 { me.remove(); }",
        ),
        |moment, _| {
            moment.world()?.require_event("remove")?;
            order(moment, "remove", Command::Remove)
        },
    );
}

fn add_motion(table: &mut CallTable) {
    table.add(
        of_me(
            "jump",
            "Jumps now, on the ground or in the air. Full height if the jump key is up; if it is down, \
             releasing it ends the jump.",
            r#"if me.pressed("up") { me.jump(); }"#,
        ),
        |moment, _| order(moment, "jump", Command::Jump),
    );
    table.add(
        of_me(
            "push",
            "Adds to the external velocity (`me.external`), which decays over time.",
            "me.push(-120 * me.facing, 60);",
        )
        .takes(VELOCITY),
        |moment, args| {
            let [x, y] = *exactly(args)?;
            let by = point("push", x, y)?;
            let me = moment.me.with_body("push")?;
            me.view_mut().external += by;
            me.queue(Command::Push(by))?;
            Ok(CallAnswer::Nothing)
        },
    );
    table.add(
        of_me(
            "let_go",
            "Lets go of the wall or roof that the entity holds; nothing happens if it holds none. A key that is still \
             held grabs again only after it has been pressed again.",
            r#"if me.mode == "wall" && me.pressed("down") { me.let_go(); }"#,
        ),
        |moment, _| order(moment, "let_go", Command::LetGo),
    );
    table.add(
        of_me(
            "fire_hook",
            "Fires the grappling hook at a point. Once attached it holds until it is released or snaps.",
            "me.fire_hook(me.x + 100, me.y + 200);",
        )
        .takes(POINT),
        |moment, args| {
            let [x, y] = *exactly(args)?;
            let at = point("fire_hook", x, y)?;
            order(moment, "fire_hook", Command::FireHook(at))
        },
    );
    table.add(
        of_me(
            "release_hook",
            "Releases the grappling hook.",
            r#"if me.hook.state == "attached" { me.release_hook(); }"#,
        ),
        |moment, _| order(moment, "release_hook", Command::ReleaseHook),
    );
}

fn add_places(table: &mut CallTable) {
    table.add(
        of_me(
            "place",
            "Teleports the center of the entity to (x, y), pushed out of any solid there. The velocity stays.",
            "me.place(0, 100);\nme.vel = vec(0, 0);",
        )
        .takes(POINT),
        |moment, args| {
            let [x, y] = *exactly(args)?;
            let at = point("place", x, y)?;
            charge_for_place(moment, at)?;
            let me = moment.me.with_body("place")?;
            me.view_mut().pos = at;
            me.queue(Command::Place(at, None))?;
            Ok(CallAnswer::Nothing)
        },
    );
    table.add(
        of_me("place", "Top view: also sets the height of the feet.", "me.place(0, 100, 24);").takes(POINT_AND_HEIGHT),
        |moment, args| {
            let [x, y, z] = *exactly(args)?;
            place_at_height(moment, [x, y, z])
        },
    );
    table.add(
        of_me(
            "place_feet",
            "Teleports the entity so that the lowest point of its body is at (x, y).",
            "me.place_feet(0, 100);",
        )
        .takes(POINT),
        |moment, args| {
            let [x, y] = *exactly(args)?;
            place_feet(moment, [x, y])
        },
    );
}

fn place_at_height<'a>(moment: &mut CallMoment, [x, y, z]: [Arg<'_>; 3]) -> Answered<'a> {
    let at = point("place", x, y)?;
    charge_for_place(moment, at)?;
    let z = finite(parameter("place", "z"), z)?;
    let me = moment.me.with_body("place")?;
    check_height("place", me.level_view, z)?;
    let view = me.view_mut();
    view.pos = at;
    view.z = z;
    me.queue(Command::Place(at, Some(z)))?;
    Ok(CallAnswer::Nothing)
}

fn place_feet<'a>(moment: &mut CallMoment, [x, y]: [Arg<'_>; 2]) -> Answered<'a> {
    let feet = point("place_feet", x, y)?;
    charge_for_place(moment, feet)?;
    let me = moment.me.with_body("place_feet")?;
    // In a top view the lowest point is right below the center.
    let depth = match me.level_view {
        View::Side => me.view().depth,
        View::Top => 0.0,
    };
    let at = feet + DVec2::new(0.0, depth);
    me.view_mut().pos = at;
    me.queue(Command::Place(at, None))?;
    Ok(CallAnswer::Nothing)
}

/// Charges for a place: the body is pushed out of the solids there.
fn charge_for_place(moment: &CallMoment, at: DVec2) -> Result<(), CallRefusal> {
    let world = moment.world()?;
    let around = DVec2::splat(PLACE_REACH);
    let scenery = world.stage()?.level.terrain.moved(&world.standing);
    let crowd = scenery.crowd(&Bounds::of(at - around, at + around));
    charge(PER_PLACE + PER_EDGE * crowd)
}

/// Queues a command of a member that needs a body and answers nothing.
fn order<'a>(moment: &mut CallMoment, member: &str, command: Command) -> Answered<'a> {
    moment.me.with_body(member)?.queue(command)?;
    Ok(CallAnswer::Nothing)
}

fn add_models(table: &mut CallTable) {
    table.add(
        of_me(
            "set_model",
            "Sets the movement model. It takes precedence over the rule `model` until `me.clear_model()`. A model that \
             does not work in the level's view, or whose body has no room, is refused: see `on_model_refused`.",
            r#"if "water" in me.zones { me.set_model("topdown"); }"#,
        )
        .takes(const { &[param("name", Type::Name(Names::Model), "")] }),
        |moment, args| {
            let [name] = *exactly(args)?;
            let name = text("set_model", "name", name)?;
            charge(PER_MODEL)?;
            let me = moment.me.with_body("set_model")?;
            me.queue(Command::SetModel(any_model(name).or_else(refuse)?))?;
            Ok(CallAnswer::Nothing)
        },
    );
    table.add(
        of_me(
            "clear_model",
            "Undoes `me.set_model`: the rule `model` decides again, or the entity's kind if there is no rule.",
            "me.clear_model();",
        ),
        |moment, _| order(moment, "clear_model", Command::ClearModel),
    );
}
