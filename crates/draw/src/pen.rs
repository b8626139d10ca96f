//! What overlays are drawn with: hard lines of one pixel, cheap enough for thousands of them.

use super::*;

/// Length and half-width of an arrow's head, pixels.
const HEAD: (f32, f32) = (5.0, 3.0);

impl Brush<'_> {
    /// A line between two points of the level.
    pub fn line(&mut self, from: DVec2, to: DVec2, color: Color) {
        self.hard_stroke(self.lens.at(from), self.lens.at(to), color);
    }

    /// A line between two points of the picture. Only the part within it is drawn.
    pub fn hard_stroke(&mut self, from: (f32, f32), to: (f32, f32), color: Color) {
        let (width, height) = (self.canvas.width() as f32, self.canvas.height() as f32);
        let Some((from, to)) = clipped(from, to, width - 0.01, height - 0.01) else {
            return;
        };
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let count = ceil(dx.abs().max(dy.abs())).max(1) as f32;
        let (step_x, step_y) = (dx / count, dy / count);
        let (columns, pixel) = (self.canvas.width() as i32, color.pixel());
        let pixels = self.canvas.pixels_mut();
        for number in 0..=count as i32 {
            let number = number as f32;
            let (x, y) = (from.0 + step_x * number, from.1 + step_y * number);
            if let Some(place) = pixels.get_mut((y as i32 * columns + x as i32) as usize) {
                *place = pixel;
            }
        }
    }

    /// A closed line.
    pub fn closed_line(&mut self, points: impl IntoIterator<Item = DVec2>, color: Color) {
        let mut points = points.into_iter();
        let Some(first) = points.next() else { return };
        let mut last = first;
        for point in points {
            self.line(last, point, color);
            last = point;
        }
        self.line(last, first, color);
    }

    /// An arrow from a point along a vector, both in the level, px.
    pub fn arrow(&mut self, from: DVec2, along: DVec2, color: Color) {
        let (start, end) = (self.lens.at(from), self.lens.at(from + along));
        let (dx, dy) = (end.0 - start.0, end.1 - start.1);
        let length = (dx * dx + dy * dy).sqrt();
        if length < 1.0 {
            return;
        }
        self.hard_stroke(start, end, color);
        let (ux, uy) = (dx / length, dy / length);
        let long = HEAD.0.min(length);
        for side in [-HEAD.1, HEAD.1] {
            let barb = (end.0 - ux * long - uy * side, end.1 - uy * long + ux * side);
            self.hard_stroke(barb, end, color);
        }
    }

    /// A small square around a point of the level; `reach` pixels to each side.
    pub fn dot(&mut self, at: DVec2, reach: i32, color: Color) {
        let (x, y) = self.lens.at(at);
        let (x, y) = (floor(x), floor(y));
        let size = 2 * reach + 1;
        self.fill_pixels(x - reach, y - reach, size, size, color);
    }

    /// A bar that is filled by a share, at a pixel of the picture.
    pub fn bar(&mut self, x: i32, y: i32, size: (i32, i32), share: f64, color: Color) {
        let dark = Color(14, 16, 28);
        self.fill_pixels(x - 1, y - 1, size.0 + 2, size.1 + 2, dark);
        let filled = (f64::from(size.0) * share.clamp(0.0, 1.0)).round() as i32;
        self.fill_pixels(x, y, filled, size.1, color);
    }

    /// Fills a rectangle of the picture.
    pub fn fill_pixels(&mut self, x: i32, y: i32, width: i32, height: i32, color: Color) {
        let (columns, rows) = (self.canvas.width() as i32, self.canvas.height() as i32);
        let (left, right) = (x.clamp(0, columns), (x + width).clamp(0, columns));
        let pixel = color.pixel();
        for row in y.clamp(0, rows)..(y + height).clamp(0, rows) {
            let start = (row * columns) as usize;
            self.canvas.pixels_mut()[start + left as usize..start + right as usize].fill(pixel);
        }
    }

    /// Writes at a pixel of the picture.
    pub fn text(&mut self, line: &str, x: i32, y: i32, color: Color) {
        text::paint_line(self.canvas, line, x, y, color);
    }
}

/// The part of a line within the picture.
fn clipped(from: (f32, f32), to: (f32, f32), width: f32, height: f32) -> Option<((f32, f32), (f32, f32))> {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let (mut start, mut end) = (0.0_f32, 1.0_f32);
    let walls = [(-dx, from.0), (dx, width - from.0), (-dy, from.1), (dy, height - from.1)];
    for (out, room) in walls {
        if out == 0.0 {
            if room < 0.0 {
                return None;
            }
        } else if out < 0.0 {
            start = start.max(room / out);
        } else {
            end = end.min(room / out);
        }
    }
    let at = |share: f32| (from.0 + dx * share, from.1 + dy * share);
    // NaN fits into no order.
    (start <= end).then(|| (at(start), at(end)))
}
