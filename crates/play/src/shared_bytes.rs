//! Bytes that outlive their writer.

use super::*;

/// A buffer that a writer fills and its owner empties.
#[derive(Clone, Debug)]
pub struct SharedBytes {
    bytes: Arc<Mutex<Vec<u8>>>,
    most: usize,
}

impl Default for SharedBytes {
    fn default() -> Self {
        Self::up_to(usize::MAX)
    }
}

impl SharedBytes {
    /// An empty buffer that holds at most this many bytes. What follows is dropped.
    pub fn up_to(most: usize) -> Self {
        Self { bytes: Arc::default(), most }
    }

    /// Takes what was written since the last call.
    pub fn take(&self) -> Vec<u8> {
        mem::take(&mut self.bytes.lock())
    }
}

impl Write for SharedBytes {
    fn write(&mut self, part: &[u8]) -> io::Result<usize> {
        let mut bytes = self.bytes.lock();
        let room = part.len().min(self.most - bytes.len());
        bytes.extend_from_slice(&part[..room]);
        Ok(part.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
