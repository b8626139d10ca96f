//! Events: what happened to entities, for scripts and traces.

use super::id::EntityId;
use super::value::Value;
use crate::models::ModelName;
use glam::DVec2;
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
