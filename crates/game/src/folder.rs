//! A game folder.

use super::{Error, LevelCache, Revision, within_deadline};
use crate::files::{
    Config, GameFolder, KeyMap, SourceSet,
    sources::level_names::{all_levels, find_level, find_level_from, levels_here},
};
use hangtime_core::models::OwnActions;
use hangtime_script::text::cut_name;
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// A game folder, with `config/`, `scripts/` and `levels/`.
#[derive(Clone, Debug)]
pub struct Project {
    folder: GameFolder,
}

impl Project {
    /// Opens the game in this folder. Reads no file yet. Links that lead out of it are followed only if
    /// it is a [`GameFolder`] that allows that.
    ///
    /// # Errors
    /// [`Error::NoSuchFolder`] if the path is not a folder.
    pub fn load(folder: impl Into<GameFolder>) -> Result<Self, Error> {
        let folder = folder.into();
        if folder.has_folder(folder.path()) {
            Ok(Self { folder })
        } else {
            let path = folder.path().to_path_buf();
            Err(Error::NoSuchFolder { path })
        }
    }

    /// The path of the folder, as it was passed to [`Project::load`].
    pub fn root(&self) -> &Path {
        self.folder.path()
    }

    /// The folder, and whether links that lead out of it are followed.
    pub fn folder(&self) -> &GameFolder {
        &self.folder
    }

    /// An empty cache for its levels.
    pub fn level_cache(&self) -> Arc<LevelCache> {
        Arc::new(LevelCache::new(self.folder.clone()))
    }

    /// Finds a level by name: as a path from the working directory, then from the game folder, then
    /// from `levels/`, with or without `.toml`, `.tmx` or `.ldtk`. `world#Cave`
    /// is the level `Cave` of the project `levels/world.ldtk`.
    ///
    /// # Errors
    /// [`Error::NoSuchLevel`], with the closest name as a hint; [`Error::LeadsOut`] if it is a link in
    /// the game folder that leads out.
    pub fn find_level(&self, name: &str) -> Result<PathBuf, Error> {
        find_level(&self.folder, name)
    }

    /// Finds a level by its name in a file of the folder `from`: from there, then as
    /// [`find_level`](Project::find_level) does.
    ///
    /// # Errors
    /// [`Error::NoSuchLevel`], with the closest name as a hint; [`Error::LeadsOut`] if it is neither in
    /// the game folder nor in `from`.
    pub fn find_level_from(&self, from: &Path, name: &str) -> Result<PathBuf, Error> {
        find_level_from(&self.folder, from, name)
    }

    /// The path of a file or folder of the game, by its path below the game folder. Whether anything elsewhere exists does
    /// not show.
    ///
    /// # Errors
    /// [`Error::LeadsOut`] if it is not in the game folder, [`Error::NoSuchFile`] if it does not exist.
    pub fn path_inside(&self, name: &str) -> Result<PathBuf, Error> {
        let path = self.folder.path().join(name);
        let file = cut_name(name).into_owned();
        if !self.folder.claims(&path, &[]) {
            return Err(Error::LeadsOut { file });
        }
        if self.folder.has(&path) { Ok(path) } else { Err(Error::NoSuchFile { file }) }
    }

    /// The levels directly in `levels/`, sorted. Subfolders, such as `levels/tests`, are left out.
    pub fn levels(&self) -> Vec<PathBuf> {
        levels_here(&self.folder)
    }

    /// The levels in `levels/` and its subfolders, sorted by their paths.
    pub fn all_levels(&self) -> Vec<PathBuf> {
        all_levels(&self.folder)
    }

    /// The actions that the game defines in `[keys]`, for [`InputScript::parse_with`](super::InputScript::parse_with).
    pub fn own_actions(&self) -> OwnActions {
        self.keys().own_actions().clone()
    }

    /// The keys of players and of the window, as `[keys]` sets them. Mistakes in that file leave the defaults.
    pub fn keys(&self) -> KeyMap {
        Config::of(&self.folder).keys
    }

    /// Reads, checks and compiles everything that a level needs. Each setting is a dotted key and a
    /// value, such as `("platformer.jump_speed", "600")`, and overrides the files.
    ///
    /// # Errors
    /// [`Error::Invalid`] with every mistake in the files and settings, or with the first ones of very
    /// many; [`Error::CompileTimeout`] or [`Error::BuildTimeout`].
    pub fn open(&self, level: &Path, settings: &[(String, String)]) -> Result<Revision, Error> {
        let (folder, level) = (self.folder.clone(), level.to_path_buf());
        let settings = settings.to_vec();
        within_deadline(move || {
            let sources = SourceSet::read(&folder, &level);
            Revision::build(&sources, &settings, 1, None)
        })?
    }
}
