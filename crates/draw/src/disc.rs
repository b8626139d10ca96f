//! Ellipses, boxes and capsules, row by row: pictures of many bodies consist of them.

use super::*;

/// An ellipse, a box or a capsule in a picture, pixels.
#[derive(Clone, Copy, Debug)]
pub struct Disc {
    pub center: (f32, f32),
    pub half: (f32, f32),
    /// Half-widths of the box inside it that its corners are round around: 0 for an ellipse.
    pub flat: (f32, f32),
}

impl Disc {
    /// From where to where it reaches in a row of pixels.
    fn span(&self, row: usize) -> Option<(f32, f32)> {
        self.span_at(row as f32)
    }

    /// The same for a row that may be outside the picture.
    fn span_at(&self, row: f32) -> Option<(f32, f32)> {
        let ((flat_x, flat_y), (half_x, half_y)) = (self.flat, self.half);
        let beyond = (row + 0.5 - self.center.1).abs() - flat_y;
        let up = if beyond <= 0.0 && flat_y > 0.0 { 0.0 } else { beyond / (half_y - flat_y) };
        let left = 1.0 - up * up;
        // A row that it only grazes shows nothing; NaN, from an ellipse without height, neither.
        (left > 0.0).then(|| {
            let reach = flat_x + (half_x - flat_x) * left.sqrt();
            (self.center.0 - reach, self.center.0 + reach)
        })
    }

    fn rows(&self, canvas: &Pixmap) -> Range<usize> {
        let height = canvas.height() as f32;
        let top = (self.center.1 - self.half.1).clamp(0.0, height);
        let bottom = (self.center.1 + self.half.1).clamp(0.0, height);
        floor(top) as usize..ceil(bottom) as usize
    }
}

/// Fills a shape.
pub fn fill_disc(canvas: &mut Pixmap, disc: Disc, ink: Ink) {
    let range = disc.rows(canvas);
    let mut rows = Rows::new(canvas, ink);
    for row in range {
        if let Some(span) = disc.span(row) {
            rows.fill(row, span);
        }
    }
}

/// Fills what is in one shape and not in another within it.
pub fn fill_ring(canvas: &mut Pixmap, outer: Disc, inner: Disc, ink: Ink) {
    let range = outer.rows(canvas);
    let mut rows = Rows::new(canvas, ink);
    for row in range {
        let Some((left, right)) = outer.span(row) else {
            continue;
        };
        match inner.span(row) {
            Some((from, to)) => {
                rows.fill(row, (left, from));
                rows.fill(row, (to, right));
            }
            None => rows.fill(row, (left, right)),
        }
    }
}

/// Colors the pixels along the outline of a shape.
pub fn draw_rim(canvas: &mut Pixmap, disc: Disc, color: Color) {
    let (width, rows) = (canvas.width() as i32, disc.rows(canvas));
    let (pixel, pixels) = (color.pixel(), canvas.pixels_mut());
    let span = |row: f32| {
        let (left, right) = disc.span_at(row)?;
        Some((floor(left), floor(right - 1e-3)))
    };
    let middle = floor(disc.center.0);
    let (mut last, mut next) = (span(rows.start as f32 - 1.0), span(rows.start as f32));
    for row in rows {
        let own = mem::replace(&mut next, span(row as f32 + 1.0));
        let before = mem::replace(&mut last, own);
        let Some((left, right)) = own else {
            continue;
        };
        // The line reaches to the next row toward the nearer end, so that it has no gaps.
        let upper = (row as f32) + 0.5 < disc.center.1;
        let (end, begin) = match if upper { before } else { next } {
            Some((other_left, other_right)) => ((other_left - 1).max(left), (other_right + 1).min(right)),
            None => (middle, middle),
        };
        for (from, to) in [(left, end), (begin, right)] {
            let (from, to) = (from.max(0), to.min(width - 1));
            if from <= to {
                let start = row as i32 * width;
                pixels[(start + from) as usize..=(start + to) as usize].fill(pixel);
            }
        }
    }
}

/// Paints parts of rows with one ink.
struct Rows<'a> {
    pixels: &'a mut [PremultipliedColorU8],
    width: usize,
    color: PremultipliedColorU8,
    cover: f32,
    smooth: bool,
}

impl<'a> Rows<'a> {
    fn new(canvas: &'a mut Pixmap, ink: Ink) -> Self {
        Self {
            width: canvas.width() as usize,
            pixels: canvas.pixels_mut(),
            color: ink.color.pixel(),
            cover: ink.cover,
            smooth: ink.smooth,
        }
    }

    /// Fills from one place to another; pixels that are covered in part get a part of the color.
    fn fill(&mut self, row: usize, span: (f32, f32)) {
        if self.smooth {
            return self.fill_smooth(row, span);
        }
        let ((first, end), start) = (self.whole(span), row * self.width);
        self.fill_whole(start + first..start + end);
    }

    /// The columns whose middles are covered: the first one, and the one after the last.
    fn whole(&self, (left, right): (f32, f32)) -> (usize, usize) {
        let width = self.width as f32;
        let (left, right) = (left.clamp(0.0, width), right.clamp(0.0, width));
        (ceil(left - 0.5) as usize, ceil(right - 0.5) as usize)
    }

    /// Fills with soft ends.
    fn fill_smooth(&mut self, row: usize, (left, right): (f32, f32)) {
        let width = self.width as f32;
        let (left, right) = (left.clamp(0.0, width), right.clamp(0.0, width));
        if right <= left {
            return;
        }
        let (first, last) = (left as usize, floor(right - 1e-3) as usize);
        let start = row * self.width;
        if first >= last {
            return self.blend(start + first, right - left);
        }
        self.blend(start + first, first as f32 + 1.0 - left);
        self.blend(start + last, right - last as f32);
        self.fill_whole(start + first + 1..start + last);
    }

    fn fill_whole(&mut self, places: Range<usize>) {
        if self.cover < 1.0 {
            places.for_each(|place| self.blend(place, 1.0));
        } else if let Some(pixels) = self.pixels.get_mut(places) {
            pixels.fill(self.color);
        }
    }

    fn blend(&mut self, place: usize, covered: f32) {
        // In 256ths: whole numbers are faster.
        let share = (covered * self.cover * 256.0) as i32;
        let Some(pixel) = self.pixels.get_mut(place) else {
            return;
        };
        let mix = |below: u8, own: u8| {
            let (below, own) = (i32::from(below), i32::from(own));
            (below + (((own - below) * share + 128) >> 8)) as u8
        };
        let own = self.color;
        let mixed = PremultipliedColorU8::from_rgba(
            mix(pixel.red(), own.red()),
            mix(pixel.green(), own.green()),
            mix(pixel.blue(), own.blue()),
            255,
        );
        *pixel = mixed.unwrap_or(own);
    }
}
