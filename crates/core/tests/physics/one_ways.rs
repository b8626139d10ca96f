//! Dropping through one-way platforms: what Down, the stick and the jump key do together.

use crate::{
    common::near,
    ground::{Ground, Play},
};
use glam::dvec2;
use hangtime_core::models::{
    Action::{Down, Jump, Left, Right, Up},
    ModelName,
};

/// The usual rates and odd ones.
const RATES: [u32; 6] = [30, 37, 60, 120, 144, 240];

const WALKERS: [ModelName; 2] = [ModelName::platformer, ModelName::two_velocity];

/// A body that stands on a one-way platform, high above a floor.
fn ledge(hz: u32, model: ModelName, coyote: f64) -> Ground {
    Ground::none(hz)
        .model(model)
        .tune("coyote_time", coyote)
        .solid(&[(-500.0, -900.0), (500.0, -900.0), (500.0, -800.0), (-500.0, -800.0)])
        .one_way(&[(-100.0, 0.0), (100.0, 0.0)])
        .at(0.0, 19.0)
}

fn standing(ground: &Ground) -> Play {
    let mut play = ground.play();
    play.run(0.2);
    assert!(play.hero().grounded);
    play
}

/// The number of ticks nearest to the seconds.
fn ticks(play: &Play, seconds: f64) -> u32 {
    (seconds * f64::from(play.stage.hz)).round() as u32
}

#[test]
fn down_and_jump_together_drop_and_never_jump() {
    for hz in RATES {
        for model in WALKERS {
            for coyote in [0.0, 0.1, 1.0] {
                // How long Down is held before Jump; how long Jump and then Down stay down.
                for (first, jump, down) in [
                    (0.0, 0.5, 0.5),
                    (0.0, 0.0, 0.0),
                    (0.0, 0.5, 0.0),
                    (0.0, 0.0, 0.5),
                    (0.02, 0.05, 0.5),
                    (0.09, 0.3, 0.3),
                ] {
                    let mut play = standing(&ledge(hz, model, coyote));
                    play.hold(Down);
                    for _ in 0..ticks(&play, first) {
                        play.tick();
                    }
                    let begun = play.world.ticks();
                    play.hold(Jump);
                    for _ in 0..hz / 2 {
                        let hero = play.tick();
                        assert!(hero.vel.y <= 0.0, "{model:?} {hz} Hz {coyote} {first}");
                        let elapsed = (play.world.ticks() - begun) as f64 / f64::from(hz);
                        if elapsed >= jump {
                            play.release(Jump);
                        }
                        if elapsed >= down {
                            play.release(Down);
                        }
                    }
                    assert_eq!(play.told("jump"), 0, "{model:?} {hz} Hz {coyote} {first}");
                    assert!(play.hero().pos.y < -50.0);
                }
            }
        }
    }
}

#[test]
fn a_jump_that_begins_before_down_is_pressed_is_not_a_drop() {
    for hz in RATES {
        let mut play = standing(&ledge(hz, ModelName::platformer, 0.1));
        play.hold(Jump).tick();
        play.hold(Down);
        let top = play.run(0.5).iter().map(|h| h.pos.y).fold(0.0, f64::max);
        assert_eq!(play.told("jump"), 1);
        assert!(top > 19.0 + 150.0, "{top}");
    }
}

#[test]
fn a_later_press_without_down_jumps_in_the_coyote_time() {
    for hz in RATES {
        for coyote in [0.1, 1.0] {
            let mut play = standing(&ledge(hz, ModelName::platformer, coyote));
            play.hold(Down).hold(Jump).tick();
            play.release(Down).release(Jump).tick();
            play.hold(Jump).tick();
            assert_eq!(play.told("jump"), 1, "{hz} Hz {coyote}");
        }
        let mut late = standing(&ledge(hz, ModelName::platformer, 0.1));
        late.hold(Down).tick();
        late.release(Down);
        late.run(0.15);
        late.hold(Jump).tick();
        assert_eq!(late.told("jump"), 0, "{hz} Hz");
    }
}

#[test]
fn with_down_held_a_remembered_press_does_not_jump_from_a_one_way_platform() {
    for hz in RATES {
        // The press comes in the air, at various times before the body passes the platform, and
        // with and without a floor that it reaches while the press is remembered.
        for ahead in [0.02, 0.04, 0.05] {
            let fall = 0.3;
            let height = 700.0 * (fall - 350.0 / 3672.0);
            let mut play = ledge(hz, ModelName::platformer, 1.0).at(0.0, 19.0 + height).play();
            play.hold(Down);
            for _ in 0..ticks(&play, fall - ahead) {
                play.tick();
            }
            play.hold(Jump);
            play.run(0.5);
            assert_eq!(play.told("jump"), 0, "{hz} Hz {ahead}");
            assert!(play.hero().pos.y < -100.0);
            // The same press jumps from solid ground.
            let solid = [(-100.0, -50.0), (100.0, -50.0), (100.0, 0.0), (-100.0, 0.0)];
            let ground = Ground::none(hz).solid(&solid).at(0.0, 19.0 + height);
            let mut play = ground.play();
            play.hold(Down);
            for _ in 0..ticks(&play, fall - ahead) {
                play.tick();
            }
            play.hold(Jump);
            play.run(0.2);
            assert_eq!(play.told("jump"), 1, "{hz} Hz {ahead}");
        }
    }
}

