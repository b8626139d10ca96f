//! The levels that tests play, built once for all tests of a run.

use super::files::{GameFolder, SourceSet};
use super::live::{imported_files, with_imports};
use super::{Error, Revision, within_deadline};
use hangtime_script::{BuildProgress, Settings, SourceFile, Sources};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The largest number of levels whose files are kept, and of revisions.
const MOST_KEPT: usize = 64;

/// The most memory that the revisions may take together, in bytes, as [`Revision::memory`] estimates it.
const MOST_MEMORY: u64 = 256 << 20;

/// What a revision is built from: level, settings, number, the tick rate of the running game, and whether a test has made
/// the settings.
type RevisionKey = (PathBuf, Settings, u64, Option<u32>, bool);

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
        if let Some(scripts) = &*lock(&self.texts.scripts) {
            return scripts.clone();
        }
        let shared = self.texts.shared();
        let scripts = Arc::new(shared.scripts());
        if !BuildProgress::is_cancelled() {
            *lock(&self.texts.scripts) = Some(scripts.clone());
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

    /// A level with the settings that a test has made, which may lower the limits of scripts but not
    /// raise them. See [`Revision::build`] for the other parameters.
    ///
    /// # Errors
    /// Those of [`Project::open`](super::Project::open), and one for each limit that is raised.
    pub fn open_in_test(
        &self,
        level: &Path,
        settings: &Settings,
        number: u64,
        running_hz: Option<u32>,
    ) -> Result<Arc<Revision>, Error> {
        self.open_as((level.to_path_buf(), settings.clone(), number, running_hz, true))
    }

    /// The same with settings of the game's own player.
    ///
    /// # Errors
    /// Those of [`Project::open`](super::Project::open).
    pub fn open(
        &self,
        level: &Path,
        settings: &Settings,
        number: u64,
        running_hz: Option<u32>,
    ) -> Result<Arc<Revision>, Error> {
        self.open_as((level.to_path_buf(), settings.clone(), number, running_hz, false))
    }

    fn open_as(&self, key: RevisionKey) -> Result<Arc<Revision>, Error> {
        if let Some(revision) = lock(&self.built).all.get(&key) {
            return Ok(revision.clone());
        }
        let (texts, wanted) = (self.texts.clone(), key.clone());
        let revision = within_deadline(move || {
            let (path, settings, number, running_hz, in_test) = wanted;
            let sources = texts.of_level(&path);
            match in_test {
                true => Revision::build_in_test(&sources, &settings, number, running_hz),
                false => Revision::build(&sources, &settings, number, running_hz),
            }
        })??;
        let revision = Arc::new(revision);
        if revision.scripts.is_plain() {
            lock(&self.built).keep(key, &revision);
        }
        Ok(revision)
    }
}

impl LevelTexts {
    fn shared(&self) -> SourceSet {
        let mut shared = lock(&self.shared);
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
        if let Some(set) = lock(&self.levels).get(path) {
            return set.clone();
        }
        let set = Arc::new(self.shared().with_level(&self.folder, path));
        if !BuildProgress::is_cancelled() {
            let mut levels = lock(&self.levels);
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

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::LevelCache;
    use crate::files::GameFolder;
    use std::sync::Arc;

    const LEVEL: &str = "script = \"a.rhai\"\n\n[[solid]]\npoints = [[0, 0], [9, 0], [9, -9], [0, -9]]\n";

    fn folder(script: &str) -> (tempfile::TempDir, std::path::PathBuf, LevelCache) {
        let folder = tempfile::tempdir().expect("a folder");
        let level = folder.path().join("levels/level.toml");
        for (name, text) in [("levels/level.toml", LEVEL), ("scripts/a.rhai", script)] {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        }
        let cache = LevelCache::new(GameFolder::new(folder.path()));
        (folder, level, cache)
    }

    #[test]
    fn a_level_with_the_same_settings_is_built_once() {
        let (_folder, level, cache) = folder("const LIST = [1, 2, #{ a: vec(1, 2) }];");
        let open = |settings: &[(&str, &str)]| {
            let settings = settings.iter().map(|(k, v)| ((*k).into(), (*v).into()));
            let opened = cache.open_in_test(&level, &settings.collect(), 1, None);
            opened.expect("a good level")
        };
        let first = open(&[]);
        assert!(Arc::ptr_eq(&first, &open(&[])));
        let fast = open(&[("simulation.tick_hz", "120")]);
        assert_eq!((first.stage.hz, fast.stage.hz), (60, 120));
        let again = cache.unbuilt().open_in_test(&level, &Vec::new(), 1, None);
        assert!(!Arc::ptr_eq(&first, &again.expect("a good level")));
    }

    #[test]
    fn an_edit_during_a_run_waits_for_the_next_run() {
        let (_folder, level, cache) = folder("");
        let before = cache.open_in_test(&level, &Vec::new(), 1, None);
        std::fs::write(&level, "not = toml = at all").expect("a file");
        let later = cache.open_in_test(&level, &Vec::new(), 1, Some(60));
        assert!(before.is_ok() && later.is_ok());
    }

    #[test]
    fn constants_that_may_keep_state_are_not_shared() {
        for script in [
            "const F = { let x = 0; || { x += 1; x } };",
            "fn f() { let x = 0; || { x += 1; x } }\nconst F = f();",
            "const F = || 1;",
        ] {
            let (_folder, level, cache) = folder(script);
            let open = || cache.open_in_test(&level, &Vec::new(), 1, None);
            let (one, two) = (open().expect("a level"), open().expect("a level"));
            assert!(!Arc::ptr_eq(&one, &two), "{script}");
        }
    }
}
