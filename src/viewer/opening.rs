//! Opening another level while the old one runs.

use crate::project::{Error, GameFolder, Project, Revision};
use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

/// A level that is being read and built on its own thread.
pub(super) struct LevelOpening {
    level: PathBuf,
    built: Receiver<Result<Revision, Error>>,
}

impl LevelOpening {
    pub fn start(folder: GameFolder, level: PathBuf) -> io::Result<Self> {
        let (post, built) = channel();
        let file = level.clone();
        std::thread::Builder::new()
            .name("level".into())
            .spawn(move || {
                let opened = Project::load(folder).and_then(|project| project.open(&file, &[]));
                // It is not waited for if another level was chosen since.
                let _ = post.send(opened);
            })?;
        Ok(Self { level, built })
    }

    /// The level and its first revision, or what is wrong with its files. `None` until then.
    pub fn poll(&self) -> Option<Result<(PathBuf, Revision), String>> {
        match self.built.try_recv() {
            Ok(Ok(revision)) => Some(Ok((self.level.clone(), revision))),
            Ok(Err(error)) => {
                let wrong = crate::script::host::render_all(&error.diagnostics(), false);
                Some(Err(wrong))
            }
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Err("cannot open the level".into())),
        }
    }
}
