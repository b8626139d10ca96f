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

use self::{
    answers::{map_of, read_compiled},
    compile::{HookFn, RhaiProgram, Script},
    hook_body::HookBody,
    hook_calls::RhaiCall,
    kept_vars::KeptVars,
    plain_vars::RejectedVar,
    runtime::Runtime,
    vars::RhaiVars,
};
use crate::{
    api::{HeldArg, Unchecked, behavior_catalog, handles::WorldHandle, new_engine, register_tests, test_catalog},
    bytecode::{Code, CompiledAnswer, SlotNames, SlotSizes, SlotsOfCall, VarSlot},
    check::{NamesInCalls, base_calls, check_closures, check_top_level},
    engine::{
        budget::{call_budget, charge_tick, left_in_tick, top_level_budget},
        halt::{Fallible, source_too_large, stop},
        nesting::parse,
        pricing::priced,
        resolver::{PricedModules, SourceResolver},
        setup::record_prints,
        values::{NotPlain, to_dynamic, to_plain, type_name},
    },
    messages::errors::{Explainer, parse_error},
};
use hangtime_core::sim::{Decision, LayerState, ScriptId, Value, Vars};
use hangtime_script::{
    About, BaseFunctions, CallCounts, CallPath, Diagnostic, Diagnostics, Execution, HookAnswer, HookCall, LentLayers,
    Limits, ListedHook, ListedScript, MOST_SOURCE, Place, SourceFile, Sources, TestFunction, Unanswered, Vector,
    Wanted,
    api::ApiSet,
    calls::{Arg, CallMoment, ForeignCalls},
    names::suggestion,
    vec_of_field,
};
use rhai::{
    AST, ASTNode, Caches, Dynamic, Engine, EvalAltResult, EvalContext, Expr, GlobalRuntimeState, ImmutableString, Map,
    Module, Position, Scope, Stmt,
};
use std::{any::Any, collections::BTreeMap, sync::Arc};
