//! Text in a fixed-width font.

use super::{
    font::{Glyph, glyph},
    *,
};
use tiny_skia::Rect;

/// Width of a character, px.
pub const WIDTH: u32 = font::WIDTH as u32;
/// Height of a line, px.
pub const HEIGHT: u32 = 14;

/// The color of shadows.
const SHADOW: Color = Color(12, 14, 22);

/// Writes a line with its upper left corner at `x`, `y`, with a shadow that keeps it readable on
/// any background.
pub fn paint_line(canvas: &mut Pixmap, line: &str, x: i32, y: i32, color: Color) {
    write(canvas, line, x + 1, y + 1, SHADOW);
    write(canvas, line, x, y, color);
}

/// Writes lines below each other.
pub fn paint_lines<'a>(canvas: &mut Pixmap, lines: impl Iterator<Item = (&'a str, Color)>, x: i32, y: i32) {
    for (y, (line, color)) in (y..).step_by(HEIGHT as usize).zip(lines) {
        paint_line(canvas, line, x, y, color);
    }
}

/// Fills a rectangle behind a text: left, top, width and height, px.
pub fn paint_ground(canvas: &mut Pixmap, place: [u32; 4], ground: &Paint<'_>) {
    let [left, top, width, height] = place.map(|side| side as f32);
    if let Some(rect) = Rect::from_xywh(left, top, width, height) {
        canvas.fill_rect(rect, ground, Transform::identity(), None);
    }
}

/// The characters of a line that fit into a picture with margins that take this many pixels.
pub fn columns(canvas: &Pixmap, margins: u32) -> usize {
    (canvas.width().saturating_sub(margins) / WIDTH).max(1) as usize
}

/// Writes a line without a shadow.
pub fn write(canvas: &mut Pixmap, line: &str, x: i32, y: i32, color: Color) {
    for (number, character) in (0..).zip(line.chars()) {
        put(canvas, &glyph(character), (x + number * WIDTH as i32, y), 1, color.into());
    }
}

/// Writes a line with letters that are this many times as large, and with a shadow.
pub fn paint_large(canvas: &mut Pixmap, line: &str, (x, y): (i32, i32), times: i32, ink: Ink) {
    let shadow = Ink::faint(SHADOW, ink.cover);
    for (by, ink) in [(times, shadow), (0, ink)] {
        for (number, character) in (0..).zip(line.chars()) {
            let left = x.saturating_add(number * WIDTH as i32 * times);
            put(canvas, &glyph(character), (left + by, y + by), times, ink);
        }
    }
}

/// Colors the squares of a glyph that are inside the picture.
fn put(canvas: &mut Pixmap, glyph: &Glyph, (x, y): (i32, i32), times: i32, ink: Ink) {
    let (width, height) = (canvas.width() as i32, canvas.height() as i32);
    if x >= width || y >= height || x + WIDTH as i32 * times <= 0 {
        return;
    }
    let pixels = canvas.pixels_mut();
    for (bits, top) in glyph.iter().zip((y..).step_by(times as usize)) {
        if *bits == 0 {
            continue;
        }
        for column in 0..WIDTH as i32 {
            if bits >> (WIDTH as i32 - 1 - column) & 1 == 0 {
                continue;
            }
            let left = x + column * times;
            for row in top.max(0)..(top + times).min(height) {
                for place in left.max(0)..(left + times).min(width) {
                    let pixel = &mut pixels[(row * width + place) as usize];
                    *pixel = ink.over(*pixel);
                }
            }
        }
    }
}

/// Splits a line into pieces of at most `columns` characters: between parts that three spaces separate, else between words,
/// and inside a word only if it is longer than a piece.
pub fn wrapped(line: &str, columns: usize) -> Vec<String> {
    let chars: Vec<char> = line.chars().collect();
    let mut pieces = Vec::new();
    let mut rest = chars.as_slice();
    while rest.len() > columns {
        let start = &rest[..=columns];
        let part = start.windows(3).rposition(|three| three == [' '; 3]);
        let part = part.filter(|at| *at > columns / 3);
        let indent = start.iter().position(|c| *c != ' ').unwrap_or(0);
        let word = start.iter().rposition(|c| *c == ' ').filter(|at| *at > indent);
        let end = part.or(word).unwrap_or(columns);
        let piece: String = rest[..end].iter().collect();
        pieces.push(piece.trim_end().to_string());
        rest = &rest[end..];
        let after = rest.iter().position(|c| *c != ' ').unwrap_or(rest.len());
        rest = &rest[after..];
    }
    pieces.push(rest.iter().collect());
    pieces
}

/// A line of at most `columns` characters.
pub fn cut(line: &str, columns: usize) -> String {
    if line.chars().count() <= columns {
        return line.to_string();
    }
    let kept = line.chars().take(columns.saturating_sub(3));
    kept.chain("...".chars()).collect()
}

#[cfg(test)]
#[path = "../tests/unit/text.rs"]
mod tests;
