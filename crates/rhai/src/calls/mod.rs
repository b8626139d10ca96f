//! Calling scripts: compiled files, their hooks and test functions, and their variables.

mod answers;
mod both_ways;
pub(super) mod compile;
pub(super) mod compiled;
pub(super) mod expressions;
mod functions;
mod hook_body;
mod hook_calls;
mod kept_vars;
mod lent_layers;
mod plain_vars;
pub(super) mod rules;
mod runtime;
mod slot_cache;
pub(super) mod testing;
mod units;
mod vars;

use self::answers::{map_of, read_compiled};
use self::compile::{HookFn, RhaiProgram, Script};
use self::hook_body::HookBody;
use self::hook_calls::RhaiCall;
use self::kept_vars::KeptVars;
use self::plain_vars::RejectedVar;
use self::runtime::Runtime;
use self::vars::RhaiVars;
use crate::api::handles::WorldHandle;
use crate::api::{HeldArg, Unchecked, behavior_catalog, new_engine, register_tests, test_catalog};
use crate::bytecode::{Code, CompiledAnswer, SlotNames, SlotSizes, SlotsOfCall, VarSlot};
use crate::check::{NamesInCalls, base_calls, check_closures, check_top_level};
use crate::engine::budget::{call_budget, charge_tick, left_in_tick, top_level_budget};
use crate::engine::halt::{Fallible, source_too_large, stop};
use crate::engine::nesting::parse;
use crate::engine::pricing::priced;
use crate::engine::resolver::{PricedModules, SourceResolver};
use crate::engine::setup::record_prints;
use crate::engine::values::{NotPlain, to_dynamic, to_plain, type_name};
use crate::messages::errors::{Explainer, parse_error};
use hangtime_core::sim::{Decision, ScriptId, Value, Vars};
use hangtime_script::api::ApiSet;
use hangtime_script::calls::{Arg, CallMoment, ForeignCalls};
use hangtime_script::names::suggestion;
use hangtime_script::{
    About, BaseFunctions, CallCounts, CallPath, Diagnostic, Diagnostics, Execution, HookAnswer, HookCall, LentLayers,
    Limits, ListedHook, ListedScript, ListedStep, MOST_SOURCE, Place, SourceFile, Sources, TestFunction, Unanswered,
    Vector, Wanted, vec_of_field,
};
use rhai::{
    AST, ASTNode, Caches, Dynamic, Engine, EvalAltResult, EvalContext, Expr, GlobalRuntimeState, ImmutableString, Map,
    Module, Position, Scope, Stmt,
};
use std::any::Any;
use std::collections::BTreeMap;
use std::sync::Arc;
