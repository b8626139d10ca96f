//! Bytes that outlive their writer.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// A buffer that a writer fills and its owner empties.
#[derive(Clone, Debug)]
pub(super) struct SharedBytes {
    bytes: Arc<Mutex<Vec<u8>>>,
    /// Writing more at once than this is an error.
    most: usize,
}

impl Default for SharedBytes {
    fn default() -> Self {
        Self::up_to(usize::MAX)
    }
}

impl SharedBytes {
    /// An empty buffer that never holds more bytes than this.
    pub fn up_to(most: usize) -> Self {
        Self { bytes: Arc::default(), most }
    }

    /// Takes what was written since the last call.
    pub fn take(&self) -> Vec<u8> {
        std::mem::take(&mut self.bytes.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for SharedBytes {
    fn write(&mut self, part: &[u8]) -> io::Result<usize> {
        let mut bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        if part.len() > self.most.saturating_sub(bytes.len()) {
            return Err(io::Error::other("there is no room for more"));
        }
        bytes.extend_from_slice(part);
        Ok(part.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
