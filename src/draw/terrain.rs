//! Terrain: solids filled, with a bright line where one can stand; one-way platforms as planks.

use super::palette::{self, Colour};
use super::{Camera, Picture};
use crate::geometry::grid::Bounds;
use crate::level::{Side, Solid};
use glam::{DVec2, dvec2};
use tiny_skia::{FillRule, Path, PathBuilder, Pixmap, Stroke, Transform};

/// Edges that face up by at least this much get the bright line.
const FACES_UP: f64 = 0.3;

/// Width of the bright line, and thickness of a one-way platform, px.
const LINE: f64 = 3.0;
const PLANK: f64 = 5.0;

pub(super) fn paint(canvas: &mut Pixmap, picture: &Picture<'_>, camera: &Camera) {
    let shown = camera.shows().grown(DVec2::splat(PLANK));
    let terrain = &picture.level.terrain;
    let offset = |solid: &Solid| {
        let path = solid.path.as_ref();
        path.map_or(DVec2::ZERO, |path| path.offset(picture.time))
    };
    for solid in terrain.solids() {
        let offset = offset(solid);
        if solid.one_way || !solid.bounds.moved(offset).meets(&shown) {
            continue;
        }
        let colours = palette::surface(picture.level.surface_name(solid.surface));
        let points = solid.points.iter().map(|point| *point + offset);
        if let Some(path) = polyline(points, true, camera) {
            let paint = colours.fill.paint();
            let winding = FillRule::Winding;
            canvas.fill_path(&path, &paint, winding, Transform::identity(), None);
        }
    }
    for edge in terrain.edges() {
        let solid = &terrain.solids()[edge.solid as usize];
        let offset = offset(solid);
        let (start, end) = (edge.face.start + offset, edge.end + offset);
        if !Bounds::of(start, end).meets(&shown) {
            continue;
        }
        let colours = palette::surface(picture.level.surface_name(solid.surface));
        // Lines lie below the edge, so that feet stand on them.
        if edge.side == Side::OneWay {
            let below = dvec2(0.0, -PLANK * 0.5);
            stroke(
                canvas,
                camera,
                [start + below, end + below],
                PLANK,
                colours.fill,
            );
        }
        if edge.side != Side::Under && edge.face.normal.y >= FACES_UP {
            let inset = edge.face.normal * (LINE * -0.5);
            stroke(
                canvas,
                camera,
                [start + inset, end + inset],
                LINE,
                colours.edge,
            );
        }
    }
}

fn polyline(points: impl Iterator<Item = DVec2>, close: bool, camera: &Camera) -> Option<Path> {
    let mut path = PathBuilder::new();
    for (i, point) in points.enumerate() {
        let (x, y) = camera.at(point);
        if i == 0 {
            path.move_to(x, y);
        } else {
            path.line_to(x, y);
        }
    }
    if close {
        path.close();
    }
    path.finish()
}

/// A straight line, `width` px wide.
pub(super) fn stroke(
    canvas: &mut Pixmap,
    camera: &Camera,
    ends: [DVec2; 2],
    width: f64,
    colour: Colour,
) {
    if let Some(path) = polyline(ends.into_iter(), false, camera) {
        let stroke = Stroke {
            width: width as f32,
            ..Stroke::default()
        };
        let paint = colour.paint();
        canvas.stroke_path(&path, &paint, &stroke, Transform::identity(), None);
    }
}
