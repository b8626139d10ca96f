//! Vessels glide, slide, bounce, land on feet and rest the same at every tick rate.

use crate::{
    common::{RATES, near},
    ground::{Ground, tried},
};
use glam::DVec2;
use hangtime_core::{
    models::{BodyShape, ModelName, Piece},
    sim::EntityView,
};
use proptest::prelude::*;

/// Gravity of a stage without its own, px/s².
const GRAVITY: f64 = 3672.0;

/// The rates of the sweep. 37 and 144 neither divide the others nor are multiples of them.
const ODD_RATES: [u32; 6] = [30, 37, 60, 120, 144, 240];

/// A box 24 px wide and 16 px high over a floor at y = 0.
fn on_floor(hz: u32) -> Ground {
    Ground::floor(hz).model(ModelName::vessel).figure(BodyShape::of_box(24.0, 16.0))
}

/// A box on a slope through the origin that rises to the right, and the place where it lies on it.
fn on_slope(hz: u32, degrees: f64, (w, h): (f64, f64)) -> (Ground, DVec2) {
    let along = DVec2::from_angle(degrees.to_radians());
    let point = |x: f64, y: f64| {
        let at = along * x + along.perp() * y;
        (at.x, at.y)
    };
    let ground = Ground::none(hz).model(ModelName::vessel).figure(BodyShape::of_box(w, h)).solid(&[
        point(-15_000.0, -200.0),
        point(15_000.0, -200.0),
        point(15_000.0, 0.0),
        point(-15_000.0, 0.0),
    ]);
    let at = along.perp() * (0.5 * h);
    let mut ground = ground.at(at.x, at.y);
    ground.angle = degrees.to_radians();
    (ground, at)
}

#[test]
fn a_box_without_friction_glides_forever_at_any_speed() {
    for hz in ODD_RATES {
        for speed in [1.0, 5.0, 19.0, 25.0, 60.0, 200.0] {
            for surface in [false, true] {
                let mut ground = on_floor(hz).at(0.0, 8.0).moving(speed, 0.0);
                if surface {
                    ground = ground.surface_with(|s| s.friction = 0.0);
                    ground.solids[0].1 = 1;
                } else {
                    ground = ground.tune("friction", 0.0);
                }
                let now = ground.play().run(10.0).pop().expect("ticks");
                near(now.vel.x, speed, 1e-9);
                let ticks = (10.0 * f64::from(hz)).round() / f64::from(hz);
                near(now.pos.x, speed * ticks, 1e-6);
                near(now.pos.y, 8.0, 1e-6);
            }
        }
    }
}

#[test]
fn a_box_glides_over_the_seam_of_two_floors_of_any_thickness() {
    for hz in ODD_RATES {
        for low in [-40.0, -50.0, -60.0] {
            for speed in [-57.3, 40.0, 57.3, 111.0, 200.0] {
                let second = [(21.3, low), (400.0, low), (400.0, 0.0), (21.3, 0.0)];
                let ground = Ground::none(hz)
                    .solid(&[(-300.0, -50.0), (21.3, -50.0), (21.3, 0.0), (-300.0, 0.0)])
                    .solid(&second)
                    .model(ModelName::vessel)
                    .figure(BodyShape::of_box(24.0, 16.0))
                    .tune("friction", 0.0);
                let began = if speed < 0.0 { 60.0 } else { 0.0 };
                let now = ground.at(began, 8.0).moving(speed, 0.0).play().run(1.0).pop().expect("ticks");
                near(now.pos.x, began + speed, 1e-6);
                near(now.pos.y, 8.0, 1e-6);
            }
        }
    }
}

