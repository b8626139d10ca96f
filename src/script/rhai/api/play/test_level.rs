//! `t`: a level that a test plays.

use super::super::arguments::{Fallible, fail};
use super::super::test_record::{HeldMemory, MAX_TICKS, TestRecord};
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
    memory: Arc<Mutex<HeldMemory>>,
    pub record: TestRecord,
    pub may_emit: MayEmit,
}

impl TestLevel {
    /// # Errors
    /// When the test holds too many levels.
    pub fn new(
        level: Box<dyn PlayedLevel>,
        record: TestRecord,
        may_emit: MayEmit,
    ) -> Fallible<Self> {
        record.set_tick(level.tick());
        let mut memory = record.hold();
        memory.set(level.memory())?;
        Ok(Self {
            level: Arc::new(Mutex::new(level)),
            memory: Arc::new(Mutex::new(memory)),
            record,
            may_emit,
        })
    }

    /// Counts the memory that the level holds now.
    ///
    /// # Errors
    /// When the test holds too much.
    pub fn count_memory(&self, level: &dyn PlayedLevel) -> Fallible<()> {
        let memory = self.memory.lock();
        memory
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .set(level.memory())
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
        self.count_memory(&**level)?;
        match level.take_faults().into_iter().next() {
            None => Ok(()),
            Some(first) => {
                let failed = Dynamic::from(BehaviorFailed(Arc::new(first)));
                Err(EvalAltResult::ErrorRuntime(failed, Position::NONE).into())
            }
        }
    }

    /// Plays several ticks. More than the test can play fail at once.
    pub fn steps(&self, ticks: u64) -> Fallible<()> {
        let all = self.record.played().saturating_add(ticks);
        if all > MAX_TICKS {
            return fail(format!(
                "a test can play at most {MAX_TICKS} ticks; with this call they would be {all}"
            ));
        }
        (0..ticks).try_for_each(|_| self.step())
    }
}
