//! Solids that rotate: mills, pendulums and drawbridges.
//!
//! `HANGTIME_MILLS=1000000` sets the number of ticks with random mills; the default is small.

use crate::{
    common::{RATES, near},
    ground::{BODY, Ground, Play},
};
use glam::{DVec2, dvec2};
use hangtime_core::{
    geometry::{Collider, ColliderForm, polygon},
    level::{Level, MOST_ANGLE, Rotation, RotationLaw, Scenery, Solid, SurfaceId, Transit},
    models::{Action, BodyShape, HookState, Mode, ModelName},
    sim::{Command, SavedWorld},
};
use proptest::prelude::*;
use serde_json::json;
use std::f64::consts::TAU;

/// A solid that rotates about a point.
fn rotor(points: &[(f64, f64)], pivot: (f64, f64), law: RotationLaw) -> Solid {
    let points: Vec<DVec2> = points.iter().copied().map(DVec2::from).collect();
    let outline = polygon::outline(&points).expect("a simple polygon");
    let rotation = Some(Rotation { pivot: pivot.into(), law });
    Solid { rotation, ..Solid::new("rotor".into(), SurfaceId(0), outline) }
}

/// A level plank whose top is at y = 0, from −x to x, with the pivot in its middle.
fn plank(x: f64, law: RotationLaw) -> Solid {
    rotor(&[(-x, -20.0), (x, -20.0), (x, 0.0), (-x, 0.0)], (0.0, -10.0), law)
}

fn with(mut ground: Ground, solid: Solid) -> Ground {
    ground.others.push(solid);
    ground
}

/// Rotates the first solid that can be.
fn turn(play: &mut Play, to: f64) {
    let solids = play.stage.level.terrain.solids();
    let called = |solid: &Solid| matches!(solid.rotation, Some(Rotation { law: RotationLaw::Called(_), .. }));
    if let Some(solid) = solids.iter().position(called) {
        order(play, &Command::TurnSolid(solid as u32, to));
    }
}

fn order(play: &mut Play, command: &Command) {
    let hero = play.world.entities()[0].id;
    play.world.order(&play.stage, hero, command);
}

/// The angle of the first platform, °.
fn angle(play: &Play) -> f64 {
    play.world.standing(&play.stage).tilt(0).expect("it rotates").angle()
}

fn rotated(at: DVec2, pivot: DVec2, degrees: f64) -> DVec2 {
    pivot + DVec2::from_angle(degrees.to_radians()).rotate(at - pivot)
}

/// Whether a body is more than `depth` px inside anything.
fn is_inside(play: &Play, shape: Collider, depth: f64) -> bool {
    let standing = play.world.standing(&play.stage);
    let less = Collider { half: shape.half - DVec2::splat(depth), ..shape };
    scenery(&play.stage.level, &standing).overlap(less, play.hero().pos).is_some()
}

fn scenery<'a>(level: &'a Level, transit: &'a Transit) -> Scenery<'a> {
    level.terrain.moved(transit)
}

#[test]
fn a_rider_of_a_carousel_is_where_its_start_has_rotated_at_every_radius() {
    for hz in RATES {
        for speed in [45.0, -90.0, 400.0] {
            for radius in [0.0, 12.0, 90.0, 180.0] {
                let disc = Solid { top: 10.0, ..plank(200.0, RotationLaw::Steady(speed)) };
                let mut ground = with(Ground::none(hz).model(ModelName::topdown).top_view(), disc).at(radius, -10.0);
                ground.z = 10.0;
                let mut play = ground.play();
                for tick in 1..=2 * hz {
                    let hero = play.tick();
                    let turned = speed * f64::from(tick) / f64::from(hz);
                    let expected = rotated(dvec2(radius, -10.0), dvec2(0.0, -10.0), turned);
                    near(hero.pos.distance(expected), 0.0, 1e-6);
                    near(hero.z, 10.0, 0.0);
                }
            }
        }
    }
}

