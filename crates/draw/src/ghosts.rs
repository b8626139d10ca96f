//! Ghosts: the paths of one stretch under several revisions, over a painted picture.

use super::*;

/// The body of one version at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct GhostOutline {
    /// Its center, px.
    pub center: DVec2,
    /// Its shape around that.
    pub shape: GhostShape,
    /// Whether it is the newest version's.
    pub is_new: bool,
}

/// The shape of a body.
#[derive(Clone, Debug, PartialEq)]
pub enum GhostShape {
    /// An upright body.
    Upright(Collider),
    /// The pieces of a rigid body: the corners of each from its center, px.
    Pieces(Vec<Vec<DVec2>>),
}

/// Paths to compare, and what differs between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GhostPicture {
    /// The paths, px, the newest last, each with its opacity: 1 for the newest, less for older ones.
    pub paths: Vec<(Vec<DVec2>, f64)>,
    /// Where the newest path leaves the one before it, px.
    pub parts_at: Option<DVec2>,
    /// What differs, one fact per line.
    pub lines: Vec<String>,
    /// The bodies of two versions in the same ticks, in pairs, where the paths do not show that the times differ.
    pub outlines: Vec<GhostOutline>,
}

/// Width of a path, px.
const WIDTH: f64 = 2.0;

/// Radius of the dot where paths part, px.
const DOT: f64 = 4.0;

/// Line width of an outline, and how far above a pair the bracket is that joins it, px.
const OUTLINE: f64 = 1.5;
const BRACKET: f64 = 5.0;

impl GhostOutline {
    /// How far it reaches up from its center, px.
    fn top(&self) -> f64 {
        match &self.shape {
            GhostShape::Upright(shape) => shape.half.y,
            GhostShape::Pieces(pieces) => pieces.iter().flatten().map(|corner| corner.y).fold(0.0, f64::max),
        }
    }
}

/// Paints ghosts over a picture that has been painted on `canvas`.
pub fn paint(brush: &mut Brush<'_>, picture: &Picture<'_>, ghosts: &GhostPicture) {
    let newest = ghosts.paths.len().saturating_sub(1);
    for (i, (path, opacity)) in ghosts.paths.iter().enumerate() {
        let color = if i == newest { palette::NEW_PATH } else { palette::OLD_PATH };
        let ink = Ink::faint(color, opacity.clamp(0.0, 1.0) as f32);
        brush.stroke(path.iter().copied(), WIDTH, ink);
    }
    // The body that is there itself is to be seen.
    let is_there =
        |outline: &&GhostOutline| picture.bodies.iter().any(|body| body.pos.distance(outline.center) < OUTLINE);
    for outline in ghosts.outlines.iter().filter(|outline| !is_there(outline)) {
        let color = if outline.is_new { palette::NEW_PATH } else { palette::OLD_PATH };
        match &outline.shape {
            GhostShape::Upright(shape) => brush.ring(outline.center, *shape, OUTLINE, color),
            GhostShape::Pieces(pieces) => {
                for piece in pieces {
                    let corners = piece.iter().map(|corner| outline.center + *corner);
                    brush.outline(corners, OUTLINE, color);
                }
            }
        }
    }
    for pair in ghosts.outlines.chunks_exact(2) {
        let top = pair.iter().map(GhostOutline::top).fold(0.0, f64::max) + BRACKET;
        let [old, new] = [0, 1].map(|index| pair[index].center);
        let feet = [old, new].map(|center| center + DVec2::Y * (top - 0.6 * BRACKET));
        let bars = [old, new].map(|center| center + DVec2::Y * top);
        brush.stroke([feet[0], bars[0], bars[1], feet[1]], 1.0, palette::PARTED);
    }
    if let Some(point) = ghosts.parts_at {
        let half = DVec2::splat(DOT);
        brush.oval(point, half, palette::PARTED);
        brush.ring(point, half, 1.0, palette::DARK);
    }
    panels::paint_measures(brush.canvas, picture, &ghosts.lines);
}
