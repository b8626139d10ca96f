//! The grappling hook within a tick, swinging, being dragged, and letting go of what it led to.

use crate::{
    common::{RATES, near},
    ground::{Ground, Play},
};
use glam::{DVec2, dvec2};
use hangtime_core::{geometry::Collider, models::Action, sim::EntityView};

/// Rates at which bodies swing; some do not divide the others.
const SWING_RATES: [u32; 6] = [20, 30, 37, 60, 120, 240];

const GRAVITY: f64 = 3672.0;

/// A small body at rest this far away from a block, this many degrees from straight below it, with
/// the pull off.
fn swinger(hz: u32, length: f64, degrees: f64, gravity: f64) -> Ground {
    let (sine, cosine) = degrees.to_radians().sin_cos();
    let block = [(-2.0, 0.0), (2.0, 0.0), (2.0, 4.0), (-2.0, 4.0)];
    Ground::none(hz)
        .figure(Collider::ellipse(4.0, 4.0))
        .gravity(gravity)
        .tune("hook_pull_speed", 0.0)
        .tune("hook_speed", 1e6)
        .tune("hook_grab_distance", 0.0)
        .tune("max_fall_speed", 1e6)
        .solid(&block)
        .at(length * sine, -length * cosine)
}

/// The body of [`swinger`], which fires at the block.
fn swing(ground: &Ground) -> Play {
    let mut play = ground.play();
    play.input.aim = Some(dvec2(0.0, 0.001));
    play.hold(Action::Hook);
    play
}

#[test]
fn a_free_swing_keeps_its_height_and_never_gains_any() {
    for (length, degrees, gravity) in [
        (20.0, 60.0, GRAVITY),
        (60.0, 85.0, 900.0),
        (200.0, -30.0, GRAVITY),
        (350.0, 75.0, 9000.0),
        (499.0, -85.0, GRAVITY),
    ] {
        for hz in SWING_RATES {
            let mut play = swing(&swinger(hz, length, degrees, gravity));
            let start = play.hero().pos;
            let case = format!("{length} px, {degrees}°, {gravity} px/s² at {hz} Hz");
            let mut turns = 0;
            let mut before = 0.0;
            for hero in play.run(60.0) {
                assert_eq!(hero.hook.state, "attached", "{case}");
                // It starts at rest, so the first turning point is the start. Rounding in 14,400
                // steps adds far less than the slack.
                let above = hero.pos.y - start.y;
                assert!(above <= 1e-6 * length, "{above} px too high, {case}");
                let around = (hero.pos - hero.hook.tip).perp_dot(hero.vel);
                turns += u32::from(before * around < 0.0);
                before = around;
            }
            // While the tip flies, for length/1e6 s, the body falls and the rope then takes up to
            // gravity·length/1e6 px/s of its velocity.
            let hero = play.hero();
            let height = hero.pos.y + hero.vel.length_squared() / (2.0 * gravity);
            let lost = gravity * (length / 1e6).powi(2);
            near(height, start.y, lost + 1e-6 * length);
            assert!(turns >= 25, "it stopped swinging, {case}");
        }
    }
}

#[test]
fn a_pendulum_swings_with_its_period() {
    // Small swings: 2π·√(L/g), longer by θ²/16 of it.
    for hz in RATES {
        let (length, degrees) = (300.0, 6.0_f64);
        let mut play = swing(&swinger(hz, length, degrees, GRAVITY));
        let period = std::f64::consts::TAU * (length / GRAVITY).sqrt();
        let period = period * (1.0 + degrees.to_radians().powi(2) / 16.0);
        let mut crossings = vec![];
        let mut before = play.hero();
        for (tick, hero) in play.run(30.0).into_iter().enumerate() {
            if before.pos.x < 0.0 && hero.pos.x >= 0.0 {
                let share = -before.pos.x / (hero.pos.x - before.pos.x);
                crossings.push((tick as f64 + share) * play.dt());
            }
            before = hero;
        }
        let (first, last) = (crossings[0], crossings[crossings.len() - 1]);
        let measured = (last - first) / (crossings.len() - 1) as f64;
        near(measured, period, 1e-4 * period);
    }
}