#[test]
fn the_foot_of_a_rider_stays_on_its_point_of_a_plank_that_tilts() {
    for hz in RATES {
        for form in [ColliderForm::Ellipse, ColliderForm::Capsule] {
            for x in [-250.0, -60.0, 0.0, 110.0, 250.0] {
                for speed in [-8.0, 8.0] {
                    let shape = Collider { form, ..BODY };
                    let ground = Ground::none(hz).tune("rest_spacing", 0.0).at(x, 19.0).figure(BodyShape::from(shape));
                    let mut play = with(ground, plank(300.0, RotationLaw::Steady(speed))).play();
                    for tick in 1..=3 * hz {
                        let hero = play.tick();
                        let turned = speed * f64::from(tick) / f64::from(hz);
                        assert!(hero.grounded, "it stands at {turned}°");
                        let normal = DVec2::from_angle(turned.to_radians()).perp();
                        let foot = hero.pos - shape.farthest(normal);
                        let expected = rotated(dvec2(x, 0.0), dvec2(0.0, -10.0), turned);
                        near(foot.distance(expected), 0.0, 1e-5);
                    }
                    assert_eq!(play.told("land") + play.told("leave_ground"), 0);
                }
            }
        }
    }
}

#[test]
fn a_box_rides_a_plank_that_tilts_and_comes_back_to_where_it_was() {
    for hz in RATES {
        let shape = Collider { form: ColliderForm::Box, ..BODY };
        for x in [-150.0, 0.0, 40.0] {
            let ground = Ground::none(hz).tune("rest_spacing", 0.0).at(x, 19.0).figure(BodyShape::from(shape));
            let mut play = with(ground, plank(300.0, RotationLaw::Swing(20.0, 4.0))).play();
            for _ in 0..4 * hz {
                let hero = play.tick();
                assert!(hero.grounded);
                assert!(!is_inside(&play, shape, 1e-4));
            }
            // Its corners bear it in turn, so it goes back on the arc on which it came.
            near(play.hero().pos.distance(dvec2(x, 19.0)), 0.0, 0.05);
        }
    }
}

#[test]
fn a_body_leaves_with_the_velocity_of_its_point() {
    for hz in RATES {
        for radius in [40.0, 120.0, 180.0] {
            for speed in [60.0_f64, -150.0] {
                let disc = Solid { top: 10.0, ..plank(200.0, RotationLaw::Steady(speed)) };
                let mut ground = with(Ground::none(hz).model(ModelName::topdown).top_view(), disc).at(radius, -10.0);
                ground.z = 10.0;
                let mut play = ground.play();
                play.run(0.2);
                play.hold(Action::Jump);
                let hero = play.tick();
                // External velocity decays from the moment of the jump.
                let damping = 4.0;
                let expected = speed.to_radians().abs() * radius * (-damping / f64::from(hz)).exp();
                near(hero.external.length() / expected, 1.0, 1e-6);
                let turned = speed * (0.2 * f64::from(hz)).round() / f64::from(hz);
                let along = DVec2::from_angle(turned.to_radians()).perp() * speed.signum();
                let heading = hero.external.normalize();
                // The tick in which it jumps rotates its ground, too.
                assert!(heading.dot(along) > (2.0 * speed.to_radians() / f64::from(hz)).cos() - 1e-9);
            }
        }
    }
}

#[test]
fn an_arm_sweeps_a_body_out_of_its_way() {
    for hz in RATES {
        for speed in [40.0_f64, 300.0, 3600.0] {
            for form in [ColliderForm::Ellipse, ColliderForm::Box, ColliderForm::Capsule] {
                let shape = Collider { form, ..BODY };
                let arm = rotor(
                    &[(0.0, -6.0), (260.0, -6.0), (260.0, 6.0), (0.0, 6.0)],
                    (0.0, 0.0),
                    RotationLaw::Steady(speed),
                );
                let ground = Ground::none(hz).gravity(0.0).at(0.0, 150.0).figure(BodyShape::from(shape));
                let mut play = with(ground, arm).play();
                let ticks = (100.0 / speed * f64::from(hz)).ceil() as u32;
                for _ in 0..ticks {
                    play.tick();
                    assert!(!is_inside(&play, shape, 0.05), "{form:?} at {}", play.hero().pos);
                }
                let hero = play.hero();
                assert!(hero.pos.is_finite() && play.told("crush") == 0);
                // It flies at least as fast as the arm where that struck it: the body is 150 px away.
                let fast = speed.to_radians() * 150.0;
                assert!((hero.vel + hero.external).length() > 0.5 * fast, "{}", hero.vel);
            }
        }
    }
}

