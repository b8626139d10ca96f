//! Why: what each phase of a tick did to an entity, what its rules answered, and why requests were
//! refused.
//!
//! The log is not state: it is neither saved nor hashed nor compared, and it never changes a run. While
//! no entity is watched it costs one branch per phase. The log names the tunables that decided; layers
//! above, which know the files, add the lines where they are set.

mod log;
mod refusals;
mod report;

pub use super::RuleAnswer;
pub(super) use log::WhyLog;
pub(super) use refusals::cause_of_model;
pub use report::{Cause, Kinetics, Origin, TickPhase, Watch, WhyDetail, WhyEntry, WhyOrder, WhyReport};

use super::*;
use crate::named::named;
