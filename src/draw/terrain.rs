//! Terrain: solids filled, with a bright line where one can stand.

use super::{Camera, palette};
use crate::level::Level;
use tiny_skia::{FillRule, PathBuilder, Pixmap, Stroke, Transform};

/// Edges that face up by at least this much get the bright line.
const FACES_UP: f64 = 0.3;

pub(super) fn paint(canvas: &mut Pixmap, level: &Level, camera: &Camera) {
    let shown = camera.shows().grown(glam::DVec2::splat(4.0));
    for solid in level
        .terrain
        .solids()
        .iter()
        .filter(|s| s.bounds.meets(&shown))
    {
        let mut path = PathBuilder::new();
        for (i, point) in solid.points.iter().enumerate() {
            let (x, y) = camera.at(*point);
            if i == 0 {
                path.move_to(x, y)
            } else {
                path.line_to(x, y)
            }
        }
        path.close();
        let colours = palette::surface(level.surface_name(solid.surface));
        if let Some(path) = path.finish() {
            let paint = colours.fill.paint();
            canvas.fill_path(
                &path,
                &paint,
                FillRule::Winding,
                Transform::identity(),
                None,
            );
        }
    }
    for edge in level.terrain.edges() {
        let face = &edge.face;
        let near = crate::geometry::grid::Bounds::of(face.start, face.end()).meets(&shown);
        if face.normal.y < FACES_UP || !near {
            continue;
        }
        let solid = &level.terrain.solids()[edge.solid as usize];
        let colours = palette::surface(level.surface_name(solid.surface));
        // The line lies inside the solid, so that feet stand on it.
        let inset = face.normal * 1.5;
        let mut path = PathBuilder::new();
        let (from, to) = (camera.at(face.start - inset), camera.at(face.end() - inset));
        path.move_to(from.0, from.1);
        path.line_to(to.0, to.1);
        if let Some(path) = path.finish() {
            let stroke = Stroke {
                width: 3.0,
                ..Stroke::default()
            };
            canvas.stroke_path(
                &path,
                &colours.edge.paint(),
                &stroke,
                Transform::identity(),
                None,
            );
        }
    }
}
