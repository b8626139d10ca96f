//! From key events to the input of a tick. A press between two ticks is never lost, however
//! short.

use crate::models::Actions;
use crate::project::{KeyMap, WindowKey};
use crate::sim::Inputs;
use std::collections::BTreeSet;

/// The keys that are down, and what was pressed since the last tick.
#[derive(Debug, Default)]
pub(super) struct Latch {
    down: BTreeSet<String>,
    pressed: Vec<(u8, crate::models::Action)>,
}

impl Latch {
    /// A key went down. What it does for the window rather than for a player is returned.
    pub fn press(&mut self, key: &str, keys: &KeyMap) -> Vec<WindowKey> {
        if !self.down.insert(key.to_string()) {
            return Vec::new();
        }
        let (players, others): (Vec<_>, Vec<_>) = keys
            .of(key)
            .partition(|does| matches!(does, WindowKey::Play(..)));
        for does in players {
            if let WindowKey::Play(player, action) = does {
                self.pressed.push((player, action));
            }
        }
        others
    }

    /// A key came up.
    pub fn release(&mut self, key: &str) {
        self.down.remove(key);
    }

    /// The window is no longer listened to: no key is down any more.
    pub fn release_all(&mut self) {
        self.down.clear();
    }

    /// The input of the next tick. What was pressed is handed over once.
    pub fn take(&mut self, keys: &KeyMap) -> Inputs {
        let mut inputs = Inputs::none();
        for key in &self.down {
            for does in keys.of(key) {
                if let WindowKey::Play(player, action) = does {
                    inputs.player_mut(player).held.insert(action);
                }
            }
        }
        for (player, action) in self.pressed.drain(..) {
            let pressed: &mut Actions = &mut inputs.player_mut(player).pressed;
            pressed.insert(action);
        }
        inputs
    }
}

#[cfg(test)]
mod tests {
    use super::Latch;
    use crate::models::Action::{Jump, Left};
    use crate::models::{Actions, Intent};
    use crate::project::{KEY_NAMES, KeyMap, WindowKey};

    fn keys() -> KeyMap {
        KeyMap::default()
    }

    #[test]
    fn a_tap_between_two_ticks_is_a_press_of_one_tick() {
        let mut latch = Latch::default();
        latch.press("Space", &keys());
        latch.release("Space");
        let input = latch.take(&keys()).player(1);
        let intent = Intent::latch(Actions::NONE, input.held, input.pressed);
        assert!(intent.pressed.has(Jump) && intent.held.has(Jump));
        let next = latch.take(&keys()).player(1);
        let after = Intent::latch(intent.held, next.held, next.pressed);
        assert!(!after.held.has(Jump) && after.released.has(Jump));
    }

    #[test]
    fn letting_go_and_pressing_again_between_two_ticks_is_a_second_press() {
        let mut latch = Latch::default();
        latch.press("Space", &keys());
        let first = latch.take(&keys()).player(1);
        let intent = Intent::latch(Actions::NONE, first.held, first.pressed);
        latch.release("Space");
        latch.press("Space", &keys());
        let second = latch.take(&keys()).player(1);
        let again = Intent::latch(intent.held, second.held, second.pressed);
        assert!(again.pressed.has(Jump) && again.held.has(Jump) && again.released.has(Jump));
    }

    #[test]
    fn holding_presses_once_and_a_repeated_event_does_not_press_again() {
        let mut latch = Latch::default();
        latch.press("ArrowLeft", &keys());
        let first = latch.take(&keys()).player(1);
        latch.press("ArrowLeft", &keys());
        let second = latch.take(&keys()).player(1);
        assert!(first.pressed.has(Left) && second.held.has(Left) && !second.pressed.has(Left));
    }

    #[test]
    fn two_players_have_their_own_keys() {
        let mut latch = Latch::default();
        latch.press("ArrowLeft", &keys());
        latch.press("KeyF", &keys());
        let inputs = latch.take(&keys());
        assert!(inputs.player(1).held.has(Left) && !inputs.player(1).held.has(Jump));
        assert!(inputs.player(2).held.has(Jump) && !inputs.player(2).held.has(Left));
    }

    #[test]
    fn losing_the_window_lets_everything_go() {
        let mut latch = Latch::default();
        latch.press("ArrowLeft", &keys());
        latch.take(&keys());
        latch.release_all();
        assert!(!latch.take(&keys()).player(1).held.has(Left));
    }

    #[test]
    fn keys_for_the_window_are_not_given_to_players() {
        let mut latch = Latch::default();
        assert_eq!(latch.press("KeyR", &keys()), [WindowKey::Restart]);
        assert_eq!(latch.press("F3", &keys()), [WindowKey::Why]);
    }

    #[test]
    fn every_key_name_is_one_that_the_window_reports() {
        use winit::keyboard::KeyCode as K;
        // The names of the key codes are what they print as.
        let some = [
            K::KeyA,
            K::Digit1,
            K::ArrowLeft,
            K::Space,
            K::ShiftRight,
            K::F12,
            K::Numpad0,
        ];
        for code in some {
            assert!(
                KEY_NAMES.contains(&format!("{code:?}").as_str()),
                "{code:?}"
            );
        }
    }
}
