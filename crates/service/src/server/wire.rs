//! Serving a client, and reading one message a line.

use super::admission::Admission;
use super::client::Client;
use super::link::ClientLink;
use super::outbox::MessageFraming;
use super::shared::{PATIENCE, ServiceShared};
use super::sink::Sink;
use crate::protocol::{ErrorKind, RpcError};
use std::io::{self, BufRead};
use std::net::TcpStream;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::thread::Builder;
use std::time::Duration;
use tungstenite::protocol::frame::coding::CloseCode;

/// How the input of a client ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InputEnd {
    /// In good order: what was asked for is answered.
    Orderly,
    /// The client is gone.
    Broken,
}

/// Serves a client until `listen` has heard all of it. Returns without calling it if there is no place for the client.
pub(super) fn serve(link: &Arc<ClientLink>, listen: impl FnOnce(&mut Client) -> InputEnd) {
    let outbox = &link.outbox;
    let is_remote = link.stream.is_some() && outbox.framing() == MessageFraming::Lines;
    let writing = link.clone();
    let sender = Builder::new().name("sender".into()).spawn(move || writing.outbox.run());
    let mut client = Client::new(link);
    let place = link.service.enter(link);
    if place.is_some() && sender.is_ok() {
        let end = listen(&mut client);
        if end == InputEnd::Broken || (is_remote && !waits_for_answers(link)) {
            link.requests.cancel_all();
            outbox.close();
        }
        client.end_worlds(0);
    } else {
        let message = format!("the service has {} clients, which is its limit, or ends", link.service.clients());
        client.refuse(RpcError::new(ErrorKind::Limit, message));
        client.farewell = Some(CloseCode::Again);
    }
    if let Some(code) = client.farewell {
        outbox.say_goodbye(code);
    }
    outbox.flush(PATIENCE);
    outbox.close();
    if let Ok(sender) = sender {
        // It has only written.
        let _ = sender.join();
    }
    drop(place);
}

/// How long to wait for answers between two looks at a client that sends no more.
const LOOK: Duration = Duration::from_millis(250);

/// Waits for the answers to a client that sends no more. It may have closed one direction, or be dead: only writing to it
/// shows which. A space before an answer is part of its JSON. Returns whether all are answered.
fn waits_for_answers(link: &ClientLink) -> bool {
    loop {
        link.requests.wait(0, LOOK);
        if link.requests.count() == 0 {
            return true;
        }
        link.outbox.send_raw(b" ".to_vec());
        if link.outbox.is_closed() {
            return false;
        }
    }
}

/// Serves a client whose messages are lines.
pub(super) fn serve_lines(
    service: &Arc<ServiceShared>,
    input: impl BufRead,
    sink: Box<dyn Sink>,
    stream: Option<TcpStream>,
    admission: Arc<Admission>,
) {
    let most = service.limits.message;
    let mut is_first = stream.is_some();
    let link = ClientLink::new(service, sink, MessageFraming::Lines, stream, admission);
    serve(&link, |client| {
        let mut lines = LineReader::new(input, most);
        loop {
            match lines.read() {
                Ok(LineRead::Line) => {
                    if std::mem::take(&mut is_first) && is_http(&lines.line) {
                        let message = "this is HTTP; send a line of JSON-RPC, or open a WebSocket with GET";
                        client.refuse(RpcError::new(ErrorKind::Parse, message));
                        return InputEnd::Orderly;
                    }
                    if let ControlFlow::Break(()) = client.receive(&lines.line, lines.has_more) {
                        return InputEnd::Orderly;
                    }
                }
                Ok(LineRead::TooLong) => client.refuse(too_long(most)),
                Ok(LineRead::Silence) if link.requests.count() == 0 => {
                    client.end_silence();
                    return InputEnd::Orderly;
                }
                Ok(LineRead::Silence) => {}
                Ok(LineRead::End) => return InputEnd::Orderly,
                Err(_) => return InputEnd::Broken,
            }
            if link.outbox.is_closed() {
                return InputEnd::Broken;
            }
        }
    });
}

/// The error for a message that is longer than allowed.
pub(super) fn too_long(most: usize) -> RpcError {
    let message = format!("this message is longer than {most} bytes, which the service allows");
    RpcError::new(ErrorKind::Limit, message)
}

/// Whether a line is the beginning of an HTTP request. A web page can send one to any port, with lines of its choice
/// after it.
fn is_http(line: &[u8]) -> bool {
    let line = line.trim_ascii_end();
    line.ends_with(b" HTTP/1.1") || line.ends_with(b" HTTP/1.0")
}

/// What came next.
#[derive(Debug, PartialEq, Eq)]
enum LineRead {
    /// A line, in [`LineReader::line`].
    Line,
    /// A line that is longer than allowed. It was skipped.
    TooLong,
    /// Nothing, for as long as a read may take.
    Silence,
    /// The end.
    End,
}

/// Reads lines of a limited length.
struct LineReader<R> {
    input: R,
    /// The line that was read last, without its end.
    line: Vec<u8>,
    most: usize,
    /// Whether the line that is being read is complete.
    complete: bool,
    /// Whether it is too long.
    skipping: bool,
    /// Whether the client had sent something after the line that was read last.
    has_more: bool,
}

impl<R: BufRead> LineReader<R> {
    /// Reads lines of at most `most` bytes.
    fn new(input: R, most: usize) -> Self {
        Self { input, line: Vec::new(), most, complete: true, skipping: false, has_more: false }
    }

    /// Reads the next line. The last one may lack its end.
    ///
    /// # Errors
    /// When the input breaks.
    fn read(&mut self) -> io::Result<LineRead> {
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
                    io::ErrorKind::Interrupted => continue,
                    io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => return Ok(LineRead::Silence),
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
