//! The recording that is written while a session runs.

use super::*;
use hangtime_game::files::OutputFile;

/// A file for a recording, and its writer.
pub type RecordingOutput = (OutputFile, Box<dyn Write + Send>);

/// The files of a session in the window.
#[derive(Default)]
pub struct SessionFiles {
    /// Where everything that happens is recorded.
    pub recording: Option<RecordingOutput>,
    /// What the player has kept.
    pub saves: Option<PlayerSaves>,
    /// A recording that plays before the player does.
    pub replayed: Option<RecordedPlay>,
}

type SessionRecorder = Recorder<Box<dyn Write + Send>>;

/// A recording of everything that happens from now on. The game continues if it cannot be written.
pub struct SessionRecording {
    /// The file, until it is complete or given up.
    file: Option<OutputFile>,
    path: PathBuf,
    /// What writes the file, or why nothing more is recorded.
    state: Result<SessionRecorder, String>,
    /// Whether it has been reported that nothing more is recorded.
    reported: bool,
}

impl SessionRecording {
    /// Starts to record a game.
    pub fn start((file, out): RecordingOutput, live: &Live) -> Self {
        let path = file.path().to_path_buf();
        let mut recording = Self { file: Some(file), path, state: Err(String::new()), reported: false };
        recording.state = Recorder::start(out, live).map_err(|error| recording.given_up(&error));
        recording
    }

    /// A tick was made.
    pub fn step(&mut self, inputs: &Inputs, world: &World) {
        self.write(|recorder| recorder.step(inputs, world));
    }

    /// The running world was put under another revision.
    pub fn adopt(&mut self, revision: &Arc<Revision>, world: &World) {
        self.write(|recorder| recorder.adopt(revision, world));
    }

    /// The game continues with another world.
    pub fn resume(&mut self, revision: &Arc<Revision>, world: &World) {
        self.write(|recorder| recorder.resume(revision, world));
    }

    fn write(&mut self, write: impl FnOnce(&mut SessionRecorder) -> io::Result<()>) {
        if let Ok(recorder) = &mut self.state
            && let Err(error) = write(recorder)
        {
            self.state = Err(self.given_up(&error));
        }
    }

    /// Why nothing more is recorded, the first time this is asked after it has happened.
    pub fn take_failure(&mut self) -> Option<String> {
        let why = self.state.as_ref().err()?;
        let is_new = !mem::replace(&mut self.reported, true);
        is_new.then(|| format!("{why}; nothing more is recorded"))
    }

    /// Completes the recording. Returns its path and the number of ticks, or why it could not be written,
    /// also if that has been reported before.
    pub fn finish(mut self, world: &World) -> Result<(PathBuf, u64), String> {
        let recorder = mem::replace(&mut self.state, Err(String::new()))?;
        let ticks = recorder.ticks();
        let written = recorder.finish(world).and_then(|mut out| out.flush());
        written.map_err(|error| self.given_up(&error))?;
        if let Some(file) = self.file.take() {
            file.complete().map_err(|error| error.to_string())?;
        }
        Ok((self.path, ticks))
    }

    /// Leaves what was written, which can be replayed, and says where it is.
    fn given_up(&mut self, error: &io::Error) -> String {
        let part = self.file.take().and_then(OutputFile::keep_part);
        let kept =
            part.map_or_else(String::new, |part| format!("; {} has what was recorded until then", part.display()));
        format!("cannot write {}: {error}{kept}", self.path.display())
    }
}
