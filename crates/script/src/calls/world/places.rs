//! Time, zones, and terrain.

use super::super::world_view::WorldView;
use crate::calls::*;
use hangtime_core::{
    geometry::grid::Bounds,
    level::{MOST_ANGLE, MOST_MOVED, MOST_SCALE, Path, RotationLaw, Solid},
    tuning::MOST,
};
use std::collections::BTreeSet;

/// The solid and the surface of a face.
pub const FACE: &[Field] = fields! {
    /// name of the solid (`solid 1`, `solid 2`, … if unnamed)
    solid: Type::Name(Names::Solid);
    /// surface of the solid; `plain` if no file names one
    surface: Type::Name(Names::Surface);
};

/// The map that `cast` returns.
const CAST: Shape = Shape {
    name: "cast",
    common: FACE,
    own: fields! {
        /// x of the hit
        x: Type::Number, "px";
        /// y of the hit
        y: Type::Number, "px";
        /// surface normal, length 1
        normal: Type::Vec;
    },
};

const SOLID: Param = param("name", Type::Name(Names::Solid), "");
const ZONE: Param = param("name", Type::Name(Names::Zone), "");
const TIME_SCALE: Param = param("scale", Type::Number, "");
const ON: Param = param("on", Type::Flag, "");

/// Adds the topic.
pub fn add(table: &mut CallTable) {
    table.topic(Topic::Places);
    add_calls! { table;
        /// Number of the current tick. The first tick is 0.
        of_world tick() -> Type::Whole;
        "if world::tick() % 60 == 0 { print(\"a second\"); }";
        |moment, _| Ok(CallAnswer::Whole(moment.world()?.tick as i64));

        /// Time since the start of the level, as it passes under `world::set_time_scale`.
        of_world time() -> Type::Number, "s";
        "let sway = sin(world::time() * 2.0) * 30;";
        |moment, _| Ok(CallAnswer::Number(moment.world()?.time));

        /// Length of a tick, as time passes for the entity: 0 while it stands still. Multiply a rate per second by it to
        /// get the change per tick.
        of_world dt() -> Type::Number, "s";
        "me.angle += 0.5 * world::dt();";
        |moment, _| {
            let hz = f64::from(moment.world()?.hz);
            Ok(CallAnswer::Number(moment.me.view().rate / hz))
        };

        /// Sets how fast time passes in the level: 1 for full rate, 0.3 for slow motion, 0 for a pause, at most 8. All that
        /// takes time follows: motion, platforms, timers, waits, `world::time()` and `world::dt()`. Ticks, events and
        /// `on_tick` continue, and keys are read. It counts from this tick on.
        of_world set_time_scale(TIME_SCALE);
        "world::set_time_scale(0.3);";
        |moment, args| {
            let scale = args.get(0).within(args.parameter(0), 0.0..=MOST_SCALE)?;
            moment.world()?.require_event(args.call())?;
            moment.me.order(Command::SetWorldTimeScale(scale))
        };

        /// How fast time passes in the level: 1 unless `world::set_time_scale` has changed it in an earlier tick.
        of_world time_scale() -> Type::Number;
        "if world::time_scale() == 0 { print(\"paused\"); }";
        |moment, _| Ok(CallAnswer::Number(moment.world()?.time_scale));

        /// Gravity of the level outside of zones; bodies fall toward -y while it is above 0.
        of_world gravity() -> Type::Number, "px/s²";
        "let top_speed = sqrt(2 * world::gravity() * 100); // rises 100 px";
        |moment, _| Ok(CallAnswer::Number(moment.world()?.stage()?.gravity));

        /// Names of the zones that contain a point.
        of_world zones_at(X, Y) -> Type::Array(&Type::Name(Names::Zone));
        "let deep = \"water\" in world::zones_at(me.x, me.y + 20);";
        |moment, args| {
            let at = args.point(0)?;
            let zones = moment.world()?.stage()?.zones();
            charge(PER_QUERY + (zones.crowd(at) / CORNERS_PER_OPERATION) as u64)?;
            let mut names = Vec::new();
            zones.visit(at, |index| {
                names.push(CallAnswer::Text(&zones.list()[index as usize].name));
            });
            charge(PER_ZONE * names.len() as u64)?;
            Ok(CallAnswer::List(names))
        };

        /// Casts a ray from (x1, y1) to (x2, y2) through the terrain and returns the first hit, or `()`. One-way
        /// platforms block it from above only; moving platforms are where they were when the tick began.
        of_world cast(X1, Y1, X2, Y2) -> Type::Either(&[Type::Map(&CAST), Type::Nothing]);
        "let ground = world::cast(me.x, me.y, me.x, me.y - 200);\n\
         if ground != () { this.height = me.y - ground.y; }";
        |moment, args| cast(moment, args.point(0)?, args.point(2)?);

        /// Whether the solid with this name was switched on when the tick began.
        of_world solid(SOLID) -> Type::Flag;
        "if !world::solid(\"door\") { print(\"open\"); }";
        |moment, args| {
            let world = moment.world()?;
            let solids = solids(world, args.text(0)?)?;
            let on = solids.iter().all(|index| !world.changes.absent.holds(*index));
            Ok(CallAnswer::Flag(on))
        };

        /// Switches the solids with this name on (`true`) or off, once all scripts have run. The solids need the key
        /// `present` in the level file.
        of_world set_solid(SOLID, ON);
        "world::set_solid(\"door\", false);";
        set_solid;

        /// Whether the zone with this name was switched on when the tick began.
        of_world zone(ZONE) -> Type::Flag;
        "if !world::zone(\"wind\") { print(\"calm\"); }";
        |moment, args| {
            let world = moment.world()?;
            let zones = zones(world, args.text(0)?)?;
            let on = zones.iter().all(|i| !world.changes.zones_off.holds(*i));
            Ok(CallAnswer::Flag(on))
        };

        /// Switches the zones with this name on (`true`) or off, once all scripts have run. A zone that is off has no
        /// effect; entities in it leave it, and enter it when it is on again.
        of_world set_zone(ZONE, ON);
        "world::set_zone(\"wind\", false);";
        |moment, args| {
            let name = args.text(0)?;
            let on = args.flag(1)?;
            let (me, world) = moment.both()?;
            world.require_event(args.call())?;
            let zones = zones(world, name)?;
            charge(PER_SWITCH * zones.len() as u64)?;
            let mut each = zones.into_iter();
            each.try_for_each(|index| me.queue(Command::SwitchZone(index, on)))?;
            Ok(CallAnswer::Nothing)
        };

        /// Sends the platforms with this name to a point of their path, once all scripts have run. Points count from 0.
        /// The path needs `loop = "called"`. They travel at the speed of their path, from wherever they are;
        /// `on_depart` and `on_arrive` report it.
        of_world send(SOLID, param("point", Type::Number, ""));
        "world::send(\"lift\", 1);";
        call_platforms;

        /// Stops the platforms with this name where they are, once all scripts have run. Their path needs `loop =
        /// "called"` or `loop = "free"`.
        of_world stop(SOLID);
        "world::stop(\"lift\");";
        call_platforms;

        /// Sends the platforms with this name to an offset from where they are drawn, at most 32,768 px, once all scripts have
        /// run. The path needs `loop = "free"`. They travel on a straight line at the speed of their path, carry riders, and push
        /// what is in their way; `on_depart` and `on_arrive` report it, with point 0.
        of_world move_solid(SOLID, param("x", Type::Number, ""), param("y", Type::Number, ""));
        "world::move_solid(\"gate\", 0, 120);";
        |moment, args| {
            let (name, to) = (args.text(0)?, args.point(1)?);
            if to.abs().max_element() > MOST_MOVED {
                return refuse(format!("a solid moves at most {MOST_MOVED} px from where it is drawn"));
            }
            order_platforms(moment, args.call(), name, |path, created| {
                if path.is_some_and(Path::is_free) {
                    return Ok(|index| Command::MoveSolid(index, to));
                }
                let how = match created {
                    true => GIVE_SPEED,
                    false => "give it `path = { loop = \"free\", speed = 100 }` in the level file",
                };
                refuse(format!("the solid `{name}` cannot be moved; {how}"))
            })
        };

        /// Where the first solid with this name was when the tick began: its offset from where it is drawn, px.
        of_world solid_offset(SOLID) -> Type::Vec;
        "let open = world::solid_offset(\"gate\").y > 100;";
        |moment, args| {
            let world = moment.world()?;
            let terrain = &world.stage()?.level.terrain;
            let platform = terrain.platform_of(solids(world, args.text(0)?)?[0]);
            Ok(platform.map_or(DVec2::ZERO, |number| world.standing.offsets[usize::from(number)]).into())
        };

        /// Rotates the solids with this name to an angle, radians counterclockwise from where they are drawn, once all
        /// scripts have run. They need `rotation = { pivot = [x, y], speed_deg = 45, loop = "called" }` in the level file, and
        /// rotate at that speed, the way that the number says: to 6.28 is a whole turn. They carry riders and push what is
        /// in their way; `on_depart` and `on_arrive` report it, with point 0.
        of_world turn_solid(SOLID, param("angle", Type::Number, "rad"));
        "world::turn_solid(\"bridge\", -1.57);";
        turn_solid;

        /// The angle of the first solid with this name when the tick began, radians counterclockwise from where it is drawn:
        /// 0 for one that does not rotate.
        of_world solid_angle(SOLID) -> Type::Number, "rad";
        "let open = world::solid_angle(\"bridge\") > 1.5;";
        |moment, args| {
            let world = moment.world()?;
            let terrain = &world.stage()?.level.terrain;
            let platform = terrain.platform_of(solids(world, args.text(0)?)?[0]);
            let tilt = platform.and_then(|number| world.standing.tilt(number));
            Ok(CallAnswer::Number(tilt.map_or(0.0, |tilt| tilt.angle().to_radians())))
        };

        /// Sets the speed of the platforms with this name, px/s, once all scripts have run: 0 stops them, the speed of
        /// their path lets them travel as before.
        of_world set_path_speed(SOLID, param("speed", Type::Number, "px/s"));
        "world::set_path_speed(\"lift\", 20);";
        |moment, args| {
            let (name, speed) = (args.text(0)?, args.get(1).within(args.parameter(1), 0.0..=MOST)?);
            order_platforms(moment, args.call(), name, |path, created| match created {
                _ if path.is_some() => Ok(|index| Command::SetSpeed(index, speed)),
                true => refuse(format!("the solid `{name}` has no speed; {GIVE_SPEED}")),
                false => refuse(format!("only a solid with a `path` in the level file has a speed, unlike `{name}`")),
            })
        };
    }
}

