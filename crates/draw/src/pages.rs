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

/// The columns of keys in a picture of this size, and the keys of a page.
fn arranged((width, height): (u32, u32)) -> (usize, usize) {
    let columns = (characters_within(width) / NARROWEST).max(1);
    (columns, columns * rows_within(height))
}

/// The number of pages that this many keys need in a picture of this size; at least 1.
pub fn key_pages(keys: usize, size: (u32, u32)) -> usize {
    keys.div_ceil(arranged(size).1).max(1)
}

/// Paints a page of keys, each with what it does, over the whole picture. Pages are counted from 0 and equally long.
pub fn paint_keys(canvas: &mut Pixmap, title: &str, keys: &[(String, String)], page: usize) {
    paint_page(canvas, title);
    let size = (canvas.width(), canvas.height());
    let (columns, most) = arranged(size);
    let of_page = keys.len().div_ceil(key_pages(keys.len(), size)).min(most);
    let wide = (characters_within(canvas.width()) / columns).max(1);
    let shown = &keys[(page * of_page).min(keys.len())..];
    let shown = &shown[..of_page.min(shown.len())];
    // The columns are equally long, so that a short list is not in one column.
    let long = shown.len().div_ceil(columns).max(1);
    for (column, rows) in shown.chunks(long).enumerate() {
        let x = MARGIN as i32 + (column * wide) as i32 * text::WIDTH as i32;
        let keys_wide = rows.iter().map(|(key, _)| key.chars().count()).max();
        let keys_wide = keys_wide.unwrap_or(0).min(wide / 2);
        let indent = x + (keys_wide as i32 + 1) * text::WIDTH as i32;
        for (row, (key, words)) in rows.iter().enumerate() {
            text::paint_line(canvas, &text::cut(key, keys_wide), x, row_top(row), palette::NEW_PATH);
            let words = text::cut(words, wide.saturating_sub(keys_wide + 2));
            text::paint_line(canvas, &words, indent, row_top(row), palette::TEXT);
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
