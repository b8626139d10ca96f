//! The real file system.

use super::file_system::{FileSystem, FolderEntry, PathKind};
use crate::background::now;
use std::{
    io::{self, Read as _},
    path::{Path, PathBuf},
    time::Duration,
};

/// The real file system.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Disk;

impl FileSystem for Disk {
    fn entries(&self, folder: &Path, most: usize) -> io::Result<Vec<FolderEntry>> {
        let mut entries = Vec::new();
        for entry in std::fs::read_dir(folder)?.take(most) {
            let entry = entry?;
            let is_link = match entry.file_type() {
                Ok(kind) => kind.is_symlink(),
                // Removed since the folder was listed.
                Err(e) if e.kind() == io::ErrorKind::NotFound => continue,
                Err(e) => return Err(e),
            };
            entries.push(FolderEntry { name: entry.file_name(), is_link });
        }
        Ok(entries)
    }

    fn kind(&self, path: &Path) -> io::Result<PathKind> {
        let metadata = std::fs::metadata(path)?;
        Ok(if metadata.is_dir() {
            PathKind::Folder
        } else if metadata.is_file() {
            PathKind::File(metadata.len())
        } else {
            PathKind::Special
        })
    }

    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        let file = open_at_once(path)?;
        if !file.metadata()?.is_file() {
            return Err(io::Error::other("not a file"));
        }
        let mut bytes = Vec::new();
        file.take(most).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        path.canonicalize()
    }

    fn now(&self) -> Duration {
        now()
    }

    fn sleep(&self, time: Duration) {
        std::thread::sleep(time);
    }
}

/// Opens a file without waiting, even if a pipe has just taken its place.
fn open_at_once(path: &Path) -> io::Result<std::fs::File> {
    let mut options = std::fs::OpenOptions::new();
    options.read(true);
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        // `O_NONBLOCK`, which has no effect on regular files.
        options.custom_flags(if cfg!(target_os = "macos") { 0x4 } else { 0o4000 });
    }
    options.open(path)
}
