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

use crate::engine::{
    halt::{IN_USE, data_too_large, text_too_large, too_deep, too_long},
    pricing::plain_name,
    values::type_name,
    weight::weight,
};
use catalog::*;
use code_end::*;
use elsewhere::*;
use hangtime_script::{
    BehaviorFailed, CallFrame, Diagnostic, FailedExpectation, Limits, Place, SourceFile, Sources, Vector, about_spent,
    api::{ApiEntry, ApiSet, EntryKind, Owner},
    elsewhere::is_among,
    names::{did_you_mean, nearest},
};
use likely::*;
use misread::*;
use operators::*;
use rhai::{Dynamic, EvalAltResult, LexError, ParseError, ParseErrorType, Position};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};
use words::*;
