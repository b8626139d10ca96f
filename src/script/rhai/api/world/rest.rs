//! Rest positions, for scripts that search paths.

use super::super::arguments::{Fallible, fail, finite, parameter};
use super::super::entries::of_world;
use super::super::registry::Registry;
use super::super::world_view::WorldHandle;
use super::places::{SOLID_FIELD, SURFACE_FIELD};
use crate::geometry::grid::Bounds;
use crate::level::{RestPosition, Scenery, View};
use crate::script::host::api::{Names, Param, Shape, Type, field, param};
use crate::script::host::names::suggestion;
use crate::script::rhai::engine::budget::charge;
use crate::sim::Stage;
use glam::DVec2;
use rhai::{Array, Dynamic, Map, NativeCallContext};

/// An element of the array that `rest_positions` returns.
const PLACE: Shape = Shape {
    name: "rest_position",
    common: &[],
    own: &[
        field("x", Type::Number, "px", "x of the body's center"),
        field("y", Type::Number, "px", "y of the body's center"),
        field(
            "mode",
            Type::Name(Names::Mode),
            "",
            "mode of a body that rests there: `ground`, `wall` or `roof`",
        ),
        SOLID_FIELD,
        SURFACE_FIELD,
    ],
};

const AREA: &[Param] = &[
    param("kind", Type::Name(Names::Kind), ""),
    param("x1", Type::Number, "px"),
    param("y1", Type::Number, "px"),
    param("x2", Type::Number, "px"),
    param("y2", Type::Number, "px"),
];

/// Operations charged for each position that is tested or returned.
const PER_POSITION: u64 = 16;

/// Area of a query that costs one operation, px².
const AREA_PER_OPERATION: f64 = 10_000.0;

/// Registers the call.
pub(super) fn register(registry: &mut Registry<'_>) {
    registry.add(
        of_world(
            "rest_positions",
            "All places where a `platformer` body of this kind can rest with its center between the corners \
             (x1, y1) and (x2, y2), from left to right: see `rest_spacing` in [tunables.md](tunables.md#platformer). \
             Empty in a top view and with a `rest_spacing` of 0. Moving platforms are where they were when the tick \
             began. One call returns at most as many places as an array can hold.",
            "for place in world::rest_positions(me.kind, me.x - 80, me.y - 40, me.x + 80, me.y + 40) {\n    \
             if place.mode == \"ground\" { this.goal = place.x; }\n}",
        )
        .takes(AREA)
        .returns(Type::Array(&Type::Map(&PLACE)), ""),
        |context: NativeCallContext<'_>,
         kind: &str,
         x1: Dynamic,
         y1: Dynamic,
         x2: Dynamic,
         y2: Dynamic| {
            let part = |name, value| finite(&parameter("rest_positions", name), value);
            let one = DVec2::new(part("x1", &x1)?, part("y1", &y1)?);
            let other = DVec2::new(part("x2", &x2)?, part("y2", &y2)?);
            rest_positions(&context, kind, &Bounds::of(one, other))
        },
    );
}

fn rest_positions(context: &NativeCallContext<'_>, kind: &str, area: &Bounds) -> Fallible<Array> {
    let world = WorldHandle::of(context)?;
    let world = world.lock();
    let stage = world.stage()?;
    let Some(&profile) = stage.kinds.get(kind) else {
        let hint = suggestion(kind, stage.kinds.keys().map(|kind| &**kind));
        return fail(format!(
            "there is no kind `{kind}`{hint} (a level loads only the kinds of its entities and those that a script names in quotes)"
        ));
    };
    if stage.level.view == View::Top {
        return Ok(Array::new());
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
    let most = context.engine().max_array_size();
    if count > most as u64 {
        return fail(format!(
            "there are up to {count} rest positions in this area, but an array can have at most {most} elements \
             (`array_length` in [scripts]); ask for a smaller area"
        ));
    }
    let places = scenery.rest_positions_of(&query, area, &ranges);
    let maps = places.iter().map(|place| {
        let mode = loadout.rest_mode(scenery.face(place.edge).normal);
        place_map(stage, &scenery, place, mode.as_str()).into()
    });
    Ok(maps.collect())
}

fn place_map(stage: &Stage, scenery: &Scenery<'_>, place: &RestPosition, mode: &str) -> Map {
    let edge = scenery.edge(place.edge);
    let solid = &stage.level.terrain.solids()[edge.solid as usize];
    let mut map = Map::new();
    map.insert("x".into(), place.at.x.into());
    map.insert("y".into(), place.at.y.into());
    map.insert("mode".into(), mode.into());
    map.insert("solid".into(), solid.name.to_string().into());
    let surface = stage.level.surface_name(solid.surface);
    map.insert("surface".into(), surface.to_string().into());
    map
}
