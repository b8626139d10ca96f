//! The head of an HTTP request.

use std::io::{self, Read as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// The longest head, in bytes.
const LONGEST_HEAD: usize = 16 << 10;

/// The most lines of a head.
const MOST_HEADERS: usize = 100;

/// How long a head may take. It is short for people, and long for connections that only keep a place.
const PATIENCE: Duration = Duration::from_secs(5);

/// The head of a request.
#[derive(Debug)]
pub(super) struct RequestHead {
    /// Its method, such as `GET`.
    pub method: String,
    /// Its path, without what follows a `?`.
    pub path: String,
    /// Whether it asks for a WebSocket.
    pub wants_websocket: bool,
    /// All bytes that were read.
    pub bytes: Vec<u8>,
}

/// Why there is no head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HeadError {
    /// The client has closed the connection before the end of the head.
    Gone,
    /// It takes too long.
    Slow,
    /// It is longer than allowed.
    Long,
    /// It is not HTTP.
    Wrong,
}

/// Reads the head of a request. Leaves the connection with another timeout.
pub(super) fn read_head(stream: &mut TcpStream) -> io::Result<Result<RequestHead, HeadError>> {
    let until = Instant::now() + PATIENCE;
    let mut bytes = Vec::new();
    let mut part = [0; 4096];
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(Err(HeadError::Slow));
        }
        stream.set_read_timeout(Some(left))?;
        let count = match stream.read(&mut part) {
            Ok(0) => return Ok(Err(HeadError::Gone)),
            Ok(count) => count,
            Err(error) => match error.kind() {
                io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => continue,
                io::ErrorKind::Interrupted => continue,
                _ => return Err(error),
            },
        };
        bytes.extend_from_slice(&part[..count]);
        match parse(&bytes) {
            Ok(Some((method, path, wants_websocket))) => {
                return Ok(Ok(RequestHead { method, path, wants_websocket, bytes }));
            }
            Ok(None) if bytes.len() > LONGEST_HEAD => return Ok(Err(HeadError::Long)),
            Ok(None) => {}
            Err(error) => return Ok(Err(error)),
        }
    }
}

/// The method and the path of a head, and whether it asks for a WebSocket; `None` while it is not complete.
fn parse(bytes: &[u8]) -> Result<Option<(String, String, bool)>, HeadError> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    match request.parse(bytes) {
        Ok(httparse::Status::Complete(length)) if length > LONGEST_HEAD => {
            return Err(HeadError::Long);
        }
        Ok(httparse::Status::Complete(_)) => {}
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(httparse::Error::TooManyHeaders) => return Err(HeadError::Long),
        Err(_) => return Err(HeadError::Wrong),
    }
    let (Some(method), Some(path)) = (request.method, request.path) else {
        return Err(HeadError::Wrong);
    };
    let wants_websocket = request
        .headers
        .iter()
        .any(|header| header.name.eq_ignore_ascii_case("upgrade") && header.value.eq_ignore_ascii_case(b"websocket"));
    let path = path.split('?').next().unwrap_or_default();
    Ok(Some((method.into(), path.into(), wants_websocket)))
}

#[cfg(test)]
mod tests {
    use super::{HeadError, LONGEST_HEAD, MOST_HEADERS, parse};

    #[test]
    fn a_head_is_complete_at_its_empty_line() {
        let text = "GET /a?b=1 HTTP/1.1\r\nHost: localhost\r\nUpgrade: WebSocket\r\n\r\n";
        for length in 0..text.len() {
            assert_eq!(parse(&text.as_bytes()[..length]), Ok(None), "{length}");
        }
        let parsed = Some(("GET".into(), "/a".into(), true));
        assert_eq!(parse(text.as_bytes()), Ok(parsed));
        let more = format!("{text}more");
        assert_eq!(parse(more.as_bytes()).map(|head| head.is_some()), Ok(true));
    }

    #[test]
    fn wrong_and_long_heads_are_refused() {
        for text in ["GET\r\n\r\n", "G\0T / HTTP/1.1\r\n\r\n", "GET / HTTP/9.9\r\n\r\n"] {
            assert_eq!(parse(text.as_bytes()), Err(HeadError::Wrong), "{text:?}");
        }
        let lines = "A: b\r\n".repeat(MOST_HEADERS + 1);
        let many = format!("GET / HTTP/1.1\r\n{lines}\r\n");
        assert_eq!(parse(many.as_bytes()), Err(HeadError::Long));
        let long = format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(LONGEST_HEAD));
        assert_eq!(parse(long.as_bytes()), Err(HeadError::Long));
    }
}
