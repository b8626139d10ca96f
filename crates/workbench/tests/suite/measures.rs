//! Measures of motion: what is sampled once a tick gives the numbers that physics gives, at every tick rate.

use glam::{DVec2, dvec2};
use hangtime_core::level::View;
use hangtime_workbench::{Measure, MotionPoint, compared, measures};
use std::f64::consts::PI;

const RATES: [u32; 5] = [30, 60, 90, 120, 240];

/// The points of a motion after each tick.
fn sampled(hz: u32, seconds: f64, at: impl Fn(f64) -> MotionPoint) -> Vec<MotionPoint> {
    let ticks = (seconds * f64::from(hz)).ceil() as u32;
    (0..=ticks).map(|tick| at(f64::from(tick) / f64::from(hz))).collect()
}

/// A number by its name.
fn of(list: &[Measure], name: &str) -> Option<f64> {
    list.iter().find(|measure| measure.name == name)?.value.ok()
}

/// What happened, in order.
fn events(list: &[Measure]) -> Vec<&str> {
    let mut events: Vec<&str> = list.iter().map(|measure| measure.event).collect();
    events.dedup();
    events
}

#[track_caller]
fn close(list: &[Measure], name: &str, expected: f64, off: f64) {
    let found = of(list, name).unwrap_or(f64::NAN);
    assert!((found - expected).abs() <= off, "{name}: {found}, not {expected}, in {list:?}");
}

/// A jump after 0.1 s on the ground, at `speed` px/s for `held` seconds, then under `gravity`, with 200 px/s sideways.
fn jump(hz: u32, speed: f64, held: f64, gravity: f64, seconds: f64) -> Vec<MotionPoint> {
    let begin = (0.1 * f64::from(hz)).round() / f64::from(hz);
    let fall = |t: f64| {
        let falling = (t - held).max(0.0);
        (speed * t - 0.5 * gravity * falling * falling, speed - gravity * falling)
    };
    // It rises by speed · held and comes down from there at the speed with which it leaves and lands.
    let landing_speed = (speed * speed + 2.0 * gravity * speed * held).sqrt();
    let air = held + (speed + landing_speed) / gravity;
    let mut down = false;
    sampled(hz, seconds, |t| {
        let t = (t - begin).max(0.0);
        let grounded = t == 0.0 || t >= air;
        let (height, rising) = if grounded { (0.0, 0.0) } else { fall(t) };
        let x = 200.0 * t.min(air);
        let vel = dvec2(if t >= air { 0.0 } else { 200.0 }, rising);
        MotionPoint { pos: dvec2(x, height), vel, height, rising, grounded, ..MotionPoint::default() }
    })
    .into_iter()
    .scan(false, |was_air, mut point| {
        if *was_air && point.grounded && !down {
            (point.landed, down) = (Some(landing_speed), true);
        }
        *was_air = !point.grounded;
        Some(point)
    })
    .collect()
}

#[test]
fn a_jump_measures_what_its_parabola_says_at_every_rate() {
    for hz in RATES {
        for (speed, held, gravity) in [(300.0, 0.0, 600.0), (543.0, 0.278, 3672.0), (411.0, 0.1, 997.0)] {
            let path = jump(hz, speed, held, gravity, 4.0);
            let found = measures(&path, hz, View::Side);
            let (rise, landing) = (speed * held, (speed * speed + 2.0 * gravity * speed * held).sqrt());
            let air = held + (speed + landing) / gravity;
            close(&found, "apex", rise + speed * speed / (2.0 * gravity), 1e-6);
            close(&found, "time to apex", held + speed / gravity, 1e-6);
            close(&found, "air time", air, 1e-6);
            close(&found, "distance", 200.0 * air, 1e-4);
            close(&found, "landing speed", landing, 1e-9);
            assert_eq!(events(&found), ["jump"]);
        }
    }
}

