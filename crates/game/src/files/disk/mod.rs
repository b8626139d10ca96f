//! Folders and files below a game's folder: finding them, what may be read, and writing outputs.

#[cfg(feature = "disk")]
pub(crate) mod drafts;
pub(crate) mod endings;
pub(crate) mod file_system;
pub(crate) mod numbered;
pub(crate) mod output;
#[cfg(feature = "disk")]
pub(crate) mod real;
pub(crate) mod root;
mod unwritten;
pub(crate) mod walk;