#[test]
fn a_swing_against_obstacles_gains_no_height() {
    for hz in SWING_RATES {
        for (x, y) in [(40.0, -150.0), (-90.0, -190.0), (0.0, -130.0), (-150.0, -120.0)] {
            for degrees in [30.0, 60.0, 80.0] {
                let pillar = [(x - 12.0, y - 12.0), (x + 12.0, y - 8.0), (x + 9.0, y + 12.0), (x - 7.0, y + 10.0)];
                let mut play = swing(&swinger(hz, 200.0, degrees, GRAVITY).solid(&pillar));
                let start = play.hero().pos.y;
                for hero in play.run(10.0) {
                    let above = hero.pos.y - start;
                    assert!(above <= 1e-3, "{above} px, {degrees}° at {hz} Hz, pillar {x} {y}");
                }
            }
        }
    }
}

/// A ceiling this far above the body's center, and a body that moves freely below it.
fn below_a_ceiling(hz: u32, height: f64, velocity: DVec2, gravity: f64) -> Play {
    let points = [(-4000.0, height), (4000.0, height), (4000.0, height + 50.0), (-4000.0, height + 50.0)];
    Ground::none(hz)
        .gravity(gravity)
        .solid(&points)
        .at(0.0, 0.0)
        .moving(velocity.x, velocity.y)
        .play()
}

#[test]
fn the_reach_of_a_hook_is_the_same_at_every_rate_while_its_owner_moves() {
    for (velocity, gravity) in [
        (dvec2(0.0, 0.0), 0.0),
        (dvec2(650.0, 0.0), 0.0),
        (dvec2(-650.0, 0.0), 0.0),
        (dvec2(100.0, -600.0), 0.0),
        (dvec2(-300.0, -100.0), GRAVITY),
        (dvec2(300.0, 500.0), GRAVITY),
    ] {
        let heading = dvec2(1.0, 1.0).normalize();
        // The tip flies `d` in d/3000 s; by then, the body must be within 500 px of it.
        let fits = |d: f64| {
            let t = d / 3000.0;
            let body = velocity * t - dvec2(0.0, 0.5 * gravity * t * t);
            d <= 500.0 && (heading * d - body).length() <= 500.0
        };
        let mut expected = 0.0;
        while fits(expected + 0.05) {
            expected += 0.05;
        }
        for hz in [30, 37, 60, 120, 144, 240] {
            for (d, reached) in [(expected - 0.2, true), (expected + 0.2, false)] {
                let mut play = below_a_ceiling(hz, d * heading.y, velocity, gravity);
                play.input.aim = Some(heading * 2000.0);
                play.hold(Action::Hook);
                let attached = play.run(0.4).iter().any(|h| h.hook.state == "attached");
                assert_eq!(attached, reached, "{d} px, {velocity} px/s at {hz} Hz");
            }
        }
    }
}

/// Fires the hook straight up. Returns the number of ticks until it attaches.
fn fire_up(play: &mut Play) -> f64 {
    play.input.aim = Some(dvec2(0.0, 5000.0));
    play.hold(Action::Hook);
    let mut ticks = 0.0;
    while play.hero().hook.state != "attached" {
        play.tick();
        ticks += 1.0;
        assert!(ticks * play.dt() < 1.0, "it never attaches");
    }
    ticks
}

#[test]
fn the_rope_pulls_from_the_moment_in_a_tick_at_which_the_hook_attaches() {
    for hz in [30, 37, 60, 120, 144, 240] {
        for height in [137.0, 250.3, 400.0, 499.9] {
            let mut play = below_a_ceiling(hz, height, DVec2::ZERO, 0.0);
            let mut ticks = fire_up(&mut play);
            // The tip is swept as a dot with a radius of 0.001 px.
            let pulled = ticks * play.dt() - height / 3000.0;
            near(play.hero().pos.y, 600.0 * pulled, 1e-3);
            near(play.hero().vel.y, 600.0, 1e-9);
            // It hangs after the rest of the path, at 600 px/s up to its half height.
            while play.hero().mode != "roof" {
                play.tick();
                ticks += 1.0;
            }
            let hanging = height / 3000.0 + (height - 19.0) / 600.0;
            let late = ticks * play.dt() - hanging;
            assert!((-1e-5..play.dt()).contains(&late), "{late} s late at {hz} Hz");
        }
    }
}

