//! Whether files have stopped changing: programs often write several files that belong together.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// The content hash of each file.
pub(super) type ContentHashes = BTreeMap<String, [u8; 32]>;

/// A single file that changed has to stay the same for this long. Files that are written within this time
/// of each other, as an editor's "save all" does, become one revision.
pub(super) const SETTLE: Duration = Duration::from_millis(6);

/// A second file that changes within this time of the first belongs to the same copy. Shorter than the time
/// in which people and programs see the effect of a save and make the next one.
const JOIN: Duration = Duration::from_millis(40);

/// Then all files have to stay the same for this long: the copy is in progress.
pub(super) const CALM: Duration = Duration::from_millis(60);

/// Files that never rest are adopted this often.
pub(super) const LONGEST: Duration = Duration::from_secs(1);

/// The changes of the last moments.
pub(super) struct Calm {
    files: ContentHashes,
    /// The files that have changed since the folder was last calm.
    changed: BTreeSet<String>,
    /// The first of these changes, or the last adoption that did not wait for calm.
    first: Duration,
    latest: Duration,
}

impl Calm {
    /// Starts with files that have been calm for long.
    pub fn new(files: ContentHashes) -> Self {
        Self {
            files,
            changed: BTreeSet::new(),
            first: Duration::ZERO,
            latest: Duration::ZERO,
        }
    }

    /// Notes what was read at a time.
    pub fn note(&mut self, files: &ContentHashes, now: Duration) {
        if *files == self.files {
            return;
        }
        let apart = if self.changed.len() < 2 { JOIN } else { CALM };
        if now.saturating_sub(self.latest) >= apart {
            self.changed.clear();
        }
        if self.changed.is_empty() {
            self.first = now;
        }
        self.changed.extend(changed_files(&self.files, files));
        self.files = files.clone();
        self.latest = now;
    }

    /// How long the files still have to stay the same.
    pub fn left(&self, now: Duration) -> Duration {
        let most = self.first + LONGEST;
        self.calm_at().min(most).saturating_sub(now)
    }

    /// Notes that these files are adopted or reported.
    pub fn accepted(&mut self, now: Duration) {
        if self.calm_at() > now {
            self.first = now;
        } else if self.changed.len() >= 2 {
            self.changed.clear();
        }
    }

    fn calm_at(&self) -> Duration {
        let single = self.changed.len() < 2;
        self.latest + if single { SETTLE } else { CALM }
    }
}

/// The files whose content differs, and those that are gone.
pub(super) fn changed_files(old: &ContentHashes, new: &ContentHashes) -> Vec<String> {
    let changed = new
        .iter()
        .filter(|(name, hash)| old.get(*name) != Some(*hash));
    let removed = old.iter().filter(|(name, _)| !new.contains_key(*name));
    changed
        .chain(removed)
        .map(|(name, _)| name.clone())
        .collect()
}
