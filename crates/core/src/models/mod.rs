//! Layer 2: the movement models, one folder each, and the parts that several of them share.
//!
//! A [`Model`] answers two questions per tick. *Drive*: which velocity and motion follow from the
//! state, the input, the tuning and the ground? *Travel*: where does that motion end in this
//! terrain? A model reads no other entity, no clock and no script, and knows nothing about other
//! models. All entities of one model lie side by side in one array (a lane) of that model's state.
//!
//! An ability that only some models have is a capability: a separate trait that the model names in
//! one constant. [`Hooked`] bodies have a grappling hook, [`Climbing`] bodies grab walls and roofs,
//! [`Rigid`] bodies turn and stand on feet, [`Flying`] bodies follow a planned flight.
//!
//! To add a model, write its folder (with its `mod` line below) and add one line to the list in
//! `registry.rs`. Names, scripts, files, drawing and docs follow from its constants.
//!
//! * [`topdown`]: walks in a plane with a height axis; friction never fights the player.
//! * [`platformer`]: runs, walks, jumps, grabs walls and swings on a hook.
//! * [`vessel`]: a rigid body that turns, bounces and lands on feet.
//! * [`two_velocity`]: an intended velocity, blended by the ground's grip, plus an external one.
//! * [`ballistic`]: jumps to a destination, and projectiles.
//!
//! Shared by several models:
//!
//! * [`BodyClock`]: how time passes for a body; [`ClockTick`]: a moment on such a clock.
//! * [`Jump`]: hold time, coyote time and jump buffer; a jump survives a change of model.
//! * `footing`: standing, falling and landing in a side view; `plane`: the same in a top view.
//! * `travel`: moves a body along the ground or through the air; [`riding`]:
//!   carries it on platforms and out of their way; `meeting`: what hits a body on its way.
//! * [`crossing`]: divides a tick where the body crosses the border of a zone.
//! * [`saved`]: checks of saved state.
//! * `motion`: exact motion under constant acceleration with limits.

pub mod ballistic;
mod capabilities;
mod clock;
pub mod crossing;
mod footing;
mod jump;
mod meeting;
mod motion;
mod plane;
pub mod platformer;
pub mod riding;
mod rotating;
pub mod saved;
pub mod topdown;
mod travel;
pub mod two_velocity;
pub mod vessel;

mod body;
mod flight;
mod intent;
mod model;
mod registry;
mod report;
mod steering;
mod surroundings;
mod wall;

pub use body::{Body, BodyShape, CEILING, Cling, Mode, Motion, Piece};
pub use capabilities::{Climbing, Flown, Flying, HookOrder, HookState, HookView, Hooked, Refusal, Rigid, Strain};
pub use clock::{BodyClock, ClockTick};
pub use flight::Flight;
pub use footing::{Footing, FootingTuning};
pub use intent::{Action, Actions, Intent, OwnAction, OwnActions};
pub use jump::{Jump, JumpTuning, Windows, window_ticks};
pub use model::{Division, Loadout, Model, ModelTuning, MoveContext, Step};
pub use registry::{LoadoutOf, Loadouts, ModelName, ModelTunings};
pub(crate) use registry::{each_model, for_every_model, match_model};
pub use report::{Grasp, HookLoss, HookMiss, HookNews, Impact, Landing, Report, ReportDetails, Support, SurfaceChange};
pub use steering::{Coasting, Steering, Unsteered, falling};
pub use surroundings::{Decay, Surroundings};
pub use wall::WallState;

// What several files of this room use: each of them begins with `use super::*`.
use super::*;
use crate::{
    digest::Digest,
    geometry::{sweep::Face, turn, turned},
    level::{
        Bumps, Contact, Floor, GroundRule, Hit, RestQuery, Scenery, Side, Slide, Terrain, TickSpan, longer, slide,
        slide_in_tick, walk,
    },
    named::named,
    tuning::{ACCEL, ANY, LENGTH, RATE, SHARE, SPEED, SurfaceTuning, Tunables, range, tunables},
};
use crossing::halve;
use footing::land;
use glam::DVec3;
use meeting::FreeMotion;
pub use motion::Tread;
use motion::{Stretch, approach, normalized_share};
use saved::{FASTEST_SAVED, between, number, unit};
use std::num::NonZeroU64;
