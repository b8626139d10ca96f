//! `t`: a level that a test plays.

use super::record::{HeldMemory, MAX_TICKS, TestRecord};
use crate::{BehaviorFailed, CallRefusal, PlayedLevel, refuse};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard};

/// Whether some script of the game may emit a custom event with this name.
pub type MayEmit = Arc<dyn Fn(&str) -> bool + Send + Sync>;

/// `t`: a level that a test plays. Copies share the level.
#[derive(Clone)]
pub struct TestLevel {
    level: Arc<Mutex<Box<dyn PlayedLevel>>>,
    memory: Arc<Mutex<HeldMemory>>,
    pub(super) record: TestRecord,
    pub(super) may_emit: MayEmit,
}

impl fmt::Debug for TestLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TestLevel").finish_non_exhaustive()
    }
}

impl TestLevel {
    /// A level that a test has opened.
    ///
    /// # Errors
    /// When the test holds too many levels.
    pub fn new(level: Box<dyn PlayedLevel>, record: TestRecord, may_emit: MayEmit) -> Result<Self, CallRefusal> {
        record.set_tick(level.tick());
        let mut memory = record.hold();
        memory.set(level.memory())?;
        Ok(Self { level: Arc::new(Mutex::new(level)), memory: Arc::new(Mutex::new(memory)), record, may_emit })
    }

    /// Counts the memory that the level holds now.
    ///
    /// # Errors
    /// When the test holds too much.
    pub(super) fn count_memory(&self, level: &dyn PlayedLevel) -> Result<(), CallRefusal> {
        let memory = self.memory.lock();
        memory.unwrap_or_else(std::sync::PoisonError::into_inner).set(level.memory())
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Box<dyn PlayedLevel>> {
        self.level.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Plays one tick.
    ///
    /// # Errors
    /// When a behavior fails, or the test has played too many ticks.
    pub(super) fn step(&self) -> Result<(), CallRefusal> {
        let mut level = self.lock();
        if !self.record.count_tick() {
            return refuse(format!("a test can play at most {MAX_TICKS} ticks"));
        }
        level.step();
        self.record.set_tick(level.tick());
        self.count_memory(&**level)?;
        match level.take_faults().into_iter().next() {
            None => Ok(()),
            Some(first) => Err(CallRefusal::Behavior(BehaviorFailed(Arc::new(first)))),
        }
    }

    /// Plays several ticks. More than the test can play fail at once.
    pub(super) fn steps(&self, ticks: u64) -> Result<(), CallRefusal> {
        let all = self.record.played().saturating_add(ticks);
        if all > MAX_TICKS {
            return refuse(format!("a test can play at most {MAX_TICKS} ticks; with this call they would be {all}"));
        }
        (0..ticks).try_for_each(|_| self.step())
    }
}
