//! Static checks of scripts.
//!
//! `compiled` checks every script that is compiled, and finds what cannot work at all. The other
//! files belong to the command `check`: an [`Inspector`] parses the scripts of a game (`source`),
//! walks through every function (`walk`) with the variables and types known there (`scope`,
//! `types`), and applies the checks to each node: `calls`, `members`, `names`, `values` and
//! `flow`. Each check is a method of the scope that takes a node, and reports to the scope's
//! findings.
//!
//! Hooks have known parameters and registered functions known return types (`vocabulary`). Where
//! a type is not known, nothing is reported: not complaining about correct scripts is more
//! important than finding every mistake.

mod base_calls;
mod calls;
mod compiled;
mod findings;
mod flow;
mod inspect;
mod literals;
mod members;
mod names;
mod numbers;
mod scope;
mod source;
mod states;
mod syntax;
mod types;
mod values;
mod vocabulary;
mod walk;
mod windows;

pub(super) use base_calls::base_calls;
pub(super) use compiled::{check_closures, check_top_level, declared_functions};
pub(super) use inspect::Inspector;
pub(super) use source::NamesInCalls;
pub(super) use syntax::{NamesUsed, closure};
pub(super) use windows::rule_answers;

use crate::{
    Rhai,
    api::{HeldArg, PerTable, behavior_catalog, entries, new_engine, populated_engine},
    engine::{
        halt::{position_of, text_too_large},
        nesting::parse,
        packages::load_packages,
        resolver::with_ending,
    },
    messages::{
        code_end::code_end,
        elsewhere::{self, LENGTHS},
        errors::{NOT_WHOLE, THIS_IN_CLOSURE, place},
        likely::{cannot_call, not_declared},
        operators::{JOINED, NO_RANGE, NOT_IN, cannot_apply},
        words::{counted, word},
    },
};
use base_calls::*;
use findings::*;
use hangtime_core::tuning::renamed;
use hangtime_script::{
    AnsweredTunable, BuildProgress, DeclaredFunction, Diagnostic, EVENTS, GameNames, HookKind, Language as _, Limits,
    MOST_SHOWN, MOST_SOURCE, Place, SIGNAL_EVENT, ScriptHook, ScriptInspector, ScriptRole, Severity, SourceFile,
    Sources, WINDOWS,
    api::{Access, ApiEntry, ApiSet, EntryKind, Names, Owner, Shape, Type},
    calls::{
        ForeignCalls, check_color, check_custom_event, check_event_filter, check_setting, check_tunable,
        is_level_member, no_level_member, not_in_rules,
    },
    check_call_setting, check_compared, check_functions, check_moved, check_named, check_setting_value, check_share,
    check_unit,
    elsewhere::is_among,
    event_shape, find_hook, hooks, import_keys,
    names::{did_you_mean, nearest, suggestion},
    read_windows, switch_labels,
};
use rhai::{
    AST, ASTFlags, ASTNode, BinaryExpr, Dynamic, Engine, Expr, FlowControl, FnAccess, FnCallExpr, FnPtr, FuncInfo,
    Ident, Namespace, Position, Stmt,
};
use scope::*;
use source::*;
use states::*;
use std::{
    any::TypeId,
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    num::NonZeroUsize,
    sync::{Arc, OnceLock},
};
use syntax::*;
use types::*;
use vocabulary::*;
