//! Reading the texts that a revision is made of.

use super::file_system::{Disk, FileSystem, PathKind};
use crate::project::Error;
use crate::script::host::names::suggestion;
use crate::script::host::{Diagnostic, Place, SourceFile};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The largest file that is read, in bytes. Scripts have a smaller limit, `MOST_SOURCE`.
const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// The deepest subfolder in which files are looked for.
const MAX_DEPTH: usize = 8;

/// The texts of all files that a level may depend on, read at one moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SourceSet {
    /// The game folder.
    pub root: PathBuf,
    /// The path of the level's file.
    pub level_path: PathBuf,
    /// The level's name: its path below the game folder, or its full path if it is elsewhere.
    pub level: String,
    /// Every file that could be read, by its path below the game folder.
    pub files: BTreeMap<String, Arc<SourceFile>>,
    /// Why the others could not be read.
    pub unreadable: Vec<Diagnostic>,
}

impl SourceSet {
    /// Reads what a level may depend on: `config/`, `scripts/`, the level, and the input files
    /// in the level's folder.
    #[must_use]
    pub fn read(root: &Path, level_path: &Path) -> Self {
        Self::read_from(&Disk, root, level_path)
    }

    /// Like [`SourceSet::read`], from any file system.
    pub(in crate::project) fn read_from(
        fs: &dyn FileSystem,
        root: &Path,
        level_path: &Path,
    ) -> Self {
        let mut set = Self {
            root: root.to_path_buf(),
            level_path: level_path.to_path_buf(),
            level: name_in(fs, root, level_path),
            ..Self::default()
        };
        for (folder, ending) in [("config", "toml"), ("scripts", "rhai")] {
            let folder = root.join(folder);
            let listing = FolderListing::of(fs, &folder, ending, MAX_DEPTH);
            for (path, error) in listing.failed {
                let why = format!("cannot list this folder: {error}");
                let name = name_in(fs, root, &path);
                set.unreadable.push(Diagnostic::about_file(name, why));
            }
            for path in listing.found {
                if is_outside(fs, &folder, &path) {
                    let why = "this link leads out of its folder and is not followed";
                    let name = name_in(fs, root, &path);
                    set.unreadable.push(Diagnostic::about_file(name, why));
                } else {
                    set.add(fs, &path);
                }
            }
        }
        set.add(fs, level_path);
        if let Some(folder) = level_path.parent() {
            // The level names the one it needs, so that a folder that cannot be listed matters then.
            for path in FolderListing::of(fs, folder, "input", 0).found {
                set.add(fs, &path);
            }
        }
        set
    }

    /// Reads until two readings in a row are equal, so that no file is caught half-written.
    ///
    /// # Errors
    /// The names of files that change too often for that.
    pub(in crate::project) fn read_settled(
        fs: &dyn FileSystem,
        root: &Path,
        level_path: &Path,
    ) -> Result<Self, Vec<String>> {
        let mut last = Self::read_from(fs, root, level_path);
        let mut changed = Vec::new();
        // Editors that write in several steps finish within a few rounds.
        for _ in 0..50 {
            let next = Self::read_from(fs, root, level_path);
            if next == last {
                return Ok(last);
            }
            changed = last.differences(&next);
            last = next;
            fs.sleep(Duration::from_millis(2));
        }
        Err(changed)
    }

    /// The names of the files that differ between two readings.
    fn differences(&self, other: &Self) -> Vec<String> {
        let readable = self.files.keys().chain(other.files.keys());
        let unreadable = self.unreadable.iter().chain(&other.unreadable);
        let differ = |name: &&String| self.files.get(*name) != other.files.get(*name);
        let names = readable.filter(differ).cloned();
        let mut names: Vec<String> = if self.unreadable == other.unreadable {
            names.collect()
        } else {
            let unreadable = unreadable.map(|wrong| wrong.file_name().to_string());
            names.chain(unreadable).collect()
        };
        names.sort();
        names.dedup();
        names
    }

