//! The reload: a change on disk becomes the next revision, whole or not at all.
//!
//! On a worker thread: wait until something changes, read everything twice until both readings
//! are equal, build a candidate beside the running revision, check all of it, hand it over. The
//! game swaps it in between two ticks. What cannot be built is told, and the last good revision
//! runs on until it is mended.

use super::build::{Build, DEADLINE};
use super::watch::{Wake, Watcher};
use super::{Revision, SourceSet};
use crate::script::host::{Diagnostic, Settings};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// What came of a change on disk.
#[derive(Debug)]
pub enum Notice {
    /// A new revision is ready to be adopted.
    Ready {
        /// The revision.
        revision: Arc<Revision>,
        /// The files that changed.
        changed: Vec<String>,
        /// How long reading, building and checking took.
        took: Duration,
    },
    /// The files have mistakes; the running revision stays.
    Broken(Vec<Diagnostic>),
    /// The files are again as the running revision has them.
    Mended,
}

/// How often everything is looked at even if nobody told of a change: for file systems that
/// send nothing.
const RESCAN: Duration = Duration::from_secs(2);

/// For how long a script that has lost hooks is taken for one that is being saved.
const TORN: Duration = Duration::from_secs(1);

/// Watches a game folder and builds revisions of a level. Stops when dropped.
pub struct Reloader {
    notices: Receiver<Notice>,
    wake: Sender<Wake>,
    worker: Option<JoinHandle<()>>,
}

impl Reloader {
    /// Begins with the revision that runs, made from `settings` over the files in `root`.
    #[must_use]
    pub fn new(root: PathBuf, level: PathBuf, settings: Settings, running: &Revision) -> Self {
        Self::with_deadline(root, level, settings, running, DEADLINE)
    }

    /// The same, with another time that a single file may take to compile before that is told.
    #[must_use]
    pub fn with_deadline(
        root: PathBuf,
        level: PathBuf,
        settings: Settings,
        running: &Revision,
        deadline: Duration,
    ) -> Self {
        let (wake, woken) = channel();
        let (post, notices) = channel();
        let mut folders: Vec<PathBuf> = ["config", "scripts", "levels"]
            .map(|name| root.join(name))
            .to_vec();
        if let Some(folder) = level.parent().filter(|f| !f.starts_with(&root)) {
            folders.push(folder.to_path_buf());
        }
        let watcher = Watcher::new(&folders, wake.clone());
        let mut worker = Worker {
            root,
            level,
            settings,
            hz: running.stage.hz,
            number: running.number,
            live: running.hashes.clone(),
            hooks: running.hooks(),
            seen: running.hashes.clone(),
            torn: None,
            deadline,
            late: None,
        };
        let thread = std::thread::Builder::new()
            .name("reload".into())
            .stack_size(crate::script::host::STACK)
            .spawn(move || {
                let _watcher = watcher;
                worker.run(&woken, &post);
            });
        Self {
            notices,
            wake,
            worker: thread.ok(),
        }
    }

    /// What came of changes since this was last asked. Never waits.
    pub fn notices(&self) -> impl Iterator<Item = Notice> + '_ {
        self.notices.try_iter()
    }
}

impl Drop for Reloader {
    fn drop(&mut self) {
        // The worker may have ended by itself.
        let _ = self.wake.send(Wake::Stop);
        if let Some(worker) = self.worker.take() {
            let _ = worker.join();
        }
    }
}

type Hashes = BTreeMap<String, [u8; 32]>;

struct Worker {
    root: PathBuf,
    level: PathBuf,
    settings: Settings,
    hz: u32,
    number: u64,
    /// Of the revision that runs.
    live: Hashes,
    hooks: BTreeMap<String, Vec<String>>,
    /// Of what was last built, good or bad.
    seen: Hashes,
    /// Since when files are as they are and lack hooks.
    torn: Option<(Hashes, Instant)>,
    /// How long a single file may take.
    deadline: Duration,
    /// What took longer, and what it is made of.
    late: Option<(Candidate, Hashes)>,
}

type Candidate = Build<Result<Revision, Vec<Diagnostic>>>;

