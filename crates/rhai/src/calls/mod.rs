//! Calling scripts: compiled files, their hooks and test functions, and their variables.

mod answers;
mod asking;
mod base_functions;
mod both_ways;
mod caller;
pub(super) mod compile;
pub(super) mod compiled;
pub(super) mod expressions;
mod functions;
mod hook_body;
mod judging;
mod kept_vars;
mod layer_place;
mod layers;
mod lent_layers;
mod plain_vars;
pub(super) mod rules;
mod runtime;
mod slice;
mod slot_cache;
pub(super) mod test_cases;
pub(super) mod testing;
mod units;
mod vars;

use self::answers::{FlagOf, Unanswered, Wanted};
use self::caller::Caller;
use self::compile::{HookFn, RhaiProgram, Script};
use self::hook_body::HookBody;
use self::kept_vars::KeptVars;
use self::layer_place::LayerPlace;
use self::plain_vars::RejectedVar;
use self::runtime::Runtime;
use self::vars::RhaiVars;
use crate::api::handles::WorldHandle;
use crate::api::{Unchecked, behavior_catalog, new_engine, register_tests, test_catalog};
use crate::bytecode::{About, Code, CompiledAnswer, SlotNames, SlotSizes, SlotsOfCall, VarSlot};
use crate::check::{DeclaredFunction, NamesInCalls, base_calls, check_closures, check_top_level};
use crate::engine::budget::{call_budget, charge_tick, left_in_tick, tick_is_spent, top_level_budget};
use crate::engine::halt::{source_too_large, stop};
use crate::engine::nesting::parse;
use crate::engine::pricing::priced;
use crate::engine::resolver::{PricedModules, SourceResolver};
use crate::engine::setup::record_prints;
use crate::engine::values::{NotPlain, to_dynamic, to_plain, type_name};
use crate::messages::errors::{Explainer, parse_error};
use hangtime_core::models::Windows;
use hangtime_core::sim::why::RuleAnswer;
use hangtime_core::sim::{
    Decision, Invocation, Judgement, LayerState, ModelAnswer, Question, RuleCall, RuleReply, ScriptId, Value, Vars,
};
use hangtime_script::api::ApiSet;
use hangtime_script::calls::{CallMoment, Checkpoint, ForeignCalls};
use hangtime_script::names::suggestion;
use hangtime_script::{
    BelowScript, CallCounts, CallPath, CallPhase, Diagnostic, Diagnostics, Execution, Limits, ListedScript,
    MOST_SOURCE, Place, SourceFile, Sources, TestFunction, Vector,
};
use rhai::{
    AST, ASTNode, Caches, Dynamic, Engine, EvalAltResult, EvalContext, Expr, GlobalRuntimeState, ImmutableString, Map,
    Module, Position, Scope, Stmt,
};
use std::any::Any;
use std::collections::BTreeMap;
use std::mem::swap;
use std::sync::Arc;
