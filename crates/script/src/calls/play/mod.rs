//! `play(level)`, and `t`: how a test script plays a level.

mod finished;
mod held_snapshot;
mod input;
mod known_failure;
mod level;
mod live;
mod open;
mod outside;
mod queries;
mod record;
mod seen;
mod session;
mod settings;
mod snapshots;
mod time;
mod why;

pub(super) use finished::add_finished;
pub use held_snapshot::HeldSnapshot;
pub use level::{MayEmit, TestLevel};
pub use live::LiveEntity;
pub use record::{TestRecord, UncheckedExpectation};
pub use session::TestSession;

use super::table::CallTable;
use crate::api::Topic;

/// Adds everything that plays levels.
pub(super) fn add(table: &mut CallTable) {
    known_failure::add(table);
    table.topic(Topic::Play);
    open::add(table);
    input::add(table);
    outside::add(table);
    settings::add(table);
    time::add(table);
    snapshots::add(table);
    queries::add(table);
    seen::add(table);
    why::add(table);
}
