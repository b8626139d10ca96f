//! Following the phases of a tick, to measure them.

use super::why::TickPhase;
use std::fmt;

/// A function that is called at the end of each phase of a tick, on the thread that makes it. It is not state: it is not
/// saved, hashed or compared, and costs a branch per phase while there is none. Layers above have clocks; this one has not.
#[derive(Clone, Copy, Default)]
pub(super) struct PhaseProbe(pub Option<fn(TickPhase)>);

impl PhaseProbe {
    /// Whether there is a function to call.
    pub fn is_on(self) -> bool {
        self.0.is_some()
    }

    /// A phase has ended.
    #[inline]
    pub fn ended(self, phase: TickPhase) {
        if let Some(ended) = self.0 {
            ended(phase);
        }
    }
}

impl PartialEq for PhaseProbe {
    /// The probe is not state.
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl fmt::Debug for PhaseProbe {
    /// Without its content: worlds are also compared by their debug text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PhaseProbe")
    }
}
