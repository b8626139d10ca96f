//! The font: the glyphs of Latin-1, and of other characters that messages contain.

use embedded_graphics::geometry::Point;
use embedded_graphics::image::GetPixel;
use embedded_graphics::mono_font::iso_8859_1::FONT_7X13;
use embedded_graphics::pixelcolor::BinaryColor;
use std::sync::LazyLock;

/// Width of a glyph, px.
pub(super) const WIDTH: usize = 7;

/// The rows of a glyph from the top. The lowest bit of a row is the pixel at its right end.
pub(super) type Glyph = [u8; 13];

/// Characters beyond Latin-1, as in the public-domain font 7x13. The glyphs of Latin-1 are from the same font.
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

/// The glyph of a character, or the glyph of `?` if the font does not have the character.
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
