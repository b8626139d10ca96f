//! Files with edits that are not saved yet, for everything that reads the game's folder.

use super::file_system::{FileSystem, FolderEntry, PathKind};
use parking_lot::Mutex;
use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

/// The texts of files that are edited and not saved, by their real paths. Copies share them, so what one thread edits,
/// another one reads.
#[derive(Clone, Debug, Default)]
pub struct Drafts(Arc<Mutex<BTreeMap<PathBuf, Arc<str>>>>);

impl Drafts {
    /// Whoever reads the file reads this text from now on.
    pub fn put(&self, real: &Path, text: &str) {
        self.0.lock().insert(real.to_path_buf(), text.into());
    }

    /// Whoever reads the file reads what is on the disk.
    pub fn remove(&self, real: &Path) {
        self.0.lock().remove(real);
    }
}

/// The files below, with the drafts of some in their place.
#[derive(Debug)]
pub(super) struct DraftedFiles {
    pub below: Arc<dyn FileSystem>,
    pub drafts: Drafts,
}

impl DraftedFiles {
    /// The draft of a file. A file that is gone from the disk has none: its folder shows that it is gone.
    fn draft(&self, path: &Path) -> Option<Arc<str>> {
        let has_name = |real: &PathBuf| real.file_name() == path.file_name();
        // Only a few paths are resolved: that reads the disk.
        let may_be = self.drafts.0.lock().keys().any(has_name);
        let real = may_be.then(|| self.below.resolve(path).ok()).flatten()?;
        self.drafts.0.lock().get(&real).cloned()
    }
}

impl FileSystem for DraftedFiles {
    fn entries(&self, folder: &Path, most: usize) -> io::Result<Vec<FolderEntry>> {
        self.below.entries(folder, most)
    }

    fn kind(&self, path: &Path) -> io::Result<PathKind> {
        match self.draft(path) {
            Some(text) => Ok(PathKind::File(text.len() as u64)),
            None => self.below.kind(path),
        }
    }

    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        match self.draft(path) {
            Some(text) => Ok(text.as_bytes()[..text.len().min(most as usize)].to_vec()),
            None => self.below.read(path, most),
        }
    }

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        self.below.resolve(path)
    }

    fn now(&self) -> Duration {
        self.below.now()
    }

    fn sleep(&self, time: Duration) {
        self.below.sleep(time);
    }
}
