//! Shapes: fills, lines and ellipses.

use super::camera::Camera;
use super::color::Ink;
use glam::DVec2;
use tiny_skia::{FillRule, Path, PathBuilder, Pixmap, Rect, Stroke, StrokeDash, Transform};

/// Length of a dash and of the gap after it, px.
const DASH: [f32; 2] = [6.0, 5.0];

/// Fills an outline.
pub(super) fn fill(
    canvas: &mut Pixmap,
    camera: &Camera,
    points: impl IntoIterator<Item = DVec2>,
    ink: impl Into<Ink>,
) {
    if let Some(path) = polyline(points, true, camera) {
        fill_path(canvas, &path, ink.into());
    }
}

/// Draws a line, `width` px wide.
pub(super) fn stroke(
    canvas: &mut Pixmap,
    camera: &Camera,
    points: impl IntoIterator<Item = DVec2>,
    width: f64,
    ink: impl Into<Ink>,
) {
    if let Some(path) = polyline(points, false, camera) {
        stroke_path(canvas, &path, width, ink.into());
    }
}

/// Draws a closed outline, `width` px wide.
pub(super) fn outline(
    canvas: &mut Pixmap,
    camera: &Camera,
    points: impl IntoIterator<Item = DVec2>,
    width: f64,
    ink: impl Into<Ink>,
) {
    if let Some(path) = polyline(points, true, camera) {
        stroke_path(canvas, &path, width, ink.into());
    }
}

/// Draws a dashed line through some points, back to the first if it is `closed`.
pub(super) fn dashes(
    canvas: &mut Pixmap,
    camera: &Camera,
    points: impl IntoIterator<Item = DVec2>,
    closed: bool,
    ink: Ink,
) {
    if let Some(path) = polyline(points, closed, camera) {
        let stroke = Stroke {
            width: 1.5,
            dash: StrokeDash::new(DASH.into(), 0.0),
            ..Stroke::default()
        };
        canvas.stroke_path(&path, &ink.paint(), &stroke, Transform::identity(), None);
    }
}

/// Fills an ellipse around a point of the level.
pub(super) fn oval(
    canvas: &mut Pixmap,
    camera: &Camera,
    center: DVec2,
    half: DVec2,
    ink: impl Into<Ink>,
) {
    if let Some(path) = oval_path(camera, center, half) {
        fill_path(canvas, &path, ink.into());
    }
}

/// Outlines an ellipse, `width` px wide.
pub(super) fn ring(
    canvas: &mut Pixmap,
    camera: &Camera,
    center: DVec2,
    half: DVec2,
    width: f64,
    ink: impl Into<Ink>,
) {
    if let Some(path) = oval_path(camera, center, half) {
        stroke_path(canvas, &path, width, ink.into());
    }
}

fn oval_path(camera: &Camera, center: DVec2, half: DVec2) -> Option<Path> {
    let (x, y) = camera.at(center);
    let (w, h) = (half.x as f32, half.y as f32);
    PathBuilder::from_oval(Rect::from_xywh(x - w, y - h, 2.0 * w, 2.0 * h)?)
}

fn fill_path(canvas: &mut Pixmap, path: &Path, ink: Ink) {
    let (rule, still) = (FillRule::Winding, Transform::identity());
    canvas.fill_path(path, &ink.paint(), rule, still, None);
}

fn stroke_path(canvas: &mut Pixmap, path: &Path, width: f64, ink: Ink) {
    let stroke = Stroke {
        width: width as f32,
        ..Stroke::default()
    };
    canvas.stroke_path(path, &ink.paint(), &stroke, Transform::identity(), None);
}

fn polyline(points: impl IntoIterator<Item = DVec2>, close: bool, camera: &Camera) -> Option<Path> {
    let mut path = PathBuilder::new();
    for (i, point) in points.into_iter().enumerate() {
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
