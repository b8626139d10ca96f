//! The convex intersection of a piece and a block: its position, depth and normal.

use super::contact::{CONTACT_MARGIN, Manifold};
use super::hull::PlacedPiece;
use crate::geometry::TOUCH;
use crate::geometry::convex::Clip;
use crate::level::{Feature, MOST_WALLS, SurfaceId, Wall};
use glam::DVec2;

/// An intersection, and whether an open wall is near it.
pub(super) struct Intersection {
    pub contact: Manifold,
    pub open: bool,
}

/// The piece's edges decide only if the intersection is this much shallower along them than along
/// the block's walls: as a share, and in px. Otherwise the two would alternate.
const EDGE_SHARE: f64 = 0.98;
const EDGE_LESS: f64 = 1e-3;

/// How far outside the open part of a wall an intersection may lie, px.
const OPEN_SLACK: f64 = 0.5;

/// The position of a piece relative to the walls of a block.
struct WallDepths {
    /// Its depth behind each wall, px.
    depths: [f64; MOST_WALLS],
    /// One bit for each wall that cuts it.
    cuts: u32,
}

/// The result of testing a block's corners against a piece's edges.
enum EdgeTest {
    /// An edge of the piece separates the two.
    Apart,
    /// No edge faces a corner that can be touched.
    NoExit,
    /// The shortest way out of a corner.
    Exit(EdgeExit),
}

/// A way out along a piece's edge, away from a corner of the block.
struct EdgeExit {
    depth: f64,
    normal: DVec2,
    corner: u32,
}

/// The intersection of a piece with a block, whose walls are moved out by [`CONTACT_MARGIN`],
/// relative to `center`. Surface, platform, foot and piece are left for the caller.
pub(super) fn intersect(piece: &PlacedPiece, walls: &[Wall], offset: DVec2, center: DVec2) -> Option<Intersection> {
    let WallDepths { depths, cuts } = behind_walls(piece, walls, offset)?;
    let exit = match test_edges(piece, walls, offset) {
        EdgeTest::Apart => return None,
        EdgeTest::NoExit => None,
        EdgeTest::Exit(exit) => Some(exit),
    };
    let mut clip = Clip::of(piece.points())?;
    for (j, wall) in walls.iter().enumerate() {
        if cuts & (1 << j) != 0 {
            let start = wall.face.start + offset + wall.face.normal * CONTACT_MARGIN;
            clip.keep_behind(start, wall.face.normal);
        }
    }
    let (area, barycenter) = clip.area_and_barycenter()?;
    let (best, any) = entered(&clip, walls, offset, barycenter, &WallDepths { depths, cuts });
    let mut open = best.is_some();
    let wall = best.unwrap_or(any);
    let (mut depth, mut normal) = (depths[wall], walls[wall].face.normal);
    let mut feature = walls[wall].feature();
    let by_edge = exit.as_ref().is_some_and(|exit| exit.depth < depth * EDGE_SHARE - EDGE_LESS);
    if let Some(exit) = exit.filter(|_| by_edge) {
        (depth, normal, feature) = (exit.depth, exit.normal, Feature::Corner(exit.corner));
        open = true;
    }
    let tangent = DVec2::new(normal.y, -normal.x);
    let (low, high) = clip.extent(tangent);
    let at = barycenter - center;
    let middle = barycenter.dot(tangent);
    let gaps = if by_edge { [0.0; 2] } else { end_gaps(&clip, normal, tangent, middle) };
    Some(Intersection {
        open,
        contact: Manifold {
            normal,
            depth: depth - CONTACT_MARGIN,
            at,
            ends: [at + tangent * (low - middle), at + tangent * (high - middle)],
            gaps,
            feature,
            surface: SurfaceId(0),
            platform: None,
            foot: None,
            piece: 0,
            area,
            slow: false,
        },
    })
}

/// The open wall through which the piece has entered, near `barycenter`, by the least depth, if any; and
/// the wall with the least depth of all.
fn entered(
    clip: &Clip,
    walls: &[Wall],
    offset: DVec2,
    barycenter: DVec2,
    WallDepths { depths, cuts }: &WallDepths,
) -> (Option<usize>, usize) {
    let mut best: Option<usize> = None;
    let mut any = 0;
    for (j, wall) in walls.iter().enumerate() {
        if depths[j] < depths[any] {
            any = j;
        }
        // The piece has to enter through this wall, near its open part.
        let along = wall.face.along.dot(barycenter - wall.face.start - offset);
        let open = wall.is_open()
            && cuts & (1 << j) != 0
            && along >= wall.open.0 - OPEN_SLACK
            && along <= wall.open.1 + OPEN_SLACK
            && bounds_clip(clip, wall, offset);
        if open && best.is_none_or(|b| depths[j] < depths[b]) {
            best = Some(j);
        }
    }
    (best, any)
}

/// The depth of a piece behind each wall; `None` if one of them separates the two.
fn behind_walls(piece: &PlacedPiece, walls: &[Wall], offset: DVec2) -> Option<WallDepths> {
    let mut found = WallDepths { depths: [0.0; MOST_WALLS], cuts: 0 };
    for (j, wall) in walls.iter().enumerate() {
        let level = wall.face.normal.dot(wall.face.start + offset) + CONTACT_MARGIN;
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

/// Finds the shortest way out along the piece's edges, among those whose deepest corner of the
/// block can be touched.
fn test_edges(piece: &PlacedPiece, walls: &[Wall], offset: DVec2) -> EdgeTest {
    let mut least: Option<EdgeExit> = None;
    for (normal, start) in piece.normals().iter().zip(piece.points()) {
        let level = normal.dot(*start - offset) + CONTACT_MARGIN;
        let mut deepest = (f64::INFINITY, 0);
        for (j, wall) in walls.iter().enumerate() {
            let height = normal.dot(wall.face.start) - level;
            if height < deepest.0 {
                deepest = (height, j);
            }
        }
        let depth = -deepest.0;
        if depth <= 0.0 {
            return EdgeTest::Apart;
        }
        if let Some(corner) = walls[deepest.1].corner
            && least.as_ref().is_none_or(|exit| depth < exit.depth)
        {
            least = Some(EdgeExit { depth, normal: -*normal, corner });
        }
    }
    least.map_or(EdgeTest::NoExit, EdgeTest::Exit)
}

/// Whether a wall is a side of the intersection.
fn bounds_clip(clip: &Clip, wall: &Wall, offset: DVec2) -> bool {
    let level = wall.face.normal.dot(wall.face.start + offset) + CONTACT_MARGIN;
    let mut heights = clip.points().iter().map(|p| wall.face.normal.dot(*p) - level);
    heights.any(|height| height > -TOUCH)
}

/// How much less deep the intersection is on either side of its middle than at its deepest point, px.
fn end_gaps(clip: &Clip, normal: DVec2, tangent: DVec2, middle: f64) -> [f64; 2] {
    let mut lowest = [f64::INFINITY; 2];
    for point in clip.points() {
        let side = usize::from(point.dot(tangent) > middle);
        lowest[side] = lowest[side].min(point.dot(normal));
    }
    let deepest = lowest[0].min(lowest[1]);
    lowest.map(|height| height - deepest)
}
