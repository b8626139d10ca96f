//! Reading the files of a game, all that one revision is made of at once.

use crate::script::host::names::suggestion;
use crate::script::host::{Diagnostic, Place, SourceFile};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Most bytes of a file that is no script.
const MOST_BYTES: u64 = 16 * 1024 * 1024;

/// The texts that a level may depend on, by their paths below the game folder.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SourceSet {
    /// Where the game is.
    pub root: PathBuf,
    /// The level's file on disk.
    pub level_path: PathBuf,
    /// The level's name: its path below the game folder, or its whole path outside of it.
    pub level: String,
    /// All files that could be read.
    pub files: BTreeMap<String, Arc<SourceFile>>,
    /// What is wrong with those that could not.
    pub unreadable: Vec<Diagnostic>,
}

impl SourceSet {
    /// Reads what a level may depend on: `config/`, `scripts/`, the level, and the input files
    /// beside it.
    #[must_use]
    pub fn read(root: &Path, level_path: &Path) -> Self {
        let mut set = Self {
            root: root.to_path_buf(),
            level_path: level_path.to_path_buf(),
            level: name_of(root, level_path),
            ..Self::default()
        };
        for (folder, ending) in [("config", "toml"), ("scripts", "rhai")] {
            let folder = root.join(folder);
            for path in list(&folder, ending) {
                if leads_out(&folder, &path) {
                    let why = "is a link that leads out of its folder; it is not followed";
                    let name = name_of(root, &path);
                    set.unreadable.push(Diagnostic::about_file(name, why));
                } else {
                    set.add(&path);
                }
            }
        }
        set.add(level_path);
        if let Some(folder) = level_path.parent() {
            for path in list_here(folder, "input") {
                set.add(&path);
            }
        }
        set
    }

    /// Reads until two readings in a row are equal: then nobody was writing in between.
    #[must_use]
    pub fn read_settled(root: &Path, level_path: &Path) -> Self {
        let mut last = Self::read(root, level_path);
        // An editor that writes in pieces is done within a few of these; one that never is done
        // is caught by the checks.
        for _ in 0..50 {
            let next = Self::read(root, level_path);
            if next == last {
                break;
            }
            last = next;
            std::thread::sleep(Duration::from_millis(2));
        }
        last
    }

    fn add(&mut self, path: &Path) {
        let name = name_of(&self.root, path);
        match read_text(path, &name) {
            Ok(file) => {
                self.files.insert(name, file);
            }
            Err(diagnostic) => self.unreadable.push(diagnostic),
        }
    }

    /// The file with this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Arc<SourceFile>> {
        self.files.get(name)
    }

    /// The files below a folder with this ending, as paths below that folder.
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

    /// The content hash of every file.
    #[must_use]
    pub fn hashes(&self) -> BTreeMap<String, [u8; 32]> {
        let hash = |file: &SourceFile| *blake3::hash(file.text.as_bytes()).as_bytes();
        self.files
            .iter()
            .map(|(name, file)| (name.clone(), hash(file)))
            .collect()
    }
}

/// A file's name in messages: its path below the root with `/`, or its whole path.
pub(super) fn name_of(root: &Path, path: &Path) -> String {
    let resolved = || {
        let (root, path) = (root.canonicalize().ok()?, path.canonicalize().ok()?);
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

/// Reads one text.
pub(super) fn read_text(path: &Path, name: &str) -> Result<Arc<SourceFile>, Diagnostic> {
    let wrong = |why: String| Diagnostic::about_file(name, why);
    let cannot = |e: std::io::Error| {
        if e.kind() == std::io::ErrorKind::NotFound {
            wrong("there is no such file".into())
        } else {
            wrong(format!("cannot be read: {e}"))
        }
    };
    let about = std::fs::metadata(path).map_err(cannot)?;
    if !about.is_file() {
        // Reading a pipe or a device may never end.
        return Err(wrong("this is not a file".into()));
    }
    let length = about.len();
    if length > MOST_BYTES {
        return Err(wrong(format!(
            "has {length} bytes; a file may have {MOST_BYTES}"
        )));
    }
    let bytes = std::fs::read(path).map_err(cannot)?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Arc::new(SourceFile {
            name: name.into(),
            // Some editors write a mark first that nobody sees.
            text: text.trim_start_matches('\u{feff}').to_string(),
        })),
        Err(e) => {
            let at = e.utf8_error().valid_up_to();
            let text = String::from_utf8_lossy(e.as_bytes()).into_owned();
            let file = Arc::new(SourceFile {
                name: name.into(),
                text,
            });
            Err(Diagnostic::error(
                Place::new(&file, at..at + 1),
                "this is not UTF-8 text",
            ))
        }
    }
}

/// Whether a file that was listed in a folder lies outside of it, behind a link: what a game reads is
/// what lies in its folders.
pub(super) fn leads_out(folder: &Path, path: &Path) -> bool {
    match (folder.canonicalize(), path.canonicalize()) {
        (Ok(folder), Ok(path)) => !path.starts_with(folder),
        // What is not there is told of when it is read.
        _ => false,
    }
}

/// All files with this ending in a folder and its subfolders, sorted. Hidden ones are left out.
pub(super) fn list(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    collect(folder, ending, &mut found, 8);
    found.sort();
    found
}

/// All files with this ending in a folder itself, sorted.
pub(super) fn list_here(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    collect(folder, ending, &mut found, 0);
    found.sort();
    found
}

fn collect(folder: &Path, ending: &str, found: &mut Vec<PathBuf>, depth: usize) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        if hidden {
            continue;
        }
        if path.is_dir() {
            // A link to a folder that this one lies in leads round and round.
            let round =
                entry.file_type().is_ok_and(|kind| kind.is_symlink()) && !leads_out(&path, folder);
            if depth > 0 && !round {
                collect(&path, ending, found, depth - 1);
            }
        } else if path.extension().is_some_and(|e| e == ending) {
            found.push(path);
        }
    }
}

/// Finds a level by its name on the command line or in a test.
pub(super) fn find_level(root: &Path, name: &str) -> Result<PathBuf, Diagnostic> {
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
    // With an ending if it was named with one.
    let ending = if name.ends_with(".toml") { "" } else { ".toml" };
    let names: Vec<String> = list(&levels, "toml")
        .iter()
        .map(|path| name_of(&levels, path).trim_end_matches(ending).to_string())
        .collect();
    let hint = suggestion(name, names.iter().map(String::as_str).collect::<Vec<_>>());
    Err(Diagnostic::about_file(
        name,
        format!("there is no such level{hint}"),
    ))
}

fn base_name(name: &str) -> String {
    Path::new(name)
        .file_name()
        .map_or_else(String::new, |n| n.to_string_lossy().into_owned())
}
