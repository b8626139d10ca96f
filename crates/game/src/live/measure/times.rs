//! What a profile has measured.

use hangtime_core::sim::why::TickPhase;
use serde::{Serialize, Serializer};

/// The number of phases of a tick.
pub const PHASES: usize = TickPhase::Zones as usize + 1;

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PhaseTimes {
    /// The phase.
    #[serde(serialize_with = "phase_name")]
    pub phase: TickPhase,
    /// Its time in all ticks together, without the calls of scripts.
    #[serde(rename = "total_ns")]
    pub total: u64,
}

/// The calls of a hook of a behavior.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct HookTimes {
    /// The path of the behavior below `scripts/`.
    pub behavior: String,
    /// The hook's name.
    pub hook: String,
    /// The phase in which it is called.
    #[serde(serialize_with = "phase_name")]
    pub phase: TickPhase,
    /// The number of calls.
    pub calls: u64,
    /// The operations of all calls.
    pub operations: u64,
    /// The calls that compiled code made.
    pub compiled: u64,
    /// The calls that compiled code gave up, so that the interpreter made them.
    #[serde(rename = "bails")]
    pub bailed: u64,
    /// The median of a call.
    #[serde(rename = "ns")]
    pub median: u64,
    /// The time of all calls.
    #[serde(rename = "total_ns")]
    pub total: u64,
}

fn phase_name<S: Serializer>(phase: &TickPhase, out: S) -> Result<S::Ok, S::Error> {
    out.serialize_str(phase.name())
}

impl HookTimes {
    /// The operations of a call: their mean.
    pub fn mean_operations(&self) -> f64 {
        self.operations as f64 / self.calls.max(1) as f64
    }
}

impl TickProfile {
    /// The time of all ticks: the phases and the calls in them.
    pub fn total(&self) -> u64 {
        let phases: u64 = self.phases.iter().map(|phase| phase.total).sum();
        phases + self.scripts()
    }

    /// The time of all calls of scripts.
    pub fn scripts(&self) -> u64 {
        self.hooks.iter().map(|hook| hook.total).sum()
    }

    /// The time of the phase in which scripts are called, without the calls: choosing the scripts that have something to
    /// do, showing them the world, and applying their orders.
    pub fn around_scripts(&self) -> u64 {
        let orders = self.phases.iter().find(|p| p.phase == TickPhase::Orders);
        orders.map_or(0, |orders| orders.total)
    }

    /// The time of all other phases.
    pub fn physics(&self) -> u64 {
        self.total() - self.scripts() - self.around_scripts()
    }

    /// The share of a time in the time of all ticks, 0 to 1; 0 if no time was measured.
    pub fn share(&self, nanos: u64) -> f64 {
        match self.total() {
            0 => 0.0,
            total => nanos as f64 / total as f64,
        }
    }
}