#[test]
fn a_path_that_ends_in_the_air_has_no_landing() {
    let path = jump(60, 300.0, 0.0, 600.0, 0.8);
    let found = measures(&path, 60, View::Side);
    for name in ["air time", "distance", "landing speed"] {
        let measure = found.iter().find(|measure| measure.name == name).expect("it is listed");
        assert_eq!(measure.value, Err("not landed"));
    }
    close(&found, "apex", 75.0, 1e-6);
    assert!(measures(&path[..3], 60, View::Side).is_empty());
    assert!(measures(&[], 60, View::Side).is_empty());
    assert!(measures(&path, 0, View::Side).len() >= 5, "no tick rate is no reason to panic");
}

#[test]
fn a_flight_on_a_hook_is_no_jump_and_a_later_jump_counts() {
    for hz in RATES {
        let mut pulled = jump(hz, 700.0, 0.2, 1000.0, 3.0);
        let middle = pulled.iter().position(|point| point.height > 100.0).expect("it is high");
        for point in &mut pulled[middle..middle + 4] {
            point.hangs_on = Some(dvec2(0.0, 500.0));
        }
        assert!(of(&measures(&pulled, hz, View::Side), "apex").is_none());
        pulled.extend(jump(hz, 300.0, 0.0, 600.0, 2.0));
        close(&measures(&pulled, hz, View::Side), "apex", 75.0, 1e-6);
    }
}

/// Where a body that has these speeds at these times is, and its speed, which changes evenly in between.
fn driven(knots: &[(f64, f64)], t: f64) -> (f64, f64) {
    let mut at = 0.0;
    for pair in knots.windows(2) {
        let ((from, slow), (to, fast)) = (pair[0], pair[1]);
        let share = ((t - from) / (to - from)).clamp(0.0, 1.0);
        let speed = slow + share * (fast - slow);
        at += 0.5 * (slow + speed) * share * (to - from);
        if t <= to {
            return (at, speed);
        }
    }
    (at, knots.last().map_or(0.0, |(_, speed)| *speed))
}

/// A run on the ground along a direction: at rest, faster with `push`, at the top speed, slower with `brake`, at rest.
fn dash(hz: u32, view: View, way: DVec2, [top, push, brake]: [f64; 3], against: bool) -> (Vec<MotionPoint>, f64) {
    let tick = |t: f64| (t * f64::from(hz)).round() / f64::from(hz);
    let (begin, release) = (tick(0.2), tick(0.2 + top / push + 0.5));
    let end = release + top / brake;
    let back = if against { -top } else { 0.0 };
    let after = end + if against { top / brake } else { 1.0 };
    let knots = [(0.0, 0.0), (begin, 0.0), (begin + top / push, top), (release, top), (end, 0.0), (after, back)];
    let path = sampled(hz, after - 0.01, |t| {
        let (x, speed) = driven(&knots, t);
        // Keys count from the tick after the moment on.
        let half = 0.5 / f64::from(hz);
        let pushed = match t - half {
            early if early < begin => 0.0,
            early if early < release => 1.0,
            _ if against => -1.0,
            _ => 0.0,
        };
        MotionPoint {
            pos: way * x,
            vel: way * speed,
            grounded: true,
            runs: true,
            push: way * pushed,
            surface: "ice".into(),
            ..MotionPoint::default()
        }
    });
    let _ = view;
    (path, end - release)
}

