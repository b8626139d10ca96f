//! What happened, as scripts are told and traces show.

use super::{EntityId, Value};
use crate::models::ModelName;
use glam::DVec2;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Something that happened to an entity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// The tick at whose end it showed: that of the trace's line.
    pub tick: u64,
    /// To whom.
    pub entity: EntityId,
    /// The entity's name.
    pub name: Arc<str>,
    /// What.
    pub happening: EventKind,
}

/// What can happen to an entity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum EventKind {
    /// It came into the world.
    Birth,
    /// It came to stand.
    Land {
        /// The solid's name.
        solid: Arc<str>,
        /// The solid's surface.
        surface: Arc<str>,
        /// Unit normal of the ground; 0 in a top view, where it points out of the plane.
        normal: DVec2,
        /// Speed into the ground, px/s.
        speed: f64,
    },
    /// It stands no more.
    LeaveGround {
        /// Whether by a jump of its own.
        jumped: bool,
    },
    /// A jump started.
    Jump,
    /// It stands on another surface than it stood on last.
    Surface {
        /// The new one.
        surface: Arc<str>,
        /// The last one; empty if there was none.
        was: Arc<str>,
    },
    /// Another model moves it.
    Model {
        /// The new one.
        model: ModelName,
        /// The old one.
        was: ModelName,
    },
    /// A change of model could not be made.
    ModelRefused {
        /// The one that was wanted.
        model: ModelName,
        /// Why not.
        reason: Arc<str>,
    },
    /// It clings to a wall or roof.
    Grab {
        /// The solid's name.
        solid: Arc<str>,
        /// The solid's surface.
        surface: Arc<str>,
        /// Unit normal of the wall or roof.
        normal: DVec2,
    },
    /// It has let go of a wall or roof.
    Drop {
        /// Whether by a jump.
        jumped: bool,
    },
    /// Its hook has attached.
    Hook {
        /// The solid's name.
        solid: Arc<str>,
        /// The solid's surface.
        surface: Arc<str>,
        /// Where, px.
        at: DVec2,
    },
    /// Its hook holds on no more.
    Unhook {
        /// Whether the rope has snapped.
        snapped: bool,
    },
    /// It has run into something.
    Hit {
        /// The solid's name.
        solid: Arc<str>,
        /// The solid's surface.
        surface: Arc<str>,
        /// Unit normal there.
        normal: DVec2,
        /// Speed into it, px/s.
        speed: f64,
        /// Whether a foot took it.
        foot: bool,
    },
    /// It has come to touch another entity.
    Touch {
        /// The other's name.
        other: Arc<str>,
        /// The other's kind.
        kind: Arc<str>,
    },
    /// Its center is in a zone.
    Enter {
        /// The zone's name.
        zone: Arc<str>,
    },
    /// Its center is in a zone no more.
    Leave {
        /// The zone's name.
        zone: Arc<str>,
    },
    /// Platforms leave it no room.
    Crush,
    /// It left the level's bounds. Unless its script places it elsewhere, it returns to its start.
    FallOut,
    /// Files changed and a new revision runs.
    Reload,
    /// A script has emitted this, for everybody to hear.
    Signal {
        /// The event's name.
        name: Arc<str>,
        /// What goes with it.
        data: Value,
    },
    /// The time that its script has set is over.
    Timer {
        /// The event's name.
        name: Arc<str>,
    },
    /// Its script has failed so often that it is no longer called until the next reload.
    Quarantine,
    /// Its script notes something for who reads the trace.
    Note {
        /// What.
        text: Arc<str>,
    },
    /// It has been taken out of the world.
    Death,
}

/// The names of all happenings, in the order in which they are told. Those of timers and signals are
/// their own.
const NAMES: [&str; 23] = [
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
    "timer",
    "signal",
    "note",
    "quarantine",
    "death",
];

/// The engine's own events, in the order in which they are told to an entity.
pub fn event_names() -> impl Iterator<Item = &'static str> {
    let own = |name: &&str| !matches!(*name, "timer" | "signal");
    NAMES.into_iter().filter(own)
}

