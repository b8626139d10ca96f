//! Reading one message a line.

use std::io::{self, BufRead, ErrorKind};

/// What came next.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum LineRead {
    /// A line, which [`LineReader::line`] has.
    Line,
    /// A line that is longer than allowed. It was skipped.
    TooLong,
    /// Nothing, for as long as a read may take.
    Silence,
    /// The end.
    End,
}

/// Reads lines of a limited length.
pub(super) struct LineReader<R> {
    input: R,
    line: Vec<u8>,
    most: usize,
    /// Whether the line that is being read is complete.
    complete: bool,
    /// Whether it is too long.
    skipping: bool,
    /// Whether some of the input after it was read.
    has_more: bool,
}

impl<R: BufRead> LineReader<R> {
    /// Reads lines of at most `most` bytes.
    pub fn new(input: R, most: usize) -> Self {
        Self { input, line: Vec::new(), most, complete: true, skipping: false, has_more: false }
    }

    /// The line that was read last, without its end.
    pub fn line(&self) -> &[u8] {
        &self.line
    }

    /// Whether the client had sent something after the line that was read last.
    pub fn has_more(&self) -> bool {
        self.has_more
    }

    /// Reads the next line. The last one may lack its end.
    ///
    /// # Errors
    /// When the input breaks.
    pub fn read(&mut self) -> io::Result<LineRead> {
        if std::mem::take(&mut self.complete) {
            self.line.clear();
        }
        loop {
            let bytes = match self.input.fill_buf() {
                Ok([]) if self.skipping => return Ok(self.end(LineRead::TooLong)),
                Ok([]) if self.line.is_empty() => return Ok(LineRead::End),
                Ok([]) => return Ok(self.end(LineRead::Line)),
                Ok(bytes) => bytes,
                Err(error) => match error.kind() {
                    ErrorKind::Interrupted => continue,
                    ErrorKind::WouldBlock | ErrorKind::TimedOut => return Ok(LineRead::Silence),
                    _ => return Err(error),
                },
            };
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let part = &bytes[..end.unwrap_or(bytes.len())];
            if self.skipping || self.line.len() + part.len() > self.most {
                self.skipping = true;
                self.line = Vec::new();
            } else {
                self.line.extend_from_slice(part);
            }
            let used = end.map_or(bytes.len(), |end| end + 1);
            self.has_more = used < bytes.len();
            self.input.consume(used);
            match (end, self.skipping) {
                (None, _) => {}
                (Some(_), true) => return Ok(self.end(LineRead::TooLong)),
                (Some(_), false) => return Ok(self.end(LineRead::Line)),
            }
        }
    }

    fn end(&mut self, read: LineRead) -> LineRead {
        self.complete = true;
        self.skipping = false;
        read
    }
}
