//! The banner: problems with the files, across the upper part of the picture, where it covers no
//! bodies.

use super::{palette, text};
use tiny_skia::{Pixmap, Rect, Transform};

/// Maximum number of lines; the terminal shows the rest.
const MOST_LINES: usize = 12;

/// Paints a message below `top`, px.
pub(super) fn paint(canvas: &mut Pixmap, message: &str, top: u32) {
    if message.is_empty() {
        return;
    }
    let columns = (canvas.width().saturating_sub(16) / text::WIDTH).max(1) as usize;
    let mut lines: Vec<String> = message.lines().flat_map(|l| text::wrapped(l, columns)).collect();
    if lines.len() > MOST_LINES {
        lines.truncate(MOST_LINES - 1);
        lines.push("… more in the terminal".into());
    }
    let height = lines.len() as u32 * text::HEIGHT + 12;
    let width = canvas.width() as f32;
    if let Some(rect) = Rect::from_xywh(0.0, top as f32, width, height as f32) {
        canvas.fill_rect(rect, &palette::BANNER.paint(), Transform::identity(), None);
    }
    for (i, line) in lines.iter().enumerate() {
        let y = top as i32 + 6 + i as i32 * text::HEIGHT as i32;
        text::write(canvas, line, 8, y, palette::TEXT);
    }
}
