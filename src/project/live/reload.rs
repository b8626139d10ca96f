//! Hot reload: a change on disk becomes the next revision, all or nothing.
//!
//! A worker thread waits for a change, reads everything until two readings are equal, builds a
//! candidate while the old revision runs, and hands it over. The game swaps it in between two ticks.
//! If the candidate has errors, they are reported and the last good revision stays until the files
//! are fixed.

use super::deadline::{Build, DEADLINE};
use super::revision::Revision;
use super::watch::{Signal, Watcher};
use crate::project::Error;
use crate::project::files::{GameFolder, SourceSet};
use crate::script::host::{Diagnostic, STACK, Settings};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The result of a change on disk.
#[derive(Debug)]
pub enum Notice {
    /// A new revision is ready for [`Live::adopt`](super::Live::adopt).
    Ready {
        /// The new revision; its number is one higher.
        revision: Arc<Revision>,
        /// The files that changed, by their paths below the game folder.
        changed: Vec<String>,
        /// The time from reading the files to the finished revision.
        took: Duration,
    },
    /// The files have errors. The running revision stays.
    Broken(Vec<Diagnostic>),
    /// The files are back to what the running revision was built from.
    Reverted,
}

/// How often all files are read again without any notification, for file systems that send none.
const RESCAN: Duration = Duration::from_secs(2);

/// A script that lost hooks counts as half-saved for this long.
const HALF_SAVED: Duration = Duration::from_secs(1);

/// Watches a game folder and builds new revisions of a level on its own thread. Stops when dropped.
pub struct Reloader {
    notices: Receiver<Notice>,
    signals: Sender<Signal>,
    worker: Option<JoinHandle<()>>,
}

impl Reloader {
    /// Starts watching. `running` is the current revision, built from the files in `folder` with
    /// `settings`.
    #[must_use]
    pub fn new(
        folder: impl Into<GameFolder>,
        level: PathBuf,
        settings: Settings,
        running: &Revision,
    ) -> Self {
        Self::with_deadline(folder, level, settings, running, DEADLINE)
    }

    /// Like [`Reloader::new`], with another limit on how long a single file may take to compile.
    #[must_use]
    pub fn with_deadline(
        folder: impl Into<GameFolder>,
        level: PathBuf,
        settings: Settings,
        running: &Revision,
        deadline: Duration,
    ) -> Self {
        let folder = folder.into();
        let root = folder.path().to_path_buf();
        let (signals, received) = channel();
        let (post, notices) = channel();
        let mut folders: Vec<PathBuf> = ["config", "scripts", "levels"]
            .map(|name| root.join(name))
            .to_vec();
        if let Some(folder) = level.parent().filter(|f| !f.starts_with(&root)) {
            folders.push(folder.to_path_buf());
        }
        let watcher = Watcher::new(&folders, folder.follows_links(), signals.clone());
        let mut worker = Worker {
            folder,
            level,
            settings,
            hz: running.stage.hz,
            number: running.number,
            live: running.hashes.clone(),
            hooks: running.hooks(),
            seen: running.hashes.clone(),
            half_saved: None,
            deadline,
            slow: None,
            reading: None,
        };
        let thread = std::thread::Builder::new()
            .name("reload".into())
            .stack_size(STACK)
            .spawn(move || {
                let _watcher = watcher;
                worker.run(&received, &post);
            });
        Self {
            notices,
            signals,
            worker: thread.ok(),
        }
    }

    /// Takes the notices since the last call. Never blocks.
    pub fn notices(&self) -> impl Iterator<Item = Notice> + '_ {
        self.notices.try_iter()
    }
}

impl Drop for Reloader {
    fn drop(&mut self) {
        // Sending fails if the worker has already ended.
        let _ = self.signals.send(Signal::Stop);
        if let Some(worker) = self.worker.take() {
            let _ = worker.join();
        }
    }
}

/// The content hash of each file.
type ContentHashes = BTreeMap<String, [u8; 32]>;

struct Worker {
    folder: GameFolder,
    level: PathBuf,
    settings: Settings,
    hz: u32,
    number: u64,
    /// The files that the running revision was built from.
    live: ContentHashes,
    /// The hooks of each script of the running revision.
    hooks: BTreeMap<String, Vec<String>>,
    /// The files of the last build, whether it succeeded or not.
    seen: ContentHashes,
    /// Files that look half-saved, and since when they have been like that.
    half_saved: Option<(ContentHashes, Instant)>,
    /// The longest time that a single file may take to compile.
    deadline: Duration,
    /// A build that exceeded the deadline, and the files it was made from.
    slow: Option<(Candidate, ContentHashes)>,
    /// A reading that exceeded the deadline. No other one is begun while it lasts.
    reading: Option<Build<SourceSet>>,
}

type Candidate = Build<Result<Revision, Error>>;

impl Worker {
    fn run(&mut self, signals: &Receiver<Signal>, post: &Sender<Notice>) {
        loop {
            let wait = self.half_saved.as_ref().map_or(RESCAN, |(_, since)| {
                HALF_SAVED.saturating_sub(since.elapsed())
            });
            match signals.recv_timeout(wait) {
                Ok(Signal::Stop) | Err(RecvTimeoutError::Disconnected) => return,
                Ok(Signal::Changed) | Err(RecvTimeoutError::Timeout) => {}
            }
            // One reading covers all changes reported so far.
            if signals.try_iter().any(|signal| signal == Signal::Stop) {
                return;
            }
            if let Some(notice) = self.look()
                && post.send(notice).is_err()
            {
                return;
            }
        }
    }

