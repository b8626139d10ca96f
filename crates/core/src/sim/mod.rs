//! Layer 3: the world, which holds all mutable state as plain data, and the tick that changes it.
//!
//! Start at [`World::tick`]: it is one page. A tick reads a [`Stage`] (level, tuning, kinds) and changes
//! a [`World`]. [`Inputs`] go in, [`Event`]s come out, and [`Rules`] decide what entities do. The native
//! rules leave everything to tuning.
//!
//! The same stage, seed and inputs give the same [`World::hash`] in every tick: in debug and release
//! builds, from any snapshot on (a snapshot is a clone), and in whatever order entities are created.

mod adopt;
mod apply;
mod art;
mod ask;
mod body_commands;
mod command;
mod conditions;
mod contacts;
mod crowd;
mod decide;
mod digest;
mod drawing;
mod drawn;
mod entity;
mod event;
mod event_field;
mod executor;
mod failure_count;
mod flight;
mod gauge;
mod hash;
mod id;
mod input;
mod inspect;
mod invocation;
mod journal;
mod json;
mod judge;
mod judgement;
mod kept;
mod lane;
mod layer_state;
mod level_order;
mod listener;
mod map_tiles;
mod model_change;
mod mover;
mod observe;
mod overrides;
mod own_jump;
mod pairs;
mod passage;
mod phase_probe;
mod phases;
mod place;
mod planned_jump;
mod population;
mod pushing;
mod quarantine;
mod report_lists;
mod reports;
mod reused;
mod rules;
mod saved;
mod script_state;
mod slot;
mod sounding;
mod spawn;
mod stage;
mod switches;
mod tick;
mod timers;
mod value;
mod view;
pub mod why;
mod world;
mod zones;

pub use art::{Artwork, BodySprite, SPRITE_MODES, Sheet, SurfaceTiles};
pub use command::{Command, Creation};
pub use conditions::{Conditions, LastAsked};
pub use digest::Digest;
pub use drawing::{Drawing, DrawnBy, MOST_DRAWN_BY_ONE, MOST_DRAWN_THINGS};
pub use drawn::{
    DrawOrder, DrawRefusal, Drawn, DrawnAlign, DrawnColor, DrawnForm, DrawnSpace, DrawnSprite, DrawnStyle,
};
pub use entity::Entity;
pub use event::{Event, EventKind, event_bit, event_names};
pub use event_field::EventField;
pub use executor::{Executor, Serial};
pub use failure_count::MOST_FAILURES;
pub use gauge::{Countdown, HookGauge, Touching};
pub use id::EntityId;
pub use input::{Inputs, MOST_PLAYERS, PlayerInput};
pub use invocation::{Decision, Invocation, ModelAnswer, Question, RuleCall, RuleLayer, RuleReply};
pub use json::InJson;
pub use judgement::Judgement;
pub use kept::{KeptValues, LONGEST_KEPT_NAME, MOST_KEPT, MOST_KEPT_DEPTH, MOST_KEPT_PARTS};
pub use layer_state::{LayerState, ScriptLayer};
pub use map_tiles::{MapTile, MapTileLook, MapTiles};
pub use mover::Mover;
pub use own_jump::{OwnJump, OwnJumpError};
pub use passage::LevelOrder;
pub use planned_jump::PlannedJump;
pub use rules::{NativeRules, Rules, Scene, Subscriptions};
pub use saved::{MOST_TICKS, SavedWorld};
pub use script_state::MOST_DRAWN;
pub use sounding::{AskedSound, MOST_SOUNDS, SoundOrder, SoundRefusal, Sounding};
pub use stage::{Profile, ScriptId, Stage, Start};
pub use value::{Value, VarStore, Vars};
pub use view::EntityView;
pub use world::World;
