//! Actions of an entity: moving, placing, changing models, despawning.

use super::*;
use hangtime_core::{
    geometry::grid::Bounds,
    sim::{BODY_SIZE, ResizeError},
};

/// Operations charged for teleporting a body, which is pushed out of solids.
const PER_PLACE: u64 = 60;

/// Operations charged for an edge that a teleported body may be pushed out of, and how near it is, px.
const PER_EDGE: u64 = 5;
const PLACE_REACH: f64 = 48.0;

/// Operations charged for a change of the model.
const PER_MODEL: u64 = 50;

const WIDTH: Param = param("width", Type::Number, "px");
const HEIGHT: Param = param("height", Type::Number, "px");

/// Adds the topic.
pub fn add(table: &mut CallTable) {
    table.topic(Topic::Queries);
    add_calls! { table;
        /// Whether the body has room to be this large: whether `me.resize` would succeed.
        of_me has_room(WIDTH, HEIGHT) -> Type::Flag;
        "let can_grow = me.has_room(30, 57);";
        |moment, args| {
            let size = Some(size(args)?);
            Ok(CallAnswer::Flag(planned(moment, args, size)?.is_ok()))
        };
    }
    table.topic(Topic::Actions);
    add_calls! { table;
        /// Jumps now, on the ground or in the air. Full height if the jump key is up; if it is down, releasing it ends
        /// the jump.
        of_me jump();
        r#"if me.pressed("up") { me.jump(); }"#;
        |moment, args| moment.body(args)?.order(Command::Jump);

        /// Adds to the external velocity (`me.external`), which decays over time.
        of_me push(param("x", Type::Number, "px/s"), param("y", Type::Number, "px/s"));
        "me.push(-120 * me.facing, 60);";
        |moment, args| {
            let by = args.point(0)?;
            let me = moment.body(args)?;
            me.view_mut().external += by;
            me.order(Command::Push(by))
        };

        /// Top view: adds to the vertical part of the external velocity (`me.external.z`), which decays over time. A
        /// push that would throw the body higher than `ground_probe` takes it off its floor; weaker ones have no effect
        /// on a floor.
        of_me push_z(param("speed", Type::Number, "px/s"));
        "me.push_z(300);";
        |moment, args| {
            let by = args.number(0)?;
            let me = moment.body(args)?;
            if me.level_view == View::Side {
                return refuse("`push_z` needs a top view; in a side view, `me.push(0, speed)` pushes up");
            }
            me.view_mut().external_z += by;
            me.order(Command::PushZ(by))
        };

        /// Lets go of the wall or roof that the entity holds; nothing happens if it holds none. A key that is still
        /// held grabs again only after it has been pressed again.
        of_me let_go();
        r#"if me.mode == "wall" && me.pressed("down") { me.let_go(); }"#;
        |moment, args| moment.body(args)?.order(Command::LetGo);

        /// Fires the grappling hook at a point. Once attached it holds until it is released or snaps.
        of_me fire_hook(X, Y);
        "me.fire_hook(me.x + 100, me.y + 200);";
        |moment, args| {
            let at = args.point(0)?;
            moment.body(args)?.order(Command::FireHook(at))
        };

        /// Releases the grappling hook.
        of_me release_hook();
        r#"if me.hook.state == "attached" { me.release_hook(); }"#;
        |moment, args| moment.body(args)?.order(Command::ReleaseHook);

        /// Teleports the center of the entity to (x, y), pushed out of any solid there. The velocity stays.
        of_me place(X, Y);
        "me.place(0, 100);\nme.vel = vec(0, 0);";
        |moment, args| {
            let at = args.point(0)?;
            charge_for_place(moment, at)?;
            let me = moment.body(args)?;
            me.view_mut().pos = at;
            me.order(Command::Place(at, None))
        };

        /// Top view: also sets the height of the feet.
        of_me place(X, Y, param("z", Type::Number, "px"));
        "me.place(0, 100, 24);";
        |moment, args| {
            let at = args.point(0)?;
            charge_for_place(moment, at)?;
            let z = args.number(2)?;
            let me = moment.body(args)?;
            check_height("place", me.level_view, z)?;
            let view = me.view_mut();
            view.pos = at;
            view.z = z;
            me.order(Command::Place(at, Some(z)))
        };

        /// Teleports the entity so that the lowest point of its body is at (x, y).
        of_me place_feet(X, Y);
        "me.place_feet(0, 100);";
        |moment, args| {
            let feet = args.point(0)?;
            charge_for_place(moment, feet)?;
            let me = moment.body(args)?;
            // In a top view the lowest point is right below the center.
            let depth = match me.level_view {
                View::Side => me.view().depth,
                View::Top => 0.0,
            };
            let at = feet + DVec2::new(0.0, depth);
            me.view_mut().pos = at;
            me.order(Command::Place(at, None))
        };

        /// Gives the body another size: its full width and height, 0.2 to 10000. The feet stay where they are, in a top view
        /// the center; next to a wall the body moves to the side. Without room, or with a center outside the level's bounds,
        /// this is an error that names what is in the way, and the size stays: ask `me.has_room` first. While the body is in
        /// a stance, the size counts from its end on.
        of_me resize(WIDTH, HEIGHT);
        "if me.has_room(30, 57) { me.resize(30, 57); }";
        resize;

        /// Gives the body the size of its kind again.
        of_me resize();
        "me.resize();";
        resize;

        /// Takes a stance of its kind, whatever actions are held, until `me.clear_stance()`. Without room for its body it does
        /// so in the first tick in which there is room.
        of_me set_stance(param("name", Type::Name(Names::Stance), ""));
        r#"if me.surface == "ice" { me.set_stance("crouch"); }"#;
        |moment, args| {
            let name = args.text(0)?;
            let (me, world) = moment.both()?;
            let me = me.with_body(args.call())?;
            let stances = &world.stage()?.profiles[me.profile].stances;
            charge(stances.len() as u64)?;
            match stances.iter().find(|stance| *stance.name == *name) {
                Some(stance) => me.order(Command::SetStance(Some(stance.name.clone()))),
                None => {
                    let kind = &me.view().kind;
                    let hint = suggestion(name, stances.iter().map(|stance| &*stance.name));
                    refuse(format!("the kind `{kind}` has no stance `{name}`{hint}"))
                }
            }
        };

        /// Undoes `me.set_stance`: the held actions decide again.
        of_me clear_stance();
        "me.clear_stance();";
        |moment, args| moment.body(args)?.order(Command::SetStance(None));

        /// Sets the movement model. It takes precedence over the rule `model` until `me.clear_model()`. A model that
        /// does not work in the level's view, or whose body has no room, is refused: see `on_model_refused`.
        of_me set_model(param("name", Type::Name(Names::Model), ""));
        r#"if "water" in me.zones { me.set_model("topdown"); }"#;
        |moment, args| {
            let name = args.text(0)?;
            charge(PER_MODEL)?;
            let me = moment.body(args)?;
            me.order(Command::SetModel(any_model(name).or_else(refuse)?))
        };

        /// Undoes `me.set_model`: the rule `model` decides again, or the entity's kind if there is no rule.
        of_me clear_model();
        "me.clear_model();";
        |moment, args| moment.body(args)?.order(Command::ClearModel);

        /// Despawns the entity once all scripts have run, and calls its `on_death`.
        of_me remove();
        "if me.age > 3 { me.remove(); }";
        |moment, args| {
            moment.world()?.require_event("remove")?;
            moment.body(args)?.order(Command::Remove)
        };
    }
}

