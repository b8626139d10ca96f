//! What goes to a client: answers at once, lines of subscriptions when there is time.

use super::sink::Sink;
use std::collections::VecDeque;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tungstenite::protocol::frame::coding::{CloseCode, Data, OpCode};
use tungstenite::protocol::frame::{CloseFrame, Frame, Utf8Bytes};

/// How messages are divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MessageFraming {
    /// One line each.
    Lines,
    /// One text frame each. Answers may have a binary frame after them.
    WebSocket,
}

/// The most bytes that wait to be sent before threads that have more to say have to wait.
const MOST_WAITING: usize = 16 << 20;

/// The way to a client.
///
/// Whoever has an answer writes it directly if it has room and nothing else is being written or waits: that saves waking
/// another thread. The rest is written by the thread that runs [`run`](Self::run).
pub(super) struct Outbox {
    framing: MessageFraming,
    state: Mutex<OutboxState>,
    /// Notified when there is something to write for the thread that writes.
    queued: Condvar,
    /// Notified when there is more room, if somebody waits for it.
    written: Condvar,
    sink: Mutex<Box<dyn Sink>>,
    /// How many lines of subscriptions may wait.
    most_lines: usize,
    /// The same as in the state, for threads that look often.
    closed: AtomicBool,
}

#[derive(Default)]
struct OutboxState {
    waiting: VecDeque<Packet>,
    bytes: usize,
    lines: usize,
    writing: bool,
    closed: bool,
    /// How many threads wait for room, or for the end.
    patient: usize,
}

struct Packet {
    bytes: Vec<u8>,
    is_line: bool,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Outbox {
    /// The way to a client through `sink`, with at most `most_lines` lines of subscriptions that wait.
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

    /// Sends an answer, with the binary frame that follows it. Waits while very much is waiting.
    pub fn send(&self, text: Vec<u8>, binary: Option<Vec<u8>>) {
        self.send_raw(self.framed(text, binary));
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
        let mut state = locked(&self.state);
        while state.bytes > MOST_WAITING && !state.closed {
            state = self.wait(state);
        }
        if state.closed {
            return;
        }
        let is_free = !state.writing && state.waiting.is_empty();
        if !is_free || !locked(&self.sink).has_room(bytes.len()) {
            state.bytes += bytes.len();
            let is_line = false;
            state.waiting.push_back(Packet { bytes, is_line });
            self.queued.notify_one();
            return;
        }
        state.writing = true;
        drop(state);
        let written = self.write(&bytes);
        self.note_written(written, 0, 0);
    }

    /// Sends a line of a subscription if there is room for it; or, if `wait` is set, once there is. Returns whether it was
    /// taken.
    pub fn offer(&self, text: Vec<u8>, wait: bool) -> bool {
        let bytes = self.framed(text, None);
        let mut state = locked(&self.state);
        let full = |state: &OutboxState| state.lines >= self.most_lines || state.bytes > MOST_WAITING;
        while wait && full(&state) && !state.closed {
            state = self.wait(state);
        }
        if full(&state) || state.closed {
            return false;
        }
        state.bytes += bytes.len();
        state.lines += 1;
        let is_line = true;
        state.waiting.push_back(Packet { bytes, is_line });
        self.queued.notify_one();
        true
    }

    /// Writes what waits, until the client is gone or [`close`](Self::close) is called.
    pub fn run(&self) {
        let mut state = locked(&self.state);
        loop {
            while !state.closed && (state.writing || state.waiting.is_empty()) {
                let waited = self.queued.wait(state);
                state = waited.unwrap_or_else(PoisonError::into_inner);
            }
            if state.closed {
                return;
            }
            let packets = std::mem::take(&mut state.waiting);
            state.writing = true;
            drop(state);
            let (mut bytes, mut lines) = (Vec::new(), 0);
            for packet in packets {
                bytes.extend_from_slice(&packet.bytes);
                lines += usize::from(packet.is_line);
            }
            let written = self.write(&bytes);
            self.note_written(written, bytes.len(), lines);
            state = locked(&self.state);
        }
    }

    /// Waits until all is sent, at most for `patience`.
    pub fn flush(&self, patience: Duration) {
        let until = Instant::now() + patience;
        let mut state = locked(&self.state);
        while !state.closed && (state.writing || !state.waiting.is_empty()) {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            state.patient += 1;
            let waited = self.written.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            state.patient -= 1;
        }
    }

    /// Drops what waits, and everything that comes later.
    pub fn close(&self) {
        let mut state = locked(&self.state);
        *state = OutboxState { closed: true, writing: state.writing, patient: state.patient, ..OutboxState::default() };
        self.note_closed();
    }

    /// Whether the client can no longer be reached.
    pub fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    fn note_closed(&self) {
        self.closed.store(true, Ordering::Relaxed);
        self.queued.notify_all();
        self.written.notify_all();
    }

    fn wait<'a>(&self, mut state: MutexGuard<'a, OutboxState>) -> MutexGuard<'a, OutboxState> {
        state.patient += 1;
        let waited = self.written.wait(state);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        state.patient -= 1;
        state
    }

    fn write(&self, bytes: &[u8]) -> io::Result<()> {
        let mut sink = locked(&self.sink);
        sink.write_all(bytes)?;
        sink.flush()
    }

    /// Notes that something has been written, or that it cannot be.
    fn note_written(&self, written: io::Result<()>, bytes: usize, lines: usize) {
        let mut state = locked(&self.state);
        state.writing = false;
        state.bytes = state.bytes.saturating_sub(bytes);
        state.lines = state.lines.saturating_sub(lines);
        if written.is_err() {
            state.closed = true;
            state.waiting.clear();
            return self.note_closed();
        }
        if !state.waiting.is_empty() {
            self.queued.notify_one();
        }
        // Notifying costs a call of the system, also if no thread waits.
        if state.patient > 0 {
            self.written.notify_all();
        }
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
