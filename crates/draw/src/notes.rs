//! Short lines over the picture: edits, the log, what keys did.

use super::color::Color;
use super::{palette, text};
use tiny_skia::{Pixmap, Rect, Transform};

/// How a line is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteTone {
    /// Something that scripts say.
    Plain,
    /// Something that worked.
    Good,
    /// Something to look at.
    Warning,
    /// An error.
    Bad,
}

/// A line over the picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteRow {
    /// Its text.
    pub text: String,
    /// How it is meant.
    pub tone: NoteTone,
}

/// Opacity of the ground behind the lines.
const GROUND: f32 = 0.55;

/// The most lines that a row takes in a narrow picture.
const MOST_LINES: usize = 3;

/// Writes rows at the left edge, the last one at the bottom, or below the status line if `at_top`. Rows
/// that are too long continue on the next line.
pub fn paint_notes(canvas: &mut Pixmap, rows: &[NoteRow], at_top: bool) {
    let first = text::HEIGHT + 8;
    let room = canvas.height().saturating_sub(first + 4) / text::HEIGHT;
    let columns = (canvas.width().saturating_sub(16) / text::WIDTH).max(1) as usize;
    let rows: Vec<(String, NoteTone)> = rows.iter().flat_map(|row| lines_of(row, columns)).collect();
    let rows = &rows[rows.len().saturating_sub(room as usize)..];
    let height = rows.len() as u32 * text::HEIGHT;
    let top = match at_top {
        true => first,
        false => canvas.height().saturating_sub(height + 4),
    };
    for (i, (line, tone)) in rows.iter().enumerate() {
        let y = top + i as u32 * text::HEIGHT;
        let width = line.chars().count() as u32 * text::WIDTH + 8;
        let place = (y as f32, width as f32, text::HEIGHT as f32);
        if let Some(rect) = Rect::from_xywh(4.0, place.0, place.1, place.2) {
            let ground = palette::DARK.faint_paint(GROUND);
            canvas.fill_rect(rect, &ground, Transform::identity(), None);
        }
        text::paint_line(canvas, line, 8, y as i32, color_of(*tone));
    }
}

/// The lines of a row.
fn lines_of(row: &NoteRow, columns: usize) -> Vec<(String, NoteTone)> {
    let mut lines = text::wrapped(&row.text, columns);
    if lines.len() > MOST_LINES {
        lines.truncate(MOST_LINES);
        let last = text::cut(&format!("{}...", lines[MOST_LINES - 1]), columns);
        lines[MOST_LINES - 1] = last;
    }
    let lines = lines.into_iter();
    lines.map(|line| (line.trim().to_string(), row.tone)).collect()
}

fn color_of(tone: NoteTone) -> Color {
    match tone {
        NoteTone::Plain => palette::TEXT,
        NoteTone::Good => palette::NEW_PATH,
        NoteTone::Warning => palette::WARN,
        NoteTone::Bad => palette::FLAME,
    }
}
