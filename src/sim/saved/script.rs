//! Checks of what scripts have left.

use super::super::conditions::LastAsked;
use super::super::script_state::{MOST_DRAWN, MOST_FAILURES, ScriptState};
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
        ensure(depth <= DEEPEST, field, || {
            format!("is nested more than {DEEPEST} levels deep")
        })?;
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
    }
    ensure(state.random <= MOST_DRAWN, "random", || {
        format!("is {}; it must be at most {MOST_DRAWN}", state.random)
    })?;
    if let Some((at, z)) = state.spawned_at {
        vector("spawned_at[0]", at, FARTHEST_SAVED)?;
        number("spawned_at[1]", z, FARTHEST_SAVED)?;
    }
    ensure(state.failures <= MOST_FAILURES, "failures", || {
        format!("is {}; it must be at most {MOST_FAILURES}", state.failures)
    })?;
    let mut failed_at = state.failed_at.iter();
    failed_at.try_for_each(|tick| saved.past("failed_at", *tick))
}
