//! Files that get the first free number: they never replace another file.

use super::output::{OutputKind, next_to, write_error};
use crate::Error;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
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
        let temporary = next_to(&folder.join(&stem), None);
        let temporary = temporary.map_err(|source| write_error(folder, source))?;
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

#[cfg(test)]
mod tests {
    use super::{NumberedFile, OutputKind};
    use std::io::Write as _;

    #[test]
    fn a_numbered_file_never_replaces_another() {
        let folder = tempfile::tempdir().expect("a folder");
        let other = folder.path().join("a-level-1.gif");
        std::fs::write(&other, "mine").expect("a file");
        let mut names = Vec::new();
        for _ in 0..2 {
            let (output, mut file) = NumberedFile::create(folder.path(), "a/level", OutputKind::Gif).expect("a file");
            file.write_all(b"film").expect("written");
            file.flush().expect("flushed");
            drop(file);
            let path = output.complete().expect("renamed");
            assert_eq!(std::fs::read(&path).expect("read"), b"film");
            names.push(path.file_name().map(std::ffi::OsStr::to_owned));
        }
        assert_eq!(names, [Some("a-level-2.gif".into()), Some("a-level-3.gif".into())]);
        assert_eq!(std::fs::read(&other).expect("read"), b"mine");
    }

    #[test]
    fn an_abandoned_file_leaves_nothing_behind() {
        let folder = tempfile::tempdir().expect("a folder");
        drop(NumberedFile::create(folder.path(), "level", OutputKind::Gif).expect("a file"));
        assert_eq!(std::fs::read_dir(folder.path()).expect("read").count(), 0);
        assert!(NumberedFile::create(&folder.path().join("none"), "level", OutputKind::Gif).is_err());
    }
}
