//! Disabling scripts that keep failing.

use super::event::EventKind;
use super::journal::Journal;
use super::population::Population;
use super::script_state::LevelState;
use crate::models::Windows;

/// Records whether the script of the entity at `index` has failed, in the decide phase or in a rule
/// asked within the tick. A script that keeps failing is disabled, and the answers of its rules are
/// dropped: tuning decides.
pub(super) fn count_failure(
    population: &mut Population,
    journal: &mut Journal,
    index: usize,
    [failed, decided]: [bool; 2],
    now: u64,
) {
    let entity = &mut population.entities[index];
    let state = entity.script_state.as_ref();
    if !failed && state.is_none_or(|state| state.failures == 0) {
        return;
    }
    if entity.script_state_mut().count(failed, decided, now) {
        entity.ruled_model = None;
        entity.model_due = true;
        population.lanes.body_mut(entity).windows = Windows::default();
        journal.emit(now + 1, entity, EventKind::Quarantine);
    }
}

/// Records whether the level's script has failed.
pub(super) fn count_level_failure(
    level: &mut LevelState,
    journal: &mut Journal,
    failed: bool,
    now: u64,
) {
    if level.script_state.count(failed, true, now) {
        journal.emit_for_level(now + 1, EventKind::Quarantine);
    }
}