#[test]
fn from_press_to_hanging_takes_the_same_time_at_every_rate() {
    for (velocity, keys) in [
        (dvec2(0.0, 0.0), vec![]),
        (dvec2(500.0, 0.0), vec![Action::Right]),
        (dvec2(-500.0, 0.0), vec![Action::Left]),
        (dvec2(0.0, 0.0), vec![Action::Jump]),
        (dvec2(300.0, 300.0), vec![]),
        (dvec2(200.0, -300.0), vec![Action::Right]),
    ] {
        let time = |hz: u32| {
            let y = if velocity.y == 0.0 { 19.0 } else { 120.0 };
            let points = [(-4e3, 300.0), (4e3, 300.0), (4e3, 350.0), (-4e3, 350.0)];
            let ground = Ground::floor(hz).solid(&points).at(0.0, y);
            let mut play = ground.moving(velocity.x, velocity.y).play();
            play.input.aim = Some(dvec2(300.0, 300.0));
            play.hold(Action::Hook);
            for &key in &keys {
                play.hold(key);
            }
            let heroes = play.run(3.0);
            let ticks = heroes.iter().position(|h| h.mode == "roof");
            (ticks.expect("it hangs") + 1) as f64 / f64::from(hz)
        };
        let finest = time(240);
        for hz in RATES {
            near(time(hz), finest, 1.0 / f64::from(hz) + 0.01);
        }
    }
}

#[test]
fn a_body_dragged_by_its_hook_has_the_velocity_that_moves_it_and_keeps_it() {
    for hz in [30, 37, 60, 120, 240] {
        for speed in [300.0, 600.0, 900.0, 1500.0] {
            for degrees in [0.0_f64, 40.0, 90.0, 215.0] {
                let (y, x) = degrees.to_radians().sin_cos();
                let ahead = dvec2(x, y);
                let center = ahead * 300.0;
                let points: Vec<(f64, f64)> = [(-20.0, -20.0), (20.0, -20.0), (20.0, 20.0), (-20.0, 20.0)]
                    .iter()
                    .map(|p| (center.x + p.0, center.y + p.1))
                    .collect();
                let way = ahead * 8000.0;
                let ground = Ground::none(hz).tune("gravity_scale", 0.0);
                let ground = ground.platform(&points, &[(0.0, 0.0), (way.x, way.y)], speed);
                let mut play = ground.tune("hook_speed", 1e6).at(0.0, 0.0).play();
                play.input.aim = Some(center);
                play.hold(Action::Hook);
                play.tick();
                let mut before = play.tick();
                let case = format!("{speed} px/s, {degrees}° at {hz} Hz");
                for hero in play.run(0.3) {
                    let moved = (hero.pos - before.pos) * f64::from(hz);
                    near(moved.distance(hero.vel + hero.external), 0.0, 1e-6);
                    near(hero.vel.dot(ahead), speed.max(600.0), 1e-6);
                    before = hero;
                }
                let dragged = before.vel;
                play.release(Action::Hook);
                for hero in play.run(0.2) {
                    assert_eq!(hero.vel, dragged, "{case}");
                    assert_eq!(hero.external, DVec2::ZERO, "{case}");
                    let moved = (hero.pos - before.pos) * f64::from(hz);
                    near(moved.distance(dragged), 0.0, 1e-6);
                    before = hero;
                }
            }
        }
    }
}

