//! The frame graph: how long the last pictures took.

use super::*;

/// Width and height of the graph, pixels; the time at its upper end, and the one with a line, ms.
const SIZE: (i32, i32) = (160, 40);
const MOST: f32 = 33.3;
const GOAL: f32 = 16.7;

/// Paints the times of the last pictures, ms, oldest first, in the lower right corner, and above them how
/// many ticks were late and lost.
pub fn paint(brush: &mut Brush<'_>, frames: &[f32], ticks: Option<TickCount>) {
    let (width, height) = (brush.canvas.width() as i32, brush.canvas.height() as i32);
    let (left, bottom) = (width - SIZE.0 - 6, height - 6);
    brush.fill_pixels(left, bottom - SIZE.1, SIZE.0, SIZE.1, palette::DARK);
    let high = |ms: f32| ((ms / MOST).clamp(0.0, 1.0) * SIZE.1 as f32).round() as i32;
    let shown = &frames[frames.len().saturating_sub(SIZE.0 as usize)..];
    for (column, ms) in (0..).zip(shown) {
        let color = if *ms > GOAL { palette::CONTACT } else { palette::VELOCITY };
        let x = left + SIZE.0 - shown.len() as i32 + column;
        brush.fill_pixels(x, bottom - high(*ms).max(1), 1, high(*ms).max(1), color);
    }
    brush.fill_pixels(left, bottom - high(GOAL), SIZE.0, 1, palette::REST);
    let last = shown.last().copied().unwrap_or_default();
    let worst = shown.iter().copied().fold(0.0, f32::max);
    let text = format!("{last:.1} ms, most {worst:.1}");
    brush.text(&text, left + 3, bottom - SIZE.1 + 1, palette::TEXT);
    let Some(TickCount { due, late, lost }) = ticks else {
        return;
    };
    let rows = [format!("{due} ticks"), format!("{late} late, {lost} lost")];
    let top = bottom - SIZE.1 - 2 * text::HEIGHT as i32;
    brush.fill_pixels(left, top, SIZE.0, 2 * text::HEIGHT as i32, palette::DARK);
    for (y, row) in [top, top + text::HEIGHT as i32].into_iter().zip(&rows) {
        brush.text(row, left + 3, y, palette::TEXT);
    }
}
