//! Levels that scripts play after the one that runs.

use crate::{
    Error, LevelCache,
    files::{GameFolder, sources::level_names::find_level_from},
    live::build::revision::{Revision, SettingsFrom},
};
use hangtime_script::Settings;
use parking_lot::Mutex;
use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

/// The number of levels that cannot be played whose reasons are remembered.
const MOST_KEPT: usize = 64;

/// Where a running game finds the other levels that its scripts play. Each is read and built once, so a circle of levels
/// costs no more than its worlds.
#[derive(Debug)]
pub struct OtherLevels {
    folder: GameFolder,
    /// The folder in which names are looked up first.
    from: PathBuf,
    cache: Arc<LevelCache>,
    settings: Settings,
    made_by: SettingsFrom,
    /// Why levels cannot be played, by the name that a script has used.
    failed: Mutex<BTreeMap<String, String>>,
}

impl OtherLevels {
    /// The levels of a game, under these settings.
    pub fn of_game(folder: GameFolder, settings: Settings) -> Self {
        Self::of_settings(folder, (settings, SettingsFrom::Player))
    }

    /// The same under settings that others may have made.
    pub fn of_settings(folder: GameFolder, (settings, made_by): (Settings, SettingsFrom)) -> Self {
        let cache = Arc::new(LevelCache::new(folder.clone()));
        let from = folder.path().join("levels");
        Self { folder, from, cache, settings, made_by, failed: Mutex::default() }
    }

    /// The levels that a test in the folder `from` plays, with the test's settings.
    pub fn of_test(folder: GameFolder, from: PathBuf, cache: Arc<LevelCache>, settings: Settings) -> Self {
        Self { folder, from, cache, settings, made_by: SettingsFrom::Test, failed: Mutex::default() }
    }

    /// A level by the name that a script has used, for a game at this tick rate.
    ///
    /// # Errors
    /// Why it cannot be played, one line per mistake.
    pub fn open(&self, name: &str, number: u64, hz: u32) -> Result<Arc<Revision>, String> {
        if let Some(reason) = self.failed.lock().get(name) {
            return Err(reason.clone());
        }
        self.build(name, number, hz).map_err(|error| {
            let reason = error.to_string();
            let mut failed = self.failed.lock();
            if failed.len() >= MOST_KEPT {
                failed.clear();
            }
            failed.insert(name.to_string(), reason.clone());
            reason
        })
    }

    fn build(&self, name: &str, number: u64, hz: u32) -> Result<Arc<Revision>, Error> {
        let path = find_level_from(&self.folder, &self.from, name)?;
        self.cache.open(&path, (&self.settings, self.made_by), number, Some(hz))
    }
}
