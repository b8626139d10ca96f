//! Building revisions, running them, and exchanging them while they run.

mod deadline;
mod explain;
mod history;
mod machine;
mod pace;
mod reload;
mod revision;
mod roster;
mod session;
#[cfg(test)]
mod simulated;
mod watch;

pub use deadline::within_deadline;
pub use history::{WhyHistory, WhyPanel};
pub use pace::Pace;
pub use reload::{Notice, Reloader};
pub use revision::Revision;
pub(in crate::project) use revision::sort_diagnostics;
pub(in crate::project) use roster::missing_script;
pub use session::Live;
