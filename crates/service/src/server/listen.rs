//! A service, on stdin and stdout or on a port.

use super::*;
use std::net::{SocketAddr, TcpListener};

/// Serves the worlds of a game to clients. Ends with [`stop`](Self::stop), or when a client shuts it down.
pub struct Service {
    shared: Arc<ServiceShared>,
}

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
    pub fn serve(&self, input: impl Read + Send, output: Box<dyn Write + Send>) -> io::Result<()> {
        let thread = script_thread("client");
        // Scripts may run on this thread, and the caller's can have a small stack.
        std::thread::scope(|scope| {
            thread.spawn_scoped(scope, || {
                let admission = Admission::new(&self.shared, false);
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
        let thread = script_thread("stdio");
        thread.spawn(move || {
            let output = Box::new(StdoutSink::new(shared.lost_output.clone()));
            serve_lines(&shared, io::stdin(), output, None, Admission::new(&shared, false));
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
                let thread = script_thread("client");
                // Without a thread, the connection is closed.
                let _ = thread.spawn(move || {
                    let _ = serve_connection(&shared, stream);
                    drop(connection);
                });
            }
        })?;
        Ok(address)
    }

    /// Waits until the service ends because a client shuts it down, at most for `patience`. Returns whether it does.
    pub fn wait(&self, patience: Duration) -> bool {
        let mut state = self.shared.state.lock();
        self.shared.changed.wait_while_for(&mut state, |state| !state.ends, patience);
        state.ends
    }

    /// Why the client on stdin and stdout gets no more answers, if nothing can be written to stdout.
    pub fn lost_output(&self) -> Option<&str> {
        self.shared.lost_output.get().map(String::as_str)
    }

    /// Ends the service: cancels what runs, sends the last answers, closes all connections.
    pub fn stop(&self) {
        self.shared.end();
        let links = self.shared.state.lock().clients.clone();
        for link in &links {
            link.requests.cancel_all();
            if let Some(stream) = &link.stream {
                // The client's thread sees the end of its input. If the client is gone, so is the connection.
                let _ = stream.shutdown(Shutdown::Read);
            }
        }
        let until = Instant::now() + PATIENCE;
        let left = || until.saturating_duration_since(Instant::now());
        for link in &links {
            link.requests.wait(0, left());
            link.outbox.flush(left());
        }
        let is_connected = |state: &mut ServiceState| state.clients.iter().any(|link| link.stream.is_some());
        self.shared.changed.wait_while_for(&mut self.shared.state.lock(), is_connected, left());
        for link in &links {
            link.outbox.close();
            if let Some(stream) = &link.stream {
                let _ = stream.shutdown(Shutdown::Both);
            }
        }
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

/// Serves a client that has connected.
///
/// # Errors
/// If the connection breaks: the client is gone.
fn serve_connection(shared: &Arc<ServiceShared>, stream: TcpStream) -> io::Result<()> {
    let idle = shared.limits.idle;
    let admission = Admission::new(shared, true);
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(first_silence(shared)))?;
    stream.set_write_timeout(idle)?;
    if is_http(&stream)? {
        return serve_http(shared, stream, admission);
    }
    let (sink, link) = (stream.try_clone()?, stream.try_clone()?);
    let input = GuardedStream::new(stream, admission.clone(), idle);
    serve_lines(shared, input, Box::new(sink), Some(link), admission);
    Ok(())
}

/// Whether a connection begins with a large letter, as requests of HTTP do and no message does: a web page can send one to
/// any port, with lines of its choice after it. Nothing is taken from it.
fn is_http(stream: &TcpStream) -> io::Result<bool> {
    let mut first = [0];
    stream.peek(&mut first)?;
    Ok(first[0].is_ascii_uppercase())
}
