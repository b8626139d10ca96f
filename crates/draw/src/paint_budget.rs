//! How much of a picture scripts can paint, so that no picture takes forever.

use super::*;

/// How many times scripts can paint over the whole picture: in the level, and again on the screen.
const MOST_COVERS: f64 = 16.0;

/// The fewest pixels that something counts as.
const LEAST: f64 = 64.0;

/// How many pixels what scripts draw can still paint.
pub struct PaintBudget {
    picture: Bounds,
    left: f64,
    /// How many things are not painted because they are too many.
    pub left_out: usize,
}

impl PaintBudget {
    /// All of a picture.
    pub fn of(canvas: &Pixmap) -> Self {
        let size = size_of(canvas);
        Self { picture: Bounds::of(DVec2::ZERO, size), left: size.x * size.y * MOST_COVERS, left_out: 0 }
    }

    /// Whether something can be painted that covers a share of this box, which may be beyond the picture.
    pub fn allows(&mut self, covered: &Bounds, share: f64) -> bool {
        let seen = covered.max.min(self.picture.max) - covered.min.max(self.picture.min);
        if seen.x > 0.0 && seen.y > 0.0 {
            self.takes(seen.x * seen.y * share)
        } else {
            true
        }
    }

    /// Whether something can be painted that has this number of pixels.
    pub fn takes(&mut self, pixels: f64) -> bool {
        let pixels = pixels.clamp(LEAST, self.area());
        let fits = self.left >= pixels;
        if fits {
            self.left -= pixels
        } else {
            self.left_out += 1
        }
        fits
    }

    /// The pixels of the picture.
    fn area(&self) -> f64 {
        let size = self.picture.max - self.picture.min;
        (size.x * size.y).max(LEAST)
    }
}
