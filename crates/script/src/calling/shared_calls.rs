//! What the calls of all languages in one game share.

use super::*;
use crate::{CallDifference, FaultQueue, calls::CallMoment};

/// What the calls of all languages in one game share.
#[derive(Debug)]
pub struct SharedCalls {
    /// What has the functions of the scripts below the running one.
    pub scripts: Arc<dyn LayerPrograms>,
    /// What scripts read and write: pointed at each entity in turn. Open for the phase.
    pub moment: Box<CallMoment>,
    /// The operations that each script has used in this tick, once a script is called in it.
    pub used: Vec<u64>,
    /// The errors of scripts.
    pub faults: FaultQueue,
    /// What is called around each call.
    pub probing: Probing,
    /// Whether it has been reported that the operations of this tick are used up.
    pub skip_reported: bool,
    /// The first call that did something else when it was compiled.
    pub call_difference: Option<CallDifference>,
}

/// How many calls were made in which way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallCounts {
    /// Compiled code.
    pub compiled: u64,
    /// Compiled code that could not be completed, and then the interpreter.
    pub bailed: u64,
    /// The interpreter alone.
    pub interpreted: u64,
}

impl CallCounts {
    /// Adds the calls of other scripts.
    pub fn add(&mut self, other: Self) {
        self.compiled += other.compiled;
        self.bailed += other.bailed;
        self.interpreted += other.interpreted;
    }
}