#[test]
fn runs_stops_and_slides_measure_v_squared_over_2a_at_every_rate() {
    for hz in RATES {
        for numbers in [[650.0, 650.0, 4000.0], [333.0, 1777.0, 912.5], [90.0, 2000.0, 400.0], [650.0, 65.0, 400.0]] {
            for (view, way) in [
                (View::Side, DVec2::X),
                (View::Side, DVec2::NEG_X),
                // Up a slope of 30 degrees.
                (View::Side, dvec2((PI / 6.0).cos(), 0.5)),
                (View::Top, DVec2::from_angle(2.1)),
            ] {
                let [top, push, brake] = numbers;
                let (path, stops) = dash(hz, view, way, numbers, false);
                let found = measures(&path, hz, view);
                let reached = 0.99 * top;
                close(&found, "top speed", top, 1e-6);
                close(&found, "time to top speed", reached / push, 1e-6);
                close(&found, "run-up", reached * reached / (2.0 * push), 1e-4);
                close(&found, "stop distance", top * top / (2.0 * brake), 1e-4);
                close(&found, "stop time", stops, 1e-6);
                close(&found, "slide on ice", top * top / (2.0 * brake), 1e-4);
                assert_eq!(events(&found), ["run", "stop", "slide"]);
            }
        }
    }
}

#[test]
fn a_turn_measures_the_time_and_the_way_until_it_reverses() {
    for hz in RATES {
        for numbers in [[650.0, 650.0, 4000.0], [333.0, 1777.0, 912.5], [650.0, 65.0, 400.0]] {
            let [top, _, brake] = numbers;
            let (path, turns) = dash(hz, View::Side, DVec2::X, numbers, true);
            let found = measures(&path, hz, View::Side);
            close(&found, "turnaround", turns, 1e-6);
            close(&found, "overshoot", top * top / (2.0 * brake), 1e-4);
            assert!(of(&found, "stop distance").is_none(), "a turn is no stop");
            // What slides against its keys slides.
            close(&found, "slide on ice", top * top / (2.0 * brake), top / f64::from(hz));
        }
    }
}

#[test]
fn a_stop_that_does_not_end_says_so_and_a_tap_is_none() {
    let (path, _) = dash(60, View::Side, DVec2::X, [650.0, 650.0, 400.0], false);
    let cut = path.len() - 100;
    let found = measures(&path[..cut], 60, View::Side);
    let stop = found.iter().find(|measure| measure.event == "stop").expect("it is listed");
    assert_eq!(stop.value, Err("not at rest"));
    // The same after a slow step: that is not what the numbers are about.
    let (mut taps, _) = dash(60, View::Side, DVec2::X, [100.0, 650.0, 400.0], false);
    taps.extend(path);
    close(&measures(&taps, 60, View::Side), "stop distance", 650.0 * 650.0 / 800.0, 1e-4);
    close(&measures(&taps, 60, View::Side), "top speed", 650.0, 1e-6);
}

#[test]
fn slides_are_summed_for_each_surface() {
    for hz in RATES {
        let numbers = [650.0, 650.0, 400.0];
        let (mut path, _) = dash(hz, View::Side, DVec2::X, numbers, false);
        let begin = path.iter().rposition(|point| point.push.x > 0.0).expect("it runs");
        let border = path[begin].pos.x + 200.0;
        for point in &mut path {
            let on = if point.pos.x < border { "ice" } else { "stone" };
            point.surface = on.into();
        }
        let found = measures(&path, hz, View::Side);
        let whole = 650.0 * 650.0 / 800.0;
        // One tick is on both.
        let off = 0.5 * 650.0 / f64::from(hz);
        close(&found, "slide on ice", 200.0, off);
        close(&found, "slide on stone", whole - 200.0, off);
        let both = of(&found, "slide on ice").zip(of(&found, "slide on stone"));
        let sum = both.map_or(0.0, |(ice, stone)| ice + stone);
        assert!((sum - whole).abs() < 1e-4, "{sum} {whole}");
    }
}

/// The time of a swing of a pendulum, by the arithmetic-geometric mean.
fn swing_time(length: f64, gravity: f64, angle: f64) -> f64 {
    let (mut a, mut g) = (1.0, (0.5 * angle).cos());
    for _ in 0..20 {
        (a, g) = (0.5 * (a + g), f64::sqrt(a * g));
    }
    2.0 * PI * (length / gravity).sqrt() / a
}

