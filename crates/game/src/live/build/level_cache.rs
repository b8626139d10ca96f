//! The levels that tests play, built once for all tests of a run.

use super::{
    deadline::within_deadline,
    revision::{Revision, SettingsFrom},
};
use crate::{
    Error,
    files::{
        GameFolder, SourceSet,
        sources::imports::{imported_files, with_imports},
    },
};
use hangtime_script::{BuildProgress, Settings, SourceFile, Sources};
use parking_lot::Mutex;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::Arc,
};

/// The largest number of levels whose files are kept, and of revisions.
const MOST_KEPT: usize = 64;

/// The most memory that the revisions may take together, in bytes, as [`Revision::memory`] estimates it.
const MOST_MEMORY: u64 = 256 << 20;

/// What a revision is built from: level, settings, number, the tick rate of the running game, and whether a test has made
/// the settings.
type RevisionKey = (PathBuf, Settings, u64, Option<u32>, SettingsFrom);

/// The texts of a game's files as they were when they were first needed, and the revisions that were
/// built from them. Revisions do not change, so tests can share them: a test that finds one here plays
/// as if it had built it itself.
#[derive(Debug)]
pub struct LevelCache {
    texts: Arc<LevelTexts>,
    built: Mutex<BuiltRevisions>,
}

#[derive(Debug)]
struct LevelTexts {
    folder: GameFolder,
    /// What all levels may depend on.
    shared: Mutex<Option<SourceSet>>,
    levels: Mutex<BTreeMap<PathBuf, Arc<SourceSet>>>,
    scripts: Mutex<Option<Arc<Sources>>>,
}

#[derive(Debug, Default)]
struct BuiltRevisions {
    all: BTreeMap<RevisionKey, Arc<Revision>>,
    memory: u64,
}

impl LevelCache {
    /// An empty cache for the game in this folder. No file is read yet.
    #[must_use]
    pub fn new(folder: GameFolder) -> Self {
        Self {
            texts: Arc::new(LevelTexts {
                folder,
                shared: Mutex::default(),
                levels: Mutex::default(),
                scripts: Mutex::default(),
            }),
            built: Mutex::default(),
        }
    }

    /// A cache with the same texts and without revisions: everything is built again.
    #[must_use]
    pub fn unbuilt(&self) -> Self {
        Self { texts: self.texts.clone(), built: Mutex::default() }
    }

    /// The scripts below `scripts/`, by their paths there. Reads files if it is the first call, so use
    /// [`within_deadline`].
    #[must_use]
    pub fn scripts(&self) -> Arc<Sources> {
        if let Some(scripts) = &*self.texts.scripts.lock() {
            return scripts.clone();
        }
        let shared = self.texts.shared();
        let scripts = Arc::new(shared.scripts());
        if !BuildProgress::is_cancelled() {
            *self.texts.scripts.lock() = Some(scripts.clone());
        }
        scripts
    }

    /// The scripts that a file imports, directly or through others, by path below the game folder.
    #[must_use]
    pub fn imports(&self, file: &SourceFile) -> BTreeSet<String> {
        let shared = self.texts.shared();
        let languages = shared.languages;
        with_imports(imported_files(file, languages, &shared.files), languages, &shared.files)
    }

    /// A level with settings. Those of a test or a client may lower the limits of scripts but not raise them. See
    /// [`Revision::build`] for the other parameters.
    ///
    /// # Errors
    /// The same as [`Project::open`](crate::Project::open), and one for each limit that is raised.
    pub fn open(
        &self,
        level: &Path,
        (settings, from): (&Settings, SettingsFrom),
        number: u64,
        running_hz: Option<u32>,
    ) -> Result<Arc<Revision>, Error> {
        let key: RevisionKey = (level.to_path_buf(), settings.clone(), number, running_hz, from);
        if let Some(revision) = self.built.lock().all.get(&key) {
            return Ok(revision.clone());
        }
        let (texts, wanted) = (self.texts.clone(), key.clone());
        let revision = within_deadline(move || {
            let (path, settings, number, running_hz, from) = wanted;
            let sources = texts.of_level(&path);
            Revision::build_from(&sources, &settings, number, running_hz, from)
        })??;
        let revision = Arc::new(revision);
        if revision.scripts.is_plain() {
            self.built.lock().keep(key, &revision);
        }
        Ok(revision)
    }
}

impl LevelTexts {
    fn shared(&self) -> SourceSet {
        let mut shared = self.shared.lock();
        if let Some(set) = &*shared {
            return set.clone();
        }
        let set = SourceSet::read_shared(&self.folder);
        // A reading that was given up may be incomplete.
        if !BuildProgress::is_cancelled() {
            *shared = Some(set.clone());
        }
        set
    }

    fn of_level(&self, path: &Path) -> Arc<SourceSet> {
        if let Some(set) = self.levels.lock().get(path) {
            return set.clone();
        }
        let set = Arc::new(self.shared().with_level(&self.folder, path));
        if !BuildProgress::is_cancelled() {
            let mut levels = self.levels.lock();
            if levels.len() >= MOST_KEPT {
                levels.clear();
            }
            // Another thread may have read it in the meantime; the first reading counts.
            return levels.entry(path.to_path_buf()).or_insert_with(|| set.clone()).clone();
        }
        set
    }
}

impl BuiltRevisions {
    fn keep(&mut self, key: RevisionKey, revision: &Arc<Revision>) {
        let memory = revision.memory();
        if self.all.len() >= MOST_KEPT || self.memory + memory > MOST_MEMORY {
            *self = Self::default();
        }
        if self.all.insert(key, revision.clone()).is_none() {
            self.memory += memory;
        }
    }
}
