//! Serving a client over WebSocket.

use super::admission::{Admission, GuardedStream};
use super::client::Client;
use super::link::ClientLink;
use super::outbox::MessageFraming;
use super::shared::{PATIENCE, ServiceShared};
use super::wire::{InputEnd, serve, too_long};
use crate::protocol::{ErrorKind, RpcError};
use std::io::{self, Cursor, Read, Write};
use std::net::{IpAddr, Shutdown, TcpStream};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;
use tungstenite::error::ProtocolError;
use tungstenite::handshake::server::{ErrorResponse, Request, Response};
use tungstenite::http::{StatusCode, header};
use tungstenite::protocol::WebSocketConfig;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::{Error, Message, WebSocket, accept_hdr_with_config};

/// A connection. Once it has a client, what is written goes through the client's outbox, so that it does not get into the middle of an answer.
struct Duplex {
    /// What was read from it already.
    head: Cursor<Vec<u8>>,
    /// The connection.
    stream: GuardedStream,
    link: Option<Arc<ClientLink>>,
}

impl Read for Duplex {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self.head.read(into)? {
            0 => self.stream.read(into),
            count => Ok(count),
        }
    }
}

impl Write for Duplex {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &self.link {
            None => self.stream.write(bytes),
            Some(link) => {
                link.outbox.send_raw(bytes.to_vec());
                Ok(bytes.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &self.link {
            None => self.stream.flush(),
            Some(_) => Ok(()),
        }
    }
}

/// Serves a client that asks for a WebSocket. `head` was read already.
#[expect(clippy::result_large_err, reason = "the protocol's library names the type")]
pub(super) fn serve_websocket(
    shared: &Arc<ServiceShared>,
    guarded: GuardedStream,
    admission: Arc<Admission>,
    head: Vec<u8>,
) -> io::Result<()> {
    let limits = shared.limits;
    let stream = guarded.stream();
    let (sink, link, after) = (stream.try_clone()?, stream.try_clone()?, stream.try_clone()?);
    let config = WebSocketConfig::default()
        .max_message_size(Some(limits.message))
        .max_frame_size(Some(limits.message));
    let duplex = Duplex { head: Cursor::new(head), stream: guarded, link: None };
    let trusts_all = shared.needs_token();
    // Without a handshake, there is no client.
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
    let link = ClientLink::new(shared, Box::new(sink), MessageFraming::WebSocket, Some(link), admission);
    socket.get_mut().link = Some(link.clone());
    serve(&link, |client| listen(&mut socket, client, limits.message));
    wait_for_end(&after)
}

/// Waits until a client that has got the last frame closes the connection. Closing it first, while there is something left
/// to read, can lose that frame.
fn wait_for_end(mut stream: &TcpStream) -> io::Result<()> {
    stream.shutdown(Shutdown::Write)?;
    let (until, mut dropped) = (Instant::now() + PATIENCE, [0; 4096]);
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

/// Hears all messages of a client.
fn listen(socket: &mut WebSocket<Duplex>, client: &mut Client, most: usize) -> InputEnd {
    loop {
        match socket.read() {
            Ok(Message::Text(text)) => {
                if let ControlFlow::Break(()) = client.receive(text.as_bytes(), false) {
                    return farewell(client, code_of(client));
                }
            }
            Ok(Message::Binary(_)) => {
                let message = "messages are text frames; this is a binary one";
                client.refuse(RpcError::new(ErrorKind::Request, message));
            }
            // These are answered by the library.
            Ok(Message::Ping(_) | Message::Pong(_) | Message::Close(_) | Message::Frame(_)) => {}
            Err(error) => {
                if let Some(end) = end_of(error, client, most) {
                    return end;
                }
            }
        }
        if client.link.outbox.is_closed() {
            return InputEnd::Broken;
        }
    }
}

/// Whether a failure to read ends the connection, and how.
fn end_of(error: Error, client: &mut Client, most: usize) -> Option<InputEnd> {
    let end = match error {
        Error::Io(error) => match error.kind() {
            io::ErrorKind::Interrupted => return None,
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
                if client.link.requests.count() > 0 {
                    return None;
                }
                client.end_silence();
                farewell(client, code_of(client))
            }
            _ => InputEnd::Broken,
        },
        // The client has closed it, and reads nothing more than the answer to that, which the library has sent.
        Error::ConnectionClosed | Error::AlreadyClosed => {
            client.link.requests.cancel_all();
            client.link.outbox.flush(PATIENCE);
            InputEnd::Broken
        }
        Error::Capacity(_) => {
            client.refuse(too_long(most));
            farewell(client, CloseCode::Size)
        }
        // The service has closed its end.
        _ if client.link.service.ends() => farewell(client, CloseCode::Away),
        Error::Protocol(ProtocolError::ResetWithoutClosingHandshake) => InputEnd::Broken,
        error => {
            client.link.requests.cancel_all();
            let is_text = matches!(error, Error::Utf8(_));
            let code = match is_text {
                true => CloseCode::Invalid,
                false => CloseCode::Protocol,
            };
            farewell(client, code)
        }
    };
    Some(end)
}

/// How the WebSocket of a client is closed that has done nothing wrong, or lacks the token.
fn code_of(client: &Client) -> CloseCode {
    match client.link.admission.is_granted() {
        true => CloseCode::Normal,
        false => CloseCode::Policy,
    }
}

/// Closes a WebSocket once all requests are answered.
fn farewell(client: &mut Client, code: CloseCode) -> InputEnd {
    client.farewell = Some(code);
    InputEnd::Orderly
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
        for host in ["localhost", "localhost:80", "127.0.0.1:7777", "127.1.2.3", "[::1]:8", "[::1]"] {
            assert!(is_here(host), "{host}");
        }
        for host in ["", "example.com", "localhost.example.com", "127.0.0.1.example.com", "[::2]:1", "10.0.0.1"] {
            assert!(!is_here(host), "{host}");
        }
    }
}
