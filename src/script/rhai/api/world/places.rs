//! The time, the zones and the terrain.

use super::super::arguments::{Fallible, finite, point, wrong};
use super::super::outlook::{Outlook, Sight};
use super::super::registry::Registry;
use super::world;
use crate::script::host::api::{Names, Shape, Topic, Type, field, param};
use crate::script::host::names::suggestion;
use crate::script::rhai::engine::budget::charge;
use crate::script::rhai::engine::vector::Vector;
use crate::sim::Command;
use glam::DVec2;
use rhai::{Array, Dynamic, FLOAT, INT, ImmutableString, Map, NativeCallContext};

type Context<'a> = NativeCallContext<'a>;

/// What a cast meets.
const CAST: Shape = Shape {
    name: "cast",
    common: &[],
    own: &[
        field("x", Type::Number, "px", "where it meets it"),
        field("y", Type::Number, "px", "where it meets it"),
        field("normal", Type::Vec, "", "out of the solid, 1 long"),
        field(
            "solid",
            Type::Name(Names::Solid),
            "",
            "the solid's name, empty if it has none",
        ),
        field(
            "surface",
            Type::Name(Names::Surface),
            "",
            "the solid's surface, empty if it has none",
        ),
    ],
};

const NAME: Type = Type::Name(Names::Solid);

/// Registers what there is to know of them.
pub(super) fn register(registry: &mut Registry<'_>) {
    registry.topic(Topic::Places);
    register_time(registry);
    register_terrain(registry);
    register_solids(registry);
}

fn register_time(registry: &mut Registry<'_>) {
    registry.add(
        world(
            "tick",
            "The tick: in the step from n to n+1 it is n.",
            "if world::tick() % 60 == 0 { print(\"a second\"); }",
        )
        .answers(Type::Whole, ""),
        |context: Context<'_>| -> Fallible<INT> { Ok(Outlook::of(&context)?.lock().tick as INT) },
    );
    registry.add(
        world(
            "time",
            "How long the level has been played.",
            "let sway = sin(world::time() * 2.0) * 30;",
        )
        .answers(Type::Number, "s"),
        |context: Context<'_>| -> Fallible<FLOAT> { Ok(Outlook::of(&context)?.lock().time) },
    );
    registry.add(
        world(
            "dt",
            "How long a tick takes: what changes by so much a second changes by so much times this a tick.",
            "me.angle += 0.5 * world::dt();",
        )
        .answers(Type::Number, "s"),
        |context: Context<'_>| -> Fallible<FLOAT> { Ok(Outlook::of(&context)?.lock().dt) },
    );
}

fn register_terrain(registry: &mut Registry<'_>) {
    registry.add(
        world(
            "zones_at",
            "The names of the zones at a place.",
            "let deep = \"water\" in world::zones_at(me.x, me.y + 20);",
        )
        .takes(
            const {
                &[
                    param("x", Type::Number, "px"),
                    param("y", Type::Number, "px"),
                ]
            },
        )
        .answers(Type::Array(&Type::Name(Names::Zone)), ""),
        |context: Context<'_>, x: Dynamic, y: Dynamic| -> Fallible<Array> {
            let at = point("zones_at", &x, &y)?;
            let outlook = Outlook::of(&context)?;
            let sight = outlook.lock();
            let zones = &sight.stage()?.level.zones;
            let mut names = Array::new();
            zones.visit(at, |index| {
                let name = &zones.list()[index as usize].name;
                names.push(Dynamic::from(ImmutableString::from(&**name)));
            });
            Ok(names)
        },
    );
    registry.add(
        world(
            "cast",
            "What of the terrain a straight line from (x1, y1) to (x2, y2) meets first, or `()`. \
             One-way platforms stop it from above; platforms are where they were when the tick began.",
            "let ground = world::cast(me.x, me.y, me.x, me.y - 200);\n\
             if ground != () { this.height = me.y - ground.y; }",
        )
        .takes(const { &[
            param("x1", Type::Number, "px"),
            param("y1", Type::Number, "px"),
            param("x2", Type::Number, "px"),
            param("y2", Type::Number, "px"),
        ] })
        .answers(Type::Either(&[Type::Map(&CAST), Type::Nothing]), ""),
        |context: Context<'_>, x1: Dynamic, y1: Dynamic, x2: Dynamic, y2: Dynamic| {
            let from = DVec2::new(finite("cast's x1", &x1)?, finite("cast's y1", &y1)?);
            let to = DVec2::new(finite("cast's x2", &x2)?, finite("cast's y2", &y2)?);
            cast(&context, from, to)
        },
    );
}

