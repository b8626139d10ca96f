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
#[cfg(test)]
#[path = "../../../../tests/support/backward.rs"]
mod backward;
mod calm;
mod camera;
mod carrying;
mod command;
mod contacts;
mod crowd;
mod decide;
mod drawing;
mod entity;
mod event;
mod executor;
mod flight;
mod frames;
mod gauge;
mod hash;
mod hooked;
mod input;
mod joint;
mod joint_forces;
mod joints;
mod journal;
mod kept;
mod lane;
mod level_order;
mod model_change;
mod mover;
mod overrides;
mod own_jump;
mod pairs;
mod phases;
mod planned_jump;
mod players;
mod population;
mod posture;
mod pushing;
mod question;
mod rebuilding;
mod reports;
mod resizing;
mod restart;
mod route;
mod route_moves;
mod route_order;
mod route_search;
mod routes;
mod rules;
mod running_frames;
mod saved;
mod script_state;
mod sounding;
mod spawn;
mod stage;
mod switches;
mod teleport;
mod tick;
mod timers;
mod value;
mod view;
mod waves;
pub mod why;
mod world;
mod zones;

pub use crate::digest::Digest;
pub use art::{Artwork, BodySprite, MapTile, MapTileLook, MapTiles, SPRITE_MODES, Sheet, SurfaceTiles};
pub use camera::{CameraOrder, ScriptCamera};
pub use command::{Command, Creation};
pub use drawing::{
    DrawOrder, Drawing, Drawn, DrawnAlign, DrawnBy, DrawnColor, DrawnForm, DrawnSpace, DrawnSprite, DrawnStyle,
    MOST_DRAWN_BY_ONE, MOST_DRAWN_THINGS, Unshown,
};
pub use entity::{Entity, EntityId};
pub use event::{Event, EventField, EventKind, InJson, event_bit, event_names};
pub use executor::{Executor, Serial};
pub use frames::{LONGEST_WAIT, MOST_FRAME_DATA, MOST_FRAMES, SequenceFrame, Until, WaitPoint};
pub use gauge::{Countdown, HookGauge, Touching};
pub use input::{Inputs, MOST_PLAYERS, PlayerInput};
pub use joint::{Anchor, Joint, JointEnd, MOST_DAMPING, MOST_HERTZ, Reel, Spring};
pub use joints::{Joints, MOST_JOINTS};
pub use kept::{KeptValues, LONGEST_KEPT_NAME, MOST_KEPT, MOST_KEPT_DEPTH, MOST_KEPT_PARTS};
pub use level_order::LevelOrder;
pub use mover::Mover;
pub use own_jump::{OwnAim, OwnJump, OwnJumpError, RunUp};
pub use planned_jump::PlannedJump;
pub use players::Players;
pub use posture::{BODY_SIZE, Stance};
pub use question::{Question, RuleAnswer, RuleLayer};
pub use resizing::ResizeError;
pub use route::{MOST_OFF, MOST_ROUTE_WORK, MoveKeys, MoveKind, NEAR_GOAL, Route, RouteError, RouteMove};
pub use route_order::RouteOrder;
pub use routes::{MOST_ROUTES, ROUTE_WORK_OF_TICK, Routes};
pub use rules::{
    Called, Decision, Invocation, Judgement, ModelAnswer, NativeRules, RuleCall, RuleReply, Rules, Scene, Subscriptions,
};
pub use running_frames::Frames;
pub use saved::{MOST_TICKS, SavedWorld};
pub use script_state::{Conditions, LastAsked, LayerState, MOST_DRAWN, MOST_FAILURES, ScriptLayer};
pub use sounding::{AskedSound, MOST_SOUNDS, SoundOrder, Sounding};
pub use stage::{Profile, ScriptId, Stage, Start};
pub use teleport::Teleport;
pub use timers::due_tick;
pub use value::{Value, VarStore, Vars, WEIGHT_OF_LIST, WEIGHT_OF_VECTOR, weight_of_map};
pub use view::{EntityView, ViewParts};
pub use world::World;

// What several files of this room use: each of them begins with `use super::*`.
use super::*;
use crate::{
    level::{Absent, Air, CalledPlatform, CalledRotation, LevelChanges, LevelClock, Zones},
    models::{
        Action, Actions, Body, BodyClock, ClockTick, Flight, Flown, Grasp, HookLoss, HookOrder, HookState, HookView,
        Intent, LoadoutOf, Loadouts, Mode, Model, ModelName, Motion, MoveContext, OwnActions, Piece, Refusal, Report,
        Step, Strain, Surroundings, Windows, ballistic::PlanWork, each_model, match_model, saved::each,
    },
};
use calm::Calm;
use carrying::CarryBuffers;
use command::move_body;
use contacts::Contacts;
use drawing::owner_name;
use entity::Slot;
use executor::{InPieces, OfChunks, any_chunk};
use flight::end_flight;
use joint_forces::JointBuffers;
use journal::Journal;
use lane::Lanes;
use level_order::Passage;
use model_change::change_model;
use mover::{Scratch, StatelessMover};
use overrides::{OverrideCache, profile_of};
use pairs::{Outlines, PairFinder, PairSearch, PlacedCollider, is_crowd};
use population::{OwnTime, Population};
use posture::Posture;
use pushing::PushBuffers;
use reports::ChunkReports;
use route_search::RouteSearch;
use routes::PendingSearch;
use script_state::{LevelState, ScriptState};
use spawn::spawn_start;
use stage::ProfileTraits;
use switches::Switches;
use thiserror::Error;
use timers::Timers;
use view::observe;
use waves::Waves;
use why::TickPhase;
use world::{DecideCalls, TickBuffers, surface_keys};
use zones::cross_zones;
