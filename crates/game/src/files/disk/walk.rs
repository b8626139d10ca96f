//! Listing the files of a folder and its subfolders, within limits.

use super::{
    file_system::PathKind,
    root::{AllowedFolders, GameFolder},
};
use crate::Error;
use hangtime_script::BuildProgress;
use std::{
    collections::BTreeSet,
    io,
    path::{Path, PathBuf},
};

/// The largest number of entries that are looked at in all folders of a game together.
pub(crate) const MOST_ENTRIES: usize = 100_000;

/// Deepest nesting of folders below `config/`, `scripts/`, `levels/` or a folder that the user names.
const MOST_DEEP: usize = 16;

/// The files found so far. Each real folder is visited once, by its own name if that is below the
/// folder that is listed. Links that lead out are not followed.
pub(crate) struct FileWalk<'a> {
    pub folder: &'a GameFolder,
    bounds: AllowedFolders<'a>,
    endings: &'a [&'a str],
    /// The real folders visited so far.
    visited: BTreeSet<PathBuf>,
    /// The real folders of files that links lead to.
    linked: BTreeSet<PathBuf>,
    entries: usize,
    /// The files, in the order of their folders.
    pub files: Vec<PathBuf>,
    /// Why others are not listed.
    pub wrong: Vec<Error>,
}

/// A folder to visit, and how deep it is nested.
type Pending = (PathBuf, usize);

impl<'a> FileWalk<'a> {
    /// A walk that finds files with these extensions. `others` are folders outside of the game that the
    /// user has named.
    pub fn new(folder: &'a GameFolder, others: &[&Path], endings: &'a [&'a str]) -> Self {
        Self {
            folder,
            bounds: folder.bounds(others),
            endings,
            visited: BTreeSet::new(),
            linked: BTreeSet::new(),
            entries: 0,
            files: Vec::new(),
            wrong: Vec::new(),
        }
    }

    /// A walk through a folder of a game and its subfolders.
    pub fn through(folder: &'a GameFolder, path: &Path, endings: &'a [&'a str]) -> Self {
        Self::new(folder, &[], endings).below(path)
    }

    /// Lists a folder with its subfolders. Hidden files are skipped.
    pub fn below(mut self, folder: &Path) -> Self {
        self.visit(folder, MOST_DEEP);
        self
    }

    /// Lists a folder without its subfolders.
    pub fn directly_in(mut self, folder: &Path) -> Self {
        self.visit(folder, 0);
        self
    }

    fn visit(&mut self, folder: &Path, deepest: usize) {
        let first = self.files.len();
        // Real folders come before links to them, so that files are known by their own names.
        let mut folders: Vec<Pending> = vec![(folder.to_path_buf(), 0)];
        let mut links: Vec<Pending> = Vec::new();
        loop {
            let Some((path, depth)) = folders.pop() else {
                links.sort();
                folders.append(&mut links);
                if folders.is_empty() {
                    break;
                }
                continue;
            };
            if self.is_over() {
                break;
            }
            let real = match self.folder.files().resolve(&path) {
                Ok(real) => real,
                Err(error) => {
                    let is_link = depth == 0 && self.is_link(&path);
                    self.fail(&path, is_link, error);
                    continue;
                }
            };
            if !self.bounds.allow(&real) {
                self.refuse(&path);
            } else if self.visited.insert(real) {
                for (path, is_link) in self.entries_of(&path) {
                    if depth < deepest {
                        let list = if is_link { &mut links } else { &mut folders };
                        list.push((path, depth + 1));
                    } else if deepest > 0 {
                        self.limit(&path, MOST_DEEP, "nested folders");
                    }
                }
            }
        }
        self.files[first..].sort();
    }

    /// Whether the limit is reached, or the result is no longer wanted.
    fn is_over(&self) -> bool {
        self.entries > MOST_ENTRIES || BuildProgress::is_cancelled()
    }

    fn refuse(&mut self, path: &Path) {
        self.wrong.push(Error::LeadsOut { file: self.folder.name_of(path) });
    }

    /// Adds the files directly in a folder and returns its subfolders, and whether they are links.
    fn entries_of(&mut self, folder: &Path) -> Vec<(PathBuf, bool)> {
        BuildProgress::at(&self.folder.name_of(folder));
        let mut folders = Vec::new();
        let left = MOST_ENTRIES.saturating_sub(self.entries) + 1;
        let entries = match self.folder.files().entries(folder, left) {
            Ok(entries) => entries,
            Err(error) => {
                self.fail(folder, false, error);
                return folders;
            }
        };
        for entry in entries {
            let path = folder.join(&entry.name);
            self.entries += 1;
            if self.entries > MOST_ENTRIES {
                self.limit(&path, MOST_ENTRIES, "files and folders");
                break;
            }
            if self.entries.is_multiple_of(256) && self.is_over() {
                break;
            }
            if entry.name.to_string_lossy().starts_with('.') {
                continue;
            }
            let kind = self.folder.files().kind(&path);
            if matches!(kind, Ok(PathKind::Folder)) {
                folders.push((path, entry.is_link));
            } else if path.extension().is_some_and(|e| self.endings.iter().any(|x| e == *x)) {
                if entry.is_link && !self.bounds.allow(&path) {
                    self.refuse(&path);
                    continue;
                }
                if entry.is_link
                    && let Ok(real) = self.folder.files().resolve(&path)
                {
                    self.linked.extend(real.parent().map(Path::to_path_buf));
                }
                self.files.push(path);
            } else if let Err(error) = kind {
                // A link without an ending is perhaps one to a folder.
                self.fail(&path, entry.is_link && path.extension().is_none(), error);
            }
        }
        folders
    }

    /// Whether a path is itself a link.
    fn is_link(&self, path: &Path) -> bool {
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
            return false;
        };
        let mut entries = self.folder.files().entries(folder, MOST_ENTRIES).into_iter().flatten();
        entries.any(|entry| entry.is_link && entry.name == name)
    }

    /// Notes a folder that cannot be listed. One that does not exist is empty, except a link that leads to nothing: what
    /// should be there would otherwise have its defaults.
    fn fail(&mut self, folder: &Path, is_link: bool, source: io::Error) {
        let file = self.folder.name_of(folder);
        match source.kind() {
            io::ErrorKind::NotFound if is_link => self.wrong.push(Error::DeadLink { file }),
            io::ErrorKind::NotFound => {}
            _ => self.wrong.push(Error::List { file, source }),
        }
    }

    fn limit(&mut self, path: &Path, limit: usize, of: &'static str) {
        let file = self.folder.name_of(path);
        self.wrong.push(Error::OverLimit { file, limit: limit as u64, of });
    }

    /// The real folders that were visited, and the folders of the files that links lead to.
    pub fn folders(&self) -> impl Iterator<Item = PathBuf> + '_ {
        self.visited.iter().chain(&self.linked).cloned()
    }
}
