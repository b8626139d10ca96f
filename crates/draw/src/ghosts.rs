//! Ghosts: the paths of one stretch under several revisions, over a painted picture.

use super::brush::{oval, ring, stroke};
use super::color::Ink;
use super::lens::Lens;
use super::{palette, text};
use glam::DVec2;
use tiny_skia::{Pixmap, Rect, Transform};

/// Paths to compare, and what differs between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GhostPicture {
    /// The paths, px, the newest last, each with its opacity: 1 for the newest, less for older ones.
    pub paths: Vec<(Vec<DVec2>, f64)>,
    /// Where the newest path leaves the one before it, px.
    pub parts_at: Option<DVec2>,
    /// What differs, one fact per line.
    pub lines: Vec<String>,
}

/// Width of a path, px.
const WIDTH: f64 = 2.0;

/// Opacity of the panel behind the lines.
const FAINT: f32 = 0.45;

/// Radius of the dot where paths part, px.
const DOT: f64 = 4.0;

/// Paints ghosts over a picture that has been painted on `canvas`.
/// The lines are below `top`, px.
pub(super) fn paint(canvas: &mut Pixmap, lens: &Lens, ghosts: &GhostPicture, top: u32) {
    let newest = ghosts.paths.len().saturating_sub(1);
    for (i, (path, opacity)) in ghosts.paths.iter().enumerate() {
        let color = match i {
            i if i == newest => palette::NEW_PATH,
            _ => palette::OLD_PATH,
        };
        let ink = Ink::faint(color, opacity.clamp(0.0, 1.0) as f32);
        stroke(canvas, lens, path.iter().copied(), WIDTH, ink);
    }
    if let Some(point) = ghosts.parts_at {
        let half = DVec2::splat(DOT);
        oval(canvas, lens, point, half, palette::PARTED);
        ring(canvas, lens, point, half, 1.0, palette::DARK);
    }
    paint_lines(canvas, &ghosts.lines, top);
}

/// Writes the lines in the upper right corner.
fn paint_lines(canvas: &mut Pixmap, lines: &[String], top: u32) {
    let Some(columns) = lines.iter().map(|line| line.chars().count() as u32).max() else {
        return;
    };
    let width = columns * text::WIDTH + 12;
    let left = canvas.width().saturating_sub(width);
    let height = lines.len() as u32 * text::HEIGHT + 6;
    if let Some(rect) = Rect::from_xywh(left as f32, top as f32, width as f32, height as f32) {
        let ground = palette::DARK.faint_paint(FAINT);
        canvas.fill_rect(rect, &ground, Transform::identity(), None);
    }
    for (i, line) in lines.iter().enumerate() {
        let y = (top + 3 + i as u32 * text::HEIGHT) as i32;
        text::paint_line(canvas, line, left as i32 + 6, y, palette::TEXT);
    }
}