/// The full widths that a call gives, px.
fn size(args: Args<'_>) -> Accepted<DVec2> {
    let side = |place| args.get(place).within(args.parameter(place), BODY_SIZE.min..=BODY_SIZE.max);
    Ok(DVec2::new(side(0)?, side(1)?))
}

/// Where the center of the body would be with another size, and its half-widths, px; or why it would keep its size.
fn planned(
    moment: &mut CallMoment,
    args: Args<'_>,
    size: Option<DVec2>,
) -> Accepted<Result<(DVec2, DVec2), ResizeError>> {
    let at = moment.body(args)?.view().pos;
    charge_for_place(moment, at)?;
    let (me, world) = (&moment.me, moment.world()?);
    Ok(world.stage()?.plan_size(&world.standing, me.profile, me.view(), size))
}

fn resize<'a>(moment: &'a mut CallMoment, args: Args<'a>) -> Answered<'a> {
    let size = (args.count() > 0).then(|| size(args)).transpose()?;
    let planned = planned(moment, args, size)?;
    moment.world()?.require_event(args.call())?;
    let me = &mut moment.me;
    // A stance keeps its own size.
    if me.view().stance.is_none() {
        let (at, half) = planned.or_else(|why| refuse(why.to_string()))?;
        let view = me.view_mut();
        (view.pos, view.half, view.depth) = (at, half, half.y);
    }
    me.order(Command::Resize(size))
}

/// Charges for a place: the body is pushed out of the solids there.
fn charge_for_place(moment: &CallMoment, at: DVec2) -> Allowed {
    let world = moment.world()?;
    let around = DVec2::splat(PLACE_REACH);
    let scenery = world.stage()?.level.terrain.moved(&world.standing);
    let crowd = scenery.crowd(&Bounds::of(at - around, at + around));
    charge(PER_PLACE + PER_EDGE * crowd)
}
