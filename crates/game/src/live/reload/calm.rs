//! Whether files have stopped changing: programs often write several files that belong together.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

/// The content hash of each file.
pub type ContentHashes = BTreeMap<String, [u8; 32]>;

/// A file that was saved alone some times before has to stay the same for this long. Files that are written within this
/// time of each other, as an editor's "save all" does, become one revision.
pub const SETTLE: Duration = Duration::from_millis(6);

/// A second file that changes within this time of such a file belongs to the same copy. Shorter than the time
/// in which people and programs see the effect of a save and make the next one.
const JOIN: Duration = Duration::from_millis(40);

/// Any other file, and several that have changed, have to stay the same for this long: they may be the
/// beginning of a copy. Longer than the pauses of a copy, `JOIN`, and short enough that the last of several files
/// takes effect within 90 ms. Reading, building and the next tick need the rest of that time.
pub const CALM: Duration = Duration::from_millis(45);

/// How often a file has to be saved alone. Once is not enough: a machine that stops for a moment in a copy
/// makes its first file look like that.
const ALONE: u32 = 2;

/// Files that never rest are adopted this often.
pub const LONGEST: Duration = Duration::from_secs(1);

/// The changes of the last moments.
pub(crate) struct CalmFiles {
    files: ContentHashes,
    /// The files that have changed since the folder was last calm.
    changed: BTreeSet<String>,
    /// The first of these changes, or the last adoption that did not wait for calm.
    first: Duration,
    latest: Duration,
    /// How often files were saved alone since they were last saved together with others. A person is editing
    /// such files, and waits for their effect.
    alone: BTreeMap<String, u32>,
}

impl CalmFiles {
    /// Starts with files that have been calm for long.
    pub fn new(files: ContentHashes) -> Self {
        Self { files, changed: BTreeSet::new(), first: Duration::ZERO, latest: Duration::ZERO, alone: BTreeMap::new() }
    }

    /// Notes what was read at a time.
    pub fn note(&mut self, files: &ContentHashes, now: Duration) {
        if *files == self.files {
            return;
        }
        let apart = if self.is_edit() { JOIN } else { CALM };
        if now.saturating_sub(self.latest) >= apart {
            self.changed.clear();
        }
        if self.changed.is_empty() {
            self.first = now;
        }
        self.changed.extend(changed_files(&self.files, files));
        if self.changed.len() >= 2 {
            // A program that writes them together will do so again.
            self.alone.retain(|name, _| !self.changed.contains(name));
        }
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
        } else {
            // It is kept among the changed files: another one may follow.
            for name in &self.changed {
                *self.alone.entry(name.clone()).or_default() += 1;
            }
        }
    }

    fn calm_at(&self) -> Duration {
        self.latest + if self.is_edit() { SETTLE } else { CALM }
    }

    /// Whether only one file has changed, and it was saved alone before.
    fn is_edit(&self) -> bool {
        let mut changed = self.changed.iter();
        let familiar = |name| self.alone.get(name).is_some_and(|count| *count >= ALONE);
        changed.next().is_none_or(familiar) && changed.next().is_none()
    }
}

/// The files whose content differs, and those that are gone.
pub(crate) fn changed_files(old: &ContentHashes, new: &ContentHashes) -> Vec<String> {
    let changed = new.iter().filter(|(name, hash)| old.get(*name) != Some(*hash));
    let removed = old.iter().filter(|(name, _)| !new.contains_key(*name));
    changed.chain(removed).map(|(name, _)| name.clone()).collect()
}

#[cfg(test)]
#[path = "../../../tests/unit/live/reload/calm.rs"]
mod tests;
