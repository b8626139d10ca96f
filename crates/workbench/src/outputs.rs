//! The files of a session: films, recordings, and what scripts keep beyond the level.

use super::{
    replays::{LastSeconds, SavingJob},
    *,
};
use hangtime_core::sim::KeptValues;

/// Seconds of a saved film.
pub const FILM_SECONDS: u64 = 10;

/// The most seconds of a marked stretch that a film shows.
pub const MARKED_SECONDS: u64 = 60;

/// Seconds of a recording that a key saves.
pub const RUN_SECONDS: u64 = 60;

/// Seconds between two writes of what scripts keep.
const BETWEEN: f64 = 1.0;

/// The files that a session writes, besides its recording.
#[derive(Default)]
pub struct SessionOutputs {
    /// Where GIFs and recordings of the last minute are saved.
    folder: PathBuf,
    film: Option<SavingJob>,
    recorded: Option<SavingJob>,
    kept: Option<KeptFile>,
}

/// The file of what a player has kept.
struct KeptFile {
    saves: PlayerSaves,
    /// What was kept at the newest moment that was played, whichever one is shown.
    newest: KeptValues,
    /// Seconds since the start of the session when it may be written again.
    due: f64,
    /// Whether it has been reported that it cannot be written.
    failed: bool,
}

impl SessionOutputs {
    pub fn new(folder: PathBuf) -> Self {
        Self { folder, ..Self::default() }
    }

    /// Where GIFs and recordings of the last minute are saved.
    #[cfg(feature = "disk")]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn is_filming(&self) -> bool {
        self.film.is_some()
    }

    pub fn is_saving(&self) -> bool {
        self.film.is_some() || self.recorded.is_some()
    }

    /// The files that threads have finished, and why others could not be written.
    fn finished(&mut self) -> Vec<Result<PathBuf, String>> {
        let mut finished = Vec::new();
        for saving in [&mut self.film, &mut self.recorded] {
            match saving.as_ref().map(SavingJob::poll) {
                None | Some(Err(TryRecvError::Empty)) => continue,
                Some(Ok(result)) => finished.push(result),
                Some(Err(TryRecvError::Disconnected)) => finished.push(Err("saving has failed".into())),
            }
            *saving = None;
        }
        finished
    }

    pub fn note_kept(&mut self, kept: &KeptValues) {
        if let Some(file) = &mut self.kept {
            file.newest = kept.clone();
        }
    }

    /// Saves what is kept if it has changed: at most once a second, or `at_once`.
    ///
    /// # Errors
    /// The first time that it cannot be written.
    fn save_kept(&mut self, now: f64, at_once: bool) -> Result<(), String> {
        let Some(file) = &mut self.kept else {
            return Ok(());
        };
        if file.saves.kept().is_shared_with(&file.newest) || (!at_once && now < file.due) {
            return Ok(());
        }
        file.due = now + BETWEEN;
        let saved = file.saves.save(&file.newest);
        let had_failed = mem::replace(&mut file.failed, saved.is_err());
        match saved {
            Err(error) if !had_failed => Err(format!("what scripts keep is not saved: {error}")),
            _ => Ok(()),
        }
    }
}

impl Workbench {
    /// Reports files that threads have saved.
    pub(super) fn poll_saving(&mut self) {
        for result in self.outputs.finished() {
            match result {
                Ok(path) => self.note(format!("saved {}", path.display())),
                Err(why) => self.warn(&why),
            }
        }
        if let Some(why) = self.line.timeline.take_recording_failure() {
            self.warn(&why);
        }
        self.save_kept(false);
    }

