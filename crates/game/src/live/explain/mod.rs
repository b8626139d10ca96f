//! Why a body did what it did, by file and line.

pub(crate) mod explained;
pub(crate) mod history;
pub(crate) mod overridden;
pub(crate) mod used_files;
