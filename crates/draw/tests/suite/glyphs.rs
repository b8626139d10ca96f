//! The font has every character that the program prints.

use hangtime_draw::{NoteRoom, NoteRow, NoteTone, paint_notes};
use std::path::Path;
use tiny_skia::Pixmap;

/// The pixels of a character.
fn glyph(character: char) -> Vec<u8> {
    let mut canvas = Pixmap::new(40, 40).expect("a size above 0");
    // Spaces at the ends of a line are cut off.
    let text = format!("|{character}|");
    let room = NoteRoom { top: 22, bottom: 40, taken: 0, at_top: true };
    paint_notes(&mut canvas, &[NoteRow { text, tone: NoteTone::Plain }], room);
    canvas.take()
}

/// The characters of a source file outside of its comments and tests.
fn characters(source: &str) -> Vec<char> {
    let own = source.split("#[cfg(test)]").next().unwrap_or_default();
    let code = own.lines().map(|line| line.split("// ").next());
    let code = code.flatten().filter(|line| !line.trim().starts_with("//"));
    code.flat_map(str::chars).collect()
}

fn sources(folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() && (path.ends_with("window/src/panel") || path.ends_with("tests")) {
            // The panel has its own font, and tests print nothing into a picture.
        } else if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(std::fs::read_to_string(path).expect("a text"));
        }
    }
}

#[test]
fn every_character_that_the_program_prints_has_a_glyph() {
    let mut all = Vec::new();
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    sources(&crates, &mut all);
    sources(&crates.join("../src"), &mut all);
    let mut used: Vec<char> = all.iter().flat_map(|text| characters(text)).collect();
    used.sort_unstable();
    used.dedup();
    assert!(used.contains(&'→') && used.contains(&'°'), "it looks");
    for character in used.into_iter().filter(|c| !c.is_control() && *c != '?') {
        assert_ne!(glyph(character), glyph('?'), "{character}");
    }
}

#[test]
fn other_characters_are_question_marks_and_no_two_glyphs_are_equal() {
    assert_eq!(glyph('\u{1f600}'), glyph('?'));
    let latin = (' '..='~').chain('\u{a1}'..='\u{ac}');
    let all: Vec<char> = latin.chain("→←↑↓–—…‘’“”„π−≤≥≠♥★•".chars()).collect();
    let glyphs: Vec<Vec<u8>> = all.iter().map(|character| glyph(*character)).collect();
    for (i, one) in all.iter().enumerate() {
        for (j, other) in all.iter().enumerate().skip(i + 1) {
            // A dash and a minus differ in width alone, and some letters are alike in any font.
            assert!(glyphs[i] != glyphs[j] || "-−".contains(*one), "{one} {other}");
        }
    }
}
