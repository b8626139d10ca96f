//! External velocity moves a vessel that lies or stands on something as it moves every other body: no friction slows it,
//! and only what it leads into stops it.

use crate::{
    common::near,
    ground::{Ground, Play},
};
use glam::{DVec2, dvec2};
use hangtime_core::{
    geometry::polygon,
    level::{Path, PathEnd, Solid, SurfaceId},
    models::{BodyShape, ModelName, Piece},
    sim::Command,
};

/// Common tick rates, and odd ones.
const RATES: [u32; 6] = [30, 50, 60, 120, 144, 240];

/// How fast external velocity decays, 1/s.
const DAMPING: f64 = 4.0;

/// Gravity of a stage without its own, px/s².
const GRAVITY: f64 = 3672.0;

/// A box 24 px wide and 16 px high over a floor at y = 0.
fn on_floor(hz: u32) -> Ground {
    Ground::floor(hz)
        .model(ModelName::vessel)
        .figure(BodyShape::of_box(24.0, 16.0))
        .at(0.0, 8.0)
}

/// A hull over two feet that end 16 px below its center of mass.
fn lander() -> BodyShape {
    let piece = |(left, low): (f64, f64), (right, high): (f64, f64), foot: bool| Piece {
        points: [(left, low), (right, low), (right, high), (left, high)].map(DVec2::from).to_vec(),
        foot,
    };
    let foot = |x: f64| piece((x - 4.0, -16.0), (x + 4.0, -6.0), true);
    BodyShape::of_pieces(vec![piece((-18.0, -8.0), (18.0, 12.0), false), foot(-12.0), foot(12.0)], DVec2::ZERO)
}

fn push(play: &mut Play, velocity: DVec2) {
    let hero = play.world.entities()[0].id;
    play.world.order(&play.stage, hero, &Command::Push(velocity));
}

#[test]
fn a_push_moves_a_box_on_a_floor_by_its_speed_over_the_damping() {
    for hz in RATES {
        for speed in [0.0, 3.0, 20.0, 200.0, -200.0, 2000.0] {
            for friction in [0.0, 0.1, 1.0] {
                for (cap, solver) in [(0.0, "sequential"), (0.8, "simultaneous"), (5.0, "sequential")] {
                    for rested in [0.0, 1.0] {
                        let ground = on_floor(hz).tune("friction", friction).tune("friction_cap", cap);
                        let mut play = ground.tune_word("solver", solver).play();
                        play.run(rested);
                        let before = play.hero();
                        push(&mut play, dvec2(speed, 0.0));
                        let mut ticks = 0;
                        for now in play.run(1.0) {
                            ticks += 1;
                            let time = f64::from(ticks) / f64::from(hz);
                            let expected = speed / DAMPING * (1.0 - (-DAMPING * time).exp());
                            near(now.pos.x, expected, 1e-6);
                            near(now.external.x, speed * (-DAMPING * time).exp(), 1e-6);
                            near(now.pos.y, 8.0, 1e-6);
                            assert!(now.grounded);
                        }
                        let last = play.run(6.0).pop().expect("ticks");
                        near(last.pos.x, speed / DAMPING, 1e-5);
                        assert_eq!((last.vel, last.external, last.spin), (DVec2::ZERO, DVec2::ZERO, 0.0));
                        if speed == 0.0 {
                            assert_eq!((last.pos, last.angle), (before.pos, before.angle));
                        }
                        // It is at rest again.
                        let after = play.run(1.0).pop().expect("ticks");
                        assert_eq!((after.pos, after.angle), (last.pos, last.angle));
                    }
                }
            }
        }
    }
}

#[test]
fn wind_moves_a_box_on_a_floor() {
    for hz in RATES {
        for accel in [3000.0, -300.0] {
            let all = ((-5000.0, -500.0), (5000.0, 500.0));
            let ground = on_floor(hz).zone_with("wind", all.0, all.1, |z| z.external_accel = dvec2(accel, 0.0));
            let now = ground.play().run(1.0).pop().expect("ticks");
            let gained = accel / DAMPING * (1.0 - (-DAMPING).exp());
            near(now.external.x, gained, 1e-6);
            near(now.pos.x, (accel - gained) / DAMPING, 1e-6);
        }
    }
}