    /// Reads the files, and builds a candidate if they have changed.
    fn look(&mut self) -> Option<Notice> {
        let started = Instant::now();
        let sources = match self.read() {
            Ok(sources) => sources,
            Err(notice) => return notice,
        };
        let mut hashes = sources.hashes();
        // A file that cannot be read counts as a change.
        for wrong in &sources.unreadable {
            hashes.insert(wrong.headline(), [0; 32]);
        }
        let half_saved = self.half_saved.as_ref();
        let half_saved = half_saved.is_some_and(|(files, _)| *files == hashes);
        // A slow build is dropped if its files have changed since.
        if let Some((build, of)) = self.slow.take()
            && of == hashes
        {
            return self.wait_for(build, hashes, Duration::ZERO, started);
        }
        if hashes == self.seen && !half_saved {
            self.half_saved = None;
            return None;
        }
        if hashes == self.live {
            self.seen = hashes;
            self.half_saved = None;
            return Some(Notice::Reverted);
        }
        let (settings, number, hz) = (self.settings.clone(), self.number + 1, self.hz);
        let build = Build::start(move || Revision::build(&sources, &settings, number, Some(hz)));
        self.wait_for(build, hashes, self.deadline, started)
    }

    /// Reads the files. Reading that exceeds the deadline is reported once and continues; a file system
    /// may be slow or gone.
    fn read(&mut self) -> Result<SourceSet, Option<Notice>> {
        let slow = self.reading.take();
        let reported = slow.is_some();
        let reading = slow.unwrap_or_else(|| {
            let (folder, level) = (self.folder.clone(), self.level.clone());
            Build::start(move || SourceSet::read_settled(&folder, &level))
        });
        let deadline = if reported { Duration::ZERO } else { DEADLINE };
        reading.wait(deadline).map_err(|slow| {
            // What was given up altogether is incomplete.
            if matches!(slow, Error::CompileTimeout { .. }) {
                self.reading = Some(reading);
            }
            (!reported).then(|| Notice::Broken(slow.diagnostics()))
        })
    }

    /// Waits for a candidate. One that exceeds the deadline is reported once and asked again later.
    fn wait_for(
        &mut self,
        build: Candidate,
        hashes: ContentHashes,
        deadline: Duration,
        started: Instant,
    ) -> Option<Notice> {
        match build.wait(deadline) {
            Ok(built) => self.finish(built, hashes, started),
            Err(slow) => {
                let reported = self.seen == hashes;
                self.seen = hashes.clone();
                self.half_saved = None;
                // A build that takes too long altogether has stopped.
                if matches!(slow, Error::CompileTimeout { .. }) {
                    self.slow = Some((build, hashes));
                }
                (!reported).then(|| Notice::Broken(slow.diagnostics()))
            }
        }
    }

    /// Accepts or rejects a finished candidate, or waits longer if its files look half-saved.
    fn finish(
        &mut self,
        built: Result<Revision, Error>,
        hashes: ContentHashes,
        started: Instant,
    ) -> Option<Notice> {
        let revision = match built {
            Ok(revision) => revision,
            Err(wrong) => {
                // A missing file may come back: some programs save by removing and writing.
                let gone = self.live.keys().any(|name| !hashes.contains_key(name));
                if self.may_be_half_saved(gone, &hashes) {
                    return None;
                }
                self.seen = hashes;
                self.half_saved = None;
                return Some(Notice::Broken(wrong.diagnostics()));
            }
        };
        if self.may_be_half_saved(self.lost_hooks(&revision), &hashes) {
            return None;
        }
        let changed = changed_files(&self.live, &hashes);
        self.number += 1;
        self.hooks = revision.hooks();
        self.live = hashes.clone();
        self.seen = hashes;
        self.half_saved = None;
        let took = started.elapsed();
        Some(Notice::Ready {
            revision: Arc::new(revision),
            changed,
            took,
        })
    }

    /// Whether a script has fewer hooks than in the running revision.
    fn lost_hooks(&self, candidate: &Revision) -> bool {
        let now = candidate.hooks();
        self.hooks.iter().any(|(script, hooks)| {
            now.get(script)
                .is_some_and(|left| hooks.iter().any(|hook| !left.contains(hook)))
        })
    }

    /// Whether a save may still be in progress: something has been `lost` for less than a second.
    fn may_be_half_saved(&mut self, lost: bool, hashes: &ContentHashes) -> bool {
        match &self.half_saved {
            _ if !lost => false,
            Some((files, since)) if files == hashes => since.elapsed() < HALF_SAVED,
            _ => {
                self.half_saved = Some((hashes.clone(), Instant::now()));
                true
            }
        }
    }
}

/// The files whose content differs, and those that are gone.
fn changed_files(old: &ContentHashes, new: &ContentHashes) -> Vec<String> {
    let changed = new
        .iter()
        .filter(|(name, hash)| old.get(*name) != Some(*hash));
    let removed = old.iter().filter(|(name, _)| !new.contains_key(*name));
    changed
        .chain(removed)
        .map(|(name, _)| name.clone())
        .collect()
}
