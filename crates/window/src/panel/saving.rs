//! Saves edits without making a picture wait for the disk.

use hangtime_game::{GameFolder, TuningEdit, save_tuning};
use hangtime_workbench::BackgroundJob;
use std::sync::mpsc::TryRecvError;

/// A save in progress, and the errors of the last one.
#[derive(Default)]
pub(super) struct SaveJob {
    running: Option<BackgroundJob<Vec<String>>>,
    errors: Vec<String>,
}

impl SaveJob {
    /// Starts to save.
    pub fn start(&mut self, folder: GameFolder, level: String, edits: Vec<TuningEdit>) {
        let started = BackgroundJob::start("save", move |done, _| {
            let (_, errors) = save_tuning(&folder, &level, &edits);
            // The window may have been closed.
            let _ = done.send(errors.iter().map(ToString::to_string).collect());
        });
        self.errors.clear();
        match started {
            Ok(running) => self.running = Some(running),
            Err(error) => self.errors = vec![format!("cannot save: {error}")],
        }
    }

    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Whether a save has ended without an error since the last call.
    pub fn poll(&mut self) -> bool {
        let Some(running) = &self.running else {
            return false;
        };
        self.errors = match running.poll() {
            Ok(errors) => errors,
            Err(TryRecvError::Empty) => return false,
            Err(TryRecvError::Disconnected) => vec!["saving failed".into()],
        };
        self.running = None;
        self.errors.is_empty()
    }

    /// The errors of the last save.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.errors.iter().map(String::as_str)
    }
}
