//! Solids that scripts create and remove, and tiles that they break.

use super::{super::world_view::WorldView, places::solids};
use crate::calls::{arguments::check_length, *};
use hangtime_core::{
    geometry::polygon,
    level::{CreatedSolid, FARTHEST, Level, MOST_CREATED, MOST_CREATED_POINTS, SurfaceId, View},
    tuning::MOST,
};
use std::{fmt::Display, sync::Arc};

const POINT: Type = Type::Either(&[Type::Vec, Type::Array(&Type::Number)]);

/// The settings of `create_solid`.
const SETTINGS: Shape = Shape {
    name: "solid_settings",
    common: &[],
    own: fields! {
        /// its corners in the level, 3 to 64, each `[x, y]` or a vec; for a one-way platform at least 2
        points sometimes: Type::Array(&POINT), "px";
        /// instead of points: the sides of a rectangle, `[left, bottom, right, top]`
        box sometimes: Type::Array(&Type::Number), "px";
        /// its surface, one that the level's file names; the level's own if it is left out
        surface sometimes: Type::Name(Names::Surface);
        /// whether bodies pass through it from below
        one_way sometimes: Type::Flag;
        /// in a top view, how high it is
        top sometimes: Type::Number, "px";
        /// how fast `world::move_solid` moves it; it stays in place if this is left out
        speed sometimes: Type::Number, "px/s";
    },
};

/// Operations charged for creating or removing a solid or a tile. Once scripts have run, the level is built again.
const PER_SOLID: u64 = 300;
const PER_TILE: u64 = 60;

/// Operations charged for each corner.
const PER_CORNER: u64 = 4;

/// The longest name, bytes.
const LONGEST_NAME: usize = 64;

/// Adds the calls.
pub fn add(table: &mut CallTable) {
    add_calls! { table;
        /// Creates a solid with this name, once all scripts have run; from the next tick on, calls find it. The settings are
        /// a map with `points` or `box`, and any of `surface`, `one_way`, `top` and `speed`. A body that is in its place is
        /// moved out, as by a solid that is switched on. No other solid may have its name. At most 1,000 created solids can
        /// exist at once. They stay when files change, until the level starts again.
        of_world create_solid(param("name", Type::Text, ""), param("settings", Type::Map(&SETTINGS), ""));
        "world::create_solid(\"step\" + world::tick(), #{ box: [me.x + 40, me.y - 20, me.x + 80, me.y] });";
        create_solid;

        /// Removes all solids with this name, once all scripts have run: those that scripts have created, and those of the
        /// level's file, which are back when the level starts again. Bodies that stood on them fall, hooks let go, and
        /// ropes that were tied to them are lost.
        of_world remove_solid(param("name", Type::Name(Names::Solid), ""));
        "world::remove_solid(\"door\");";
        remove_solid;

        /// Breaks the solid tiles at (x, y), on every layer of a map drawn in Tiled or LDtk, and takes their pictures away, once
        /// all scripts have run. Returns whether there was one as the tick began. A new start of the level brings them back.
        of_world break_tile(X, Y) -> Type::Flag;
        "if world::break_tile(me.x, me.y - 40) { print(\"crack\"); }";
        break_tile;
    }
}

/// What the settings of a solid say.
#[derive(Default)]
pub(in crate::calls) struct SolidSettings {
    points: Option<Vec<DVec2>>,
    sides: Option<[f64; 4]>,
    surface: Option<Arc<str>>,
    one_way: bool,
    top: Option<f64>,
    speed: Option<f64>,
}

impl SolidSettings {
    pub(in crate::calls) fn set(&mut self, key: &str, value: Arg<'_>) -> Allowed {
        let what = parameter("create_solid", key);
        match key {
            "points" => self.points = Some(value.points(what, (MOST_CREATED_POINTS, FARTHEST))?),
            "box" => self.sides = Some(sides_of(what, value)?),
            "surface" => self.surface = Some(value.text(what)?.into()),
            "one_way" => self.one_way = value.flag(what)?,
            "top" => self.top = Some(value.within(what, 0.0..=MOST)?),
            _ => self.speed = Some(value.within(what, 0.0..=MOST)?),
        }
        Ok(())
    }
}

/// The sides of a rectangle.
fn sides_of(what: impl Display + Copy, value: Arg<'_>) -> Accepted<[f64; 4]> {
    let right = "`[left, bottom, right, top]` with left < right and bottom < top";
    let Some(list) = value.as_list() else {
        return value.is_not(what, right);
    };
    let mut sides = Vec::new();
    list.each_item(&mut |side| {
        charge(PER_CORNER)?;
        sides.truncate(4);
        sides.push(side.within(what, -FARTHEST..=FARTHEST)?);
        Ok(())
    })?;
    match sides[..] {
        [left, bottom, right, top] if left < right && bottom < top => Ok([left, bottom, right, top]),
        _ => refuse(format!("{what} must be {right}")),
    }
}

