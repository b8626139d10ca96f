//! A game folder.

use super::files::SourceSet;
use super::files::source::{find_level, list_here};
use super::{Error, Revision, within_deadline};
use std::path::{Path, PathBuf};

/// A game folder, with `config/`, `scripts/` and `levels/`.
#[derive(Clone, Debug)]
pub struct Project {
    root: PathBuf,
}

impl Project {
    /// Opens the game in this folder. Reads no file yet.
    ///
    /// # Errors
    /// [`Error::NoSuchFolder`] if the path is not a folder.
    pub fn load(root: impl Into<PathBuf>) -> Result<Self, Error> {
        let root = root.into();
        if root.is_dir() {
            Ok(Self { root })
        } else {
            Err(Error::NoSuchFolder { path: root })
        }
    }

    /// The path of the folder, as it was passed to [`Project::load`].
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Finds a level by name: as a path from the working directory, then from the game folder, then
    /// from `levels/`, with or without `.toml`.
    ///
    /// # Errors
    /// [`Error::NoSuchLevel`], with the closest name as a hint.
    pub fn find_level(&self, name: &str) -> Result<PathBuf, Error> {
        find_level(&self.root, name)
    }

    /// The levels directly in `levels/`, sorted. Subfolders, such as `levels/tests`, are left out.
    #[must_use]
    pub fn levels(&self) -> Vec<PathBuf> {
        list_here(&self.root.join("levels"), "toml")
    }

    /// Reads, checks and compiles everything that a level needs. Each setting is a dotted key and a
    /// value, such as `("platformer.jump_speed", "600")`, and overrides the files.
    ///
    /// # Errors
    /// [`Error::Invalid`] with every mistake in the files and settings, or
    /// [`Error::CompileTimeout`].
    pub fn open(&self, level: &Path, settings: &[(String, String)]) -> Result<Revision, Error> {
        let sources = SourceSet::read(&self.root, level);
        let settings = settings.to_vec();
        within_deadline(move || Revision::build(&sources, &settings, 1, None))?
    }
}
