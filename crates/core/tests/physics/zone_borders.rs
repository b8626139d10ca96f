//! Zones act from their border on, inside a tick, so that distances do not depend on its length.

use crate::{
    common::near,
    ground::{Ground, Play, tried},
    leaper::{Leaper, aim, at},
};
use glam::{DVec2, dvec2};
use hangtime_core::{
    geometry::{grid::Bounds, polygon::outline},
    level::{NearZones, SurfaceId, Zone, Zones},
    models::{Action, ModelName},
};
use proptest::prelude::*;

/// Rates of all tests here; two of them do not divide the others.
const RATES: [u32; 6] = [30, 37, 60, 120, 144, 240];

/// Gravity of these tests, px/s².
const GRAVITY: f64 = 3672.0;

/// The decay of external velocity, 1/s.
const DAMPING: f64 = 4.0;

/// The border is met to within a billionth of a second, which at 1000 px/s and a change of
/// acceleration of 1e4 px/s² moves a body by less than this within a second, px.
const EXACT: f64 = 1e-4;

/// The path of a body: seconds since the start, and its center.
fn path(mut play: Play, seconds: f64) -> Vec<(f64, DVec2)> {
    let dt = play.dt();
    let views = play.run(seconds);
    let at = |(tick, view): (usize, hangtime_core::sim::EntityView)| ((tick + 1) as f64 * dt, view.pos);
    views.into_iter().enumerate().map(at).collect()
}

/// Height over time under gravities that change at borders, without a fall cap. Exact: it solves
/// for the time of every crossing.
fn fall(mut y: f64, mut v: f64, mut time: f64, gravity: impl Fn(f64) -> f64, borders: &[f64]) -> f64 {
    loop {
        // Just ahead, where it is going.
        let ahead = if v == 0.0 { -1e-9 } else { v.signum() * 1e-9 };
        let g = gravity(y + ahead);
        let meets = |border: f64| {
            // border = y + v·t − g·t²/2
            let (a, b, c) = (-0.5 * g, v, y - border);
            let roots = if a == 0.0 {
                [-c / b, f64::NAN]
            } else {
                let root = (b * b - 4.0 * a * c).sqrt();
                [(-b + root) / (2.0 * a), (-b - root) / (2.0 * a)]
            };
            let ahead = roots.into_iter().filter(|t| *t > 1e-7);
            ahead.fold(f64::INFINITY, f64::min)
        };
        let next = borders.iter().map(|b| meets(*b)).fold(f64::INFINITY, f64::min);
        let step = next.min(time);
        y += v * step - 0.5 * g * step * step;
        v -= g * step;
        time -= step;
        if time <= 0.0 {
            return y;
        }
    }
}

#[test]
fn gravity_changes_at_the_border_of_a_zone() {
    let models = [ModelName::platformer, ModelName::two_velocity, ModelName::ballistic, ModelName::vessel];
    for model in models {
        for scale in [-1.0, 0.0, 0.3, 0.5, 2.0] {
            for (low, high) in [(-4000.0, 0.0), (-50.0, 0.0), (-0.5, 0.0)] {
                for (hz, phase) in RATES.iter().flat_map(|hz| [(*hz, 0.0), (*hz, 3.7)]) {
                    let start = 60.0 + phase;
                    let mut ground = Ground::none(hz).model(model).at(0.0, start);
                    if model == ModelName::platformer || model == ModelName::two_velocity {
                        ground = ground.tune("max_fall_speed", 1e5);
                    }
                    let ground = ground.zone_with("z", (-50.0, low), (50.0, high), |zone| {
                        zone.gravity_scale = scale;
                    });
                    let inside = |y: f64| if y < high && y > low { scale } else { 1.0 };
                    for (time, pos) in path(ground.play(), 0.4) {
                        let gravity = |y: f64| GRAVITY * inside(y);
                        let expected = fall(start, 0.0, time, gravity, &[low, high]);
                        near(pos.y, expected, EXACT);
                    }
                }
            }
        }
    }
}

#[test]
fn the_hold_of_a_jump_lasts_as_long_across_the_border_of_a_zone() {
    // A held jump rises at 540 px/s for 0.278 s, until gravity changes its sign.
    let (speed, longest) = (540.0, 0.278);
    let top = 19.0 + speed * longest;
    for (hz, step) in RATES.iter().flat_map(|hz| (0..24).map(|step| (*hz, step))) {
        for scale in [-1.0, 0.01, 0.5] {
            let border = top - 12.0 + f64::from(step);
            for (low, high) in [(border, 4000.0), (60.0, border)] {
                let ground = Ground::floor(hz).tune("max_fall_speed", 1e5);
                let ground = ground.zone_with("z", (-50.0, low), (50.0, high), |zone| {
                    zone.gravity_scale = scale;
                });
                let turns = if scale < 0.0 { (low - 19.0) / speed } else { longest };
                let hold = turns.min(longest);
                let top = 19.0 + speed * hold;
                let mut play = ground.play();
                play.hold(Action::Jump);
                for (time, pos) in path(play, 0.45) {
                    let inside = |y: f64| if y < high && y > low { scale } else { 1.0 };
                    let gravity = |y: f64| GRAVITY * inside(y);
                    let expected = if time < hold {
                        19.0 + speed * time
                    } else {
                        fall(top, speed, time - hold, gravity, &[low, high])
                    };
                    near(pos.y, expected, EXACT);
                }
            }
        }
    }
}

