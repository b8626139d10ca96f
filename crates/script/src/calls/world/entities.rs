//! Other entities: finding and spawning them.

use super::super::{properties::add_of_others, world_view::WorldView};
use crate::calls::*;
use hangtime_core::{
    level::View,
    sim::{Creation, EntityId, Stage},
};
use std::{collections::BTreeMap, sync::Arc};

/// The largest number of live entities that scripts have spawned.
const MAX_CREATED: usize = 1_000;

/// How many entities are searched for one operation.
const SEARCHED_PER_OPERATION: u64 = 8;

/// Operations charged for spawning an entity.
const PER_CREATION: u64 = 300;

/// Adds the properties of other entities, and the topic.
pub fn add(table: &mut CallTable) {
    add_of_others(table);
    table.topic(Topic::Entities);
    add_lookup(table);
    add_near(table);
    add_calls! { table;
        /// Spawns an entity of a kind at the end of the tick, with its center at (x, y), pushed out of any solid there,
        /// and returns its name. It acts from the next tick on. At most 1,000 spawned entities can exist at once.
        of_world create(KIND, X, Y) -> Type::Name(Names::Entity);
        "this.ball = world::create(\"ball\", me.x, me.y + 60);";
        create;

        /// With settings: a map with any of `vel`, `facing`, `vars`, which replace variables of its kind, and in a top
        /// view `z`. A number instead of the map is the `z`.
        of_world create(KIND, X, Y, SETTINGS) -> Type::Name(Names::Entity);
        "world::create(\"ball\", me.x, me.y + 60, #{ vel: vec(200, 300), facing: -1, vars: #{ bounces: 3 } });";
        create;
    }
}

