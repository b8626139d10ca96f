//! The font: the glyphs of Latin-1, and of other characters that messages contain.

use embedded_graphics::{geometry::Point, image::GetPixel, mono_font::iso_8859_1::FONT_7X13, pixelcolor::BinaryColor};
use std::sync::LazyLock;

/// Width of a glyph, px.
pub const WIDTH: usize = 7;

/// The rows of a glyph from the top. The lowest bit of a row is the pixel at its right end.
pub type Glyph = [u8; 13];

/// Characters beyond Latin-1, as in the public-domain font 7x13, with two hexadecimal digits for each row. The glyphs of
/// Latin-1 are from the same font.
const OTHERS: [(char, u128); 20] = [
    ('→', 0x0000000008047e040800000000),
    ('←', 0x0000000010207e201000000000),
    ('↑', 0x0000081c2a0808080808080000),
    ('↓', 0x00000808080808082a1c080000),
    ('–', 0x0000000000007e000000000000),
    ('—', 0x0000000000007f000000000000),
    ('…', 0x000000000000000000002a0000),
    ('‘', 0x00081018180000000000000000),
    ('’', 0x00181808100000000000000000),
    ('“', 0x00122436360000000000000000),
    ('”', 0x00363612240000000000000000),
    ('„', 0x00000000000000003636122400),
    ('π', 0x00000000007e24242424240000),
    ('−', 0x0000000000003e000000000000),
    ('≤', 0x000000000618601806007e0000),
    ('≥', 0x000000006018061860007e0000),
    ('≠', 0x00000002047e08107e20400000),
    ('♥', 0x0000367f7f7f3e3e1c08000000),
    ('★', 0x000008081c7f3e1c3622000000),
    ('•', 0x00000000001c3e3e3e1c000000),
];

/// The glyphs of Latin-1 by code; control characters look like unknown ones.
static LATIN: LazyLock<Vec<Glyph>> = LazyLock::new(|| (0..=u8::MAX).map(|code| latin(char::from(code))).collect());

/// The glyph of a character, or the glyph of `?` if the font does not have the character.
pub fn glyph(character: char) -> Glyph {
    let latin = || LATIN.get(character as usize).copied();
    let other = || OTHERS.iter().find(|(own, _)| *own == character);
    let known = latin().or_else(|| other().map(|(_, rows)| std::array::from_fn(|row| (rows >> (96 - 8 * row)) as u8)));
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
