//! The fields of the maps that scripts are given, or give.

use super::api::{Field, Names, Shape, Type, field};

const SURFACE_NAME: Type = Type::Name(Names::Surface);
const SOLID: Field = field(
    "solid",
    Type::Name(Names::Solid),
    "",
    "the solid's name, empty if it has none",
);
const ON_SURFACE: Field = field(
    "surface",
    SURFACE_NAME,
    "",
    "the solid's surface, empty if it has none",
);
/// What an event about a zone holds.
pub(super) const ZONE: &[Field] = &[field(
    "zone",
    Type::Name(Names::Zone),
    "",
    "the zone's name",
)];

/// What every event holds.
pub const EVENT: &[Field] = &[
    field(
        "event",
        Type::Name(Names::Event),
        "",
        "the event's name, without `on_`",
    ),
    field(
        "entity",
        Type::Name(Names::Entity),
        "",
        "the name of whom it happened to",
    ),
    field("tick", Type::Whole, "", "the tick at whose end it showed"),
];

/// What `on_land` is told.
pub(super) const LAND: &[Field] = &[
    SOLID,
    ON_SURFACE,
    field(
        "normal",
        Type::Vec,
        "",
        "out of the ground, 1 long; in a top view up, (0, 0, 1)",
    ),
    field(
        "speed",
        Type::Number,
        "px/s",
        "how fast it came, into the ground",
    ),
];
/// What `on_leave_ground` is told.
pub(super) const LEAVE_GROUND: &[Field] = &[field(
    "jumped",
    Type::Flag,
    "",
    "whether by a jump of its own",
)];
/// What `on_surface` is told.
pub(super) const SURFACE: &[Field] = &[
    field("surface", SURFACE_NAME, "", "the one it stands on"),
    field("was", SURFACE_NAME, "", "the one before"),
];
/// What `on_model` is told.
pub(super) const MODEL: &[Field] = &[
    field(
        "model",
        Type::Name(Names::Model),
        "",
        "the one that moves it now",
    ),
    field("was", Type::Name(Names::Model), "", "the one before"),
];
/// What `on_model_refused` is told.
pub(super) const MODEL_REFUSED: &[Field] = &[
    field(
        "model",
        Type::Name(Names::Model),
        "",
        "the one that was wanted",
    ),
    field("reason", Type::Text, "", "why it cannot have it"),
];
/// What `on_grab` is told.
pub(super) const GRAB: &[Field] = &[
    SOLID,
    ON_SURFACE,
    field("normal", Type::Vec, "", "out of the wall or roof, 1 long"),
];
/// What `on_drop` is told.
pub(super) const DROP: &[Field] = &[field("jumped", Type::Flag, "", "whether by a jump")];
/// What `on_hook` is told.
pub(super) const HOOK: &[Field] = &[
    SOLID,
    ON_SURFACE,
    field("at", Type::Vec, "px", "where its tip is"),
];
/// What `on_unhook` is told.
pub(super) const UNHOOK: &[Field] = &[field("snapped", Type::Flag, "", "whether the rope broke")];
/// What `on_hit` is told.
pub(super) const HIT: &[Field] = &[
    SOLID,
    ON_SURFACE,
    field("normal", Type::Vec, "", "out of what it has hit, 1 long"),
    field("speed", Type::Number, "px/s", "how fast it came, into it"),
    field("foot", Type::Flag, "", "whether a foot of a vessel took it"),
];
/// What `on_touch` is told.
pub(super) const TOUCH: &[Field] = &[
    field("other", Type::Name(Names::Entity), "", "the other's name"),
    field("kind", Type::Name(Names::Kind), "", "the other's kind"),
];

/// What `on_note` is told.
pub(super) const NOTE: &[Field] = &[field("text", Type::Text, "", "what was noted")];

/// What an event holds that a script has emitted.
pub const SIGNAL_EVENT: Shape = Shape {
    name: "event of emit",
    common: EVENT,
    own: &[field(
        "data",
        Type::Data,
        "",
        "what was given to `world::emit`, else `()`",
    )],
};

/// What an event holds that `me.after` has set.
pub const TIMER_EVENT: Shape = Shape {
    name: "event of after",
    common: EVENT,
    own: &[],
};

/// What the rule `jump_windows` answers.
pub const WINDOWS: Shape = Shape {
    name: "windows",
    common: &[],
    own: &[
        field(
            "coyote_time",
            Type::Number,
            "s",
            "how long after the ground is left a press still jumps",
        )
        .sometimes(),
        field(
            "jump_buffer",
            Type::Number,
            "s",
            "how long before the ground is reached a press is kept",
        )
        .sometimes(),
        field(
            "jump_hold_time",
            Type::Number,
            "s",
            "how long holding the key makes a jump higher",
        )
        .sometimes(),
    ],
};

/// What `grapple_snaps` is asked about.
pub(super) const ROPE: Shape = Shape {
    name: "rope",
    common: &[],
    own: &[
        field(
            "pull_away",
            Type::Number,
            "px/s",
            "how fast it pulls away from the hook's pull",
        ),
        field("length", Type::Number, "px", "how long the rope is"),
        field("tip", Type::Vec, "px", "where it holds"),
        field(
            "away_held",
            Type::Flag,
            "",
            "whether the key away from the hook is held",
        ),
        field("snaps", Type::Flag, "", "what tuning says"),
    ],
};

/// What `can_grab` is asked about.
pub(super) const WALL: Shape = Shape {
    name: "hit",
    common: &[],
    own: &[
        SOLID,
        ON_SURFACE,
        field("normal", Type::Vec, "", "out of the wall or roof, 1 long"),
        field("roof", Type::Flag, "", "whether it is a roof"),
    ],
};