#[test]
fn gravity_changes_at_the_border_of_a_zone_in_a_top_view() {
    for (hz, phase) in RATES.iter().flat_map(|hz| [(*hz, 0.0), (*hz, 1.3), (*hz, 4.1)]) {
        for model in [ModelName::topdown, ModelName::two_velocity] {
            let mut ground = Ground::none(hz).top_view().model(model);
            ground = ground.at(-phase, 0.0).moving(300.0, 0.0);
            (ground.z, ground.gravity) = (400.0, Some(900.0));
            let ground = ground.zone_with("z", (40.0, -500.0), (900.0, 500.0), |zone| {
                zone.gravity_scale = 0.25;
            });
            let mut play = ground.play();
            play.hold(Action::Right);
            let meets = (40.0 + phase) / 300.0;
            let dt = play.dt();
            for (tick, view) in play.run(0.5).into_iter().enumerate() {
                let time = (tick + 1) as f64 * dt;
                let (before, since) = (time.min(meets), (time - meets).max(0.0));
                let fallen = 450.0 * before * before + 900.0 * before * since;
                near(view.z, 400.0 - fallen - 0.25 * 450.0 * since * since, EXACT);
            }
        }
    }
}

#[test]
fn a_runner_is_where_it_was_at_every_rate_after_a_gust_along_the_ground() {
    // The run gains 650 px/s² from 360 px/s on, until it reaches 650.
    for (hz, phase) in RATES.iter().flat_map(|hz| [(*hz, 0.0), (*hz, 1.3), (*hz, 4.1)]) {
        let ground = Ground::floor(hz).at(-phase, 19.0).moving(360.0, 0.0);
        let ground = ground.zone_with("gust", (60.0, -50.0), (4000.0, 50.0), |zone| {
            zone.external_accel = dvec2(700.0, 0.0);
        });
        let mut play = ground.play();
        play.hold(Action::Right);
        let ran = |time: f64| 360.0 * time + 325.0 * time * time - phase;
        // The moment at which it meets the border.
        let meets = (-360.0 + (360.0_f64 * 360.0 + 1300.0 * (60.0 + phase)).sqrt()) / 650.0;
        for (time, pos) in path(play, 0.4) {
            near(pos.x, ran(time) + blown(700.0, (time - meets).max(0.0)), EXACT);
        }
    }
}

/// Displacement by steady wind after some seconds, px, from external velocity 0.
fn blown(accel: f64, seconds: f64) -> f64 {
    let decayed = (1.0 - (-DAMPING * seconds).exp()) / DAMPING;
    accel * (seconds - decayed) / DAMPING
}

#[test]
fn wind_blows_from_the_border_of_a_zone_on() {
    for (hz, phase) in RATES.iter().flat_map(|hz| [(*hz, 0.0), (*hz, 1.3), (*hz, 4.1)]) {
        for model in [ModelName::topdown, ModelName::two_velocity] {
            let ground = Ground::none(hz).top_view().model(model);
            let ground = ground.at(-phase, 0.0).moving(300.0, 0.0);
            let ground = ground.zone_with("wind", (40.0, -500.0), (900.0, 500.0), |zone| {
                zone.external_accel = dvec2(0.0, 800.0);
            });
            let mut play = ground.play();
            play.hold(Action::Right);
            let meets = (40.0 + phase) / 300.0;
            for (time, pos) in path(play, 0.8) {
                near(pos.x, 300.0 * time - phase, EXACT);
                near(pos.y, blown(800.0, (time - meets).max(0.0)), EXACT);
            }
        }
    }
}

#[test]
fn a_conveyor_carries_from_the_border_of_its_zone_on() {
    for (hz, phase) in RATES.iter().flat_map(|hz| [(*hz, 0.0), (*hz, 1.3), (*hz, 4.1)]) {
        for speed in [120.0, -120.0] {
            let ground = Ground::floor(hz).model(ModelName::two_velocity);
            let ground = ground.at(-phase, 19.0).moving(300.0, 0.0);
            let ground = ground.zone_with("belt", (40.0, -50.0), (100.0, 50.0), |zone| {
                zone.conveyor = dvec2(speed, 0.0);
            });
            let mut play = ground.play();
            play.hold(Action::Right);
            let (on, off) = ((40.0 + phase) / 300.0, 60.0 / (300.0 + speed));
            for (time, pos) in path(play, 0.6) {
                let carried = (time - on).clamp(0.0, off);
                near(pos.x, 300.0 * time - phase + speed * carried, EXACT);
            }
        }
    }
}

