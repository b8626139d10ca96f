//! Sliding along walls with a key or stick that also points into them.

use crate::{
    common::near,
    ground::{Ground, Play},
};
use glam::{DVec2, dvec2};
use hangtime_core::{
    geometry::Collider,
    level::{Solid, SurfaceId, View},
    models::ModelName,
};

/// The usual rates and odd ones.
const RATES: [u32; 9] = [20, 25, 30, 37, 60, 100, 120, 144, 240];

/// A long wall through the origin, turned so that its normal is at this angle, with a body in front
/// of it.
fn next_to_wall(hz: u32, model: ModelName, view: View, degrees: f64) -> Ground {
    let normal = DVec2::from_angle(degrees.to_radians());
    let along = normal.perp();
    let corner = |d: f64, deep: f64| along * d - normal * deep;
    let points = vec![corner(-4000.0, 40.0), corner(-4000.0, 0.0), corner(4000.0, 0.0), corner(4000.0, 40.0)];
    let outline = hangtime_core::geometry::polygon::outline(&points).expect("a rectangle");
    let mut ground = Ground::none(hz).model(model).figure(Collider::ellipse(10.0, 10.0));
    ground.view = view;
    let at = normal * 11.0;
    ground.others.push(Solid::new("wall".into(), SurfaceId(0), outline));
    ground.at(at.x, at.y)
}

/// One step of the published top-down character at 60 Hz with its defaults.
fn topdown_step(vel: DVec2, stick: DVec2) -> DVec2 {
    let (way, most) = (stick.normalize(), 300.0 * stick.length());
    let gain = way * (most * 10.0 / 60.0);
    let mut lost = vel * 0.2;
    if vel.length() <= most * (1.0 + 1e-6) && way.dot(lost) >= 0.0 {
        lost -= way * way.dot(lost);
    }
    let sped = (vel + gain).clamp_length_max(vel.length().max(most));
    let next = sped - lost;
    next + way * (way.dot(sped).min(most) - way.dot(next)).max(0.0)
}

/// The speed along the wall at which a body slides at 60 Hz, whose wall takes the velocity into it
/// in every tick.
fn slides_at(normal: DVec2, stick: DVec2) -> f64 {
    let mut vel = DVec2::ZERO;
    for _ in 0..2000 {
        vel = topdown_step(vel, stick);
        vel -= normal * vel.dot(normal).min(0.0);
    }
    vel.dot(normal.perp())
}

fn play_with(ground: &Ground, stick: DVec2, seconds: f64) -> Play {
    let mut play = ground.play();
    play.input.stick = stick;
    play.run(seconds);
    play
}

#[test]
fn a_topdown_body_slides_along_a_wall_at_the_same_speed_at_every_rate() {
    for view in [View::Top, View::Side] {
        for wall in [0.0, 30.0, 200.0_f64] {
            let normal = DVec2::from_angle(wall.to_radians());
            for off in [10.0, 45.0, 80.0_f64] {
                for side in [-1.0, 1.0] {
                    for amount in [1.0, 0.5] {
                        let angle = (wall + 180.0 + side * off).to_radians();
                        let stick = DVec2::from_angle(angle) * amount;
                        let expected = slides_at(normal, stick);
                        for hz in RATES {
                            let ground = next_to_wall(hz, ModelName::topdown, view, wall);
                            let mut play = play_with(&ground, stick, 1.2);
                            let before = play.hero().pos;
                            let moved = play.run(0.2);
                            let seconds = moved.len() as f64 / f64::from(hz);
                            let after = play.hero();
                            let along = normal.perp();
                            near(after.vel.dot(along), expected, 1e-3);
                            near((after.pos - before).dot(along), seconds * expected, 0.01);
                            near(after.vel.dot(normal), 0.0, 1e-9);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn a_topdown_body_on_a_wall_reaches_its_speed_in_the_same_time_at_every_rate() {
    let stick = dvec2(0.5_f64.sqrt(), 0.5_f64.sqrt());
    let far = |hz: u32| {
        let ground = next_to_wall(hz, ModelName::topdown, View::Top, 180.0).at(-10.0, 0.0);
        play_with(&ground, stick, 0.5).hero().pos.y
    };
    let expected = far(60);
    for hz in [20, 30, 100, 120, 240] {
        // The recurrence moves with the velocity at the end of each tick, and the first tick does not
        // know the wall yet.
        let apart = (1.0 / f64::from(hz) - 1.0 / 60.0).abs();
        near(far(hz), expected, 270.0 * apart + 1.0);
    }
}

#[test]
fn a_topdown_body_leaves_the_end_of_a_wall_and_turns_off_it_at_once() {
    for hz in RATES {
        let ground = next_to_wall(hz, ModelName::topdown, View::Top, 180.0);
        let mut play = play_with(&ground, dvec2(0.7, 0.7), 1.0);
        near(play.hero().pos.x, -10.0, 1e-6);
        // Away from the wall it takes the published step.
        play.input.stick = dvec2(-1.0, 0.0);
        let before = play.hero();
        let after = play.tick();
        assert!(after.vel.x < 0.0 && after.pos.x < before.pos.x, "{hz} Hz");
    }
}

#[test]
fn a_two_velocity_body_slides_along_a_wall_at_the_same_speed_at_every_rate() {
    for wall in [0.0, 30.0, 315.0_f64] {
        let normal = DVec2::from_angle(wall.to_radians());
        for off in [30.0, 80.0_f64] {
            for side in [-1.0, 1.0] {
                for grip in [1.0, 0.1] {
                    let stick = DVec2::from_angle((wall + 180.0 - side * off).to_radians());
                    for hz in RATES {
                        let mut ground = next_to_wall(hz, ModelName::two_velocity, View::Top, wall);
                        ground.surfaces[0].grip = grip;
                        let mut play = play_with(&ground, stick, 3.0);
                        let before = play.hero().pos;
                        let moved = play.run(0.2);
                        let seconds = moved.len() as f64 / f64::from(hz);
                        let after = play.hero();
                        // The share of full speed that points along the wall.
                        let expected = side * 300.0 * off.to_radians().sin();
                        let got = (after.pos - before).dot(normal.perp());
                        near(got, seconds * expected, 1e-6);
                    }
                }
            }
        }
    }
}
