//! HTTP on the port of the service: it leads to WebSockets, and to the page.

mod request;

use super::*;
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
            ALLOW, CACHE_CONTROL, CONNECTION, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY,
            UPGRADE, X_CONTENT_TYPE_OPTIONS,
        },
    },
};

/// An answer over HTTP.
pub type HttpAnswer = Response<Vec<u8>>;

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
            send(stream, answer(shared, &request), request.method() != Method::HEAD)
        }
        Err(refused) => send(stream, refused, true),
    }
}

/// The answer to a request that is not for a WebSocket. The files of the page are in memory, so no path leads to another one.
fn answer(shared: &ServiceShared, request: &Request<Vec<u8>>) -> HttpAnswer {
    if ![Method::GET, Method::HEAD].contains(request.method()) {
        let mut refused = plain(StatusCode::METHOD_NOT_ALLOWED, "only GET and HEAD are answered\n");
        refused.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
        return refused;
    }
    let uri = request.uri();
    let name = match uri.path().strip_prefix('/') {
        _ if uri.host().is_some() => "",
        Some("") => "index.html",
        Some(name) => name,
        None => "",
    };
    match shared.page.get(name) {
        Some(file) => with_type(PageFiles::content_type(name), file.into()),
        None if !shared.web => plain(
            StatusCode::NOT_FOUND,
            "this service has no page; start it with `hangtime serve --web`, or open a WebSocket\n",
        ),
        None if name == "index.html" => plain(
            StatusCode::NOT_FOUND,
            "there is no page yet. To make one, run `web/build` in a copy of hangtime's source code\n",
        ),
        None if name == "favicon.ico" => plain(StatusCode::NO_CONTENT, ""),
        None => plain(StatusCode::NOT_FOUND, "the page is at /\n"),
    }
}

/// An answer with a text for people.
pub fn plain(status: StatusCode, text: &str) -> HttpAnswer {
    let mut answer = with_type("text/plain; charset=utf-8", text.into());
    *answer.status_mut() = status;
    answer
}

/// An answer with a body of this type.
fn with_type(content_type: &'static str, body: Vec<u8>) -> HttpAnswer {
    let mut answer = Response::new(body);
    for (name, value) in [
        (CONTENT_TYPE, content_type),
        (CACHE_CONTROL, "no-store"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        // The page says itself what it may load.
        (CONTENT_SECURITY_POLICY, "frame-ancestors 'none'"),
        (CONNECTION, "close"),
    ] {
        answer.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    answer
}

/// Sends an answer and closes the connection.
pub fn send(mut stream: TcpStream, mut answer: HttpAnswer, with_body: bool) -> io::Result<()> {
    if answer.status() != StatusCode::NO_CONTENT {
        let length = answer.body().len();
        answer.headers_mut().insert(CONTENT_LENGTH, length.into());
    }
    let mut bytes = Vec::new();
    write_response(&mut bytes, &answer).map_err(io::Error::other)?;
    if with_body {
        bytes.extend_from_slice(answer.body());
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