#[test]
fn a_body_that_ran_off_a_one_way_platform_does_not_jump_from_it_with_down_held() {
    for hz in RATES {
        for down in [false, true] {
            let mut play = standing(&ledge(hz, ModelName::platformer, 0.1));
            play.hold(Right);
            while play.hero().grounded {
                play.tick();
            }
            if down {
                play.hold(Down);
            }
            play.hold(Jump).tick();
            play.run(0.2);
            assert_eq!(play.told("jump"), usize::from(!down), "{hz} Hz");
        }
    }
}

#[test]
fn a_body_on_solid_ground_at_the_same_height_jumps_with_down_held() {
    for hz in RATES {
        for depth in [0.0, 0.3] {
            let top = -depth;
            let solid = [(-100.0, -50.0), (100.0, -50.0), (100.0, top), (-100.0, top)];
            let mut play = standing(&ledge(hz, ModelName::platformer, 0.1).solid(&solid));
            play.hold(Down).hold(Jump).tick();
            assert_eq!(play.told("jump"), 1, "{hz} Hz {depth}");
        }
    }
}

#[test]
fn a_stick_pushed_down_beyond_half_is_down() {
    for hz in RATES {
        for model in WALKERS {
            for (stick, up, drops) in [
                (dvec2(0.0, -1.0), false, true),
                (dvec2(0.0, -0.51), false, true),
                (dvec2(0.8, -0.6), false, true),
                (dvec2(0.0, -0.5), false, false),
                (dvec2(0.0, 1.0), false, false),
                (dvec2(0.0, -1.0), true, false),
            ] {
                let mut play = standing(&ledge(hz, model, 0.1));
                play.input.stick = stick;
                if up {
                    play.hold(Up);
                }
                play.hold(Jump);
                play.run(0.1);
                assert_eq!(play.told("jump"), usize::from(!drops), "{model:?} {stick}");
                assert_eq!(play.hero().pos.y < 19.0, drops, "{model:?} {stick}");
            }
        }
    }
}

#[test]
fn a_stick_that_held_down_during_a_grab_drops_only_when_pushed_again() {
    for hz in RATES {
        let wall = [(50.0, -800.0), (90.0, -800.0), (90.0, 600.0), (50.0, 600.0)];
        let ground = Ground::none(hz).solid(&wall).at(30.0, 400.0);
        let mut play = ground.play();
        play.input.stick = dvec2(0.75, -0.66);
        play.run(0.2);
        assert_eq!(play.hero().mode, "wall");
        let still = play.run(0.3);
        assert!(still.iter().all(|hero| hero.mode == "wall"), "{hz} Hz");
        assert_eq!(play.told("grab"), 1);
        play.input.stick = dvec2(0.75, 0.0);
        play.run(0.1);
        assert_eq!(play.hero().mode, "wall");
        play.input.stick = dvec2(0.0, -0.66);
        play.run(0.1);
        assert_eq!(play.hero().mode, "air", "{hz} Hz");
    }
}

#[test]
fn keys_and_stick_let_go_of_a_wall_alike() {
    for hz in RATES {
        let wall = [(50.0, -800.0), (90.0, -800.0), (90.0, 600.0), (50.0, 600.0)];
        let ground = Ground::none(hz).solid(&wall).at(30.0, 400.0);
        let away = |by_stick: bool| {
            let mut play = ground.play();
            play.hold(Right);
            play.run(0.2);
            play.release(Right);
            assert_eq!(play.hero().mode, "wall");
            if by_stick {
                play.input.stick = dvec2(-0.9, 0.0);
            } else {
                play.hold(Left);
            }
            play.run(0.3);
            (play.hero().pos, play.hero().mode)
        };
        assert_eq!(away(false), away(true));
    }
}

#[test]
fn the_end_of_a_one_way_platform_turns_a_body_aside_alike_at_all_rates() {
    let falls = |hz, from: (f64, f64), speed: (f64, f64)| {
        let ground = Ground::none(hz)
            .one_way(&[(0.0, 0.0), (100.0, 0.0)])
            .tune("max_slope_deg", 30.0)
            .at(from.0, from.1)
            .moving(speed.0, speed.1);
        ground.play().run(0.2).pop().expect("a tick").pos
    };
    for from in [(-7.0, 40.0), (-8.5, 37.3), (106.0, 40.0)] {
        for speed in [(0.0, 0.0), (35.0, -300.0), (-35.0, -120.0)] {
            let fine = falls(960, from, speed);
            for hz in [30, 60, 120, 240] {
                near(falls(hz, from, speed).distance(fine), 0.0, 0.01);
            }
        }
    }
}
