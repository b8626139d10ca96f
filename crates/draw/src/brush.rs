//! Shapes: fills, lines and ellipses.

use super::color::Ink;
use super::disc::{Disc, fill_disc, fill_ring};
use super::lens::Lens;
use glam::DVec2;
use tiny_skia::{FillRule, Path, PathBuilder, Pixmap, Stroke, StrokeDash, Transform};

/// Length of a dash and of the gap after it, px.
const DASH: [f32; 2] = [6.0, 5.0];

/// Fills an outline.
pub(super) fn fill(canvas: &mut Pixmap, lens: &Lens, points: impl IntoIterator<Item = DVec2>, ink: impl Into<Ink>) {
    if let Some(path) = polyline(points, true, lens) {
        fill_path(canvas, &path, ink.into());
    }
}

/// Draws a line, `width` px wide.
pub(super) fn stroke(
    canvas: &mut Pixmap,
    lens: &Lens,
    points: impl IntoIterator<Item = DVec2>,
    width: f64,
    ink: impl Into<Ink>,
) {
    if let Some(path) = polyline(points, false, lens) {
        stroke_path(canvas, &path, lens.long(width), ink.into());
    }
}

/// Draws a closed outline, `width` px wide.
pub(super) fn outline(
    canvas: &mut Pixmap,
    lens: &Lens,
    points: impl IntoIterator<Item = DVec2>,
    width: f64,
    ink: impl Into<Ink>,
) {
    if let Some(path) = polyline(points, true, lens) {
        stroke_path(canvas, &path, lens.long(width), ink.into());
    }
}

/// Draws a dashed line through some points, back to the first if it is `closed`.
pub(super) fn dashes(
    canvas: &mut Pixmap,
    lens: &Lens,
    points: impl IntoIterator<Item = DVec2>,
    closed: bool,
    ink: Ink,
) {
    if let Some(path) = polyline(points, closed, lens) {
        let stroke = Stroke { width: 1.5, dash: StrokeDash::new(DASH.into(), 0.0), ..Stroke::default() };
        canvas.stroke_path(&path, &ink.paint(), &stroke, Transform::identity(), None);
    }
}

/// Fills an ellipse around a point of the level.
pub(super) fn oval(canvas: &mut Pixmap, lens: &Lens, center: DVec2, half: DVec2, ink: impl Into<Ink>) {
    fill_disc(canvas, disc(lens, center, half), ink.into());
}

/// Outlines an ellipse, `width` px wide.
pub(super) fn ring(canvas: &mut Pixmap, lens: &Lens, center: DVec2, half: DVec2, width: f64, ink: impl Into<Ink>) {
    let by = DVec2::splat(width * 0.5);
    let outer = disc(lens, center, half + by);
    let inner = disc(lens, center, (half - by).max(DVec2::ZERO));
    fill_ring(canvas, outer, inner, ink.into());
}

/// An ellipse around a point of the level, as it is in the picture.
pub(super) fn disc(lens: &Lens, center: DVec2, half: DVec2) -> Disc {
    Disc { center: lens.at(center), half: (lens.long(half.x), lens.long(half.y)) }
}

fn fill_path(canvas: &mut Pixmap, path: &Path, ink: Ink) {
    let (rule, still) = (FillRule::Winding, Transform::identity());
    canvas.fill_path(path, &ink.paint(), rule, still, None);
}

fn stroke_path(canvas: &mut Pixmap, path: &Path, width: f32, ink: Ink) {
    let stroke = Stroke { width, ..Stroke::default() };
    canvas.stroke_path(path, &ink.paint(), &stroke, Transform::identity(), None);
}

fn polyline(points: impl IntoIterator<Item = DVec2>, close: bool, lens: &Lens) -> Option<Path> {
    let mut path = PathBuilder::new();
    for (i, point) in points.into_iter().enumerate() {
        let (x, y) = lens.at(point);
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
