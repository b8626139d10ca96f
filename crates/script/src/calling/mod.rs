//! Calling the scripts of an entity: which hooks, in which order and in which layers, whatever their languages.
//!
//! A [`Caller`](caller::Caller) goes through the calls of a phase. For each entity it delivers events, calls `on_tick`,
//! asks the rules that are due and, if the entity leaves the world, calls `on_death`; each in every script of the entity,
//! from the lowest layer to the topmost. A language makes the single call: it gets a [`HookCall`] and returns a
//! [`HookAnswer`].

mod about;
mod asking;
mod below;
mod caller;
mod each;
mod hook_call;
mod judging;
mod language_rules;
mod layer_place;
mod layers;
mod probing;
mod questions;
mod sequences;
mod shared_calls;
mod tick_row;
mod wanted;
mod windows;

pub use about::About;
pub use below::{LentLayers, call_below, within_layer};
pub(crate) use caller::{CalledScripts, Caller};
pub use hook_call::{HookCall, Unanswered};
pub use language_rules::{BaseArgument, LanguageRules, LayerPrograms, Program};
pub(crate) use layer_place::LayerPlace;
pub use probing::Probing;
pub(crate) use questions::{WITHIN_TICKS, rule_for};
pub use shared_calls::{CallCounts, SharedCalls};
pub use tick_row::TickRow;
pub use wanted::{HookAnswer, Wanted};
pub use windows::read_windows;

use crate::{
    Limits, ListedHook, ListedScript,
    budget::{charge_tick, left_in_tick, tick_is_spent, tick_too_long},
    calls::Arg,
};
use hangtime_core::{
    models::Windows,
    sim::{
        Decision, Invocation, Judgement, LayerState, ModelAnswer, Question, RuleCall, RuleReply, Scene, ScriptId,
        why::RuleAnswer,
    },
};
use std::{mem::swap, sync::Arc};
