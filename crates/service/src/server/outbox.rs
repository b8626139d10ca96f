//! What goes to a client: answers at once, lines of subscriptions when there is time.

use super::*;
use tungstenite::protocol::frame::{
    CloseFrame, Frame, Utf8Bytes,
    coding::{Data, OpCode},
};

/// How messages are divided.
#[derive(Clone, Copy, PartialEq)]
pub enum MessageFraming {
    /// One line each.
    Lines,
    /// One text frame each. Answers may have a binary frame after them.
    WebSocket,
}

/// The most bytes that wait to be sent before the client's worlds have no more turns, and its messages are not read.
const MOST_WAITING: usize = 16 << 20;

/// The connection to a client.
///
/// The thread that has an answer writes it if there is room for it and nothing else is being written or waits: that saves
/// waking another thread. The rest is written by the thread that runs [`run`](Self::run).
pub struct Outbox {
    framing: MessageFraming,
    state: Mutex<OutboxState>,
    /// Notified when there is something to write for the thread that writes.
    queued: Condvar,
    /// Notified when there is more room, if a thread waits for it.
    written: Condvar,
    sink: Mutex<Box<dyn Sink>>,
    /// How many lines of subscriptions may wait.
    most_lines: usize,
    /// Whether nothing more can be sent. Set while the state is locked.
    closed: AtomicBool,
}

#[derive(Default)]
struct OutboxState {
    /// What waits to be written.
    bytes: Vec<u8>,
    /// How many bytes wait or are being written by the thread that writes.
    count: usize,
    /// How many lines of subscriptions are among them.
    lines: usize,
    writing: bool,
    /// How many threads wait for room, or for the end.
    waiting: usize,
    /// Work that continues after the client has read more.
    parked: Vec<PoolWork>,
}

impl Outbox {
    /// The connection to a client through `sink`, with at most `most_lines` lines of subscriptions that wait.
    pub fn new(sink: Box<dyn Sink>, framing: MessageFraming, most_lines: usize) -> Self {
        Self {
            framing,
            state: Mutex::default(),
            queued: Condvar::new(),
            written: Condvar::new(),
            sink: Mutex::new(sink),
            most_lines: most_lines.max(1),
            closed: AtomicBool::new(false),
        }
    }

    /// How messages are divided.
    pub fn framing(&self) -> MessageFraming {
        self.framing
    }

    /// Sends an answer, with the binary frame that follows it.
    pub fn send(&self, text: Vec<u8>, binary: Option<Vec<u8>>) {
        self.send_raw(self.framed(text, binary));
    }

    /// Sends a binary frame alone.
    pub fn send_binary(&self, data: Vec<u8>) {
        let mut bytes = Vec::with_capacity(data.len() + 16);
        // Writing into memory does not fail.
        let _ = Frame::message(data, OpCode::Data(Data::Binary), true).format(&mut bytes);
        self.send_raw(bytes);
    }

    /// Closes a WebSocket. What is sent later does not count.
    pub fn say_goodbye(&self, code: CloseCode) {
        if self.framing == MessageFraming::WebSocket {
            let frame = Frame::close(Some(CloseFrame { code, reason: Utf8Bytes::default() }));
            let mut bytes = Vec::new();
            // Writing into memory does not fail.
            let _ = frame.format(&mut bytes);
            self.send_raw(bytes);
        }
    }

    /// Sends bytes as they are.
    pub fn send_raw(&self, bytes: Vec<u8>) {
        let mut state = self.state.lock();
        if self.is_closed() {
            return;
        }
        let is_free = !state.writing && state.bytes.is_empty();
        if !is_free || !self.sink.lock().has_room(bytes.len()) {
            return self.queue(&mut state, &bytes);
        }
        state.writing = true;
        drop(state);
        let written = self.write(&bytes);
        self.note_written(written, 0, 0);
    }

    /// Sends a line of a subscription if there is room for it or it `must` be sent. Returns whether it was taken.
    pub fn offer(&self, text: Vec<u8>, must: bool) -> bool {
        let bytes = self.framed(text, None);
        let mut state = self.state.lock();
        if self.is_closed() || (!must && self.is_full(&state, true)) {
            return false;
        }
        state.lines += 1;
        self.queue(&mut state, &bytes);
        true
    }

