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

use self::{
    answers::{FlagOf, Unanswered, Wanted},
    caller::Caller,
    compile::{HookFn, RhaiProgram, Script},
    hook_body::HookBody,
    layer_place::LayerPlace,
    plain_vars::RejectedVar,
    runtime::Runtime,
    vars::RhaiVars,
};
use crate::{
    api::{Unchecked, behavior_catalog, handles::WorldHandle, new_engine, register_tests, test_catalog},
    bytecode::{About, CompiledAnswer, SlotNames, SlotSizes, SlotsOfCall, VarSlot},
    check::{DeclaredFunction, NamesInCalls, base_calls, check_closures, check_top_level},
    engine::{
        budget::{call_budget, charge_tick, left_in_tick, tick_is_spent, top_level_budget},
        halt::{source_too_large, stop},
        nesting::parse,
        pricing::priced,
        resolver::{PricedModules, SourceResolver},
        setup::record_prints,
        values::{NotPlain, to_dynamic, to_plain, type_name},
    },
    messages::errors::{Explainer, parse_error},
};
use hangtime_core::{
    models::Windows,
    sim::{
        Decision, Invocation, Judgement, LayerState, ModelAnswer, Question, RuleCall, RuleReply, ScriptId, Value, Vars,
        why::RuleAnswer,
    },
};
use hangtime_script::{
    BelowScript, CallCounts, CallPath, CallPhase, Diagnostic, Diagnostics, Execution, Limits, ListedScript,
    MOST_SOURCE, Place, SourceFile, Sources, TestFunction, Vector,
    api::ApiSet,
    calls::{CallMoment, Checkpoint, ForeignCalls},
    names::suggestion,
};
use rhai::{
    AST, ASTNode, Caches, Dynamic, Engine, EvalAltResult, EvalContext, Expr, GlobalRuntimeState, ImmutableString, Map,
    Module, Position, Scope, Stmt,
};
use std::{any::Any, collections::BTreeMap, mem::swap, sync::Arc};
