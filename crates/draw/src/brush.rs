//! A picture with the lens through which it shows a level: fills, lines and ellipses.

use super::{
    disc::{Disc, draw_rim, fill_disc, fill_ring},
    *,
};
use tiny_skia::{FillRule, Path, PathBuilder, Stroke, StrokeDash};

/// Length of a dash and of the gap after it, px.
const DASH: [f32; 2] = [6.0, 5.0];

/// Paints what is in a level on a picture.
pub struct Brush<'a> {
    pub canvas: &'a mut Pixmap,
    pub lens: Lens,
}

impl Brush<'_> {
    /// Fills an outline.
    pub fn fill(&mut self, points: impl IntoIterator<Item = DVec2>, ink: impl Into<Ink>) {
        if let Some(path) = self.polyline(points, true) {
            let (rule, still) = (FillRule::Winding, Transform::identity());
            self.canvas.fill_path(&path, &ink.into().paint(), rule, still, None);
        }
    }

    /// Draws a line, `width` px wide.
    pub fn stroke(&mut self, points: impl IntoIterator<Item = DVec2>, width: f64, ink: impl Into<Ink>) {
        let stroke = Stroke { width: self.lens.long(width), ..Stroke::default() };
        self.draw(points, false, &stroke, ink.into());
    }

    /// Draws a closed outline, `width` px wide.
    pub fn outline(&mut self, points: impl IntoIterator<Item = DVec2>, width: f64, ink: impl Into<Ink>) {
        let stroke = Stroke { width: self.lens.long(width), ..Stroke::default() };
        self.draw(points, true, &stroke, ink.into());
    }

    /// Draws a dashed line through some points, back to the first if it is `closed`.
    pub fn dashes(&mut self, points: impl IntoIterator<Item = DVec2>, closed: bool, ink: Ink) {
        let stroke = Stroke { width: 1.5, dash: StrokeDash::new(DASH.into(), 0.0), ..Stroke::default() };
        self.draw(points, closed, &stroke, ink);
    }

    fn draw(&mut self, points: impl IntoIterator<Item = DVec2>, closed: bool, stroke: &Stroke, ink: Ink) {
        if let Some(path) = self.polyline(points, closed) {
            self.canvas.stroke_path(&path, &ink.paint(), stroke, Transform::identity(), None);
        }
    }

    fn polyline(&self, points: impl IntoIterator<Item = DVec2>, close: bool) -> Option<Path> {
        let mut path = PathBuilder::new();
        for (i, point) in points.into_iter().enumerate() {
            let (x, y) = self.lens.at(point);
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

    /// Fills an ellipse around a point of the level.
    pub fn oval(&mut self, center: DVec2, half: DVec2, ink: impl Into<Ink>) {
        fill_disc(self.canvas, self.lens.disc(center, half), ink.into());
    }

    /// Outlines an ellipse, `width` px wide.
    pub fn ring(&mut self, center: DVec2, half: DVec2, width: f64, ink: impl Into<Ink>) {
        let by = DVec2::splat(width * 0.5);
        let outer = self.lens.disc(center, half + by);
        let inner = self.lens.disc(center, (half - by).max(DVec2::ZERO));
        fill_ring(self.canvas, outer, inner, ink.into());
    }

    /// Draws a hard line of one pixel around an ellipse.
    pub fn rim(&mut self, center: DVec2, half: DVec2, color: Color) {
        draw_rim(self.canvas, self.lens.disc(center, half), color);
    }
}

impl Lens {
    /// An ellipse around a point of the level, as it is in the picture.
    pub fn disc(&self, center: DVec2, half: DVec2) -> Disc {
        Disc { center: self.at(center), half: (self.long(half.x), self.long(half.y)) }
    }
}
