//! Building revisions, running them, and exchanging them while they run.
//!
//! The rooms, each using only rooms above it:
//!
//! * `build` makes a revision of the texts of a game;
//! * `measure` times ticks and scripts;
//! * `run` steps a world under a revision;
//! * `reload` watches the folder and builds the next revision;
//! * `explain` says why something happened, by file and line.

pub(crate) mod build;
pub(crate) mod explain;
pub(crate) mod measure;
pub(crate) mod reload;
pub mod reloading;
pub(crate) mod run;

pub use build::deadline::{within_deadline, within_time};
pub use build::level_cache::LevelCache;
pub use build::revision::{Revision, SettingsFrom};
pub(crate) use build::roster::missing_script;
pub use build::variants::Variants;
pub use explain::history::{WhyHistory, WhyPanel};
pub use explain::overridden::SetByScript;
pub use measure::{HookTimes, PhaseTimes, TickProfile};
pub use reload::changes::{Change, summary};
#[cfg(feature = "disk")]
pub use reload::game_watch::GameWatch;
pub use reload::machine::Notice;
#[cfg(feature = "disk")]
pub use reload::reloader::Reloader;
pub use run::heard::HeardSound;
pub use run::other_levels::OtherLevels;
#[cfg(feature = "disk")]
pub use run::pace::Pace;
pub use run::session::{Live, MANY_ENTITIES, StepReport};
#[cfg(feature = "disk")]
pub use run::threads::Threads;
