//! Files of a game that commands create.

use super::output::{OutputFile, OutputKind, write_error};
use crate::project::Error;
use std::io::Write as _;
use std::path::Path;

/// Writes a file that does not exist yet, whole or not at all, and the folder that it is in.
///
/// # Errors
/// [`Error::OverwritesGame`] if it exists, [`Error::Write`] if it cannot be written.
pub fn write_new(root: &Path, path: &Path, text: &str) -> Result<(), Error> {
    if path.symlink_metadata().is_ok() {
        let file = path.display().to_string();
        return Err(Error::OverwritesGame { file });
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|source| write_error(folder, source))?;
    }
    let (file, mut out) = OutputFile::create(root, path, OutputKind::Level)?;
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    drop(out);
    match written {
        Ok(()) => file.complete(),
        Err(source) => Err(file.write_error(source)),
    }
}
