//! What holds for all messages: each names a file, points into its text, can be shown on a
//! terminal, and is one of a bounded number.

use hangtime::script::host::{Diagnostic, MOST_SHOWN, Severity, render_all, text::steers};

/// More bytes than any message has.
const LONGEST: usize = 20_000;

/// Checks the messages about the content of a game.
pub fn check(messages: &[Diagnostic]) {
    for severity in [Severity::Error, Severity::Warning] {
        let count = messages.iter().filter(|m| m.severity == severity).count();
        assert!(count <= MOST_SHOWN + 1, "{count} messages");
    }
    for message in messages {
        check_one(message);
    }
    let rendered = render_all(messages, false);
    check_text(&rendered);
}

/// Checks the messages that refuse content.
pub fn check_refusal(messages: &[Diagnostic]) {
    let errors = messages.iter().filter(|m| m.is_error());
    assert!(errors.count() > 0, "content is refused without an error");
    check(messages);
}

/// Checks a single message.
pub fn check_one(message: &Diagnostic) {
    let headline = message.headline();
    assert!(!message.message.trim().is_empty(), "an empty message");
    assert!(headline.len() < LONGEST, "{headline}");
    check_text(&headline);
    check_text(&message.render(false));
    if message.more > 0 {
        return;
    }
    assert!(!message.file_name().is_empty(), "{headline}: no file");
    if let Some(place) = &message.place {
        let text = &place.file.text;
        assert!(place.span.start <= place.span.end && place.span.end <= text.len());
        assert!(text.get(place.span.clone()).is_some(), "{headline}: {place:?}");
        let lines = text.split('\n').count();
        for (line, column) in [place.position(), place.end_position()] {
            assert!((1..=lines).contains(&line) && column >= 1, "{headline}");
        }
    }
}

/// Nothing in it steers a terminal.
fn check_text(text: &str) {
    let wrong = text.contains(|c| steers(c) && c != '\n' && c != '\t');
    assert!(!wrong, "{text:?}");
}
