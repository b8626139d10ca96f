//! Pages over the whole picture: the keys, and a list from which something is chosen.

use super::*;

/// Opacity of a page.
const PAGE: f32 = 0.88;

/// Room around a page, px.
const MARGIN: u32 = 8;

/// The narrowest column of the page of keys, characters.
const NARROWEST: usize = 40;

/// Paints the ground of a page and its title.
fn paint_page(canvas: &mut Pixmap, title: &str) {
    let (width, height) = (canvas.width(), canvas.height());
    text::paint_ground(canvas, [0, 0, width, height], &palette::DARK.faint_paint(PAGE));
    text::paint_line(canvas, title, MARGIN as i32, MARGIN as i32, palette::TEXT);
}

/// Where a row of a page is, counted from 0 below the title, pixels from the top.
fn row_top(row: usize) -> i32 {
    MARGIN as i32 + (row as i32 + 1) * text::HEIGHT as i32
}

/// The rows that fit below the title in a picture of this height.
fn rows_within(height: u32) -> usize {
    let rows = height.saturating_sub(2 * MARGIN) / text::HEIGHT;
    rows.saturating_sub(1).max(1) as usize
}

/// The characters that fit into a picture of this width.
fn characters_within(width: u32) -> usize {
    (width.saturating_sub(2 * MARGIN) / text::WIDTH) as usize
}

/// A line of the page of keys: keys, and what they do.
type KeyLine = (String, String);

/// How the keys are laid out in a picture of some size.
struct KeyLayout {
    /// The columns of a page, and the characters of a line and of its keys.
    columns: usize,
    wide: usize,
    keys_wide: usize,
    /// The lines of all columns of all pages.
    lines: Vec<Vec<KeyLine>>,
}

impl KeyLayout {
    fn new(keys: &[KeyLine], (width, height): (u32, u32)) -> Self {
        let columns = (characters_within(width) / NARROWEST).max(1);
        let wide = (characters_within(width) / columns).max(1);
        let keys_wide = keys.iter().map(|(key, _)| key.chars().count()).max();
        let keys_wide = keys_wide.unwrap_or(0).min(wide / 3).max(1);
        let words_wide = wide.saturating_sub(keys_wide + 2).max(1);
        let entries: Vec<Vec<KeyLine>> = keys
            .iter()
            .map(|(key, words)| {
                let (keys, words) = (text::wrapped(key, keys_wide), text::wrapped(words, words_wide));
                let line = |at: usize| [&keys, &words].map(|lines| lines.get(at).cloned().unwrap_or_default());
                (0..keys.len().max(words.len())).map(|at| line(at).into()).collect()
            })
            .collect();
        let room = rows_within(height);
        let pages = Self::columns_of(&entries, room).len().div_ceil(columns).max(1);
        // The columns are about equally long, so that a short list is not in one column.
        let lines = (1..room)
            .map(|most| Self::columns_of(&entries, most))
            .find(|lines| lines.len() <= pages * columns);
        let lines = lines.unwrap_or_else(|| Self::columns_of(&entries, room));
        Self { columns, wide, keys_wide, lines }
    }

    /// Columns of whole entries with at most `most` lines, unless a single entry has more.
    fn columns_of(entries: &[Vec<KeyLine>], most: usize) -> Vec<Vec<KeyLine>> {
        let mut columns: Vec<Vec<KeyLine>> = Vec::new();
        for entry in entries {
            match columns.last_mut() {
                Some(column) if column.len() + entry.len() <= most => column.extend_from_slice(entry),
                _ => columns.push(entry.clone()),
            }
        }
        columns
    }

    fn pages(&self) -> usize {
        self.lines.len().div_ceil(self.columns).max(1)
    }
}

/// The number of pages that these keys need in a picture of this size; at least 1.
pub fn key_pages(keys: &[(String, String)], size: (u32, u32)) -> usize {
    KeyLayout::new(keys, size).pages()
}

/// Paints a page of keys, each with what it does, over the whole picture. Pages are counted from 0 and about equally long.
pub fn paint_keys(canvas: &mut Pixmap, title: &str, keys: &[(String, String)], page: usize) {
    paint_page(canvas, title);
    let layout = KeyLayout::new(keys, (canvas.width(), canvas.height()));
    let shown = layout.lines.chunks(layout.columns).nth(page).unwrap_or_default();
    for (column, rows) in shown.iter().enumerate() {
        let x = MARGIN as i32 + (column * layout.wide) as i32 * text::WIDTH as i32;
        let indent = x + (layout.keys_wide as i32 + 1) * text::WIDTH as i32;
        for (row, (key, words)) in rows.iter().enumerate() {
            text::paint_line(canvas, key, x, row_top(row), palette::NEW_PATH);
            text::paint_line(canvas, words, indent, row_top(row), palette::TEXT);
        }
    }
}

/// The first row of a list that is shown, and how many fit.
fn shown(rows: usize, chosen: usize, height: u32) -> (usize, usize) {
    let room = rows_within(height);
    (chosen.saturating_sub(room / 2).min(rows.saturating_sub(room)), room)
}

/// Paints a list over the whole picture, around its chosen row.
pub fn paint_menu(canvas: &mut Pixmap, title: &str, rows: &[String], chosen: usize) {
    let columns = characters_within(canvas.width());
    paint_page(canvas, &text::cut(title, columns));
    let (first, room) = shown(rows.len(), chosen, canvas.height());
    for (line, (row, words)) in rows.iter().enumerate().skip(first).take(room).enumerate() {
        let (mark, color) = if row == chosen { ("> ", palette::NEW_PATH) } else { ("  ", palette::TEXT) };
        let words = text::cut(&format!("{mark}{words}"), columns);
        text::paint_line(canvas, &words, MARGIN as i32, row_top(line), color);
    }
}

/// The row of a list that [`paint_menu`] paints at this height of a picture, pixels from the top.
pub fn menu_row_at(rows: usize, chosen: usize, height: u32, y: f64) -> Option<usize> {
    let (first, room) = shown(rows, chosen, height);
    let line = ((y - f64::from(row_top(0))) / f64::from(text::HEIGHT)).floor();
    let row = first + (0.0..room as f64).contains(&line).then_some(line as usize)?;
    (row < rows).then_some(row)
}

#[cfg(test)]
#[path = "../tests/unit/pages.rs"]
mod tests;
