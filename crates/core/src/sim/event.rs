//! Events: what happened to entities, for scripts and traces.

use super::{EntityId, Value};
use crate::models::ModelName;
use glam::DVec2;
use serde::ser::{SerializeMap, SerializeSeq, Serializer};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

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

/// What can happen to an entity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum EventKind {
    /// It spawned.
    Birth,
    /// It landed.
    Land {
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
    /// It is no longer grounded.
    LeaveGround {
        /// Whether it left the ground because it jumped.
        jumped: bool,
    },
    /// A jump started.
    Jump,
    /// The surface under it differs from the one it stood on before.
    Surface {
        /// The new surface.
        surface: Arc<str>,
        /// The previous surface; empty if there was none.
        was: Arc<str>,
    },
    /// Its model changed.
    Model {
        /// The new model.
        model: ModelName,
        /// The previous model.
        was: ModelName,
    },
    /// A model change or planned jump was refused.
    ModelRefused {
        /// The requested model.
        model: ModelName,
        /// The reason.
        reason: Arc<str>,
    },
    /// It grabbed a wall or roof.
    Grab {
        /// The solid's name.
        solid: Arc<str>,
        /// The solid's surface.
        surface: Arc<str>,
        /// Unit normal of the wall or roof.
        normal: DVec2,
    },
    /// It let go of a wall or roof.
    Drop {
        /// Whether it let go because it jumped.
        jumped: bool,
    },
    /// Its hook attached.
    Hook {
        /// The solid's name.
        solid: Arc<str>,
        /// The solid's surface.
        surface: Arc<str>,
        /// The tip of the hook, px.
        at: DVec2,
    },
    /// Its hook detached.
    Unhook {
        /// Whether it detached because the rope snapped.
        snapped: bool,
    },
    /// It hit terrain.
    Hit {
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
    /// It started to touch another entity.
    Touch {
        /// The other's name.
        other: Arc<str>,
        /// The other's kind.
        kind: Arc<str>,
    },
    /// Its center entered a zone.
    Enter {
        /// The zone's name.
        zone: Arc<str>,
    },
    /// Its center left a zone.
    Leave {
        /// The zone's name.
        zone: Arc<str>,
    },
    /// It is crushed: moving platforms leave it no room.
    Crush,
    /// It left the level's bounds. It returns to its start unless its script teleports it.
    FallOut,
    /// Files changed and a new revision is running.
    Reload,
    /// A script emitted this to all scripts.
    Signal {
        /// The event's name.
        name: Arc<str>,
        /// The data passed to `world::emit`.
        data: Value,
    },
    /// A timer set by its script is due.
    Timer {
        /// The event's name.
        name: Arc<str>,
        /// The layer whose script set it, which alone receives it; `None` for the lowest one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        layer: Option<Arc<str>>,
        /// The data passed to `me.after`.
        #[serde(default, skip_serializing_if = "Value::is_unit")]
        data: Value,
    },
    /// A platform that a script has sent has arrived. An event of the level.
    Arrive {
        /// The solid's name.
        solid: Arc<str>,
        /// The point of its path, counted from 0.
        point: u32,
    },
    /// A platform that a script has sent sets out. An event of the level.
    Depart {
        /// The solid's name.
        solid: Arc<str>,
        /// The point that it travels to, counted from 0.
        point: u32,
    },
    /// Its script failed too often and is disabled until the next reload.
    Quarantine,
    /// Its script logged a text for traces.
    Note {
        /// The text.
        text: Arc<str>,
    },
    /// It despawned.
    Death,
}

/// The names of all kinds of events, in the order in which one entity receives those of a tick.
/// Timers and signals carry their own names.
const NAMES: [&str; 25] = [
    "birth",
    "reload",
    "model",
    "model_refused",
    "grab",
    "drop",
    "hook",
    "unhook",
    "crush",
    "jump",
    "leave_ground",
    "hit",
    "land",
    "surface",
    "leave",
    "enter",
    "touch",
    "fall_out",
    "arrive",
    "depart",
    "timer",
    "signal",
    "note",
    "quarantine",
    "death",
];

/// The names of the engine's own events, in the order in which an entity receives those of a tick.
pub fn event_names() -> impl Iterator<Item = &'static str> {
    let own = |name: &&str| !matches!(*name, "timer" | "signal");
    NAMES.into_iter().filter(own)
}

/// The [bit](EventKind::bit) of the engine event with this name; 0 if there is none.
pub fn event_bit(name: &str) -> u32 {
    let place = event_names().find(|own| *own == name);
    let rank = place.and_then(|name| NAMES.iter().position(|own| *own == name));
    rank.map_or(0, |rank| 1 << rank)
}

/// The rank of [`EventKind::Leave`].
const LEAVE: u8 = 14;

impl EventKind {
    /// The event's name, without `on_`.
    pub fn name(&self) -> &str {
        match self {
            Self::Signal { name, .. } | Self::Timer { name, .. } => name,
            other => NAMES[other.rank() as usize],
        }
    }