#[test]
fn an_arm_crushes_a_body_against_the_floor_and_lets_it_go() {
    for hz in RATES {
        let arm = rotor(
            &[(-200.0, 55.0), (200.0, 55.0), (200.0, 85.0), (-200.0, 85.0)],
            (-190.0, 70.0),
            RotationLaw::Called(20.0),
        );
        // In a pit between two blocks, which are lower than the body.
        let block = |from: f64, to: f64| [(from, 0.0), (to, 0.0), (to, 30.0), (from, 30.0)];
        let pit = Ground::floor(hz).solid(&block(-40.0, -11.0)).solid(&block(11.0, 40.0));
        let mut play = with(pit.tune("rest_spacing", 0.0).at(0.0, 19.0), arm).play();
        turn(&mut play, -16.0);
        play.run(2.0);
        assert_eq!(play.told("crush"), 1);
        assert!(play.hero().pos.is_finite());
        turn(&mut play, 10.0);
        play.run(2.0);
        assert!(play.hero().grounded);
        assert!(!is_inside(&play, BODY, 0.05));
    }
}

#[test]
fn a_drawbridge_takes_the_time_of_its_speed_and_arrives_exactly() {
    for hz in RATES {
        for (to, speed) in [(90.0, 45.0), (-30.0, 20.0), (450.0, 300.0)] {
            let mut play = with(Ground::floor(hz).at(-500.0, 19.0), plank(100.0, RotationLaw::Called(speed))).play();
            play.run(0.5);
            near(angle(&play), 0.0, 0.0);
            turn(&mut play, to);
            let seconds = f64::abs(to) / speed;
            for tick in 1..=(seconds * f64::from(hz)).ceil() as u32 + 2 {
                play.tick();
                let turned = f64::min(speed * f64::from(tick) / f64::from(hz), f64::abs(to));
                near(angle(&play), f64::copysign(turned, to), 1e-6);
            }
            near(angle(&play), to, 0.0);
            assert_eq!(play.told("arrive"), 1);
        }
    }
}

/// A pendulum whose weight swings 10 px above the floor.
fn pendulum() -> Solid {
    let rod = [(520.0, 60.0), (502.0, 60.0), (502.0, 290.0), (498.0, 290.0), (498.0, 60.0), (480.0, 60.0)];
    let outline: Vec<(f64, f64)> = [(480.0, 10.0), (520.0, 10.0)].into_iter().chain(rod).collect();
    rotor(&outline, (500.0, 290.0), RotationLaw::Swing(50.0, 3.0))
}

#[test]
fn a_pendulum_crushes_a_body_in_a_niche_and_pushes_others_aside() {
    for hz in RATES {
        let niche = [(590.0, 0.0), (610.0, 0.0), (610.0, 52.0), (560.0, 52.0), (560.0, 42.0), (590.0, 42.0)];
        let ground = Ground::floor(hz).solid(&niche).tune("rest_spacing", 0.0);
        let mut play = with(ground.clone().at(579.0, 19.0), pendulum()).play();
        play.run(0.5);
        assert_eq!(play.told("crush"), 1);
        let mut play = with(ground.at(440.0, 19.0), pendulum()).play();
        play.run(2.5);
        assert_eq!(play.told("crush"), 0);
        // Until the weight is as high as the body, where it has swung 22° to the left, it pushes that ahead.
        assert!(play.hero().pos.x < 410.0, "{}", play.hero().pos);
    }
}

#[test]
fn a_plank_that_comes_up_under_a_falling_body_bears_it() {
    for hz in RATES {
        for form in [ColliderForm::Ellipse, ColliderForm::Box] {
            let shape = Collider { form, ..BODY };
            let law = RotationLaw::Called(45.0);
            let bridge = rotor(&[(0.0, -12.0), (200.0, -12.0), (200.0, 0.0), (0.0, 0.0)], (0.0, 0.0), law);
            let floor = Ground::none(hz).solid(&[(-400.0, -200.0), (0.0, -200.0), (0.0, 0.0), (-400.0, 0.0)]);
            let falls = floor.tune("rest_spacing", 0.0).at(100.0, 25.0).figure(BodyShape::from(shape));
            let mut play = with(falls, bridge).play();
            turn(&mut play, 90.0);
            let hero = play.run(0.5).pop().expect("it is played");
            assert!(hero.grounded, "{form:?} at {hz} Hz");
            // Its point is about 100 px from the hinge, and rises with it.
            let risen = 100.0 * f64::to_radians(22.5).sin();
            assert!((hero.pos.y - 19.0 - risen).abs() < 12.0, "{} and {risen}", hero.pos);
            assert_eq!(play.told("land"), 1);
            play.run(2.0);
            near(angle(&play), 90.0, 0.0);
            assert!(play.hero().pos.y < 40.0, "it has slid off");
        }
    }
}

