//! Files and time, as reading a game's folder needs them.
//!
//! Reading goes through the trait, so that tests can run it on a folder that exists only in
//! memory, where writes happen between any two reads and time passes only when the test says so.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsString,
    fmt::Debug,
    io,
    path::{Component, Path, PathBuf},
    sync::Arc,
    time::Duration,
};

/// What a path leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathKind {
    /// A regular file with this size in bytes.
    File(u64),
    /// A folder.
    Folder,
    /// A pipe, a device or a socket: reading it may never end.
    Special,
}

/// An entry of a folder.
#[derive(Clone, Debug)]
pub struct FolderEntry {
    /// Its name in the folder.
    pub name: OsString,
    /// Whether the entry itself is a symbolic link.
    pub is_link: bool,
}

/// A file system and its clock. Calls fail as `std::fs` does.
pub trait FileSystem: Debug + Send + Sync {
    /// The entries of a folder, in any order, but never more than `most`.
    fn entries(&self, folder: &Path, most: usize) -> io::Result<Vec<FolderEntry>>;

    /// What a path leads to; links are followed.
    fn kind(&self, path: &Path) -> io::Result<PathKind>;

    /// The bytes of a regular file, but never more than `most`. Anything else is an error.
    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>>;

    /// The absolute path of something that exists, without links.
    fn resolve(&self, path: &Path) -> io::Result<PathBuf>;

    /// The time since a fixed moment. Never decreases.
    fn now(&self) -> Duration;

    /// Waits.
    fn sleep(&self, time: Duration);
}

/// The file system of games that name none: the disk, or an empty one without the feature `disk`.
pub(crate) fn usual_files() -> Arc<dyn FileSystem> {
    #[cfg(feature = "disk")]
    return Arc::new(super::real::Disk);
    #[cfg(not(feature = "disk"))]
    Arc::new(MemoryFiles::default())
}

/// Files in memory, by their paths: the folder of a game where there is no disk, as in a page. There are no links, and no
/// time passes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryFiles(BTreeMap<PathBuf, Vec<u8>>);

impl MemoryFiles {
    /// Files by their paths, which may be relative to anything, as long as all are.
    pub fn new<P: AsRef<Path>, B: Into<Vec<u8>>>(files: impl IntoIterator<Item = (P, B)>) -> Self {
        Self(files.into_iter().map(|(path, bytes)| (plain(path.as_ref()), bytes.into())).collect())
    }

    /// Writes a file, or replaces it.
    pub fn write(&mut self, path: impl AsRef<Path>, bytes: impl Into<Vec<u8>>) {
        self.0.insert(plain(path.as_ref()), bytes.into());
    }
}

/// A path without `.` and `..`.
pub(super) fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain
}

impl FileSystem for MemoryFiles {
    fn entries(&self, folder: &Path, most: usize) -> io::Result<Vec<FolderEntry>> {
        let folder = self.resolve(folder)?;
        let names: BTreeSet<OsString> = self
            .0
            .keys()
            .filter_map(|path| path.strip_prefix(&folder).ok()?.iter().next())
            .map(OsString::from)
            .collect();
        Ok(names.into_iter().take(most).map(|name| FolderEntry { name, is_link: false }).collect())
    }

    fn kind(&self, path: &Path) -> io::Result<PathKind> {
        let path = plain(path);
        match self.0.get(&path) {
            Some(bytes) => Ok(PathKind::File(bytes.len() as u64)),
            None if self.0.keys().any(|file| file.starts_with(&path)) => Ok(PathKind::Folder),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        let bytes = self.0.get(&plain(path)).ok_or(io::ErrorKind::NotFound)?;
        Ok(bytes[..bytes.len().min(most as usize)].to_vec())
    }

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        self.kind(path).map(|_| plain(path))
    }

    fn now(&self) -> Duration {
        Duration::ZERO
    }

    fn sleep(&self, _time: Duration) {}
}
