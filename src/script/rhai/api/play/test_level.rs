//! `t`: a level that a test plays.

use super::super::arguments::{Fallible, fail};
use super::super::test_record::{MAX_TICKS, TestRecord};
use crate::script::host::PlayedLevel;
use crate::script::rhai::messages::thrown::BehaviorFailed;
use rhai::{Dynamic, EvalAltResult, Position};
use std::sync::{Arc, Mutex, MutexGuard};

/// Whether some script of the game may emit a custom event with this name.
pub(in crate::script::rhai) type MayEmit = Arc<dyn Fn(&str) -> bool + Send + Sync>;

/// `t`: a level that a test plays. Copies share the level.
#[derive(Clone)]
pub(super) struct TestLevel {
    level: Arc<Mutex<Box<dyn PlayedLevel>>>,
    pub record: TestRecord,
    pub may_emit: MayEmit,
}

impl TestLevel {
    pub fn new(level: Box<dyn PlayedLevel>, record: TestRecord, may_emit: MayEmit) -> Self {
        record.set_tick(level.tick());
        Self {
            level: Arc::new(Mutex::new(level)),
            record,
            may_emit,
        }
    }

    pub fn lock(&self) -> MutexGuard<'_, Box<dyn PlayedLevel>> {
        self.level
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Plays one tick.
    ///
    /// # Errors
    /// When a behavior fails, or the test has played too many ticks.
    pub fn step(&self) -> Fallible<()> {
        let mut level = self.lock();
        if !self.record.count_tick() {
            return fail(format!("a test can play at most {MAX_TICKS} ticks"));
        }
        level.step();
        self.record.set_tick(level.tick());
        match level.take_faults().into_iter().next() {
            None => Ok(()),
            Some(first) => {
                let failed = Dynamic::from(BehaviorFailed(Arc::new(first)));
                Err(EvalAltResult::ErrorRuntime(failed, Position::NONE).into())
            }
        }
    }

    /// Plays several ticks.
    pub fn steps(&self, ticks: u64) -> Fallible<()> {
        (0..ticks).try_for_each(|_| self.step())
    }
}
