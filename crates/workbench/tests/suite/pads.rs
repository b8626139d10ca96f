//! Gamepads without a device.

use glam::{DVec2, dvec2};
use hangtime_workbench::{MOST_PADS, PadButton, PadChange, PadEvent, PadStick, Pads};

/// Steps of a stick from the middle to its full reach.
const STEPS: f64 = 128.0;

const DEAD: f64 = 0.2;

fn press(pads: &mut Pads, device: usize, button: PadButton) -> Option<PadChange> {
    pads.handle(PadEvent::Button(device, button, true))
}

#[test]
fn the_first_gamepad_is_the_first_players_and_the_second_one_the_second_players() {
    let mut pads = Pads::default();
    pads.handle(PadEvent::Connected(7));
    pads.handle(PadEvent::Connected(3));
    let pressed = |name| Some(PadChange::Press(name));
    assert_eq!(press(&mut pads, 3, PadButton::South), pressed("Pad2South"));
    assert_eq!(press(&mut pads, 7, PadButton::South), pressed("PadSouth"));
    // Held, it does not press again.
    assert_eq!(press(&mut pads, 7, PadButton::South), None);
    let up = pads.handle(PadEvent::Button(7, PadButton::South, false));
    assert_eq!(up, Some(PadChange::Release(vec!["PadSouth"])));
    assert_eq!(press(&mut pads, 7, PadButton::Left), pressed("PadLeft"));
}

#[test]
fn unplugging_a_gamepad_releases_what_was_held_and_frees_its_place() {
    let mut pads = Pads::default();
    press(&mut pads, 1, PadButton::Right);
    press(&mut pads, 1, PadButton::South);
    pads.handle(PadEvent::Stick(1, PadStick::Left, dvec2(1.0, 0.0)));
    press(&mut pads, 2, PadButton::South);
    let released = PadChange::Release(vec!["PadRight", "PadSouth"]);
    assert_eq!(pads.handle(PadEvent::Disconnected(1)), Some(released));
    assert_eq!(pads.sticks(DEAD), [[DVec2::ZERO; 2]; MOST_PADS]);
    assert_eq!(pads.handle(PadEvent::Disconnected(1)), None);
    // Another device takes its place, and the second player keeps the second one.
    let third = press(&mut pads, 9, PadButton::West);
    assert_eq!(third, Some(PadChange::Press("PadWest")));
    assert_eq!(press(&mut pads, 2, PadButton::West), Some(PadChange::Press("Pad2West")));
}

#[test]
fn more_gamepads_than_places_have_no_effect() {
    let mut pads = Pads::default();
    for device in 0..MOST_PADS {
        assert!(press(&mut pads, device, PadButton::Up).is_some());
    }
    assert_eq!(press(&mut pads, 99, PadButton::Up), None);
    pads.handle(PadEvent::Stick(99, PadStick::Left, DVec2::X));
    pads.handle(PadEvent::Disconnected(99));
    assert_eq!(pads.sticks(DEAD), [[DVec2::ZERO; 2]; MOST_PADS]);
}

#[test]
fn the_noise_of_a_stick_that_is_held_still_does_not_move_it() {
    let mut pads = Pads::default();
    let mut read = |x: f64, y: f64| {
        pads.handle(PadEvent::Stick(0, PadStick::Left, dvec2(x, y)));
        pads.sticks(0.0)[0][0] * STEPS
    };
    assert_eq!(read(0.5, -0.25), dvec2(64.0, -32.0));
    for noise in [0.9, -0.9, 0.5, -0.5] {
        let at = dvec2(64.0 + noise, -32.0 - noise) / STEPS;
        assert_eq!(read(at.x, at.y), dvec2(64.0, -32.0));
    }
    // A whole step counts, and so do the middle and the full reach.
    assert_eq!(read(65.01 / STEPS, -33.01 / STEPS), dvec2(65.0, -33.0));
    assert_eq!(read(127.1 / STEPS, 0.0), dvec2(127.0, 0.0));
    assert_eq!(read(127.6 / STEPS, 0.0), dvec2(128.0, 0.0));
    assert_eq!(read(127.1 / STEPS, 0.0), dvec2(128.0, 0.0));
    assert_eq!(read(1.0 / STEPS, 0.0), dvec2(1.0, 0.0));
    let rests = read(0.0, -0.0);
    assert_eq!(rests.to_array().map(f64::to_bits), [0, 0]);
}

#[test]
fn sticks_are_read_with_their_dead_zone() {
    let mut pads = Pads::default();
    pads.handle(PadEvent::Stick(0, PadStick::Left, dvec2(0.15, 0.1)));
    pads.handle(PadEvent::Stick(0, PadStick::Right, dvec2(0.0, -1.0)));
    let [left, right] = pads.sticks(DEAD)[0];
    assert_eq!((left, right), (DVec2::ZERO, dvec2(0.0, -1.0)));
    pads.handle(PadEvent::Stick(0, PadStick::Left, dvec2(-0.6, 0.0)));
    let left = pads.sticks(DEAD)[0][0];
    assert!((left - dvec2(-0.5, 0.0)).length() <= 1.0 / STEPS, "{left}");
}

/// Where the left stick of the first gamepad counts as being, and how exactly.
fn stick(at: DVec2, dead_zone: f64) -> DVec2 {
    let mut pads = Pads::default();
    pads.handle(PadEvent::Stick(0, PadStick::Left, at));
    pads.sticks(dead_zone)[0][0]
}

const EXACTLY: f64 = 1.5 / 128.0;

#[test]
fn a_stick_counts_from_the_border_of_its_dead_zone_to_its_full_reach_in_every_direction() {
    for degrees in (0..360).step_by(7) {
        let angle = f64::from(degrees).to_radians();
        let direction = dvec2(libm::cos(angle), libm::sin(angle));
        for dead in [0.0, 0.1, 0.2, 0.5, 0.9] {
            assert_eq!(stick(direction * dead * 0.99, dead), DVec2::ZERO);
            // It begins at nothing: no jump at the border.
            let least = stick(direction * (dead + 1e-6), dead);
            assert!(least.length() < EXACTLY, "{least}");
            for pushed in [1.0, 1.2, 1.414] {
                assert!((stick(direction * pushed, dead) - direction).length() < EXACTLY);
            }
            let middle = stick(direction * (dead + 1.0) / 2.0, dead);
            assert!((middle - direction / 2.0).length() < EXACTLY);
        }
    }
}

#[test]
fn a_device_that_reports_no_number_does_not_move_anything() {
    for at in [dvec2(f64::NAN, 0.0), DVec2::ZERO] {
        assert_eq!(stick(at, 0.2), DVec2::ZERO);
    }
    assert_eq!(stick(dvec2(1.0, 0.0), 1.0), DVec2::ZERO);
}

#[test]
fn each_button_has_a_key_of_its_name() {
    use PadButton::{
        Down, East, L1, L2, Left, LeftStick, North, R1, R2, Right, RightStick, Select, South, Start, Up, West,
    };
    let mut pads = Pads::default();
    pads.handle(PadEvent::Connected(1));
    for button in
        [South, East, North, West, L1, L2, R1, R2, Select, Start, LeftStick, RightStick, Up, Down, Left, Right]
    {
        let Some(PadChange::Press(key)) = press(&mut pads, 1, button) else {
            panic!("{button:?} presses a key");
        };
        assert_eq!(key, format!("Pad{button:?}"));
    }
}
