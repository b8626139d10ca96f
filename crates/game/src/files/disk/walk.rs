//! Listing the files of a folder and its subfolders, within limits.

use super::file_system::PathKind;
use super::root::{AllowedFolders, GameFolder};
use crate::Error;
use hangtime_script::BuildProgress;
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

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
                    if depth == 0 && self.is_link(&path) {
                        self.fail_link(&path, error);
                    } else {
                        self.fail(&path, error);
                    }
                    continue;
                }
            };
            if !self.bounds.allow(&real) {
                self.refuse(&path);
            } else if self.visited.insert(real) {
                let found = self.entries_of(&path);
                for (path, is_link) in found {
                    if deepest == 0 {
                        continue;
                    }
                    if depth + 1 > deepest {
                        self.wrong.push(Error::OverLimit {
                            file: self.folder.name_of(&path),
                            limit: MOST_DEEP as u64,
                            of: "nested folders",
                        });
                        continue;
                    }
                    let list = if is_link { &mut links } else { &mut folders };
                    list.push((path, depth + 1));
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
                self.fail(folder, error);
                return folders;
            }
        };
        for entry in entries {
            let path = folder.join(&entry.name);
            self.entries += 1;
            if self.entries > MOST_ENTRIES {
                self.wrong.push(Error::OverLimit {
                    file: self.folder.name_of(&path),
                    limit: MOST_ENTRIES as u64,
                    of: "files and folders",
                });
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
                } else {
                    if entry.is_link
                        && let Ok(real) = self.folder.files().resolve(&path)
                    {
                        self.linked.extend(real.parent().map(Path::to_path_buf));
                    }
                    self.files.push(path);
                }
            } else if let Err(error) = kind {
                // Perhaps a folder.
                if entry.is_link && path.extension().is_none() {
                    self.fail_link(&path, error);
                } else {
                    self.fail(&path, error);
                }
            }
        }
        folders
    }

    /// Whether a path is itself a link.
    fn is_link(&self, path: &Path) -> bool {
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
            return false;
        };
        let entries = self.folder.files().entries(folder, MOST_ENTRIES);
        let mut entries = entries.into_iter().flatten();
        entries.any(|entry| entry.is_link && entry.name == name)
    }

    /// Notes a link that leads to nothing. What should be there would otherwise have its defaults.
    fn fail_link(&mut self, link: &Path, source: io::Error) {
        if source.kind() == io::ErrorKind::NotFound {
            let file = self.folder.name_of(link);
            self.wrong.push(Error::DeadLink { file });
        } else {
            self.fail(link, source);
        }
    }

    /// Notes a folder that cannot be listed. One that does not exist is empty.
    fn fail(&mut self, folder: &Path, source: io::Error) {
        if source.kind() != io::ErrorKind::NotFound {
            self.wrong.push(Error::List { file: self.folder.name_of(folder), source });
        }
    }

    /// The real folders that were visited, and those of the files that links lead to.
    pub fn folders(&self) -> impl Iterator<Item = PathBuf> + '_ {
        self.visited.iter().chain(&self.linked).cloned()
    }

    /// The number of real folders that were visited.
    #[cfg(test)]
    pub fn visited(&self) -> usize {
        self.visited.len()
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::{FileWalk, GameFolder, MOST_DEEP};
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn folders_that_link_to_each_other_are_visited_once() {
        let root = tempfile::tempdir().expect("a temporary folder");
        let config = root.path().join("config");
        for i in 0..6 {
            let folder = config.join(format!("d{i}"));
            fs::create_dir_all(&folder).expect("a folder");
            fs::write(folder.join("a.toml"), "").expect("a file");
            for j in 0..6 {
                symlink(format!("../d{j}"), folder.join(format!("l{j}"))).expect("a link");
            }
        }
        let folder = GameFolder::new(root.path());
        let walk = FileWalk::new(&folder, &[], &["toml"]).below(&config);
        assert_eq!(walk.visited(), 1 + 6);
        // Each file is known by its own name.
        let own: Vec<_> = (0..6).map(|i| config.join(format!("d{i}/a.toml"))).collect();
        assert_eq!(walk.files, own);
        assert!(walk.wrong.is_empty());
    }

    #[test]
    fn a_link_to_proc_is_not_entered() {
        let root = tempfile::tempdir().expect("a temporary folder");
        let config = root.path().join("config");
        fs::create_dir_all(&config).expect("a folder");
        symlink("/proc", config.join("x")).expect("a link");
        let folder = GameFolder::new(root.path());
        let walk = FileWalk::new(&folder, &[], &["toml"]).below(&config);
        assert_eq!(walk.visited(), 1);
        let wrong: Vec<_> = walk.wrong.iter().map(ToString::to_string).collect();
        assert!(wrong[0].starts_with("config/x: "), "{wrong:?}");
        assert!(wrong[0].contains("--follow-links"), "{wrong:?}");
        assert_eq!(wrong.len(), 1);
    }

    #[test]
    fn links_that_stay_inside_are_followed() {
        let root = tempfile::tempdir().expect("a temporary folder");
        let scripts = root.path().join("scripts");
        fs::create_dir_all(&scripts).expect("a folder");
        fs::create_dir_all(root.path().join("shared")).expect("a folder");
        fs::write(root.path().join("shared/a.rhai"), "").expect("a file");
        symlink("../shared", scripts.join("lib")).expect("a link");
        symlink("lib/a.rhai", scripts.join("b.rhai")).expect("a link");
        let folder = GameFolder::new(root.path());
        let walk = FileWalk::new(&folder, &[], &["rhai"]).below(&scripts);
        assert_eq!(walk.files, [scripts.join("b.rhai"), scripts.join("lib/a.rhai")]);
    }

    #[test]
    fn folders_nested_too_deep_are_reported() {
        let root = tempfile::tempdir().expect("a temporary folder");
        let mut deep = root.path().join("config");
        for _ in 0..100 {
            deep.push("d");
        }
        fs::create_dir_all(&deep).expect("folders");
        let folder = GameFolder::new(root.path());
        let config = root.path().join("config");
        let walk = FileWalk::new(&folder, &[], &["toml"]).below(&config);
        assert_eq!(walk.visited(), 1 + MOST_DEEP);
        assert!(walk.wrong[0].to_string().contains("nested folders"));
    }
}
