//! Properties of an entity: of `me`, of other entities, and of entities in tests.

use super::me::Me;
use super::registry::{Registry, read_only};
use super::setters;
use crate::script::host::api::{Access, ApiEntry, Names, Owner, Shape, Topic, Type, field};
use crate::script::rhai::engine::budget::charge;
use crate::script::rhai::engine::vector::Vector;
use crate::sim::EntityView;
use rhai::{Array, Dynamic, INT, ImmutableString, Map};

/// A property of an entity, with an example for each owner.
pub(in crate::script::rhai) struct EntityProperty {
    pub name: &'static str,
    holds: Type,
    unit: &'static str,
    /// Whether a script may write it on its own entity.
    access: Access,
    doc: &'static str,
    on_me: &'static str,
    on_other: &'static str,
    in_tests: &'static str,
    pub read: fn(&EntityView) -> Dynamic,
}

impl EntityProperty {
    /// Its entry on `me`.
    fn of_me(&self) -> ApiEntry {
        let example = setters::example(self.name).unwrap_or(self.on_me);
        self.entry(Owner::Me, self.access, example)
    }

    /// Its entry on other entities.
    pub fn of_other(&self) -> ApiEntry {
        let access = Access::ReadOnly("a script can only write to its own entity, `me`");
        self.entry(Owner::Entity, access, self.on_other)
    }

    /// Its entry on entities in tests.
    pub fn in_tests(&self) -> ApiEntry {
        self.entry(Owner::Live, Access::ReadOnly(READ_IN_TESTS), self.in_tests)
    }

    const fn entry(&self, owner: Owner, access: Access, example: &'static str) -> ApiEntry {
        ApiEntry::property(owner, self.name, access, self.doc, example)
            .returns(self.holds, self.unit)
    }
}

/// Why tests cannot write state.
pub(in crate::script::rhai) const READ_IN_TESTS: &str =
    "a test changes the level through input and settings only";

/// Lines of the table: name, type, unit, access, doc, the example before and after the property, getter.
macro_rules! properties {
    ($( $name:ident: $holds:expr, $unit:literal, $access:expr, $doc:literal,
        [$before:literal, $after:literal], $read:expr; )*) => {
        /// All properties of an entity, in the order of the reference.
        pub(in crate::script::rhai) const ENTITY_PROPERTIES: &[EntityProperty] = &[$( EntityProperty {
            name: stringify!($name),
            holds: $holds,
            unit: $unit,
            access: $access,
            doc: $doc,
            on_me: concat!($before, "me.", stringify!($name), $after),
            on_other: concat!(
                "let other = world::entity(\"hero\");\n",
                $before, "other.", stringify!($name), $after
            ),
            in_tests: concat!($before, "hero.", stringify!($name), $after),
            read: $read,
        }, )*];
    };
}

const CONSTANT: Access = Access::ReadOnly("it never changes");
const DERIVED: Access = Access::ReadOnly("it is computed from the entity's motion");
const USE_PLACE: Access = Access::ReadOnly("use `me.place(x, y)`");
const NUMBERS: Type = Type::Array(&Type::Number);
const ZONES: Type = Type::Array(&Type::Name(Names::Zone));

/// Fields of `hook`.
const HOOK: Shape = Shape {
    name: "hook",
    common: &[],
    own: &[
        field("state", Type::Name(Names::HookState), "", "its state"),
        field("tip", Type::Vec, "px", "position of its tip"),
        field("length", Type::Number, "px", "length of the rope"),
    ],
};

/// Operations charged for the name of a zone.
const PER_ZONE: u64 = 3;

fn text(s: &str) -> Dynamic {
    Dynamic::from(ImmutableString::from(s))
}