    /// Saves the marked stretch as a GIF, or the last seconds.
    pub(super) fn save_film(&mut self) {
        if self.outputs.film.is_some() {
            return self.note("the last film is not finished yet");
        }
        let (replay, ghosts, what) = match self.comparison.marked() {
            Some(stretch) => {
                let seconds = self.line.seconds(stretch.ticks());
                let what = if seconds > MARKED_SECONDS as f64 {
                    format!("the first {MARKED_SECONDS} s of the marked stretch")
                } else {
                    format!("the marked stretch, {seconds:.2} s,")
                };
                let replay = LastSeconds::stretch(stretch, self.line.latest(), MARKED_SECONDS);
                (Some(replay), self.comparison.shown_always(), what)
            }
            None => {
                let replay = LastSeconds::before(&self.line.timeline, self.line.at(), FILM_SECONDS);
                (replay, self.comparison.record().clone(), format!("the last {FILM_SECONDS} s"))
            }
        };
        let part = self.fit.part();
        self.outputs.film = replay.and_then(|replay| replay.film(ghosts, part, &self.outputs.folder));
        match self.outputs.film {
            Some(_) => self.note(format!("saving {what} as a GIF")),
            None => self.add_line(LogKind::Warning, "cannot start to film"),
        }
    }

    /// Saves the last minute as a recording.
    pub(super) fn save_run(&mut self) {
        if self.outputs.recorded.is_some() {
            return self.note("the last recording is not finished yet");
        }
        let replay = LastSeconds::before(&self.line.timeline, self.line.at(), RUN_SECONDS);
        self.outputs.recorded = replay.and_then(|replay| replay.recording(&self.outputs.folder));
        match self.outputs.recorded {
            Some(_) => self.note(format!("saving the last {RUN_SECONDS} s as a recording")),
            None => self.add_line(LogKind::Warning, "cannot start to save a recording"),
        }
    }

    /// Continues to save what the workbench of another level has started to save, and is mute, and without a keyboard or an
    /// editor, if that was.
    pub fn continue_saving(&mut self, other: &mut Self) {
        other.save_kept(true);
        self.outputs.film = other.outputs.film.take();
        self.outputs.recorded = other.outputs.recorded.take();
        #[cfg(feature = "disk")]
        {
            self.strip.saving = other.strip.saving.take();
        }
        if let Some(file) = other.outputs.kept.take() {
            self.keep_for(file.saves);
            // It may be that the file could not be written.
            self.begin_with_kept(&file.newest);
            self.outputs.note_kept(&file.newest);
        }
        self.sounds.mute(other.sounds.is_muted());
        (self.has_no_keys, self.has_no_editor) = (other.has_no_keys, other.has_no_editor);
    }

    /// What is still being saved. It is given up when the workbench ends.
    pub fn unsaved(&self) -> impl Iterator<Item = &'static str> {
        let film = self.outputs.film.is_some().then_some("the film");
        let recorded = self.outputs.recorded.is_some().then_some("the last minute");
        let saved = [film, recorded].into_iter().flatten();
        #[cfg(feature = "disk")]
        let saved = saved.chain(self.strip.is_saving().then_some("the input"));
        saved
    }

    /// Begins the level with what a player has kept, and saves what changes about it from now on. Call it before the first
    /// frame.
    pub fn keep_for(&mut self, saves: PlayerSaves) {
        let newest = saves.kept().clone();
        self.begin_with_kept(&newest);
        self.outputs.kept = Some(KeptFile { newest, saves, due: 0.0, failed: false });
    }

    fn begin_with_kept(&mut self, kept: &KeptValues) {
        self.line.live.set_kept(kept.clone());
        self.line.begin_again();
    }

    /// Saves what scripts keep if it has changed: at most once a second, or `at_once`.
    pub fn save_kept(&mut self, at_once: bool) {
        if let Err(why) = self.outputs.save_kept(self.time.now(), at_once) {
            self.warn(&why);
        }
    }

    /// Writes everything that happens from now on into a recording.
    pub fn record_into(&mut self, output: RecordingOutput) {
        self.line.timeline.record_into(output, &self.line.live);
    }

    /// Completes the recording: its path and the number of its ticks, or why it could not be written. `None`
    /// if there is none.
    pub fn end_recording(&mut self) -> Option<Result<(PathBuf, u64), String>> {
        self.line.timeline.end_recording(self.line.live.world())
    }
}
