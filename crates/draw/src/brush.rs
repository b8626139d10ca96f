//! A picture with the lens through which it shows a level: fills, lines and the shapes of bodies.

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

    /// Fills a shape around a point of the level: an ellipse, if its half-widths are given.
    pub fn oval(&mut self, center: DVec2, shape: impl Into<Collider>, ink: impl Into<Ink>) {
        fill_disc(self.canvas, self.lens.disc(center, shape.into()), ink.into());
    }

    /// Outlines a shape, `width` px wide.
    pub fn ring(&mut self, center: DVec2, shape: impl Into<Collider>, width: f64, ink: impl Into<Ink>) {
        let (shape, by) = (shape.into(), width * 0.5);
        let outer = self.lens.disc(center, shape.grown(by));
        let inner = self.lens.disc(center, Collider { half: (shape.half - by).max(DVec2::ZERO), ..shape });
        fill_ring(self.canvas, outer, inner, ink.into());
    }

    /// Draws a hard line of one pixel around a shape.
    pub fn rim(&mut self, center: DVec2, shape: impl Into<Collider>, color: Color) {
        draw_rim(self.canvas, self.lens.disc(center, shape.into()), color);
    }
}

impl Lens {
    /// A shape around a point of the level, as it is in the picture.
    pub fn disc(&self, center: DVec2, shape: Collider) -> Disc {
        let [half, flat] = [shape.half, shape.flat()].map(|size| (self.long(size.x), self.long(size.y)));
        Disc { center: self.at(center), half, flat }
    }
}
