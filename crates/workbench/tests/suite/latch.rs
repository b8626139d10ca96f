//! Key events as the input of ticks.

use glam::dvec2;
use hangtime_core::{
    models::{
        Action::{Hook, Jump, Left, Right},
        Actions, Intent,
    },
    sim::PlayerInput,
};
use hangtime_game::KeyMap;
use hangtime_workbench::{KeyLatch, MOST_PADS, WindowKey};

fn keys() -> KeyMap {
    KeyMap::default()
}

#[test]
fn a_tap_between_two_ticks_is_a_press_of_one_tick() {
    let mut latch = KeyLatch::default();
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
fn releasing_and_pressing_again_between_two_ticks_is_a_second_press() {
    let mut latch = KeyLatch::default();
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
fn a_held_key_presses_once() {
    let mut latch = KeyLatch::default();
    latch.press("ArrowLeft", &keys());
    let first = latch.take(&keys()).player(1);
    latch.press("ArrowLeft", &keys());
    let second = latch.take(&keys()).player(1);
    assert!(first.pressed.has(Left) && second.held.has(Left) && !second.pressed.has(Left));
}

#[test]
fn two_players_have_their_own_keys() {
    let mut latch = KeyLatch::default();
    latch.press("ArrowLeft", &keys());
    latch.press("KeyF", &keys());
    let inputs = latch.take(&keys());
    assert!(inputs.player(1).held.has(Left) && !inputs.player(1).held.has(Jump));
    assert!(inputs.player(2).held.has(Jump) && !inputs.player(2).held.has(Left));
}

#[test]
fn the_mouse_aims_the_hook_of_the_first_player() {
    let mut latch = KeyLatch::default();
    assert_eq!(latch.take(&keys()).player(1).aim, None);
    latch.press("MouseRight", &keys());
    latch.aim(1, Some(dvec2(40.2, -7.9)), false);
    assert!(latch.has_mouse_down());
    let inputs = latch.take(&keys());
    assert_eq!(inputs.player(1).aim, Some(dvec2(40.0, -8.0)));
    assert!(inputs.player(1).pressed.has(Hook) && inputs.player(1).held.has(Hook));
    assert_eq!(inputs.player(2), PlayerInput::default());
    let held = latch.take(&keys()).player(1);
    assert!(held.aim.is_none() && held.held.has(Hook), "it is on its way");
    latch.release("MouseRight");
    latch.aim(1, None, false);
    assert!(!latch.has_mouse_down());
    assert_eq!(latch.take(&keys()).player(1), PlayerInput::default());
}

#[test]
fn a_mouse_behind_a_running_hero_does_not_turn_it_around() {
    let mut latch = KeyLatch::default();
    latch.press("ArrowRight", &keys());
    for x in [-40.0, 0.0, 40.0] {
        latch.aim(1, Some(dvec2(x, 10.0)), false);
        let input = latch.take(&keys()).player(1);
        assert!(input.aim.is_none() && input.held.has(Right), "{x}");
    }
    // Another key for the hook is aimed as well.
    latch.press("ShiftRight", &keys());
    let fired = latch.take(&keys()).player(1);
    assert_eq!(fired.aim, Some(dvec2(40.0, 10.0)));
}

#[test]
fn a_stick_moves_its_player_until_it_is_let_go() {
    let mut latch = KeyLatch::default();
    let mut sticks = [[dvec2(0.0, 0.0); 2]; MOST_PADS];
    sticks[1] = [dvec2(0.5, -1.0), dvec2(0.0, 1.0)];
    latch.set_sticks(sticks);
    assert_eq!(latch.aiming_sticks()[1], dvec2(0.0, 1.0));
    latch.aim(2, Some(dvec2(3.0, 4.0)), false);
    for _ in 0..2 {
        let inputs = latch.take(&keys());
        assert_eq!(inputs.player(1), PlayerInput::default());
        assert_eq!(inputs.player(2).stick, dvec2(0.5, -1.0));
        assert_eq!(inputs.player(2).aim, Some(dvec2(3.0, 4.0)));
    }
    latch.release_all();
    latch.aim(2, None, false);
    assert_eq!(latch.take(&keys()).player(2), PlayerInput::default());
}

#[test]
fn losing_the_focus_releases_all_keys() {
    let mut latch = KeyLatch::default();
    latch.press("ArrowLeft", &keys());
    latch.take(&keys());
    latch.release_all();
    assert!(!latch.take(&keys()).player(1).held.has(Left));
}

#[test]
fn window_keys_do_not_reach_players() {
    let mut latch = KeyLatch::default();
    assert_eq!(latch.press("KeyR", &keys()), [WindowKey::Restart]);
    assert_eq!(latch.press("F3", &keys()), [WindowKey::Why]);
    latch.press("Space", &keys());
    assert_eq!(latch.held(&keys()), [WindowKey::Why, WindowKey::Restart]);
}
