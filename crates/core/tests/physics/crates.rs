//! A hero pushes crates along the ground.

use crate::{
    cast::{Cast, Member},
    common::{loaded, near},
    ground::Ground,
};
use glam::{DVec2, dvec2};
use hangtime_core::{
    geometry::{
        Collider,
        apart::{colliders, colliders_along},
    },
    models::{Action, ModelName},
    sim::{Inputs, PlayerInput},
};

const HERO: Collider = Collider::ellipse(10.0, 19.0);
const CRATE: Collider = Collider::ellipse(12.0, 12.0);

/// The tick rates of this file, odd ones and high ones too.
const ALL_RATES: [u32; 7] = [30, 37, 60, 120, 144, 240, 480];

/// A body that pushes and stands at `at` on a flat floor at height 0 under its center.
fn pusher(name: &'static str, model: ModelName, shape: Collider, x: f64) -> Member {
    let mut member = Member::new(name, model, shape, dvec2(x, shape.half.y));
    member.pushes = true;
    member
}

/// The members on their ground, with a hero that runs to the right.
fn scene(ground: &Ground, members: &[Member]) -> Cast {
    let mut cast = Cast::led(ground, members);
    cast.input.held.insert(Action::Right);
    cast
}

fn floor(hz: u32) -> Ground {
    Ground::none(hz).solid(&[(-2000.0, -100.0), (4000.0, -100.0), (4000.0, 0.0), (-2000.0, 0.0)])
}

/// The mean velocity of each member between two moments, px/s.
fn mean_velocity(cast: &mut Cast, from: f64, to: f64) -> Vec<DVec2> {
    let count = cast.world.entities().len();
    let places = |cast: &Cast| (0..count).map(|i| cast.view(i).pos).collect::<Vec<_>>();
    cast.run(from);
    let before = places(cast);
    cast.run(to - from);
    let after = places(cast);
    let pairs = after.iter().zip(before);
    pairs.map(|(a, b)| (*a - b) / (to - from)).collect()
}

/// Pushing moves all bodies of a row at the speed that keeps their momentum: the speed of the hero
/// alone, times its share of the mass. The last bodies of a row may still be settling.
fn check_row(ground: &Ground, hz: u32, members: &[Member], direction: DVec2) {
    let mut alone = scene(ground, &members[..1]);
    let free = mean_velocity(&mut alone, 1.0, 2.0)[0].dot(direction);
    let mass: f64 = members.iter().map(|m| m.mass).sum();
    let expected = free * members[0].mass / mass;
    let mut cast = scene(ground, members);
    let speeds = mean_velocity(&mut cast, 1.0, 2.0);
    for (member, velocity) in members.iter().zip(speeds) {
        let speed = velocity.dot(direction);
        assert!(
            (speed - expected).abs() <= 0.5,
            "{} moves at {speed} px/s instead of {expected} at {hz} Hz ({mass} in all)",
            member.name
        );
    }
    assert_eq!(cast.told("hero", "leave_ground"), 0, "at {hz} Hz");
}

#[test]
fn a_crate_is_pushed_at_the_same_speed_at_every_tick_rate() {
    for hz in ALL_RATES {
        for model in [ModelName::two_velocity, ModelName::platformer] {
            let hero = pusher("hero", ModelName::two_velocity, HERO, -24.0);
            let other = pusher("box", model, CRATE, 0.0);
            check_row(&floor(hz), hz, &[hero, other], DVec2::X);
        }
    }
}

#[test]
fn a_running_hero_pushes_with_its_share_of_the_mass() {
    for hz in ALL_RATES {
        let hero = pusher("hero", ModelName::platformer, HERO, -24.0);
        let other = pusher("box", ModelName::platformer, CRATE, 0.0);
        check_row(&floor(hz), hz, &[hero, other], DVec2::X);
    }
}

