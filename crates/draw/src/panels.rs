//! Texts over a picture: the status line, the banner, the `why` panel, the measures of ghosts and short notes.

use super::*;

/// Maximum number of lines of the status line.
const MOST_HUD_LINES: usize = 3;

/// Maximum number of lines of the banner; the terminal shows the rest.
const MOST_BANNER_LINES: usize = 12;

/// Maximum fraction of the picture's height that the `why` panel takes, so that the body stays visible.
const MOST_WHY: f32 = 0.5;

/// The most lines of the picture that a line of the banner or a note takes.
const MOST_PIECES: usize = 3;

/// The lines of the `why` panel that are always shown: its title, and what the entity does.
const WHY_HEAD: usize = 2;

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
pub fn paint_hud(canvas: &mut Pixmap, hud: &str) {
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
pub fn below_hud(canvas: &Pixmap, hud: &str) -> u32 {
    hud_lines(canvas, hud).len().max(1) as u32 * text::HEIGHT + 8
}

/// The lines of an error message as they fit into the picture.
fn banner_lines(canvas: &Pixmap, message: &str) -> Vec<String> {
    let columns = text::columns(canvas, 16);
    let mut lines: Vec<String> = message.lines().flat_map(|line| few_lines(line, columns)).collect();
    if lines.len() > MOST_BANNER_LINES {
        lines.truncate(MOST_BANNER_LINES - 1);
        lines.push("… more in the terminal".into());
    }
    lines
}

fn banner_height(lines: &[String]) -> u32 {
    match lines.len() {
        0 => 0,
        count => count as u32 * text::HEIGHT + 12,
    }
}

/// Where the status line and the banner end, px.
fn below_banner(canvas: &Pixmap, hud: &str, banner: &str) -> u32 {
    below_hud(canvas, hud) + banner_height(&banner_lines(canvas, banner))
}

/// Paints an error message below `top`, px, where it covers no bodies.
pub fn paint_banner(canvas: &mut Pixmap, message: &str, top: u32) {
    if message.is_empty() {
        return;
    }
    let lines = banner_lines(canvas, message);
    let height = banner_height(&lines);
    text::paint_ground(canvas, [0, top, canvas.width(), height], &palette::BANNER.paint());
    for (y, line) in (top as i32 + 6..).step_by(text::HEIGHT as usize).zip(&lines) {
        text::write(canvas, line, 8, y, palette::TEXT);
    }
}

/// The lines that say why an entity moves as it does; if there is not enough room for all, the first ones, which name it
/// and say what it does, and the last ones.
fn why_lines(canvas: &Pixmap, lines: &str) -> Vec<(String, Color)> {
    let columns = text::columns(canvas, 16);
    let room = (canvas.height() as f32 * MOST_WHY) as usize / text::HEIGHT as usize;
    let pieces = |line: &str| {
        let color = if line.contains(" refused: ") { palette::WARN } else { palette::TEXT };
        text::wrapped(line, columns).into_iter().map(move |piece| (piece, color))
    };
    let mut first: Vec<_> = lines.lines().take(WHY_HEAD).flat_map(pieces).collect();
    let rest: Vec<_> = lines.lines().skip(WHY_HEAD).flat_map(pieces).collect();
    first.truncate(room.max(1));
    let left = room.max(1) - first.len();
    first.extend_from_slice(&rest[rest.len().saturating_sub(left)..]);
    first
}

/// Where they begin, px.
fn above_why(canvas: &Pixmap, lines: &str) -> u32 {
    match why_lines(canvas, lines).len() {
        0 => canvas.height(),
        count => canvas.height().saturating_sub(count as u32 * text::HEIGHT + 8),
    }
}

/// Writes why an entity moves as it does across the lower part of the picture.
pub fn paint_why(canvas: &mut Pixmap, lines: &str) {
    if lines.is_empty() {
        return;
    }
    let shown = why_lines(canvas, lines);
    let top = above_why(canvas, lines);
    let height = canvas.height() - top;
    let ground = palette::DARK.faint_paint(WHY_GROUND);
    text::paint_ground(canvas, [0, top, canvas.width(), height], &ground);
    text::paint_lines(canvas, shown.iter().map(|(line, color)| (line.as_str(), *color)), 8, top as i32 + 4);
}

/// The measures of ghosts as they fit into the picture, and their width, px; 0 without measures.
fn measure_lines(canvas: &Pixmap, lines: &[String]) -> (Vec<String>, u32) {
    let columns = text::columns(canvas, 12);
    let lines: Vec<String> = lines.iter().flat_map(|line| text::wrapped(line, columns)).collect();
    let longest = lines.iter().map(|line| line.chars().count() as u32).max();
    let width = longest.map_or(0, |columns| columns * text::WIDTH + 12);
    (lines, width)
}

/// Writes the measures of ghosts in the upper right corner, below the status line and the banner.
pub fn paint_measures(canvas: &mut Pixmap, picture: &Picture<'_>, lines: &[String]) {
    let top = below_banner(canvas, picture.hud, picture.banner);
    let (lines, width) = measure_lines(canvas, lines);
    if lines.is_empty() {
        return;
    }
    let left = canvas.width().saturating_sub(width);
    let ground = palette::DARK.faint_paint(MEASURE_GROUND);
    text::paint_ground(canvas, [left, top, width, lines.len() as u32 * text::HEIGHT + 6], &ground);
    let lines = lines.iter().map(|line| (line.as_str(), palette::TEXT));
    text::paint_lines(canvas, lines, left as i32 + 6, top as i32 + 3);
}

/// Writes rows in the upper right corner, below the status line and the banner.
pub fn paint_rows(canvas: &mut Pixmap, picture: &Picture<'_>, rows: &[NoteRow]) {
    let top = below_banner(canvas, picture.hud, picture.banner);
    let columns = text::columns(canvas, 12);
    let lines: Vec<(String, NoteTone)> = rows.iter().flat_map(|row| lines_of(row, columns)).collect();
    let Some(longest) = lines.iter().map(|(line, _)| line.chars().count() as u32).max() else {
        return;
    };
    let width = longest * text::WIDTH + 12;
    let left = canvas.width().saturating_sub(width);
    let ground = palette::DARK.faint_paint(NOTE_GROUND);
    text::paint_ground(canvas, [left, top, width, lines.len() as u32 * text::HEIGHT + 6], &ground);
    let lines = lines.iter().map(|(line, tone)| (line.as_str(), color_of(*tone)));
    text::paint_lines(canvas, lines, left as i32 + 6, top as i32 + 3);
}

/// Where notes are in a picture, px.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoteRoom {
    /// The height at which they begin at the earliest.
    pub top: u32,
    /// The height at which they end at the latest.
    pub bottom: u32,
    /// The width at the right edge that is taken.
    pub taken: u32,
    /// Whether the first row is at the top, instead of the last one at the bottom.
    pub at_top: bool,
}