    /// Where it comes among the events of one entity in one tick.
    pub(super) const fn rank(&self) -> u8 {
        match self {
            Self::Birth => 0,
            Self::Reload => 1,
            Self::Model { .. } => 2,
            Self::ModelRefused { .. } => 3,
            Self::Grab { .. } => 4,
            Self::Drop { .. } => 5,
            Self::Hook { .. } => 6,
            Self::Unhook { .. } => 7,
            Self::Crush => 8,
            Self::Jump => 9,
            Self::LeaveGround { .. } => 10,
            Self::Hit { .. } => 11,
            Self::Land { .. } => 12,
            Self::Surface { .. } => 13,
            Self::Leave { .. } => LEAVE,
            Self::Enter { .. } => 15,
            Self::Touch { .. } => 16,
            Self::FallOut => 17,
            Self::Arrive { .. } => 18,
            Self::Depart { .. } => 19,
            Self::Timer { .. } => 20,
            Self::Signal { .. } => 21,
            Self::Note { .. } => 22,
            Self::Quarantine => 23,
            Self::Death => 24,
        }
    }

    /// The rank by which events are sorted. Zones are entered and left in the order of their
    /// borders, so both have the same.
    pub(super) const fn place(&self) -> u8 {
        match self {
            Self::Enter { .. } => LEAVE,
            other => other.rank(),
        }
    }

    /// Whether a script caused it directly.
    pub(super) const fn is_from_script(&self) -> bool {
        matches!(self, Self::Signal { .. } | Self::Timer { .. } | Self::Note { .. })
    }

    /// Whether every script with a hook for it receives it, not only that of its entity.
    pub const fn is_for_all(&self) -> bool {
        matches!(self, Self::Signal { .. } | Self::Arrive { .. } | Self::Depart { .. })
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

    /// Calls `seen` with each field, in the order in which traces show them.
    pub fn each_field<'a>(&'a self, mut seen: impl FnMut(&'static str, EventField<'a>)) {
        use EventField::{Data, Flag, Name, Plane, Text, Whole};
        match self {
            Self::Birth | Self::Jump | Self::Crush | Self::FallOut | Self::Reload | Self::Quarantine | Self::Death => {}
            Self::Signal { data, .. } => seen("data", Data(data)),
            Self::Timer { layer, data, .. } => {
                if let Some(layer) = layer {
                    seen("layer", Name(layer));
                }
                if !data.is_unit() {
                    seen("data", Data(data));
                }
            }
            Self::Arrive { solid, point } | Self::Depart { solid, point } => {
                seen("solid", Name(solid));
                seen("point", Whole(i64::from(*point)));
            }
            Self::Note { text } => seen("text", Name(text)),
            Self::Land { .. } | Self::Hit { .. } => self.each_impact_field(seen),
            Self::Touch { other, kind } => {
                seen("other", Name(other));
                seen("kind", Name(kind));
            }
            Self::Enter { zone } | Self::Leave { zone } => seen("zone", Name(zone)),
            Self::Grab { solid, surface, normal } => {
                what_it_met(solid, surface, &mut seen);
                seen("normal", Plane(*normal));
            }
            Self::Hook { solid, surface, at } => {
                what_it_met(solid, surface, &mut seen);
                seen("at", Plane(*at));
            }
            Self::Unhook { snapped } => seen("snapped", Flag(*snapped)),
            Self::Drop { jumped } | Self::LeaveGround { jumped } => seen("jumped", Flag(*jumped)),
            Self::Surface { surface, was } => {
                seen("surface", Name(surface));
                seen("was", Name(was));
            }
            Self::Model { model, was } => {
                seen("model", Text(model.as_str()));
                seen("was", Text(was.as_str()));
            }
            Self::ModelRefused { model, reason } => {
                seen("model", Text(model.as_str()));
                seen("reason", Name(reason));
            }
        }
    }

    /// Calls `seen` with each field of a landing or a hit.
    fn each_impact_field<'a>(&'a self, mut seen: impl FnMut(&'static str, EventField<'a>)) {
        use EventField::{Flag, Number, Plane, Whole};
        match self {
            Self::Land { solid, surface, normal, speed, at } => {
                what_it_met(solid, surface, &mut seen);
                seen("normal", normal_of_ground(*normal));
                seen("speed", Number(*speed));
                seen("at", Plane(*at));
            }
            Self::Hit { solid, surface, normal, speed, foot, at, part } => {
                what_it_met(solid, surface, &mut seen);
                seen("normal", Plane(*normal));
                seen("speed", Number(*speed));
                seen("foot", Flag(*foot));
                seen("at", Plane(*at));
                seen("part", Whole(i64::from(*part)));
            }
            _ => {}
        }
    }
}

/// The solid that a body met, and its surface.
fn what_it_met<'a>(solid: &'a Arc<str>, surface: &'a Arc<str>, seen: &mut impl FnMut(&'static str, EventField<'a>)) {
    seen("solid", EventField::Name(solid));
    seen("surface", EventField::Name(surface));
}

/// The normal of the ground: in a top view it points up, out of the plane.
fn normal_of_ground<'a>(normal: DVec2) -> EventField<'a> {
    if normal == DVec2::ZERO {
        return EventField::Up;
    }
    EventField::Plane(normal)
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
