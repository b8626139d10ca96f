//! A world that runs under a revision.

pub(crate) mod heard;
pub(crate) mod other_levels;
#[cfg(feature = "disk")]
pub(crate) mod pace;
pub(crate) mod session;
#[cfg(feature = "disk")]
pub(crate) mod threads;