#[test]
fn the_pushing_speed_follows_from_the_masses_for_bodies_of_every_size() {
    let sizes = [(5.0, 5.0), (10.0, 19.0), (12.0, 12.0), (40.0, 10.0), (15.0, 40.0)];
    for hz in [30, 60, 240] {
        for (x, y) in sizes {
            for mass in [0.1, 1.0, 10.0] {
                let shape = Collider::ellipse(x, y);
                let hero = pusher("hero", ModelName::two_velocity, HERO, -12.0 - x);
                let mut other = pusher("box", ModelName::platformer, shape, 0.0);
                other.mass = mass;
                check_row(&floor(hz), hz, &[hero, other], DVec2::X);
            }
        }
    }
}

#[test]
fn a_row_of_three_crates_is_pushed_as_one() {
    for hz in ALL_RATES {
        let member = |name, x| pusher(name, ModelName::platformer, CRATE, x);
        let hero = pusher("hero", ModelName::two_velocity, HERO, -24.0);
        let row = [hero, member("a", 0.0), member("b", 24.5), member("c", 49.0)];
        check_row(&floor(hz), hz, &row, DVec2::X);
    }
}

#[test]
fn crates_are_pushed_up_and_down_slopes_without_leaving_the_ground() {
    for hz in [30, 60, 120, 240, 480] {
        for degrees in [-44.0_f64, -30.0, -10.0, 10.0, 30.0, 44.0] {
            let along = DVec2::from_angle(degrees.to_radians());
            let (left, right) = (along * -800.0, along * 2000.0);
            let deep = left.y.min(right.y) - 100.0;
            let ground =
                Ground::none(hz).solid(&[(left.x, deep), (right.x, deep), (right.x, right.y), (left.x, left.y)]);
            let place = |mut member: Member, shape: Collider, at: f64| {
                member.at = along * at;
                member.at.y += shape.reach(along.perp()) / along.x;
                member
            };
            let hero = pusher("hero", ModelName::two_velocity, HERO, 0.0);
            let other = pusher("box", ModelName::platformer, CRATE, 0.0);
            let row = [place(hero, HERO, -40.0), place(other, CRATE, 0.0)];
            check_row(&ground, hz, &row, along);
        }
    }
}

#[test]
fn a_crate_at_a_wall_stops_the_hero() {
    for hz in ALL_RATES {
        for count in 1..=2 {
            let ground = floor(hz).solid(&[(100.0, -50.0), (200.0, -50.0), (200.0, 300.0), (100.0, 300.0)]);
            let mut members = vec![pusher("hero", ModelName::two_velocity, HERO, -60.0)];
            for (name, x) in [("a", 0.0), ("b", 40.0)].into_iter().take(count) {
                members.push(pusher(name, ModelName::platformer, CRATE, x));
            }
            let mut cast = scene(&ground, &members);
            cast.run(3.0);
            near(cast.view(count).pos.x, 100.0 - 12.0, 1e-6);
            let last: Vec<_> = (0..=count).map(|i| cast.view(i).pos).collect();
            // In contact on the floor: each is as far from the next as touching shapes are, less
            // at most the distance of a tick for each crate that passes the push on.
            let slack = 300.0 / f64::from(hz) * (count - 1) as f64 + 1e-3;
            let touching = colliders_along(CRATE, dvec2(0.0, 12.0), HERO, dvec2(-1.0, 19.0), DVec2::X);
            let reach = touching.expect("they overlap") + 1.0;
            let gap = last[1].x - last[0].x;
            assert!(gap >= reach - slack && gap <= reach + 1e-3, "{gap}, not {reach} at {hz} Hz");
            for _ in 0..hz {
                cast.tick();
                for (i, before) in last.iter().enumerate() {
                    near(cast.view(i).pos.distance(*before), 0.0, 1e-6);
                }
            }
        }
    }
}

