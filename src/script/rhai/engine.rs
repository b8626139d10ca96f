//! Setting up Rhai so that scripts can do no harm and every machine computes the same.
//!
//! Only chosen packages are loaded: no clock, no sleep, no files, no platform mathematics. `eval`
//! and `**` are off (the latter calls the platform's `powf`; `pow` is exact). The optimiser is
//! off, because nested `switch` makes it take exponential time before any limit counts.

use super::api::register_common;
use super::budget::{captured, is_spent, spend};
use super::natives;
use super::resolver::MOST_MODULES;
use super::weight::{charge_for, is_heavy};
use crate::script::host::Limits;
use rhai::packages::{
    ArithmeticPackage, BasicArrayPackage, BasicFnPackage, BasicIteratorPackage, BasicMapPackage,
    BasicStringPackage, LogicPackage, MoreStringPackage, Package,
};
use rhai::{Dynamic, Engine, EvalAltResult, OptimizationLevel, Position};
use std::sync::{Arc, Mutex, MutexGuard, Once};

/// What scripts print, until somebody shows it.
#[derive(Clone, Debug, Default)]
pub(super) struct Printed(Arc<Mutex<Vec<String>>>);

/// Most lines that are kept; a script that prints in every tick would fill the memory of a host
/// that shows nothing.
const MOST_PRINTED: usize = 1000;

impl Printed {
    fn lock(&self) -> MutexGuard<'_, Vec<String>> {
        self.0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn push(&self, line: String) {
        // Control characters would steer the terminal.
        let line = line.replace(|c: char| c.is_control() && c != '\n' && c != '\t', " ");
        let mut lines = self.lock();
        if lines.len() < MOST_PRINTED {
            lines.push(line);
        }
    }

    /// The lines so far; they are not kept.
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.lock())
    }

    /// Lets an engine's `print` and `debug` end up here.
    pub fn listen_to(&self, engine: &mut Engine) {
        let (print, debug) = (self.clone(), self.clone());
        engine.on_print(move |text| print.push(text.to_string()));
        engine.on_debug(move |text, source, pos| {
            let file = source.unwrap_or_default();
            debug.push(format!("{file}:{}: {text}", pos.line().unwrap_or(1)));
        });
    }
}

/// Deepest nesting of expressions. Every level costs stack in each of the nested calls.
const MOST_DEPTH: usize = 48;
/// Most variables at a time, parameters of nested calls included.
const MOST_VARIABLES: usize = 512;

/// An engine with the language, its limits, mathematics and vectors, and nothing else.
pub(super) fn new_engine(limits: &Limits) -> Engine {
    fix_hashing();
    let mut engine = bare_engine(limits);
    register_common(&mut engine);
    engine.set_optimization_level(OptimizationLevel::None);
    engine
        .disable_symbol("eval")
        .disable_symbol("curry")
        .disable_symbol("**")
        .disable_symbol("**=");
    if limits.tuned {
        // What is caught is told to nobody, and each use of what is in use costs Rhai 50 ms of sleep.
        engine.disable_symbol("try");
    }
    // One more than is allowed: see `watch_variables`.
    engine.set_max_call_levels(limits.calls + 1);
    engine.set_max_expr_depths(MOST_DEPTH, MOST_DEPTH);
    // Rhai forgets where a text got too long. One that is a little too long is therefore told of where
    // it is read next, in `watch_variables`.
    engine.set_max_string_size(limits.string * 2);
    engine.set_max_array_size(limits.array);
    engine.set_max_map_size(limits.map);
    engine.set_max_variables(MOST_VARIABLES);
    engine.set_max_functions(512);
    engine.set_max_modules(MOST_MODULES);
    engine.on_progress(|_| if spend() { None } else { Some(Dynamic::UNIT) });
    watch_variables(&mut engine, *limits);
    engine
}

/// The language alone, with its long functions bounded.
pub(super) fn bare_engine(limits: &Limits) -> Engine {
    let mut engine = Engine::new_raw();
    load_packages(&mut engine);
    natives::register(&mut engine, limits);
    engine
}

/// The language's own functions: no clock, no files, no platform mathematics.
pub(super) fn load_packages(engine: &mut Engine) {
    ArithmeticPackage::new().register_into_engine(engine);
    LogicPackage::new().register_into_engine(engine);
    BasicStringPackage::new().register_into_engine(engine);
    MoreStringPackage::new().register_into_engine(engine);
    BasicIteratorPackage::new().register_into_engine(engine);
    BasicFnPackage::new().register_into_engine(engine);
    BasicArrayPackage::new().register_into_engine(engine);
    BasicMapPackage::new().register_into_engine(engine);
}

/// Lets functions see the constants at the top level of their file, by their bare names, stops those
/// that have gone too far at a place that can be told, and counts what is copied.
fn watch_variables(engine: &mut Engine, limits: Limits) {
    #[allow(
        deprecated,
        reason = "marked as volatile, not as going away; the version is pinned"
    )]
    engine.on_var(move |name, index, context| {
        if is_spent() {
            return Err(stop(too_long(limits.operations, limits.tuned)));
        }
        if context.call_level() > limits.calls {
            return Err(stop(too_deep(&limits)));
        }
        // Locals were found when the script was compiled; the index counts from the last.
        if index > 0 {
            let local = context.scope().iter_raw().nth(index - 1);
            if let Some((_, _, value)) = local.filter(|(_, _, value)| is_heavy(value)) {
                if value.is_shared() {
                    captured(value)?;
                }
                if let Ok(text) = value.as_immutable_string_ref()
                    && text.len() > limits.string
                {
                    let why = too_large("length of string", limits.string, "bytes");
                    return Err(stop(why));
                }
                charge_for(value)?;
            }
            return Ok(None);
        }
        let Some(constants) = &context.global_runtime_state().constants else {
            return Ok(None);
        };
        let constants = constants
            .read()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let Some(value) = constants.get(name) else {
            return Ok(None);
        };
        charge_for(value)?;
        Ok(Some(value.clone()))
    });
}

pub(super) fn stop(why: String) -> Box<EvalAltResult> {
    EvalAltResult::ErrorRuntime(why.into(), Position::NONE).into()
}

/// What is said of a call that was stopped.
pub(super) fn too_long(operations: u64, tuned: bool) -> String {
    format!(
        "this call was stopped after {operations} operations: an endless loop?{}",
        if tuned {
            " (`operations` in [scripts] sets the budget)"
        } else {
            ""
        }
    )
}

/// What is said of a recursion that was stopped.
pub(super) fn too_deep(limits: &Limits) -> String {
    format!(
        "functions call each other more than {} deep: an endless recursion?",
        limits.calls
    )
}

/// What is said of a value that is too large.
pub(super) fn too_large(what: &str, most: usize, of: &str) -> String {
    format!("{what} is over the limit of {most} {of}")
}

/// The same, for what Rhai calls it.
pub(super) fn data_too_large(what: &str, limits: &Limits) -> String {
    if what.contains("string") {
        too_large("length of string", limits.string, "bytes")
    } else if what.contains("map") {
        too_large("size of map", limits.map, "entries")
    } else {
        too_large("size of array", limits.array, "elements")
    }
}

/// Makes hashes of function names the same in every process.
fn fix_hashing() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // An error would mean that an embedding program has chosen its own seed already.
        let _ = rhai::config::hashing::set_hashing_seed(Some([
            0x6861_6e67,
            0x7469_6d65,
            0x7275_6e74,
            0x696d_6531,
        ]));
    });
}
