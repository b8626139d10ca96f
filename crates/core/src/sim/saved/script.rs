//! Checks of what scripts have left.

use super::super::conditions::LastAsked;
use super::super::failure_count::{FailureCount, MOST_FAILURES};
use super::super::layer_state::{LayerState, ScriptLayer};
use super::super::script_state::{MOST_DRAWN, ScriptState};
use super::super::value::{Value, Vars};
use crate::models::saved::{Checked, FARTHEST_SAVED, SavedContext, ensure, number, vector};

/// Lists and maps may be nested this deep. Scripts cannot nest them as deep.
const DEEPEST: usize = 64;

/// Checks script variables.
pub(super) fn check_vars(field: &str, vars: &Vars) -> Checked {
    let plain = vars.0.to_plain();
    let mut values = plain.iter();
    values.try_for_each(|(key, value)| check_value(&format!("{field}.{key}"), value))
}

/// Checks plain data.
pub(super) fn check_value(field: &str, value: &Value) -> Checked {
    let mut open = vec![(value, 0)];
    while let Some((value, depth)) = open.pop() {
        ensure(depth <= DEEPEST, field, || format!("is nested more than {DEEPEST} levels deep"))?;
        match value {
            Value::Float(x) => number(field, *x, f64::MAX)?,
            Value::Vector(parts) => {
                let mut parts = parts.iter();
                parts.try_for_each(|x| number(field, *x, f64::MAX))?;
            }
            Value::List(list) => open.extend(list.iter().map(|v| (v, depth + 1))),
            Value::Map(map) => open.extend(map.values().map(|v| (v, depth + 1))),
            Value::Unit | Value::Bool(_) | Value::Int(_) | Value::Text(_) => {}
        }
    }
    Ok(())
}

/// Checks what the world stores for a script, besides its variables.
pub(super) fn check_script_state(state: &ScriptState, saved: &SavedContext<'_>) -> Checked {
    if let LastAsked::Under(conditions) = &state.last_asked {
        check_vars("last_asked.vars", &conditions.vars)?;
        let mut layers = conditions.layers.iter();
        layers.try_for_each(|vars| check_vars("last_asked.layers", vars))?;
    }
    check_drawn(state.random)?;
    if let Some((at, z)) = state.spawned_at {
        vector("spawned_at[0]", at, FARTHEST_SAVED)?;
        number("spawned_at[1]", z, FARTHEST_SAVED)?;
    }
    check_failures(&state.failures, saved)?;
    for layer in &state.layers {
        check_layer(layer, saved).map_err(|e| e.within(&format!("layers.{}", layer.name)))?;
    }
    Ok(())
}

fn check_failures(count: &FailureCount, saved: &SavedContext<'_>) -> Checked {
    let failures = count.failures;
    ensure(failures <= MOST_FAILURES, "failures", || format!("is {failures}; it must be at most {MOST_FAILURES}"))?;
    let mut failed_at = count.failed_at.iter();
    failed_at.try_for_each(|tick| saved.past("failed_at", *tick))
}

fn check_layer(layer: &LayerState, saved: &SavedContext<'_>) -> Checked {
    check_vars("vars", &layer.vars)?;
    check_drawn(layer.random)?;
    check_failures(&layer.failures, saved)
}

/// Checks how many numbers a random stream has produced.
fn check_drawn(random: u64) -> Checked {
    ensure(random <= MOST_DRAWN, "random", || format!("is {random}; it must be at most {MOST_DRAWN}"))
}

/// Checks that an entity has the layers of its kind.
pub(super) fn check_layers(layers: &[LayerState], of_kind: &[ScriptLayer]) -> Checked {
    let saved = layers.iter().map(|layer| &layer.name);
    let right = saved.eq(of_kind.iter().map(|layer| &layer.name));
    ensure(right, "layers", || {
        let names = of_kind.iter().map(|layer| &*layer.name);
        let names: Vec<&str> = names.collect();
        format!("must be those of its kind: {names:?}")
    })
}
