//! The other entities, and new ones.

use super::super::arguments::{Fallible, finite, point, wrong};
use super::super::deeds::height;
use super::super::outlook::{Outlook, Sight};
use super::super::reading::SHOWN;
use super::super::registry::{Registry, never};
use super::world;
use crate::script::host::api::{Entry, Names, Owner, Topic, Type, param};
use crate::script::host::names::suggestion;
use crate::script::rhai::engine::budget::charge;
use crate::sim::{Command, Creation, EntityId, EntityView};
use glam::DVec2;
use rhai::{Array, Dynamic, ImmutableString, NativeCallContext};
use std::sync::Arc;

/// Most entities at a time that scripts have brought into the world.
const MOST_CREATED: usize = 1_000;

/// How many entities are looked at for one operation.
const LOOKED_AT: u64 = 64;

/// An entity as it stood when the phase began.
#[derive(Clone)]
struct Seen(Arc<EntityView>);

type Context<'a> = NativeCallContext<'a>;

/// Registers the handle, and how one comes by it.
pub(super) fn register(registry: &mut Registry<'_>) {
    registry.value::<Seen>(Owner::Entity);
    registry.topic(Topic::Reading);
    for shown in SHOWN {
        let read = shown.read;
        registry.property(
            shown.of_another(),
            move |seen: &mut Seen| Ok(read(&seen.0)),
            never,
        );
    }
    registry.topic(Topic::Entities);
    register_finding(registry);
    register_creation(registry);
}

fn register_finding(registry: &mut Registry<'_>) {
    registry.add(
        Entry::call(
            Owner::Entity,
            "to_string",
            "Its name: what `print` shows of it.",
            "let other = world::entity(\"hero\");\nprint(other);",
        )
        .answers(Type::Text, ""),
        |seen: &mut Seen| ImmutableString::from(&*seen.0.name),
    );
    registry.add(
        world(
            "entity",
            "The entity with this name, or `()` if there is none. It reads like `me`, as it stood when \
             the tick began, and cannot be written.",
            "let hero = world::entity(\"hero\");\nif hero != () { me.aim(hero.x, hero.y); }",
        )
        .takes(const { &[param("name", Type::Name(Names::Entity), "")] })
        .answers(Type::Either(&[Type::Entity, Type::Nothing]), ""),
        |context: Context<'_>, name: &str| -> Fallible<Dynamic> {
            let outlook = Outlook::of(&context)?;
            let sight = outlook.lock();
            charge(sight.entities.len() as u64 / LOOKED_AT)?;
            let found = sight.entities.iter().find(|view| &*view.name == name);
            Ok(found.map_or(Dynamic::UNIT, |view| Dynamic::from(Seen(view.clone()))))
        },
    );
    registry.add(
        world(
            "all",
            "All entities of a kind, in the order in which they came into the world.",
            "for guard in world::all(\"guard\") { print(guard.x); }",
        )
        .takes(const { &[param("kind", Type::Name(Names::Kind), "")] })
        .answers(Type::Array(&Type::Entity), ""),
        |context: Context<'_>, kind: &str| -> Fallible<Array> {
            let outlook = Outlook::of(&context)?;
            let sight = outlook.lock();
            let of_kind = sight.entities.iter().filter(|view| &*view.kind == kind);
            let found: Array = of_kind
                .map(|view| Dynamic::from(Seen(view.clone())))
                .collect();
            charge(sight.entities.len() as u64 / LOOKED_AT + 8 * found.len() as u64)?;
            let most = context.engine().max_array_size();
            if found.len() > most {
                return wrong(format!(
                    "there are {} of `{kind}`, and an array has at most {most} (`array_length` in \
                     [scripts])",
                    found.len()
                ));
            }
            Ok(found)
        },
    );
}

fn register_creation(registry: &mut Registry<'_>) {
    const KIND: Type = Type::Name(Names::Kind);
    registry.add(
        world(
            "create",
            "Brings an entity of a kind into the world at the end of the tick, its center at a place, out \
             of solids, and answers its name. It acts from the next tick on. Scripts keep at most 1,000 \
             alive.",
            "this.ball = world::create(\"ball\", me.x, me.y + 60);",
        )
        .takes(const { &[
            param("kind", KIND, ""),
            param("x", Type::Number, "px"),
            param("y", Type::Number, "px"),
        ] })
        .answers(Type::Name(Names::Entity), ""),
        |context: Context<'_>, kind: &str, x: Dynamic, y: Dynamic| -> Fallible<ImmutableString> {
            create(&context, kind, point("create", &x, &y)?, 0.0)
        },
    );
    registry.add(
        world(
            "create",
            "The same, with its feet at a height: in a top view.",
            "this.ball = world::create(\"ball\", me.x, me.y + 60, 32);",
        )
        .takes(
            const {
                &[
                    param("kind", KIND, ""),
                    param("x", Type::Number, "px"),
                    param("y", Type::Number, "px"),
                    param("z", Type::Number, "px"),
                ]
            },
        )
        .answers(Type::Name(Names::Entity), ""),
        |context: Context<'_>,
         kind: &str,
         x: Dynamic,
         y: Dynamic,
         z: Dynamic|
         -> Fallible<ImmutableString> {
            let z = finite("create's z", &z)?;
            create(&context, kind, point("create", &x, &y)?, z)
        },
    );
}

fn create(context: &Context<'_>, kind: &str, at: DVec2, z: f64) -> Fallible<ImmutableString> {
    let outlook = Outlook::of(context)?;
    let mut sight = outlook.lock();
    sight.in_event("create")?;
    let stage = sight.stage()?;
    height("create", stage.level.view, z)?;
    let Some(&profile) = stage.kinds.get(kind) else {
        let kinds: Vec<&str> = stage.kinds.keys().map(|kind| &**kind).collect();
        let hint = suggestion(kind, kinds);
        return wrong(format!(
            "there is no kind `{kind}`{hint} (a kind whose name no script has in quotes is not \
             brought along)"
        ));
    };
    if sight.created >= MOST_CREATED {
        return wrong(format!(
            "scripts keep at most {MOST_CREATED} entities alive; `me.remove()` ends one"
        ));
    }
    let creation = name_new(&mut sight, kind, profile, at, z);
    let name = ImmutableString::from(&*creation.name);
    sight.order(Command::Create(Box::new(creation)))?;
    Ok(name)
}

/// Gives it a number that nobody has had, and a name that nobody has.
fn name_new(sight: &mut Sight, kind: &str, profile: usize, at: DVec2, z: f64) -> Creation {
    let id = EntityId(sight.next_id);
    sight.next_id += 1;
    sight.created += 1;
    let mut name = format!("{kind}_{}", id.0);
    while sight.entities.iter().any(|view| *view.name == *name) {
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
