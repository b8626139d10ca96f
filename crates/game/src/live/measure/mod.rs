//! Where the time of ticks goes: the phases, and each hook of each behavior.

mod durations;
mod profiler;
mod times;

pub(super) use profiler::{Profiler, phase_ends};
pub use times::{HookTimes, PhaseTimes, TickProfile};
