//! Tests of `src/screen.rs`.

use super::window_title;

#[test]
fn the_name_of_a_level_does_not_steer_the_title_of_the_window() {
    let title = window_title("levels/\u{1b}]0;x\u{7}\u{202e}\n.toml");
    assert_eq!(title, "hangtime – levels/\\u{1b}]0;x\\u{7}\\u{202e}\\n.toml");
    assert!(window_title(&"x".repeat(31_000)).len() < 200);
}
