//! Reporting calls to a probe.

use crate::{CallPath, CallProbe, ProbedCall, budget::left_in_tick};
use hangtime_core::sim::ScriptId;

/// The probe of the rules, and how many operations the tick had left when it was called last.
#[derive(Clone, Copy, Debug, Default)]
pub struct Probing {
    /// The probe; none if calls are not followed.
    pub probe: Option<CallProbe>,
    left: u64,
}

impl Probing {
    /// The calls of one script for one entity begin.
    pub fn restart(&mut self) {
        if self.probe.is_some() {
            self.left = left_in_tick();
        }
    }

    /// A call begins.
    pub fn begin(&self) {
        if let Some(probe) = self.probe {
            (probe.begin)();
        }
    }

    /// It has ended.
    pub fn end(&mut self, script: ScriptId, hook: &str, path: CallPath) {
        if let Some(probe) = self.probe {
            let left = left_in_tick();
            let operations = std::mem::replace(&mut self.left, left).saturating_sub(left);
            (probe.end)(&ProbedCall { script, hook, operations, path });
        }
    }
}
