//! Properties of an entity: of `me`, of other entities, and of entities in tests.

use super::*;

/// A property of an entity, with an example for each owner.
#[derive(Debug)]
pub struct EntityProperty {
    /// Its name.
    pub name: &'static str,
    holds: Type,
    unit: &'static str,
    /// Whether a script may write it on its own entity.
    access: Access,
    doc: &'static str,
    on_me: &'static str,
    on_other: &'static str,
    in_tests: &'static str,
    /// Whether `me` of a level's own script has it.
    in_levels: bool,
    /// Its value.
    pub read: fn(&EntityView) -> CallAnswer<'_>,
}

impl EntityProperty {
    /// Its entry on entities in tests.
    pub const fn in_tests(&self) -> ApiEntry {
        self.entry(Owner::Live, Access::ReadOnly(READ_IN_TESTS), self.in_tests)
    }

    const fn entry(&self, owner: Owner, access: Access, example: &'static str) -> ApiEntry {
        ApiEntry::property(owner, self.name, access, self.doc, example).returns(self.holds, self.unit)
    }
}

/// Why tests cannot write state.
pub const READ_IN_TESTS: &str = "a test changes the level through input and settings only";

/// Lines of the table: doc, whose it is (`ANYONE`, or only of a `BODY`), name, type, unit, access, the example before
/// and after the property, getter.
macro_rules! properties {
    ($( $(#[doc = $doc:literal])+ $whose:ident $name:ident: $holds:expr, $unit:literal, $access:expr,
        [$before:literal, $after:literal], $read:expr; )*) => {
        /// All properties of an entity, in the order of the reference.
        pub const ENTITY_PROPERTIES: &[EntityProperty] = &[$( EntityProperty {
            name: stringify!($name),
            holds: $holds,
            unit: $unit,
            access: $access,
            doc: concat!($($doc),+).trim_ascii(),
            on_me: concat!($before, "me.", stringify!($name), $after),
            on_other: concat!(
                "let other = world::entity(\"hero\");\n",
                $before, "other.", stringify!($name), $after
            ),
            in_tests: concat!($before, "hero.", stringify!($name), $after),
            in_levels: $whose,
            read: $read,
        }, )*];
    };
}

/// Whether `me` of a level's own script, which has no body, has a property.
const ANYONE: bool = true;
const BODY: bool = false;

const CONSTANT: Access = Access::ReadOnly("it never changes");
const DERIVED: Access = Access::ReadOnly("it is computed from the entity's motion");
const USE_PLACE: Access = Access::ReadOnly("use `me.place(x, y)`");
const USE_RESIZE: Access = Access::ReadOnly("use `me.resize(width, height)`");
const NUMBERS: Type = Type::Array(&Type::Number);
const ZONES: Type = Type::Array(&Type::Name(Names::Zone));

/// Fields of `hook`.
const HOOK: Shape = Shape {
    name: "hook",
    common: &[],
    own: fields! {
        /// its state
        state: Type::Name(Names::HookState);
        /// position of its tip
        tip: Type::Vec, "px";
        /// length of the rope
        length: Type::Number, "px";
    },
};

/// Operations charged for the name of a zone.
const PER_ZONE: u64 = 3;

properties! {
    /// Unique number.
    ANYONE id: Type::Whole, "", CONSTANT,
        ["let even = ", " % 2 == 0;"], |view| CallAnswer::Whole(i64::from(view.id.0));
    /// Unique name.
    ANYONE name: Type::Name(Names::Entity), "", CONSTANT,
        ["print(", ");"], |view| CallAnswer::Text(&view.name);
    /// Kind: the name of its file in `config/entities/`.
    ANYONE kind: Type::Name(Names::Kind), "", CONSTANT,
        ["if ", " == \"guard\" { print(\"a guard\"); }"], |view| CallAnswer::Text(&view.kind);
    /// Number of the player who controls it, from 1; 0 for none.
    BODY player: Type::Whole, "", Access::ReadOnly("the level assigns players"),
        ["let played = ", " > 0;"], |view| CallAnswer::Whole(i64::from(view.player));
    /// Movement model.
    BODY model: Type::Name(Names::Model), "", Access::ReadOnly("use `me.set_model(name)`"),
        ["if ", " == \"platformer\" { print(\"runs\"); }"], |view| CallAnswer::Text(view.model_name());
    /// Mode of the model: `ground`, `air`, `wall` or `roof`; `free` or `contact` for a vessel; `free` for `topdown` in
    /// a side view; `flying` or `landed` for `ballistic`.
    BODY mode: Type::Name(Names::Mode), "", DERIVED,
        ["let clings = ", " == \"wall\";"], |view| CallAnswer::Text(view.mode.as_str());
    /// Horizontal position of the center; x points right.
    BODY x: Type::Number, "px", USE_PLACE,
        ["let ahead = ", " + 40;"], |view| CallAnswer::Number(view.pos.x);
    /// Vertical position of the center; y points up, or north in a top view.
    BODY y: Type::Number, "px", USE_PLACE,
        ["let above = ", " + 40;"], |view| CallAnswer::Number(view.pos.y);
    /// Height of the feet in a top view; 0 in a side view.
    BODY z: Type::Number, "px", Access::ReadOnly("use `me.place(x, y, z)` in a top view"),
        ["let in_the_air = ", " > 0;"], |view| CallAnswer::Number(view.z);
    /// Width of its body; of pieces, twice what they reach from the center at angle 0.
    BODY width: Type::Number, "px", USE_RESIZE,
        ["let left = 0.5 * ", ";"], |view| CallAnswer::Number(2.0 * view.half.x);
    /// Height of its body; of pieces, twice what they reach from the center at angle 0.
    BODY height: Type::Number, "px", USE_RESIZE,
        ["let tall = ", " > 40;"], |view| CallAnswer::Number(2.0 * view.half.y);
    /// Name of the stance that its body is in; `()` for none.
    BODY stance: Type::Either(&[Type::Name(Names::Stance), Type::Nothing]), "", Access::ReadOnly("use `me.set_stance(name)`"),
        ["if ", " == \"crouch\" { print(\"is low\"); }"],
        |view| view.stance.as_deref().map_or(CallAnswer::Nothing, CallAnswer::Text);
    /// Velocity from its model. In a top view `vel.z` is the vertical speed. On a wall or roof, a velocity other than 0
    /// that you write lets go of it, unless it points into it; then it has no effect.
    BODY vel: Type::Vec, "px/s", Access::Write,
        ["let falls = ", ".y < 0;"],
        |view| CallAnswer::Vec(Vector { z: view.vel_z, ..view.vel.into() });
    /// Velocity from outside, such as `me.push`. It is added to `vel` and decays over time. In a top view `external.z`
    /// is its vertical part.
    BODY external: Type::Vec, "px/s", Access::Write,
        ["let shoved = ", ".length() > 50;"],
        |view| CallAnswer::Vec(Vector { z: view.external_z, ..view.external.into() });
    /// Rotation, counterclockwise. Only a vessel rotates; for all others it is 0 and cannot be written.
    BODY angle: Type::Number, "rad", Access::Write,
        ["let tilted = abs(", ") > 0.5;"], |view| CallAnswer::Number(view.angle);
    /// Angular velocity, counterclockwise. Only a vessel's can be written.
    BODY spin: Type::Number, "rad/s", Access::Write,
        ["let turns = abs(", ") > 0.1;"], |view| CallAnswer::Number(view.spin);
    /// 1 when it faces +x, -1 when it faces -x.
    BODY facing: Type::Whole, "", Access::Write,
        ["let ahead = 30 * ", ";"], |view| CallAnswer::Whole(view.facing as i64);
    /// Whether it stands on something.
    BODY grounded: Type::Flag, "", DERIVED,
        ["if ", " { print(\"stands\"); }"], |view| CallAnswer::Flag(view.grounded);
    /// Surface it stands on; empty in the air.
    BODY surface: Type::Name(Names::Surface), "", DERIVED,
        ["let slips = ", " == \"ice\";"], |view| CallAnswer::Text(&view.surface);
    /// Name of the solid it stands on (`solid 1`, `solid 2`, … if unnamed), or of the entity that `carries` it; empty in the
    /// air and on the ground plane of a top view.
    BODY solid: Type::Name(Names::Solid), "", DERIVED,
        ["let on_the_lift = ", " == \"lift\";"], |view| CallAnswer::Text(&view.solid);
    /// The entity's own factor for the rate of its time: 1 is full rate, 0 stands still, and the most is 8. Its motion, jump
    /// windows, timers, waits, `age` and `world::dt()` follow this factor times the scales of the world and of its zones. That
    /// product is at most 8, and below 0.001 it counts as 0. A change takes effect in this tick.
    BODY time_scale: Type::Number, "", Access::Write,
        ["let slow = ", " < 1;"], |view| CallAnswer::Number(view.time_scale);
    /// Time since it spawned, as it passes for the entity.
    ANYONE age: Type::Number, "s", Access::ReadOnly("it advances with time"),
        ["let fresh = ", " < 0.5;"], |view| CallAnswer::Number(view.age);
    /// Zones that contain its center.
    BODY zones: ZONES, "", Access::ReadOnly("it follows from the position of the entity"),
        ["let swims = \"water\" in ", ";"],
        |view| {
            // A script that is out of operations is stopped by its next step.
            let _ = charge(PER_ZONE * view.zones.len() as u64);
            CallAnswer::List(view.zones.iter().map(|zone| CallAnswer::Text(zone)).collect())
        };
    /// How far each foot of a vessel is compressed, -1 to 1; empty for other models.
    BODY feet: NUMBERS, "", DERIVED,
        ["let pressed = ", ".filter(|foot| foot > 0);"],
        |view| CallAnswer::List(view.feet.iter().map(|x| CallAnswer::Number(*x)).collect());
    /// Grappling hook.
    BODY hook: Type::Map(&HOOK), "",
        Access::ReadOnly("use `me.fire_hook(x, y)` and `me.release_hook()`"),
        ["let hangs = ", ".state == \"attached\";"], |view| CallAnswer::Hook(&view.hook);
}

/// Calls of `me` in a level's own script.
const LEVEL_CALLS: [&str; 6] = ["after", "cancel", "note", "start", "stop", "running"];

/// Whether `me` of a level's own script, which has no body, has this property or call.
pub fn is_level_member(name: &str) -> bool {
    let mut own = ENTITY_PROPERTIES.iter().filter(|p| p.in_levels);
    own.any(|property| property.name == name) || LEVEL_CALLS.contains(&name)
}

/// Adds the properties of `me`.
pub fn add_of_me(table: &mut CallTable) {
    table.topic(Topic::State);
    for property in ENTITY_PROPERTIES {
        let (write, example) = setters::setter(property.name).unzip();
        let entry = property.entry(Owner::Me, property.access, example.unwrap_or(property.on_me));
        table.add_property(
            entry,
            |moment| {
                let me = &mut moment.me;
                let me = if property.in_levels { me } else { me.with_body(property.name)? };
                Ok((property.read)(me.view()))
            },
            write,
        );
    }
}

/// Adds the properties of other entities.
pub fn add_of_others(table: &mut CallTable) {
    table.topic(Topic::State);
    let access = Access::ReadOnly("a script can only write to its own entity, `me`");
    for property in ENTITY_PROPERTIES {
        table.add_seen(property.entry(Owner::Entity, access, property.on_other), property.read);
    }
}
