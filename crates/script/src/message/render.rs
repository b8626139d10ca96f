//! Messages with the source line they are about, as text for a terminal. The text of the line is cut
//! to the part around the mistake, and its control characters are replaced.

use super::{
    diagnostic::{CallFrame, Diagnostic, Place},
    text::{cut_name, printable_name, steers},
};
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use std::{fmt::Write as _, ops::Range};

/// Lines of more bytes are cut to the part around the mistake.
const MOST_LINE: usize = 1000;

/// The bytes of a long line that are shown before the mistake, and from its start on.
const AROUND: (usize, usize) = (200, 600);

impl Diagnostic {
    /// The headline, then the source line with a caret, then the calls that led there.
    pub fn render(&self, color: bool) -> String {
        let mut text = self.headline();
        let Some(place) = &self.place else {
            return text;
        };
        let level = if self.is_error() { Level::ERROR } else { Level::WARNING };
        let line = SourceLine::of(place);
        let annotation = AnnotationKind::Primary.span(line.span);
        let snippet = Snippet::source(line.text.as_str())
            .line_start(line.number)
            .fold(true)
            .annotation(annotation);
        let renderer = if color { Renderer::styled() } else { Renderer::plain() };
        let _ = write!(text, "\n{}", renderer.render(&[Group::with_level(level).element(snippet)]));
        for caller in &self.calls {
            let _ = write!(text, "\n{}", render_call(caller));
        }
        text
    }
}

fn render_call(call: &CallFrame) -> String {
    let (line, column) = call.place.position();
    let file = printable_name(&call.place.file.name);
    match call.function.as_str() {
        "" => format!("  imported from {file}:{line}:{column}"),
        name => {
            let name = cut_name(name);
            format!("  called from {file}:{line}:{column} in {}", printable_name(&name))
        }
    }
}

/// All messages, one after another, each with its source line.
pub fn render_all(diagnostics: &[Diagnostic], color: bool) -> String {
    let rendered: Vec<String> = diagnostics.iter().map(|d| d.render(color)).collect();
    rendered.join("\n")
}

/// The line of a place. Passing a whole file to the renderer would take time that grows with the
/// file, for each message.
struct SourceLine {
    text: String,
    /// The place in it. If the place spans lines, its part on the first one.
    span: Range<usize>,
    number: usize,
}

impl SourceLine {
    fn of(place: &Place) -> Self {
        let text = place.file.text.as_str();
        let start = place.span.start;
        let from = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let to = text[start..].find('\n').map_or(text.len(), |at| start + at);
        let end = place.span.end.min(to);
        let long = to - from > MOST_LINE;
        let first = boundary(text, if long { from.max(start.saturating_sub(AROUND.0)) } else { from });
        let last = boundary(text, if long { to.min(start + AROUND.1) } else { to });
        let end = end.min(last);
        let mut line = String::new();
        if first > from {
            line.push('…');
        }
        line += &clean(&text[first..start]);
        let shown = line.len();
        line += &clean(&text[start..end]);
        let span = shown..line.len();
        line += &clean(&text[end..last]);
        if last < to {
            line.push('…');
        }
        if to < text.len() {
            line.push('\n');
        }
        Self { text: line, span, number: place.position().0 }
    }
}

/// The next place from `at` on at which a character begins.
fn boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at
}

/// Replaces what the renderer leaves: it shows ASCII control characters as symbols, but no others.
fn clean(text: &str) -> String {
    text.replace(|c: char| !c.is_ascii() && steers(c), "\u{fffd}")
}

#[cfg(test)]
#[path = "../../tests/unit/message/render.rs"]
mod tests;
