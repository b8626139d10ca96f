//! Watching folders. The watcher's thread only posts that something happened.

use notify::event::{AccessKind, AccessMode, EventKind, ModifyKind};
use notify::{RecursiveMode, Watcher as _};
use std::path::PathBuf;
use std::sync::mpsc::Sender;

/// Something that a reload may have to do with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wake {
    /// A file was written, renamed or removed.
    Changed,
    /// The game is over.
    Stop,
}

/// Keeps watching until dropped.
pub(super) struct Watcher {
    _watcher: Option<notify::RecommendedWatcher>,
}

impl Watcher {
    /// Watches folders and what is below them. Folders, not files, because editors replace files.
    /// Where watching fails the slow rescan is left, which finds every change in the end.
    pub fn new(folders: &[PathBuf], wake: Sender<Wake>) -> Self {
        let post = move |event: notify::Result<notify::Event>| {
            if event.is_ok_and(|e| is_finished(e.kind)) {
                // Nobody listens any more when the game is over.
                let _ = wake.send(Wake::Changed);
            }
        };
        let mut watcher = notify::recommended_watcher(post).ok();
        for folder in folders.iter().filter(|f| f.is_dir()) {
            if let Some(watcher) = &mut watcher {
                let _ = watcher.watch(folder, RecursiveMode::Recursive);
            }
        }
        Self { _watcher: watcher }
    }
}

/// Whether an event says that something is complete. On Linux a write is when its file is closed;
/// systems that do not tell of closing tell of the data.
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
