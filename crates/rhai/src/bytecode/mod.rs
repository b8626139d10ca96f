//! Compiled code: Rhai's syntax tree as steps on registers of plain values.
//!
//! A function is compiled from its tree with prices, so what a compiled call charges is what the interpreter charges.
//! Functions that it calls are compiled into it. Code never reports anything: where Rhai would fail, or where
//! something is not known, the run is forgotten and the same call is made in the interpreter. So messages, places and
//! limits are Rhai's.
//!
//! * `unit`, `lower`, `statements`, `expressions`, `chains`, `chain_writes`, `invoke`: from the tree to steps.
//! * `run`, `layers`, `members`, `places`, `texts`, `waits`, `operators`, `natives`: what the steps do.
//! * `datum`, `arena`, `slots`, `answer`: the values.

mod answer;
mod arena;
mod chain_parts;
mod chain_writes;
mod chains;
mod code;
mod datum;
mod expressions;
mod invoke;
mod layers;
mod lower;
mod members;
mod natives;
mod operators;
mod places;
mod run;
mod script_code;
mod slots;
mod statements;
mod switch_hash;
mod texts;
mod unit;
mod waits;
mod why;

pub(super) use answer::CompiledAnswer;
pub(super) use code::Code;
pub(super) use datum::Datum;
pub(super) use layers::LayerBelow;
pub(super) use run::{CallInputs, Machine};
pub(super) use script_code::{CompiledFunction, ScriptCode};
pub(super) use slots::{SlotNames, SlotSizes, SlotsOfCall, VALUES_PER_OPERATION, VarSlot};
pub(super) use unit::{FunctionsBelow, ScriptUnit};

use crate::{
    api::{HeldArg, math, to_value},
    engine::{
        pricing::{
            JOIN, MAKE, PER_CALL, PER_INDEX, PER_NODE, PricedFunction, READ, SEARCH, WRITE, places_of, plain_name,
            priced_functions,
        },
        tree::{ChainStep, OnNode, any_node, chain, each_node, each_target, first_of_this, is_optional},
        values::to_dynamic,
        weight::{
            BOXED, IN_ONE_OPERATION, PARTS_IN_ONE, PARTS_OF_ENTRY, PARTS_OF_OWNER, is_heavy, is_long_key, parts,
            parts_of, parts_of_map, place_of, weight, weight_of_key, weight_of_text,
        },
    },
};
use arena::*;
use chain_parts::*;
use code::*;
use datum::*;
use expressions::*;
use hangtime_core::sim::{EntityView, EventField, Value, WEIGHT_OF_VECTOR, weight_of_map};
use hangtime_script::{
    About, Limits, LineCosts, RULES, Vector,
    api::{ApiEntry, EntryKind, Owner, Param, Topic, Type, param},
    budget::{charge, charge_tick, charged, is_interrupted_after, is_spent},
    calls::{
        Answered, Arg, Call, CallAnswer, CallMoment, ENTITY_PROPERTIES, MeState, MomentCounts, fields_of_hook,
        find_call, find_member, is_level_member, price_of,
    },
    cost_of_line,
    elsewhere::is_among,
    vec_of_field,
};
use invoke::*;
use lower::*;
use members::*;
use natives::*;
use operators::*;
use places::*;
use rhai::{
    AST, ASTFlags, ASTNode, Array, CustomExpr, Dynamic, Expr, FlowControl, FnCallExpr, Identifier, ImmutableString,
    Map, Position, Stmt, SwitchCasesCollection,
};
use run::*;
use std::{
    array::from_fn,
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
    fmt::{self, Write},
    hash::{BuildHasher, Hash, Hasher},
    mem::ManuallyDrop,
    sync::{Arc, OnceLock},
};
use switch_hash::*;
use unit::*;
use why::*;
