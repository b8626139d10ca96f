//! The game folder, which files in it may be read, and how its scripts run.

use super::{
    endings::{GAME_FOLDERS, MODS},
    file_system::{FileSystem, PathKind, plain, usual_files},
    unwritten::UnwrittenFiles,
};
use crate::{Error, languages::LANGUAGES};
use hangtime_script::{Execution, Languages};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

/// A game folder, whether links that lead out of it are followed, and how its scripts are executed.
///
/// A game may come from anyone. What its files name – levels, demos, the input of tests – is read
/// only inside the folder, wherever links lead. The user may allow more, the content may not.
#[derive(Clone, Debug)]
pub struct GameFolder {
    path: PathBuf,
    files: Arc<dyn FileSystem>,
    follow_links: bool,
    execution: Execution,
    languages: Languages,
    /// Folders of mods, in addition to those in `mods/`.
    mods: Vec<PathBuf>,
}

impl GameFolder {
    /// The game in this folder. Links that lead out of it are not followed, and scripts are compiled.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self::of_files(path, usual_files())
    }

    /// The game in this folder of any file system, such as [`MemoryFiles`](crate::MemoryFiles).
    pub fn of_files(path: impl Into<PathBuf>, files: Arc<dyn FileSystem>) -> Self {
        let path = path.into();
        let execution = Execution::default();
        Self { path, files, follow_links: false, execution, languages: LANGUAGES, mods: Vec::new() }
    }

    /// The file system that the folder is in.
    pub(crate) fn files(&self) -> &dyn FileSystem {
        &*self.files
    }

    /// A file's name in messages: its path below the folder with `/`, or its full path.
    pub(crate) fn name_of(&self, path: &Path) -> String {
        name_in(self.files(), &self.path, path)
    }

    /// Whether there is a file or folder at a path.
    pub(crate) fn has(&self, path: &Path) -> bool {
        self.files.kind(path).is_ok()
    }

    /// Whether there is a file at a path.
    pub(crate) fn has_file(&self, path: &Path) -> bool {
        matches!(self.files.kind(path), Ok(PathKind::File(_)))
    }

    /// Whether there is a folder at a path.
    pub(crate) fn has_folder(&self, path: &Path) -> bool {
        matches!(self.files.kind(path), Ok(PathKind::Folder))
    }

    /// Adds the folders of mods that are not in the game's `mods/`, or not only there.
    ///
    /// # Errors
    /// [`Error::NoSuchFolder`] for the first one that is not a folder, and [`Error::NotAMod`] if it is the game itself,
    /// contains it, or has its files.
    pub fn with_mods(mut self, mods: &[PathBuf]) -> Result<Self, Error> {
        for path in mods {
            if !self.has_folder(path) {
                return Err(Error::NoSuchFolder { path: path.clone() });
            }
            self.check_mod(path)?;
            // What messages call it must not depend on the working directory.
            self.mods.push(lexical(path));
        }
        Ok(self)
    }

    /// Refuses a folder, which need not exist, that cannot be a mod: its files would be the game's own.
    ///
    /// # Errors
    /// [`Error::NotAMod`].
    pub(crate) fn check_mod(&self, folder: &Path) -> Result<(), Error> {
        let real = |path: &Path| self.files.resolve(path).unwrap_or_else(|_| missing(self.files(), path));
        // Both count: where its name says that it is, and where it really is.
        let places: [&dyn Fn(&Path) -> PathBuf; 2] = [&lexical, &real];
        let why = places.iter().find_map(|place| {
            let (root, inside) = (place(&self.path), place(folder));
            if root.starts_with(&inside) {
                return Some("this is the game, or contains it; a mod is another folder, such as `mods/NAME`");
            }
            let mut parts = inside.strip_prefix(&root).ok()?.components();
            let first = parts.next()?.as_os_str();
            if GAME_FOLDERS.iter().any(|name| first == *name) {
                return Some("these are files of the game itself; a mod is another folder, such as `mods/NAME`");
            }
            (first == MODS && parts.next().is_none())
                .then_some("this is the folder of all mods; name one of them, such as `mods/NAME`")
        });
        why.map_or(Ok(()), |why| Err(Error::NotAMod { path: folder.to_path_buf(), why }))
    }

    /// The folders of mods that were added.
    pub fn mods(&self) -> &[PathBuf] {
        &self.mods
    }

    /// The same for a folder with another path, such as the absolute one.
    pub fn at(self, path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), ..self }
    }

    /// The same folder with edits that are not written: the bytes of files by their paths below the folder, `None` for a file
    /// that is removed.
    pub fn with_edits(self, edits: &BTreeMap<String, Option<Vec<u8>>>) -> Self {
        let edits = edits.iter().map(|(name, bytes)| (self.path.join(name), bytes.clone()));
        Self { files: Arc::new(UnwrittenFiles::new(self.files.clone(), edits)), ..self }
    }

    /// The same folder, in which drafts take the place of files.
    #[cfg(feature = "disk")]
    pub fn with_drafts(self, drafts: &super::drafts::Drafts) -> Self {
        let below = self.files.clone();
        Self { files: Arc::new(super::drafts::DraftedFiles { below, drafts: drafts.clone() }), ..self }
    }

    /// Sets whether links and paths that lead out of the folder are followed.
    pub fn follow_links(self, follow_links: bool) -> Self {
        Self { follow_links, ..self }
    }

    /// Sets how scripts are executed. The game's own setting applies to
    /// [`Compiled`](Execution::Compiled) only.
    pub fn run_scripts(self, execution: Execution) -> Self {
        Self { execution, ..self }
    }

    /// How scripts are executed, unless the game's own setting turns the compiler off.
    pub fn execution(&self) -> Execution {
        self.execution
    }

    /// Sets the languages that its scripts may be written in.
    pub fn with_languages(self, languages: Languages) -> Self {
        Self { languages, ..self }
    }

    /// The languages that its scripts may be written in.
    pub fn languages(&self) -> Languages {
        self.languages
    }

    /// Whether links that lead out are followed.
    pub fn follows_links(&self) -> bool {
        self.follow_links
    }

    /// The path, as it was passed.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The real folders that may be read: this one and others that the user has named.
    pub(crate) fn bounds(&self, others: &[&Path]) -> AllowedFolders<'_> {
        let fs = self.files();
        let real = self.with_others(others).filter_map(|p| fs.resolve(p).ok()).collect();
        AllowedFolders { fs, real, everything: self.follow_links }
    }

    /// This folder, the folders of mods that were added, and the others.
    fn with_others<'a>(&'a self, others: &'a [&Path]) -> impl Iterator<Item = &'a Path> {
        let mods = self.mods.iter().map(PathBuf::as_path);
        others.iter().copied().chain([self.path()]).chain(mods)
    }

    /// Whether a path says that it is in this folder or in one of the others, wherever links lead.
    pub(crate) fn claims(&self, path: &Path, others: &[&Path]) -> bool {
        let path = lexical(path);
        let is_in = |folder: &Path| path.starts_with(lexical(folder));
        let claims = |p: &Path| is_in(p) || self.files.resolve(p).is_ok_and(|p| is_in(&p));
        self.follow_links || self.with_others(others).any(claims)
    }

    /// Refuses a file of this folder, named by the user, that is a link to somewhere else. Files
    /// elsewhere are the user's choice.
    pub(crate) fn check_chosen(&self, path: &Path) -> Result<(), Error> {
        if self.claims(path, &[]) { self.check(path, &[]) } else { Ok(()) }
    }

    /// Refuses a file, named by content, that is neither in this folder nor in one of the others.
    pub(crate) fn check(&self, path: &Path, others: &[&Path]) -> Result<(), Error> {
        if self.bounds(others).allow(path) {
            Ok(())
        } else {
            Err(Error::LeadsOut { file: self.name_of(path) })
        }
    }
}