impl Worker {
    fn run(&mut self, woken: &Receiver<Wake>, post: &Sender<Notice>) {
        loop {
            let wait = self
                .torn
                .as_ref()
                .map_or(RESCAN, |(_, since)| TORN.saturating_sub(since.elapsed()));
            match woken.recv_timeout(wait) {
                Ok(Wake::Stop) | Err(RecvTimeoutError::Disconnected) => return,
                Ok(Wake::Changed) | Err(RecvTimeoutError::Timeout) => {}
            }
            // One reading answers all changes that were told of so far.
            if woken.try_iter().any(|wake| wake == Wake::Stop) {
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
        let sources = SourceSet::read_settled(&self.root, &self.level);
        let mut hashes = sources.hashes();
        // A file that cannot be read is a change, too.
        for wrong in &sources.unreadable {
            hashes.insert(wrong.headline(), [0; 32]);
        }
        let torn = self.torn.as_ref().is_some_and(|(torn, _)| *torn == hashes);
        // What is made of files that have changed since is left to itself.
        if let Some((build, of)) = self.late.take()
            && of == hashes
        {
            return self.wait_for(build, hashes, Duration::ZERO, started);
        }
        if hashes == self.seen && !torn {
            self.torn = None;
            return None;
        }
        if hashes == self.live {
            self.seen = hashes;
            self.torn = None;
            return Some(Notice::Mended);
        }
        let (settings, number, hz) = (self.settings.clone(), self.number + 1, self.hz);
        let build = Build::start(move || Revision::build(&sources, &settings, number, Some(hz)));
        self.wait_for(build, hashes, self.deadline, started)
    }

    /// Waits for a candidate; one that takes too long is told of once and asked again later.
    fn wait_for(
        &mut self,
        build: Candidate,
        hashes: Hashes,
        deadline: Duration,
        started: Instant,
    ) -> Option<Notice> {
        match build.wait(deadline) {
            Ok(built) => self.judge(built, hashes, started),
            Err(late) => {
                let told = self.seen == hashes;
                self.seen = hashes.clone();
                self.torn = None;
                self.late = Some((build, hashes));
                (!told).then(|| Notice::Broken(vec![late]))
            }
        }
    }

    /// What comes of a candidate.
    fn judge(
        &mut self,
        built: Result<Revision, Vec<Diagnostic>>,
        hashes: Hashes,
        started: Instant,
    ) -> Option<Notice> {
        let revision = match built {
            Ok(revision) => revision,
            Err(wrong) => {
                // A file that is gone may be on its way back: some programs remove and write.
                let gone = self.live.keys().any(|name| !hashes.contains_key(name));
                if self.may_be_torn(gone, &hashes) {
                    return None;
                }
                self.seen = hashes;
                self.torn = None;
                return Some(Notice::Broken(wrong));
            }
        };
        if self.may_be_torn(self.lost_hooks(&revision), &hashes) {
            return None;
        }
        let changed = changed_files(&self.live, &hashes);
        self.number += 1;
        self.hooks = revision.hooks();
        self.live = hashes.clone();
        self.seen = hashes;
        self.torn = None;
        let took = started.elapsed();
        Some(Notice::Ready {
            revision: Arc::new(revision),
            changed,
            took,
        })
    }

    /// Whether a script that was there has lost hooks.
    fn lost_hooks(&self, candidate: &Revision) -> bool {
        let now = candidate.hooks();
        self.hooks.iter().any(|(script, hooks)| {
            now.get(script)
                .is_some_and(|left| hooks.iter().any(|hook| !left.contains(hook)))
        })
    }

    /// Whether something is `lost`, and not for a second yet: then it may be part of a save that
    /// is still going on.
    fn may_be_torn(&mut self, lost: bool, hashes: &Hashes) -> bool {
        match &self.torn {
            _ if !lost => false,
            Some((torn, since)) if torn == hashes => since.elapsed() < TORN,
            _ => {
                self.torn = Some((hashes.clone(), Instant::now()));
                true
            }
        }
    }
}

fn changed_files(old: &Hashes, new: &Hashes) -> Vec<String> {
    let changed = new
        .iter()
        .filter(|(name, hash)| old.get(*name) != Some(*hash));
    let removed = old.iter().filter(|(name, _)| !new.contains_key(*name));
    changed
        .chain(removed)
        .map(|(name, _)| name.clone())
        .collect()
}
