//! Tests of `src/message/render.rs`.

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
