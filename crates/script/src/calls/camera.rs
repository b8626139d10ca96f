//! `camera::`: how the level is looked at. Scripts cannot read it back.

use super::*;
use hangtime_core::{
    geometry::grid::Bounds,
    level::{CAMERA_ZOOM, CameraAim, CameraSettings, CameraTarget, LOOK_AHEAD, MOST_TARGETS},
    sim::{CameraOrder, DrawOrder, MOST_PLAYERS, Stage},
    tuning::MOST,
};

/// Operations charged for an order, and for each target.
const PER_CAMERA: u64 = 16;
const PER_TARGET: u64 = 40;

/// The strongest shake, px, and the longest, s.
const SHAKES: (f64, f64) = (1_000.0, 60.0);

/// A function of the module `camera`.
const fn of_camera(name: &'static str, doc: &'static str, example: &'static str) -> ApiEntry {
    ApiEntry::call(Owner::Camera, name, doc, example)
}

const TARGET: Param = param("target", Type::Either(&[Type::Text, Type::Whole, Type::Array(&Type::Any)]), "");

/// Adds the topic.
pub fn add(table: &mut CallTable) {
    table.topic(Topic::Camera);
    add_calls! { table;
        /// Follows an entity by its name, all entities of a kind, or a player by a number. A list follows all of them
        /// at once: the picture shows more of the level where they are far apart. Without this call the camera follows
        /// what `[camera]` of the level says, or else the players.
        of_camera follow(TARGET);
        "camera::follow(me.name);";
        follow;

        /// Looks at a point of the level, and follows nothing.
        of_camera look_at(X, Y);
        "if me.age < 2 { camera::look_at(300, 120); } else { camera::reset(); }";
        |moment, args| {
            let aim = Some(CameraAim::At(args.point(0)?));
            set(moment, CameraSettings { aim, ..CameraSettings::default() })
        };

        /// Shows everything this many times as large, 0.1 to 16; less than 1 shows more of the level.
        of_camera zoom(param("factor", Type::Number, ""));
        "camera::zoom(if me.grounded { 1.0 } else { 0.8 });";
        |moment, args| {
            let zoom = Some(args.get(0).within(args.parameter(0), CAMERA_ZOOM)?);
            set(moment, CameraSettings { zoom, ..CameraSettings::default() })
        };

        /// What is followed can move within an area of this size without moving the camera, which then does not look
        /// ahead unless `camera::look_ahead` says so.
        of_camera dead_zone(param("width", Type::Number, "px"), param("height", Type::Number, "px"));
        "camera::dead_zone(120, 80);";
        |moment, args| {
            let side = |place| args.get(place).within(args.parameter(place), 0.0..=MOST);
            let dead_zone = Some(DVec2::new(side(0)?, side(1)?));
            set(moment, CameraSettings { dead_zone, ..CameraSettings::default() })
        };

        /// Looks ahead of what is followed, as far as it comes in this time; 0 keeps it in the middle.
        of_camera look_ahead(param("seconds", Type::Number, "s"));
        "camera::look_ahead(0.5);";
        |moment, args| {
            let look_ahead = Some(args.get(0).within(args.parameter(0), LOOK_AHEAD)?);
            set(moment, CameraSettings { look_ahead, ..CameraSettings::default() })
        };

        /// Shows nothing outside of this part of the level, such as one of its rooms.
        of_camera bounds(
            param("left", Type::Number, "px"),
            param("bottom", Type::Number, "px"),
            param("right", Type::Number, "px"),
            param("top", Type::Number, "px")
        );
        "camera::bounds(0, 0, 640, 360);";
        |moment, args| {
            let (min, max) = (args.point(0)?, args.point(2)?);
            if min.cmpge(max).any() {
                return refuse("`bounds` needs left < right and bottom < top; y points up");
            }
            let bounds = Some(Bounds { min, max });
            set(moment, CameraSettings { bounds, ..CameraSettings::default() })
        };

        /// Shakes the picture by at most this many px, 0 to 1,000, less and less until this time is over. It takes the
        /// place of an earlier shake.
        of_camera shake(param("strength", Type::Number, "px"), param("seconds", Type::Number, "s"));
        "if me.released(\"hook\") { camera::shake(6, 0.4); }";
        |moment, args| {
            let strength = args.get(0).within(args.parameter(0), 0.0..=SHAKES.0)?;
            let seconds = args.get(1).within(args.parameter(1), 0.0..=SHAKES.1)?;
            order(moment, CameraOrder::Shake(strength, seconds))
        };

        /// Looks at the level as its files say again: undoes all calls of `camera::`.
        of_camera reset();
        "camera::reset();";
        |moment, _| order(moment, CameraOrder::Reset);
    }
}

fn set<'a>(moment: &mut CallMoment, settings: CameraSettings) -> Answered<'a> {
    order(moment, CameraOrder::Set(settings))
}

fn order<'a>(moment: &mut CallMoment, order: CameraOrder) -> Answered<'a> {
    charge(PER_CAMERA)?;
    moment.both()?.0.order(Command::Draw(DrawOrder::Camera(Box::new(order))))
}

fn follow<'a>(moment: &'a mut CallMoment, args: Args<'a>) -> Answered<'a> {
    let (given, world) = (args.get(0), moment.world()?);
    let (stage, next_id) = (world.stage()?, world.next_id);
    let mut targets = Vec::new();
    let mut add = |target: Arg<'_>| {
        charge(PER_TARGET)?;
        if targets.len() == MOST_TARGETS {
            return refuse(format!("a camera can follow at most {MOST_TARGETS} targets"));
        }
        targets.push(target_of(target, args, stage, next_id)?);
        Ok(())
    };
    match given.as_list() {
        Some(list) => list.each_item(&mut add)?,
        None => add(given)?,
    }
    if targets.is_empty() {
        return refuse("a camera follows at least one target; `camera::reset()` follows what the level says");
    }
    let aim = Some(CameraAim::Follow(targets.into()));
    set(moment, CameraSettings { aim, ..CameraSettings::default() })
}

fn target_of(target: Arg<'_>, args: Args<'_>, stage: &Stage, next_id: u32) -> Accepted<CameraTarget> {
    let starts = &stage.starts;
    if target.number().is_some() {
        let number = target.whole(args.parameter(0))?;
        let player = u8::try_from(number).ok().filter(|player| (1..=MOST_PLAYERS).contains(player));
        return match player.filter(|player| starts.iter().any(|start| start.player == Some(*player))) {
            Some(player) => Ok(CameraTarget::Player(player)),
            None => refuse(format!("no entity of this level has `player = {number}`")),
        };
    }
    let Arg::Text(name) = target else {
        return target
            .is_not(args.parameter(0), "the name of an entity or a kind, the number of a player, or a list of these");
    };
    // The names of entities that scripts spawn are a kind and a number that was given out.
    let spawned = name
        .trim_end_matches('_')
        .rsplit_once('_')
        .is_some_and(|(kind, id)| stage.kinds.contains_key(kind) && id.parse().is_ok_and(|id: u32| id < next_id));
    let names = || starts.iter().map(|start| &*start.name).chain(stage.kinds.keys().map(|kind| &**kind));
    if spawned || names().any(|known| *known == *name) {
        return Ok(CameraTarget::Named(name.into()));
    }
    refuse(format!("there is no entity and no kind `{name}`{}", suggestion(name, names())))
}
