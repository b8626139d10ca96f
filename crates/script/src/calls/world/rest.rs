//! Rest positions, for scripts that search paths.

use super::{entities::find_kind, places::FACE};
use crate::calls::*;
use hangtime_core::{
    geometry::grid::Bounds,
    level::{RestPosition, Scenery, View},
    sim::Stage,
};

/// An element of the array that `rest_positions` returns.
const PLACE: Shape = Shape {
    name: "rest_position",
    common: FACE,
    own: fields! {
        /// x of the body's center
        x: Type::Number, "px";
        /// y of the body's center
        y: Type::Number, "px";
        /// mode of a body that rests there: `ground`, `wall` or `roof`
        mode: Type::Name(Names::Mode);
    },
};

/// Operations charged for each position that is tested or returned.
const PER_POSITION: u64 = 16;

/// Area of a query that costs one operation, px².
const AREA_PER_OPERATION: f64 = 10_000.0;

/// Adds the call.
pub fn add(table: &mut CallTable) {
    add_calls! { table;
        /// All places where a `platformer` body of this kind can rest with its center between the corners (x1, y1) and
        /// (x2, y2), from left to right: see `rest_spacing` in [tunables.md](tunables.md#platformer). Empty in a top
        /// view and with a `rest_spacing` of 0. Moving platforms are where they were when the tick began. One call
        /// returns at most as many places as an array can hold.
        of_world rest_positions(KIND, X1, Y1, X2, Y2) -> Type::Array(&Type::Map(&PLACE));
        "for place in world::rest_positions(me.kind, me.x - 80, me.y - 40, me.x + 80, me.y + 40) {\n    \
         if place.mode == \"ground\" { this.goal = place.x; }\n}";
        rest_positions;
    }
}

fn rest_positions<'a>(moment: &'a mut CallMoment, args: Args<'a>) -> Answered<'a> {
    let kind = args.text(0)?;
    let area = &Bounds::of(args.point(1)?, args.point(3)?);
    let world = moment.world()?;
    let stage = world.stage()?;
    let (_, profile) = find_kind(kind, stage)?;
    if stage.level.view == View::Top {
        return Ok(CallAnswer::List(Vec::new()));
    }
    // Nothing is outside the level's bounds, so a larger area costs no more than the level.
    let bounds = &stage.level.bounds;
    let size = (area.max.min(bounds.max) - area.min.max(bounds.min)).max(DVec2::ZERO);
    charge(1 + (size.x * size.y / AREA_PER_OPERATION) as u64)?;
    let loadout = &stage.profiles[profile].loadouts.platformer;
    let query = loadout.rest_query();
    let scenery = stage.level.terrain.moved(&world.standing);
    let ranges = scenery.rest_ranges(&query, area);
    let count = ranges.iter().map(|range| range.count()).sum::<u64>();
    charge(ranges.len() as u64 + PER_POSITION * count)?;
    let most = moment.most_elements;
    if count > most as u64 {
        return refuse(format!(
            "there are up to {count} rest positions in this area, but an array can have at most {most} elements \
             (`array_length` in [scripts]); ask for a smaller area"
        ));
    }
    let places = scenery.rest_positions_of(&query, area, &ranges);
    let maps = places.iter().map(|place| {
        let mode = loadout.rest_mode(scenery.face(place.edge).normal);
        CallAnswer::Fields(place_fields(stage, &scenery, place, mode.as_str()))
    });
    Ok(CallAnswer::List(maps.collect()))
}

fn place_fields<'a>(
    stage: &'a Stage,
    scenery: &Scenery<'_>,
    place: &RestPosition,
    mode: &'a str,
) -> Vec<(&'static str, CallAnswer<'a>)> {
    let edge = scenery.edge(place.edge);
    let solid = &stage.level.terrain.solids()[edge.solid as usize];
    vec![
        ("x", CallAnswer::Number(place.at.x)),
        ("y", CallAnswer::Number(place.at.y)),
        ("mode", CallAnswer::Text(mode)),
        ("solid", CallAnswer::Text(&solid.name)),
        ("surface", CallAnswer::Text(stage.level.surface_name(solid.surface))),
    ]
}