fn add_lookup(table: &mut CallTable) {
    add_calls! { table;
        /// The entity with this name, or `()`. It has the same properties as `me`, read-only, as of the start of the
        /// tick.
        of_world entity(param("name", Type::Name(Names::Entity), "")) -> Type::Either(&[Type::Entity, Type::Nothing]);
        "let hero = world::entity(\"hero\");\nif hero != () { me.aim(hero.x, hero.y); }";
        |moment, args| {
            let name = args.text(0)?;
            let world = moment.world()?;
            let place = world.entities.iter().position(|view| &*view.name == name);
            let searched = place.unwrap_or(world.entities.len()) as u64;
            charge(searched / SEARCHED_PER_OPERATION)?;
            Ok(place.map(|place| CallAnswer::Entity(&world.entities[place])).into())
        };

        /// All entities of a kind, in the order in which they spawned.
        of_world all(KIND) -> Type::Array(&Type::Entity);
        "for guard in world::all(\"guard\") { print(guard.x); }";
        all_of_kind;
    }
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

fn add_near(table: &mut CallTable) {
    add_calls! { table;
        /// The other entities whose centers are at most `radius` px (at least 0) from (x, y), the nearest first. In a
        /// top view heights do not count.
        of_world near(X, Y, param("radius", Type::Number, "px")) -> Type::Array(&Type::Entity);
        "for other in world::near(me.x, me.y, 100) { print(other.name); }";
        near;
    }
}

fn near<'a>(moment: &'a mut CallMoment, args: Args<'a>) -> Answered<'a> {
    let at = args.point(0)?;
    let radius = args.number(2)?;
    if radius < 0.0 {
        return refuse(format!("{} is {radius}; it must be at least 0", args.parameter(2)));
    }
    let (me, most) = (moment.me.view().id, moment.most_elements);
    let WorldView { entities, places, found, .. } = moment.both()?.1;
    let close = (0..).zip(places.iter().zip(&*entities));
    let close = close.filter(|(_, (place, view))| place.distance(at) <= radius && view.id != me);
    found.clear();
    found.extend(close.map(|(place, _)| place));
    charge(entities.len() as u64 / SEARCHED_PER_OPERATION + 12 * found.len() as u64)?;
    if found.len() > most {
        return refuse(format!(
            "there are {} entities within {radius} px, but an array can have at most {most} elements \
             (`array_length` in [scripts]); use a smaller radius",
            found.len()
        ));
    }
    let away = |place: &u32| entities[*place as usize].pos.distance(at);
    // If several are equally far, the one that spawned first comes first.
    found.sort_unstable_by(|a, b| away(a).total_cmp(&away(b)).then(a.cmp(b)));
    Ok(CallAnswer::Entities(entities, found))
}

fn all_of_kind<'a>(moment: &'a mut CallMoment, args: Args<'a>) -> Answered<'a> {
    let (kind, most) = (args.text(0)?, moment.most_elements);
    let WorldView { entities, found, .. } = moment.both()?.1;
    found.clear();
    found.extend((0..).zip(&*entities).filter(|(_, view)| &*view.kind == kind).map(|(place, _)| place));
    charge(entities.len() as u64 / SEARCHED_PER_OPERATION + 10 * found.len() as u64)?;
    if found.len() > most {
        return refuse(format!(
            "there are {} entities of kind `{kind}`, but an array can have at most {most} elements \
             (`array_length` in [scripts])",
            found.len()
        ));
    }
    Ok(CallAnswer::Entities(entities, found))
}

/// The last parameter of `create`.
const SETTINGS: Param = param("settings", Type::Either(&[Type::Map(&SPAWN), Type::Number]), "");
const SPAWN: Shape = Shape {
    name: "spawn",
    common: &[],
    own: fields! {
        /// its velocity; at rest if it is left out
        vel sometimes: Type::Vec, "px/s";
        /// 1 if it faces +x, -1 if it faces -x; 1 if it is left out
        facing sometimes: Type::Number;
        /// a map of script variables; at most 64 values and 4 KiB of text
        vars sometimes: Type::Data;
        /// the height of its feet in a top view
        z sometimes: Type::Number, "px";
    },
};

/// The largest number of values in the variables of a spawned entity, and of bytes of text.
const MOST_VARS: (usize, usize) = (64, 4_096);

/// How an entity differs from its kind when it spawns.
pub(in crate::calls) struct SpawnSettings {
    vel: (DVec2, f64),
    facing: f64,
    z: f64,
    vars: BTreeMap<String, Value>,
}

impl SpawnSettings {
    /// At rest on the ground plane, with the variables of its kind.
    pub(in crate::calls) const fn none() -> Self {
        Self { vel: (DVec2::ZERO, 0.0), facing: 1.0, z: 0.0, vars: BTreeMap::new() }
    }

    pub(in crate::calls) fn set(&mut self, key: &str, value: Arg<'_>) -> Allowed {
        match key {
            "vel" => self.vel = value.finite_vector("vel", Some("create"))?,
            "facing" => {
                let side = value.finite(parameter("create", "facing"))?;
                if side == 0.0 {
                    return refuse("`facing` of `create` must be 1 or -1, not 0");
                }
                self.facing = side.signum();
            }
            "z" => self.z = value.finite(parameter("create", "z"))?,
            _ => match plain_data(value, "`vars` of `create`", MOST_VARS)? {
                Value::Map(vars) => self.vars = vars,
                _ => return value.is_not(parameter("create", "vars"), "a map, such as `#{ lives: 3 }`"),
            },
        }
        Ok(())
    }
}

fn create<'a>(moment: &'a mut CallMoment, args: Args<'a>) -> Answered<'a> {
    let mut settings = SpawnSettings::none();
    match args.get(3) {
        z if z.number().is_some() => settings.set("z", z)?,
        _ => args.settings(3, "a map, such as `#{ vel: vec(0, 100) }`, or a number", &mut |key, value| {
            settings.set(key, value)
        })?,
    }
    let (at, kind) = (args.point(1)?, args.text(0)?);
    let (me, world) = moment.both()?;
    world.require_event("create")?;
    let stage = world.stage()?;
    check_height("create", stage.level.view, settings.z)?;
    if settings.vel.1 != 0.0 && stage.level.view == View::Side {
        return refuse("`vel.z` of `create` is always 0 in a side view");
    }
    let (_, profile) = find_kind(kind, stage)?;
    charge(PER_CREATION + world.entities.len() as u64 / SEARCHED_PER_OPERATION)?;
    if world.created >= MAX_CREATED {
        return refuse(format!("at most {MAX_CREATED} spawned entities can be alive; despawn some with `me.remove()`"));
    }
    let (id, name) = new_name(world, kind);
    let creation = Creation {
        id,
        name: name.clone(),
        profile,
        at,
        z: settings.z,
        velocity: settings.vel.0,
        vel_z: settings.vel.1,
        facing: settings.facing,
        vars: settings.vars,
    };
    me.queue(Command::Create(Box::new(creation)))?;
    Ok(CallAnswer::Made(name))
}

/// An id and a name that no other entity has had.
fn new_name(world: &mut WorldView, kind: &str) -> (EntityId, Arc<str>) {
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
    let name: Arc<str> = name.into();
    world.spawned.push(name.clone());
    (id, name)
}

/// A kind of the level and its profile.
///
/// # Errors
/// If the level does not have it.
pub(in crate::calls) fn find_kind<'s>(kind: &str, stage: &'s Stage) -> Accepted<(&'s Arc<str>, usize)> {
    if let Some((kind, profile)) = stage.kinds.get_key_value(kind) {
        return Ok((kind, *profile));
    }
    let hint = suggestion(kind, stage.kinds.keys().map(|kind| &**kind));
    refuse(format!(
        "there is no kind `{kind}`{hint} (a level loads only the kinds of its entities and those that a script names in quotes)"
    ))
}
