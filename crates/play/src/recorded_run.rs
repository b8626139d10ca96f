//! Recording a headless run.

use super::run::Observer;
use hangtime_core::sim::Inputs;
use hangtime_game::recording::Recorder;
use hangtime_game::{Live, Track};
use std::io::{self, Write};

/// Records a run with the input of a track.
pub struct RunRecorder {
    track: Track,
    state: RecorderState,
}

enum RecorderState {
    /// The run has not begun.
    Waiting(Box<dyn Write + Send>),
    Recording(Box<Recorder<Box<dyn Write + Send>>>),
    /// An error has ended it.
    Ended,
}

impl RunRecorder {
    /// A recording that is written to `out`.
    pub fn new(out: Box<dyn Write + Send>, track: Track) -> Self {
        Self { track, state: RecorderState::Waiting(out) }
    }

    /// Completes the recording.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(self, live: &Live) -> io::Result<()> {
        match self.state {
            RecorderState::Recording(recorder) => recorder.finish(live.world())?.flush(),
            RecorderState::Waiting(_) | RecorderState::Ended => Ok(()),
        }
    }
}

impl Observer for RunRecorder {
    fn observe(&mut self, live: &mut Live) -> io::Result<()> {
        let state = std::mem::replace(&mut self.state, RecorderState::Ended);
        let recorder = match state {
            RecorderState::Waiting(out) => Box::new(Recorder::start(out, live)?),
            RecorderState::Recording(mut recorder) => {
                let world = live.world();
                let inputs = self.track.get(world.ticks() - 1);
                recorder.step(inputs.unwrap_or(&Inputs::none()), world)?;
                recorder
            }
            RecorderState::Ended => return Ok(()),
        };
        self.state = RecorderState::Recording(recorder);
        Ok(())
    }

    fn change_level(&mut self, live: &Live) -> io::Result<()> {
        match &mut self.state {
            RecorderState::Recording(recorder) => recorder.resume(live.revision(), live.world()),
            RecorderState::Waiting(_) | RecorderState::Ended => Ok(()),
        }
    }
}
