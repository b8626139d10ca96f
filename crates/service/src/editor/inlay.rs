//! The values that a paused window shows, at the end of the lines that use them.

use super::*;
use hangtime_game::{GameFolder, ShownMoment};
use lsp_server::{Connection, Message, Request};
use lsp_types::{
    InlayHint, InlayHintLabel, Range,
    request::{InlayHintRefreshRequest, Request as _},
};
use std::{
    io,
    sync::mpsc::{RecvTimeoutError, Sender, channel},
    thread::Builder,
    time::Duration,
};

/// The values of variables and properties that lines of a range use, as they are at the shown moment.
pub fn inlay_hints(file: &EditedFile<'_>, range: Range, moment: &ShownMoment) -> Vec<InlayHint> {
    let Some(values) = moment.values.get(&file.name()) else {
        return Vec::new();
    };
    let (variables, all) = (file.spelling().variables, Words::of(file).all);
    let mut hints: Vec<InlayHint> = Vec::new();
    let mut named: Vec<String> = Vec::new();
    for (i, triple) in all.windows(3).enumerate() {
        let [owner, dot, name] = triple else { continue };
        let is_member = i > 0 && all[i - 1].is(".");
        let key = match () {
            () if is_member || !dot.is(".") => continue,
            () if owner.is(variables) => name.text.to_string(),
            () if owner.is("me") => format!("me.{}", name.text),
            () => continue,
        };
        let line = range_in(file.text, name.at..name.at).start.line;
        let Some(value) = values.get(&key).filter(|_| (range.start.line..=range.end.line).contains(&line)) else {
            continue;
        };
        if hints.last().is_none_or(|last| last.position.line != line) {
            let end = file.text[name.at..].find(['\r', '\n']).map_or(file.text.len(), |it| name.at + it);
            hints.push(InlayHint {
                position: range_in(file.text, end..end).start,
                label: InlayHintLabel::String(String::new()),
                kind: None,
                text_edits: None,
                tooltip: Some(format!("{} at tick {}", moment.entity, moment.tick).into()),
                padding_left: Some(true),
                padding_right: None,
                data: None,
            });
            named.clear();
        }
        let shown = format!("{} = {value}", name.text);
        if let Some(InlayHintLabel::String(label)) = hints.last_mut().map(|hint| &mut hint.label)
            && !named.contains(&shown)
        {
            let comma = if label.is_empty() { "" } else { ", " };
            *label += &format!("{comma}{shown}");
            named.push(shown);
        }
    }
    hints
}

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
    Builder::new().name("shown moment".into()).spawn(move || {
        let mut last = seen();
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