    fn add(&mut self, fs: &dyn FileSystem, path: &Path) {
        let name = name_in(fs, &self.root, path);
        match read_text_from(fs, path, &name) {
            Ok(file) => {
                self.files.insert(name, file);
            }
            Err(error) => self.unreadable.extend(error.diagnostics()),
        }
    }

    /// The file with this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Arc<SourceFile>> {
        self.files.get(name)
    }

    /// The files below a folder whose names end like this, by their paths below that folder.
    pub fn below<'a>(
        &'a self,
        folder: &'a str,
        ending: &'a str,
    ) -> impl Iterator<Item = (&'a str, &'a Arc<SourceFile>)> {
        self.files.iter().filter_map(move |(name, file)| {
            let rest = name.strip_prefix(folder)?.strip_prefix('/')?;
            rest.ends_with(ending).then_some((rest, file))
        })
    }

    /// The content hash of every file, by its path below the game folder.
    #[must_use]
    pub fn hashes(&self) -> BTreeMap<String, [u8; 32]> {
        let hash = |file: &SourceFile| *blake3::hash(file.text.as_bytes()).as_bytes();
        self.files
            .iter()
            .map(|(name, file)| (name.clone(), hash(file)))
            .collect()
    }
}

/// A file's name in messages: its path below the game folder with `/`, or its full path.
pub(in crate::project) fn name_of(root: &Path, path: &Path) -> String {
    name_in(&Disk, root, path)
}

fn name_in(fs: &dyn FileSystem, root: &Path, path: &Path) -> String {
    let resolved = || {
        let (root, path) = (fs.resolve(root).ok()?, fs.resolve(path).ok()?);
        path.strip_prefix(root).ok().map(Path::to_path_buf)
    };
    let below = path
        .strip_prefix(root)
        .map(Path::to_path_buf)
        .ok()
        .or_else(resolved);
    let name = below
        .unwrap_or_else(|| path.to_path_buf())
        .display()
        .to_string();
    if cfg!(windows) {
        name.replace('\\', "/")
    } else {
        name
    }
}

/// Reads a file as UTF-8 text; `name` is what messages call it.
pub(in crate::project) fn read_text(path: &Path, name: &str) -> Result<Arc<SourceFile>, Error> {
    read_text_from(&Disk, path, name)
}

fn read_text_from(fs: &dyn FileSystem, path: &Path, name: &str) -> Result<Arc<SourceFile>, Error> {
    let file = || name.to_string();
    let failed = |source: io::Error| match source.kind() {
        io::ErrorKind::NotFound => Error::NoSuchFile { file: file() },
        _ => Error::Read {
            file: file(),
            source,
        },
    };
    let too_large = |bytes| Error::TooLarge {
        file: file(),
        bytes,
        limit: MAX_BYTES,
    };
    match fs.kind(path).map_err(failed)? {
        PathKind::File(bytes) if bytes > MAX_BYTES => return Err(too_large(bytes)),
        PathKind::File(_) => {}
        // Reading a pipe or a device may never end.
        PathKind::Folder | PathKind::Special => return Err(Error::NotAFile { file: file() }),
    }
    let bytes = fs.read(path, MAX_BYTES + 1).map_err(failed)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(too_large(bytes.len() as u64));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Arc::new(SourceFile {
            name: file(),
            // Some editors write an invisible byte order mark first.
            text: text.trim_start_matches('\u{feff}').to_string(),
        })),
        Err(e) => {
            let at = e.utf8_error().valid_up_to();
            let text = String::from_utf8_lossy(e.as_bytes()).into_owned();
            let file = Arc::new(SourceFile { name: file(), text });
            let place = Place::new(&file, at..at + 1);
            Err(Diagnostic::error(place, "this is not UTF-8 text").into())
        }
    }
}

