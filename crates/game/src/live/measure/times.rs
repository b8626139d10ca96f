//! What a profile has measured.

use super::durations::Durations;
use hangtime_core::sim::why::TickPhase;

/// The number of phases of a tick.
pub(super) const PHASES: usize = TickPhase::Zones as usize + 1;

/// Where the time of some ticks went. Times are in ns, without what the clock itself takes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TickProfile {
    /// The number of ticks.
    pub ticks: u64,
    /// The median of a tick.
    pub median_tick: u64,
    /// The phases, in their order. Their times are without the calls of scripts in them.
    pub phases: Vec<PhaseTimes>,
    /// The hooks that were called, the one that took the most time first.
    pub hooks: Vec<HookTimes>,
}

/// The time of a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PhaseTimes {
    /// The phase.
    pub phase: TickPhase,
    /// Its time in all ticks together, without the calls of scripts.
    pub total: u64,
}

/// The calls of a hook of a behavior.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookTimes {
    /// The path of the behavior below `scripts/`.
    pub behavior: String,
    /// The hook's name.
    pub hook: String,
    /// The phase in which it is called.
    pub phase: TickPhase,
    /// The number of calls.
    pub calls: u64,
    /// The operations of all calls.
    pub operations: u64,
    /// The calls that compiled code made.
    pub compiled: u64,
    /// The calls that compiled code gave up, so that the interpreter made them.
    pub bailed: u64,
    /// The time of all calls.
    pub total: u64,
    /// The median of a call.
    pub median: u64,
}

impl TickProfile {
    /// The time of all ticks: that of the phases and of the calls in them.
    #[must_use]
    pub fn total(&self) -> u64 {
        let phases: u64 = self.phases.iter().map(|phase| phase.total).sum();
        phases + self.scripts()
    }

    /// The time of all calls of scripts.
    #[must_use]
    pub fn scripts(&self) -> u64 {
        self.hooks.iter().map(|hook| hook.total).sum()
    }

    /// The time of the phase in which scripts are called, without the calls: choosing the scripts that have something to
    /// do, showing them the world, and applying their orders.
    #[must_use]
    pub fn around_scripts(&self) -> u64 {
        let orders = self.phases.iter().find(|p| p.phase == TickPhase::Orders);
        orders.map_or(0, |orders| orders.total)
    }

    /// The time of all other phases.
    #[must_use]
    pub fn physics(&self) -> u64 {
        self.total() - self.scripts() - self.around_scripts()
    }

    /// The share of a time in that of all ticks, 0 to 1; 0 if no time was measured.
    #[must_use]
    pub fn share(&self, nanos: u64) -> f64 {
        match self.total() {
            0 => 0.0,
            total => nanos as f64 / total as f64,
        }
    }
}

/// The calls of a hook so far.
#[derive(Clone, Debug)]
pub(super) struct MeasuredHook {
    pub hook: String,
    pub phase: TickPhase,
    pub operations: u64,
    pub compiled: u64,
    pub bailed: u64,
    pub durations: Durations,
}

impl MeasuredHook {
    /// A hook that is called for the first time.
    pub fn new(hook: &str, phase: TickPhase) -> Self {
        Self { hook: hook.into(), phase, operations: 0, compiled: 0, bailed: 0, durations: Durations::default() }
    }

    /// Its times as those of a behavior.
    pub fn times(&self, behavior: &str) -> HookTimes {
        HookTimes {
            behavior: behavior.into(),
            hook: self.hook.clone(),
            phase: self.phase,
            calls: self.durations.count,
            operations: self.operations,
            compiled: self.compiled,
            bailed: self.bailed,
            total: self.durations.total,
            median: self.durations.median(),
        }
    }
}
