//! Asking for the values that a paused window shows.

use super::*;
use lsp_types::request::{InlayHintRefreshRequest, Request as _};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};

/// How often the file of the shown moment is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Lets an editor ask for values again whenever the window shows another moment, until what it returns is dropped.
///
/// # Errors
/// If a thread cannot be started.
pub fn refresh_hints(connection: &Connection, folder: &GameFolder) -> io::Result<Sender<()>> {
    let (end, ended) = channel();
    let (sender, folder) = (connection.sender.clone(), folder.clone());
    let seen = move || ShownMoment::read(&folder);
    // Looked at here: what the window shows before the thread runs is new.
    let mut last = seen();
    Builder::new().name("shown moment".into()).spawn(move || {
        let mut asked = 0;
        while ended.recv_timeout(LOOK_EVERY) == Err(RecvTimeoutError::Timeout) {
            let now = seen();
            if now != last {
                (last, asked) = (now, asked + 1);
                let request = Request::new(format!("hints {asked}").into(), InlayHintRefreshRequest::METHOD.into(), ());
                if sender.send(Message::Request(request)).is_err() {
                    return;
                }
            }
        }
    })?;
    Ok(end)
}