/// Whether a file listed in a folder is a link to somewhere outside of it. A game reads only files
/// in its own folders.
pub(in crate::project) fn leads_out(folder: &Path, path: &Path) -> bool {
    is_outside(&Disk, folder, path)
}

fn is_outside(fs: &dyn FileSystem, folder: &Path, path: &Path) -> bool {
    match (fs.resolve(folder), fs.resolve(path)) {
        (Ok(folder), Ok(path)) => !path.starts_with(folder),
        // Reading a missing file reports it.
        _ => false,
    }
}

/// All files with this extension in a folder and its subfolders, sorted. Hidden files are skipped.
pub(in crate::project) fn list(folder: &Path, ending: &str) -> Vec<PathBuf> {
    FolderListing::of(&Disk, folder, ending, MAX_DEPTH).found
}

/// All files with this extension directly in a folder, sorted. Hidden files are skipped.
pub(in crate::project) fn list_here(folder: &Path, ending: &str) -> Vec<PathBuf> {
    FolderListing::of(&Disk, folder, ending, 0).found
}

/// The files with one extension in a folder.
#[derive(Default)]
struct FolderListing {
    /// Sorted.
    found: Vec<PathBuf>,
    /// The folders that cannot be listed. Ones that do not exist are empty.
    failed: Vec<(PathBuf, io::Error)>,
}

impl FolderListing {
    /// Lists a folder and its subfolders down to `depth`. Hidden files are skipped.
    fn of(fs: &dyn FileSystem, folder: &Path, ending: &str, depth: usize) -> Self {
        let mut listing = Self::default();
        listing.collect(fs, folder, ending, depth);
        listing.found.sort();
        listing
    }

    fn collect(&mut self, fs: &dyn FileSystem, folder: &Path, ending: &str, depth: usize) {
        let entries = match fs.entries(folder) {
            Ok(entries) => entries,
            Err(error) => return self.fail(folder, error),
        };
        for entry in entries {
            let path = folder.join(&entry.name);
            if entry.name.to_string_lossy().starts_with('.') {
                continue;
            }
            let kind = fs.kind(&path);
            if let Ok(PathKind::Folder) = kind {
                // A link to a folder above this one would recurse forever.
                let cycle = entry.is_link && !is_outside(fs, &path, folder);
                if depth > 0 && !cycle {
                    self.collect(fs, &path, ending, depth - 1);
                }
            } else if path.extension().is_some_and(|e| e == ending) {
                self.found.push(path);
            } else if let (Err(error), true) = (kind, depth > 0) {
                // Perhaps a folder.
                self.fail(&path, error);
            }
        }
    }

    fn fail(&mut self, folder: &Path, error: io::Error) {
        if error.kind() != io::ErrorKind::NotFound {
            self.failed.push((folder.to_path_buf(), error));
        }
    }
}

/// Finds a level by its name on the command line or in a test.
pub(in crate::project) fn find_level(root: &Path, name: &str) -> Result<PathBuf, Error> {
    let levels = root.join("levels");
    let with_ending = |p: PathBuf| p.with_file_name(format!("{}.toml", base_name(name)));
    let places = [PathBuf::from(name), root.join(name), levels.join(name)];
    for place in &places {
        if place.is_file() {
            return Ok(place.clone());
        }
    }
    for place in places {
        let place = with_ending(place);
        if place.is_file() {
            return Ok(place);
        }
    }
    // Suggest names with an extension only if the wrong one has it.
    let ending = if name.ends_with(".toml") { "" } else { ".toml" };
    let names: Vec<String> = list(&levels, "toml")
        .iter()
        .map(|path| name_of(&levels, path).trim_end_matches(ending).to_string())
        .collect();
    let hint = suggestion(name, names.iter().map(String::as_str).collect::<Vec<_>>());
    Err(Error::NoSuchLevel {
        name: name.into(),
        hint,
    })
}

fn base_name(name: &str) -> String {
    Path::new(name)
        .file_name()
        .map_or_else(String::new, |n| n.to_string_lossy().into_owned())
}