#[test]
fn a_tip_attaches_to_a_platform_at_the_place_that_it_meets_in_flight() {
    for hz in RATES {
        for speed in [-1000.0_f64, -300.0, 300.0, 1000.0] {
            let points = [(-50.0, 300.0), (50.0, 300.0), (50.0, 340.0), (-50.0, 340.0)];
            let way = [(0.0, 0.0), (0.0, speed.signum() * 4000.0)];
            let ground = Ground::none(hz).tune("gravity_scale", 0.0).at(0.0, 0.0);
            let mut play = ground.platform(&points, &way, speed.abs()).play();
            let ticks = fire_up(&mut play);
            // 300 + speed·t = 3000·t; from then on the tip moves with the platform.
            let met = 300.0 / (3000.0 - speed);
            assert!((ticks * play.dt() - met) < play.dt() + 1e-6);
            near(play.hero().hook.tip.y, 300.0 + speed * ticks * play.dt(), 0.01);
        }
    }
}

/// A body that its hook has pulled onto a slab whose normal is this many degrees from straight up,
/// toward +x or −x, with no key held but the hook's.
fn pulled_onto(hz: u32, degrees: f64, side: f64, tolerance: f64) -> Play {
    let (x, y) = degrees.to_radians().sin_cos();
    let normal = dvec2(side * x, y);
    let along = normal.perp() * 200.0;
    let corners = [along, -along, -along - normal * 50.0, along - normal * 50.0];
    let ground = Ground::none(hz)
        .tune("gravity_scale", 0.0)
        .tune("hook_grab_distance", 30.0)
        .tune("wall_tolerance_deg", tolerance)
        .solid(&corners.map(|c| (c.x, c.y)))
        .at(normal.x * 60.0, normal.y * 60.0);
    let mut play = ground.play();
    play.input.aim = Some(DVec2::ZERO);
    play.hold(Action::Hook);
    play.run(0.3);
    play.release(Action::Hook);
    play.run(0.1);
    play
}

