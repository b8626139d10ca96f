//! Hot reload: a change on disk becomes the next revision, all or nothing.
//!
//! A worker thread waits for a change, reads everything until two readings are equal, builds a
//! candidate while the old revision runs, and hands it over. The game swaps it in between two ticks.
//! If the candidate has errors, they are reported and the last good revision stays until the files
//! are fixed.

use super::{
    machine::{CandidateBuilder, Notice, Readout, ReloadMachine, RunningRevision, ScriptHooks},
    watch::{Signal, Watcher, watch},
};
use crate::{
    Error,
    background::spawn,
    files::{
        GameFolder, SourceSet,
        disk::endings::MODS,
        media::sounds::{SOUNDS, Sounds},
        sources::pictures::{PICTURES, Sheets},
    },
    live::build::{
        deadline::{Build, DEADLINE},
        revision::Revision,
    },
};
use hangtime_script::{BuildProgress, Diagnostic, Settings};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    },
    thread::JoinHandle,
    time::Duration,
};

/// Watches a game folder and builds new revisions of a level on its own thread. Stops when dropped.
pub struct Reloader {
    notices: Receiver<Notice>,
    signals: Sender<Signal>,
    /// Set when the worker should stop waiting.
    stopped: Arc<AtomicBool>,
    worker: Option<JoinHandle<()>>,
}

impl Reloader {
    /// Starts watching. `running` is the current revision, built from the files in `folder` with
    /// `settings`.
    pub fn new(folder: impl Into<GameFolder>, level: PathBuf, settings: Settings, running: &Revision) -> Self {
        Self::with_deadline(folder, level, settings, running, DEADLINE)
    }

    /// Like [`Reloader::new`], with another limit on how long a single file may take to compile.
    pub fn with_deadline(
        folder: impl Into<GameFolder>,
        level: PathBuf,
        settings: Settings,
        running: &Revision,
        deadline: Duration,
    ) -> Self {
        let folder = folder.into();
        let root = folder.path();
        let (signals, received) = channel();
        let (post, notices) = channel();
        let mut folders: BTreeSet<PathBuf> = ["", "config", "scripts", "levels", PICTURES, SOUNDS, MODS]
            .map(|name| root.join(name))
            .into();
        folders.extend(level.parent().map(Path::to_path_buf));
        let watcher = watch(root.to_path_buf(), folders, signals.clone());
        let stopped = Arc::new(AtomicBool::new(false));
        let builder = RevisionWorkshop {
            folder,
            level,
            settings,
            hz: running.stage.hz,
            mods: folders_of_mods(running),
            sheets: running.art.sheets.clone(),
            sounds: running.sounds.files.clone(),
            deadline,
            stopped: stopped.clone(),
            watch: watcher.clone(),
        };
        let running = RunningRevision {
            number: running.number,
            hashes: running.hashes.clone(),
            files: running.files.clone(),
            hooks: running.hooks(),
        };
        let machine = ReloadMachine::new(builder.folder.clone(), builder, running);
        let thread = spawn("reload", move || run(machine, &received, &post));
        Self { notices, signals, stopped, worker: thread.ok() }
    }

    /// Takes the notices since the last call. Never blocks.
    pub fn notices(&self) -> impl Iterator<Item = Notice> + '_ {
        self.notices.try_iter()
    }

    /// Looks at the files now, because something has changed that no file system reports.
    pub fn look(&self) {
        // Sending fails if the worker has ended.
        let _ = self.signals.send(Signal::Changed);
    }

    /// The user has started the level again: the numbers of files that are gone give way to the defaults.
    pub fn restarted(&self) {
        // Sending fails if the worker has ended.
        let _ = self.signals.send(Signal::Restarted);
    }
}

impl Drop for Reloader {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
        // Sending fails if the worker has already ended.
        let _ = self.signals.send(Signal::Stop);
        if let Some(worker) = self.worker.take() {
            let _ = worker.join();
        }
    }
}