#[test]
fn a_swing_has_the_period_and_the_height_of_a_pendulum() {
    for hz in RATES {
        for (length, gravity, angle) in [(150.0_f64, 3672.0, 1.0_f64), (300.0, 1000.0, 0.3), (80.0, 2000.0, 2.2)] {
            let (mut turn, mut rate, mut points): (f64, f64, Vec<MotionPoint>) = (angle, 0.0, Vec::new());
            let fine = 400;
            let dt = 1.0 / f64::from(hz * fine);
            let tip = dvec2(40.0, 900.0);
            for _ in 0..9 * hz {
                let (away, along) = (dvec2(turn.sin(), -turn.cos()), dvec2(turn.cos(), turn.sin()));
                let (pos, vel) = (tip + away * length, along * (rate * length));
                let hangs_on = Some(tip);
                points.push(MotionPoint { pos, vel, height: pos.y, rising: vel.y, hangs_on, ..MotionPoint::default() });
                for _ in 0..fine {
                    let half = rate - 0.5 * dt * gravity / length * turn.sin();
                    turn += dt * half;
                    rate = half - 0.5 * dt * gravity / length * turn.sin();
                }
            }
            let time = swing_time(length, gravity, angle);
            let found = measures(&points, hz, View::Side);
            close(&found, "swing period", time, 2e-3 * time);
            close(&found, "swing height", length * (1.0 - angle.cos()), 0.01 * length);
            let let_go = found.iter().find(|measure| measure.name == "let-go speed").expect("it is listed");
            assert_eq!(let_go.value, Err("still hangs"));
            points.push(MotionPoint::default());
            let speed = points[points.len() - 2].vel.length();
            close(&measures(&points, hz, View::Side), "let-go speed", speed, 1e-9);
        }
    }
}

#[test]
fn what_hangs_still_does_not_swing() {
    let hang = MotionPoint { hangs_on: Some(dvec2(0.0, 100.0)), ..MotionPoint::default() };
    assert!(measures(&vec![hang; 100], 60, View::Side).is_empty());
}

#[test]
fn a_touchdown_has_its_speed_and_tilt_and_is_no_jump() {
    for (angle, tilt) in [(0.1, 0.1), (-0.2, 0.2), (6.2, 2.0 * PI - 6.2), (-12.0, 4.0 * PI - 12.0)] {
        let point = |height: f64, touches: bool| MotionPoint {
            height,
            rising: -84.0,
            grounded: touches,
            rigid: Some((angle, touches)),
            ..MotionPoint::default()
        };
        let mut path = vec![point(0.0, true), point(9.0, false), point(3.0, false), point(0.0, true)];
        let found = measures(&path, 60, View::Side);
        close(&found, "touchdown speed", 84.0, 1e-9);
        close(&found, "touchdown tilt", tilt.to_degrees(), 1e-6);
        assert_eq!(events(&found), ["touchdown"]);
        path[3].landed = Some(91.5);
        close(&measures(&path, 60, View::Side), "touchdown speed", 91.5, 1e-9);
    }
}

#[test]
fn measures_that_changed_show_both_values() {
    let all = measures(&jump(60, 300.0, 0.0, 600.0, 2.0), 60, View::Side);
    let cut = measures(&jump(60, 300.0, 0.0, 600.0, 0.8), 60, View::Side);
    let lines = compared(&all, &cut);
    assert_eq!(lines[0], "apex 75.0 px");
    assert_eq!(lines[2], "air time 1.000 s → not landed");
    let (dash, _) = dash(60, View::Side, DVec2::X, [650.0, 650.0, 4000.0], false);
    let lines = compared(&all, &measures(&dash, 60, View::Side));
    assert_eq!(lines[0], "top speed no run → 650 px/s");
    assert!(lines.contains(&"apex 75.0 px → no jump".to_string()), "{lines:?}");
    assert!(compared(&[], &[]).is_empty());
}
