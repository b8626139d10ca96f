//! The time that a client has to show the token.

use super::*;
use std::io::ErrorKind;

/// How long a connection may be open before it sends its first bytes and, if one is needed, the token.
pub const FIRST_SILENCE: Duration = Duration::from_secs(60);

/// The longest message before the token is shown, in bytes: any program that finds the port may send one.
const FIRST_MESSAGE: usize = 4 << 10;

/// The most bytes of answers that wait for a client that has not shown the token.
const FIRST_ANSWERS: usize = 4 << 10;

/// Whether a client may send requests, and until when it has to show the token.
pub struct Admission {
    is_granted: AtomicBool,
    /// `None` for a client of the same machine's stdin, which has time.
    until: Option<Instant>,
}

impl Admission {
    /// For a client without a connection, which may take its time, or for one that connects now.
    pub fn new(shared: &ServiceShared, connects: bool) -> Arc<Self> {
        let until = connects.then(|| Instant::now() + first_silence(shared));
        Arc::new(Self { is_granted: AtomicBool::new(!shared.needs_token()), until })
    }

    /// Whether the client has shown the token, or needs none.
    pub fn is_granted(&self) -> bool {
        self.is_granted.load(Ordering::Relaxed)
    }

    /// Notes that the client has shown the token.
    pub fn grant(&self) {
        self.is_granted.store(true, Ordering::Relaxed);
    }

    /// The longest message that the client may send now, in bytes.
    pub fn longest_message(&self, limits: &ServiceLimits) -> usize {
        if self.is_granted() {
            limits.message
        } else {
            limits.message.min(FIRST_MESSAGE)
        }
    }

    /// Whether a client for which this many bytes wait loses its place instead of being waited for.
    pub fn gives_up(&self, waiting: usize) -> bool {
        !self.is_granted() && waiting > FIRST_ANSWERS
    }

    /// How much time is left to show it; `None` if it is not needed.
    fn left(&self) -> Option<Duration> {
        let until = self.until.filter(|_| !self.is_granted())?;
        Some(until.saturating_duration_since(Instant::now()))
    }
}

/// How long a new connection may be silent.
pub fn first_silence(shared: &ServiceShared) -> Duration {
    let idle = shared.limits.idle;
    idle.map_or(FIRST_SILENCE, |idle| idle.min(FIRST_SILENCE))
}

/// A connection whose client is heard as long as it may be silent or, before it has shown the token, until the time for
/// that is over.
pub struct GuardedStream {
    stream: TcpStream,
    admission: Arc<Admission>,
    idle: Option<Duration>,
    /// Whether reading waits as long as the client may be silent.
    is_open: bool,
}

impl GuardedStream {
    /// Guards a connection whose client may be silent for `idle`.
    pub fn new(stream: TcpStream, admission: Arc<Admission>, idle: Option<Duration>) -> Self {
        Self { stream, admission, idle, is_open: false }
    }

    fn prepare(&mut self) -> io::Result<()> {
        if self.is_open {
            return Ok(());
        }
        let Some(left) = self.admission.left() else {
            self.is_open = true;
            return self.stream.set_read_timeout(self.idle);
        };
        if left.is_zero() {
            return Err(ErrorKind::TimedOut.into());
        }
        self.stream.set_read_timeout(Some(left))
    }
}

impl Read for GuardedStream {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.prepare()?;
        self.stream.read(into)
    }
}