#[test]
fn a_plank_that_gets_too_steep_drops_its_rider() {
    for hz in RATES {
        let ground = Ground::none(hz).tune("rest_spacing", 0.0).at(60.0, 19.0);
        let mut play = with(ground, plank(200.0, RotationLaw::Called(60.0))).play();
        turn(&mut play, -90.0);
        let ended = play.run(2.5).into_iter().position(|hero| !hero.grounded);
        assert!(ended.is_some(), "it falls");
        assert!(play.hero().pos.y < -100.0);
        assert_eq!(play.told("crush"), 0);
        assert!(play.told("leave_ground") > 0);
    }
}

#[test]
fn a_pendulum_swings_like_a_sine() {
    for hz in RATES {
        let mut play = with(Ground::floor(hz).at(-900.0, 19.0), plank(50.0, RotationLaw::Swing(60.0, 3.0))).play();
        for tick in 1..=4 * hz {
            play.tick();
            let share = f64::from(tick) / f64::from(hz) / 3.0;
            near(angle(&play), 60.0 * (TAU * share).sin(), 1e-9);
        }
    }
}

#[test]
fn time_that_stands_still_or_is_slow_holds_a_mill_up() {
    for hz in RATES {
        let ground = Ground::none(hz).tune("rest_spacing", 0.0).at(100.0, 19.0);
        let mut play = with(ground, plank(200.0, RotationLaw::Steady(10.0))).play();
        play.run(1.0);
        for (scale, seconds, until) in [(0.0, 1.0, 10.0), (0.5, 1.0, 15.0), (1.0, 0.5, 20.0)] {
            order(&mut play, &Command::SetWorldTimeScale(scale));
            let before = play.hero();
            play.run(seconds);
            near(angle(&play), until, 1e-6);
            let hero = play.hero();
            let moved = rotated(dvec2(100.0, 0.0), dvec2(0.0, -10.0), until);
            let normal = DVec2::from_angle(f64::to_radians(until)).perp();
            near((hero.pos - BODY.farthest(normal)).distance(moved), 0.0, 1e-4);
            assert!(scale != 0.0 || hero.pos == before.pos);
        }
    }
}

#[test]
fn a_vessel_lands_on_a_plank_and_turns_with_it() {
    for hz in RATES {
        let ground = Ground::none(hz)
            .model(ModelName::vessel)
            .figure(BodyShape::of_box(40.0, 20.0))
            .at(0.0, 30.0);
        let mut play = with(ground, plank(200.0, RotationLaw::Swing(12.0, 8.0))).play();
        play.run(2.0);
        for _ in 0..6 * hz {
            let vessel = play.tick();
            near(vessel.angle.to_degrees(), angle(&play), 1.0);
            let above = rotated(vessel.pos, dvec2(0.0, -10.0), -angle(&play));
            near(above.y, 10.0, 1.0);
        }
    }
}

#[test]
fn a_hook_follows_what_it_is_attached_to() {
    for hz in RATES {
        let arm = rotor(
            &[(-120.0, 200.0), (120.0, 200.0), (120.0, 230.0), (-120.0, 230.0)],
            (0.0, 215.0),
            RotationLaw::Steady(30.0),
        );
        let mut play = with(Ground::floor(hz).at(0.0, 19.0), arm).play();
        play.input.aim = Some(dvec2(60.0, 400.0));
        play.hold(Action::Hook);
        let mut tip = None;
        for _ in 0..hz {
            let hero = play.tick();
            if hero.hook.state != HookState::Attached {
                continue;
            }
            let drawn = rotated(hero.hook.tip, dvec2(0.0, 215.0), -angle(&play));
            let first = *tip.get_or_insert(drawn);
            near(drawn.distance(first), 0.0, 1e-6);
        }
        assert!(tip.is_some(), "it attaches");
    }
}

