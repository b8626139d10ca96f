//! Tests of `src/files/input/keys.rs`.

use super::{KeyMap, KeyUse};
use hangtime_core::models::Action;

#[test]
fn the_default_buttons_of_a_gamepad_do_what_the_keys_of_its_player_do() {
    let mut keys = KeyMap::without_pads();
    keys.bind_pads();
    for (player, pad) in [(1, "Pad"), (2, "Pad2")] {
        for action in Action::ALL {
            let found = keys.keys_for(KeyUse::Play(player, action)).filter(|key| {
                let button = key.strip_prefix(pad);
                button.is_some_and(|b| !b.starts_with(|c: char| c.is_ascii_digit()))
            });
            assert!(found.count() >= 1, "{pad} {action:?}");
        }
    }
    let up: Vec<_> = keys.of("PadUp").collect();
    assert_eq!(up, [KeyUse::Play(1, Action::Up)]);
    assert_eq!(keys.of("PadStart").collect::<Vec<_>>(), [KeyUse::Window("pause")]);
    // Sticks that are pressed have no effect, though their names end like the directions.
    assert_eq!(keys.of("PadLeftStick").count(), 0);
}
