//! Saves edits without making a picture wait for the disk.

use hangtime_game::{GameFolder, TuningEdit, save_tuning};
use hangtime_workbench::BackgroundJob;
use std::sync::mpsc::TryRecvError;

/// The files that were written, and why the other edits were not saved.
type Saved = (Vec<String>, Vec<String>);

/// A save in progress, and the errors of the last one.
#[derive(Default)]
pub struct SaveJob {
    running: Option<BackgroundJob<Saved>>,
    errors: Vec<String>,
}

impl SaveJob {
    /// Starts to save.
    pub fn start(&mut self, folder: GameFolder, level: String, edits: Vec<TuningEdit>) {
        let started = BackgroundJob::start("save", move |done, _| {
            // The window may have been closed.
            let _ = done.send(save_tuning(&folder, &level, &edits));
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

    /// What the log says about a save that has ended since the last call: the files, and why something is in
    /// none of them.
    pub fn poll(&mut self) -> Vec<String> {
        let Some(running) = &self.running else {
            return Vec::new();
        };
        let (files, errors) = match running.poll() {
            Ok(saved) => saved,
            Err(TryRecvError::Empty) => return Vec::new(),
            Err(TryRecvError::Disconnected) => (Vec::new(), vec!["saving failed".into()]),
        };
        self.running = None;
        let written = (!files.is_empty()).then(|| format!("saved in {}", files.join(", ")));
        let lines = written.into_iter().chain(errors.iter().map(|error| format!("not saved: {error}")));
        let lines = lines.collect();
        self.errors = errors;
        lines
    }

    /// The errors of the last save.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.errors.iter().map(String::as_str)
    }
}

#[cfg(test)]
#[path = "../../tests/unit/panel/saving.rs"]
mod tests;
