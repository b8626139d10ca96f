//! Setting up Rhai so that scripts can do no harm and every machine computes the same.
//!
//! Only chosen packages are loaded: no clock, no sleep, no files, no platform mathematics. `eval`
//! and `**` are off (the latter calls the platform's `powf`; `pow` is exact). The optimiser is
//! off, because nested `switch` makes it take exponential time before any limit counts.

use super::budget::{captured, is_spent, spend};
use super::halt::{stop, too_deep, too_large, too_long};
use super::natives;
use super::packages::load_packages;
use super::resolver::MOST_MODULES;
use super::weight::{charge_for, is_heavy};
use crate::script::host::Limits;
use rhai::{Dynamic, Engine, OptimizationLevel};
use std::sync::Once;

/// Deepest nesting of expressions. Every level costs stack in each of the nested calls.
const MOST_DEPTH: usize = 48;
/// Most variables at a time, parameters of nested calls included.
const MOST_VARIABLES: usize = 512;

/// An engine with the language, its limits, what `common` registers and nothing else.
pub(in crate::script::rhai) fn new_engine(limits: &Limits, common: fn(&mut Engine)) -> Engine {
    fix_hashing();
    let mut engine = bare_engine(limits, common);
    common(&mut engine);
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

/// The language alone, with its long functions bounded. `common` is only registered for what those functions call
/// in turn.
pub(in crate::script::rhai) fn bare_engine(limits: &Limits, common: fn(&mut Engine)) -> Engine {
    let mut engine = Engine::new_raw();
    load_packages(&mut engine);
    natives::register(&mut engine, limits, common);
    engine
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
