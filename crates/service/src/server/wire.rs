//! Serving a client, and reading one message a line.

use super::*;
use std::io::{BufRead as _, BufReader};

/// How the input of a client ended.
#[derive(Clone, Copy, PartialEq)]
pub enum InputEnd {
    /// In good order: what was asked for is answered. A WebSocket is closed with this code then.
    Orderly(CloseCode),
    /// The client is gone.
    Broken,
}

/// Serves a client until `listen` has heard all of it. Returns without calling it if there is no place for the client.
pub fn serve(link: &Arc<ClientLink>, listen: impl FnOnce(&mut Client) -> InputEnd) {
    let outbox = &link.outbox;
    let is_remote = link.stream.is_some() && outbox.framing() == MessageFraming::Lines;
    let writing = link.clone();
    let sender = Builder::new().name("sender".into()).spawn(move || writing.outbox.run());
    let mut client = Client::new(link);
    let place = link.service.enter(link);
    let mut code = CloseCode::Again;
    if place.is_some() && sender.is_ok() {
        let end = listen(&mut client);
        if end == InputEnd::Broken || (is_remote && !waits_for_answers(link)) {
            link.requests.cancel_all();
            outbox.close();
        }
        if let InputEnd::Orderly(end) = end {
            code = end;
        }
        client.end_worlds(0);
    } else {
        let message = format!("the service has {} clients, which is its limit, or ends", link.service.clients());
        client.refuse(ErrorKind::Limit.error(message));
    }
    outbox.say_goodbye(code);
    let is_sent = outbox.flush(PATIENCE);
    outbox.close();
    if let Some(stream) = link.stream.as_ref().filter(|_| !is_sent) {
        // The client does not read: otherwise, its place would be taken for as long as writing may take.
        let _ = stream.shutdown(Shutdown::Both);
    }
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
pub fn serve_lines(
    service: &Arc<ServiceShared>,
    input: impl Read,
    sink: Box<dyn Sink>,
    stream: Option<TcpStream>,
    admission: Arc<Admission>,
) {
    let link = ClientLink::new(service, sink, MessageFraming::Lines, stream, admission);
    serve(&link, |client| {
        let mut lines = LineReader::new(input);
        loop {
            if client.wait_for_room().is_break() {
                return InputEnd::Broken;
            }
            let most = client.longest_message();
            match lines.read(most) {
                Ok(LineRead::Line) => {
                    if let ControlFlow::Break(()) = client.receive(&lines.line, lines.has_more()) {
                        return InputEnd::Orderly(CloseCode::Normal);
                    }
                }
                Ok(LineRead::TooLong) => client.refuse(too_long(most)),
                Ok(LineRead::Silence) if link.requests.count() == 0 => {
                    client.end_silence();
                    return InputEnd::Orderly(CloseCode::Normal);
                }
                Ok(LineRead::Silence) => {}
                Ok(LineRead::End) => return InputEnd::Orderly(CloseCode::Normal),
                Err(_) => return InputEnd::Broken,
            }
            if link.outbox.is_closed() {
                return InputEnd::Broken;
            }
        }
    });
}

/// The error for a message that is longer than allowed.
pub fn too_long(most: usize) -> RpcError {
    let message = format!("this message is longer than {most} bytes, which the service allows");
    ErrorKind::Limit.error(message)
}

/// What came next.
pub enum LineRead {
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
pub struct LineReader<R> {
    input: BufReader<R>,
    /// The line that was read last, without its end.
    pub line: Vec<u8>,
    /// Whether the line is complete.
    complete: bool,
    /// Whether the line is too long, and the rest of it is not read yet.
    skipping: bool,
}

/// How many bytes are read at a time. Every connection has room for them.
pub const READ_AT_ONCE: usize = 8 << 10;

impl<R: Read> LineReader<R> {
    /// Reads from this input.
    pub fn new(input: R) -> Self {
        let input = BufReader::with_capacity(READ_AT_ONCE, input);
        Self { input, line: Vec::new(), complete: true, skipping: false }
    }

    /// Whether the client has sent something after the line that was read last.
    fn has_more(&self) -> bool {
        !self.input.buffer().is_empty()
    }

    /// Reads the next line, of at most `most` bytes. The last one may lack its end.
    ///
    /// # Errors
    /// When the input breaks.
    pub fn read(&mut self, most: usize) -> io::Result<LineRead> {
        match self.read_or_wait(most) {
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                Ok(LineRead::Silence)
            }
            read => read,
        }
    }

    fn read_or_wait(&mut self, most: usize) -> io::Result<LineRead> {
        if mem::take(&mut self.complete) {
            self.line.clear();
        }
        if !self.skipping {
            let room = (most + 1).saturating_sub(self.line.len());
            self.input.by_ref().take(room as u64).read_until(b'\n', &mut self.line)?;
            let has_end = self.line.pop_if(|byte| *byte == b'\n').is_some();
            if has_end || self.line.len() <= most {
                self.complete = true;
                let is_end = !has_end && self.line.is_empty();
                return Ok(if is_end { LineRead::End } else { LineRead::Line });
            }
            (self.skipping, self.line) = (true, Vec::new());
        }
        self.input.skip_until(b'\n')?;
        (self.skipping, self.complete) = (false, true);
        Ok(LineRead::TooLong)
    }
}
