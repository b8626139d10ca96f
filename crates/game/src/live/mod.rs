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

pub(crate) use build::roster::missing_script;
pub use build::{
    deadline::{within_deadline, within_time},
    level_cache::LevelCache,
    revision::{Revision, SettingsFrom},
    variants::Variants,
};
pub use explain::{
    history::{WhyHistory, WhyPanel},
    overridden::SetByScript,
};
pub use measure::{HookTimes, PhaseTimes, TickProfile};
#[cfg(feature = "disk")]
pub use reload::game_watch::GameWatch;
#[cfg(feature = "disk")]
pub use reload::reloader::Reloader;
pub use reload::{
    changes::{Change, summary},
    machine::Notice,
};
#[cfg(feature = "disk")]
pub use run::pace::Pace;
#[cfg(feature = "disk")]
pub use run::threads::Threads;
pub use run::{
    heard::HeardSound,
    other_levels::OtherLevels,
    session::{Live, MANY_ENTITIES, StepReport},
};
