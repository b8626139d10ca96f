//! A world that runs under a revision.

pub(crate) mod heard;
pub(crate) mod other_levels;
pub(crate) mod pace;
pub(crate) mod session;
pub(crate) mod threads;
