//! Saves edits without making a picture wait for the disk.

use hangtime_game::{GameFolder, TuningEdit, save_tuning};
use std::sync::mpsc::{Receiver, TryRecvError, channel};

/// A save in progress, and what went wrong with the last one.
#[derive(Default)]
pub(super) struct SaveJob {
    running: Option<Receiver<Vec<String>>>,
    wrong: Vec<String>,
}

impl SaveJob {
    /// Starts to save.
    pub fn start(&mut self, folder: GameFolder, level: String, edits: Vec<TuningEdit>) {
        let (done, running) = channel();
        let save = move || {
            let (_, wrong) = save_tuning(&folder, &level, &edits);
            let wrong = wrong.iter().map(ToString::to_string).collect();
            // The window may have been closed.
            let _ = done.send(wrong);
        };
        self.wrong.clear();
        match std::thread::Builder::new().name("save".into()).spawn(save) {
            Ok(_) => self.running = Some(running),
            Err(error) => self.wrong = vec![format!("cannot save: {error}")],
        }
    }

    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Whether a save has ended without a mistake since the last call.
    pub fn poll(&mut self) -> bool {
        let Some(running) = &self.running else {
            return false;
        };
        match running.try_recv() {
            Ok(wrong) => {
                self.running = None;
                self.wrong = wrong;
                self.wrong.is_empty()
            }
            Err(TryRecvError::Empty) => false,
            Err(TryRecvError::Disconnected) => {
                self.running = None;
                self.wrong = vec!["saving failed".into()];
                false
            }
        }
    }

    /// What went wrong with the last save.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.wrong.iter().map(String::as_str)
    }
}
