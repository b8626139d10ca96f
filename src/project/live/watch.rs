//! Watching folders for changes. The watcher's thread only posts that something changed.

use notify::event::{AccessKind, AccessMode, EventKind, ModifyKind};
use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};
use std::path::PathBuf;
use std::sync::mpsc::{Sender, channel};
use std::thread::Builder;

/// A message to the reload worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Signal {
    /// A file was written, renamed or removed.
    Changed,
    /// The game has ended.
    Stop,
}

/// Watches folders until it is dropped.
pub(super) struct Watcher {
    /// The thread that watches ends when this is gone.
    _ends: Sender<()>,
}

/// Watches folders with all subfolders, on its own thread: listing them may take long. Folders rather
/// than files, because editors replace files. Where watching fails, the worker's slow rescan still finds
/// every change. Linked folders are watched only if `links` is set: a link may lead to a whole file system.
pub(super) fn watch(folders: Vec<PathBuf>, links: bool, signals: Sender<Signal>) -> Watcher {
    let (ends, end) = channel();
    // If the thread cannot start, the slow rescan remains.
    let _ = Builder::new().name("watch".into()).spawn(move || {
        let _watcher = begin(&folders, links, &signals);
        // Changes before this are not reported.
        let _ = signals.send(Signal::Changed);
        drop(signals);
        let _ = end.recv();
    });
    Watcher { _ends: ends }
}

fn begin(folders: &[PathBuf], links: bool, signals: &Sender<Signal>) -> Option<RecommendedWatcher> {
    let signals = signals.clone();
    let post = move |event: notify::Result<notify::Event>| {
        if event.is_ok_and(|e| is_finished(e.kind)) {
            // The receiver is gone when the game has ended.
            let _ = signals.send(Signal::Changed);
        }
    };
    let config = notify::Config::default().with_follow_symlinks(links);
    let mut watcher = RecommendedWatcher::new(post, config).ok()?;
    for folder in folders.iter().filter(|f| f.is_dir()) {
        let _ = watcher.watch(folder, RecursiveMode::Recursive);
    }
    Some(watcher)
}

/// Whether an event marks a finished change. Linux reports when a written file is closed; systems
/// that do not, report the writes themselves.
fn is_finished(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write))
        | EventKind::Modify(ModifyKind::Name(_))
        | EventKind::Remove(_) => true,
        EventKind::Create(_) | EventKind::Modify(_) | EventKind::Any | EventKind::Other => {
            !cfg!(target_os = "linux")
        }
        EventKind::Access(_) => false,
    }
}
