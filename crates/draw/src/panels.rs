//! Texts over a picture: the status line, the banner, the `why` panel, the measures of ghosts and short notes.

use super::{Color, palette, text};
use tiny_skia::Pixmap;

/// Maximum number of lines of the status line.
const MOST_HUD_LINES: usize = 3;

/// Maximum number of lines of the banner; the terminal shows the rest.
const MOST_BANNER_LINES: usize = 12;

/// Maximum fraction of the picture's height that the `why` panel takes, so that the body stays visible.
const MOST_WHY: f32 = 0.5;

/// The most lines that a note takes in a narrow picture.
const MOST_NOTE_LINES: usize = 3;

/// Opacity of the ground behind the lines of the `why` panel, of notes, and of measures.
const WHY_GROUND: f32 = 0.7;
const NOTE_GROUND: f32 = 0.55;
const MEASURE_GROUND: f32 = 0.45;

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

/// Writes the status line; in a narrow picture, on several lines.
pub(super) fn paint_hud(canvas: &mut Pixmap, hud: &str) {
    let lines = hud_lines(canvas, hud);
    text::paint_lines(canvas, lines.iter().map(|line| (line.trim(), palette::TEXT)), 6, 5);
}

/// The status line as it fits into the picture.
fn hud_lines(canvas: &Pixmap, hud: &str) -> Vec<String> {
    let mut lines = text::wrapped(hud.trim_end(), text::columns(canvas, 12));
    lines.truncate(MOST_HUD_LINES);
    lines
}

/// Where the status line ends, px.
pub(super) fn below_hud(canvas: &Pixmap, hud: &str) -> u32 {
    hud_lines(canvas, hud).len().max(1) as u32 * text::HEIGHT + 8
}

/// Paints an error message below `top`, px, where it covers no bodies.
pub(super) fn paint_banner(canvas: &mut Pixmap, message: &str, top: u32) {
    if message.is_empty() {
        return;
    }
    let columns = text::columns(canvas, 16);
    let mut lines: Vec<String> = message.lines().flat_map(|l| text::wrapped(l, columns)).collect();
    if lines.len() > MOST_BANNER_LINES {
        lines.truncate(MOST_BANNER_LINES - 1);
        lines.push("… more in the terminal".into());
    }
    let height = lines.len() as u32 * text::HEIGHT + 12;
    text::paint_ground(canvas, [0, top, canvas.width(), height], &palette::BANNER.paint());
    for (y, line) in (top as i32 + 6..).step_by(text::HEIGHT as usize).zip(&lines) {
        text::write(canvas, line, 8, y, palette::TEXT);
    }
}

/// Writes why an entity moves as it does across the lower part of the picture; if there is not enough room for all lines,
/// the last ones.
pub(super) fn paint_why(canvas: &mut Pixmap, lines: &str) {
    if lines.is_empty() {
        return;
    }
    let columns = text::columns(canvas, 16);
    let room = (canvas.height() as f32 * MOST_WHY) as u32 / text::HEIGHT;
    let pieces = lines.lines().flat_map(|line| {
        let color = if line.contains(" refused: ") { palette::WARN } else { palette::TEXT };
        text::wrapped(line, columns).into_iter().map(move |piece| (piece, color))
    });
    let all: Vec<(String, Color)> = pieces.collect();
    let shown = &all[all.len().saturating_sub(room.max(1) as usize)..];
    let height = shown.len() as u32 * text::HEIGHT + 8;
    let top = canvas.height().saturating_sub(height);
    let ground = palette::DARK.faint_paint(WHY_GROUND);
    text::paint_ground(canvas, [0, top, canvas.width(), height], &ground);
    text::paint_lines(canvas, shown.iter().map(|(line, color)| (line.as_str(), *color)), 8, top as i32 + 4);
}

/// Writes the measures of ghosts in the upper right corner, below `top`, px.
pub(super) fn paint_measures(canvas: &mut Pixmap, lines: &[String], top: u32) {
    let Some(columns) = lines.iter().map(|line| line.chars().count() as u32).max() else {
        return;
    };
    let width = columns * text::WIDTH + 12;
    let left = canvas.width().saturating_sub(width);
    let ground = palette::DARK.faint_paint(MEASURE_GROUND);
    text::paint_ground(canvas, [left, top, width, lines.len() as u32 * text::HEIGHT + 6], &ground);
    let lines = lines.iter().map(|line| (line.as_str(), palette::TEXT));
    text::paint_lines(canvas, lines, left as i32 + 6, top as i32 + 3);
}

/// Writes rows at the left edge, the last one at the bottom, or below the status line if `at_top`. Rows
/// that are too long continue on the next line.
pub fn paint_notes(canvas: &mut Pixmap, rows: &[NoteRow], at_top: bool) {
    let first = text::HEIGHT + 8;
    let room = canvas.height().saturating_sub(first + 4) / text::HEIGHT;
    let columns = text::columns(canvas, 16);
    let rows: Vec<(String, NoteTone)> = rows.iter().flat_map(|row| lines_of(row, columns)).collect();
    let rows = &rows[rows.len().saturating_sub(room as usize)..];
    let top = match at_top {
        true => first,
        false => canvas.height().saturating_sub(rows.len() as u32 * text::HEIGHT + 4),
    };
    let ground = palette::DARK.faint_paint(NOTE_GROUND);
    for (y, (line, tone)) in (top..).step_by(text::HEIGHT as usize).zip(rows) {
        let width = line.chars().count() as u32 * text::WIDTH + 8;
        text::paint_ground(canvas, [4, y, width, text::HEIGHT], &ground);
        text::paint_line(canvas, line, 8, y as i32, color_of(*tone));
    }
}

/// The lines of a row.
fn lines_of(row: &NoteRow, columns: usize) -> impl Iterator<Item = (String, NoteTone)> {
    let mut lines = text::wrapped(&row.text, columns);
    if lines.len() > MOST_NOTE_LINES {
        lines.truncate(MOST_NOTE_LINES);
        let last = text::cut(&format!("{}...", lines[MOST_NOTE_LINES - 1]), columns);
        lines[MOST_NOTE_LINES - 1] = last;
    }
    lines.into_iter().map(|line| (line.trim().to_string(), row.tone))
}

fn color_of(tone: NoteTone) -> Color {
    match tone {
        NoteTone::Plain => palette::TEXT,
        NoteTone::Good => palette::NEW_PATH,
        NoteTone::Warning => palette::WARN,
        NoteTone::Bad => palette::FLAME,
    }
}
