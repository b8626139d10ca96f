//! Serving a client over WebSocket.

use super::duplex::Duplex;
use super::outbox::{MessageFraming, Outbox};
use super::shared::ServiceShared;
use super::wire::{InputEnd, ServedClient, serve, too_long};
use crate::service::protocol::{ErrorKind, RpcError};
use std::io::{self, Cursor};
use std::net::{IpAddr, TcpStream};
use std::ops::ControlFlow;
use std::sync::Arc;
use tungstenite::handshake::server::{ErrorResponse, Request, Response};
use tungstenite::http::{StatusCode, header};
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Error, Message, WebSocket, accept_hdr_with_config};

/// Serves a client that asks for a WebSocket. `head` was read already.
#[expect(
    clippy::result_large_err,
    reason = "the protocol's library names the type"
)]
pub(super) fn serve_websocket(
    shared: &Arc<ServiceShared>,
    stream: TcpStream,
    head: Vec<u8>,
) -> io::Result<()> {
    let limits = shared.limits;
    let (sink, link) = (stream.try_clone()?, stream.try_clone()?);
    let config = WebSocketConfig::default()
        .max_message_size(Some(limits.message))
        .max_frame_size(Some(limits.message));
    let duplex = Duplex {
        head: Cursor::new(head),
        stream,
        outbox: None,
    };
    let trusts_all = shared.needs_token();
    // A client that does not shake hands is none.
    let Ok(mut socket) = accept_hdr_with_config(
        duplex,
        |request: &Request, response: Response| match trusts_all || comes_from_here(request) {
            true => Ok(response),
            false => Err(forbidden()),
        },
        Some(config),
    ) else {
        return Ok(());
    };
    let sink = Box::new(sink);
    let outbox = Arc::new(Outbox::new(sink, MessageFraming::WebSocket, limits.waiting));
    socket.get_mut().outbox = Some(outbox.clone());
    serve(shared, &outbox, Some(link), |served| {
        listen(&mut socket, served, limits.message)
    });
    Ok(())
}

/// Hears all messages of a client.
fn listen(socket: &mut WebSocket<Duplex>, served: &mut ServedClient, most: usize) -> InputEnd {
    loop {
        match socket.read() {
            Ok(Message::Text(text)) => {
                if let ControlFlow::Break(()) = served.client.receive(text.as_bytes(), false) {
                    // All requests have been answered, so this is the last frame.
                    let _ = socket.close(None);
                    return InputEnd::Orderly;
                }
            }
            Ok(Message::Binary(_)) => {
                let message = "messages are text frames; this is a binary one";
                served
                    .client
                    .refuse(RpcError::new(ErrorKind::Request, message));
            }
            // These are answered by the library.
            Ok(Message::Ping(_) | Message::Pong(_) | Message::Close(_) | Message::Frame(_)) => {}
            Err(Error::Io(error)) => match error.kind() {
                io::ErrorKind::Interrupted => {}
                io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
                    if served.requests.is_empty() {
                        return InputEnd::Orderly;
                    }
                }
                _ => return InputEnd::Broken,
            },
            // A client that has closed a WebSocket reads nothing more.
            Err(Error::ConnectionClosed | Error::AlreadyClosed) => return InputEnd::Broken,
            Err(Error::Capacity(_)) => {
                served.client.refuse(too_long(most));
                return InputEnd::Orderly;
            }
            Err(_) => return InputEnd::Broken,
        }
        if served.outbox.is_closed() {
            return InputEnd::Broken;
        }
    }
}

/// Whether a handshake comes from a program, or from a web page of this machine. Any web page can open a WebSocket to any
/// address, and then its origin is another host; or that host's name leads here, and then it is asked for by that name.
fn comes_from_here(request: &Request) -> bool {
    let text = |name: header::HeaderName| {
        let value = request.headers().get(name);
        value.map(|value| value.to_str().unwrap_or("?").to_string())
    };
    let origin = text(header::ORIGIN);
    let origin = origin.as_deref().map(|origin| {
        let (_, host) = origin.split_once("://").unwrap_or(("", origin));
        is_here(host)
    });
    let host = text(header::HOST);
    origin.unwrap_or(true) && host.as_deref().is_none_or(is_here)
}

/// Whether `host` or `host:port` is this machine.
fn is_here(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    let address = name.parse::<IpAddr>();
    name == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

fn forbidden() -> ErrorResponse {
    let text = "only pages of this machine may connect without a token\n";
    let mut response = ErrorResponse::new(Some(text.into()));
    *response.status_mut() = StatusCode::FORBIDDEN;
    response
}

#[cfg(test)]
mod tests {
    use super::is_here;

    #[test]
    fn only_loopback_names_and_addresses_are_here() {
        for host in [
            "localhost",
            "localhost:80",
            "127.0.0.1:7777",
            "127.1.2.3",
            "[::1]:8",
            "[::1]",
        ] {
            assert!(is_here(host), "{host}");
        }
        for host in [
            "",
            "example.com",
            "localhost.example.com",
            "127.0.0.1.example.com",
            "[::2]:1",
            "10.0.0.1",
        ] {
            assert!(!is_here(host), "{host}");
        }
    }
}
