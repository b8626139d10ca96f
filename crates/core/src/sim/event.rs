//! Events: what happened to entities, for scripts and traces.

use super::*;
use serde::ser::{SerializeMap, SerializeSeq, Serializer};

/// Something that happened to an entity or to the level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// The tick at whose end it is visible, which is the tick of its line in a trace.
    pub tick: u64,
    /// The entity, or [`EntityId::LEVEL`].
    pub entity: EntityId,
    /// The entity's name.
    pub name: Arc<str>,
    /// What happened.
    pub kind: EventKind,
}

/// Declares the kinds of events, each with its name and its fields, in the order in which one entity receives the
/// events of a tick.
macro_rules! event_kinds {
    ($(
        $(#[doc = $doc:literal])*
        $text:literal $Kind:ident $( { $( $(#[$attribute:meta])* $field:ident: $Type:ty, )* } )?,
    )*) => {
        /// What can happen to an entity.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub enum EventKind {
            $( $(#[doc = $doc])* $Kind $( { $( $(#[$attribute])* $field: $Type, )* } )?, )*
        }

        /// The names of all kinds. Timers and signals carry their own names.
        const NAMES: &[&str] = &[$( $text, )*];

        /// A kind without its fields, as a rank.
        #[repr(u8)]
        enum Rank {
            $( $Kind, )*
        }

        impl EventKind {
            /// Where it comes among the events of one entity in one tick.
            pub(super) const fn rank(&self) -> u8 {
                match self { $( Self::$Kind { .. } => Rank::$Kind as u8, )* }
            }

            /// Calls `seen` with each field, in the order in which traces show them.
            #[inline]
            pub fn each_field<'a>(&'a self, mut seen: impl FnMut(&'static str, EventField<'a>)) {
                match self {
                    $( Self::$Kind $( { $( $field, )* } )? => { $( $(
                        let key = stringify!($field);
                        if let Some(value) = $field.as_field().filter(|value| self.shows(key, value)) {
                            seen(key, value.shown_as(key));
                        }
                    )* )? } )*
                }
            }
        }
    };
}

event_kinds! {
    /// It spawned.
    "birth" Birth,
    /// Files changed and a new revision is running.
    "reload" Reload,
    /// Its model changed.
    "model" Model {
        /// The new model.
        model: ModelName,
        /// The previous model.
        was: ModelName,
    },
    /// A model change or planned jump was refused.
    "model_refused" ModelRefused {
        /// The requested model.
        model: ModelName,
        /// The reason.
        reason: Arc<str>,
    },
    /// It grabbed a wall or roof.
    "grab" Grab {
        /// The solid's name.
        solid: Arc<str>,
        /// The solid's surface.
        surface: Arc<str>,
        /// Unit normal of the wall or roof.
        normal: DVec2,
    },
    /// It let go of a wall or roof.
    "drop" Drop {
        /// Whether it let go because it jumped.
        jumped: bool,
    },
    /// Its hook attached.
    "hook" Hook {
        /// The solid's name.
        solid: Arc<str>,
        /// The solid's surface.
        surface: Arc<str>,
        /// The tip of the hook, px.
        at: DVec2,
        /// The entity that it attached to; `None` for terrain.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        other: Option<Arc<str>>,
    },
    /// Its hook detached.
    "unhook" Unhook {
        /// Whether it detached because the rope snapped.
        snapped: bool,
    },
    /// It is crushed: moving platforms leave it no room.
    "crush" Crush,
    /// A jump started.
    "jump" Jump,
    /// It is no longer grounded.
    "leave_ground" LeaveGround {
        /// Whether it left the ground because it jumped.
        jumped: bool,
    },
    /// It hit terrain.
    "hit" Hit {
        /// The solid's name.
        solid: Arc<str>,
        /// The solid's surface.
        surface: Arc<str>,
        /// Unit normal at the point of impact.
        normal: DVec2,
        /// Speed into the terrain, px/s.
        speed: f64,
        /// Whether a foot absorbed the impact.
        foot: bool,
        /// The point that it hit, px.
        #[serde(default)]
        at: DVec2,
        /// Index of the piece of its body that hit; 0 for a body of one piece.
        #[serde(default)]
        part: u8,
    },
    /// It landed.
    "land" Land {
        /// The solid's name.
        solid: Arc<str>,
        /// The solid's surface.
        surface: Arc<str>,
        /// Unit normal of the ground; zero in a top view, where it points out of the plane.
        normal: DVec2,
        /// Speed into the ground, px/s.
        speed: f64,
        /// The point that it touched, px.
        #[serde(default)]
        at: DVec2,
    },
    /// The surface under it differs from the one it stood on before.
    "surface" Surface {
        /// The new surface.
        surface: Arc<str>,
        /// The previous surface; empty if there was none.
        was: Arc<str>,
    },
    /// Its center left a zone.
    "leave" Leave {
        /// The zone's name.
        zone: Arc<str>,
    },
    /// Its center entered a zone.
    "enter" Enter {
        /// The zone's name.
        zone: Arc<str>,
    },
    /// It started to touch another entity.
    "touch" Touch {
        /// The other's name.
        other: Arc<str>,
        /// The other's kind.
        kind: Arc<str>,
    },
    /// It left the level's bounds. It returns to its start unless its script teleports it.
    "fall_out" FallOut,
    /// A platform that a script has sent has arrived. An event of the level.
    "arrive" Arrive {
        /// The solid's name.
        solid: Arc<str>,
        /// The point of its path, counted from 0.
        point: u32,
    },
    /// A platform that a script has sent sets out. An event of the level.
    "depart" Depart {
        /// The solid's name.
        solid: Arc<str>,
        /// The point that it travels to, counted from 0.
        point: u32,
    },
    /// A rope or a spring snapped, or an end of it is gone. An event of the level.
    "joint_lost" JointLost {
        /// The id of the joint.
        joint: u32,
        /// Whether it snapped; otherwise an entity or a solid that it held is gone.
        snapped: bool,
    },
    /// A timer set by its script is due.
    "timer" Timer {
        /// The event's name.
        name: Arc<str>,
        /// The layer whose script set it, which alone receives it; `None` for the lowest one.
        #[serde(skip_serializing_if = "Option::is_none")]
        layer: Option<Arc<str>>,
        /// The data passed to `me.after`.
        #[serde(default, skip_serializing_if = "Value::is_unit")]
        data: Value,
    },
    /// A script emitted this to all scripts.
    "signal" Signal {
        /// The event's name.
        name: Arc<str>,
        /// The data passed to `world::emit`.
        data: Value,
    },
    /// Its script logged a text for traces.
    "note" Note {
        /// The text.
        text: Arc<str>,
    },
    /// Its script failed too often and is disabled until the next reload.
    "quarantine" Quarantine,
    /// It despawned.
    "death" Death,
}

/// The names of the engine's own events, in the order in which an entity receives the events of a tick.
pub fn event_names() -> impl Iterator<Item = &'static str> {
    let own = |name: &&str| !matches!(*name, "timer" | "signal");
    NAMES.iter().copied().filter(own)
}

/// The [bit](EventKind::bit) of the engine event with this name; 0 if there is none.
pub fn event_bit(name: &str) -> u32 {
    let place = event_names().find(|own| *own == name);
    let rank = place.and_then(|name| NAMES.iter().position(|own| *own == name));
    rank.map_or(0, |rank| 1 << rank)
}

impl EventKind {
    /// The event's name, without `on_`.
    pub fn name(&self) -> &str {
        match self {
            Self::Signal { name, .. } | Self::Timer { name, .. } => name,
            other => NAMES[other.rank() as usize],
        }
    }

    /// The rank by which events are sorted. Zones are entered and left in the order of their
    /// borders, so both have the same.
    pub(super) const fn place(&self) -> u8 {
        match self {
            Self::Enter { .. } => Rank::Leave as u8,
            other => other.rank(),
        }
    }

    /// Whether traces show a field: the name of a signal or a timer is the event's own, and many timers have no data.
    fn shows(&self, key: &str, value: &EventField) -> bool {
        match value {
            EventField::Data(Value::Unit) => !matches!(self, Self::Timer { .. }),
            _ => key != "name",
        }
    }

    /// Whether a script caused it directly.
    pub(super) const fn is_from_script(&self) -> bool {
        matches!(self, Self::Signal { .. } | Self::Timer { .. } | Self::Note { .. })
    }

    /// Whether every script with a hook for it receives it, not only its entity's.
    pub const fn is_for_all(&self) -> bool {
        matches!(self, Self::Signal { .. } | Self::Arrive { .. } | Self::Depart { .. } | Self::JointLost { .. })
    }

    /// The other entity, to order events of one kind in a tick.
    pub(super) fn about(&self) -> &str {
        match self {
            Self::Touch { other, .. } => other,
            Self::Arrive { solid, .. } | Self::Depart { solid, .. } => solid,
            _ => "",
        }
    }

    /// The zone that was entered or left.
    pub(super) fn zone(&self) -> &str {
        match self {
            Self::Enter { zone } | Self::Leave { zone } => zone,
            _ => "",
        }
    }

    /// A bit that is unique to each kind.
    pub const fn bit(&self) -> u32 {
        1 << self.rank()
    }
}

/// The value of a field of an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EventField<'a> {
    /// Text.
    Text(&'a str),
    /// Text that events share.
    Name(&'a Arc<str>),
    /// A number.
    Number(f64),
    /// A whole number.
    Whole(i64),
    /// True or false.
    Flag(bool),
    /// A point or a normal in the plane.
    Plane(DVec2),
    /// Out of the plane: the normal of the ground in a top view.
    Up,
    /// What a script has sent along.
    Data(&'a Value),
}

impl EventField<'_> {
    /// The normal of the ground points out of the plane in a top view, where it is 0.
    fn shown_as(self, key: &str) -> Self {
        match self {
            Self::Plane(DVec2::ZERO) if key == "normal" => Self::Up,
            field => field,
        }
    }

    /// The value as traces show it.
    pub fn to_value(self) -> Value {
        match self {
            Self::Text(text) => text.into(),
            Self::Name(name) => Value::from(&**name),
            Self::Number(x) => x.into(),
            Self::Whole(x) => Value::Int(x),
            Self::Flag(flag) => Value::Bool(flag),
            Self::Plane(v) => v.into(),
            Self::Up => Value::List(vec![0.0.into(), 0.0.into(), 1.0.into()]),
            Self::Data(data) => data.clone(),
        }
    }
}

impl EventKind {
    /// Its fields as traces show them, in their order.
    pub fn fields(&self) -> Vec<(&'static str, Value)> {
        let mut fields = Vec::new();
        self.each_field(|key, field| fields.push((key, field.to_value())));
        fields
    }

    /// The field with this name.
    pub fn field(&self, name: &str) -> Option<EventField<'_>> {
        let mut found = None;
        self.each_field(|key, field| {
            if key == name {
                found = Some(field);
            }
        });
        found
    }
}

/// The type of a field of events.
trait AsField {
    /// The value; `None` if traces leave it out.
    fn as_field(&self) -> Option<EventField<'_>>;
}

macro_rules! as_fields {
    ($( $Type:ty: |$value:ident| $field:expr, )*) => {
        $( impl AsField for $Type {
            fn as_field(&self) -> Option<EventField<'_>> {
                let $value = self;
                Some($field)
            }
        } )*
    };
}

as_fields! {
    Arc<str>: |name| EventField::Name(name),
    ModelName: |model| EventField::Text(model.as_str()),
    f64: |x| EventField::Number(*x),
    u8: |x| EventField::Whole(i64::from(*x)),
    u32: |x| EventField::Whole(i64::from(*x)),
    bool: |flag| EventField::Flag(*flag),
    DVec2: |v| EventField::Plane(*v),
    Value: |data| EventField::Data(data),
}

impl AsField for Option<Arc<str>> {
    fn as_field(&self) -> Option<EventField<'_>> {
        self.as_ref().map(EventField::Name)
    }
}

/// Serializes a value as plain JSON, without its type's name. A vector becomes an object of `x`, `y`
/// and `z`.
#[derive(Clone, Copy, Debug)]
pub struct InJson<'a>(pub &'a Value);

impl Serialize for InJson<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Unit => out.serialize_none(),
            Value::Bool(x) => out.serialize_bool(*x),
            Value::Int(x) => out.serialize_i64(*x),
            Value::Float(x) => out.serialize_f64(*x),
            Value::Text(x) => out.serialize_str(x),
            Value::List(list) => {
                let mut seq = out.serialize_seq(Some(list.len()))?;
                list.iter().try_for_each(|v| seq.serialize_element(&InJson(v)))?;
                seq.end()
            }
            Value::Map(map) => {
                let mut entries = out.serialize_map(Some(map.len()))?;
                map.iter().try_for_each(|(k, v)| entries.serialize_entry(k, &InJson(v)))?;
                entries.end()
            }
            Value::Vector([x, y, z]) => {
                let mut entries = out.serialize_map(Some(3))?;
                entries.serialize_entry("x", x)?;
                entries.serialize_entry("y", y)?;
                entries.serialize_entry("z", z)?;
                entries.end()
            }
        }
    }
}