#[test]
fn a_box_slides_on_slopes_steeper_than_friction_holds_and_stays_on_others() {
    for hz in ODD_RATES {
        // atan(0.8) = 38.66°.
        for degrees in [30.0_f64, 36.0, 38.5, 39.0, 40.0, 42.0, 45.0] {
            let (ground, at) = on_slope(hz, degrees, (24.0, 16.0));
            let now = ground.play().run(2.0).pop().expect("ticks");
            let (sin, cos) = degrees.to_radians().sin_cos();
            let accel = (GRAVITY * (sin - 0.8 * cos)).max(0.0);
            let seconds = (2.0 * f64::from(hz)).round() / f64::from(hz);
            near(now.vel.length(), accel * seconds, 1e-6);
            near(now.pos.distance(at), 0.5 * accel * seconds * seconds, 1e-6);
            near(now.angle, degrees.to_radians(), 1e-9);
        }
    }
}

#[test]
fn a_box_slides_on_a_slope_that_is_barely_steeper_than_friction_holds() {
    // atan(0.8) = 38.66°: below, it stays; above, it slides, however slowly.
    for hz in ODD_RATES {
        for degrees in [38.6_f64, 38.65, 38.67, 38.7, 38.75, 38.8, 38.9] {
            for size in [(24.0, 16.0), (40.0, 12.0)] {
                let (ground, at) = on_slope(hz, degrees, size);
                let now = ground.play().run(4.0).pop().expect("ticks");
                let (sin, cos) = degrees.to_radians().sin_cos();
                let accel = (GRAVITY * (sin - 0.8 * cos)).max(0.0);
                let seconds = (4.0 * f64::from(hz)).round() / f64::from(hz);
                near(now.vel.length(), accel * seconds, 1e-6);
                // Below 0.01 px/s it stays in place.
                let still = if accel > 0.0 { 1e-4 / accel } else { 0.0 };
                let moved = now.pos.distance(at);
                near(moved, 0.5 * accel * seconds * seconds, 1e-6 + still);
            }
        }
    }
}

#[test]
fn a_wall_bounces_whatever_is_not_slow() {
    for hz in ODD_RATES {
        for gravity in [0.0, 300.0, GRAVITY] {
            for speed in [5.0, 19.0, 21.0, 50.0, 100.0, 200.0] {
                let wall = [(32.0, -50.0), (80.0, -50.0), (80.0, 300.0), (32.0, 300.0)];
                let ground = on_floor(hz).solid(&wall).gravity(gravity);
                let ground = ground.tune("friction", 0.0).tune("rebound", 1.5);
                let mut play = ground.at(0.0, 8.0).moving(speed, 0.0).play();
                let now = play.run(20.0 / speed + 0.5).pop().expect("ticks");
                let expected = if speed < 20.0 { 0.0 } else { -0.5 * speed };
                near(now.vel.x, expected, 1e-6);
                near(now.spin, 0.0, 1e-6);
            }
        }
    }
}

/// The speed at which a box leaves the floor that it hits at `speed`, px/s; computed from the
/// height that it reaches.
fn rebound(hz: u32, gravity: f64, speed: f64, rebound: f64, phase: f64) -> f64 {
    let fallen = phase * speed * speed / (2.0 * gravity);
    let height = speed * speed / (2.0 * gravity) - fallen;
    let began = -(2.0 * gravity * fallen).sqrt();
    let ground = on_floor(hz).gravity(gravity).tune("rebound", rebound);
    let mut play = ground.at(0.0, 8.0 + height).moving(0.0, began).play();
    let mut low = false;
    for _ in 0..2 * hz {
        let now = play.tick();
        let top = now.pos.y - 8.0 + now.vel.y * now.vel.y / (2.0 * gravity);
        low |= top < height.min(1e-9) || now.vel.y > 0.0 || now.vel == DVec2::ZERO;
        if low {
            return (2.0 * gravity * top.max(0.0)).sqrt();
        }
    }
    panic!("it hits the floor");
}

