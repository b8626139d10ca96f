//! Writing new files, all or none of them.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The files and folders created so far. Dropping it removes them again, unless they are kept.
#[derive(Default)]
struct Rollback {
    files: Vec<PathBuf>,
    folders: Vec<PathBuf>,
}

impl Drop for Rollback {
    fn drop(&mut self) {
        // The original error is reported; a failure to clean up is not.
        for file in &self.files {
            let _ = fs::remove_file(file);
        }
        // A folder that another program has written to is not empty and stays.
        for folder in self.folders.iter().rev() {
            let _ = fs::remove_dir(folder);
        }
    }
}

impl Rollback {
    fn create_folder(&mut self, folder: &Path) -> io::Result<()> {
        if folder.as_os_str().is_empty() || folder.is_dir() {
            return Ok(());
        }
        if let Some(parent) = folder.parent() {
            self.create_folder(parent)?;
        }
        match fs::create_dir(folder) {
            Ok(()) => {
                self.folders.push(folder.to_path_buf());
                Ok(())
            }
            // Another program has created it in the meantime.
            Err(_) if folder.is_dir() => Ok(()),
            Err(e) => Err(e),
        }
    }

    fn create_file(&mut self, path: &Path, text: &str) -> io::Result<()> {
        if let Some(folder) = path.parent() {
            self.create_folder(folder)?;
        }
        // `create_new` never overwrites a file.
        let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
        self.files.push(path.to_path_buf());
        file.write_all(text.as_bytes())
    }

    fn keep(mut self) {
        self.files.clear();
        self.folders.clear();
    }
}

/// Writes new files and creates the folders that they need. If one fails, all others are removed again;
/// the error has the index of the file that failed.
pub(crate) fn write_all<'a>(files: impl Iterator<Item = (&'a Path, &'a str)>) -> Result<(), (usize, io::Error)> {
    let mut created = Rollback::default();
    for (at, (path, text)) in files.enumerate() {
        created.create_file(path, text).map_err(|e| (at, e))?;
    }
    created.keep();
    Ok(())
}
