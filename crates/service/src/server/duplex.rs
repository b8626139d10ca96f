//! A connection whose writes go through the outbox.

use super::admission::GuardedStream;
use super::outbox::Outbox;
use std::io::{self, Cursor, Read, Write};
use std::sync::Arc;

/// A connection. Once it has an outbox, what is written goes there, so that it does not get into the middle of an answer.
pub(super) struct Duplex {
    /// What was read from it already.
    pub head: Cursor<Vec<u8>>,
    /// The connection.
    pub stream: GuardedStream,
    /// The way to the client.
    pub outbox: Option<Arc<Outbox>>,
}

impl Read for Duplex {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self.head.read(into)? {
            0 => self.stream.read(into),
            count => Ok(count),
        }
    }
}

impl Write for Duplex {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &self.outbox {
            None => self.stream.write(bytes),
            Some(outbox) => {
                outbox.send_raw(bytes.to_vec());
                Ok(bytes.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &self.outbox {
            None => self.stream.flush(),
            Some(_) => Ok(()),
        }
    }
}
