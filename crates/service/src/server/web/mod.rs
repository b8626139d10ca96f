//! HTTP on the port of the service: the way to WebSockets, and to the page.

mod page;
mod request;
mod response;

use super::admission::{Admission, GuardedStream};
use super::shared::ServiceShared;
use super::websocket::serve_websocket;
use page::page;
use request::{HeadError, RequestHead, read_head};
use response::{HttpResponse, HttpStatus};
use std::io;
use std::net::TcpStream;
use std::sync::Arc;

/// Serves a connection that begins like an HTTP request: a WebSocket, or one request with its answer.
pub(super) fn serve_http(
    shared: &Arc<ServiceShared>,
    mut stream: TcpStream,
    admission: Arc<Admission>,
) -> io::Result<()> {
    // Connections without a whole head take no more threads than clients may.
    let place = shared.heads.clone();
    if Arc::strong_count(&place) > shared.limits.clients + 1 {
        return Ok(());
    }
    let read = read_head(&mut stream)?;
    drop(place);
    stream.set_read_timeout(shared.limits.idle)?;
    let response = match read {
        Ok(head) if head.wants_websocket => {
            let guarded = GuardedStream::new(stream, admission.clone(), shared.limits.idle);
            return serve_websocket(shared, guarded, admission, head.bytes);
        }
        Ok(head) => answer(shared.web, &head),
        Err(HeadError::Gone) => return Ok(()),
        Err(HeadError::Slow) => HttpResponse::of(HttpStatus::Timeout),
        Err(HeadError::Long) => HttpResponse::of(HttpStatus::TooLong),
        Err(HeadError::Wrong) => HttpResponse::of(HttpStatus::Wrong),
    };
    response.send(stream)
}

/// What a request gets that is not for a WebSocket. There is one page, so a path leads to no file.
fn answer(has_page: bool, head: &RequestHead) -> HttpResponse {
    let response = match (head.method.as_str(), head.path.as_str()) {
        ("GET" | "HEAD", "/") if has_page => page(),
        ("GET" | "HEAD", "/favicon.ico") if has_page => HttpResponse::of(HttpStatus::Empty),
        ("GET" | "HEAD", _) if has_page => HttpResponse::of(HttpStatus::Missing),
        ("GET" | "HEAD", _) => HttpResponse::of(HttpStatus::NoPage),
        _ => HttpResponse::of(HttpStatus::Method),
    };
    match head.method == "HEAD" {
        true => response.without_body(),
        false => response,
    }
}
