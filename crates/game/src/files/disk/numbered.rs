//! Files that get the first free number: they never replace another file.

use super::output::{OutputKind, next_to, write_error};
use crate::Error;
use std::{
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};
use tempfile::TempPath;

/// The highest number of a file.
const MOST_FILES: u32 = 9_999;

/// A file that is not complete yet. Dropping it removes what has been written.
#[derive(Debug)]
pub struct NumberedFile {
    folder: PathBuf,
    stem: String,
    kind: OutputKind,
    temporary: TempPath,
}

impl NumberedFile {
    /// Starts to write a file in `folder`. It will be called like `stem-1.gif`. Characters that file names
    /// should not have are replaced.
    ///
    /// # Errors
    /// [`Error::Write`] if no file can be created there.
    pub fn create(folder: &Path, stem: &str, kind: OutputKind) -> Result<(Self, Box<dyn Write + Send>), Error> {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let stem: String = stem.chars().take(60).map(plain).collect();
        let temporary = next_to(&folder.join(&stem), None).map_err(|source| write_error(folder, source))?;
        let (file, temporary) = temporary.into_parts();
        let output = Self { folder: folder.to_path_buf(), stem, kind, temporary };
        Ok((output, Box::new(BufWriter::new(file))))
    }

    /// Gives the file the first number that no other file has, and returns its path. Its writer must have
    /// been flushed and dropped.
    ///
    /// # Errors
    /// [`Error::Write`] if it cannot be renamed.
    pub fn complete(self) -> Result<PathBuf, Error> {
        let Self { folder, stem, kind, mut temporary } = self;
        for number in 1..=MOST_FILES {
            let path = folder.join(format!("{stem}-{number}.{}", kind.ending()));
            if path.symlink_metadata().is_ok() {
                continue;
            }
            // Another program may have taken the name in the meantime.
            match temporary.persist_noclobber(&path) {
                Ok(()) => return Ok(path),
                Err(failed) if failed.error.kind() == io::ErrorKind::AlreadyExists => {
                    temporary = failed.path;
                }
                Err(failed) => return Err(write_error(&path, failed.error)),
            }
        }
        let full = io::Error::other(format!("there are {MOST_FILES} files of this name"));
        Err(write_error(&folder.join(stem), full))
    }
}