#[test]
fn an_updraft_lifts_a_walker_at_the_border_of_its_zone() {
    for (hz, phase) in RATES.iter().flat_map(|hz| [(*hz, 0.0), (*hz, 1.3), (*hz, 4.1)]) {
        let ground = Ground::floor(hz).model(ModelName::two_velocity);
        let ground = ground.at(-phase, 19.0).moving(300.0, 0.0);
        let ground = ground.zone_with("fan", (40.0, -50.0), (900.0, 900.0), |zone| {
            zone.external_accel = dvec2(0.0, 6000.0);
        });
        let mut play = ground.play();
        play.hold(Action::Right);
        let meets = (40.0 + phase) / 300.0;
        // Before the body's own fall reaches its cap.
        for (time, pos) in path(play, meets + 0.15) {
            let since = (time - meets).max(0.0);
            near(pos.x, 300.0 * time - phase, EXACT);
            let fallen = 0.5 * GRAVITY * since * since;
            near(pos.y, 19.0 + blown(6000.0, since) - fallen, EXACT);
        }
    }
}

#[test]
fn a_zone_without_effects_changes_no_bit() {
    for hz in RATES {
        for model in [ModelName::platformer, ModelName::two_velocity, ModelName::vessel] {
            let mut bare = Ground::floor(hz).surface(0.1).model(model);
            bare = bare.at(0.0, 300.0).moving(200.0, 0.0);
            let mut zoned = bare.clone();
            for step in 0..40 {
                let x = 3.0 * f64::from(step);
                zoned = zoned.zone(&format!("{step}"), (x, -50.0), (x + 5.0, 310.0 - x));
            }
            let (mut one, mut two) = (bare.play(), zoned.play());
            one.hold(Action::Right);
            two.hold(Action::Right);
            for (a, b) in one.run(1.0).into_iter().zip(two.run(1.0)) {
                assert_eq!((a.pos, a.vel), (b.pos, b.vel));
            }
        }
    }
}

#[test]
fn a_tick_that_is_divided_gives_the_same_as_an_undivided_one() {
    // Wind too weak to notice divides ticks and changes nothing else.
    for hz in RATES {
        for model in [ModelName::platformer, ModelName::two_velocity, ModelName::ballistic] {
            let bare = Ground::floor(hz).model(model).at(0.0, 300.0).moving(200.0, 0.0);
            let mut zoned = bare.clone();
            for step in 0..40 {
                let x = 5.0 * f64::from(step);
                zoned = zoned.zone_with(&format!("{step}"), (x, 60.0), (x + 3.0, 310.5 - x), |z| {
                    z.external_accel = dvec2(0.0, 1e-9);
                });
            }
            let (mut one, mut two) = (bare.play(), zoned.play());
            for tick in 0..hz {
                if tick % (hz / 3) == 1 {
                    one.hold(Action::Jump);
                    two.hold(Action::Jump);
                } else {
                    one.release(Action::Jump);
                    two.release(Action::Jump);
                }
                one.hold(Action::Right);
                two.hold(Action::Right);
                let (a, b) = (one.tick(), two.tick());
                assert!(a.pos.distance(b.pos) < 1e-9, "{} and {}", a.pos, b.pos);
                assert!(a.vel.distance(b.vel) < 1e-6, "{} and {}", a.vel, b.vel);
            }
        }
    }
}

#[test]
fn a_zone_behind_a_wall_is_never_felt() {
    for hz in RATES {
        let wall = [(10.0, -900.0), (30.0, -900.0), (30.0, 900.0), (10.0, 900.0)];
        let bare = Ground::none(hz).model(ModelName::two_velocity).solid(&wall);
        let bare = bare.at(0.0, 600.0);
        let zoned = bare.clone().zone_with("z", (0.001, -900.0), (30.0, 900.0), |zone| {
            zone.gravity_scale = -1.0;
            zone.external_accel = dvec2(0.0, 5000.0);
        });
        let (mut one, mut two) = (bare.play(), zoned.play());
        one.hold(Action::Right);
        two.hold(Action::Right);
        for (a, b) in one.run(0.5).into_iter().zip(two.run(0.5)) {
            near(a.pos.y, b.pos.y, 1e-9);
            assert!(b.zones.is_empty());
        }
    }
}