properties! {
    id: Type::Whole, "", CONSTANT, "Unique number.",
        ["let even = ", " % 2 == 0;"], |view| INT::from(view.id.0).into();
    name: Type::Name(Names::Entity), "", CONSTANT, "Unique name.",
        ["print(", ");"], |view| text(&view.name);
    kind: Type::Name(Names::Kind), "", CONSTANT, "Kind: the name of its file in `config/entities/`.",
        ["if ", " == \"guard\" { print(\"a guard\"); }"], |view| text(&view.kind);
    player: Type::Whole, "", Access::ReadOnly("the level assigns players"),
        "Number of the player who controls it, from 1; 0 for none.",
        ["let played = ", " > 0;"], |view| INT::from(view.player).into();
    model: Type::Name(Names::Model), "", Access::ReadOnly("use `me.set_model(name)`"),
        "Movement model.",
        ["if ", " == \"platformer\" { print(\"runs\"); }"], |view| text(view.model_name());
    mode: Type::Name(Names::Mode), "", DERIVED,
        "Mode of the model: `ground`, `air`, `wall` or `roof`; `free` or `contact` for a vessel; `free` for `topdown` \
         in a side view; `flying` or `landed` for `ballistic`.",
        ["let clings = ", " == \"wall\";"], |view| text(view.mode.as_str());
    x: Type::Number, "px", USE_PLACE, "Horizontal position of the center; x points right.",
        ["let ahead = ", " + 40;"], |view| view.pos.x.into();
    y: Type::Number, "px", USE_PLACE, "Vertical position of the center; y points up, or north in a top view.",
        ["let above = ", " + 40;"], |view| view.pos.y.into();
    z: Type::Number, "px", Access::ReadOnly("use `me.place(x, y, z)` in a top view"),
        "Height of the feet in a top view; 0 in a side view.",
        ["let in_the_air = ", " > 0;"], |view| view.z.into();
    vel: Type::Vec, "px/s", Access::Write,
        "Velocity from its model. In a top view `vel.z` is the vertical speed.",
        ["let falls = ", ".y < 0;"],
        |view| Dynamic::from(Vector { z: view.vel_z, ..Vector::from(view.vel) });
    external: Type::Vec, "px/s", Access::Write,
        "Velocity from outside, such as `me.push`. It is added to `vel` and decays over time.",
        ["let shoved = ", ".length() > 50;"], |view| Dynamic::from(Vector::from(view.external));
    angle: Type::Number, "rad", Access::Write,
        "Rotation, counterclockwise. Only a vessel rotates; for all others it is 0 and cannot be written.",
        ["let tilted = abs(", ") > 0.5;"], |view| view.angle.into();
    spin: Type::Number, "rad/s", Access::Write,
        "Angular velocity, counterclockwise. Only a vessel's can be written.",
        ["let turns = abs(", ") > 0.1;"], |view| view.spin.into();
    facing: Type::Whole, "", Access::Write, "1 when it faces +x, -1 when it faces -x.",
        ["let ahead = 30 * ", ";"], |view| (view.facing as INT).into();
    grounded: Type::Flag, "", DERIVED, "Whether it stands on something.",
        ["if ", " { print(\"stands\"); }"], |view| view.grounded.into();
    surface: Type::Name(Names::Surface), "", DERIVED, "Surface it stands on; empty in the air.",
        ["let slips = ", " == \"ice\";"], |view| text(&view.surface);
    solid: Type::Name(Names::Solid), "", DERIVED,
        "Name of the solid it stands on (`solid 1`, `solid 2`, … if unnamed); empty in the air and on the ground plane \
         of a top view.",
        ["let on_the_lift = ", " == \"lift\";"], |view| text(&view.solid);
    age: Type::Number, "s", Access::ReadOnly("it advances with time"), "Time since it spawned.",
        ["let fresh = ", " < 0.5;"], |view| view.age.into();
    zones: ZONES, "", Access::ReadOnly("it follows from the position of the entity"),
        "Zones that contain its center.",
        ["let swims = \"water\" in ", ";"],
        |view| {
            // A script that is out of operations is stopped by its next step.
            let _ = charge(PER_ZONE * view.zones.len() as u64);
            view.zones.iter().map(|z| text(z)).collect::<Array>().into()
        };
    feet: NUMBERS, "", DERIVED,
        "How far each foot of a vessel is compressed, -1 to 1; empty for other models.",
        ["let pressed = ", ".filter(|foot| foot > 0);"],
        |view| view.feet.iter().map(|x| Dynamic::from(*x)).collect::<Array>().into();
    hook: Type::Map(&HOOK), "",
        Access::ReadOnly("use `me.fire_hook(x, y)` and `me.release_hook()`"),
        "Grappling hook.",
        ["let hangs = ", ".state == \"attached\";"], |view| hook_map(view).into();
}

fn hook_map(view: &EntityView) -> Map {
    let mut map = Map::new();
    map.insert("state".into(), view.hook.state.as_str().into());
    map.insert("tip".into(), Dynamic::from(Vector::from(view.hook.tip)));
    map.insert("length".into(), view.hook.length.into());
    map
}

/// Properties of `me` in a level's own script, which has no body.
const LEVEL_PROPERTIES: [&str; 4] = ["id", "name", "kind", "age"];

/// Calls of `me` in a level's own script.
const LEVEL_CALLS: [&str; 3] = ["after", "cancel", "note"];

/// Whether `me` of a level's own script has this property or call.
pub(in crate::script::rhai) fn is_level_member(name: &str) -> bool {
    LEVEL_PROPERTIES.contains(&name) || LEVEL_CALLS.contains(&name)
}

/// Registers the properties of `me`.
pub(super) fn register(registry: &mut Registry<'_>) {
    registry.value::<Me>(Owner::Me);
    registry.topic(Topic::State);
    for property in ENTITY_PROPERTIES {
        let (name, read) = (property.name, property.read);
        let in_levels = LEVEL_PROPERTIES.contains(&name);
        registry.property(
            property.of_me(),
            move |me: &mut Me| {
                let state = if in_levels {
                    me.lock()
                } else {
                    me.with_body(name)?
                };
                Ok(read(&state.view))
            },
            setters::setter(name).unwrap_or(read_only),
        );
    }
}
