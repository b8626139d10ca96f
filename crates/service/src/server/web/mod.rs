//! HTTP on the port of the service: it leads to WebSockets, and to the page.

mod page;
mod request;

use super::*;
use page::page;
use request::read_request;
use std::{
    io::{self, Read as _, Write as _},
    net::Shutdown,
};
use tungstenite::{
    handshake::server::write_response,
    http::{
        HeaderValue, Method, Request, Response, StatusCode,
        header::{
            ALLOW, CACHE_CONTROL, CONNECTION, CONTENT_LENGTH, CONTENT_TYPE, REFERRER_POLICY, UPGRADE,
            X_CONTENT_TYPE_OPTIONS,
        },
    },
};

/// How long a client has to read the end of an answer.
const PATIENCE: Duration = Duration::from_secs(1);

/// Serves a connection that begins like an HTTP request: a WebSocket, or one request with its answer.
pub fn serve_http(shared: &Arc<ServiceShared>, mut stream: TcpStream, admission: Arc<Admission>) -> io::Result<()> {
    let read = read_request(&mut stream)?;
    stream.set_read_timeout(shared.limits.idle)?;
    match read {
        Ok(request) => {
            let upgrade = request.headers().get(UPGRADE);
            if upgrade.is_some_and(|to| to.as_bytes().eq_ignore_ascii_case(b"websocket")) {
                return serve_websocket(shared, stream, admission, request);
            }
            send(stream, answer(shared.web, &request), request.method() != Method::HEAD)
        }
        Err(refused) => send(stream, refused, true),
    }
}

/// The answer to a request that is not for a WebSocket. There is one page, so a path leads to no file.
fn answer(has_page: bool, request: &Request<Vec<u8>>) -> Response<String> {
    if ![Method::GET, Method::HEAD].contains(request.method()) {
        let mut refused = plain(StatusCode::METHOD_NOT_ALLOWED, "only GET and HEAD are answered\n");
        refused.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
        return refused;
    }
    let uri = request.uri();
    match uri.path() {
        "/" if has_page && uri.host().is_none() => page(),
        "/favicon.ico" if has_page => plain(StatusCode::NO_CONTENT, ""),
        _ if has_page => plain(StatusCode::NOT_FOUND, "the only page is at /\n"),
        _ => plain(
            StatusCode::NOT_FOUND,
            "this service has no page; start it with `hangtime serve --web`, or open a WebSocket\n",
        ),
    }
}

/// An answer with a text for people.
pub fn plain(status: StatusCode, text: &str) -> Response<String> {
    let mut answer = with_type("text/plain; charset=utf-8", text.into());
    *answer.status_mut() = status;
    answer
}

/// An answer with a body of this type.
fn with_type(content_type: &'static str, body: String) -> Response<String> {
    let mut answer = Response::new(body);
    for (name, value) in [
        (CONTENT_TYPE, content_type),
        (CACHE_CONTROL, "no-store"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        (CONNECTION, "close"),
    ] {
        answer.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    answer
}

/// Sends an answer and closes the connection.
pub fn send(mut stream: TcpStream, mut answer: Response<String>, with_body: bool) -> io::Result<()> {
    if answer.status() != StatusCode::NO_CONTENT {
        let length = answer.body().len();
        answer.headers_mut().insert(CONTENT_LENGTH, length.into());
    }
    let mut bytes = Vec::new();
    write_response(&mut bytes, &answer).map_err(io::Error::other)?;
    if with_body {
        bytes.extend_from_slice(answer.body().as_bytes());
    }
    stream.write_all(&bytes)?;
    wait_for_end(&stream, PATIENCE)
}

/// Waits until a client that has got all closes the connection. Closing it first, while there is something left to read,
/// can lose the end of an answer.
pub fn wait_for_end(mut stream: &TcpStream, patience: Duration) -> io::Result<()> {
    stream.shutdown(Shutdown::Write)?;
    let (until, mut dropped) = (Instant::now() + patience, [0; 4096]);
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(());
        }
        stream.set_read_timeout(Some(left))?;
        if stream.read(&mut dropped)? == 0 {
            return Ok(());
        }
    }
}
