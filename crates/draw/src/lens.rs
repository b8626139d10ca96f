//! The lens: how points of the level become points of the picture.

use super::*;

/// Width and height of a picture, pixels.
pub fn size_of(canvas: &Pixmap) -> DVec2 {
    dvec2(f64::from(canvas.width()), f64::from(canvas.height()))
}

/// Which part of the level a picture shows, and how large.
#[derive(Clone, Copy, Debug)]
pub struct Lens {
    /// The point of the level in the picture's upper left corner, px.
    pub corner: DVec2,
    /// Size of the visible part of the level, px.
    pub size: DVec2,
    /// Pixels of the picture per px of the level.
    pub scale: f64,
}

impl Lens {
    /// A lens for a picture of `size` pixels around `center`. The corner is rounded to whole pixels of
    /// the picture, so that nothing shimmers while the camera moves.
    pub fn new(size: DVec2, center: DVec2, scale: f64) -> Self {
        let shown = size / scale;
        let corner = dvec2(center.x - shown.x * 0.5, center.y + shown.y * 0.5);
        Self { corner: (corner * scale).round() / scale, size: shown, scale }
    }

    /// Converts a point of the level to picture coordinates, where y points down.
    pub fn at(&self, point: DVec2) -> (f32, f32) {
        (((point.x - self.corner.x) * self.scale) as f32, ((self.corner.y - point.y) * self.scale) as f32)
    }

    /// The same in double precision.
    pub fn pixel(&self, point: DVec2) -> DVec2 {
        let (x, y) = self.at(point);
        dvec2(f64::from(x), f64::from(y))
    }

    /// The point of the level at a point of the picture.
    pub fn level_at(&self, x: f64, y: f64) -> DVec2 {
        self.corner + dvec2(x, -y) / self.scale
    }

    /// A length in the level as pixels of the picture.
    pub fn long(&self, length: f64) -> f32 {
        (length * self.scale) as f32
    }

    /// The middle of what is visible, px.
    pub fn center(&self) -> DVec2 {
        self.corner + dvec2(self.size.x, -self.size.y) * 0.5
    }

    /// The part of the level that is visible.
    pub fn shows(&self) -> Bounds {
        let far = dvec2(self.corner.x + self.size.x, self.corner.y - self.size.y);
        Bounds::of(self.corner, far)
    }
}