/// Operations charged for a ray, in addition to what it meets.
const PER_CAST: u64 = 20;

/// Length of a ray that costs one operation, px.
const CAST_PER_OPERATION: f64 = 1_000.0;

/// How many edges near a ray are looked at for one operation.
const EDGES_PER_OPERATION: u64 = 4;

/// How many corners of zones are looked at for one operation.
const CORNERS_PER_OPERATION: usize = 8;

/// Operations charged for looking for zones.
const PER_QUERY: u64 = 12;

/// Operations charged for each zone that is returned.
const PER_ZONE: u64 = 2;

/// Operations charged for each solid that is switched.
const PER_SWITCH: u64 = 4;

/// The first hit of a ray, with the platforms where they were at the start of the phase.
fn cast<'a>(moment: &'a CallMoment, from: DVec2, to: DVec2) -> Answered<'a> {
    let world = moment.world()?;
    let level = &world.stage()?.level;
    let scenery = level.terrain.moved(&world.standing);
    let length = (from.distance(to) / CAST_PER_OPERATION) as u64;
    let crowd = scenery.crowd(&Bounds::of(from, to)) / EDGES_PER_OPERATION;
    charge(PER_CAST + length + crowd)?;
    let Some(hit) = scenery.cast(from, to - from) else {
        return Ok(CallAnswer::Nothing);
    };
    let at = hit.cast_point(from, to - from);
    let solid = level.terrain.solid_of(hit.feature);
    let surface = level.surface_name(solid.surface);
    Ok(CallAnswer::Fields(vec![
        ("x", CallAnswer::Number(at.x)),
        ("y", CallAnswer::Number(at.y)),
        ("normal", hit.normal.into()),
        ("solid", CallAnswer::Text(&solid.name)),
        ("surface", CallAnswer::Text(surface)),
    ]))
}