/// Looks at the files after every signal, and at the latest when the machine's patience ends.
fn run(mut machine: ReloadMachine<RevisionWorkshop>, signals: &Receiver<Signal>, post: &Sender<Notice>) {
    loop {
        let first = match signals.recv_timeout(machine.patience()) {
            Ok(signal) => Some(signal),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => return,
        };
        // One reading covers all changes reported so far.
        for signal in first.into_iter().chain(signals.try_iter()) {
            match signal {
                Signal::Stop => return,
                Signal::Restarted => machine.restarted(),
                Signal::Changed => {}
            }
        }
        if let Some(notice) = machine.look()
            && post.send(notice.shared()).is_err()
        {
            return;
        }
    }
}

/// Reads files and builds revisions, each on a thread that can be left behind, and each file within a
/// deadline.
struct RevisionWorkshop {
    folder: GameFolder,
    level: PathBuf,
    settings: Settings,
    hz: u32,
    /// The folders of the mods that run.
    mods: BTreeSet<String>,
    /// The pictures of the running revision, which are shown while a file is broken.
    sheets: Sheets,
    /// Its sounds, which are played in the same way.
    sounds: Sounds,
    /// The longest time that a single file may take to compile.
    deadline: Duration,
    stopped: Arc<AtomicBool>,
    /// Watches the folders that were read.
    watch: Watcher,
}

fn folders_of_mods(revision: &Revision) -> BTreeSet<String> {
    let layers = revision.mods.layers.iter();
    layers.map(|layer| layer.folder.clone()).collect()
}

impl RevisionWorkshop {
    /// Waits as long as a single file may take, or not at all, and only while the game runs.
    fn wait_for<T: Send + 'static>(&self, work: &Build<T>, deadline: Duration, again: bool) -> Result<T, Error> {
        let deadline = if again { Duration::ZERO } else { deadline };
        work.wait_while(deadline, || !self.stopped.load(Ordering::Relaxed))
    }
}

impl CandidateBuilder for RevisionWorkshop {
    /// Without a result, it was told to stop before it was done.
    type Reading = Build<Option<Readout>>;
    type Candidate = Revision;
    type Pending = Build<Result<Revision, Error>>;

    fn read(&self) -> Self::Reading {
        let (folder, level) = (self.folder.clone(), self.level.clone());
        let watch = self.watch.clone();
        Build::start(move || {
            let readout = SourceSet::read_settled(&folder, &level);
            if let Ok(sources) = &readout {
                watch.follow(&sources.folders);
            }
            (!BuildProgress::is_cancelled()).then_some(readout)
        })
    }

    fn wait_for_reading(&self, reading: &Self::Reading, again: bool) -> Result<Option<Readout>, Error> {
        self.wait_for(reading, DEADLINE, again)
    }

    fn start(&self, mut sources: SourceSet, number: u64) -> Self::Pending {
        let (settings, hz) = (self.settings.clone(), self.hz);
        sources.running_mods = self.mods.clone();
        sources.pictures.shown = self.sheets.clone();
        sources.sounds.shown = self.sounds.clone();
        Build::start(move || Revision::build(&sources, &settings, number, Some(hz)))
    }

    fn wait(&self, pending: &Self::Pending, again: bool) -> Result<Result<Revision, Error>, Error> {
        self.wait_for(pending, self.deadline, again)
    }

    fn hooks(&self, candidate: &Revision) -> ScriptHooks {
        candidate.hooks()
    }

    fn accepted(&mut self, candidate: &Revision) {
        self.mods = folders_of_mods(candidate);
        self.sheets = candidate.art.sheets.clone();
        self.sounds = candidate.sounds.files.clone();
    }

    fn warn(&self, candidate: &mut Revision, warnings: Vec<Diagnostic>) {
        candidate.warnings.extend(warnings);
    }
}
