//! Recordings of the levels that a test plays.

use super::*;

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

    /// The recording up to now; empty if no level was opened.
    pub fn take(&self) -> Vec<u8> {
        let mut bytes = self.0.lock().take();
        // What was too long ends within a line.
        let whole = bytes.iter().rposition(|byte| *byte == b'\n');
        bytes.truncate(whole.map_or(0, |last| last + 1));
        bytes
    }
}
