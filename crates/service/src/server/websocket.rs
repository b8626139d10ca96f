//! Serving a client over WebSocket.

use super::*;
use std::net::IpAddr;
use tungstenite::{
    Error, Message, WebSocket,
    error::ProtocolError,
    handshake::server::create_response_with_body,
    http::{
        Request,
        header::{HOST, HeaderName, ORIGIN},
    },
    protocol::{Role, WebSocketConfig},
};

/// A connection with a handshake. What the library writes goes through the client's outbox, so that it does not get into
/// the middle of an answer.
struct Duplex {
    stream: GuardedStream,
    link: Arc<ClientLink>,
}

impl Read for Duplex {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.stream.read(into)
    }
}

impl Write for Duplex {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.link.outbox.send_raw(bytes.to_vec());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Serves a client that asks for a WebSocket.
pub fn serve_websocket(
    shared: &Arc<ServiceShared>,
    mut stream: TcpStream,
    admission: Arc<Admission>,
    request: Request<Vec<u8>>,
) -> io::Result<()> {
    // Without a handshake, there is no client.
    let Ok(response) = create_response_with_body(&request, || ()) else {
        return Ok(());
    };
    if !shared.needs_token() && !comes_from_here(&request) {
        return send(
            stream,
            plain(StatusCode::FORBIDDEN, "only pages of this machine may connect without a token\n"),
            true,
        );
    }
    let mut head = Vec::new();
    write_response(&mut head, &response).map_err(io::Error::other)?;
    stream.write_all(&head)?;
    let (sink, after) = (Box::new(stream.try_clone()?), stream.try_clone()?);
    let link = ClientLink::new(shared, sink, MessageFraming::WebSocket, Some(stream.try_clone()?), admission.clone());
    let duplex = Duplex { stream: GuardedStream::new(stream, admission, shared.limits.idle), link: link.clone() };
    let config = WebSocketConfig::default().read_buffer_size(READ_AT_ONCE);
    let mut socket = WebSocket::from_partially_read(duplex, request.into_body(), Role::Server, Some(config));
    serve(&link, |client| listen(&mut socket, client));
    wait_for_end(&after, PATIENCE)
}

/// Hears all messages of a client.
fn listen(socket: &mut WebSocket<Duplex>, client: &mut Client) -> InputEnd {
    loop {
        if client.wait_for_room().is_break() {
            return InputEnd::Broken;
        }
        let most = client.longest_message();
        socket.set_config(|config| (config.max_message_size, config.max_frame_size) = (Some(most), Some(most)));
        match socket.read() {
            Ok(Message::Text(text)) => {
                if let ControlFlow::Break(()) = client.receive(text.as_bytes(), false) {
                    return InputEnd::Orderly(code_of(client));
                }
            }
            Ok(Message::Binary(bytes)) => client.receive_page(bytes.into()),
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
fn end_of(error: Error, client: &Client, most: usize) -> Option<InputEnd> {
    let end = match error {
        Error::Io(error) => match error.kind() {
            io::ErrorKind::Interrupted => return None,
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
                if client.link.requests.count() > 0 {
                    return None;
                }
                client.end_silence();
                InputEnd::Orderly(code_of(client))
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
            InputEnd::Orderly(CloseCode::Size)
        }
        // The service has closed its end.
        _ if client.link.service.ends() => InputEnd::Orderly(CloseCode::Away),
        Error::Protocol(ProtocolError::ResetWithoutClosingHandshake) => InputEnd::Broken,
        error => {
            client.link.requests.cancel_all();
            let is_text = matches!(error, Error::Utf8(_));
            InputEnd::Orderly(if is_text { CloseCode::Invalid } else { CloseCode::Protocol })
        }
    };
    Some(end)
}

/// How the WebSocket of a client is closed that has done nothing wrong, or lacks the token.
fn code_of(client: &Client) -> CloseCode {
    if client.link.admission.is_granted() {
        CloseCode::Normal
    } else {
        CloseCode::Policy
    }
}

/// Whether a handshake comes from a program, or from a web page of this machine. Any web page can open a WebSocket to any
/// address, and then its origin is another host; or that host's name leads here, and then it is asked for by that name.
fn comes_from_here(request: &Request<Vec<u8>>) -> bool {
    let is_here = |name: HeaderName| {
        let value = request.headers().get(name)?.to_str().unwrap_or("?");
        Some(is_here(value.split_once("://").map_or(value, |(_, host)| host)))
    };
    is_here(ORIGIN).unwrap_or(true) && is_here(HOST).unwrap_or(true)
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

#[cfg(test)]
#[path = "../../tests/unit/server/websocket.rs"]
mod tests;
