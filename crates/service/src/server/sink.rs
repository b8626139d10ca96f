//! Where bytes for a client go.

use super::*;
use std::{
    io::{ErrorKind, Stdout},
    thread::{ThreadId, current},
};

/// A writer to a client that knows whether writing would wait.
pub trait Sink: Write + Send {
    /// Whether this many bytes can be written now without waiting for the client to read.
    fn has_room(&self, bytes: usize) -> bool;
}

/// A writer of another part of the program. Writing may wait, so only the thread that reads the client's messages writes
/// to it directly.
pub struct OpaqueSink {
    writer: Box<dyn Write + Send>,
    reader: ThreadId,
}

/// The program's stdout.
pub struct StdoutSink {
    stdout: Stdout,
    /// Why nothing more can be written, once that is so.
    lost: Arc<OnceLock<String>>,
}

/// The most bytes that a pipe takes at once if it takes any: `PIPE_BUF` of Linux.
const ROOM_OF_PIPE: usize = 4096;

/// The most bytes that a connection takes at once if it takes any. A third of its buffer is free then.
const ROOM_OF_CONNECTION: usize = 16 << 10;

impl OpaqueSink {
    /// A writer for a client whose messages are read by the thread that calls this.
    pub fn new(writer: Box<dyn Write + Send>) -> Self {
        Self { writer, reader: current().id() }
    }
}

impl Write for OpaqueSink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl Sink for OpaqueSink {
    fn has_room(&self, _: usize) -> bool {
        current().id() == self.reader
    }
}

impl Sink for TcpStream {
    fn has_room(&self, bytes: usize) -> bool {
        bytes <= ROOM_OF_CONNECTION && takes_bytes(self)
    }
}

impl StdoutSink {
    /// The program's stdout, which notes in `lost` why nothing more can be written.
    pub fn new(lost: Arc<OnceLock<String>>) -> Self {
        let stdout = io::stdout();
        Self { stdout, lost }
    }

    fn noted<T>(&self, written: io::Result<T>) -> io::Result<T> {
        if let Err(error) = &written
            && error.kind() != ErrorKind::Interrupted
        {
            self.lost.get_or_init(|| error.to_string());
        }
        written
    }
}

impl Write for StdoutSink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.stdout.write(bytes);
        self.noted(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.stdout.flush();
        self.noted(flushed)
    }
}

impl Sink for StdoutSink {
    fn has_room(&self, bytes: usize) -> bool {
        bytes <= ROOM_OF_PIPE && takes_bytes(&self.stdout)
    }
}

#[cfg(unix)]
fn takes_bytes(file: &impl std::os::fd::AsFd) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let mut files = [PollFd::new(file, PollFlags::OUT)];
    let count = poll(&mut files, Some(&Timespec::default()));
    // A broken connection has room: writing to it fails at once.
    count == Ok(1)
}

/// Where this cannot be asked, another thread writes.
#[cfg(not(unix))]
fn takes_bytes<T>(_: &T) -> bool {
    false
}
