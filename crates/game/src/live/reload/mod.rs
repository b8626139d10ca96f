//! Watching a game folder and building the next revision.

pub(crate) mod calm;
pub(crate) mod changes;
#[cfg(feature = "disk")]
pub(crate) mod fingerprints;
#[cfg(feature = "disk")]
pub(crate) mod game_watch;
pub(crate) mod half;
pub(crate) mod machine;
#[cfg(feature = "disk")]
pub(crate) mod reloader;
#[cfg(feature = "disk")]
pub(crate) mod watch;
