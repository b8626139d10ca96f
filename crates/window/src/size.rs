//! Sizes in physical pixels: of the window, and of the picture in it.

use winit::dpi::PhysicalSize;

/// A width and a height in physical pixels.
pub type Size = PhysicalSize<u32>;

/// Whether nothing can be drawn: a minimized window has no pixels on some systems.
pub fn is_empty(size: Size) -> bool {
    size.width == 0 || size.height == 0
}

/// The part of a size that a texture can have if neither side is longer than `longest`.
pub fn within(size: Size, longest: u32) -> Size {
    Size::new(size.width.min(longest), size.height.min(longest))
}

fn times(size: Size, scale: u32) -> Size {
    Size::new(size.width.saturating_mul(scale), size.height.saturating_mul(scale))
}

/// The largest whole number of times that one size fits into another; 0 if it does not.
fn fits(size: Size, other: Size) -> u32 {
    (other.width / size.width.max(1)).min(other.height / size.height.max(1))
}

/// Where the picture is in the window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    pub x: u32,
    pub y: u32,
    pub size: Size,
}

impl Placement {
    /// Centers a picture in a window, scaled up by the largest whole number that fits. In a window
    /// that is smaller than the picture, the picture shrinks, so that all of it stays visible.
    pub fn of(picture: Size, window: Size) -> Self {
        let size = match fits(picture, window) {
            0 => shrunk(picture, window),
            scale => times(picture, scale),
        };
        Self { x: (window.width - size.width) / 2, y: (window.height - size.height) / 2, size }
    }

    /// The size and place of a picture in a window whose right side and bottom are covered, for `covered` px. The picture
    /// keeps its scale and loses columns and rows instead, so that nothing of it is covered. If not even one
    /// is left, the picture is as without the cover.
    pub fn next_to_panel(picture: Size, window: Size, (right, bottom): (u32, u32)) -> (Size, Self) {
        let free = Size::new(window.width.saturating_sub(right), window.height.saturating_sub(bottom));
        let scale = fits(picture, window);
        let columns = free.width.checked_div(scale).unwrap_or(picture.width);
        let rows = free.height.checked_div(scale).unwrap_or(picture.height);
        if is_empty(free) || columns == 0 || rows == 0 {
            return (picture, Self::of(picture, window));
        }
        let shown = Size::new(picture.width.min(columns), picture.height.min(rows));
        (shown, Self::of(shown, free))
    }

    /// The pixel of the picture at a point of the window. Outside the picture, it continues.
    pub fn pixel_at(self, picture: Size, (x, y): (f64, f64)) -> (f64, f64) {
        let across =
            |at: f64, from: u32, long: u32, pixels: u32| (at - f64::from(from)) * f64::from(pixels) / f64::from(long);
        (across(x, self.x, self.size.width, picture.width), across(y, self.y, self.size.height, picture.height))
    }
}

/// The largest size with a picture's proportions that fits into a smaller window, at least 1 px.
fn shrunk(picture: Size, window: Size) -> Size {
    let (width, height) = (u64::from(picture.width), u64::from(picture.height));
    let (room_x, room_y) = (u64::from(window.width), u64::from(window.height));
    // Both are at most a side of the window, so they are 32 bits wide.
    let (x, y) = if room_x * height < room_y * width {
        (room_x, room_x * height / width)
    } else {
        (room_y * width / height, room_y)
    };
    Size::new(x.max(1) as u32, y.max(1) as u32)
}

/// The window's size for a picture at a scale, on a screen with this scale factor. The result is a
/// whole multiple of the picture, so it has no borders, and fits on the screen if it can.
pub fn window_size(picture: Size, scale: u32, factor: f64, screen: Option<Size>) -> Size {
    let wanted = (f64::from(scale) * factor).round().clamp(1.0, 64.0) as u32;
    let room = screen.map_or(wanted, |screen| fits(picture, screen));
    times(picture, wanted.min(room.max(1)))
}

#[cfg(test)]
#[path = "../tests/unit/size.rs"]
mod tests;
