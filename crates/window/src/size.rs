//! Sizes in physical pixels: of the window, and of the picture in it.

use winit::dpi::PhysicalSize;

/// A width and a height in physical pixels.
pub(super) type Size = PhysicalSize<u32>;

/// Whether nothing can be drawn: a minimized window has no pixels on some systems.
pub(super) fn is_empty(size: Size) -> bool {
    size.width == 0 || size.height == 0
}

/// The part of a size that a texture can have if neither side is longer than `longest`.
pub(super) fn within(size: Size, longest: u32) -> Size {
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Placement {
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

    /// The size and place of a picture in a window whose right side is covered, for `covered` px. The picture
    /// keeps its scale and loses columns instead, so that nothing of it is covered. If not even one column
    /// is left, the picture is as without the cover.
    pub fn next_to_panel(picture: Size, window: Size, covered: u32) -> (Size, Self) {
        let free = Size::new(window.width.saturating_sub(covered), window.height);
        let scale = fits(picture, window);
        let columns = free.width.checked_div(scale).unwrap_or(picture.width);
        if is_empty(free) || columns == 0 {
            return (picture, Self::of(picture, window));
        }
        let shown = Size::new(picture.width.min(columns), picture.height);
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
pub(super) fn window_size(picture: Size, scale: u32, factor: f64, screen: Option<Size>) -> Size {
    let wanted = (f64::from(scale) * factor).round().clamp(1.0, 64.0) as u32;
    let room = screen.map_or(wanted, |screen| fits(picture, screen));
    times(picture, wanted.min(room.max(1)))
}

#[cfg(test)]
mod tests {
    use super::{Placement, Size, fits, is_empty, times, window_size, within};

    const PICTURE: Size = Size { width: 640, height: 360 };

    #[test]
    fn the_picture_scales_by_whole_numbers_and_is_centered() {
        for scale in 1..6 {
            for (extra_x, extra_y) in [(0, 0), (1, 0), (0, 3), (639, 0), (17, 359), (2000, 10)] {
                let window = Size::new(640 * scale + extra_x, 360 * scale + extra_y);
                let at = Placement::of(PICTURE, window);
                assert_eq!(at.size, Size::new(640 * scale, 360 * scale), "{window:?}");
                let right = window.width - at.x - at.size.width;
                let bottom = window.height - at.y - at.size.height;
                assert!(right - at.x <= 1 && bottom - at.y <= 1, "{at:?}");
            }
        }
    }

    #[test]
    fn a_picture_in_a_tiny_window_shrinks_and_stays_inside() {
        for width in (1..660).step_by(13) {
            for height in (1..380).step_by(7) {
                let window = Size::new(width, height);
                let at = Placement::of(PICTURE, window);
                assert!(at.size.width >= 1 && at.size.height >= 1, "{window:?}");
                assert!(at.x + at.size.width <= width, "{window:?} {at:?}");
                assert!(at.y + at.size.height <= height, "{window:?} {at:?}");
                // It touches two opposite borders.
                assert!(at.size.width == width || at.size.height == height || at.size == PICTURE, "{window:?} {at:?}");
            }
        }
    }

    #[test]
    fn a_picture_next_to_a_panel_keeps_its_scale_and_is_never_covered() {
        for (width, height) in [(640, 360), (1280, 720), (1920, 1080), (2560, 1080), (800, 2000)] {
            let window = Size::new(width, height);
            for covered in [0, 1, 100, 360, 540, 639] {
                let (shown, at) = Placement::next_to_panel(PICTURE, window, covered);
                let scale = fits(PICTURE, window);
                assert!(at.x + at.size.width <= width - covered, "{window:?} {covered}");
                assert_eq!(shown.height, PICTURE.height);
                if shown.width < PICTURE.width {
                    assert_eq!(at.size, times(shown, scale), "{window:?} {covered}");
                    // Less than a column is left over.
                    assert!(width - covered - at.size.width < scale, "{window:?} {covered}");
                } else {
                    assert!(at.size.width >= PICTURE.width * scale, "{window:?} {covered}");
                }
            }
            assert_eq!(Placement::next_to_panel(PICTURE, window, 0), (PICTURE, Placement::of(PICTURE, window)));
        }
    }

    #[test]
    fn a_picture_in_a_tiny_window_with_a_panel_has_pixels() {
        for width in (1..900).step_by(37) {
            for height in (1..500).step_by(29) {
                for covered in [0, 10, 360, 5000] {
                    let window = Size::new(width, height);
                    let (shown, at) = Placement::next_to_panel(PICTURE, window, covered);
                    assert!(!is_empty(shown) && !is_empty(at.size), "{window:?} {covered}");
                    assert!(at.x + at.size.width <= width, "{window:?} {covered}");
                    assert!(at.y + at.size.height <= height, "{window:?} {covered}");
                }
            }
        }
    }

    #[test]
    fn the_corners_of_the_picture_are_its_first_and_last_pixels_in_any_window() {
        for window in [(640, 360), (1280, 720), (1999, 901), (300, 500), (641, 3000)] {
            let window = Size::new(window.0, window.1);
            let at = Placement::of(PICTURE, window);
            let (left, top) = (f64::from(at.x), f64::from(at.y));
            let (wide, high) = (f64::from(at.size.width), f64::from(at.size.height));
            for (share_x, share_y) in [(0.0, 0.0), (1.0, 1.0), (0.5, 0.25), (-0.1, 1.1)] {
                let point = (left + wide * share_x, top + high * share_y);
                let (x, y) = at.pixel_at(PICTURE, point);
                assert!((x - 640.0 * share_x).abs() < 1e-9, "{window:?} {x}");
                assert!((y - 360.0 * share_y).abs() < 1e-9, "{window:?} {y}");
            }
        }
    }

    #[test]
    fn sizes_at_the_limits_of_numbers_do_not_overflow() {
        let most = Size::new(u32::MAX, u32::MAX);
        assert_eq!(Placement::of(most, Size::new(1, 1)).size, Size::new(1, 1));
        let at = Placement::of(Size::new(1, 1), most);
        assert_eq!(at.size, most);
        assert_eq!(Placement::of(most, most).size, most);
    }

    #[test]
    fn the_window_grows_with_the_scale_factor_in_whole_multiples() {
        let scale_of = |factor| window_size(PICTURE, 2, factor, None).width / 640;
        let factors = [(1.0, 2), (1.25, 3), (1.5, 3), (1.75, 4), (2.0, 4), (3.0, 6)];
        for (factor, expected) in factors {
            assert_eq!(scale_of(factor), expected, "{factor}");
            let size = window_size(PICTURE, 2, factor, None);
            assert_eq!(Placement::of(PICTURE, size).size, size, "{factor}");
        }
    }

    #[test]
    fn the_window_fits_on_its_screen_if_the_picture_does() {
        let screen = |width, height| Some(Size::new(width, height));
        let size = |screen| window_size(PICTURE, 4, 1.0, screen);
        assert_eq!(size(screen(1400, 800)), Size::new(1280, 720));
        assert_eq!(size(screen(1920, 719)), Size::new(640, 360));
        assert_eq!(size(screen(320, 200)), PICTURE);
    }

    #[test]
    fn a_window_never_exceeds_what_a_texture_can_hold() {
        let size = within(Size::new(40_000, 20), 16_384);
        assert_eq!(size, Size::new(16_384, 20));
        assert!(is_empty(Size::new(0, 20)) && !is_empty(size));
    }
}