#[test]
fn a_floor_bounces_whatever_is_not_slow() {
    for hz in ODD_RATES {
        for gravity in [600.0, GRAVITY] {
            for speed in [10.0, 19.0, 21.0, 25.0, 50.0, 100.0, 200.0] {
                for tuned in [1.0, 1.2, 1.5, 2.0] {
                    for phase in [0.0, 0.37, 0.71] {
                        let expected = if speed < 20.0 { 0.0 } else { (tuned - 1.0) * speed };
                        if expected > 0.0 && expected / gravity < 1.0 / f64::from(hz) {
                            // No tick needs to end while the box rises.
                            continue;
                        }
                        let got = rebound(hz, gravity, speed, tuned, phase);
                        let off = (got - expected).abs();
                        let label = format!("{hz} Hz, {gravity} px/s², {speed} px/s, {tuned}, {phase}");
                        assert!(off < 0.01 * speed + 0.01, "{got} for {expected}: {label}");
                    }
                }
            }
        }
    }
}

/// Half a second in which a vessel may not move by a single bit.
fn stays(play: &mut crate::ground::Play, label: &str) -> EntityView {
    let first = play.hero();
    for now in play.run(0.5) {
        assert_eq!((now.pos, now.angle), (first.pos, first.angle), "{label}");
    }
    first
}

#[test]
fn a_box_that_lands_on_an_edge_comes_to_rest_flat() {
    for hz in ODD_RATES {
        for (w, h) in [(24.0_f64, 16.0_f64), (60.0, 20.0), (16.0, 16.0)] {
            for angle in [0.005_f64, 0.02, 0.05, 0.1, 0.15, 0.3] {
                let low = 0.5 * (w * angle.sin() + h * angle.cos());
                let ground = Ground::floor(hz).model(ModelName::vessel);
                let mut start = ground.figure(BodyShape::of_box(w, h)).at(0.0, low);
                start.angle = angle;
                let mut play = start.play();
                play.run(1.5);
                let now = stays(&mut play, &format!("{hz} Hz, {w}×{h}, {angle}"));
                // A contact may keep a gap of up to 0.05 px.
                near(now.angle * w, 0.0, 0.05);
                near(now.pos.y, 0.5 * h, 0.05);
            }
        }
    }
}

#[test]
fn a_vessel_at_rest_does_not_move_for_a_minute() {
    for hz in RATES {
        for degrees in [0.0, 17.0, -30.0] {
            let (ground, _) = on_slope(hz, degrees, (24.0, 16.0));
            let mut play = ground.play();
            play.run(1.0);
            let first = play.hero();
            for now in play.run(60.0) {
                assert_eq!((now.pos, now.angle), (first.pos, first.angle), "{hz} Hz, {degrees}°");
                assert!(now.grounded);
            }
        }
    }
}

#[test]
fn a_vessel_rests_under_a_ceiling_if_gravity_is_inverted() {
    for hz in ODD_RATES {
        for by_zone in [false, true] {
            let slab = [(-500.0, 100.0), (500.0, 100.0), (500.0, 200.0), (-500.0, 200.0)];
            let mut ground = Ground::none(hz)
                .model(ModelName::vessel)
                .figure(BodyShape::of_box(24.0, 16.0))
                .solid(&slab);
            if by_zone {
                let all = ((-500.0, -500.0), (500.0, 500.0));
                ground = ground.zone_with("up", all.0, all.1, |zone| zone.gravity_scale = -1.0);
            } else {
                ground = ground.tune("gravity_scale", -1.0);
            }
            let mut play = ground.at(0.0, 0.0).play();
            play.run(3.0);
            let now = stays(&mut play, &format!("{hz} Hz"));
            near(now.pos.y, 92.0, 1e-6);
            assert!(now.grounded, "{hz} Hz: it stands on the ceiling");
            assert!(play.told("land") > 0, "{hz} Hz");
        }
    }
}

/// A hull 36 px wide and 20 px high over feet at these places, 8 px wide, that end 8 px below it.
fn on_feet(places: &[f64]) -> (BodyShape, f64) {
    let piece = |(left, low): (f64, f64), (right, high): (f64, f64), foot: bool| Piece {
        points: [(left, low), (right, low), (right, high), (left, high)].map(DVec2::from).to_vec(),
        foot,
    };
    let mut pieces = vec![piece((-18.0, -8.0), (18.0, 12.0), false)];
    for x in places {
        pieces.push(piece((x - 4.0, -16.0), (x + 4.0, -6.0), true));
    }
    let shape = BodyShape::of_pieces(pieces, DVec2::ZERO);
    let corners = shape.pieces.iter().flat_map(|piece| &piece.points);
    let low = corners.map(|p| p.y).fold(f64::INFINITY, f64::min);
    (shape, -low)
}

