//! Other entities: finding and spawning them.

use super::super::arguments::{Fallible, check_height, fail, finite, parameter, point};
use super::super::entries::of_world;
use super::super::registry::{Registry, read_only};
use super::super::state::ENTITY_PROPERTIES;
use super::super::world_view::{WorldHandle, WorldView};
use crate::script::host::api::{ApiEntry, Names, Owner, Param, Topic, Type, param};
use crate::script::host::names::suggestion;
use crate::script::rhai::engine::budget::charge;
use crate::sim::{Command, Creation, EntityId, EntityView};
use glam::DVec2;
use rhai::{Array, Dynamic, ImmutableString, NativeCallContext};
use std::sync::Arc;

/// The largest number of live entities that scripts have spawned.
const MAX_CREATED: usize = 1_000;

/// How many entities are searched for one operation.
const SEARCHED_PER_OPERATION: u64 = 8;

/// Operations charged for spawning an entity.
const PER_CREATION: u64 = 300;

/// Another entity, as of the start of the phase.
#[derive(Clone)]
struct OtherEntity(Arc<EntityView>);

/// Registers the handle and the topic.
pub(super) fn register(registry: &mut Registry<'_>) {
    registry.value::<OtherEntity>(Owner::Entity);
    registry.topic(Topic::State);
    for property in ENTITY_PROPERTIES {
        let read = property.read;
        registry.property(
            property.of_other(),
            move |other: &mut OtherEntity| Ok(read(&other.0)),
            read_only,
        );
    }
    registry.topic(Topic::Entities);
    register_lookup(registry);
    register_creation(registry);
}

fn register_lookup(registry: &mut Registry<'_>) {
    registry.add(
        of_world(
            "entity",
            "The entity with this name, or `()`. It has the same properties as `me`, read-only, as of the start of \
             the tick.",
            "let hero = world::entity(\"hero\");\nif hero != () { me.aim(hero.x, hero.y); }",
        )
        .takes(const { &[param("name", Type::Name(Names::Entity), "")] })
        .returns(Type::Either(&[Type::Entity, Type::Nothing]), ""),
        |context: NativeCallContext<'_>, name: &str| -> Fallible<Dynamic> {
            let world = WorldHandle::of(&context)?;
            let world = world.lock();
            let place = world.entities.iter().position(|view| &*view.name == name);
            let searched = place.unwrap_or(world.entities.len()) as u64;
            charge(searched / SEARCHED_PER_OPERATION)?;
            let found = place.map(|place| &world.entities[place]);
            Ok(found.map_or(Dynamic::UNIT, |view| {
                Dynamic::from(OtherEntity(view.clone()))
            }))
        },
    );
    registry.add(
        of_world(
            "all",
            "All entities of a kind, in the order in which they spawned.",
            "for guard in world::all(\"guard\") { print(guard.x); }",
        )
        .takes(const { &[param("kind", Type::Name(Names::Kind), "")] })
        .returns(Type::Array(&Type::Entity), ""),
        all_of_kind,
    );
    registry.add(
        ApiEntry::call(
            Owner::Entity,
            "to_string",
            "Its name, which `print` shows.",
            "let other = world::entity(\"hero\");\nprint(other);",
        )
        .returns(Type::Text, ""),
        |other: &mut OtherEntity| ImmutableString::from(&*other.0.name),
    );
}

fn all_of_kind(context: NativeCallContext<'_>, kind: &str) -> Fallible<Array> {
    let world = WorldHandle::of(&context)?;
    let world = world.lock();
    let of_kind = world.entities.iter().filter(|view| &*view.kind == kind);
    let found: Array = of_kind
        .map(|view| Dynamic::from(OtherEntity(view.clone())))
        .collect();
    charge(world.entities.len() as u64 / SEARCHED_PER_OPERATION + 10 * found.len() as u64)?;
    let most = context.engine().max_array_size();
    if found.len() > most {
        return fail(format!(
            "there are {} entities of kind `{kind}`, but an array can have at most {most} elements \
             (`array_length` in [scripts])",
            found.len()
        ));
    }
    Ok(found)
}

const KIND: Param = param("kind", Type::Name(Names::Kind), "");

fn register_creation(registry: &mut Registry<'_>) {
    registry.add(
        of_world(
            "create",
            "Spawns an entity of a kind at the end of the tick, with its center at (x, y), pushed out of any solid \
             there, and returns its name. It acts from the next tick on. At most 1,000 spawned entities can exist at once.",
            "this.ball = world::create(\"ball\", me.x, me.y + 60);",
        )
        .takes(const { &[
            KIND,
            param("x", Type::Number, "px"),
            param("y", Type::Number, "px"),
        ] })
        .returns(Type::Name(Names::Entity), ""),
        |context: NativeCallContext<'_>, kind: &str, x: Dynamic, y: Dynamic| {
            create(&context, kind, point("create", &x, &y)?, 0.0)
        },
    );
    registry.add(
        of_world(
            "create",
            "Top view: also sets the height of the feet.",
            "this.ball = world::create(\"ball\", me.x, me.y + 60, 32);",
        )
        .takes(
            const {
                &[
                    KIND,
                    param("x", Type::Number, "px"),
                    param("y", Type::Number, "px"),
                    param("z", Type::Number, "px"),
                ]
            },
        )
        .returns(Type::Name(Names::Entity), ""),
        |context: NativeCallContext<'_>, kind: &str, x: Dynamic, y: Dynamic, z: Dynamic| {
            let z = finite(&parameter("create", "z"), &z)?;
            create(&context, kind, point("create", &x, &y)?, z)
        },
    );
}

fn create(
    context: &NativeCallContext<'_>,
    kind: &str,
    at: DVec2,
    z: f64,
) -> Fallible<ImmutableString> {
    let world = WorldHandle::of(context)?;
    let mut world = world.lock();
    world.require_event("create")?;
    let stage = world.stage()?;
    check_height("create", stage.level.view, z)?;
    let Some(&profile) = stage.kinds.get(kind) else {
        let kinds: Vec<&str> = stage.kinds.keys().map(|kind| &**kind).collect();
        let hint = suggestion(kind, kinds);
        return fail(format!(
            "there is no kind `{kind}`{hint} (a level loads only the kinds of its entities and those that a script names in quotes)"
        ));
    };
    charge(PER_CREATION + world.entities.len() as u64 / SEARCHED_PER_OPERATION)?;
    if world.created >= MAX_CREATED {
        return fail(format!(
            "at most {MAX_CREATED} spawned entities can be alive; despawn some with `me.remove()`"
        ));
    }
    let creation = with_new_name(&mut world, kind, profile, at, z);
    let name = ImmutableString::from(&*creation.name);
    world.queue(Command::Create(Box::new(creation)))?;
    Ok(name)
}

/// Gives the entity an id and a name that no other entity has had.
fn with_new_name(world: &mut WorldView, kind: &str, profile: usize, at: DVec2, z: f64) -> Creation {
    let id = EntityId(world.next_id);
    world.next_id += 1;
    world.created += 1;
    let mut name = format!("{kind}_{}", id.0);
    while world.entities.iter().any(|view| *view.name == *name) {
        name.push('_');
    }
    Creation {
        id,
        name: name.into(),
        profile,
        at,
        z,
    }
}
