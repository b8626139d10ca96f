//! Watching folders for changes. The watcher's thread only posts that something changed.

use crate::{background::spawn, files::disk::endings::source_endings, languages::LANGUAGES};
use notify::{
    RecommendedWatcher, RecursiveMode, Watcher as _,
    event::{AccessKind, AccessMode, EventKind, ModifyKind},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::mpsc::{Sender, channel},
    time::SystemTime,
};

/// A message to the reload worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signal {
    /// A file was written, renamed or removed.
    Changed,
    /// The user has started the level again.
    Restarted,
    /// The game has ended.
    Stop,
}

/// Watches folders until all of its clones are dropped.
#[derive(Clone)]
pub(crate) struct Watcher {
    folders: Sender<BTreeSet<PathBuf>>,
}

impl Watcher {
    /// Watches exactly these folders from now on, without their subfolders, and the game folder. Does not
    /// wait: a disk may not answer.
    pub fn follow(&self, folders: &BTreeSet<PathBuf>) {
        // Without a thread, the slow rescan remains.
        let _ = self.folders.send(folders.clone());
    }
}

/// Watches the folders of a game on its own thread: initially these, then those that were read, which
/// links may lead to. Folders rather than files, because editors replace files. Where watching fails, the
/// worker's slow rescan still finds every change.
pub(crate) fn watch(root: PathBuf, folders: BTreeSet<PathBuf>, signals: Sender<Signal>) -> Watcher {
    let (send, received) = channel::<BTreeSet<PathBuf>>();
    let run = move || {
        let mut watched = Watched::new(root, &signals);
        watched.follow(&folders);
        // Changes before this are not reported.
        let _ = signals.send(Signal::Changed);
        while let Ok(folders) = received.recv() {
            let folders = received.try_iter().last().unwrap_or(folders);
            if watched.follow(&folders) {
                let _ = signals.send(Signal::Changed);
            }
        }
    };
    let _ = spawn("watch", run);
    Watcher { folders: send }
}

/// What tells a folder from another one that takes its place: device, number and time of creation. The
/// number alone may be used again.
type Identity = (u64, u64, Option<SystemTime>);

/// The folders that are watched.
struct Watched {
    watcher: Option<RecommendedWatcher>,
    root: PathBuf,
    folders: BTreeMap<PathBuf, Identity>,
}

impl Watched {
    fn new(root: PathBuf, signals: &Sender<Signal>) -> Self {
        let signals = signals.clone();
        let real = root.canonicalize().unwrap_or_else(|_| root.clone());
        let post = move |event: notify::Result<notify::Event>| {
            if event.is_ok_and(|event| is_finished(&event) && concerns_game(&real, &event)) {
                // The receiver is gone when the game has ended.
                let _ = signals.send(Signal::Changed);
            }
        };
        Self { watcher: RecommendedWatcher::new(post, notify::Config::default()).ok(), root, folders: BTreeMap::new() }
    }

    /// Watches these folders and no others. Returns whether one is new: changes in it may have been missed.
    fn follow(&mut self, folders: &BTreeSet<PathBuf>) -> bool {
        let Some(watcher) = &mut self.watcher else {
            return false;
        };
        let wanted = folders.iter().chain([&self.root]);
        let real = wanted.filter_map(|folder| folder.canonicalize().ok());
        let real = real.filter_map(|folder| Some((identity(&folder)?, folder)));
        let wanted: BTreeMap<PathBuf, Identity> = real.map(|(id, folder)| (folder, id)).collect();
        if wanted == self.folders {
            return false;
        }
        for (folder, id) in &self.folders {
            if wanted.get(folder) != Some(id) {
                // A folder that is gone is no longer watched.
                let _ = watcher.unwatch(folder);
            }
        }
        let mut more = false;
        for (folder, id) in &wanted {
            if self.folders.get(folder) != Some(id) {
                more |= watcher.watch(folder, RecursiveMode::NonRecursive).is_ok();
            }
        }
        self.folders = wanted;
        more
    }
}

/// The identity of a folder; none if it is not there.
fn identity(folder: &Path) -> Option<Identity> {
    let metadata = std::fs::metadata(folder).ok().filter(|m| m.is_dir())?;
    #[cfg(unix)]
    let (device, number) = {
        use std::os::unix::fs::MetadataExt as _;
        (metadata.dev(), metadata.ino())
    };
    #[cfg(not(unix))]
    let (device, number) = (0, 0);
    Some((device, number, metadata.created().ok()))
}

/// Whether an event may concern a file of the game. In the game folder itself only folders do, and the files
/// of a level that is there.
fn concerns_game(root: &Path, event: &notify::Event) -> bool {
    let concerns = |path: &PathBuf| {
        let ending = path.extension().and_then(|e| e.to_str());
        let hidden = || {
            let name = path.file_name().unwrap_or_default();
            name.to_string_lossy().starts_with('.')
        };
        path.parent() != Some(root)
            || ending.is_some_and(|ending| source_endings(LANGUAGES).contains(&ending))
            || (ending.is_none() && !hidden())
    };
    event.paths.is_empty() || event.paths.iter().any(concerns)
}

/// Whether an event marks a finished change. Linux reports when a written file is closed; systems
/// that do not, report the writes themselves.
fn is_finished(event: &notify::Event) -> bool {
    match event.kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write))
        | EventKind::Modify(ModifyKind::Name(_))
        | EventKind::Remove(_) => true,
        // Nothing writes to a new folder or link.
        EventKind::Create(_) if cfg!(target_os = "linux") => event
            .paths
            .iter()
            .any(|path| std::fs::symlink_metadata(path).is_ok_and(|it| it.is_dir() || it.is_symlink())),
        EventKind::Other => true,
        EventKind::Create(_) | EventKind::Modify(_) | EventKind::Any => !cfg!(target_os = "linux"),
        EventKind::Access(_) => false,
    }
}
