//! What scripts listen to.

use super::stage::ScriptId;

/// A script and the events it listens to in this tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Listener {
    pub script: ScriptId,
    /// Whether it is called in every tick.
    pub ticks: bool,
    /// Whether it is called when the conditions of its rules have changed.
    pub rules: bool,
    /// The engine's events that it has a hook for, by their bits.
    pub events: u32,
    /// Whether it has a hook for an emitted event.
    pub hears_signal: bool,
}