impl NoteRoom {
    /// The room that the texts of a picture leave: notes are at the bottom or, over the panel that explains motion, at the
    /// top left of the measures of ghosts.
    pub fn of(canvas: &Pixmap, picture: &Picture<'_>, measures: &[String]) -> Self {
        let top = below_banner(canvas, picture.hud, picture.banner);
        let at_top = !picture.why.is_empty();
        let (lines, width) = measure_lines(canvas, measures);
        // In a narrow picture there is no room left of the measures, but below them.
        let fits_left = canvas.width().saturating_sub(width) >= canvas.width() / 2;
        let high = if lines.is_empty() { 0 } else { lines.len() as u32 * text::HEIGHT + 6 };
        Self {
            top: if at_top && !fits_left { top + high } else { top },
            bottom: above_why(canvas, picture.why),
            taken: if at_top && fits_left { width } else { 0 },
            at_top,
        }
    }
}

/// Writes rows at the left edge of a room; if there is not enough of it for all, the last ones. Rows that are too long
/// continue on the next line.
pub fn paint_notes(canvas: &mut Pixmap, rows: &[NoteRow], room: NoteRoom) {
    let most = room.bottom.saturating_sub(room.top + 4) / text::HEIGHT;
    let columns = text::columns(canvas, 16 + room.taken);
    let rows: Vec<(String, NoteTone)> = rows.iter().flat_map(|row| lines_of(row, columns)).collect();
    let rows = &rows[rows.len().saturating_sub(most as usize)..];
    let top = if room.at_top {
        room.top
    } else {
        room.bottom.saturating_sub(rows.len() as u32 * text::HEIGHT + 4)
    };
    let ground = palette::DARK.faint_paint(NOTE_GROUND);
    for (y, (line, tone)) in (top..).step_by(text::HEIGHT as usize).zip(rows) {
        let width = line.chars().count() as u32 * text::WIDTH + 8;
        text::paint_ground(canvas, [4, y, width, text::HEIGHT], &ground);
        text::paint_line(canvas, line, 8, y as i32, color_of(*tone));
    }
}

/// A line as it fits into this number of columns: a long one, such as a list of names, is cut, so that what comes after it has
/// room.
fn few_lines(line: &str, columns: usize) -> Vec<String> {
    let mut lines = text::wrapped(line, columns);
    if lines.len() > MOST_PIECES {
        lines.truncate(MOST_PIECES);
        let last = text::cut(&format!("{}...", lines[MOST_PIECES - 1]), columns);
        lines[MOST_PIECES - 1] = last;
    }
    lines
}

/// The lines of a row.
fn lines_of(row: &NoteRow, columns: usize) -> impl Iterator<Item = (String, NoteTone)> {
    let lines = few_lines(&row.text, columns);
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
