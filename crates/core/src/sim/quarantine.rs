//! Disabling scripts that keep failing.

use super::event::EventKind;
use super::invocation::Decision;
use super::journal::Journal;
use super::layer_state::LayerOutcome;
use super::population::Population;
use super::script_state::LevelState;
use crate::models::Windows;

/// Records whether scripts of the entity at `index` have failed, in the decide phase or in a rule
/// asked within the tick. A script that keeps failing is disabled, and the answers of its rules are
/// dropped: other scripts are asked again, or tuning decides. Returns whether one was disabled.
pub(super) fn count_failures(
    population: &mut Population,
    journal: &mut Journal,
    index: usize,
    (decision, decided): (&mut Decision, bool),
    now: u64,
) -> bool {
    let entity = &mut population.entities[index];
    let mut disabled = false;
    if decision.called {
        let state = entity.script_state.as_ref();
        let counted = state.is_some_and(|state| state.failures.failures > 0);
        if decision.failed || counted {
            let failures = &mut entity.script_state_mut().failures;
            disabled = failures.count(decision.failed, decided, now);
        }
    }
    for layer in &mut decision.layers {
        let LayerOutcome { called, failed } = std::mem::take(&mut layer.outcome);
        if called {
            disabled |= layer.failures.count(failed, decided, now);
        }
    }
    if disabled {
        entity.ruled_model = None;
        entity.model_due = true;
        population.lanes.body_mut(entity).windows = Windows::default();
        journal.emit(now + 1, entity, EventKind::Quarantine);
    }
    disabled
}

/// Records whether the level's script has failed.
pub(super) fn count_level_failure(level: &mut LevelState, journal: &mut Journal, failed: bool, now: u64) {
    if level.script_state.failures.count(failed, true, now) {
        journal.emit_for_level(now + 1, EventKind::Quarantine);
    }
}
