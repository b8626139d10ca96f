//! From Rhai's errors to messages that point at the line that failed and say what to write instead.
//!
//! What is registered for scripts is handed in as a [`catalog::Catalog`].

pub(super) mod catalog;
pub(super) mod code_end;
pub(super) mod elsewhere;
pub(super) mod errors;
pub(super) mod likely;
mod misread;
pub(super) mod operators;
pub(super) mod words;

use crate::engine::halt::{IN_USE, data_too_large, text_too_large, too_deep, too_long};
use crate::engine::pricing::plain_name;
use crate::engine::values::type_name;
use crate::engine::weight::weight;
use hangtime_script::about_spent;
use hangtime_script::api::{ApiEntry, ApiSet, EntryKind, Owner};
use hangtime_script::elsewhere::is_among;
use hangtime_script::names::{did_you_mean, nearest};
use hangtime_script::{
    BehaviorFailed, CallFrame, Diagnostic, FailedExpectation, Limits, Place, SourceFile, Sources, Vector,
};
use rhai::{Dynamic, EvalAltResult, LexError, ParseError, ParseErrorType, Position};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use {catalog::*, code_end::*, elsewhere::*, likely::*, misread::*, operators::*, words::*};