/// How far a cast gets for one operation, px.
const CAST_PER_OPERATION: f64 = 1_000.0;

/// What is first on a straight line through the terrain, as the platforms stood when the phase began.
fn cast(context: &Context<'_>, from: DVec2, to: DVec2) -> Fallible<Dynamic> {
    charge(1 + (from.distance(to) / CAST_PER_OPERATION) as u64)?;
    let outlook = Outlook::of(context)?;
    let sight = outlook.lock();
    let stage = sight.stage()?;
    let level = &stage.level;
    let scenery = level.terrain.moved(&sight.standing);
    let Some(hit) = scenery.cast(from, to - from) else {
        return Ok(Dynamic::UNIT);
    };
    let at = hit.cast_point(from, to - from);
    let solid = level.terrain.solid_of(hit.feature);
    let surface = level.surface_name(solid.surface);
    let mut map = Map::new();
    map.insert("x".into(), at.x.into());
    map.insert("y".into(), at.y.into());
    map.insert("normal".into(), Dynamic::from(Vector::from(hit.normal)));
    map.insert("solid".into(), solid.name.to_string().into());
    map.insert("surface".into(), surface.to_string().into());
    Ok(map.into())
}

fn register_solids(registry: &mut Registry<'_>) {
    registry.add(
        world(
            "solid",
            "Whether the solid with this name is there, as the tick began.",
            "if !world::solid(\"door\") { print(\"open\"); }",
        )
        .takes(const { &[param("name", NAME, "")] })
        .answers(Type::Flag, ""),
        |context: Context<'_>, name: &str| -> Fallible<bool> {
            let outlook = Outlook::of(&context)?;
            let sight = outlook.lock();
            let solids = solids(&sight, name)?;
            Ok(solids.iter().all(|index| !sight.absent.holds(*index)))
        },
    );
    registry.add(
        world(
            "set_solid",
            "Lets the solids with this name be there or not, when all scripts have had their turn. Such \
             a solid has the key `present` in its level.",
            "world::set_solid(\"door\", false);",
        )
        .takes(const { &[param("name", NAME, ""), param("there", Type::Flag, "")] }),
        |context: Context<'_>, name: &str, there: bool| -> Fallible<()> {
            let outlook = Outlook::of(&context)?;
            let sight = outlook.lock();
            sight.in_event("set_solid")?;
            let solids = solids(&sight, name)?;
            let all = sight.stage()?.level.terrain.solids();
            if solids.iter().any(|i| all[*i as usize].present.is_none()) {
                return wrong(format!(
                    "the solid `{name}` cannot be switched: in the level file it needs the key \
                     `present`, true or false"
                ));
            }
            let mut each = solids.into_iter();
            each.try_for_each(|index| sight.order(Command::Switch(index, there)))
        },
    );
}

/// The solids with this name: places in the level's list.
fn solids(sight: &Sight, name: &str) -> Fallible<Vec<u32>> {
    let solids = sight.stage()?.level.terrain.solids();
    charge(solids.len() as u64 / 8)?;
    let named = |(index, solid): (usize, &crate::level::Solid)| {
        (!name.is_empty() && *solid.name == *name).then_some(index as u32)
    };
    let found: Vec<u32> = solids.iter().enumerate().filter_map(named).collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let mut names: Vec<&str> = solids.iter().map(|s| &*s.name).collect();
    names.retain(|name| !name.is_empty());
    names.sort_unstable();
    names.dedup();
    wrong(format!(
        "there is no solid `{name}` in this level{}",
        suggestion(name, names)
    ))
}
