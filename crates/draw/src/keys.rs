//! The page of keys over the picture.

use super::{palette, text};
use tiny_skia::{Pixmap, Rect, Transform};

/// Opacity of the page.
const PAGE: f32 = 0.88;

/// Room around the page, px.
const MARGIN: u32 = 8;

/// The narrowest column of the page, characters.
const NARROWEST: u32 = 40;

/// How the rows of a picture of this size are arranged.
struct Layout {
    columns: usize,
    /// Rows of a column.
    rows: usize,
    /// Characters of a column.
    wide: usize,
}

impl Layout {
    fn of((width, height): (u32, u32)) -> Self {
        let wide = width.saturating_sub(2 * MARGIN) / text::WIDTH;
        let columns = (wide / NARROWEST).max(1);
        // One line is the title.
        let rows = height.saturating_sub(2 * MARGIN) / text::HEIGHT;
        Self {
            columns: columns as usize,
            rows: rows.saturating_sub(1).max(1) as usize,
            wide: (wide / columns).max(1) as usize,
        }
    }

    fn rows_of_a_page(&self) -> usize {
        self.columns * self.rows
    }
}

/// The number of pages that this many keys need in a picture of this size; at least 1.
#[must_use]
pub fn key_pages(keys: usize, size: (u32, u32)) -> usize {
    keys.div_ceil(Layout::of(size).rows_of_a_page()).max(1)
}

/// Paints a page of keys, each with what it does, over the whole picture. Pages are counted from 0.
pub fn paint_keys(canvas: &mut Pixmap, title: &str, keys: &[(String, String)], page: usize) {
    let (width, height) = (canvas.width(), canvas.height());
    let layout = Layout::of((width, height));
    if let Some(rect) = Rect::from_xywh(0.0, 0.0, width as f32, height as f32) {
        let ground = palette::DARK.faint_paint(PAGE);
        canvas.fill_rect(rect, &ground, Transform::identity(), None);
    }
    let left = MARGIN as i32;
    text::paint_line(canvas, title, left, left, palette::TEXT);
    let first = page * layout.rows_of_a_page();
    let shown = keys.iter().skip(first).take(layout.rows_of_a_page());
    // The columns are equally long, so that a short list is not in one column.
    let count = shown.len();
    let long = count.div_ceil(layout.columns).max(1);
    let shown: Vec<_> = shown.collect();
    for (column, rows) in shown.chunks(long).enumerate() {
        let x = left + (column * layout.wide) as i32 * text::WIDTH as i32;
        let keys_wide = rows.iter().map(|(key, _)| key.chars().count()).max();
        let keys_wide = keys_wide.unwrap_or(0).min(layout.wide / 2);
        for (row, (key, words)) in rows.iter().enumerate() {
            let y = left + (row as i32 + 1) * text::HEIGHT as i32;
            let key = text::cut(key, keys_wide);
            text::paint_line(canvas, &key, x, y, palette::NEW_PATH);
            let words = text::cut(words, layout.wide.saturating_sub(keys_wide + 2));
            let indent = x + (keys_wide as i32 + 1) * text::WIDTH as i32;
            text::paint_line(canvas, &words, indent, y, palette::TEXT);
        }
    }
}
