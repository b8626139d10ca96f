//! Text in a fixed-width font.

use super::color::Color;
use embedded_graphics::Drawable;
use embedded_graphics::Pixel;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{OriginDimensions, Point, Size};
use embedded_graphics::mono_font::MonoTextStyle;
use embedded_graphics::mono_font::iso_8859_1::FONT_7X13;
use embedded_graphics::pixelcolor::{Rgb888, RgbColor};
use embedded_graphics::text::{Baseline, Text};
use std::convert::Infallible;
use tiny_skia::Pixmap;

/// Width of a character, px.
pub(super) const WIDTH: u32 = 7;
/// Height of a line, px.
pub(super) const HEIGHT: u32 = 14;

/// Writes a line with its upper left corner at `x`, `y`, with a shadow that keeps it readable on
/// any background.
pub(super) fn paint_line(canvas: &mut Pixmap, line: &str, x: i32, y: i32, color: Color) {
    write(canvas, line, x + 1, y + 1, Color(12, 14, 22));
    write(canvas, line, x, y, color);
}

/// Writes a line without a shadow.
pub(super) fn write(canvas: &mut Pixmap, line: &str, x: i32, y: i32, color: Color) {
    let style = MonoTextStyle::new(&FONT_7X13, Rgb888::new(color.0, color.1, color.2));
    let text = Text::with_baseline(line, Point::new(x, y), style, Baseline::Top);
    // Drawing cannot fail: pixels outside the canvas are skipped.
    let _ = text.draw(&mut PixmapTarget(canvas));
}

/// Splits a line into pieces of at most `columns` characters, between words where possible.
pub(super) fn wrapped(line: &str, columns: usize) -> Vec<String> {
    let chars: Vec<char> = line.chars().collect();
    let mut pieces = Vec::new();
    let mut rest = chars.as_slice();
    while rest.len() > columns {
        let space = rest[..=columns].iter().rposition(|c| *c == ' ');
        let end = space.filter(|at| *at > columns / 2).unwrap_or(columns);
        pieces.push(rest[..end].iter().collect());
        rest = &rest[end..];
        if rest[0] == ' ' {
            rest = &rest[1..];
        }
    }
    pieces.push(rest.iter().collect());
    pieces
}

/// A line of at most `columns` characters.
pub(super) fn cut(line: &str, columns: usize) -> String {
    if line.chars().count() <= columns {
        return line.to_string();
    }
    let kept = line.chars().take(columns.saturating_sub(3));
    kept.chain("...".chars()).collect()
}

struct PixmapTarget<'a>(&'a mut Pixmap);

impl OriginDimensions for PixmapTarget<'_> {
    fn size(&self) -> Size {
        Size::new(self.0.width(), self.0.height())
    }
}

impl DrawTarget for PixmapTarget<'_> {
    type Color = Rgb888;
    type Error = Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<Rgb888>>>(
        &mut self,
        pixels: I,
    ) -> Result<(), Infallible> {
        let (width, height) = (self.0.width() as i32, self.0.height() as i32);
        for Pixel(at, color) in pixels {
            if at.x >= 0 && at.y >= 0 && at.x < width && at.y < height {
                let index = (at.y * width + at.x) as usize;
                self.0.pixels_mut()[index] = Color(color.r(), color.g(), color.b()).pixel();
            }
        }
        Ok(())
    }
}
