//! Serving a client over a wire that has lines.

use super::admission::Admission;
use super::client::Client;
use super::lines::{LineRead, LineReader};
use super::outbox::{MessageFraming, Outbox};
use super::reply::OpenRequests;
use super::shared::{ClientLink, PATIENCE, ServiceShared};
use super::sink::Sink;
use crate::protocol::{ErrorKind, RpcError};
use std::io::BufRead;
use std::net::TcpStream;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::thread::Builder;
use std::time::Duration;
use tungstenite::protocol::frame::coding::CloseCode;

/// How the input of a client ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InputEnd {
    /// In good order: what was asked for is answered.
    Orderly,
    /// The client is gone.
    Broken,
}

/// A client's way in both directions.
pub(super) struct ServedClient {
    /// The client.
    pub client: Client,
    /// The way to it.
    pub outbox: Arc<Outbox>,
    /// Its open requests.
    pub requests: Arc<OpenRequests>,
    /// How a WebSocket is closed once all is answered.
    pub farewell: Option<CloseCode>,
}

/// Serves a client whose answers go to `sink`, until `listen` has heard all of it. Returns without calling it if there is
/// no place for the client.
pub(super) fn serve(
    shared: &Arc<ServiceShared>,
    outbox: &Arc<Outbox>,
    (stream, admission): (Option<TcpStream>, Arc<Admission>),
    listen: impl FnOnce(&mut ServedClient) -> InputEnd,
) {
    let is_remote = stream.is_some() && outbox.framing() == MessageFraming::Lines;
    let requests = Arc::new(OpenRequests::default());
    let link = ClientLink { requests: requests.clone(), outbox: outbox.clone(), stream };
    let sender = outbox.clone();
    let sender = Builder::new().name("sender".into()).spawn(move || sender.run());
    let mut served = ServedClient {
        client: Client::new(shared.clone(), outbox.clone(), requests.clone(), admission),
        outbox: outbox.clone(),
        requests,
        farewell: None,
    };
    let place = shared.enter(link);
    if place.is_some() && sender.is_ok() {
        let end = listen(&mut served);
        let is_gone = end == InputEnd::Broken || (is_remote && !waits_for_answers(&served));
        if is_gone {
            served.requests.cancel_all();
            outbox.close();
        }
        served.client.end_threads();
    } else {
        let message = format!("the service has {} clients, which is its limit, or ends", shared.clients());
        served.client.refuse(RpcError::new(ErrorKind::Limit, message));
        served.farewell = Some(CloseCode::Again);
    }
    if let Some(code) = served.farewell {
        outbox.say_goodbye(code);
    }
    outbox.flush(PATIENCE);
    outbox.close();
    if let Ok(sender) = sender {
        // It has only written.
        let _ = sender.join();
    }
    drop(place);
}

/// How long to wait for answers between two looks at a client that sends no more.
const LOOK: Duration = Duration::from_millis(250);

/// Waits for the answers to a client that sends no more. It may have closed one direction, or be dead: only writing to it
/// shows which. A space before an answer is part of its JSON. Returns whether all are answered.
fn waits_for_answers(served: &ServedClient) -> bool {
    loop {
        served.requests.wait(LOOK);
        if served.requests.is_empty() {
            return true;
        }
        served.outbox.send_raw(b" ".to_vec());
        if served.outbox.is_closed() {
            return false;
        }
    }
}

/// Serves a client whose messages are lines.
pub(super) fn serve_lines(
    shared: &Arc<ServiceShared>,
    input: impl BufRead,
    sink: Box<dyn Sink>,
    stream: Option<TcpStream>,
    admission: Arc<Admission>,
) {
    let limits = shared.limits;
    let outbox = Arc::new(Outbox::new(sink, MessageFraming::Lines, limits.waiting));
    let is_remote = stream.is_some();
    serve(shared, &outbox, (stream, admission), |served| {
        let mut lines = LineReader::new(input, limits.message);
        let mut is_first = is_remote;
        loop {
            match lines.read() {
                Ok(LineRead::Line) => {
                    if std::mem::take(&mut is_first) && is_http(lines.line()) {
                        let message = "this is HTTP; send a line of JSON-RPC, or open a WebSocket with GET";
                        let error = RpcError::new(ErrorKind::Parse, message);
                        served.client.refuse(error);
                        return InputEnd::Orderly;
                    }
                    if let ControlFlow::Break(()) = served.client.receive(lines.line(), lines.has_more()) {
                        return InputEnd::Orderly;
                    }
                }
                Ok(LineRead::TooLong) => served.client.refuse(too_long(limits.message)),
                Ok(LineRead::Silence) if served.requests.is_empty() => {
                    served.client.end_silence();
                    return InputEnd::Orderly;
                }
                Ok(LineRead::Silence) => {}
                Ok(LineRead::End) => return InputEnd::Orderly,
                Err(_) => return InputEnd::Broken,
            }
            if served.outbox.is_closed() {
                return InputEnd::Broken;
            }
        }
    });
}

/// The error for a message that is longer than allowed.
pub(super) fn too_long(most: usize) -> RpcError {
    let message = format!("this message is longer than {most} bytes, which the service allows");
    RpcError::new(ErrorKind::Limit, message)
}

/// Whether a line is the beginning of an HTTP request. A web page can send one to any port, with lines of its choice
/// after it.
fn is_http(line: &[u8]) -> bool {
    let line = line.trim_ascii_end();
    line.ends_with(b" HTTP/1.1") || line.ends_with(b" HTTP/1.0")
}
