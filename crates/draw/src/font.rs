//! The font: the glyphs of Latin-1, and of other characters that messages contain.

use embedded_graphics::geometry::Point;
use embedded_graphics::image::GetPixel;
use embedded_graphics::mono_font::iso_8859_1::FONT_7X13;
use embedded_graphics::pixelcolor::BinaryColor;
use std::sync::LazyLock;

/// Width of a glyph, px.
pub(super) const WIDTH: usize = 7;

/// The rows of a glyph from the top. Of each, the lowest bit is the pixel at the right end.
pub(super) type Glyph = [u8; 13];

/// Characters beyond Latin-1, as the public-domain font 7x13 has them, of which Latin-1 is a part.
const OTHERS: [(char, Glyph); 20] = [
    ('→', [0, 0, 0, 0, 0x08, 0x04, 0x7e, 0x04, 0x08, 0, 0, 0, 0]),
    ('←', [0, 0, 0, 0, 0x10, 0x20, 0x7e, 0x20, 0x10, 0, 0, 0, 0]),
    ('↑', [0, 0, 0x08, 0x1c, 0x2a, 0x08, 0x08, 0x08, 0x08, 0x08, 0x08, 0, 0]),
    ('↓', [0, 0, 0x08, 0x08, 0x08, 0x08, 0x08, 0x08, 0x2a, 0x1c, 0x08, 0, 0]),
    ('–', [0, 0, 0, 0, 0, 0, 0x7e, 0, 0, 0, 0, 0, 0]),
    ('—', [0, 0, 0, 0, 0, 0, 0x7f, 0, 0, 0, 0, 0, 0]),
    ('…', [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x2a, 0, 0]),
    ('‘', [0, 0x08, 0x10, 0x18, 0x18, 0, 0, 0, 0, 0, 0, 0, 0]),
    ('’', [0, 0x18, 0x18, 0x08, 0x10, 0, 0, 0, 0, 0, 0, 0, 0]),
    ('“', [0, 0x12, 0x24, 0x36, 0x36, 0, 0, 0, 0, 0, 0, 0, 0]),
    ('”', [0, 0x36, 0x36, 0x12, 0x24, 0, 0, 0, 0, 0, 0, 0, 0]),
    ('„', [0, 0, 0, 0, 0, 0, 0, 0, 0x36, 0x36, 0x12, 0x24, 0]),
    ('π', [0, 0, 0, 0, 0, 0x7e, 0x24, 0x24, 0x24, 0x24, 0x24, 0, 0]),
    ('−', [0, 0, 0, 0, 0, 0, 0x3e, 0, 0, 0, 0, 0, 0]),
    ('≤', [0, 0, 0, 0, 0x06, 0x18, 0x60, 0x18, 0x06, 0, 0x7e, 0, 0]),
    ('≥', [0, 0, 0, 0, 0x60, 0x18, 0x06, 0x18, 0x60, 0, 0x7e, 0, 0]),
    ('≠', [0, 0, 0, 0x02, 0x04, 0x7e, 0x08, 0x10, 0x7e, 0x20, 0x40, 0, 0]),
    ('♥', [0, 0, 0x36, 0x7f, 0x7f, 0x7f, 0x3e, 0x3e, 0x1c, 0x08, 0, 0, 0]),
    ('★', [0, 0, 0x08, 0x08, 0x1c, 0x7f, 0x3e, 0x1c, 0x36, 0x22, 0, 0, 0]),
    ('•', [0, 0, 0, 0, 0, 0x1c, 0x3e, 0x3e, 0x3e, 0x1c, 0, 0, 0]),
];

/// The glyphs of Latin-1 by code; control characters look like unknown ones.
static LATIN: LazyLock<Vec<Glyph>> = LazyLock::new(|| (0..=u8::MAX).map(|code| latin(char::from(code))).collect());

/// The glyph of a character; that of `?` for one that the font does not have.
pub(super) fn glyph(character: char) -> Glyph {
    let latin = || LATIN.get(character as usize).copied();
    let other = || OTHERS.iter().find(|(own, _)| *own == character);
    let known = latin().or_else(|| other().map(|(_, glyph)| *glyph));
    known.unwrap_or(LATIN['?' as usize])
}

/// A glyph of the Latin-1 font, out of its image.
fn latin(character: char) -> Glyph {
    let (image, size) = (&FONT_7X13.image, FONT_7X13.character_size);
    let columns = embedded_graphics::geometry::OriginDimensions::size(image).width / size.width;
    let index = FONT_7X13.glyph_mapping.index(character) as u32;
    let corner = Point::new((index % columns * size.width) as i32, (index / columns * size.height) as i32);
    std::array::from_fn(|row| {
        (0..WIDTH).fold(0, |bits, column| {
            let pixel = image.pixel(corner + Point::new(column as i32, row as i32));
            bits << 1 | u8::from(pixel == Some(BinaryColor::On))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::glyph;
    use std::path::Path;

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
        assert_eq!(glyph('\n'), glyph('?'));
        let latin = (' '..='~').chain('\u{a1}'..='\u{ac}');
        let all: Vec<_> = latin.chain(super::OTHERS.map(|(own, _)| own)).collect();
        for (i, one) in all.iter().enumerate() {
            for other in &all[i + 1..] {
                // A dash and a minus differ in width alone, and some letters are alike in any font.
                assert!(glyph(*one) != glyph(*other) || "-−".contains(*one), "{one} {other}");
            }
        }
    }
}