#[test]
fn a_crate_falls_off_a_ledge_and_the_hero_follows() {
    for hz in ALL_RATES {
        let ground = floor(hz).solid(&[(-500.0, -50.0), (60.0, -50.0), (60.0, 80.0), (-500.0, 80.0)]);
        let mut hero = pusher("hero", ModelName::two_velocity, HERO, -30.0);
        let mut other = pusher("box", ModelName::platformer, CRATE, 0.0);
        hero.at.y += 80.0;
        other.at.y += 80.0;
        let mut cast = scene(&ground, &[hero, other]);
        cast.run(3.0);
        assert_eq!(cast.told("box", "leave_ground"), 1, "at {hz} Hz");
        near(cast.view(1).pos.y, 12.0, 1e-6);
        near(cast.view(0).pos.y, 19.0, 1e-6);
        // It has cleared the ledge, whose side is at 60.
        assert!(cast.view(1).pos.x >= 72.0 - 1e-6, "at {hz} Hz");
    }
}

#[test]
fn a_body_that_lands_on_a_crate_pushes_nothing_into_the_floor() {
    for hz in ALL_RATES {
        for x in [-9.0, -3.0, 0.0, 0.5, 6.0] {
            let mut hero = pusher("hero", ModelName::two_velocity, HERO, x);
            hero.at.y = 120.0;
            let mut cast = scene(&floor(hz), &[hero, pusher("box", ModelName::platformer, CRATE, 0.0)]);
            cast.input = PlayerInput::default();
            for _ in 0..3 * hz {
                cast.tick();
                near(cast.view(1).pos.y, 12.0, 1e-6);
                let [hero, other] = [0, 1].map(|i| cast.view(i).pos);
                assert!(hero.y >= 19.0 - 1e-6, "{hero}");
                let left = colliders(HERO, hero, CRATE, other).map_or(0.0, DVec2::length);
                // A body that finds its floor comes down by up to `ground_probe`.
                assert!(left < 0.5, "{left} px of overlap at {hz} Hz from {x}");
            }
        }
    }
}

#[test]
fn a_pushed_row_does_not_depend_on_the_order_of_entities_or_on_a_snapshot() {
    let member = |name, x| pusher(name, ModelName::platformer, CRATE, x);
    let hero = pusher("hero", ModelName::two_velocity, HERO, -24.0);
    let row = [hero, member("a", 0.0), member("b", 24.5), member("c", 49.0)];
    let mut backwards = row.clone();
    backwards.reverse();
    let mut one = scene(&floor(60), &row);
    let mut other = scene(&floor(60), &backwards);
    for tick in 0..120 {
        assert_eq!(one.world.hash(), other.world.hash(), "in tick {tick}");
        let saved = serde_json::to_string(&one.world).expect("plain data");
        let mut restored = loaded(&saved, &one.stage);
        one.tick();
        other.tick();
        let inputs = Inputs::of_first(one.input);
        restored.tick(&one.stage, &inputs, &mut crate::cast::Orders::default());
        assert_eq!(one.world.hash(), restored.hash(), "after tick {tick}");
    }
}

#[test]
fn the_way_out_of_an_ellipse_along_a_line_ends_where_they_touch() {
    for degrees in (0..360).step_by(15) {
        let toward = DVec2::from_angle(f64::from(degrees).to_radians());
        for (a, b) in [(HERO, CRATE), (Collider::ellipse(40.0, 5.0), HERO)] {
            for at in [dvec2(0.0, 0.0), dvec2(7.0, -3.0), dvec2(-5.0, 11.0)] {
                let Some(distance) = colliders_along(a, at, b, DVec2::ZERO, toward) else {
                    assert!(colliders(a, at, b, DVec2::ZERO).is_none());
                    continue;
                };
                let touching = |by: f64| colliders(a, at + toward * by, b, DVec2::ZERO).is_some();
                assert!(touching(distance - 1e-3), "{degrees}°");
                assert!(!touching(distance + 1e-6), "{degrees}°");
            }
        }
    }
}

