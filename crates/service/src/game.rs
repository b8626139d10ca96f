//! A game folder whose levels are served.

use super::*;
use hangtime_game::{LevelCache, OtherLevels, Project, SettingsFrom, SourceSet, within_deadline};

/// The contents of a level's files, by their names.
type FileHashes = BTreeMap<String, [u8; 32]>;

/// A game folder. Worlds of the same level and settings share what was built from the files, for as long as the files
/// stay the same.
#[derive(Debug)]
pub struct ServedGame {
    project: Project,
    /// The source of its worlds' settings.
    settings_from: SettingsFrom,
    built: Mutex<BuiltGame>,
}

/// What was built from the files as they were.
#[derive(Debug)]
struct BuiltGame {
    cache: Arc<LevelCache>,
    /// The files of each level that was built, at that time.
    files: BTreeMap<PathBuf, FileHashes>,
}

impl BuiltGame {
    fn new(project: &Project) -> Self {
        Self { cache: project.level_cache(), files: BTreeMap::new() }
    }
}

/// How often a level is built before files that change all the time are taken as they were.
const MOST_TRIES: u32 = 3;

impl ServedGame {
    /// Serves the game in this folder. No file is read yet.
    ///
    /// # Errors
    /// If the path is not a folder.
    pub fn load(folder: impl Into<GameFolder>) -> Result<Self, Error> {
        Ok(Self::of(Project::load(folder)?, SettingsFrom::Player))
    }

    fn of(project: Project, settings_from: SettingsFrom) -> Self {
        Self { built: Mutex::new(BuiltGame::new(&project)), settings_from, project }
    }

    /// The same game for clients. Their settings cannot raise script limits above the game's own.
    pub(super) fn for_clients(&self) -> Self {
        Self::of(self.project.clone(), SettingsFrom::Client)
    }

    /// The game.
    pub fn project(&self) -> &Project {
        &self.project
    }

    /// Finds a level of the game by its name or its path below the game folder. Clients see no files elsewhere.
    ///
    /// # Errors
    /// If the game has no such level, with the nearest name.
    pub(super) fn find_level(&self, name: &str) -> Result<PathBuf, Error> {
        let levels = self.project.root().join("levels");
        self.project.find_level_from(&levels, name)
    }

    /// Builds revision `number` of a level from the files as they are now. A running world keeps its tick rate.
    ///
    /// # Errors
    /// The mistakes in files and settings.
    pub(super) fn revision(
        &self,
        level: &Path,
        settings: &Settings,
        number: u64,
        running_hz: Option<u32>,
    ) -> Result<Arc<Revision>, ServiceError> {
        let mut tries = 0;
        loop {
            tries += 1;
            let (folder, path) = (self.project.folder().clone(), level.to_path_buf());
            let files = within_deadline(move || SourceSet::read(&folder, &path).hashes())?;
            let cache = self.cache_for(level, files.clone());
            let revision = cache.open(level, (settings, self.settings_from), number, running_hz);
            let is_present = |revision: &Arc<Revision>| revision.hashes == files;
            // The cache may have read a file just before it was saved, and files that are saved all the time have to do.
            if tries == MOST_TRIES || revision.as_ref().is_ok_and(is_present) {
                return Ok(revision?);
            }
            let mut built = self.built.lock();
            if Arc::ptr_eq(&built.cache, &cache) {
                *built = BuiltGame::new(&self.project);
            }
            if let Err(error) = revision
                && tries > 1
            {
                return Err(error.into());
            }
        }
    }

    /// The cache, an empty one if a file has changed since the level was built.
    fn cache_for(&self, level: &Path, files: FileHashes) -> Arc<LevelCache> {
        let mut built = self.built.lock();
        let changed = match built.files.get(level) {
            Some(known) => *known != files,
            // Files that all levels share may have been read long ago.
            None => !built.files.is_empty() && !built.files.values().any(|all| shares(all, &files)),
        };
        if changed {
            *built = BuiltGame::new(&self.project);
        }
        // Before it is built: the cache keeps the texts of files with mistakes, too, and has to go once they are mended.
        built.files.insert(level.into(), files);
        built.cache.clone()
    }

    /// The levels that scripts of a world can play after its own.
    pub(super) fn other_levels(&self, settings: Settings) -> Arc<OtherLevels> {
        Arc::new(OtherLevels::of_settings(self.project.folder().clone(), (settings, self.settings_from)))
    }
}

/// Whether the files that two levels have in common are the same.
fn shares(one: &FileHashes, other: &FileHashes) -> bool {
    fn shared(files: &FileHashes) -> impl Iterator<Item = (&String, &[u8; 32])> {
        files
            .iter()
            .filter(|(name, _)| !name.starts_with("levels/") && !name.contains("/levels/"))
    }
    shared(one).eq(shared(other))
}
