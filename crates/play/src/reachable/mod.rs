//! What a body can reach: a search that plays the game, scripts included, from one place of rest to the next.
//!
//! Its places are where the body has come to rest, each with a clone of the world. From each it tries the same few ways
//! of moving ([`moves`]), all of them keys that a player could press. So an answer of yes comes with the keys that lead
//! there, and an answer of no means that none of these ways leads there from any place that was found. Two places count
//! as one if they are in the same cell, on the same solid, and in the same [state](state::state_of).

mod certificate;
mod fixes;
mod goals;
mod moves;
mod report;
mod saved;
mod search;
mod state;

pub use certificate::certificate;
pub use fixes::{NumberFix, fixes};
pub use goals::{GoalKind, ReachGoal};
pub use report::{map_of, reach_json, reach_map, reach_text};
pub use saved::SearchOrigin;
pub use search::{NearMiss, ReachAnswer, ReachOrder, ReachSearch};

use super::*;
use goals::{GoalShape, goals_of};
use hangtime_core::{
    level::{Solid, View},
    models::{Action, Body},
    sim::{Entity, EntityId, EventKind, PlayerInput, Stage},
};
use hangtime_script::{ScriptRules, budget::is_interrupted};
use moves::{Explored, Explorer, Takeoff, cell_of};
use search::{AbilitiesSeen, ReachSubject, length};
use serde::{Deserialize, Serialize};
use state::state_of;

/// Keys of a stretch of ticks: how many, and what is held.
pub type KeyStretch = (u64, PlayerInput);

/// Adds a tick to keys.
fn push_tick(keys: &mut Vec<KeyStretch>, input: PlayerInput) {
    match keys.last_mut() {
        Some((ticks, last)) if *last == input => *ticks += 1,
        _ => keys.push((1, input)),
    }
}
