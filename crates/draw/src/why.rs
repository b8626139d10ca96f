//! The `why` panel: why the first player's entity moves as it does, across the lower part of the
//! picture.

use super::{palette, text};
use tiny_skia::{Pixmap, Rect, Transform};

/// Maximum fraction of the picture's height, so that the body stays visible.
const MOST: f32 = 0.5;

/// Writes the lines; if there is not enough room for all, the last ones.
pub(super) fn paint(canvas: &mut Pixmap, lines: &str) {
    if lines.is_empty() {
        return;
    }
    let columns = (canvas.width().saturating_sub(16) / text::WIDTH).max(1) as usize;
    let room = (canvas.height() as f32 * MOST) as u32 / text::HEIGHT;
    let mut all = Vec::new();
    for line in lines.lines() {
        let refused = line.contains(" refused: ");
        let color = if refused { palette::WARN } else { palette::TEXT };
        let pieces = text::wrapped(line, columns);
        all.extend(pieces.into_iter().map(|piece| (piece, color)));
    }
    let shown = &all[all.len().saturating_sub(room.max(1) as usize)..];
    let height = shown.len() as u32 * text::HEIGHT + 8;
    let top = canvas.height().saturating_sub(height);
    let width = canvas.width() as f32;
    if let Some(rect) = Rect::from_xywh(0.0, top as f32, width, height as f32) {
        let ground = palette::DARK.faint_paint(PANEL);
        canvas.fill_rect(rect, &ground, Transform::identity(), None);
    }
    for (i, (line, color)) in shown.iter().enumerate() {
        let y = top as i32 + 4 + i as i32 * text::HEIGHT as i32;
        text::paint_line(canvas, line, 8, y, *color);
    }
}

/// Opacity of the panel.
const PANEL: f32 = 0.7;
