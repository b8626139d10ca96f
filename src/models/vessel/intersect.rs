//! The convex intersection of a piece and a block: where it is, how deep, and along which normal.

use super::hull::Placed;
use super::touch::{NEAR, Touch};
use crate::geometry::TOUCH;
use crate::geometry::convex::Clip;
use crate::level::{Feature, MOST_WALLS, SurfaceId, Wall};
use glam::DVec2;

/// An intersection, and whether something open is near it.
pub(super) struct Found {
    pub touch: Touch,
    pub open: bool,
}

/// How much shallower than along the terrain's walls an intersection has to be along a vessel's own
/// for that to count: as a share, and in px. Else the two would take turns.
const OWN_SHARE: f64 = 0.98;
const OWN_LESS: f64 = 1e-3;

/// How far outside of the open part of a wall an intersection may lie, px.
const OPEN_SLACK: f64 = 0.5;

/// How a piece lies to the walls of a block.
struct Depths {
    /// How deep it is behind each wall, px.
    depths: [f64; MOST_WALLS],
    /// A bit for each wall that cuts it.
    cuts: u32,
}

/// A way out along the vessel's own edge, away from a corner of the block.
struct Own {
    depth: f64,
    normal: DVec2,
    corner: u32,
}

/// The intersection of a piece with the block that has these walls, moved out by [`NEAR`], seen from
/// `center`.
pub(super) fn intersect(
    piece: &Placed,
    walls: &[Wall],
    offset: DVec2,
    center: DVec2,
) -> Option<Found> {
    let Depths { depths, cuts } = behind_walls(piece, walls, offset)?;
    let own = before_corners(piece, walls, offset)?;
    let mut clip = Clip::of(piece.points())?;
    for (j, wall) in walls.iter().enumerate() {
        if cuts & (1 << j) != 0 {
            let start = wall.face.start + offset + wall.face.normal * NEAR;
            clip.keep_behind(start, wall.face.normal);
        }
    }
    let (area, barycenter) = clip.area_and_barycenter()?;
    let mut best: Option<usize> = None;
    let mut any = 0;
    for (j, wall) in walls.iter().enumerate() {
        if depths[j] < depths[any] {
            any = j;
        }
        // The piece has to come in through this wall, and near its open part.
        let along = wall.face.along.dot(barycenter - wall.face.start - offset);
        let open = wall.is_open()
            && cuts & (1 << j) != 0
            && along >= wall.open.0 - OPEN_SLACK
            && along <= wall.open.1 + OPEN_SLACK
            && bounds_clip(&clip, wall, offset);
        if open && best.is_none_or(|b| depths[j] < depths[b]) {
            best = Some(j);
        }
    }
    let mut open = best.is_some();
    let wall = best.unwrap_or(any);
    let (mut depth, mut normal) = (depths[wall], walls[wall].face.normal);
    let mut feature = walls[wall].feature();
    if let Some(own) = own
        && own.depth < depth * OWN_SHARE - OWN_LESS
    {
        (depth, normal, feature) = (own.depth, own.normal, Feature::Corner(own.corner));
        open = true;
    }
    let tangent = DVec2::new(normal.y, -normal.x);
    let (low, high) = clip.extent(tangent);
    let at = barycenter - center;
    let middle = barycenter.dot(tangent);
    Some(Found {
        open,
        touch: Touch {
            normal,
            depth: depth - NEAR,
            at,
            ends: [
                at + tangent * (low - middle),
                at + tangent * (high - middle),
            ],
            feature,
            surface: SurfaceId(0),
            platform: None,
            foot: None,
            piece: 0,
            area,
        },
    })
}

/// How deep a piece is behind each wall; none if it is all before one of them.
fn behind_walls(piece: &Placed, walls: &[Wall], offset: DVec2) -> Option<Depths> {
    let mut found = Depths {
        depths: [0.0; MOST_WALLS],
        cuts: 0,
    };
    for (j, wall) in walls.iter().enumerate() {
        let level = wall.face.normal.dot(wall.face.start + offset) + NEAR;
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for point in piece.points() {
            let height = wall.face.normal.dot(*point) - level;
            low = if height < low { height } else { low };
            high = if height > high { height } else { high };
        }
        if low >= 0.0 {
            return None;
        }
        found.depths[j] = -low;
        found.cuts |= u32::from(high > 0.0) << j;
    }
    Some(found)
}

/// The least way out along the piece's own edges whose deepest corner of the block can be touched;
/// none if the block is all before one of its edges.
#[allow(
    clippy::option_option,
    reason = "apart is something else than having no such edge"
)]
fn before_corners(piece: &Placed, walls: &[Wall], offset: DVec2) -> Option<Option<Own>> {
    let mut least: Option<Own> = None;
    for (normal, start) in piece.normals().iter().zip(piece.points()) {
        let level = normal.dot(*start - offset) + NEAR;
        let mut deepest = (f64::INFINITY, 0);
        for (j, wall) in walls.iter().enumerate() {
            let height = normal.dot(wall.face.start) - level;
            if height < deepest.0 {
                deepest = (height, j);
            }
        }
        let depth = -deepest.0;
        if depth <= 0.0 {
            return None;
        }
        if let Some(corner) = walls[deepest.1].corner
            && least.as_ref().is_none_or(|own| depth < own.depth)
        {
            least = Some(Own {
                depth,
                normal: -*normal,
                corner,
            });
        }
    }
    Some(least)
}

/// Whether a wall is one of the sides of an intersection.
fn bounds_clip(clip: &Clip, wall: &Wall, offset: DVec2) -> bool {
    let level = wall.face.normal.dot(wall.face.start + offset) + NEAR;
    let mut heights = clip
        .points()
        .iter()
        .map(|p| wall.face.normal.dot(*p) - level);
    heights.any(|height| height > -TOUCH)
}
