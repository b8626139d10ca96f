//! Floor 3: the world, all of whose state is plain data, and the tick that moves it.
//!
//! Start at [`World::tick`]: it is one page. A [`Stage`] is what a tick reads and never changes
//! (level, tuning, kinds); a [`World`] is what it changes. [`Inputs`] go in, [`Event`]s come out,
//! and [`Rules`] are asked what is to happen. The native rules ask for nothing.
//!
//! The same stages, seed and inputs give the same [`World::hash`] in every tick: in debug and
//! release builds, from any snapshot on (a snapshot is a clone), and in whichever order the
//! entities were created.

mod adopt;
mod apply;
mod ask;
mod change;
mod decide;
mod digest;
mod dress;
mod entity;
mod event;
mod hash;
mod input;
mod json;
mod lane;
mod leap;
mod meet;
mod population;
mod rules;
mod script_state;
mod stage;
mod switch;
mod tell;
mod tick;
mod timers;
mod value;
mod view;
pub mod why;
mod world;
mod zones;

pub use ask::Ask;
pub use digest::Digest;
pub use entity::{Entity, EntityId};
pub use event::{Event, EventKind, event_bit, event_names};
pub use input::{Inputs, MOST_PLAYERS, PlayerInput};
pub use json::InJson;
pub use lane::Mover;
pub use leap::Leap;
pub use rules::{Command, Creation, NativeRules, Question, Rules, Scene, Subscriptions, Turn};
pub use script_state::MOST_FAILURES;
pub use stage::{Profile, ScriptId, Stage, Start};
pub use value::{Value, VarStore, Vars};
pub use view::{EntityView, SharedView};
pub use world::World;
