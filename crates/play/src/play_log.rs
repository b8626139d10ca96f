//! What the levels that a test plays report to the runner.

use super::*;

/// What the levels of a test have reported so far; clones share it.
#[derive(Clone, Debug, Default)]
pub struct PlayLog(Arc<Mutex<PlayedLevels>>);

/// What the levels that a test has played have reported.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlayedLevels {
    /// The first difference that saving and loading made in heavy mode, or compiling a script call.
    pub divergence: Option<Divergence>,
    /// The hash of each level's world when the test dropped the level, in the order in which they were
    /// opened.
    pub hashes: Vec<u64>,
    /// The files that the levels were built from and the input files that they played, by path below the
    /// game folder. Only if the runner asks for them.
    pub files: Option<BTreeSet<String>>,
    /// Whether a level could not be built, so that it may depend on any file.
    pub broken: bool,
    /// Whether building a level took too long, which depends on the machine.
    pub timed_out: bool,
}

impl PlayLog {
    /// Clears it before the next test. `with_files` asks for the names of files.
    pub fn clear(&self, with_files: bool) {
        *self.0.lock() = PlayedLevels { files: with_files.then(BTreeSet::new), ..PlayedLevels::default() };
    }

    /// Takes what was reported.
    pub fn take(&self) -> PlayedLevels {
        mem::take(&mut *self.0.lock())
    }

    /// Counts a level that is opened, and returns its place among all of them.
    pub(super) fn open(&self, files: impl FnOnce() -> BTreeSet<String>) -> usize {
        let mut log = self.0.lock();
        if let Some(known) = &mut log.files {
            known.extend(files());
        }
        log.hashes.push(0);
        log.hashes.len() - 1
    }

    /// Adds the name of a file that a test uses.
    pub(super) fn use_file(&self, name: &str) {
        if let Some(known) = &mut self.0.lock().files {
            known.insert(name.to_string());
        }
    }

    /// Sets the last hash of a level.
    pub(super) fn close(&self, place: usize, hash: u64) {
        if let Some(last) = self.0.lock().hashes.get_mut(place) {
            *last = hash;
        }
    }

    /// Reports that a level could not be built.
    pub(super) fn fail(&self, timed_out: bool) {
        let mut log = self.0.lock();
        log.broken = true;
        log.timed_out |= timed_out;
    }

    /// Reports a difference that must not be; the first one counts.
    pub(super) fn diverge(&self, divergence: Divergence) {
        self.0.lock().divergence.get_or_insert(divergence);
    }
}
