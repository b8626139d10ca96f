//! The head of an HTTP request.

use super::{HttpAnswer, plain};
use std::{
    io::{self, Read as _},
    net::TcpStream,
    time::{Duration, Instant},
};
use tungstenite::http::{Request, StatusCode, Version};

/// The longest head, in bytes.
const LONGEST_HEAD: usize = 16 << 10;

/// The most lines of a head.
const MOST_HEADERS: usize = 100;

/// How long a head may take. It is short for people, and long for connections that only keep a place.
const PATIENCE: Duration = Duration::from_secs(5);

/// Reads the head of a request, or what to answer instead. What was read after the head is the body. Leaves the
/// connection with another timeout.
pub fn read_request(stream: &mut TcpStream) -> io::Result<Result<Request<Vec<u8>>, HttpAnswer>> {
    let until = Instant::now() + PATIENCE;
    let mut bytes = Vec::new();
    let mut part = [0; 4096];
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(Err(plain(StatusCode::REQUEST_TIMEOUT, "the head of the request took too long\n")));
        }
        stream.set_read_timeout(Some(left))?;
        match stream.read(&mut part) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => bytes.extend_from_slice(&part[..count]),
            Err(error) => match error.kind() {
                io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted => continue,
                _ => return Err(error),
            },
        }
        if let Some(read) = parse(&bytes).transpose() {
            return Ok(read.map_err(|status| match status {
                StatusCode::BAD_REQUEST => plain(status, "this is not an HTTP request\n"),
                _ => plain(status, "the head of the request is too long\n"),
            }));
        }
    }
}

/// The request that begins like this; `None` while its head is not complete.
fn parse(bytes: &[u8]) -> Result<Option<Request<Vec<u8>>>, StatusCode> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut head = httparse::Request::new(&mut headers);
    let length = match head.parse(bytes) {
        Ok(httparse::Status::Complete(length)) if length <= LONGEST_HEAD => length,
        Ok(httparse::Status::Partial) if bytes.len() <= LONGEST_HEAD => return Ok(None),
        Ok(_) | Err(httparse::Error::TooManyHeaders) => return Err(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE),
        Err(_) => return Err(StatusCode::BAD_REQUEST),
    };
    let version = if head.version == Some(0) { Version::HTTP_10 } else { Version::HTTP_11 };
    let (method, path) = (head.method.unwrap_or_default(), head.path.unwrap_or_default());
    let mut request = Request::builder().method(method).uri(path).version(version);
    for header in head.headers.iter() {
        request = request.header(header.name, header.value);
    }
    request.body(bytes[length..].into()).map(Some).map_err(|_| StatusCode::BAD_REQUEST)
}

#[cfg(test)]
#[path = "../../../tests/unit/server/web/request.rs"]
mod tests;
