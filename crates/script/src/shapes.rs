//! The fields of the maps that scripts receive or return.

use super::api::{Field, Names, Shape, Type, field};

const SURFACE_NAME: Type = Type::Name(Names::Surface);
const SOLID: Field = field(
    "solid",
    Type::Name(Names::Solid),
    "",
    "the solid's name (`solid 1`, `solid 2`, … if unnamed); empty on the ground plane of a top view",
);
const ON_SURFACE: Field = field("surface", SURFACE_NAME, "", "the solid's surface; `plain` if no file names one");
/// The fields of events about zones, in addition to the fields of every event.
pub(super) const ZONE: &[Field] = &[field("zone", Type::Name(Names::Zone), "", "the zone's name")];

/// The fields of every event.
pub const EVENT: &[Field] = &[
    field("event", Type::Name(Names::Event), "", "the event's name, without `on_`"),
    field("entity", Type::Name(Names::Entity), "", "the name of the entity"),
    field(
        "tick",
        Type::Whole,
        "",
        "number of the tick that follows the event, as in traces: the one in which its hook is usually called",
    ),
];

/// The fields of `on_land`'s event, in addition to the fields of every event.
pub(super) const LAND: &[Field] = &[
    SOLID,
    ON_SURFACE,
    field("normal", Type::Vec, "", "unit vector out of the ground; (0, 0, 1), up, in a top view"),
    field("speed", Type::Number, "px/s", "the speed at which it hit the ground"),
    field("at", Type::Vec, "px", "the point of the ground that it touched; in a top view the place of its center"),
];
/// The fields of `on_leave_ground`'s event, in addition to the fields of every event.
pub(super) const LEAVE_GROUND: &[Field] = &[field("jumped", Type::Flag, "", "whether it jumped")];
/// The fields of `on_surface`'s event, in addition to the fields of every event.
pub(super) const SURFACE: &[Field] = &[
    field("surface", SURFACE_NAME, "", "the surface it stands on now"),
    field("was", SURFACE_NAME, "", "the surface it stood on before"),
];
/// The fields of `on_model`'s event, in addition to the fields of every event.
pub(super) const MODEL: &[Field] = &[
    field("model", Type::Name(Names::Model), "", "the model that moves it now"),
    field("was", Type::Name(Names::Model), "", "the model before"),
];
/// The fields of `on_model_refused`'s event, in addition to the fields of every event.
pub(super) const MODEL_REFUSED: &[Field] = &[
    field("model", Type::Name(Names::Model), "", "the model that was refused"),
    field("reason", Type::Text, "", "why it was refused"),
];
/// The fields of `on_grab`'s event, in addition to the fields of every event.
pub(super) const GRAB: &[Field] =
    &[SOLID, ON_SURFACE, field("normal", Type::Vec, "", "unit vector out of the wall or roof")];
/// The fields of `on_drop`'s event, in addition to the fields of every event.
pub(super) const DROP: &[Field] = &[field("jumped", Type::Flag, "", "whether it jumped off")];
/// The fields of `on_hook`'s event, in addition to the fields of every event.
pub(super) const HOOK: &[Field] = &[SOLID, ON_SURFACE, field("at", Type::Vec, "px", "the position of the tip")];
/// The fields of `on_unhook`'s event, in addition to the fields of every event.
pub(super) const UNHOOK: &[Field] = &[field("snapped", Type::Flag, "", "whether the rope snapped")];
/// The fields of `on_hit`'s event, in addition to the fields of every event.
pub(super) const HIT: &[Field] = &[
    SOLID,
    ON_SURFACE,
    field("normal", Type::Vec, "", "unit vector out of the solid it hit"),
    field("speed", Type::Number, "px/s", "the speed of the impact"),
    field("foot", Type::Flag, "", "whether a foot of a vessel hit it"),
    field("at", Type::Vec, "px", "the point that it hit"),
    field(
        "part",
        Type::Whole,
        "",
        "the piece of a vessel that hit it, by its place in `pieces`, from 0; 0 for other bodies",
    ),
];
/// The fields of `on_touch`'s event, in addition to the fields of every event.
pub(super) const TOUCH: &[Field] = &[
    field("other", Type::Name(Names::Entity), "", "the other entity's name"),
    field("kind", Type::Name(Names::Kind), "", "the other entity's kind"),
];

/// The fields of events of called platforms, in addition to the fields of every event.
pub(super) const PLATFORM: &[Field] = &[
    field("solid", Type::Name(Names::Solid), "", "the platform's name"),
    field("point", Type::Whole, "", "the point of its path that it travels to, from 0"),
];

/// The fields of `on_note`'s event, in addition to the fields of every event.
pub(super) const NOTE: &[Field] = &[field("text", Type::Text, "", "the logged text")];

/// The event of a name that a script has emitted.
pub const SIGNAL_EVENT: Shape = Shape {
    name: "event of emit",
    common: EVENT,
    own: &[field("data", Type::Data, "", "the data passed to `world::emit`; `()` if there is none")],
};

/// The event of a timer set by `me.after`.
pub const TIMER_EVENT: Shape = Shape {
    name: "event of after",
    common: EVENT,
    own: &[field("data", Type::Data, "", "the data passed to `me.after`; `()` if there is none").sometimes()],
};

/// The map that the rule `jump_windows` returns.
pub const WINDOWS: Shape = Shape {
    name: "windows",
    common: &[],
    own: &[
        field("coyote_time", Type::Number, "s", "how long after leaving the ground a jump still starts").sometimes(),
        field("jump_buffer", Type::Number, "s", "how long a press is remembered until a jump can start").sometimes(),
        field("jump_hold_time", Type::Number, "s", "how long holding the key keeps the jump's speed").sometimes(),
    ],
};

/// The second parameter of `grapple_snaps`.
pub(super) const ROPE: Shape = Shape {
    name: "rope",
    common: &[],
    own: &[
        field("pull_away", Type::Number, "px/s", "`hook_pull_speed` minus the entity's speed toward the tip"),
        field("length", Type::Number, "px", "the distance from the entity's center to the tip"),
        field("tip", Type::Vec, "px", "the position of the tip"),
        field("away_held", Type::Flag, "", "whether the key away from the tip is held"),
        field("snaps", Type::Flag, "", "whether tuning says that the rope snaps"),
    ],
};

/// The second parameter of `can_grab`.
pub(super) const WALL: Shape = Shape {
    name: "hit",
    common: &[],
    own: &[
        SOLID,
        ON_SURFACE,
        field("normal", Type::Vec, "", "unit vector out of the wall or roof"),
        field("roof", Type::Flag, "", "whether it is a roof"),
    ],
};
