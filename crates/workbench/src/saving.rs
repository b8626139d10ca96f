//! Saving what was played: films and recordings.

use super::bench::Workbench;
use super::film::start_film;
use super::job::SavingJob;
use super::log::LogKind;
use super::run_job::start_recording;
use super::session_recording::RecordingOutput;
use std::path::PathBuf;

/// Seconds of a saved film.
pub const FILM_SECONDS: u64 = 10;

/// Seconds of a recording that a key saves.
pub const RUN_SECONDS: u64 = 60;

impl Workbench {
    /// Reports files that threads have saved.
    pub(super) fn poll_saving(&mut self) {
        let film = self.outputs.film.as_ref().and_then(SavingJob::poll);
        let recorded = self.outputs.recorded.as_ref().and_then(SavingJob::poll);
        self.outputs.film.take_if(|_| film.is_some());
        self.outputs.recorded.take_if(|_| recorded.is_some());
        for result in [film, recorded].into_iter().flatten() {
            match result {
                Ok(path) => self.note(format!("saved {}", path.display())),
                Err(why) => self.warn(why),
            }
        }
        if let Some(why) = self.line.take_recording_failure() {
            self.warn(why);
        }
        self.save_kept(false);
    }

    /// Saves the last seconds as a GIF.
    pub(super) fn save_film(&mut self) {
        if self.outputs.film.is_some() {
            return self.note("the last film is not finished yet");
        }
        self.outputs.film =
            start_film((&self.line, self.ghost_record.clone()), self.at, FILM_SECONDS, &self.outputs.films);
        match self.outputs.film {
            Some(_) => self.note(format!("saving the last {FILM_SECONDS} s as a GIF")),
            None => self.add_line(LogKind::Warning, "cannot start to film"),
        }
    }

    /// Saves the last minute as a recording.
    pub(super) fn save_run(&mut self) {
        if self.outputs.recorded.is_some() {
            return self.note("the last recording is not finished yet");
        }
        self.outputs.recorded = start_recording(&self.line, self.at, RUN_SECONDS, &self.outputs.films);
        match self.outputs.recorded {
            Some(_) => self.note(format!("saving the last {RUN_SECONDS} s as a recording")),
            None => self.add_line(LogKind::Warning, "cannot start to save a recording"),
        }
    }

    /// Continues to save what the workbench of another level has started to save, and is mute if that was.
    pub fn continue_saving(&mut self, other: &mut Self) {
        self.outputs.film = other.outputs.film.take();
        self.outputs.recorded = other.outputs.recorded.take();
        self.keep_like(other);
        self.mute(other.sounds.muted);
    }

    /// What is still being saved. It is given up when the workbench ends.
    pub fn unsaved(&self) -> impl Iterator<Item = &'static str> {
        let film = self.outputs.film.is_some().then_some("the film");
        let recorded = self.outputs.recorded.is_some().then_some("the last minute");
        [film, recorded].into_iter().flatten()
    }

    /// Writes everything that happens from now on into a recording.
    pub fn record_into(&mut self, output: RecordingOutput) {
        self.line.record_into(output, &self.live);
    }

    /// Completes the recording: its path and the number of its ticks, or why it could not be written. `None`
    /// if there is none.
    pub fn end_recording(&mut self) -> Option<Result<(PathBuf, u64), String>> {
        self.line.end_recording(self.live.world())
    }
}
