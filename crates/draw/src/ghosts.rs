//! Ghosts: the paths of one stretch under several revisions, over a painted picture.

use super::*;

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

/// Radius of the dot where paths part, px.
const DOT: f64 = 4.0;

/// Paints ghosts over a picture that has been painted on `canvas`.
pub fn paint(brush: &mut Brush<'_>, picture: &Picture<'_>, ghosts: &GhostPicture) {
    let newest = ghosts.paths.len().saturating_sub(1);
    for (i, (path, opacity)) in ghosts.paths.iter().enumerate() {
        let color = if i == newest { palette::NEW_PATH } else { palette::OLD_PATH };
        let ink = Ink::faint(color, opacity.clamp(0.0, 1.0) as f32);
        brush.stroke(path.iter().copied(), WIDTH, ink);
    }
    if let Some(point) = ghosts.parts_at {
        let half = DVec2::splat(DOT);
        brush.oval(point, half, palette::PARTED);
        brush.ring(point, half, 1.0, palette::DARK);
    }
    panels::paint_measures(brush.canvas, picture, &ghosts.lines);
}
