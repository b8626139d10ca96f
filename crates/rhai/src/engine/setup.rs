//! Sets up Rhai so that scripts can do no harm and every machine computes the same.
//!
//! Only chosen packages are loaded: no clock, no sleep, no files, no platform mathematics. `eval`
//! and `**` are off (the latter calls the platform's `powf`; `pow` is exact). The optimizer is
//! off, because a nested `switch` makes it take exponential time, which no limit stops.

use super::{
    budget::{is_spent, remember_captured, spend},
    halt::{stop, text_too_large, too_deep, too_long},
    natives,
    nesting::limit_nesting,
    packages::load_packages,
    pricing,
    resolver::MOST_MODULES,
    weight::{charge_for, charge_for_change, is_heavy},
};
use hangtime_script::{Limits, print_line};
use rhai::{Dynamic, Engine, OptimizationLevel};
use std::sync::Once;

/// Deepest nesting of expressions. Every level costs stack in each nested call.
const MOST_DEPTH: usize = 48;
/// The largest number of variables at once, including the parameters of nested calls.
const MOST_VARIABLES: usize = 512;

/// An engine with the language, its limits, what `common` registers and nothing else.
pub(crate) fn new_engine(limits: &Limits, common: fn(&mut Engine)) -> Engine {
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
        // A caught error is never reported, and each use of a locked value makes Rhai sleep for 50 ms.
        engine.disable_symbol("try");
    }
    // One more than is allowed: see `watch_variables`.
    engine.set_max_call_levels(limits.calls + 1);
    engine.set_max_expr_depths(MOST_DEPTH, MOST_DEPTH);
    // Rhai drops the position at which a text gets too long. A text that is a little too long is therefore
    // reported where it is read next, in `watch_variables`.
    engine.set_max_string_size(limits.string * 2);
    engine.set_max_array_size(limits.array);
    engine.set_max_map_size(limits.map);
    engine.set_max_variables(MOST_VARIABLES);
    limit_nesting(&mut engine);
    engine.set_max_functions(512);
    engine.set_max_modules(MOST_MODULES);
    engine.on_progress(|_| if spend() { None } else { Some(Dynamic::UNIT) });
    watch_variables(&mut engine, *limits);
    pricing::register(&mut engine);
    engine
}

/// The language alone, with its long functions bounded. `common` is registered in the engine that runs those
/// functions, not in this one.
pub(crate) fn bare_engine(limits: &Limits, common: fn(&mut Engine)) -> Engine {
    let mut engine = Engine::new_raw();
    load_packages(&mut engine);
    natives::register(&mut engine, limits, common);
    engine
}

/// Hooks into every use of a variable: lets functions see the constants at the top level of their file by their bare
/// names, stops a call that is over a limit at a position that a message can show, and charges for copies.
fn watch_variables(engine: &mut Engine, limits: Limits) {
    #[allow(deprecated, reason = "marked as volatile, not as going away; the version is pinned")]
    engine.on_var(move |name, index, context| {
        if is_spent() {
            return Err(stop(too_long(limits.operations, limits.tuned)));
        }
        if context.call_level() > limits.calls {
            return Err(stop(too_deep(&limits)));
        }
        // Locals are resolved when the script is compiled; the index counts from the last.
        if index > 0 {
            let local = context.scope().iter_raw().nth(index - 1);
            if let Some((_, _, value)) = local.filter(|(_, _, value)| is_heavy(value)) {
                if value.is_shared() {
                    remember_captured(value)?;
                }
                if let Ok(text) = value.as_immutable_string_ref()
                    && text.len() > limits.string
                {
                    return Err(stop(text_too_large(limits.string)));
                }
                if pricing::is_changed(name) {
                    charge_for_change(value)?;
                } else if !pricing::is_root(name) {
                    charge_for(value)?;
                }
            }
            return Ok(None);
        }
        let Some(constants) = &context.global_runtime_state().constants else {
            return Ok(None);
        };
        let constants = constants.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        let Some(value) = constants.get(name) else {
            return Ok(None);
        };
        charge_for(value)?;
        Ok(Some(value.clone()))
    });
}

/// Makes the hashes of function names the same in every process.
fn fix_hashing() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // This fails if an embedding program has chosen its own seed already.
        let _ = rhai::config::hashing::set_hashing_seed(Some([0x6861_6e67, 0x7469_6d65, 0x7275_6e74, 0x696d_6531]));
    });
}

/// Records what an engine prints by `print` and `debug`.
pub(crate) fn record_prints(engine: &mut Engine) {
    engine.on_print(print_line);
    engine.on_debug(|text, source, pos| {
        let file = source.unwrap_or_default();
        print_line(&format!("{file}:{}: {text}", pos.line().unwrap_or(1)));
    });
}
