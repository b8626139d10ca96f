//! `world::`: the other entities, the time, the zones and the terrain, to be read.

use super::me::{Fallible, READABLE, finite, show, wrong};
use super::outlook::Outlook;
use super::vector::Vector;
use crate::script::rhai::values::same;
use crate::sim::EntityView;
use glam::DVec2;
use rhai::{Array, Dynamic, Engine, FLOAT, INT, ImmutableString, Map, Module, NativeCallContext};
use std::sync::Arc;

/// What `world` has, for typing errors.
pub(in crate::script::rhai) const CALLABLE: [&str; 6] =
    ["entity", "all", "tick", "time", "zones_at", "cast"];

/// An entity as it stood when the phase began.
#[derive(Clone)]
struct Seen(Arc<EntityView>);

/// Registers the module and its handles.
pub(in crate::script::rhai) fn register(engine: &mut Engine) {
    engine.register_type_with_name::<Seen>("entity");
    for property in READABLE.into_iter().chain(["age"]) {
        engine.register_get(property, move |seen: &mut Seen| show(&seen.0, property));
        engine.register_set(property, move |seen: &mut Seen, value: Dynamic| {
            // A method of what was read, as in `other.vel.length()`, writes it back as it was.
            if same(&value, &show(&seen.0, property)) {
                return Ok(());
            }
            wrong(format!(
                "`{property}` of another entity cannot be written: a script moves its own, `me`"
            ))
        });
    }
    engine.register_fn("to_string", |seen: &mut Seen| {
        ImmutableString::from(&*seen.0.name)
    });
    let mut module = Module::new();
    add_entities(&mut module);
    add_places(&mut module);
    engine.register_static_module("world", module.into());
}

type Context<'a> = NativeCallContext<'a>;

fn add_entities(module: &mut Module) {
    module.set_native_fn("entity", |context: Context<'_>, name: &str| {
        let outlook = Outlook::of(&context)?;
        let sight = outlook.lock();
        let found = sight.entities.iter().find(|view| &*view.name == name);
        Ok(found.map_or(Dynamic::UNIT, |view| Dynamic::from(Seen(view.clone()))))
    });
    module.set_native_fn("all", |context: Context<'_>, kind: &str| {
        let outlook = Outlook::of(&context)?;
        let sight = outlook.lock();
        let of_kind = sight.entities.iter().filter(|view| &*view.kind == kind);
        Ok(of_kind
            .map(|view| Dynamic::from(Seen(view.clone())))
            .collect::<Array>())
    });
    module.set_native_fn("tick", |context: Context<'_>| {
        Ok(Outlook::of(&context)?.lock().tick as INT)
    });
    module.set_native_fn("time", |context: Context<'_>| -> Fallible<FLOAT> {
        Ok(Outlook::of(&context)?.lock().time)
    });
}

fn add_places(module: &mut Module) {
    module.set_native_fn(
        "zones_at",
        |context: Context<'_>, x: Dynamic, y: Dynamic| -> Fallible<Array> {
            let at = DVec2::new(finite("zones_at's x", &x)?, finite("zones_at's y", &y)?);
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
    module.set_native_fn(
        "cast",
        |context: Context<'_>, x1: Dynamic, y1: Dynamic, x2: Dynamic, y2: Dynamic| {
            let from = DVec2::new(finite("cast's x1", &x1)?, finite("cast's y1", &y1)?);
            let to = DVec2::new(finite("cast's x2", &x2)?, finite("cast's y2", &y2)?);
            cast(&context, from, to)
        },
    );
}

/// What is first on a straight line through the terrain, as the platforms stood when the phase began.
fn cast(context: &Context<'_>, from: DVec2, to: DVec2) -> Fallible<Dynamic> {
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
