//! Watching a game folder and building the next revision.

pub(crate) mod calm;
pub(crate) mod changes;
pub(crate) mod game_watch;
pub(crate) mod half;
pub(crate) mod machine;
pub(crate) mod reload;
#[cfg(test)]
pub(crate) mod simulated;
pub(crate) mod watch;
