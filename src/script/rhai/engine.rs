//! Setting up Rhai so that scripts can do no harm and every machine computes the same.
//!
//! Only chosen packages are loaded: no clock, no sleep, no files, no platform mathematics. `eval`
//! and `**` are off (the latter calls the platform's `powf`; `pow` is exact). The optimiser is
//! off, because nested `switch` makes it take exponential time before any limit counts.

use super::api::register_common;
use crate::script::host::Limits;
use rhai::packages::{
    ArithmeticPackage, BasicArrayPackage, BasicFnPackage, BasicIteratorPackage, BasicMapPackage,
    BasicStringPackage, LogicPackage, MoreStringPackage, Package,
};
use rhai::{Dynamic, Engine, EvalAltResult, OptimizationLevel, Position};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Once};

/// How many operations the running call may still make. Callbacks of native functions count too,
/// which Rhai's own counter forgets.
#[derive(Clone, Debug, Default)]
pub(super) struct Budget(Arc<AtomicU64>);

/// Rhai forgets where it was stopped. A call that is out of operations is therefore first stopped
/// by the next variable that it looks at, which has a place, and only if there is none by force,
/// after this many operations more.
const TO_STOP_BY_FORCE: u64 = 200;

impl Budget {
    /// Gives the next call this many operations.
    pub fn grant(&self, operations: u64) {
        self.0
            .store(operations + TO_STOP_BY_FORCE, Ordering::Relaxed);
    }

    /// Whether the call should stop.
    pub fn is_spent(&self) -> bool {
        self.0.load(Ordering::Relaxed) < TO_STOP_BY_FORCE
    }

    /// Uses one up; false when there is none.
    fn spend(&self) -> bool {
        let left = self.0.load(Ordering::Relaxed);
        self.0.store(left.saturating_sub(1), Ordering::Relaxed);
        left > 0
    }
}

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
pub(super) fn new_engine(limits: &Limits) -> (Engine, Budget) {
    fix_hashing();
    let mut engine = Engine::new_raw();
    ArithmeticPackage::new().register_into_engine(&mut engine);
    LogicPackage::new().register_into_engine(&mut engine);
    BasicStringPackage::new().register_into_engine(&mut engine);
    MoreStringPackage::new().register_into_engine(&mut engine);
    BasicIteratorPackage::new().register_into_engine(&mut engine);
    BasicFnPackage::new().register_into_engine(&mut engine);
    BasicArrayPackage::new().register_into_engine(&mut engine);
    BasicMapPackage::new().register_into_engine(&mut engine);
    register_common(&mut engine);
    engine.set_optimization_level(OptimizationLevel::None);
    engine
        .disable_symbol("eval")
        .disable_symbol("**")
        .disable_symbol("**=");
    // One more than is allowed: see `watch_variables`.
    engine.set_max_call_levels(limits.calls + 1);
    engine.set_max_expr_depths(MOST_DEPTH, MOST_DEPTH);
    engine.set_max_string_size(limits.string);
    engine.set_max_array_size(limits.array);
    engine.set_max_map_size(limits.map);
    engine.set_max_variables(MOST_VARIABLES);
    engine.set_max_functions(512);
    engine.set_max_modules(64);
    let budget = Budget::default();
    let spend = budget.clone();
    engine.on_progress(move |_| {
        if spend.spend() {
            None
        } else {
            Some(Dynamic::UNIT)
        }
    });
    watch_variables(&mut engine, budget.clone(), *limits);
    (engine, budget)
}

/// Lets functions see the constants at the top level of their file, by their bare names, and
/// stops those that have gone too far at a place that can be told.
fn watch_variables(engine: &mut Engine, budget: Budget, limits: Limits) {
    #[allow(
        deprecated,
        reason = "marked as volatile, not as going away; the version is pinned"
    )]
    engine.on_var(move |name, index, context| {
        if budget.is_spent() {
            return Err(stop(too_long(&limits)));
        }
        if context.call_level() > limits.calls {
            return Err(stop(too_deep(&limits)));
        }
        // Locals were found when the script was compiled.
        if index > 0 {
            return Ok(None);
        }
        let Some(constants) = &context.global_runtime_state().constants else {
            return Ok(None);
        };
        let constants = constants
            .read()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        Ok(constants.get(name).cloned())
    });
}

pub(super) fn stop(why: String) -> Box<EvalAltResult> {
    EvalAltResult::ErrorRuntime(why.into(), Position::NONE).into()
}

/// What is said of a call that was stopped.
pub(super) fn too_long(limits: &Limits) -> String {
    format!(
        "this call was stopped after {} operations: an endless loop?{}",
        limits.operations,
        if limits.tuned {
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