impl<P: AsRef<Path>> From<P> for GameFolder {
    fn from(path: P) -> Self {
        Self::new(path.as_ref())
    }
}

impl From<&GameFolder> for GameFolder {
    fn from(folder: &GameFolder) -> Self {
        folder.clone()
    }
}

/// The real folders whose files may be read.
#[derive(Clone)]
pub(crate) struct AllowedFolders<'f> {
    fs: &'f dyn FileSystem,
    real: Vec<PathBuf>,
    everything: bool,
}

impl AllowedFolders<'_> {
    /// Whether the file or folder really lies inside. A missing one lies where its path says.
    pub fn allow(&self, path: &Path) -> bool {
        if self.everything {
            return true;
        }
        let real = self.fs.resolve(path).unwrap_or_else(|_| missing(self.fs, path));
        self.real.iter().any(|bound| real.starts_with(bound))
    }
}

/// The path of a file that does not exist, with the links of the folders that do resolved.
pub(super) fn missing(fs: &dyn FileSystem, path: &Path) -> PathBuf {
    let path = lexical(path);
    let mut known = path.as_path();
    while let Some(parent) = known.parent() {
        known = parent;
        if let (Ok(real), Ok(rest)) = (fs.resolve(known), path.strip_prefix(known)) {
            return real.join(rest);
        }
    }
    path
}

/// An absolute path without `.` and `..`.
pub(crate) fn lexical(path: &Path) -> PathBuf {
    plain(&std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf()))
}

/// A file's name in messages: its path below a folder with `/`, or its full path.
pub(crate) fn name_in(fs: &dyn FileSystem, root: &Path, path: &Path) -> String {
    let resolved = || {
        let (root, path) = (fs.resolve(root).ok()?, fs.resolve(path).ok()?);
        path.strip_prefix(root).ok().map(Path::to_path_buf)
    };
    let below = path.strip_prefix(root).map(Path::to_path_buf).ok().or_else(resolved);
    let name = below.unwrap_or_else(|| path.to_path_buf()).display().to_string();
    if cfg!(windows) { name.replace('\\', "/") } else { name }
}