#[test]
fn the_key_away_lets_go_of_walls_roofs_and_overhangs_but_not_of_level_roofs() {
    let angles = [60.0, 75.0, 87.0, 90.0, 93.0, 97.0, 103.0, 117.0, 128.0, 141.0, 153.0, 163.0, 172.0, 177.0, 180.0];
    for hz in [60, 240] {
        for tolerance in [0.0, 2.0, 5.73, 15.0, 30.0] {
            for degrees in angles {
                for side in [1.0, -1.0] {
                    let case = format!("{degrees}° {side}, tolerance {tolerance}° at {hz} Hz");
                    let roof = degrees > 90.0 + tolerance;
                    let level = roof && degrees >= 180.0 - tolerance;
                    let mode = if roof { "roof" } else { "wall" };
                    let (toward, away) = if side > 0.0 {
                        (Action::Left, Action::Right)
                    } else {
                        (Action::Right, Action::Left)
                    };
                    for (key, drops) in [(toward, false), (away, !level), (Action::Down, true)] {
                        let mut play = pulled_onto(hz, degrees, side, tolerance);
                        assert_eq!(play.hero().mode, mode, "{case}");
                        play.hold(key);
                        play.tick();
                        let expected = if drops { "air" } else { mode };
                        assert_eq!(play.hero().mode, expected, "{key:?}, {case}");
                        assert_eq!(play.told("drop"), usize::from(drops), "{case}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_slightly_tilted_ceiling_ends_a_jump_whatever_counts_as_a_wall() {
    for hz in RATES {
        for tolerance in [0.0, 5.73, 30.0, 45.0] {
            let points = [(-200.0, 90.0), (200.0, 110.0), (200.0, 200.0), (-200.0, 200.0)];
            let ground = Ground::floor(hz).tune("wall_tolerance_deg", tolerance);
            let mut play = ground.solid(&points).play();
            play.run(0.1);
            play.hold(Action::Jump);
            // The head meets the ceiling before the hold time of 0.278 s is over, and falls.
            play.run(0.278);
            assert!(play.hero().vel.y < -200.0, "{} px/s", play.hero().vel.y);
        }
    }
}

/// A body that falls to a floor, whose hook is fired at a wall 400 px to its left.
fn falling_before_a_wall(hz: u32, height: f64, across: f64, tip: f64) -> Play {
    let wall = [(-420.0, 0.0), (-400.0, 0.0), (-400.0, 300.0), (-420.0, 300.0)];
    let mut play = Ground::floor(hz).solid(&wall).at(0.0, height).moving(across, 0.0).play();
    play.input.aim = Some(dvec2(-400.0, tip));
    play.hold(Action::Hook);
    play
}

#[test]
fn a_body_lands_while_its_hook_pulls_and_moves_alike_at_every_rate() {
    // It attaches before, in and after the tick of the landing, and pulls along the floor, into it and off it.
    for height in [30.0, 45.0, 60.0, 80.0, 110.0, 150.0] {
        for tip in [2.0, 10.0, 19.0, 60.0, 150.0, 290.0] {
            for across in [0.0, -400.0, -800.0, 300.0] {
                for left in [false, true] {
                    let at = |hz: u32| -> Vec<DVec2> {
                        let mut play = falling_before_a_wall(hz, height, across, tip);
                        if left {
                            play.hold(Action::Left);
                        }
                        let every = hz as usize / 30;
                        play.run(0.5).iter().skip(every - 1).step_by(every).map(|hero| hero.pos).collect()
                    };
                    let finest = at(240);
                    for hz in [30, 60, 120] {
                        for (step, (a, b)) in at(hz).iter().zip(&finest).enumerate() {
                            let case = format!("{height} px, {across} px/s, tip at {tip}, left {left}, {hz} Hz");
                            // Where it comes to stand, rest positions are 4 px apart.
                            assert!(a.distance(*b) < 2.0, "{a} and {b} in step {step}: {case}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn a_body_that_has_landed_is_pulled_along_the_floor_by_its_rope() {
    for hz in [30, 50, 60, 120, 144, 240] {
        for (height, tip) in [(60.0, 2.0), (110.0, 10.0), (150.0, 5.0)] {
            let mut play = falling_before_a_wall(hz, height, 0.0, tip);
            // Of the pull of 600 px/s toward the tip, the floor leaves the part along it: x' = −600·x/√(x² + d²) for a
            // tip that is d below the center. So this falls by 600 px/s.
            let down = 19.0 - tip;
            let far = |hero: &EntityView| {
                let x = hero.pos.x + 400.0;
                x.hypot(down) - down * (down / x).asinh()
            };
            let mut first = None;
            for tick in 1..=hz / 2 {
                let hero = play.tick();
                let seconds = f64::from(tick) * play.dt();
                if hero.mode != "ground" || hero.hook.state != "attached" || hero.pos.x < -340.0 {
                    continue;
                }
                let (landed, was) = *first.get_or_insert((seconds, far(&hero)));
                let left = was - 600.0 * (seconds - landed);
                // The rope's direction is that at the start of a step of at most 1/144 s, and so is its speed along the
                // floor.
                let slack = 600.0 / 144.0 * down / 60.0;
                assert!((far(&hero) - left).abs() < slack, "{} and not {left}, {height} px, {hz} Hz", far(&hero));
            }
            assert!(first.is_some_and(|(landed, _)| landed < 0.4), "it lands");
        }
    }
}

#[test]
fn a_jump_holds_its_speed_while_the_rope_of_a_hook_that_attached_in_the_same_tick_pulls() {
    let at = |hz: u32, across: f64, seconds: f64| {
        let ceiling = [(-156.0, 248.0), (-24.0, 248.0), (-24.0, 300.0), (-156.0, 300.0)];
        let mut play = Ground::floor(hz).solid(&ceiling).at(across, 19.0).play();
        play.input.aim = Some(dvec2(-108.0, 248.0));
        play.hold(Action::Jump).hold(Action::Hook);
        play.run(seconds);
        play.hero()
    };
    for across in [150.0, 190.0, 230.0] {
        for thirtieths in 2..8 {
            let seconds = f64::from(thirtieths) / 30.0;
            let finest = at(240, across, seconds);
            for hz in [30, 60, 120] {
                let hero = at(hz, across, seconds);
                let case = format!("from {across} px, {seconds} s, {hz} Hz");
                assert!(hero.pos.distance(finest.pos) < 0.5, "{} and not {}: {case}", hero.pos, finest.pos);
            }
        }
    }
}

#[test]
fn a_swinging_body_feels_the_gravity_of_a_zone_from_its_border_on() {
    let (length, degrees, gravity, scale) = (200.0, 60.0_f64, 900.0, 3.0);
    let border = -150.0;
    let start = -length * degrees.to_radians().cos();
    // Falling from the start to the border and from there to the lowest point, it gains the work of both gravities.
    let gained = 2.0 * gravity * (start - border) + 2.0 * scale * gravity * (border + length);
    for hz in [30, 37, 60, 120, 144, 240] {
        let ground =
            swinger(hz, length, degrees, gravity)
                .zone_with("heavy", (-400.0, -400.0), (400.0, border), |zone| zone.gravity_scale = scale);
        let mut play = swing(&ground);
        let heroes = play.run(0.8);
        let squared = |hero: &EntityView| hero.vel.length_squared();
        let most = heroes.iter().map(squared).fold(0.0, f64::max);
        // A step of 1/240 s has the gravity at its start, so along a path of this length it feels the other side's.
        let late = gained.sqrt() / 240.0;
        // The lowest point is at most half a tick from the nearest tick, in which it swings up by this much.
        let risen = 0.5 * (0.5 * gained.sqrt() * play.dt()).powi(2) / length;
        let slack = 2.0 * (scale - 1.0) * gravity * late + 2.0 * scale * gravity * risen;
        assert!((most - gained).abs() < slack, "{most} and not {gained} within {slack} at {hz} Hz");
    }
}

#[test]
fn wind_blows_a_hooked_body_alike_at_every_rate() {
    for (wind, side) in [(dvec2(900.0, 0.0), 1.0), (dvec2(-700.0, 1500.0), -1.0)] {
        let at = |hz: u32| {
            let ground =
                swinger(hz, 200.0, 70.0 * side, 900.0)
                    .zone_with("wind", (-120.0, -400.0), (60.0, 100.0), |zone| zone.external_accel = wind);
            let every = hz as usize / 30;
            let mut play = swing(&ground);
            play.run(1.0)
                .iter()
                .skip(every - 1)
                .step_by(every)
                .map(|hero| hero.pos)
                .collect::<Vec<_>>()
        };
        let finest = at(240);
        for hz in [30, 60, 120] {
            for (step, (a, b)) in at(hz).iter().zip(&finest).enumerate() {
                assert!(a.distance(*b) < 0.2, "{a} and {b} in step {step} at {hz} Hz");
            }
        }
    }
}

#[test]
fn a_swing_snaps_its_rope_at_the_same_speed_at_every_rate() {
    for (length, speed) in [(60.0, 300.0), (150.0, 700.0), (400.0, 1800.0), (40.0, 1500.0)] {
        for side in [1.0, -1.0] {
            for hz in [20, 30, 37, 60, 120, 144, 240] {
                // In a step of 1/240 s, a body with this speed leaves its circle. From there, this much of its velocity
                // points away from the tip. The tip is on the block's side.
                let (aside, radius) = (speed / 240.0, length - 2.0);
                let away = speed * aside / f64::hypot(radius, aside);
                for (snap_speed, snaps) in [(0.99 * away, true), (1.01 * away, false)] {
                    let ground = swinger(hz, length, 90.0 * side, 0.0)
                        .tune("hook_snap_speed", snap_speed)
                        .tune_flag("hook_snap_needs_key", false);
                    let mut play = swing(&ground.moving(0.0, speed));
                    let snapped = play.run(0.2).iter().any(|hero| hero.hook.state != "attached");
                    assert_eq!(snapped, snaps, "{speed} px/s, {radius} px, limit {snap_speed} px/s at {hz} Hz");
                }
            }
        }
    }
}

#[test]
fn gravity_acts_on_a_body_that_fell_at_its_fastest_as_soon_as_its_rope_slows_it_down() {
    const PULL: f64 = 600.0;
    for degrees in [20.0, 45.0, -60.0] {
        for falling in [750.0, 1100.0] {
            for hz in [20, 30, 37, 60, 120, 144, 240] {
                let ground = swinger(hz, 250.0, degrees, GRAVITY)
                    .tune("hook_pull_speed", PULL)
                    .tune("max_fall_speed", 700.0)
                    .tune("hook_snap_speed", 1e5);
                let mut play = swing(&ground.moving(0.0, -falling));
                let start = play.hero().pos;
                let first = play.tick();
                let attached = start.distance(first.hook.tip) / 1e6;
                // The rope becomes shorter by `PULL` each second, so only the angle is left to find: gravity changes the
                // speed around the tip times the distance.
                let from = start - dvec2(0.0, falling * attached) - first.hook.tip;
                let far = |time: f64| from.length() - PULL * time;
                let (mut angle, mut spin, mut time) = (from.y.atan2(from.x), from.perp_dot(dvec2(0.0, -falling)), 0.0);
                let mut hero = first;
                for tick in 1..=hz / 5 {
                    let until = f64::from(tick) * play.dt() - attached;
                    let count = ((until - time) * 1e5).ceil();
                    let dt = (until - time) / count;
                    for _ in 0..count as u32 {
                        let middle = time + 0.5 * dt;
                        let halfway = angle + 0.5 * dt * spin / far(time).powi(2);
                        spin -= GRAVITY * far(middle) * halfway.cos() * dt;
                        angle += dt * spin / far(middle).powi(2);
                        time += dt;
                    }
                    let expected = hero.hook.tip + far(time) * dvec2(angle.cos(), angle.sin());
                    let case = format!("{degrees}°, {falling} px/s, tick {tick} at {hz} Hz");
                    // A first step without gravity would leave 15 px/s, and so 3 px in this time.
                    assert!(hero.pos.distance(expected) < 0.2, "{} and not {expected}: {case}", hero.pos);
                    hero = play.tick();
                }
            }
        }
    }
}

#[test]
fn a_hooked_body_grabs_a_wall_that_it_reaches_after_the_hook_has_attached_and_no_other() {
    const SPEED: f64 = 300.0;
    for height in [150.0, 231.0, 317.0] {
        // The tip flies at an angle of 45° to the ceiling.
        let attached = height * 2.0_f64.sqrt() / 3000.0;
        // In the step of 1/240 s in which it attaches, it may do either.
        for (before, grabs) in [(0.03, false), (0.012, false), (0.0042, false), (-0.0001, true), (-0.01, true)] {
            for hz in [20, 30, 37, 60, 120, 144, 240] {
                let x = 10.0 + SPEED * (attached - before);
                let wall = [(x, -5.0), (x + 30.0, -5.0), (x + 30.0, 5.0), (x, 5.0)];
                let ceiling = [(-900.0, height), (900.0, height), (900.0, height + 50.0), (-900.0, height + 50.0)];
                let ground = Ground::none(hz)
                    .tune("gravity_scale", 0.0)
                    .tune("hook_pull_speed", 0.0)
                    .tune("hook_grab_distance", 1e6)
                    .tune("rest_spacing", 0.0)
                    .solid(&wall)
                    .solid(&ceiling);
                let mut play = ground.at(0.0, 0.0).moving(SPEED, 0.0).play();
                play.input.aim = Some(dvec2(height, height));
                play.hold(Action::Hook);
                play.run(0.5);
                let hero = play.hero();
                let case = format!("{height} px, wall reached {before} s before the hook attaches, {hz} Hz");
                assert_eq!(hero.hook.state, "attached", "{case}");
                // A body that has not grabbed the wall is at rest next to it, and its slack rope leaves it there.
                assert_eq!(hero.mode, if grabs { "wall" } else { "air" }, "{case}");
            }
        }
    }
}
