//! Terrain from the side: solids filled, with a bright line where one can stand; one-way platforms
//! as planks.

use super::Picture;
use super::brush::{fill, stroke};
use super::camera::Camera;
use super::palette;
use crate::geometry::grid::Bounds;
use crate::level::{Side, Solid};
use glam::{DVec2, dvec2};
use tiny_skia::Pixmap;

/// Edges that face up by at least this much get the bright line.
const FACES_UP: f64 = 0.3;

/// Width of the bright line, and thickness of a one-way platform, px.
const LINE: f64 = 3.0;
const PLANK: f64 = 5.0;

/// How far a solid is from where its file draws it, px.
pub(super) fn offset(solid: &Solid, time: f64) -> DVec2 {
    let path = solid.path.as_ref();
    path.map_or(DVec2::ZERO, |path| path.offset(time))
}

pub(super) fn paint(canvas: &mut Pixmap, picture: &Picture<'_>, camera: &Camera) {
    let shown = camera.shows().grown(DVec2::splat(PLANK));
    let terrain = &picture.level.terrain;
    for solid in terrain.solids() {
        let offset = offset(solid, picture.time);
        if solid.one_way || !solid.bounds.moved(offset).meets(&shown) {
            continue;
        }
        let colours = palette::surface(picture.level.surface_name(solid.surface));
        let points = solid.points.iter().map(|point| *point + offset);
        fill(canvas, camera, points, colours.fill);
    }
    for edge in terrain.edges() {
        let solid = &terrain.solids()[edge.solid as usize];
        let offset = offset(solid, picture.time);
        let (start, end) = (edge.face.start + offset, edge.end + offset);
        if !Bounds::of(start, end).meets(&shown) {
            continue;
        }
        let colours = palette::surface(picture.level.surface_name(solid.surface));
        // Lines lie below the edge, so that feet stand on them.
        if edge.side == Side::OneWay {
            let below = dvec2(0.0, -PLANK * 0.5);
            let plank = [start + below, end + below];
            stroke(canvas, camera, plank, PLANK, colours.fill);
        }
        if edge.side != Side::Under && edge.face.normal.y >= FACES_UP {
            let inset = edge.face.normal * (LINE * -0.5);
            let line = [start + inset, end + inset];
            stroke(canvas, camera, line, LINE, colours.edge);
        }
    }
}
