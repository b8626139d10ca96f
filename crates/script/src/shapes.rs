//! The fields of the maps that scripts receive or return.

use super::api::{Field, Names, Shape, Type, field};
use crate::fields;

const SURFACE_NAME: Type = Type::Name(Names::Surface);
const SOLID: Field = field(
    "solid",
    Type::Name(Names::Solid),
    "",
    "the solid's name (`solid 1`, `solid 2`, … if unnamed); empty on the ground plane of a top view",
);
const ON_SURFACE: Field = field("surface", SURFACE_NAME, "", "the solid's surface; `plain` if no file names one");
/// The fields of events about zones, in addition to the fields of every event.
pub const ZONE: &[Field] = fields! {
    /// the zone's name
    zone: Type::Name(Names::Zone);
};

/// The fields of every event.
pub const EVENT: &[Field] = fields! {
    /// the event's name, without `on_`
    event: Type::Name(Names::Event);
    /// the name of the entity
    entity: Type::Name(Names::Entity);
    /// number of the tick that follows the event, as in traces: the one in which its hook is usually called
    tick: Type::Whole;
};

/// The fields of `on_land`'s event, in addition to the fields of every event.
pub const LAND: &[Field] = fields! {
    SOLID, ON_SURFACE,
    /// unit vector out of the ground; (0, 0, 1), up, in a top view
    normal: Type::Vec;
    /// the speed at which it hit the ground
    speed: Type::Number, "px/s";
    /// the point of the ground that it touched; in a top view the place of its center
    at: Type::Vec, "px";
};
/// The fields of `on_leave_ground`'s event, in addition to the fields of every event.
pub const LEAVE_GROUND: &[Field] = fields! {
    /// whether it jumped
    jumped: Type::Flag;
};
/// The fields of `on_surface`'s event, in addition to the fields of every event.
pub const SURFACE: &[Field] = fields! {
    /// the surface it stands on now
    surface: SURFACE_NAME;
    /// the surface it stood on before
    was: SURFACE_NAME;
};
/// The fields of `on_model`'s event, in addition to the fields of every event.
pub const MODEL: &[Field] = fields! {
    /// the model that moves it now
    model: Type::Name(Names::Model);
    /// the model before
    was: Type::Name(Names::Model);
};
/// The fields of `on_model_refused`'s event, in addition to the fields of every event.
pub const MODEL_REFUSED: &[Field] = fields! {
    /// the model that was refused
    model: Type::Name(Names::Model);
    /// why it was refused
    reason: Type::Text;
};
/// The fields of `on_grab`'s event, in addition to the fields of every event.
pub const GRAB: &[Field] = fields! {
    SOLID, ON_SURFACE,
    /// unit vector out of the wall or roof
    normal: Type::Vec;
};
/// The fields of `on_drop`'s event, in addition to the fields of every event.
pub const DROP: &[Field] = fields! {
    /// whether it jumped off
    jumped: Type::Flag;
};
/// The fields of `on_hook`'s event, in addition to the fields of every event.
pub const HOOK: &[Field] = fields! {
    SOLID, ON_SURFACE,
    /// the position of the tip
    at: Type::Vec, "px";
    /// the entity that it attached to; left out for a solid
    other sometimes: Type::Name(Names::Entity);
};
/// The fields of `on_unhook`'s event, in addition to the fields of every event.
pub const UNHOOK: &[Field] = fields! {
    /// whether the rope snapped
    snapped: Type::Flag;
};
/// The fields of `on_hit`'s event, in addition to the fields of every event.
pub const HIT: &[Field] = fields! {
    SOLID, ON_SURFACE,
    /// unit vector out of the solid it hit
    normal: Type::Vec;
    /// the speed of the impact
    speed: Type::Number, "px/s";
    /// whether a foot of a vessel hit it
    foot: Type::Flag;
    /// the point that it hit
    at: Type::Vec, "px";
    /// the piece of a vessel that hit it, by its place in `pieces`, from 0; 0 for other bodies
    part: Type::Whole;
};
/// The fields of `on_touch`'s event, in addition to the fields of every event.
pub const TOUCH: &[Field] = fields! {
    /// the other entity's name
    other: Type::Name(Names::Entity);
    /// the other entity's kind
    kind: Type::Name(Names::Kind);
};

/// The fields of events of called platforms, in addition to the fields of every event.
pub const PLATFORM: &[Field] = fields! {
    /// the platform's name
    solid: Type::Name(Names::Solid);
    /// the point of its path that it travels to, from 0
    point: Type::Whole;
};

/// The fields of `on_joint_lost`'s event, in addition to the fields of every event.
pub const LOST_JOINT: &[Field] = fields! {
    /// the id of the rope or spring
    joint: Type::Whole;
    /// whether it snapped, rather than lost an end
    snapped: Type::Flag;
};

/// The fields of `on_note`'s event, in addition to the fields of every event.
pub const NOTE: &[Field] = fields! {
    /// the logged text
    text: Type::Text;
};

/// The event of a name that a script has emitted.
pub const SIGNAL_EVENT: Shape = Shape {
    name: "event of emit",
    common: EVENT,
    own: fields! {
        /// the data passed to `world::emit`; `()` if there is none
        data: Type::Data;
    },
};

/// The event of a timer set by `me.after`.
pub const TIMER_EVENT: Shape = Shape {
    name: "event of after",
    common: EVENT,
    own: fields! {
        /// the data passed to `me.after`; `()` if there is none
        data sometimes: Type::Data;
    },
};

/// The map that the rule `jump_windows` returns.
pub const WINDOWS: Shape = Shape {
    name: "windows",
    common: &[],
    own: fields! {
        /// how long after leaving the ground a jump still starts
        coyote_time sometimes: Type::Number, "s";
        /// how long a press is remembered until a jump can start
        jump_buffer sometimes: Type::Number, "s";
        /// how long holding the key keeps the jump's speed
        jump_hold_time sometimes: Type::Number, "s";
    },
};

/// The second parameter of `grapple_snaps`.
pub const ROPE: Shape = Shape {
    name: "rope",
    common: &[],
    own: fields! {
        /// `hook_pull_speed` minus the entity's speed toward the tip
        pull_away: Type::Number, "px/s";
        /// the distance from the entity's center to the tip
        length: Type::Number, "px";
        /// the position of the tip
        tip: Type::Vec, "px";
        /// whether the key away from the tip is held
        away_held: Type::Flag;
        /// whether tuning says that the rope snaps
        snaps: Type::Flag;
    },
};

/// The second parameter of `can_grab`.
pub const WALL: Shape = Shape {
    name: "hit",
    common: &[],
    own: fields! {
        SOLID, ON_SURFACE,
        /// unit vector out of the wall or roof
        normal: Type::Vec;
        /// whether it is a roof
        roof: Type::Flag;
    },
};
