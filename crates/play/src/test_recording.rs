//! Recordings of the levels that a test plays.

use super::run::Observer;
use super::shared_bytes::SharedBytes;
use hangtime_core::sim::{Inputs, World};
use hangtime_game::recording::Recorder;
use hangtime_game::{Live, Revision, Track};
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

/// The largest recording of a test, bytes. Nothing more is recorded then.
const MOST_BYTES: usize = 64 << 20;

/// The recording of the level that a test has opened last.
#[derive(Clone, Debug, Default)]
pub struct TestRecording(Arc<Mutex<SharedBytes>>);

impl TestRecording {
    /// Starts to record a level. The recording of an earlier one is dropped.
    pub(super) fn start(&self, live: &Live) -> Option<TestRecorder> {
        let bytes = SharedBytes::up_to(MOST_BYTES);
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = bytes.clone();
        let recorder = Recorder::start(bytes, live).ok()?;
        Some(TestRecorder(Some(recorder)))
    }

    /// The recording, as far as it goes; empty if no level was opened.
    pub fn take(&self) -> Vec<u8> {
        let shared = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut bytes = shared.take();
        // What was too long ends within a line.
        let whole = bytes.iter().rposition(|byte| *byte == b'\n');
        bytes.truncate(whole.map_or(0, |last| last + 1));
        bytes
    }
}

/// Records a level of a test. A recording that gets too long ends early.
pub(super) struct TestRecorder(Option<Recorder<SharedBytes>>);

impl TestRecorder {
    pub fn step(&mut self, inputs: &Inputs, world: &World) {
        self.write(|recorder| recorder.step(inputs, world));
    }

    pub fn adopt(&mut self, revision: &Arc<Revision>, world: &World) {
        self.write(|recorder| recorder.adopt(revision, world));
    }

    pub fn resume(&mut self, revision: &Arc<Revision>, world: &World) {
        self.write(|recorder| recorder.resume(revision, world));
    }

    pub fn finish(self, world: &World) {
        if let Some(recorder) = self.0 {
            let _ = recorder.finish(world);
        }
    }

    fn write(&mut self, write: impl FnOnce(&mut Recorder<SharedBytes>) -> io::Result<()>) {
        self.0.take_if(|recorder| write(recorder).is_err());
    }
}

/// Records a test that plays the inputs of a track.
pub(super) struct TrackRecorder {
    track: Track,
    /// Where the recording goes, until it is started.
    waiting: Option<TestRecording>,
    recorder: Option<TestRecorder>,
}

impl TrackRecorder {
    /// Nothing is recorded without a `recording`.
    pub fn new(recording: Option<&TestRecording>, track: Track) -> Self {
        Self { track, waiting: recording.cloned(), recorder: None }
    }

    pub fn finish(self, world: &World) {
        if let Some(recorder) = self.recorder {
            recorder.finish(world);
        }
    }
}

impl Observer for TrackRecorder {
    fn observe(&mut self, live: &mut Live) -> io::Result<()> {
        if let Some(recording) = self.waiting.take() {
            self.recorder = recording.start(live);
        } else if let Some(recorder) = &mut self.recorder {
            let world = live.world();
            recorder.step(&self.track.at(world.ticks() - 1), world);
        }
        Ok(())
    }

    fn change_level(&mut self, live: &Live) -> io::Result<()> {
        if let Some(recorder) = &mut self.recorder {
            recorder.resume(live.revision(), live.world());
        }
        Ok(())
    }
}
