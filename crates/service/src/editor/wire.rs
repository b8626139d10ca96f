//! The messages of an editor, on stdin and stdout.

use super::*;
use std::{
    io::{BufRead, ErrorKind, Read as _},
    sync::OnceLock,
    thread::{JoinHandle, sleep},
};

/// The longest message that is read, in bytes: more than the files of a game together.
const LONGEST_MESSAGE: u64 = 64 << 20;

/// The most lines before a message, and the longest of them, in bytes.
const MOST_HEADERS: usize = 32;
const LONGEST_HEADER: u64 = 4096;

/// How many messages may wait before the next one is read.
const MOST_WAITING: usize = 256;

/// The threads that read and write messages.
pub struct EditorWire {
    reader: JoinHandle<()>,
    writer: JoinHandle<io::Result<()>>,
    /// Why nothing more is read, if that is not the editor's wish.
    lost: Arc<OnceLock<io::Error>>,
}

impl EditorWire {
    /// Connects to the editor.
    pub fn open() -> io::Result<(Connection, Self)> {
        let (connection, editor) = Connection::memory();
        let Connection { sender, receiver } = editor;
        let lost = Arc::new(OnceLock::new());
        let why = lost.clone();
        let reader = Builder::new().name("editor reader".into()).spawn(move || {
            let forward = |message| {
                while sender.len() >= MOST_WAITING {
                    sleep(Duration::from_millis(1));
                }
                sender.send(message).is_ok()
            };
            if let Err(error) = read_all(&mut io::stdin().lock(), forward) {
                // The server ends when the sender is dropped, so it is known by then.
                let _ = why.set(error);
            }
        })?;
        let writer = Builder::new().name("editor writer".into()).spawn(move || {
            let mut output = io::stdout().lock();
            receiver.into_iter().try_for_each(|message| message.write(&mut output))
        })?;
        Ok((connection, Self { reader, writer, lost }))
    }

    /// Why nothing more can be read.
    pub fn lost(&self) -> Option<&io::Error> {
        self.lost.get()
    }

    /// Waits until the last message is written and, if the server has ended in good order, the editor's last one is read.
    pub fn close(self) -> io::Result<()> {
        // They have only read and written.
        let _ = self.reader.join();
        self.writer.join().unwrap_or(Ok(()))
    }
}

/// Hands over messages until the editor ends, or they are no longer taken.
fn read_all(input: &mut impl BufRead, forward: impl Fn(Message) -> bool) -> io::Result<()> {
    while let Some(message) = read_message(input)? {
        let is_exit = matches!(&message, Message::Notification(notice) if notice.method == "exit");
        if !forward(message) || is_exit {
            break;
        }
    }
    Ok(())
}

/// The next message; none at the end. It takes memory as it arrives, whatever length it claims to have.
fn read_message(input: &mut impl BufRead) -> io::Result<Option<Message>> {
    let Some(length) = read_length(input)? else {
        return Ok(None);
    };
    if length > LONGEST_MESSAGE {
        return Err(malformed(format!(
            "a message of {length} bytes is longer than {LONGEST_MESSAGE}, which is the limit"
        )));
    }
    let mut text = Vec::new();
    input.take(length).read_to_end(&mut text)?;
    if (text.len() as u64) < length {
        return Err(malformed("the input ends within a message".into()));
    }
    let message = serde_json::from_slice(&text);
    message
        .map(Some)
        .map_err(|error| malformed(format!("a message is not JSON of the protocol: {error}")))
}

/// The length that the lines before a message say; none at the end of the input.
fn read_length(input: &mut impl BufRead) -> io::Result<Option<u64>> {
    let mut length = None;
    for _ in 0..MOST_HEADERS {
        let mut line = Vec::new();
        input.by_ref().take(LONGEST_HEADER).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end();
        if line.is_empty() {
            return length.map(Some).ok_or_else(|| malformed("a message has no `Content-Length`".into()));
        }
        let Some((name, value)) = line.split_once(':') else {
            return Err(malformed("a line before a message is not `NAME: VALUE`".into()));
        };
        if name.eq_ignore_ascii_case("content-length") {
            let number = value.trim().parse();
            length = Some(number.map_err(|_| malformed("`Content-Length` is not a whole number".into()))?);
        }
    }
    Err(malformed(format!("a message has more than {MOST_HEADERS} lines before it")))
}

fn malformed(message: String) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, message)
}

#[cfg(test)]
#[path = "../../tests/unit/editor/wire.rs"]
mod tests;
