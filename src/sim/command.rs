//! The commands that scripts give.

use super::drawn::DrawOrder;
use super::id::EntityId;
use super::planned_jump::PlannedJump;
use super::value::Value;
use crate::models::{Action, ModelName};
use crate::tuning::Setting;
use glam::DVec2;
use std::sync::Arc;

/// A command that a script gives for its entity. Commands take effect in entity order at the end of
/// the phase.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Sets the model's velocity and, in a top view, its vertical part, px/s.
    SetVelocity(DVec2, f64),
    /// Sets the angle, radians counterclockwise.
    Turn(f64),
    /// Sets the angular velocity, rad/s.
    Spin(f64),
    /// Sets the external velocity, px/s.
    SetExternal(DVec2),
    /// Adds to the external velocity, px/s.
    Push(DVec2),
    /// Sets the facing, 1 or −1.
    Face(f64),
    /// Holds an action during this tick.
    Hold(Action),
    /// Releases an action during this tick, even if the player holds it.
    Release(Action),
    /// Moves the stick during this tick.
    Steer(DVec2),
    /// Aims at a point during this tick.
    Aim(DVec2),
    /// Starts a jump, on the ground or in the air.
    Jump,
    /// Fires the hook at a point. It holds until it is released.
    FireHook(DVec2),
    /// Releases the hook.
    ReleaseHook,
    /// Starts a planned jump.
    JumpTo(Box<PlannedJump>),
    /// Teleports the center to a point, moved out of solids, and in a top view the feet to a height
    /// if one is given.
    Place(DVec2, Option<f64>),
    /// Sets the model. It takes precedence over the rule `model`.
    SetModel(ModelName),
    /// Undoes [`SetModel`](Self::SetModel).
    ClearModel,
    /// Overrides a tunable of a model for this entity. Name and value have been checked.
    Tune(ModelName, &'static str, Setting),
    /// Removes one override, or all of them.
    Untune(Option<(ModelName, &'static str)>),
    /// Sets a timer: in this many seconds the entity receives an event with this name.
    After(f64, Arc<str>),
    /// Cancels the timers with this name.
    Cancel(Arc<str>),
    /// Emits an event to all scripts.
    Emit(Arc<str>, Value),
    /// Spawns an entity at the end of the tick.
    Create(Box<Creation>),
    /// Despawns the entity.
    Remove,
    /// Switches a solid on or off. The solid is an index into the level's solids.
    Switch(u32, bool),
    /// Logs a text in traces.
    Note(Arc<str>),
    /// Keeps a value beyond the level under a name.
    Keep(Arc<str>, Value),
    /// Changes what is on the screen, which is no state of the world.
    Draw(DrawOrder),
}

/// An entity to spawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Creation {
    /// Its id, which must never have been used.
    pub id: EntityId,
    /// Its name, which must be unique.
    pub name: Arc<str>,
    /// Its profile, an index into [`Stage::profiles`](super::Stage::profiles).
    pub profile: usize,
    /// Its center, px.
    pub at: DVec2,
    /// Height of its feet in a top view, px.
    pub z: f64,
}
