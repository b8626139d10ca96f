//! Building revisions, running them, and exchanging them while they run.

mod artwork;
mod broken_mods;
mod calm;
mod changes;
mod deadline;
mod density;
mod explain;
mod game_watch;
mod half;
mod history;
mod level_kinds;
mod machine;
mod other_levels;
mod overridden;
mod pace;
mod placement;
mod plain_constants;
mod profile;
mod reload;
mod retune;
mod revision;
mod roster;
mod session;
#[cfg(test)]
mod simulated;
mod threads;
mod used_files;
mod variable_names;
mod variants;
mod watch;

pub use changes::{Change, summary};
pub use deadline::{within_deadline, within_time};
pub use game_watch::GameWatch;
pub use history::{WhyHistory, WhyPanel};
pub use other_levels::OtherLevels;
pub use overridden::SetByScript;
pub use pace::Pace;
pub(in crate::project) use plain_constants::has_plain_constants;
pub use profile::{HookTimes, PhaseTimes, TickProfile};
pub use reload::{Notice, Reloader};
pub use revision::Revision;
pub(in crate::project) use roster::missing_script;
pub use session::Live;
pub use threads::{MANY_ENTITIES, Threads};
pub(in crate::project) use used_files::{imported_files, with_imports};
pub use variants::Variants;
