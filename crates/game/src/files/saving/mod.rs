//! Files that hangtime changes for the player or the author: values, expectations, tests and saves.

#[cfg(feature = "disk")]
pub(crate) mod edited_level;
#[cfg(feature = "disk")]
pub(crate) mod level_text;
pub(crate) mod own_folder;
#[cfg(feature = "disk")]
pub(crate) mod page_folder;
pub(crate) mod saves;
pub(crate) mod shown_moment;
pub(crate) mod toml_file;
pub(crate) mod write_back;
pub(crate) mod write_expect;
