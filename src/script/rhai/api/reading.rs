//! What an entity shows: `me`, others, and those that a test looks at.

use super::me::Me;
use super::registry::{Registry, never};
use super::writing;
use crate::script::host::api::{Access, Entry, Names, Owner, Shape, Topic, Type, field};
use crate::script::rhai::engine::vector::Vector;
use crate::sim::EntityView;
use rhai::{Array, Dynamic, INT, ImmutableString, Map};

/// A property of an entity, with an example for each that has it.
pub(in crate::script::rhai) struct Shown {
    pub name: &'static str,
    holds: Type,
    unit: &'static str,
    /// Whether a script may write its own entity's.
    access: Access,
    doc: &'static str,
    of_me: &'static str,
    of_another: &'static str,
    in_tests: &'static str,
    pub read: fn(&EntityView) -> Dynamic,
}

impl Shown {
    /// Its entry for `me`.
    pub fn of_me(&self) -> Entry {
        let example = writing::example(self.name).unwrap_or(self.of_me);
        self.entry(Owner::Me, self.access, example)
    }

    /// Its entry for other entities.
    pub fn of_another(&self) -> Entry {
        let access = Access::ReadOnly("a script moves its own, `me`");
        self.entry(Owner::Entity, access, self.of_another)
    }

    /// Its entry in tests.
    pub fn in_tests(&self) -> Entry {
        self.entry(Owner::Live, Access::ReadOnly(TESTS_READ), self.in_tests)
    }

    const fn entry(&self, owner: Owner, access: Access, example: &'static str) -> Entry {
        Entry::property(owner, self.name, access, self.doc, example).answers(self.holds, self.unit)
    }
}

/// Why tests write nothing.
pub(in crate::script::rhai) const TESTS_READ: &str =
    "a test holds keys and tunes, and reads what comes of it";

/// Lines of the table: name, what it holds, unit, who may write it, what it says, how it is read, and an
/// example around the entity.
macro_rules! shown {
    ($( $name:ident: $holds:expr, $unit:literal, $access:expr, $doc:literal,
        [$before:literal, $after:literal], $read:expr; )*) => {
        /// All that an entity shows.
        pub(in crate::script::rhai) const SHOWN: &[Shown] = &[$( Shown {
            name: stringify!($name),
            holds: $holds,
            unit: $unit,
            access: $access,
            doc: $doc,
            of_me: concat!($before, "me.", stringify!($name), $after),
            of_another: concat!(
                "let other = world::entity(\"hero\");\n",
                $before, "other.", stringify!($name), $after
            ),
            in_tests: concat!($before, "hero.", stringify!($name), $after),
            read: $read,
        }, )*];
    };
}

const NEVER: Access = Access::ReadOnly("it never changes");
const FOLLOWS: Access = Access::ReadOnly("it follows from what the entity does");
const PLACED: Access = Access::ReadOnly("use `me.place(x, y)`");
const ROUND: Type = Type::Array(&Type::Number);
const ZONES: Type = Type::Array(&Type::Name(Names::Zone));

/// What `hook` holds.
const HOOK: Shape = Shape {
    name: "hook",
    common: &[],
    own: &[
        field(
            "state",
            Type::Name(Names::HookState),
            "",
            "what it is doing",
        ),
        field("tip", Type::Vec, "px", "where its tip is"),
        field("length", Type::Number, "px", "how long the rope is"),
    ],
};

fn text(s: &str) -> Dynamic {
    Dynamic::from(ImmutableString::from(s))
}