/// The bit of the event with this name; 0 if it is none of the engine's own.
#[must_use]
pub fn event_bit(name: &str) -> u32 {
    let place = event_names().find(|own| *own == name);
    let rank = place.and_then(|name| NAMES.iter().position(|own| *own == name));
    rank.map_or(0, |rank| 1 << rank)
}

impl EventKind {
    /// The event's name, without `on_`.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Signal { name, .. } | Self::Timer { name } => name,
            other => NAMES[other.rank() as usize],
        }
    }

    /// The order in which what happens to one entity in one tick is told.
    #[must_use]
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
            Self::Leave { .. } => 14,
            Self::Enter { .. } => 15,
            Self::Touch { .. } => 16,
            Self::FallOut => 17,
            Self::Timer { .. } => 18,
            Self::Signal { .. } => 19,
            Self::Note { .. } => 20,
            Self::Quarantine => 21,
            Self::Death => 22,
        }
    }

    /// Whether a script has said it.
    pub(super) const fn is_said(&self) -> bool {
        matches!(
            self,
            Self::Signal { .. } | Self::Timer { .. } | Self::Note { .. }
        )
    }

    /// Whom or what it is about, of what may happen several times in a tick.
    pub(super) fn about(&self) -> &str {
        match self {
            Self::Touch { other, .. } => other,
            Self::Enter { zone } | Self::Leave { zone } => zone,
            _ => "",
        }
    }

    /// A bit of its own for each happening.
    #[must_use]
    pub const fn bit(&self) -> u32 {
        1 << self.rank()
    }

    /// The fields that go with it, in the order in which traces show them.
    #[must_use]
    pub fn fields(&self) -> Vec<(&'static str, Value)> {
        let text = |s: &Arc<str>| Value::from(&**s);
        match self {
            Self::Birth
            | Self::Jump
            | Self::Crush
            | Self::FallOut
            | Self::Reload
            | Self::Timer { .. }
            | Self::Quarantine
            | Self::Death => vec![],
            Self::Signal { data, .. } => vec![("data", data.clone())],
            Self::Note { text: note } => vec![("text", text(note))],
            Self::Land {
                solid,
                surface,
                normal,
                speed,
            } => vec![
                ("solid", text(solid)),
                ("surface", text(surface)),
                ("normal", normal_value(*normal)),
                ("speed", (*speed).into()),
            ],
            Self::Hit {
                solid,
                surface,
                normal,
                speed,
                foot,
            } => vec![
                ("solid", text(solid)),
                ("surface", text(surface)),
                ("normal", (*normal).into()),
                ("speed", (*speed).into()),
                ("foot", Value::Bool(*foot)),
            ],
            Self::Touch { other, kind } => vec![("other", text(other)), ("kind", text(kind))],
            Self::Enter { zone } | Self::Leave { zone } => vec![("zone", text(zone))],
            Self::Grab {
                solid,
                surface,
                normal,
            } => vec![
                ("solid", text(solid)),
                ("surface", text(surface)),
                ("normal", (*normal).into()),
            ],
            Self::Drop { jumped } => vec![("jumped", Value::Bool(*jumped))],
            Self::Hook { solid, surface, at } => vec![
                ("solid", text(solid)),
                ("surface", text(surface)),
                ("at", (*at).into()),
            ],
            Self::Unhook { snapped } => vec![("snapped", Value::Bool(*snapped))],
            Self::LeaveGround { jumped } => vec![("jumped", Value::Bool(*jumped))],
            Self::Surface { surface, was } => vec![("surface", text(surface)), ("was", text(was))],
            Self::Model { model, was } => {
                vec![
                    ("model", model.as_str().into()),
                    ("was", was.as_str().into()),
                ]
            }
            Self::ModelRefused { model, reason } => {
                vec![("model", model.as_str().into()), ("reason", text(reason))]
            }
        }
    }
}

/// A ground's normal: in a top view it points up, out of the plane.
fn normal_value(normal: DVec2) -> Value {
    if normal == DVec2::ZERO {
        return Value::List(vec![0.0.into(), 0.0.into(), 1.0.into()]);
    }
    normal.into()
}
