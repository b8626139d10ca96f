//! Writing new files, all or none.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// What was made so far; gone again when it is dropped before it is kept.
#[derive(Default)]
struct Unfinished {
    files: Vec<PathBuf>,
    folders: Vec<PathBuf>,
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        // What cannot be removed stays: there is nobody left to tell.
        for file in &self.files {
            let _ = fs::remove_file(file);
        }
        // A folder in which somebody else has put something since is not empty, and stays, too.
        for folder in self.folders.iter().rev() {
            let _ = fs::remove_dir(folder);
        }
    }
}

impl Unfinished {
    fn make_folder(&mut self, folder: &Path) -> io::Result<()> {
        if folder.as_os_str().is_empty() || folder.is_dir() {
            return Ok(());
        }
        if let Some(parent) = folder.parent() {
            self.make_folder(parent)?;
        }
        match fs::create_dir(folder) {
            Ok(()) => {
                self.folders.push(folder.to_path_buf());
                Ok(())
            }
            // Somebody else was quicker.
            Err(_) if folder.is_dir() => Ok(()),
            Err(e) => Err(e),
        }
    }

    fn make_file(&mut self, path: &Path, text: &str) -> io::Result<()> {
        if let Some(folder) = path.parent() {
            self.make_folder(folder)?;
        }
        // Never over one that is there.
        let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
        self.files.push(path.to_path_buf());
        file.write_all(text.as_bytes())
    }

    fn keep(mut self) {
        self.files.clear();
        self.folders.clear();
    }
}

/// Writes new files, and the folders that they need. When one of them cannot be made none of them is
/// left; the error says which one of them it was.
pub(super) fn write_all<'a>(
    files: impl Iterator<Item = (&'a Path, &'a str)>,
) -> Result<(), (usize, io::Error)> {
    let mut made = Unfinished::default();
    for (at, (path, text)) in files.enumerate() {
        made.make_file(path, text).map_err(|e| (at, e))?;
    }
    made.keep();
    Ok(())
}
