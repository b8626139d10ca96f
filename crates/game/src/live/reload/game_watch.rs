//! Waiting for edits of any file of a game.

use super::{
    fingerprints::Fingerprints,
    watch::{Signal, Watcher, watch},
};
use crate::files::GameFolder;
use std::{
    collections::BTreeSet,
    path::PathBuf,
    sync::mpsc::{Receiver, channel},
    time::{Duration, Instant},
};

/// How long files must stay the same after an edit, so that files that are saved together are one edit.
const CALM: Duration = Duration::from_millis(60);

/// How often files are compared on file systems that send no events.
const RESCAN: Duration = Duration::from_secs(2);

/// The longest that files may keep changing before a change is reported.
const LONGEST: Duration = Duration::from_secs(2);

/// Reports which files of a game change.
pub struct GameWatch {
    folder: GameFolder,
    /// Folders outside of the game that the user has named.
    others: Vec<PathBuf>,
    known: Fingerprints,
    signals: Receiver<Signal>,
    watcher: Watcher,
    scanned: Instant,
}

impl GameWatch {
    /// Watches a game, and files directly in other folders, from now on.
    pub fn new(folder: GameFolder, others: Vec<PathBuf>) -> Self {
        let known = Fingerprints::read(&folder, &others);
        let (send, signals) = channel();
        let root = folder.path().to_path_buf();
        let watcher = watch(root, known.folders.clone(), send);
        Self { folder, others, known, signals, watcher, scanned: Instant::now() }
    }

    /// Waits for a change at most this long. Returns the files that have changed since the last call, by
    /// path below the game folder, once they stay the same; none if there was no change.
    pub fn wait(&mut self, longest: Duration) -> BTreeSet<String> {
        let signaled = self.signals.recv_timeout(longest).is_ok();
        if !signaled && self.scanned.elapsed() < RESCAN {
            return BTreeSet::new();
        }
        while self.signals.try_recv().is_ok() {}
        let mut now = Fingerprints::read(&self.folder, &self.others);
        let started = Instant::now();
        while now != self.known && started.elapsed() < LONGEST {
            std::thread::sleep(CALM);
            while self.signals.try_recv().is_ok() {}
            let later = Fingerprints::read(&self.folder, &self.others);
            if later == now {
                break;
            }
            now = later;
        }
        self.scanned = Instant::now();
        let changed = self.known.changes(&now);
        self.watcher.follow(&now.folders);
        self.known = now;
        changed
    }
}