fn set_solid<'a>(moment: &'a mut CallMoment, args: Args<'a>) -> Answered<'a> {
    let (name, on) = (args.text(0)?, args.flag(1)?);
    let (me, world) = moment.both()?;
    world.require_event(args.call())?;
    let solids = solids(world, name)?;
    let all = world.stage()?.level.terrain.solids();
    if solids.iter().any(|i| all[*i as usize].present.is_none()) {
        return refuse(format!(
            "the solid `{name}` cannot be switched; add `present = true` or `present = false` to it in the \
             level file"
        ));
    }
    charge(PER_SWITCH * solids.len() as u64)?;
    let mut each = solids.into_iter();
    each.try_for_each(|index| me.queue(Command::Switch(index, on)))?;
    Ok(CallAnswer::Nothing)
}

/// Rotates the solids with this name.
fn turn_solid<'a>(moment: &'a mut CallMoment, args: Args<'a>) -> Answered<'a> {
    let (name, angle) = (args.text(0)?, args.number(1)?.to_degrees());
    if angle.abs() > MOST_ANGLE {
        return refuse(format!("a solid rotates to at most {} turns from where it is drawn", MOST_ANGLE / 360.0));
    }
    order_solids(moment, args.call(), name, |solid, created| match solid.rotation.map(|rotation| rotation.law) {
        Some(RotationLaw::Called(_)) => Ok(|index| Command::TurnSolid(index, angle)),
        Some(_) => refuse(format!(
            "the solid `{name}` rotates by itself; give its `rotation` the key `loop = \"called\"` in the level file"
        )),
        None if created => refuse(format!("the solid `{name}` does not rotate; only solids of the level file can")),
        None => refuse(format!(
            "the solid `{name}` does not rotate; give it `rotation = {{ pivot = [x, y], speed_deg = 45, loop = \"called\" }}` \
             in the level file"
        )),
    })
}

