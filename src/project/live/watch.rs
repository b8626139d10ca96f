//! Watching folders for changes. The watcher's thread only posts that something changed.

use notify::event::{AccessKind, AccessMode, EventKind, ModifyKind};
use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};
use std::path::PathBuf;
use std::sync::mpsc::Sender;

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
    _watcher: Option<RecommendedWatcher>,
}

impl Watcher {
    /// Watches folders with all subfolders. Folders rather than files, because editors replace files.
    /// Where watching fails, the worker's slow rescan still finds every change.
    /// Linked folders are watched only if `links` is set: a link may lead to a whole file system.
    pub fn new(folders: &[PathBuf], links: bool, signals: Sender<Signal>) -> Self {
        let post = move |event: notify::Result<notify::Event>| {
            if event.is_ok_and(|e| is_finished(e.kind)) {
                // The receiver is gone when the game has ended.
                let _ = signals.send(Signal::Changed);
            }
        };
        let config = notify::Config::default().with_follow_symlinks(links);
        let mut watcher = RecommendedWatcher::new(post, config).ok();
        for folder in folders.iter().filter(|f| f.is_dir()) {
            if let Some(watcher) = &mut watcher {
                let _ = watcher.watch(folder, RecursiveMode::Recursive);
            }
        }
        Self { _watcher: watcher }
    }
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