#[test]
fn angles_that_are_none_change_nothing_and_huge_ones_are_bounded() {
    let mut play = with(Ground::floor(60).at(-500.0, 19.0), plank(100.0, RotationLaw::Called(90.0))).play();
    for nothing in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        turn(&mut play, nothing);
        order(&mut play, &Command::TurnSolid(7, 1.0));
        order(&mut play, &Command::TurnSolid(0, 1.0));
        play.run(0.2);
        near(angle(&play), 0.0, 0.0);
    }
    for huge in [1e300, -1e300] {
        turn(&mut play, huge);
        let saved = serde_json::to_value(&play.world).expect("it is saved");
        near(saved["switches"]["rotated"][0]["to"].as_f64().expect("an angle"), MOST_ANGLE.copysign(huge), 0.0);
        play.run(0.5);
        let saved: SavedWorld =
            serde_json::from_value(serde_json::to_value(&play.world).expect("it is saved")).expect("it is read");
        saved.check(&play.stage).expect("it is valid");
    }
}

proptest! {
    #[test]
    fn a_saved_world_continues_with_what_rotates(
        orders in prop::collection::vec((0_u32..40, -400.0..400.0_f64), 1..6),
        x in -90.0..90.0_f64,
    ) {
        let play = || {
            let ground = Ground::floor(60).tune("rest_spacing", 0.0).at(x, 119.0);
            let raised = rotor(&[(-100.0, 80.0), (100.0, 80.0), (100.0, 100.0), (-100.0, 100.0)], (0.0, 90.0), RotationLaw::Called(50.0));
            let mill = rotor(&[(300.0, 60.0), (420.0, 60.0), (420.0, 70.0), (300.0, 70.0)], (360.0, 65.0), RotationLaw::Steady(-70.0));
            with(with(ground, raised), mill).play()
        };
        let (mut play, mut twin) = (play(), play());
        for (ticks, to) in orders {
            turn(&mut play, to);
            turn(&mut twin, to);
            for _ in 0..=ticks {
                play.tick();
                let saved = serde_json::to_value(&twin.world).expect("it is saved");
                let saved: SavedWorld = serde_json::from_value(saved).expect("it is read");
                twin.world = saved.check(&twin.stage).map_err(|why| TestCaseError::fail(why.to_string()))?;
                twin.tick();
                prop_assert_eq!(play.world.hash(), twin.world.hash());
            }
        }
    }
}

#[test]
fn saved_rotations_are_checked() {
    let mut play = with(Ground::none(60), plank(100.0, RotationLaw::Called(90.0))).play();
    turn(&mut play, 50.0);
    play.run(0.25);
    let saved = serde_json::to_value(&play.world).expect("it is saved");
    for (field, value) in [("solid", json!(4)), ("from", json!(1e9)), ("to", json!(-1e9)), ("since", json!(5.0))] {
        let mut saved = saved.clone();
        saved["switches"]["rotated"][0][field] = value;
        let saved: SavedWorld = serde_json::from_value(saved).expect("it has all fields");
        let why = saved.check(&play.stage).expect_err("it is refused").to_string();
        assert!(why.contains(&format!("switches.rotated[0].{field}")), "{field}: {why}");
    }
}

/// A random generator that never changes, so that a number identifies a mill.
struct Dice(u64);

