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

/// Writes lines at the left edge, the last one at the bottom, or below the status line if `at_top`. Lines
/// that are too long are cut.
pub fn paint_notes(canvas: &mut Pixmap, rows: &[NoteRow], at_top: bool) {
    let first = text::HEIGHT + 8;
    let room = canvas.height().saturating_sub(first + 4) / text::HEIGHT;
    let rows = &rows[rows.len().saturating_sub(room as usize)..];
    let columns = (canvas.width().saturating_sub(16) / text::WIDTH) as usize;
    let height = rows.len() as u32 * text::HEIGHT;
    let top = match at_top {
        true => first,
        false => canvas.height().saturating_sub(height + 4),
    };
    for (i, row) in rows.iter().enumerate() {
        let line = text::cut(&row.text, columns);
        let y = top + i as u32 * text::HEIGHT;
        let width = line.chars().count() as u32 * text::WIDTH + 8;
        let place = (y as f32, width as f32, text::HEIGHT as f32);
        if let Some(rect) = Rect::from_xywh(4.0, place.0, place.1, place.2) {
            let ground = palette::DARK.faint_paint(GROUND);
            canvas.fill_rect(rect, &ground, Transform::identity(), None);
        }
        text::paint_line(canvas, &line, 8, y as i32, color_of(row.tone));
    }
}

fn color_of(tone: NoteTone) -> Color {
    match tone {
        NoteTone::Plain => palette::TEXT,
        NoteTone::Good => palette::NEW_PATH,
        NoteTone::Warning => palette::WARN,
        NoteTone::Bad => palette::FLAME,
    }
}
