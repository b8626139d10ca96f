//! Recording a headless run.

use super::*;

/// Records a run with the input of a track.
pub struct RunRecorder {
    track: Track,
    /// Where the recording goes, until the run begins.
    out: Option<Box<dyn Write + Send>>,
    /// None before the run, and after an error.
    recorder: Option<Recorder<Box<dyn Write + Send>>>,
}

impl RunRecorder {
    /// A recording that is written to `out`.
    pub fn new(out: Box<dyn Write + Send>, track: Track) -> Self {
        Self { track, out: Some(out), recorder: None }
    }

    /// Completes the recording.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(self, live: &Live) -> io::Result<()> {
        self.recorder.map_or(Ok(()), |recorder| recorder.finish(live.world())?.flush())
    }
}

impl Observer for RunRecorder {
    fn observe(&mut self, live: &mut Live) -> io::Result<()> {
        if let Some(out) = self.out.take() {
            self.recorder = Some(Recorder::start(out, live)?);
        } else if let Some(mut recorder) = self.recorder.take() {
            let world = live.world();
            let inputs = self.track.get(world.ticks() - 1);
            recorder.step(inputs.unwrap_or(&Inputs::none()), world)?;
            self.recorder = Some(recorder);
        }
        Ok(())
    }

    fn change_level(&mut self, live: &Live) -> io::Result<()> {
        self.recorder
            .as_mut()
            .map_or(Ok(()), |recorder| recorder.resume(live.revision(), live.world()))
    }
}