#[test]
fn a_surface_counts_from_the_next_tick_on() {
    // Its recurrence has one grip for each tick: the grip of the place where the tick begins.
    for hz in RATES {
        let ground = Ground::floor(hz).surface(0.0).model(ModelName::two_velocity);
        let ground = ground.at(0.0, 19.0).moving(300.0, 0.0);
        let ground = ground.zone_with("ice", (40.0, -50.0), (900.0, 50.0), |zone| {
            zone.surface = Some(SurfaceId(1));
        });
        let mut play = ground.play();
        play.hold(Action::Right);
        let mut was = play.hero();
        while was.pos.x < 200.0 {
            if was.pos.x >= 40.0 {
                play.release(Action::Right);
            }
            let hero = play.tick();
            near(hero.vel.x, 300.0, 1e-9);
            was = hero;
        }
    }
}

#[test]
fn a_conveyor_against_the_walk_holds_a_body_at_its_border() {
    for hz in RATES {
        let ground = Ground::floor(hz).model(ModelName::two_velocity);
        let ground = ground.at(0.0, 19.0).moving(300.0, 0.0);
        let ground = ground.zone_with("belt", (40.0, -50.0), (900.0, 50.0), |zone| {
            zone.conveyor = dvec2(-450.0, 0.0);
        });
        let mut play = ground.play();
        play.hold(Action::Right);
        for (time, pos) in path(play, 0.5) {
            near(pos.x, (300.0 * time).min(40.0), EXACT);
        }
    }
}

#[test]
fn a_body_that_stands_at_the_border_of_a_conveyor_is_carried_or_not() {
    for hz in RATES {
        for (x, speed, expected) in
            [(-0.001, 120.0, -0.001), (0.001, 120.0, 60.001), (0.001, -120.0, 0.0), (-0.001, -120.0, -0.001)]
        {
            let ground = Ground::floor(hz).model(ModelName::two_velocity).at(x, 19.0);
            let ground = ground.zone_with("belt", (0.0, -50.0), (900.0, 50.0), |zone| {
                zone.conveyor = dvec2(speed, 0.0);
            });
            let way = path(ground.play(), 0.5);
            let seconds = way[way.len() - 1].0;
            let expected = if expected > 1.0 { x + speed * seconds } else { expected };
            near(way[way.len() - 1].1.x, expected, EXACT);
        }
    }
}

#[test]
fn a_flight_to_a_destination_ignores_the_zones_on_its_way() {
    for hz in RATES {
        let ground = Ground::floor(hz).zone_with("z", (50.0, -50.0), (90.0, 900.0), |zone| {
            zone.gravity_scale = -1.0;
            zone.external_accel = dvec2(900.0, 900.0);
        });
        let mut leaper = Leaper::new(ground, aim(150.0, 0.0, 40.0));
        let plan = leaper.launch();
        let mut ticks = 1;
        while leaper.play.told("land") == 0 {
            let hero = leaper.tick();
            ticks += 1;
            if leaper.play.told("land") == 0 {
                let due = at(&plan, f64::from(ticks) / f64::from(hz));
                near(hero.pos.distance(due), 0.0, 1e-6);
            }
            assert!(ticks < 2 * hz, "it lands");
        }
        assert_eq!(leaper.play.told("enter"), 1);
        assert_eq!(leaper.play.told("leave"), 1);
    }
}

/// A triangle anywhere around the origin, as a zone.
fn any_zone() -> impl Strategy<Value = Zone> {
    let point = || (-60.0..60.0_f64, -60.0..60.0_f64).prop_map(DVec2::from);
    ([point(), point(), point()], -2.0..2.0_f64).prop_filter_map("a flat triangle", |(points, gravity_scale)| {
        Some(Zone {
            present: true,
            time_scale: 1.0,
            name: "zone".into(),
            points: outline(&points).ok()?,
            external_accel: dvec2(gravity_scale, 1.0),
            gravity_scale,
            conveyor: DVec2::ZERO,
            surface: None,
        })
    })
}

proptest! {
    #![proptest_config(tried(200))]

    #[test]
    fn looking_up_zones_around_a_path_finds_the_same_conditions(
        list in prop::collection::vec(any_zone(), 0..140),
        from in (-50.0..50.0_f64, -50.0..50.0_f64),
        size in (0.0..20.0_f64, 0.0..20.0_f64),
        shares in prop::collection::vec((-0.2..1.2_f64, -0.2..1.2_f64), 20),
    ) {
        let (zones, from, size) = (Zones::new(list), DVec2::from(from), DVec2::from(size));
        let near = NearZones::of(&zones, Bounds::of(from, from + size));
        for share in shares {
            let at = from + size * DVec2::from(share);
            prop_assert_eq!(near.air_at(at), zones.air_at(at), "at {}", at);
        }
    }
}