#[test]
fn a_crate_on_a_one_way_platform_is_pushed_as_on_a_floor() {
    for hz in ALL_RATES {
        let ground = Ground::none(hz).one_way(&[(-2000.0, 0.0), (4000.0, 0.0)]);
        let hero = pusher("hero", ModelName::two_velocity, HERO, -24.0);
        let other = pusher("box", ModelName::platformer, CRATE, 0.0);
        check_row(&ground, hz, &[hero, other], DVec2::X);
    }
}

#[test]
fn a_crate_on_a_moving_platform_is_pushed_at_the_same_speed_on_it() {
    let carried = 50.0;
    for hz in ALL_RATES {
        let top = [(-2000.0, -100.0), (4000.0, -100.0), (4000.0, 0.0), (-2000.0, 0.0)];
        let ground = Ground::none(hz).platform(&top, &[(0.0, 0.0), (1000.0, 0.0)], carried);
        let hero = pusher("hero", ModelName::two_velocity, HERO, -24.0);
        let other = pusher("box", ModelName::platformer, CRATE, 0.0);
        let alone = mean_velocity(&mut scene(&ground, std::slice::from_ref(&hero)), 1.0, 2.0)[0].x;
        let speeds = mean_velocity(&mut scene(&ground, &[hero, other]), 1.0, 2.0);
        for speed in speeds {
            near(speed.x, carried + 0.5 * (alone - carried), 1.0);
        }
    }
}

#[test]
fn a_crate_seen_from_above_is_pushed_up_to_a_wall_and_no_farther() {
    for hz in ALL_RATES {
        let ground = Ground::none(hz).top_view();
        let member = |name, shape, x| {
            let mut member = Member::new(name, ModelName::topdown, shape, dvec2(x, 0.0));
            member.pushes = true;
            member
        };
        let row = [member("hero", CRATE, -30.0), member("box", CRATE, 0.0)];
        check_row(&ground, hz, &row, DVec2::X);
        let wall = [(300.0, -90.0), (400.0, -90.0), (400.0, 90.0), (300.0, 90.0)];
        let mut cast = scene(&ground.solid(&wall), &row);
        cast.run(4.0);
        near(cast.view(1).pos.x, 300.0 - 12.0, 1e-6);
        near(cast.view(0).pos.x, 300.0 - 36.0, 1e-3);
    }
}

#[test]
fn nothing_trembles_after_the_hero_lets_go() {
    for hz in ALL_RATES {
        for model in [ModelName::two_velocity, ModelName::platformer] {
            let hero = pusher("hero", model, HERO, -24.0);
            let other = pusher("box", ModelName::platformer, CRATE, 0.0);
            let mut cast = scene(&floor(hz), &[hero, other]);
            cast.run(1.0);
            cast.input = PlayerInput::default();
            cast.run(2.0);
            let last = [0, 1].map(|i| cast.view(i).pos);
            for _ in 0..hz {
                cast.tick();
                for (i, before) in last.iter().enumerate() {
                    near(cast.view(i).pos.distance(*before), 0.0, 1e-3);
                }
            }
        }
    }
}

#[test]
fn a_body_between_a_wall_and_a_crate_pushes_the_crate_all_the_way() {
    for hz in ALL_RATES {
        let wall = [(-200.0, -50.0), (-100.0, -50.0), (-100.0, 300.0), (-200.0, 300.0)];
        let hero = pusher("hero", ModelName::two_velocity, HERO, -90.0);
        let other = pusher("box", ModelName::platformer, CRATE, -75.0);
        let mut cast = scene(&floor(hz).solid(&wall), &[hero, other]);
        cast.input = PlayerInput::default();
        cast.tick();
        cast.tick();
        near(cast.view(0).pos.x, -90.0, 1e-6);
        let [hero, other] = [0, 1].map(|i| cast.view(i).pos);
        assert!(colliders(HERO, hero, CRATE, other).is_none(), "at {hz} Hz");
        near(other.y, 12.0, 1e-6);
    }
}
