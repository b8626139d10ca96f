//! A service, on stdin and stdout or on a port.

use super::admission::{Admission, GuardedStream, first_silence};
use super::shared::{ServiceOptions, ServiceShared};
use super::sink::{OpaqueSink, StdoutSink};
use super::web::serve_http;
use super::wire::serve_lines;
use crate::ServedGame;
use hangtime_script::STACK;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread::Builder;
use std::time::{Duration, Instant};

/// Serves the worlds of a game to clients. Ends with [`stop`](Self::stop), or when a client shuts it down.
pub struct Service {
    shared: Arc<ServiceShared>,
}

/// How long to wait between looks at a connection whose first bytes may begin an HTTP request.
const LOOK: Duration = Duration::from_millis(1);

/// How long these bytes may take.
const FIRST_BYTES: Duration = Duration::from_secs(5);

/// How many connections may be open in addition to the clients.
const MOST_SILENT: usize = 64;

/// How long to wait after a connection could not be accepted.
const AFTER_FAILURE: Duration = Duration::from_millis(50);

impl Service {
    /// A service of this game without clients.
    pub fn new(game: Arc<ServedGame>, options: ServiceOptions) -> Self {
        Self { shared: ServiceShared::new(game, options) }
    }

    /// Serves a client whose messages are lines, until its input ends or it shuts down. Returns when all of its requests
    /// are answered and its worlds have ended. While writing to `output` waits, so may reading from `input`.
    ///
    /// # Errors
    /// When the system starts no thread.
    pub fn serve(&self, input: impl BufRead + Send, output: Box<dyn Write + Send>) -> io::Result<()> {
        let thread = Builder::new().name("client".into()).stack_size(STACK);
        // Scripts may run on this thread, and the caller's can have a small stack.
        std::thread::scope(|scope| {
            thread.spawn_scoped(scope, || {
                let admission = Admission::without_end(&self.shared);
                serve_lines(&self.shared, input, Box::new(OpaqueSink::new(output)), None, admission);
            })?;
            Ok(())
        })
    }

    /// Serves the client on stdin and stdout, on another thread. The service ends with it.
    ///
    /// # Errors
    /// When the system starts no thread.
    pub fn serve_stdio(&self) -> io::Result<()> {
        let shared = self.shared.clone();
        let thread = Builder::new().name("stdio".into()).stack_size(STACK);
        thread.spawn(move || {
            let input = BufReader::with_capacity(1 << 16, io::stdin());
            let output = StdoutSink::new(shared.lost_output.clone());
            let admission = Admission::without_end(&shared);
            serve_lines(&shared, input, Box::new(output), None, admission);
            shared.end();
        })?;
        Ok(())
    }

    /// Serves clients that connect to this address, over TCP and WebSocket, on other threads. Returns the address, with
    /// the port that the system has chosen if it was 0.
    ///
    /// # Errors
    /// When the system does not let it listen there.
    pub fn listen(&self, address: SocketAddr) -> io::Result<SocketAddr> {
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        let shared = self.shared.clone();
        let thread = Builder::new().name("listen".into());
        let open = Arc::new(());
        thread.spawn(move || {
            for stream in listener.incoming() {
                if shared.ends() {
                    return;
                }
                let Ok(stream) = stream else {
                    // A connection that fails concerns only its client. If all file descriptors are taken, the next one
                    // fails, too, until another ends.
                    std::thread::sleep(AFTER_FAILURE);
                    continue;
                };
                let (shared, connection) = (shared.clone(), open.clone());
                // Silent connections are not clients yet, and each has a thread.
                if Arc::strong_count(&open) > shared.limits.clients + MOST_SILENT {
                    continue;
                }
                let thread = Builder::new().name("client".into()).stack_size(STACK);
                // Without a thread, the connection is closed.
                let _ = thread.spawn(move || {
                    serve_connection(&shared, stream);
                    drop(connection);
                });
            }
        })?;
        Ok(address)
    }

    /// Waits until the service ends because a client shuts it down, at most for `patience`. Returns whether it does.
    pub fn wait(&self, patience: Duration) -> bool {
        self.shared.wait(patience)
    }

    /// Why the client on stdin and stdout gets no more answers, if nothing can be written to stdout.
    pub fn lost_output(&self) -> Option<&str> {
        self.shared.lost_output.get().map(String::as_str)
    }

    /// Ends the service: cancels what runs, sends the last answers, closes all connections.
    pub fn stop(&self) {
        self.shared.stop();
    }

    /// The number of worlds of all clients.
    pub fn worlds(&self) -> usize {
        self.shared.used.worlds()
    }

    /// The number of clients.
    pub fn clients(&self) -> usize {
        self.shared.clients()
    }
}

/// Serves a client that has connected. If the connection breaks, the client is gone.
fn serve_connection(shared: &Arc<ServiceShared>, stream: TcpStream) {
    let idle = shared.limits.idle;
    let admission = Admission::of_connection(shared);
    let prepared = stream
        .set_nodelay(true)
        .and_then(|()| stream.set_read_timeout(Some(first_silence(shared))))
        .and_then(|()| stream.set_write_timeout(idle))
        .and_then(|()| is_http(&stream, shared.web));
    let _ = prepared.and_then(|is_http| match is_http {
        true => serve_http(shared, stream, admission),
        false => {
            let (sink, link) = (stream.try_clone()?, stream.try_clone()?);
            let guarded = GuardedStream::new(stream, admission.clone(), idle);
            let input = BufReader::with_capacity(1 << 16, guarded);
            serve_lines(shared, input, Box::new(sink), Some(link), admission);
            Ok(())
        }
    });
}

/// Whether a connection begins with `GET ` or, where there is a page, with any method of HTTP: no message begins with a
/// large letter. Nothing is taken from it.
fn is_http(stream: &TcpStream, has_page: bool) -> io::Result<bool> {
    let wanted = *b"GET ";
    let since = Instant::now();
    loop {
        let mut first = [0; 4];
        let count = stream.peek(&mut first)?;
        if has_page && count > 0 && first[0].is_ascii_uppercase() {
            return Ok(true);
        }
        let is_start = wanted.starts_with(&first[..count]);
        if !is_start || count == wanted.len() {
            return Ok(is_start);
        }
        // An end after less than that, or a client that takes its time.
        if count == 0 || since.elapsed() > FIRST_BYTES {
            return Ok(false);
        }
        std::thread::sleep(LOOK);
    }
}
