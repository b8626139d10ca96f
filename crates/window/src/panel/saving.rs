//! Saves edits without making a picture wait for the disk.

use hangtime_game::{GameFolder, TuningEdit, save_tuning};
use hangtime_workbench::BackgroundJob;
use std::sync::mpsc::TryRecvError;

/// The files that were written, and why the other edits were not saved.
type Saved = (Vec<String>, Vec<String>);

/// A save in progress, and the errors of the last one.
#[derive(Default)]
pub(super) struct SaveJob {
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
mod tests {
    use super::SaveJob;
    use hangtime_core::models::ModelName;
    use hangtime_core::tuning::Setting;
    use hangtime_game::{GameFolder, TuningChange, TuningEdit, TuningHome};
    use std::fs;

    fn edit(home: TuningHome) -> TuningEdit {
        let value = Setting::Number(500.0);
        let change = TuningChange { home, group: ModelName::platformer.into(), name: "jump_speed", value };
        TuningEdit { change, was: Setting::Number(540.0), written: false }
    }

    #[test]
    fn a_save_names_its_files_and_what_is_in_none_of_them() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(folder.path().join("config/entities")).expect("folders");
        fs::write(folder.path().join("config/entities/hero.toml"), "").expect("a file");
        let mut job = SaveJob::default();
        let edits = vec![edit(TuningHome::Kind("hero".into())), edit(TuningHome::CommandLine)];
        job.start(GameFolder::new(folder.path()), "levels/a.toml".into(), edits);
        let lines = loop {
            let lines = job.poll();
            if !job.is_running() {
                break lines;
            }
        };
        assert_eq!(lines.len(), 2, "{lines:?}");
        assert_eq!(lines[0], "saved in config/entities/hero.toml");
        assert!(lines[1].starts_with("not saved: `platformer.jump_speed` is set on the command line"), "{lines:?}");
        assert!(job.poll().is_empty(), "said once");
    }
}