#[test]
fn wind_moves_a_box_from_the_border_of_its_zone_on() {
    for hz in RATES {
        let far = ((20.0, -50.0), (900.0, 200.0));
        let ground = on_floor(hz).zone_with("wind", far.0, far.1, |z| z.external_accel = dvec2(600.0, 0.0));
        let mut play = ground.play();
        play.run(1.0);
        push(&mut play, dvec2(200.0, 0.0));
        play.run(0.5);
        let now = play.hero();
        // It gets to the border after t with 50·(1 − exp(−4t)) = 20.
        let until = -(1.0 - 20.0 / 50.0_f64).ln() / DAMPING;
        let (time, entered) = ((0.5 * f64::from(hz)).round() / f64::from(hz) - until, 200.0 * 0.6);
        let kept = (-DAMPING * time).exp();
        near(now.external.x, entered * kept + 600.0 / DAMPING * (1.0 - kept), 1e-3);
        let drifted = entered / DAMPING * (1.0 - kept) + 600.0 / DAMPING * (time - (1.0 - kept) / DAMPING);
        near(now.pos.x, 20.0 + drifted, 1e-3);
    }
}

#[test]
fn a_push_adds_to_a_glide() {
    for hz in RATES {
        for push_speed in [200.0, -200.0] {
            let mut play = on_floor(hz).tune("friction", 0.0).moving(50.0, 0.0).play();
            push(&mut play, dvec2(push_speed, 0.0));
            let last = play.run(1.0).pop().expect("ticks");
            near(last.pos.x, 50.0 + push_speed / DAMPING * (1.0 - (-DAMPING).exp()), 1e-6);
            near(last.vel.x, 50.0, 1e-9);
            // Friction brakes only its own velocity, over 50²/(2·0.8·g).
            let mut play = on_floor(hz).moving(50.0, 0.0).play();
            push(&mut play, dvec2(push_speed, 0.0));
            let last = play.run(7.0).pop().expect("ticks");
            let braked = 50.0 * 50.0 / (2.0 * 0.8 * GRAVITY);
            near(last.pos.x, braked + push_speed / DAMPING, 1e-3);
            assert_eq!(last.vel, DVec2::ZERO);
        }
    }
}

#[test]
fn a_push_moves_a_lander_on_its_feet() {
    for hz in RATES {
        for stiffness in [16.0, 900.0] {
            let ground = on_floor(hz).figure(lander()).at(0.0, 20.0).tune("foot_stiffness", stiffness);
            let mut play = ground.tune("foot_damping", 30.0).play();
            play.run(3.0);
            let before = play.hero();
            for speed in [200.0, -60.0] {
                let from = play.hero().pos.x;
                push(&mut play, dvec2(speed, 0.0));
                play.run(0.5);
                assert!(play.hero().grounded);
                play.run(6.5);
                let last = play.hero();
                near(last.pos.x - from, speed / DAMPING, 0.01);
                near(last.pos.y, before.pos.y, 0.05);
                assert_eq!((last.vel, last.spin), (DVec2::ZERO, 0.0));
                let after = play.run(1.0).pop().expect("ticks");
                assert_eq!((after.pos, after.angle), (last.pos, last.angle));
            }
        }
    }
}

#[test]
fn a_lander_stands_as_high_after_a_ride_on_a_lift_as_before() {
    for hz in RATES {
        for gravity in [300.0, 900.0, GRAVITY] {
            for way in [dvec2(0.0, 60.0), dvec2(0.0, -60.0), dvec2(60.0, 0.0)] {
                let deck = [(-300.0, -20.0), (300.0, -20.0), (300.0, 0.0), (-300.0, 0.0)].map(DVec2::from);
                let outline = polygon::outline(&deck).expect("a polygon");
                let path = Some(Path::new(vec![DVec2::ZERO, way], 60.0, PathEnd::Called));
                let lift = Solid { path, ..Solid::new("lift".into(), SurfaceId(0), outline) };
                let mut ground = Ground::none(hz).gravity(gravity).model(ModelName::vessel).figure(lander());
                ground.others.push(lift);
                let ground = ground.tune("foot_stiffness", 900.0).tune("foot_damping", 30.0);
                let mut play = ground.at(0.0, 30.0).play();
                let hero = play.world.entities()[0].id;
                let before = play.run(9.0).pop().expect("ticks");
                for point in [1, 0] {
                    play.world.order(&play.stage, hero, &Command::Call(0, Some(point)));
                    let ride = play.run(9.0);
                    let last = ride.last().expect("ticks");
                    let place = play.world.standing(&play.stage).offsets[0];
                    near(last.pos.y - place.y, before.pos.y, 0.05);
                    // It has come to rest.
                    assert_eq!(ride[ride.len() - 2].pos, last.pos);
                }
            }
        }
    }
}

