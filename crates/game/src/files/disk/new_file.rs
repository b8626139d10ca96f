//! Files of a game that commands create. No link in the game folder leads them out of it.

use super::output::{OutputFile, OutputKind, write_error};
use super::root::GameFolder;
use crate::Error;
use std::path::Path;

/// Refuses a file that hangtime itself names, if it or a folder that it is in is a link that leads out of the
/// game folder and of the folders `near`.
///
/// # Errors
/// [`Error::LeadsOut`].
pub fn check_output(folder: &GameFolder, path: &Path, near: &[&Path]) -> Result<(), Error> {
    if folder.follows_links() {
        return Ok(());
    }
    if path.is_symlink() && !path.exists() {
        // Writing would create what the link names.
        let file = path.display().to_string();
        return Err(Error::LeadsOut { file });
    }
    let existing = path.ancestors().find(|part| part.exists());
    folder.check(existing.unwrap_or(path), near)
}

/// Writes a file that does not exist yet, whole or not at all, and the folder that it is in.
///
/// # Errors
/// [`Error::OverwritesGame`] if it exists, [`Error::LeadsOut`] if a link leads it out of the game folder,
/// [`Error::Write`] if it cannot be written.
pub fn write_new(folder: &GameFolder, path: &Path, text: &str) -> Result<(), Error> {
    let root = folder.path();
    if path.symlink_metadata().is_ok() {
        let file = path.display().to_string();
        return Err(Error::OverwritesGame { file });
    }
    check_output(folder, path, &[])?;
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).map_err(|source| write_error(parent, source))?;
    }
    OutputFile::write_text(root, path, OutputKind::Level, text)
}

/// Removes a file that [`write_new`] has just made.
pub fn remove_new(path: &Path) {
    // If that fails, the user sees the file.
    let _ = std::fs::remove_file(path);
}