    fn queue(&self, state: &mut OutboxState, bytes: &[u8]) {
        state.count += bytes.len();
        state.bytes.extend_from_slice(bytes);
        self.queued.notify_one();
    }

    fn is_full(&self, state: &OutboxState, for_lines: bool) -> bool {
        !self.is_closed() && (state.count > MOST_WAITING || (for_lines && state.lines >= self.most_lines))
    }

    /// Whether there is no room for another line of a subscription.
    pub fn is_full_of_lines(&self) -> bool {
        self.is_full(&self.state.lock(), true)
    }

    /// Keeps a world, or a step of many, without turns while too much waits, or too many lines. Returns whether that is
    /// so.
    pub fn parks(&self, work: impl FnOnce() -> PoolWork, for_lines: bool) -> bool {
        let mut state = self.state.lock();
        let is_full = self.is_full(&state, for_lines);
        if is_full {
            state.parked.push(work());
        }
        is_full
    }

    /// How many bytes wait to be written.
    pub fn unwritten(&self) -> usize {
        self.state.lock().count
    }

    /// Waits while too much waits to be written.
    pub fn wait_for_room(&self) {
        let mut state = self.state.lock();
        while self.is_full(&state, false) {
            state.waiting += 1;
            self.written.wait(&mut state);
            state.waiting -= 1;
        }
    }

    /// Writes what waits, until the client is gone or [`close`](Self::close) is called.
    pub fn run(&self) {
        let mut state = self.state.lock();
        loop {
            while !self.is_closed() && (state.writing || state.bytes.is_empty()) {
                self.queued.wait(&mut state);
            }
            if self.is_closed() {
                return;
            }
            let bytes = mem::take(&mut state.bytes);
            let lines = state.lines;
            state.writing = true;
            drop(state);
            let written = self.write(&bytes);
            self.note_written(written, bytes.len(), lines);
            state = self.state.lock();
        }
    }

    /// Waits until all is sent, at most for `patience`. Returns whether it is.
    pub fn flush(&self, patience: Duration) -> bool {
        let mut state = self.state.lock();
        state.waiting += 1;
        let is_unsent = |state: &mut OutboxState| !self.is_closed() && (state.writing || !state.bytes.is_empty());
        self.written.wait_while_for(&mut state, is_unsent, patience);
        state.waiting -= 1;
        !state.writing && state.bytes.is_empty()
    }

    /// Drops what waits, and everything that comes later.
    pub fn close(&self) {
        let mut state = self.state.lock();
        state.bytes = Vec::new();
        (state.count, state.lines) = (0, 0);
        self.closed.store(true, Ordering::Relaxed);
        self.queued.notify_all();
        self.written.notify_all();
        let parked = mem::take(&mut state.parked);
        drop(state);
        parked.into_iter().for_each(PoolWork::schedule);
    }

    /// Whether the client can no longer be reached.
    pub fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    fn write(&self, bytes: &[u8]) -> io::Result<()> {
        let mut sink = self.sink.lock();
        sink.write_all(bytes)?;
        sink.flush()
    }

    /// Notes that something has been written, or that it cannot be.
    fn note_written(&self, written: io::Result<()>, bytes: usize, lines: usize) {
        let mut state = self.state.lock();
        state.writing = false;
        state.count = state.count.saturating_sub(bytes);
        state.lines = state.lines.saturating_sub(lines);
        if written.is_err() {
            drop(state);
            return self.close();
        }
        if !state.bytes.is_empty() {
            self.queued.notify_one();
        }
        // Notifying costs a system call even if no thread waits.
        if state.waiting > 0 {
            self.written.notify_all();
        }
        let parked = mem::take(&mut state.parked);
        drop(state);
        parked.into_iter().for_each(PoolWork::schedule);
    }

    fn framed(&self, mut text: Vec<u8>, binary: Option<Vec<u8>>) -> Vec<u8> {
        match self.framing {
            MessageFraming::Lines => {
                text.push(b'\n');
                text
            }
            MessageFraming::WebSocket => {
                let mut bytes = Vec::with_capacity(text.len() + 16);
                let binary = binary.map(|data| (data, Data::Binary));
                for (data, kind) in [(text, Data::Text)].into_iter().chain(binary) {
                    let frame = Frame::message(data, OpCode::Data(kind), true);
                    // Writing into memory does not fail.
                    let _ = frame.format(&mut bytes);
                }
                bytes
            }
        }
    }
}
