//! Messages with the source line they are about, as text for a terminal. The text of the line is cut
//! to the part around the mistake, and its control characters are replaced.

use super::diagnostic::{CallFrame, Diagnostic, Place};
use super::text::{cut_name, printable_name, steers};
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use std::fmt::Write as _;
use std::ops::Range;

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
mod tests {
    use super::{AnnotationKind, Diagnostic, Group, Level, Place, Renderer, Snippet};
    use crate::message::SourceFile;
    use std::sync::Arc;

    /// The message with the whole file given to the renderer.
    fn from_whole_file(diagnostic: &Diagnostic, place: &Place) -> String {
        let first_line = place.file.text[place.span.clone()].find('\n');
        let end = first_line.map_or(place.span.end, |at| place.span.start + at);
        let annotation = AnnotationKind::Primary.span(place.span.start..end);
        let snippet = Snippet::source(place.file.text.as_str()).fold(true).annotation(annotation);
        let group = Group::with_level(Level::ERROR).element(snippet);
        format!("{}\n{}", diagnostic.headline(), Renderer::plain().render(&[group]))
    }

    fn source(text: &str) -> Arc<SourceFile> {
        Arc::new(SourceFile { name: "a.toml".into(), text: text.into() })
    }

    #[test]
    fn a_message_from_one_line_equals_that_from_the_whole_file() {
        // From line 10 on, the width of the number depends on the lines after it.
        for text in ["", "a", "äb = 1\r\n\tcd = \"2\"\n\n# e\nf", "\n\nx\n"] {
            let file = source(text);
            for start in 0..=text.len() {
                for end in start..=text.len().min(start + 9) {
                    // The renderer shows no line at all after the last line break.
                    if start == text.len() && text.ends_with('\n') {
                        continue;
                    }
                    let place = Place::new(&file, start..end);
                    let wrong = Diagnostic::error(place.clone(), "wrong");
                    assert_eq!(wrong.render(false), from_whole_file(&wrong, &place));
                }
            }
        }
    }

    #[test]
    fn a_megabyte_on_one_line_is_shown_in_part() {
        let text = format!("{}WRONG{}", "ä".repeat(300_000), "ö".repeat(300_000));
        let start = text.find('W').expect("it is there");
        let place = Place::new(&source(&text), start..start + 5);
        let shown = Diagnostic::error(place, "wrong").render(false);
        assert!(shown.len() < 3000, "{}", shown.len());
        assert!(shown.contains("WRONG"));
        assert!(shown.contains("^^^^^\n") || shown.ends_with("^^^^^"), "{shown}");
    }

    #[test]
    fn a_source_line_with_control_characters_keeps_its_caret() {
        let text = "a = \"\u{1b}[31m\u{9b}1m\u{202e}\" WRONG";
        let start = text.find('W').expect("it is there");
        let shown = Diagnostic::error(Place::new(&source(text), start..start + 5), "w").render(false);
        assert!(!shown.contains(|c| super::steers(c) && c != '\n'), "{shown:?}");
        assert!(shown.contains("WRONG"), "{shown}");
    }
}
