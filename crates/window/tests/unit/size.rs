//! Tests of `src/size.rs`.

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
            let (shown, at) = Placement::next_to_panel(PICTURE, window, (covered, 0));
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
        assert_eq!(Placement::next_to_panel(PICTURE, window, (0, 0)), (PICTURE, Placement::of(PICTURE, window)));
    }
}

#[test]
fn a_picture_in_a_tiny_window_with_a_panel_has_pixels() {
    for width in (1..900).step_by(37) {
        for height in (1..500).step_by(29) {
            for covered in [0, 10, 360, 5000] {
                let window = Size::new(width, height);
                let (shown, at) = Placement::next_to_panel(PICTURE, window, (covered, 0));
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

#[test]
fn a_picture_above_a_panel_keeps_its_scale_and_loses_rows() {
    for (width, height) in [(640, 360), (1280, 720), (1920, 1080), (2560, 1080), (800, 2000)] {
        let window = Size::new(width, height);
        let scale = fits(PICTURE, window);
        for (right, bottom) in [(0, 1), (0, 100), (0, 212), (360, 212), (639, 359)] {
            let (shown, at) = Placement::next_to_panel(PICTURE, window, (right, bottom));
            assert!(at.x + at.size.width <= width - right, "{window:?} {right} {bottom}");
            assert!(at.y + at.size.height <= height - bottom, "{window:?} {right} {bottom}");
            assert_eq!(shown.height, PICTURE.height.min((height - bottom) / scale), "{window:?} {bottom}");
        }
        // Without a row there is nothing to show next to it.
        let whole = Placement::next_to_panel(PICTURE, window, (0, height));
        assert_eq!(whole, (PICTURE, Placement::of(PICTURE, window)));
    }
}