/// A drop onto feet: the height of the soles over the floor at rest, the highest bounce, both px, and
/// the time until it rests, s.
fn drop_on_feet(hz: u32, places: &[f64], height: f64, tuning: [(&str, f64); 3]) -> [f64; 3] {
    let (shape, low) = on_feet(places);
    let mut ground = Ground::floor(hz).model(ModelName::vessel).figure(shape);
    for (key, value) in tuning {
        ground = ground.tune(key, value);
    }
    let mut play = ground.at(0.0, low + height).play();
    let (mut highest, mut moved, mut hit) = (-low, 0, false);
    let mut last = play.hero();
    for tick in 1..=3 * hz / 2 {
        let now = play.tick();
        hit |= now.pos.y > last.pos.y || now.vel.y > 0.0;
        if hit {
            let rise = now.vel.y.max(0.0);
            highest = highest.max(now.pos.y - low + rise * rise / (2.0 * GRAVITY));
        }
        if now.pos != last.pos || now.angle != last.angle {
            moved = tick;
        }
        last = now;
    }
    let height = last.pos.y - low;
    [height, highest.max(height), f64::from(moved) / f64::from(hz)]
}

const FEET: [&[f64]; 4] = [&[0.0], &[-12.0, 12.0], &[-14.0, 0.0, 14.0], &[-14.0, 8.0]];

#[test]
fn feet_without_travel_bear_like_the_hull() {
    for places in FEET {
        for height in [5.0, 50.0, 200.0] {
            for hz in ODD_RATES {
                let got = drop_on_feet(
                    hz,
                    places,
                    height,
                    [("foot_travel", 0.0), ("foot_stiffness", 900.0), ("foot_damping", 30.0)],
                );
                near(got[0], 0.0, 0.05);
                // A stiff body keeps `rebound − 1` = 0.2 of its speed, and 0.04 of the height.
                let rise = 0.2 * (2.0 * height / GRAVITY).sqrt();
                // After a shorter rise the body may sink again when the tick ends.
                let seen = if rise < 1.0 / f64::from(hz) { 0.0 } else { 0.02 };
                assert!(got[1] >= seen * height && got[1] <= 0.06 * height, "{got:?} at {hz} Hz, {height} px");
            }
        }
    }
}

