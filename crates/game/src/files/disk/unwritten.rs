//! Files with edits that are not written.

use super::{
    file_system::{FileSystem, FolderEntry, PathKind},
    root::missing,
};
use std::{
    collections::BTreeMap,
    ffi::OsStr,
    io,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

/// The files below, with edits that are not written: a candidate to check before it is saved.
#[derive(Debug)]
pub(super) struct UnwrittenFiles {
    below: Arc<dyn FileSystem>,
    /// The bytes of edited files by their real paths; `None` for a removed file.
    edits: BTreeMap<PathBuf, Option<Vec<u8>>>,
}

impl UnwrittenFiles {
    pub fn new(below: Arc<dyn FileSystem>, edits: impl IntoIterator<Item = (PathBuf, Option<Vec<u8>>)>) -> Self {
        let mut files = Self { below, edits: BTreeMap::new() };
        for (path, bytes) in edits {
            let real = files.real(&path);
            files.edits.insert(real, bytes);
        }
        files
    }

    /// The path without links, also of what does not exist yet.
    fn real(&self, path: &Path) -> PathBuf {
        self.below.resolve(path).unwrap_or_else(|_| missing(&*self.below, path))
    }

    /// The names of edited files and of their folders, directly in a folder.
    fn added<'a>(&'a self, folder: &'a Path) -> impl Iterator<Item = &'a OsStr> {
        let written = self.edits.iter().filter(|(_, bytes)| bytes.is_some());
        written.filter_map(move |(path, _)| path.strip_prefix(folder).ok()?.iter().next())
    }
}

impl FileSystem for UnwrittenFiles {
    fn entries(&self, folder: &Path, most: usize) -> io::Result<Vec<FolderEntry>> {
        let real = self.real(folder);
        let mut entries = match self.below.entries(folder, most) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && self.added(&real).next().is_some() => Vec::new(),
            entries => entries?,
        };
        entries.retain(|entry| !matches!(self.edits.get(&real.join(&entry.name)), Some(None)));
        for name in self.added(&real) {
            if entries.iter().all(|entry| entry.name != name) {
                entries.push(FolderEntry { name: name.into(), is_link: false });
            }
        }
        entries.truncate(most);
        Ok(entries)
    }

    fn kind(&self, path: &Path) -> io::Result<PathKind> {
        let real = self.real(path);
        match self.edits.get(&real) {
            Some(Some(bytes)) => Ok(PathKind::File(bytes.len() as u64)),
            Some(None) => Err(io::ErrorKind::NotFound.into()),
            None => match self.below.kind(path) {
                Err(_) if self.added(&real).next().is_some() => Ok(PathKind::Folder),
                kind => kind,
            },
        }
    }

    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        match self.edits.get(&self.real(path)) {
            Some(Some(bytes)) => Ok(bytes[..bytes.len().min(most as usize)].to_vec()),
            Some(None) => Err(io::ErrorKind::NotFound.into()),
            None => self.below.read(path, most),
        }
    }

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        self.kind(path).map(|_| self.real(path))
    }

    fn now(&self) -> Duration {
        self.below.now()
    }

    fn sleep(&self, time: Duration) {
        self.below.sleep(time);
    }
}
