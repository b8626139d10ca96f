//! Tests of `src/window.rs`.

use hangtime_game::KEY_NAMES;
use winit::keyboard::KeyCode as K;

#[test]
fn key_names_match_what_the_window_reports() {
    // A key code's name is its debug output.
    let some = [K::KeyA, K::Digit1, K::ArrowLeft, K::Space, K::ShiftRight, K::F12, K::Numpad0];
    for code in some {
        assert!(KEY_NAMES.split(' ').any(|name| name == format!("{code:?}")), "{code:?}");
    }
}
