//! Compiled code: Rhai's syntax tree as steps on registers of plain values.
//!
//! A function is compiled from its tree with prices, so what a compiled call charges is what the interpreter charges.
//! Functions that it calls are compiled into it. Code never reports anything: where Rhai would fail, or where
//! something is not known, the run is forgotten and the same call is made in the interpreter. So messages, places and
//! limits are those of Rhai.
//!
//! * `unit`, `lower`, `statements`, `expressions`, `chains`, `chain_writes`, `invoke`: from the tree to steps.
//! * `run`, `members`, `texts`, `operators`, `natives`: what the steps do.
//! * `datum`, `arena`, `slots`, `about`, `answer`: the values.

mod about;
mod answer;
mod arena;
mod chain_parts;
mod chain_writes;
mod chains;
mod code;
mod datum;
mod expressions;
mod invoke;
mod lower;
mod members;
mod natives;
mod operators;
mod run;
mod script_code;
mod slots;
mod statements;
mod switch_hash;
mod texts;
mod unit;
mod why;

pub(super) use about::About;
pub(super) use answer::CompiledAnswer;
pub(super) use run::{CallInputs, Machine};
pub(super) use script_code::{CompiledFunction, ScriptCode};
pub(super) use slots::{SlotNames, SlotSizes, SlotsOfCall, VarSlot};
pub(super) use unit::ScriptUnit;
