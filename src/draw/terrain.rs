//! Terrain from the side: filled solids with a bright line where bodies can stand, one-way
//! platforms as planks, and switched-off solids as dashed outlines.

use super::Picture;
use super::brush::{dashes, fill, stroke};
use super::camera::Camera;
use super::color::Ink;
use super::palette;
use crate::geometry::grid::Bounds;
use crate::level::{Side, Solid};
use glam::{DVec2, dvec2};
use tiny_skia::Pixmap;

/// Edges whose normal points up by at least this much get the bright line.
const FACES_UP: f64 = 0.3;

/// Width of the bright line and thickness of a one-way platform, px.
const LINE: f64 = 3.0;
const PLANK: f64 = 5.0;

/// Offset of a solid from where its file draws it, px.
pub(super) fn offset(solid: &Solid, time: f64) -> DVec2 {
    let path = solid.path.as_ref();
    path.map_or(DVec2::ZERO, |path| path.offset(time))
}

/// The solids that are switched on.
pub(super) fn present<'a>(picture: &'a Picture<'_>) -> impl Iterator<Item = &'a Solid> {
    let solids = (0..).zip(picture.level.terrain.solids());
    let there = solids.filter(|(index, _)| !picture.absent.holds(*index));
    there.map(|(_, solid)| solid)
}

/// Paints the switched-off solids: a dashed outline with a faint fill.
pub(super) fn paint_ghosts(canvas: &mut Pixmap, picture: &Picture<'_>, camera: &Camera) {
    for index in picture.absent.iter() {
        let solid = &picture.level.terrain.solids()[index as usize];
        let offset = offset(solid, picture.time);
        let points = || solid.points.iter().map(|point| *point + offset);
        let color = palette::ghost(picture.level, solid);
        if !solid.one_way {
            fill(
                canvas,
                camera,
                points(),
                Ink::faint(color, palette::GHOST.0),
            );
        }
        let ink = Ink::faint(color, palette::GHOST.1);
        dashes(canvas, camera, points(), !solid.one_way, ink);
    }
}

pub(super) fn paint(canvas: &mut Pixmap, picture: &Picture<'_>, camera: &Camera) {
    let shown = camera.shows().grown(DVec2::splat(PLANK));
    let terrain = &picture.level.terrain;
    paint_ghosts(canvas, picture, camera);
    for solid in present(picture) {
        let offset = offset(solid, picture.time);
        if solid.one_way || !solid.bounds.moved(offset).meets(&shown) {
            continue;
        }
        let colors = palette::surface(picture.level.surface_name(solid.surface));
        let points = solid.points.iter().map(|point| *point + offset);
        fill(canvas, camera, points, colors.fill);
    }
    for edge in terrain.edges() {
        let solid = &terrain.solids()[edge.solid as usize];
        let offset = offset(solid, picture.time);
        let (start, end) = (edge.face.start + offset, edge.end + offset);
        let absent = picture.absent.holds(edge.solid);
        if absent || !Bounds::of(start, end).meets(&shown) {
            continue;
        }
        let colors = palette::surface(picture.level.surface_name(solid.surface));
        // Lines are painted below the edge, so that feet stand on top of them.
        if edge.side == Side::OneWay {
            let below = dvec2(0.0, -PLANK * 0.5);
            let plank = [start + below, end + below];
            stroke(canvas, camera, plank, PLANK, colors.fill);
        }
        if edge.side != Side::Under && edge.face.normal.y >= FACES_UP {
            let inset = edge.face.normal * (LINE * -0.5);
            let line = [start + inset, end + inset];
            stroke(canvas, camera, line, LINE, colors.edge);
        }
    }
}
