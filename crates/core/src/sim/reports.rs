//! Turning the models' reports into events.

use super::executor::Executor;
use super::flight::end_flight;
use super::journal::Journal;
use super::population::Population;
use super::report_lists::{ChunkReports, ReportContext, ReportLists};
use super::stage::Stage;

/// Emits events for what the models report of the tick that ended with `now`, and for entities that
/// have left the level.
pub(super) fn emit_reports(
    population: &mut Population,
    journal: &mut Journal,
    ReportLists(lists): &mut ReportLists,
    executor: &dyn Executor,
    stage: &Stage,
    now: u64,
) {
    let Population { entities, lanes, .. } = population;
    let context = ReportContext { entities, level: &stage.level, now };
    lanes.list_reports(executor, context, lists, &mut journal.events);
    for ChunkReports { landed, gone, .. } in lists {
        if !landed.is_empty() {
            for index in landed.drain(..) {
                end_flight(&mut entities[index]);
            }
        }
        if !gone.is_empty() {
            for index in gone.drain(..) {
                entities[index].outside = true;
            }
        }
    }
}
