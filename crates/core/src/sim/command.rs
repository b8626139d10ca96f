//! The commands that scripts give.

use super::drawn::DrawOrder;
use super::id::EntityId;
use super::passage::LevelOrder;
use super::planned_jump::PlannedJump;
use super::sounding::SoundOrder;
use super::value::Value;
use crate::models::{Action, ModelName};
use crate::tuning::Setting;
use glam::DVec2;
use std::collections::BTreeMap;
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
    /// Lets go of a wall or roof.
    LetGo,
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
    /// The data is part of that event.
    After(f64, Arc<str>, Value),
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
    /// Switches a zone on or off. The zone is an index into the level's zones.
    SwitchZone(u32, bool),
    /// Sends a called platform to a point of its path, or stops it. The solid is an index into the level's solids.
    Call(u32, Option<u32>),
    /// Starts the level again or plays another one.
    Level(LevelOrder),
    /// Keeps data for the next restart of the level.
    Checkpoint(Value),
    /// Logs a text in traces.
    Note(Arc<str>),
    /// Keeps a value beyond the level under a name.
    Keep(Arc<str>, Value),
    /// Changes what is on the screen, which is no state of the world.
    Draw(DrawOrder),
    /// Plays a sound, which is no state of the world.
    Sound(SoundOrder),
    /// The commands that follow are those of the layer with this name; of the lowest one for `None`. An entity with
    /// one script gives no such command.
    InLayer(Option<Arc<str>>),
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
    /// Its velocity, px/s.
    pub velocity: DVec2,
    /// Its upward velocity in a top view, px/s.
    pub vel_z: f64,
    /// Its facing, 1 or −1.
    pub facing: f64,
    /// Script variables that differ from those of its kind.
    pub vars: BTreeMap<String, Value>,
}
