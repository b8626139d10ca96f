//! Files that hangtime changes for the player or the author: values, expectations, tests and saves.

pub(crate) mod failed_test;
pub(crate) mod feel_memory;
pub(crate) mod saves;
pub(crate) mod write_back;
pub(crate) mod write_expect;
