//! Recordings of the levels that a test plays.

use super::shared_bytes::SharedBytes;
use hangtime_core::sim::{Inputs, World};
use hangtime_game::recording::Recorder;
use hangtime_game::{Live, Revision};
use parking_lot::Mutex;
use std::io;
use std::sync::Arc;

/// The largest recording of a test, bytes. A longer one ends early.
const MOST_BYTES: usize = 64 << 20;

/// The recording of the level that a test has opened last.
#[derive(Clone, Debug, Default)]
pub struct TestRecording(Arc<Mutex<SharedBytes>>);

impl TestRecording {
    /// Where the recording of a level goes. The recording of an earlier one is dropped.
    pub(super) fn begin(&self) -> SharedBytes {
        let bytes = SharedBytes::up_to(MOST_BYTES);
        *self.0.lock() = bytes.clone();
        bytes
    }

    /// Starts to record a level.
    pub(super) fn start(&self, live: &Live) -> Option<TestRecorder> {
        let recorder = Recorder::start(self.begin(), live).ok()?;
        Some(TestRecorder(Some(recorder)))
    }

    /// The recording up to now; empty if no level was opened.
    pub fn take(&self) -> Vec<u8> {
        let mut bytes = self.0.lock().take();
        // What was too long ends within a line.
        let whole = bytes.iter().rposition(|byte| *byte == b'\n');
        bytes.truncate(whole.map_or(0, |last| last + 1));
        bytes
    }
}

/// Records a level of a test.
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