#[test]
fn a_push_moves_a_box_that_lies_under_a_ceiling_if_gravity_is_inverted() {
    for hz in RATES {
        let slab = [(-500.0, 100.0), (500.0, 100.0), (500.0, 200.0), (-500.0, 200.0)];
        let ground = on_floor(hz).solid(&slab).tune("gravity_scale", -1.0).at(0.0, 92.0);
        let mut play = ground.play();
        play.run(1.0);
        push(&mut play, dvec2(-200.0, 0.0));
        let last = play.run(7.0).pop().expect("ticks");
        near(last.pos.x, -50.0, 1e-5);
        near(last.pos.y, 92.0, 1e-6);
    }
}

#[test]
fn a_push_into_the_ground_or_a_wall_ends_there() {
    for hz in RATES {
        for gap in [0.0, 0.02, 5.0, 30.0] {
            for speed in [200.0, 2000.0] {
                let left = 12.0 + gap;
                let wall = [(left, -50.0), (left + 90.0, -50.0), (left + 90.0, 300.0), (left, 300.0)];
                let mut play = on_floor(hz).solid(&wall).play();
                play.run(1.0);
                push(&mut play, dvec2(speed, -speed));
                let last = play.run(1.0).pop().expect("ticks");
                near(last.pos.x, gap, 1e-6);
                near(last.pos.y, 8.0, 1e-6);
                assert_eq!((last.external, last.vel), (DVec2::ZERO, DVec2::ZERO));
                near(last.angle, 0.0, 1e-9);
            }
        }
    }
}

#[test]
fn a_push_leads_along_a_slope() {
    for hz in RATES {
        for degrees in [10.0_f64, 25.0, -25.0] {
            let along = DVec2::from_angle(degrees.to_radians());
            let point = |x: f64, y: f64| {
                let at = along * x + along.perp() * y;
                (at.x, at.y)
            };
            for speed in [100.0, -200.0, 1000.0] {
                let at = along.perp() * 8.0;
                let mut ground = Ground::none(hz)
                    .model(ModelName::vessel)
                    .figure(BodyShape::of_box(24.0, 16.0))
                    .solid(&[point(-900.0, -50.0), point(900.0, -50.0), point(900.0, 0.0), point(-900.0, 0.0)])
                    .at(at.x, at.y);
                ground.angle = degrees.to_radians();
                let mut play = ground.play();
                play.run(1.0);
                push(&mut play, along * speed);
                let last = play.run(7.0).pop().expect("ticks");
                near((last.pos - at).dot(along), speed / DAMPING, 1e-3);
                near((last.pos - at).perp_dot(along), 0.0, 1e-3);
                // Only the part of a push that leads into the slope is lost.
                let from = last.pos;
                let flat = dvec2(degrees.signum() * speed.abs(), 0.0);
                push(&mut play, flat);
                let last = play.run(7.0).pop().expect("ticks");
                near((last.pos - from).dot(along), flat.dot(along) / DAMPING, 1e-3);
            }
        }
    }
}

