//! Opaque colors, and inks that let the background show through.

use super::*;

/// An opaque color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color(pub u8, pub u8, pub u8);

/// The color with these bytes, as in `#rrggbb`.
pub const fn rgb(bytes: u32) -> Color {
    Color((bytes >> 16) as u8, (bytes >> 8) as u8, bytes as u8)
}

impl Color {
    /// As web pages and SVGs write it: `#rrggbb`.
    pub fn hex(self) -> String {
        let Self(red, green, blue) = self;
        format!("#{red:02x}{green:02x}{blue:02x}")
    }

    pub(super) fn paint(self) -> Paint<'static> {
        let mut paint = Paint::default();
        paint.set_color_rgba8(self.0, self.1, self.2, 255);
        paint.anti_alias = true;
        paint
    }

    /// The same color with an opacity of `share`.
    pub(super) fn faint_paint(self, share: f32) -> Paint<'static> {
        let mut paint = self.paint();
        paint.set_color_rgba8(self.0, self.1, self.2, (255.0 * share) as u8);
        paint
    }

    pub(super) fn pixel(self) -> PremultipliedColorU8 {
        PremultipliedColorU8::from_rgba(self.0, self.1, self.2, 255).unwrap_or(PremultipliedColorU8::TRANSPARENT)
    }

    /// This color blended with another; `share` 0 is this one, 1 the other.
    pub(super) fn towards(self, other: Self, share: f32) -> Self {
        let mix = |a: u8, b: u8| (f32::from(a) + (f32::from(b) - f32::from(a)) * share).round() as u8;
        Self(mix(self.0, other.0), mix(self.1, other.1), mix(self.2, other.2))
    }
}

/// A color with an opacity.
#[derive(Clone, Copy)]
pub struct Ink {
    pub color: Color,
    /// Opacity, 0..=1.
    pub cover: f32,
    /// Whether edges are anti-aliased. Adjacent areas must not be, or a seam shows between them.
    pub smooth: bool,
}

impl From<Color> for Ink {
    fn from(color: Color) -> Self {
        Self { color, cover: 1.0, smooth: true }
    }
}

impl Ink {
    /// A translucent color.
    pub const fn faint(color: Color, cover: f32) -> Self {
        Self { color, cover, smooth: true }
    }

    /// A color for areas that adjoin others.
    pub fn sharp(color: Color) -> Self {
        Self { smooth: false, ..Self::from(color) }
    }

    /// A pixel of a picture, which is opaque, with this ink over it.
    pub fn over(self, below: PremultipliedColorU8) -> PremultipliedColorU8 {
        if self.cover >= 1.0 {
            return self.color.pixel();
        }
        let below = Color(below.red(), below.green(), below.blue());
        below.towards(self.color, self.cover).pixel()
    }

    pub fn paint(self) -> Paint<'static> {
        let Color(red, green, blue) = self.color;
        let mut paint = Paint::default();
        paint.set_color_rgba8(red, green, blue, (self.cover * 255.0).round() as u8);
        paint.anti_alias = self.smooth;
        paint
    }
}