/// How a solid that a script has created can be moved.
const GIVE_SPEED: &str = "give it a speed when you create it: `speed: 100` in the map of `world::create_solid`";

/// Gives an order to each platform with this name. `order` decides by its path, and by whether a script has created it.
fn order_platforms<'a, O: FnOnce(u32) -> Command>(
    moment: &mut CallMoment,
    call: &str,
    name: &str,
    order: impl Fn(Option<&Path>, bool) -> Accepted<O>,
) -> Answered<'a> {
    order_solids(moment, call, name, |solid, created| order(solid.path.as_ref(), created))
}

/// Gives an order to each solid with this name. `order` decides by the solid, and by whether a script has created it.
fn order_solids<'a, O: FnOnce(u32) -> Command>(
    moment: &mut CallMoment,
    call: &str,
    name: &str,
    order: impl Fn(&Solid, bool) -> Accepted<O>,
) -> Answered<'a> {
    let (me, world) = moment.both()?;
    world.require_event(call)?;
    let indices = solids(world, name)?;
    charge(PER_SWITCH * indices.len() as u64)?;
    let level = &world.stage()?.level;
    let orders = indices.into_iter().map(|index| {
        let created = world.changes.created_at(level.own_solids, index).is_some();
        Ok(order(&level.terrain.solids()[index as usize], created)?(index))
    });
    let orders: Vec<Command> = orders.collect::<Accepted<_>>()?;
    orders.into_iter().try_for_each(|order| me.queue(order))?;
    Ok(CallAnswer::Nothing)
}

/// Sends the platforms with this name to a point of their path, or stops them.
fn call_platforms<'a>(moment: &'a mut CallMoment, args: Args<'a>) -> Answered<'a> {
    let name = args.text(0)?;
    let point = (args.count() > 1).then(|| args.whole(1)).transpose()?;
    order_platforms(moment, args.call(), name, |path, created| {
        let fits = |path: &&Path| path.is_called() && (point.is_none() || !path.is_free());
        let Some(path) = path.filter(fits) else {
            let way = match (point, path.is_some_and(Path::is_free)) {
                (Some(_), true) if created => "use `world::move_solid`",
                (Some(_), true) => "its path is `free`, so use `world::move_solid`",
                (Some(_), false) if created => "only solids of the level file have a path with points",
                (None, _) if created => GIVE_SPEED,
                (Some(_), false) => "give it a `path` with `loop = \"called\"` in the level file",
                (None, _) => "give it a `path` with `loop = \"called\"` or `loop = \"free\"` in the level file",
            };
            let done = if point.is_some() { "sent" } else { "stopped" };
            return refuse(format!("the solid `{name}` cannot be {done}; {way}"));
        };
        let last = path.points().len().max(1) - 1;
        let known = |point: i64| u32::try_from(point).ok().filter(|p| *p as usize <= last);
        match point.map(|point| known(point).ok_or(point)).transpose() {
            Ok(to) => Ok(move |index| Command::Call(index, to)),
            Err(wrong) => refuse(format!("the path of `{name}` has no point {wrong}; its points are 0 to {last}")),
        }
    })
}

/// The zones with this name, as indices into the level's list.
fn zones(world: &WorldView, name: &str) -> Accepted<Vec<u32>> {
    let zones = world.stage()?.level.zones.list();
    named("zone", name, zones.iter().map(|zone| &*zone.name))
}

/// The solids with this name, as indices into the level's list.
pub(super) fn solids(world: &WorldView, name: &str) -> Accepted<Vec<u32>> {
    // What is left of solids whose tiles are broken comes last, with their names.
    let level = &world.stage()?.level;
    let solids = &level.terrain.solids()[..level.own_solids + world.changes.created.len()];
    named("solid", name, solids.iter().map(|solid| &*solid.name))
}

/// The places of a name among `names`. Things without a name cannot be found.
fn named<'n>(what: &str, name: &str, names: impl ExactSizeIterator<Item = &'n str> + Clone) -> Accepted<Vec<u32>> {
    charge(names.len() as u64 / 8)?;
    let have = (0..).zip(names.clone()).filter(|(_, have)| !have.is_empty());
    let found: Vec<u32> = have.filter(|(_, have)| *have == name).map(|(index, _)| index).collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let known: BTreeSet<&str> = names.filter(|name| !name.is_empty()).collect();
    refuse(format!("there is no {what} `{name}` in this level{}", suggestion(name, known)))
}