#[test]
fn a_push_down_a_slope_leads_as_far_at_every_rate() {
    // It lifts the box off the slope, onto which the box falls back.
    for degrees in [10.0_f64, 25.0] {
        for speed in [40.0, 200.0, 600.0] {
            let (sin, cos) = degrees.to_radians().sin_cos();
            let gone = RATES.map(|hz| {
                let point = |x: f64, y: f64| (x * cos - y * sin, x * sin + y * cos);
                let (x, y) = point(0.0, 8.0);
                let mut ground = Ground::none(hz)
                    .model(ModelName::vessel)
                    .figure(BodyShape::of_box(24.0, 16.0))
                    .solid(&[point(-900.0, -50.0), point(900.0, -50.0), point(900.0, 0.0), point(-900.0, 0.0)])
                    .at(x, y);
                ground.angle = degrees.to_radians();
                let mut play = ground.play();
                play.run(1.0);
                push(&mut play, dvec2(-speed, 0.0));
                let last = play.run(7.0).pop().expect("ticks");
                assert_eq!((last.vel, last.spin), (DVec2::ZERO, 0.0));
                near(last.angle, degrees.to_radians(), 1e-3);
                last.pos.distance(dvec2(x, y))
            });
            // In the air, gravity adds own velocity along the slope: `sin·t` for a hop of `2·speed·sin/cos`.
            let hop = 2.0 * speed * sin / (GRAVITY * cos);
            let gained = GRAVITY * sin * hop;
            let slid = 0.5 * gained * hop + gained * gained / (2.0 * GRAVITY * (0.8 * cos - sin));
            for gone in gone {
                let along = speed / DAMPING * cos;
                assert!(gone > along - 1e-3 && gone < along + 1.1 * slid + 1.0, "{gone}: {along} + {slid}");
            }
        }
    }
}

#[test]
fn a_push_up_moves_a_box_through_the_air() {
    for hz in RATES {
        for up in [50.0, 200.0, 600.0] {
            let mut play = on_floor(hz).play();
            play.run(1.0);
            push(&mut play, dvec2(200.0, up));
            let mut highest = 0.0_f64;
            for now in play.run(7.0) {
                highest = highest.max(now.pos.y - 8.0);
            }
            let height = |t: f64| up / DAMPING * (1.0 - (-DAMPING * t).exp()) - 0.5 * GRAVITY * t * t;
            let top = (0..4000).map(|i| height(f64::from(i) * 1e-4)).fold(0.0, f64::max);
            // The highest point may lie between two ticks.
            let between = GRAVITY / (8.0 * f64::from(hz * hz));
            assert!(highest <= top + 1e-6 && highest >= top - between - 0.05, "{highest}: {top}");
            let last = play.hero();
            near(last.pos.x, 50.0, 1e-5);
            near(last.pos.y, 8.0, 0.05);
            assert_eq!(last.vel, DVec2::ZERO);
        }
    }
}

#[test]
fn a_push_leads_over_the_seam_of_two_floors() {
    for hz in RATES {
        for top in [0.0, -0.0] {
            let first = [(-300.0, -50.0), (21.3, -50.0), (21.3, 0.0), (-300.0, 0.0)];
            let second = [(21.3, -40.0), (400.0, -40.0), (400.0, top), (21.3, top)];
            let ground = Ground::none(hz).solid(&first).solid(&second).model(ModelName::vessel);
            let mut play = ground.figure(BodyShape::of_box(24.0, 16.0)).at(0.0, 8.0).play();
            play.run(1.0);
            push(&mut play, dvec2(200.0, 0.0));
            let last = play.run(7.0).pop().expect("ticks");
            near(last.pos.x, 50.0, 1e-5);
            near(last.pos.y, 8.0, 1e-6);
            near(last.angle, 0.0, 1e-6);
        }
    }
}

#[test]
fn a_push_moves_a_box_on_a_moving_platform() {
    for hz in RATES {
        for way in [(0.0, 300.0), (400.0, 0.0)] {
            let deck = [(-300.0, -20.0), (300.0, -20.0), (300.0, 0.0), (-300.0, 0.0)];
            let ground = Ground::none(hz).platform(&deck, &[(0.0, 0.0), way], 30.0);
            let mut play = ground.model(ModelName::vessel).figure(BodyShape::of_box(24.0, 16.0)).at(0.0, 8.0).play();
            play.run(1.0);
            let place = |play: &Play| play.hero().pos - play.world.standing(&play.stage).offsets[0];
            let before = place(&play);
            push(&mut play, dvec2(200.0, 0.0));
            play.run(5.0);
            near(place(&play).x - before.x, 50.0, 1e-3);
            near(place(&play).y, 8.0, 0.05);
        }
    }
}