shown! {
    id: Type::Whole, "", NEVER, "Its number, which no other has.",
        ["let even = ", " % 2 == 0;"], |view| INT::from(view.id.0).into();
    name: Type::Name(Names::Entity), "", NEVER, "Its name, which no other has.",
        ["print(", ");"], |view| text(&view.name);
    kind: Type::Name(Names::Kind), "", NEVER, "The kind that it is of.",
        ["if ", " == \"guard\" { print(\"a guard\"); }"], |view| text(&view.kind);
    player: Type::Whole, "", Access::ReadOnly("the level says who plays"),
        "The player who moves it, from 1; 0 for nobody.",
        ["let played = ", " > 0;"], |view| INT::from(view.player).into();
    model: Type::Name(Names::Model), "", Access::ReadOnly("use `me.set_model(name)`"),
        "The model that moves it.",
        ["if ", " == \"platformer\" { print(\"runs\"); }"], |view| text(view.model);
    mode: Type::Name(Names::Mode), "", FOLLOWS,
        "What the model is doing, in its own word: `ground`, `air`, `wall`, `roof`; `free`, `contact`.",
        ["let clings = ", " == \"wall\";"], |view| text(view.mode);
    x: Type::Number, "px", PLACED, "Where its center is; x points right.",
        ["let ahead = ", " + 40;"], |view| view.pos.x.into();
    y: Type::Number, "px", PLACED, "Where its center is; y points up, and north in a top view.",
        ["let above = ", " + 40;"], |view| view.pos.y.into();
    z: Type::Number, "px", Access::ReadOnly("use `me.place(x, y, z)` in a top view"),
        "How high its feet are in a top view; 0 in a side view.",
        ["let in_the_air = ", " > 0;"], |view| view.z.into();
    vel: Type::Vec, "px/s", Access::Write,
        "Its velocity, as its model has it. `vel.z` is how fast it rises in a top view.",
        ["let falls = ", ".y < 0;"],
        |view| Dynamic::from(Vector { z: view.vel_z, ..Vector::from(view.vel) });
    external: Type::Vec, "px/s", Access::Write,
        "Velocity that comes from outside, as by `push`, and dies away.",
        ["let shoved = ", ".length() > 50;"], |view| Dynamic::from(Vector::from(view.external));
    angle: Type::Number, "rad", Access::Write,
        "How far it is turned, counter-clockwise; 0 for who stays upright. Only a vessel's can be written.",
        ["let tilted = abs(", ") > 0.5;"], |view| view.angle.into();
    spin: Type::Number, "rad/s", Access::Write,
        "How fast it turns, counter-clockwise. Only a vessel's can be written.",
        ["let turns = abs(", ") > 0.1;"], |view| view.spin.into();
    facing: Type::Whole, "", Access::Write, "1 when it faces towards +x, -1 towards -x.",
        ["let ahead = 30 * ", ";"], |view| (view.facing as INT).into();
    grounded: Type::Flag, "", FOLLOWS, "Whether it stands.",
        ["if ", " { print(\"stands\"); }"], |view| view.grounded.into();
    surface: Type::Name(Names::Surface), "", FOLLOWS, "The surface it stands on; empty in the air.",
        ["let slips = ", " == \"ice\";"], |view| text(&view.surface);
    solid: Type::Name(Names::Solid), "", FOLLOWS,
        "The solid it stands on; empty in the air, and on the plain ground of a top view.",
        ["let on_the_lift = ", " == \"lift\";"], |view| text(&view.solid);
    age: Type::Number, "s", FOLLOWS, "How long it has been in the world.",
        ["let fresh = ", " < 0.5;"], |view| view.age.into();
    zones: ZONES, "", Access::ReadOnly("it follows from where the entity is"),
        "The names of the zones that its center is in.",
        ["let swims = \"water\" in ", ";"],
        |view| view.zones.iter().map(|z| text(z)).collect::<Array>().into();
    feet: ROUND, "", Access::ReadOnly("they follow from what the entity stands on"),
        "How far each foot of a vessel is pressed in, -1 to 1; empty for others.",
        ["let pressed = ", ".filter(|foot| foot > 0);"],
        |view| view.feet.iter().map(|x| Dynamic::from(*x)).collect::<Array>().into();
    hook: Type::Map(&HOOK), "",
        Access::ReadOnly("use `me.fire_hook(x, y)` and `me.release_hook()`"),
        "Its grappling hook.",
        ["let hangs = ", ".state == \"attached\";"], |view| hook_map(view).into();
}

fn hook_map(view: &EntityView) -> Map {
    let mut map = Map::new();
    map.insert("state".into(), view.hook.state.into());
    map.insert("tip".into(), Dynamic::from(Vector::from(view.hook.tip)));
    map.insert("length".into(), view.hook.length.into());
    map
}

/// What the level shows of itself, which has no body.
const OF_LEVELS: [&str; 4] = ["id", "name", "kind", "age"];

/// What the level can do, though it has no body.
const DEEDS_OF_LEVELS: [&str; 3] = ["after", "cancel", "note"];

/// Whether `me` of a level's own script has what has this name.
pub(in crate::script::rhai) fn bodiless(name: &str) -> bool {
    OF_LEVELS.contains(&name) || DEEDS_OF_LEVELS.contains(&name)
}

/// Registers what `me` shows, and what of it can be written.
pub(in crate::script::rhai) fn register(registry: &mut Registry<'_>) {
    registry.value::<Me>(Owner::Me);
    for shown in SHOWN {
        let (name, read) = (shown.name, shown.read);
        let entry = shown.of_me();
        let bodiless = OF_LEVELS.contains(&name);
        let writes = writing::setter(name);
        registry.topic(if writes.is_some() {
            Topic::Writing
        } else {
            Topic::Reading
        });
        registry.property(
            entry,
            move |me: &mut Me| {
                let moment = if bodiless {
                    me.lock()
                } else {
                    me.with_body(name)?
                };
                Ok(read(&moment.view))
            },
            writes.unwrap_or(never),
        );
    }
}