fn create_solid<'a>(moment: &'a mut CallMoment, args: Args<'a>) -> Answered<'a> {
    let name = args.text(0)?;
    let mut settings = SolidSettings::default();
    args.settings(1, "a map, such as `#{ box: [0, 0, 40, 20] }`", &mut |key, value| settings.set(key, value))?;
    let SolidSettings { points, sides, surface, one_way, top, speed } = settings;
    let points = match (points, sides) {
        (Some(points), None) => points,
        // A one-way platform is its upper side.
        (None, Some([left, _, right, top])) if one_way => vec![DVec2::new(left, top), DVec2::new(right, top)],
        (None, Some([left, bottom, right, top])) => {
            [(left, bottom), (right, bottom), (right, top), (left, top)].map(DVec2::from).to_vec()
        }
        _ => return refuse("`create_solid` needs either `points` or `box` in its map"),
    };
    let (me, world) = moment.both()?;
    world.require_event(args.call())?;
    let level = &world.stage()?.level;
    if name.is_empty() {
        return refuse("a solid needs a name that is not empty");
    }
    check_length(name, "the name of a solid", LONGEST_NAME)?;
    charge(PER_SOLID + PER_CORNER * points.len() as u64 + level.terrain.solids().len() as u64 / 8)?;
    if world.has_solid(name)? {
        return refuse(format!("a solid `{name}` exists; remove it first, or choose another name"));
    }
    if world.solids >= MOST_CREATED {
        return refuse(format!(
            "at most {MOST_CREATED} created solids can exist; remove some with `world::remove_solid`"
        ));
    }
    for (key, given, wanted) in [("top", top.is_some(), View::Top), ("one_way", one_way, View::Side)] {
        if given && level.view != wanted {
            return refuse(format!("`{key}` of `create_solid` works in {} views only", wanted.name()));
        }
    }
    let surface = surface.map_or(Ok(level.plain), |surface| surface_named(level, &surface))?;
    let checked = if one_way { polygon::one_way(&points) } else { polygon::outline(&points) };
    let points = match checked {
        Ok(points) => points,
        Err(wrong) => return refuse(format!("the solid `{name}` cannot be created: {wrong}")),
    };
    let name: Arc<str> = name.into();
    let created = CreatedSolid { name: name.clone(), surface, points, one_way, top, speed, removed: false };
    me.queue(Command::CreateSolid(Box::new(created)))?;
    world.note_solid(name, true);
    Ok(CallAnswer::Nothing)
}

/// A surface of the level.
fn surface_named(level: &Level, name: &str) -> Accepted<SurfaceId> {
    let place = level.surfaces.iter().position(|surface| &**surface == name);
    place.map_or_else(
        || {
            let near = suggestion(name, level.surfaces.iter().map(|surface| &**surface));
            refuse(format!("the level names no surface `{name}`{near}"))
        },
        |place| Ok(SurfaceId(place as u16)),
    )
}

fn remove_solid<'a>(moment: &'a mut CallMoment, args: Args<'a>) -> Answered<'a> {
    let name = args.text(0)?;
    let (me, world) = moment.both()?;
    world.require_event(args.call())?;
    charge(PER_SOLID + world.stage()?.level.terrain.solids().len() as u64 / 8)?;
    if !world.has_solid(name)? {
        solids(world, name)?;
    }
    let name: Arc<str> = name.into();
    me.queue(Command::RemoveSolid(name.clone()))?;
    world.note_solid(name, false);
    Ok(CallAnswer::Nothing)
}

fn break_tile<'a>(moment: &'a mut CallMoment, args: Args<'a>) -> Answered<'a> {
    let at = args.point(0)?;
    let (me, world) = moment.both()?;
    world.require_event(args.call())?;
    charge(PER_TILE)?;
    let there = world
        .stage()?
        .level
        .tiles_at(at)
        .any(|tile| world.changes.broken.binary_search(&tile).is_err());
    if there {
        me.queue(Command::BreakTile(at))?;
    }
    Ok(CallAnswer::Flag(there))
}

impl WorldView {
    /// Whether a solid has this name, once the scripts of the phase have run. Names of the level's file stay taken.
    fn has_solid(&self, name: &str) -> Accepted<bool> {
        charge(self.solids_later.len() as u64 / 8)?;
        let level = &self.stage()?.level;
        let mut own = level.terrain.solids()[..level.own_solids].iter();
        Ok(own.any(|solid| &*solid.name == name) || self.has_created(name))
    }

    /// Whether a created solid will have this name.
    fn has_created(&self, name: &str) -> bool {
        match self.solids_later.iter().rev().find(|(other, _)| &**other == name) {
            Some((_, there)) => *there,
            None => self.changes.created.iter().flatten().any(|created| &*created.name == name),
        }
    }

    /// Notes that a solid is created or removed in this phase.
    fn note_solid(&mut self, name: Arc<str>, there: bool) {
        match (there, self.has_created(&name)) {
            (true, false) => self.solids += 1,
            (false, true) => self.solids -= 1,
            _ => {}
        }
        self.solids_later.push((name, there));
    }

    /// Forgets what a failed call has created and removed last, `count` times.
    pub(in crate::calls) fn undo_solids(&mut self, count: usize) {
        for _ in 0..count {
            let Some((name, there)) = self.solids_later.pop() else { return };
            match (self.has_created(&name), there) {
                (true, false) => self.solids += 1,
                (false, true) => self.solids -= 1,
                _ => {}
            }
        }
    }
}