impl Dice {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        low + (high - low) * (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Walls around a floor that nothing leaves.
fn basin(mut ground: Ground) -> Ground {
    for side in [-1.0_f64, 1.0] {
        let (a, b) = (side * 420.0, side * 520.0);
        ground = ground.solid(&[(a.min(b), -50.0), (a.max(b), -50.0), (a.max(b), 4000.0), (a.min(b), 4000.0)]);
    }
    ground
}

#[test]
fn vessels_stay_in_the_basin_of_a_mill() {
    for number in 0..24 {
        let mut dice = Dice(number);
        let hz = RATES[number as usize % 4];
        let law = RotationLaw::Steady(dice.between(-300.0, 300.0));
        let arm = rotor(&[(-150.0, 240.0), (150.0, 240.0), (150.0, 265.0), (-150.0, 265.0)], (0.0, 250.0), law);
        let ground = basin(Ground::floor(hz).model(ModelName::vessel).figure(BodyShape::of_box(40.0, 24.0)));
        let mut play = with(ground, arm).at(dice.between(-140.0, 140.0), 480.0).play();
        for tick in 0..6 * hz {
            if tick % 30 == 0 {
                for action in [Action::Left, Action::Right, Action::Up] {
                    play.release(action);
                    if dice.between(0.0, 1.0) < 0.4 {
                        play.hold(action);
                    }
                }
            }
            let vessel = play.tick();
            let inside = (-420.0..420.0).contains(&vessel.pos.x) && vessel.pos.y > 0.0;
            assert!(inside && vessel.angle.is_finite(), "mill {number}: it is lost at {}", vessel.pos);
        }
    }
}

#[test]
fn a_body_that_clings_to_a_wall_that_tilts_stays_at_its_point() {
    for hz in RATES {
        let law = RotationLaw::Swing(12.0, 6.0);
        let wall = rotor(&[(30.0, -200.0), (60.0, -200.0), (60.0, 300.0), (30.0, 300.0)], (45.0, 0.0), law);
        let mut play = with(Ground::none(hz).tune("rest_spacing", 0.0).at(15.0, 60.0), wall).play();
        play.hold(Action::Right);
        let mut held = None;
        for _ in 0..3 * hz {
            let hero = play.tick();
            // What leans over the body counts as a roof.
            if !matches!(hero.mode, Mode::Wall | Mode::Roof) {
                assert!(held.is_none(), "it lets go at {}°", angle(&play));
                continue;
            }
            let normal = DVec2::from_angle(angle(&play).to_radians()) * -1.0;
            let drawn = rotated(hero.pos - BODY.farthest(normal), dvec2(45.0, 0.0), -angle(&play));
            near(drawn.distance(*held.get_or_insert(drawn)), 0.0, 1e-4);
        }
        assert!(held.is_some(), "it grabs the wall");
    }
}

#[test]
fn random_mills_lose_no_body_and_let_none_in() {
    let ticks = std::env::var("HANGTIME_MILLS")
        .ok()
        .map_or(100_000, |n| n.parse::<u64>().expect("a number of ticks"));
    let per_mill = 500;
    let (mut ticks_crushed, mut deepest) = (0, 0.0_f64);
    for number in 0..ticks / per_mill {
        let mut dice = Dice(number);
        let hz = RATES[number as usize % 4];
        let form = [ColliderForm::Ellipse, ColliderForm::Capsule, ColliderForm::Box][number as usize % 3];
        let shape = Collider { form, half: dvec2(dice.between(5.0, 16.0), dice.between(8.0, 22.0)) };
        let arms = 1 + number % 4;
        let law = match number % 5 {
            0 => RotationLaw::Swing(dice.between(10.0, 170.0), dice.between(0.8, 6.0)),
            1 => RotationLaw::Called(dice.between(10.0, 400.0)),
            _ => RotationLaw::Steady(dice.between(-400.0, 400.0)),
        };
        let mut ground = Ground::floor(hz).figure(BodyShape::from(shape));
        ground = basin(ground);
        let long = dice.between(60.0, 180.0);
        let thick = dice.between(3.0, 14.0);
        let at = dvec2(dice.between(-60.0, 60.0), long + 80.0);
        for arm in 0..arms {
            let turn = DVec2::from_angle(TAU * arm as f64 / arms as f64);
            let corner = |x: f64, y: f64| (at + turn.rotate(dvec2(x, y))).into();
            let points = [corner(0.0, -thick), corner(long, -thick), corner(long, thick), corner(0.0, thick)];
            ground.others.push(rotor(&points, at.into(), law));
        }
        let start = at + dvec2(dice.between(-1.0, 1.0), 1.0) * (long + 60.0);
        let mut play = ground.at(start.x, start.y).play();
        let (mut crushed, mut told) = (false, 0);
        for tick in 0..per_mill {
            if tick % 20 == 0 {
                for action in [Action::Left, Action::Right, Action::Jump, Action::Up] {
                    play.release(action);
                    if dice.between(0.0, 1.0) < 0.4 {
                        play.hold(action);
                    }
                }
                turn(&mut play, dice.between(-720.0, 720.0));
            }
            let hero = play.tick();
            assert!(hero.pos.is_finite(), "mill {number}, tick {tick}");
            let inside = (-420.0..420.0).contains(&hero.pos.x) && hero.pos.y > 0.0;
            assert!(inside, "mill {number}, tick {tick}: it is lost at {}", hero.pos);
            // A body without room stays crushed until it is free.
            crushed = play.told("crush") > told || crushed && is_inside(&play, shape, 1e-3);
            told = play.told("crush");
            if crushed {
                ticks_crushed += 1;
            } else {
                let depth = [0.05, 0.02, 1e-3].into_iter().find(|depth| is_inside(&play, shape, *depth));
                deepest = deepest.max(depth.unwrap_or(0.0));
                assert!(deepest < 0.05, "mill {number}, tick {tick}: it is inside at {}", hero.pos);
            }
        }
    }
    println!("crushed in {ticks_crushed} of {ticks} ticks, deepest {deepest} px");
}