#[test]
fn landings_on_feet_are_the_same_at_every_rate() {
    for places in FEET {
        for travel in [0.1, 1.0, 6.0, 20.0] {
            for (stiffness, damping) in [(16.0, 3.1), (900.0, 30.0)] {
                for height in [5.0, 50.0, 200.0] {
                    let tuning = [("foot_travel", travel), ("foot_stiffness", stiffness), ("foot_damping", damping)];
                    let all = RATES.map(|hz| drop_on_feet(hz, places, height, tuning));
                    let label = format!("{places:?}, {tuning:?}, {height}: {all:?}");
                    for (got, hz) in all.iter().zip(RATES) {
                        let off = |i: usize| (got[i] - all[3][i]).abs();
                        assert!(off(0) <= 0.05 * travel, "at rest: {label}");
                        assert!(off(1) <= 0.05 * (height + travel), "highest: {label}");
                        // A tick at the beginning and one at the end may be begun, but not full.
                        let ticks = 2.0 / f64::from(hz);
                        assert!(off(2) <= 0.05 * all[3][2] + ticks, "time: {label}");
                    }
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(tried(60))]

    /// Where a box that slides along a slope is after 2 s follows from its acceleration, within
    /// `g·dt²`. One that turns back does so between two ticks, and may lose one tick of the way down.
    #[test]
    fn a_sliding_box_is_at_one_place_at_every_rate(
        w in 10.0..60.0_f64,
        flat in 0.2..0.8_f64,
        degrees in -34.0..34.0_f64,
        cap in 0.0..1.0_f64,
        speed in -300.0..300.0_f64,
    ) {
        let h = w * flat;
        let (sin, cos) = degrees.to_radians().sin_cos();
        // It must not tip over: the slope and the friction stay inside its base.
        prop_assume!(cap * h < 0.8 * w && sin.abs() * h < 0.8 * w * cos);
        // How fast it comes to a stop, if it does at all.
        prop_assume!((sin.abs() - cap * cos).abs() > 0.01);
        for hz in [30_u32, 60, 120, 240] {
            let (ground, at) = on_slope(hz, degrees, (w, h));
            let along = DVec2::from_angle(degrees.to_radians());
            let thrown = along * speed;
            let ground = ground.tune("friction_cap", cap).moving(thrown.x, thrown.y);
            let now = ground.play().run(2.0).pop().expect("ticks");
            let dt = 1.0 / f64::from(hz);
            let place = (now.pos - at).dot(along);
            let (pull, drag) = (-GRAVITY * sin, cap * GRAVITY * cos);
            let expected = slide(speed, pull, drag, 2.0);
            // Its speed at the end, if it has turned back.
            let turns = speed * pull < 0.0 && pull.abs() > drag;
            let late = if turns { 2.0 * (pull.abs() - drag) } else { 0.0 };
            prop_assert!(
                (place - expected).abs() <= GRAVITY * dt * dt + late * dt,
                "{} Hz: {} instead of {}", hz, place, expected
            );
            let lifted = (now.pos - at).perp_dot(along).abs();
            prop_assert!(lifted < 0.05, "{} Hz: {} px off the slope", hz, lifted);
        }
    }

    /// A thrown box never has more energy than it began with.
    #[test]
    fn a_thrown_box_gains_no_energy_at_any_rate(
        w in 8.0..60.0_f64,
        h in 8.0..60.0_f64,
        degrees in -40.0..40.0_f64,
        angle in -3.0..3.0_f64,
        velocity in (-400.0..400.0_f64, -400.0..200.0_f64),
        rate in 0_usize..6,
    ) {
        let (ground, _) = on_slope(ODD_RATES[rate], degrees, (w, h));
        let along = DVec2::from_angle(degrees.to_radians());
        let at = along.perp() * 80.0;
        let mut ground = ground.at(at.x, at.y).moving(velocity.0, velocity.1);
        ground.angle = angle;
        let ratio = 12.0 / (w * w + h * h);
        // Heights count from the lowest place that it can reach.
        let energy = |v: &EntityView| {
            0.5 * v.vel.length_squared() + 0.5 * v.spin * v.spin / ratio + GRAVITY * v.pos.y
        };
        let mut play = ground.play();
        let first = energy(&play.hero());
        // What it falls through counts: the share of the energy it has by then.
        for now in play.run(3.0) {
            let spent = 0.5 * now.vel.length_squared() + GRAVITY * 80.0;
            prop_assert!(
                energy(&now) <= first + 0.01 * spent,
                "{} has become {}", first, energy(&now)
            );
        }
    }
}

/// Where a sliding box is after `seconds`: it slows by `drag` px/s² against its motion, gains `pull`
/// px/s², and stays where it stops if the drag holds it.
fn slide(speed: f64, pull: f64, drag: f64, seconds: f64) -> f64 {
    let way = if speed == 0.0 { pull.signum() } else { speed.signum() };
    let accel = pull - way * drag;
    let stops = if accel * way < 0.0 { -speed / accel } else { f64::INFINITY };
    if stops >= seconds {
        return speed * seconds + 0.5 * accel * seconds * seconds;
    }
    let stopped = speed * stops + 0.5 * accel * stops * stops;
    let left = seconds - stops;
    if pull.abs() <= drag {
        return stopped;
    }
    stopped + 0.5 * (pull - pull.signum() * drag) * left * left
}
