//! A list over the picture from which something is chosen.

use super::{palette, text};
use tiny_skia::{Pixmap, Rect, Transform};

/// Opacity of the page.
const PAGE: f32 = 0.88;

/// Room around the list, px.
const MARGIN: u32 = 8;

/// The rows that fit below the title, and the first of them that is shown.
fn shown(rows: usize, chosen: usize, height: u32) -> (usize, usize) {
    let room = height.saturating_sub(2 * MARGIN) / text::HEIGHT;
    let room = room.saturating_sub(1).max(1) as usize;
    let most = rows.saturating_sub(room);
    (chosen.saturating_sub(room / 2).min(most), room)
}

/// Paints a list over the whole picture, around its chosen row.
pub fn paint_menu(canvas: &mut Pixmap, title: &str, rows: &[String], chosen: usize) {
    let (width, height) = (canvas.width() as f32, canvas.height() as f32);
    if let Some(rect) = Rect::from_xywh(0.0, 0.0, width, height) {
        let ground = palette::DARK.faint_paint(PAGE);
        canvas.fill_rect(rect, &ground, Transform::identity(), None);
    }
    let columns = (canvas.width().saturating_sub(2 * MARGIN) / text::WIDTH) as usize;
    let left = MARGIN as i32;
    let title = text::cut(title, columns);
    text::paint_line(canvas, &title, left, left, palette::TEXT);
    let (first, room) = shown(rows.len(), chosen, canvas.height());
    for (line, (row, words)) in rows.iter().enumerate().skip(first).take(room).enumerate() {
        let y = left + (line as i32 + 1) * text::HEIGHT as i32;
        let (mark, color) = match row == chosen {
            true => ("> ", palette::NEW_PATH),
            false => ("  ", palette::TEXT),
        };
        let words = text::cut(&format!("{mark}{words}"), columns);
        text::paint_line(canvas, &words, left, y, color);
    }
}

/// The row of a list that [`paint_menu`] paints at this height of a picture, pixels from the top.
#[must_use]
pub fn menu_row_at(rows: usize, chosen: usize, height: u32, y: f64) -> Option<usize> {
    let (first, room) = shown(rows, chosen, height);
    let line = ((y - f64::from(MARGIN)) / f64::from(text::HEIGHT)).floor() - 1.0;
    let inside = line >= 0.0 && line < room as f64;
    let row = first + if inside { line as usize } else { return None };
    (row < rows).then_some(row)
}

#[cfg(test)]
mod tests {
    use super::{menu_row_at, paint_menu};
    use tiny_skia::Pixmap;

    #[test]
    fn a_click_hits_the_row_that_is_painted_there() {
        for count in [1, 5, 12, 40] {
            let rows: Vec<String> = (0..count).map(|_| String::from("level")).collect();
            for chosen in 0..count {
                let mut canvas = Pixmap::new(160, 180).expect("a size above 0");
                paint_menu(&mut canvas, "", &rows, chosen);
                // The chosen row alone has a mark at its left edge.
                let marked = |y: u32| (10..15).any(|x| canvas.pixel(x, y) != canvas.pixel(150, y));
                let marks: Vec<u32> = (0..180).filter(|y| marked(*y)).collect();
                assert!(!marks.is_empty(), "{chosen} of {count} is not shown");
                for y in marks {
                    let row = menu_row_at(count, chosen, 180, f64::from(y));
                    assert_eq!(row, Some(chosen), "{chosen} of {count} at {y}");
                }
            }
            assert_eq!(menu_row_at(count, 0, 180, 0.0), None);
            assert_eq!(menu_row_at(count, 0, 180, 179.5), None);
        }
    }
}
