//! Other entities: finding and spawning them.

use super::super::answer::{Answered, CallAnswer};
use super::super::arg::Arg;
use super::super::arguments::{check_height, exactly, finite, parameter, point, text};
use super::super::entries::of_world;
use super::super::moment::CallMoment;
use super::super::properties::add_of_others;
use super::super::table::CallTable;
use super::super::world_view::WorldView;
use crate::script::host::api::{ApiEntry, Names, Owner, Param, Topic, Type, param};
use crate::script::host::budget::charge;
use crate::script::host::names::suggestion;
use crate::script::host::refuse;
use crate::sim::{Command, Creation, EntityId};
use glam::DVec2;

/// The largest number of live entities that scripts have spawned.
const MAX_CREATED: usize = 1_000;

/// How many entities are searched for one operation.
const SEARCHED_PER_OPERATION: u64 = 8;

/// Operations charged for spawning an entity.
const PER_CREATION: u64 = 300;

/// Adds the properties of other entities, and the topic.
pub(super) fn add(table: &mut CallTable) {
    add_of_others(table);
    table.topic(Topic::Entities);
    add_lookup(table);
    add_creation(table);
}

fn add_lookup(table: &mut CallTable) {
    table.add(
        of_world(
            "entity",
            "The entity with this name, or `()`. It has the same properties as `me`, read-only, as of the start of \
             the tick.",
            "let hero = world::entity(\"hero\");\nif hero != () { me.aim(hero.x, hero.y); }",
        )
        .takes(const { &[param("name", Type::Name(Names::Entity), "")] })
        .returns(Type::Either(&[Type::Entity, Type::Nothing]), ""),
        |moment, args| {
            let [name] = *exactly(args)?;
            let name = text("entity", "name", name)?;
            let world = moment.world()?;
            let place = world.entities.iter().position(|view| &*view.name == name);
            let searched = place.unwrap_or(world.entities.len()) as u64;
            charge(searched / SEARCHED_PER_OPERATION)?;
            let found = place.map(|place| &world.entities[place]);
            Ok(found.map_or(CallAnswer::Nothing, CallAnswer::Entity))
        },
    );
    table.add(
        of_world(
            "all",
            "All entities of a kind, in the order in which they spawned.",
            "for guard in world::all(\"guard\") { print(guard.x); }",
        )
        .takes(const { &[param("kind", Type::Name(Names::Kind), "")] })
        .returns(Type::Array(&Type::Entity), ""),
        |moment, args| {
            let [kind] = *exactly(args)?;
            all_of_kind(moment, text("all", "kind", kind)?)
        },
    );
    table.add_seen(
        ApiEntry::call(
            Owner::Entity,
            "to_string",
            "Its name, which `print` shows.",
            "let other = world::entity(\"hero\");\nprint(other);",
        )
        .returns(Type::Text, ""),
        |view| CallAnswer::Text(&view.name),
    );
}

fn all_of_kind<'a>(moment: &'a CallMoment, kind: &str) -> Answered<'a> {
    let world = moment.world()?;
    let of_kind = world.entities.iter().filter(|view| &*view.kind == kind);
    let found: Vec<CallAnswer<'_>> = of_kind.map(CallAnswer::Entity).collect();
    charge(world.entities.len() as u64 / SEARCHED_PER_OPERATION + 10 * found.len() as u64)?;
    let most = moment.most_elements;
    if found.len() > most {
        return refuse(format!(
            "there are {} entities of kind `{kind}`, but an array can have at most {most} elements \
             (`array_length` in [scripts])",
            found.len()
        ));
    }
    Ok(CallAnswer::List(found))
}

const KIND: Param = param("kind", Type::Name(Names::Kind), "");

fn add_creation(table: &mut CallTable) {
    table.add(
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
        |moment, args| {
            let [kind, x, y] = *exactly(args)?;
            create(moment, kind, point("create", x, y)?, 0.0)
        },
    );
    table.add(
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
        |moment, args| {
            let [kind, x, y, z] = *exactly(args)?;
            let z = finite(parameter("create", "z"), z)?;
            create(moment, kind, point("create", x, y)?, z)
        },
    );
}

fn create<'a>(moment: &'a mut CallMoment, kind: Arg<'_>, at: DVec2, z: f64) -> Answered<'a> {
    let kind = text("create", "kind", kind)?;
    let (me, world) = moment.both()?;
    world.require_event("create")?;
    let stage = world.stage()?;
    check_height("create", stage.level.view, z)?;
    let Some(&profile) = stage.kinds.get(kind) else {
        let kinds: Vec<&str> = stage.kinds.keys().map(|kind| &**kind).collect();
        let hint = suggestion(kind, kinds);
        return refuse(format!(
            "there is no kind `{kind}`{hint} (a level loads only the kinds of its entities and those that a script names in quotes)"
        ));
    };
    charge(PER_CREATION + world.entities.len() as u64 / SEARCHED_PER_OPERATION)?;
    if world.created >= MAX_CREATED {
        return refuse(format!(
            "at most {MAX_CREATED} spawned entities can be alive; despawn some with `me.remove()`"
        ));
    }
    let creation = with_new_name(world, kind, profile, at, z);
    let name = creation.name.clone();
    me.queue(Command::Create(Box::new(creation)))?;
    Ok(CallAnswer::Made(name))
}

/// Gives the entity an id and a name that no other entity has had.
fn with_new_name(world: &mut WorldView, kind: &str, profile: usize, at: DVec2, z: f64) -> Creation {
    let id = EntityId(world.next_id);
    world.next_id += 1;
    world.created += 1;
    let mut name = format!("{kind}_{}", id.0);
    // Names in the level stay taken when their entities are gone.
    let starts = world.stage().map_or(&[][..], |stage| &stage.starts);
    let taken = |name: &str| {
        let alive = world.entities.iter().any(|view| *view.name == *name);
        alive || starts.iter().any(|start| *start.name == *name)
    };
    while taken(&name) {
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
