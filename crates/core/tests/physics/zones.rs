//! Entering and leaving zones: events along the way through a tick.

use crate::{
    common::{RATES, loaded, near},
    ground::{Ground, Play},
};
use glam::{DVec2, dvec2};
use hangtime_core::{
    geometry::polygon,
    level::Zone,
    models::{Action, Decay, ModelName},
    sim::{Command, Event, EventKind},
};

/// The zone events of a play, such as `+a` and `-a`.
fn crossings(events: &[Event]) -> Vec<String> {
    let told = events.iter().filter_map(|event| match &event.kind {
        EventKind::Enter { zone } => Some(format!("+{zone}")),
        EventKind::Leave { zone } => Some(format!("-{zone}")),
        _ => None,
    });
    told.collect()
}

/// A projectile without gravity, which flies straight on.
fn glider(hz: u32, x: f64, speed: f64) -> Ground {
    let ground = Ground::none(hz).model(ModelName::ballistic).gravity(0.0);
    ground.at(x, 0.0).moving(speed, 0.0)
}

#[test]
fn a_thin_zone_passed_within_a_tick_is_entered_and_left() {
    for hz in [30, 37, 60, 120, 144, 240] {
        for wide in [0.5, 2.0, 8.0, 50.0] {
            for speed in [50.0, 700.0, 3000.0] {
                for phase in 0..24 {
                    let start = -60.0 - 0.1 * f64::from(phase) * speed / 50.0;
                    let ground = glider(hz, start, speed);
                    let mut play = ground.zone("thin", (0.0, -50.0), (wide, 50.0)).play();
                    play.run((wide - start) / speed + 0.1);
                    let told = crossings(&play.events);
                    assert_eq!(told, ["+thin", "-thin"], "{hz} Hz, {wide} px, {speed} px/s");
                    assert!(play.hero().zones.is_empty());
                }
            }
        }
    }
}

#[test]
fn a_falling_body_enters_and_leaves_a_thin_zone_at_its_cap() {
    for hz in RATES {
        for phase in 0..40 {
            let ground = Ground::none(hz).at(0.0, 300.0 + 0.5 * f64::from(phase));
            let mut play = ground.zone("thin", (-9.0, 0.0), (9.0, 8.0)).play();
            play.run(1.0);
            assert_eq!(crossings(&play.events), ["+thin", "-thin"], "{hz} Hz");
        }
    }
}

#[test]
fn zones_passed_within_a_tick_report_in_the_order_of_their_borders() {
    for hz in RATES {
        let rows = [("outer", 0.0, 20.0), ("inner", 4.0, 8.0), ("next", 20.0, 22.0)];
        let mut ground = glider(hz, -50.0, 3000.0);
        // The order in the file does not matter.
        for (name, from, to) in rows.iter().rev() {
            ground = ground.zone(name, (*from, -5.0), (*to, 5.0));
        }
        ground = ground.zone("ahead", (15.0, -5.0), (21.0, 5.0));
        let mut play = ground.play();
        play.run(0.1);
        let order = ["+outer", "+inner", "-inner", "+ahead", "-outer", "+next", "-ahead", "-next"];
        assert_eq!(crossings(&play.events), order, "{hz} Hz");
    }
}

/// A zone with two arms, so that a straight line meets it twice.
fn fork() -> Zone {
    let points =
        [(0.0, -20.0), (12.0, -20.0), (12.0, 5.0), (8.0, 5.0), (8.0, -10.0), (4.0, -10.0), (4.0, 5.0), (0.0, 5.0)];
    let points = points.map(DVec2::from);
    Zone {
        present: true,
        time_scale: 1.0,
        name: "fork".into(),
        points: polygon::outline(&points).expect("a simple polygon"),
        external_accel: DVec2::ZERO,
        gravity_scale: 1.0,
        conveyor: DVec2::ZERO,
        surface: None,
    }
}

#[test]
fn a_concave_zone_is_entered_once_for_each_arm() {
    for hz in RATES {
        for speed in [200.0, 3000.0] {
            let mut ground = glider(hz, -30.0, speed);
            ground.zones.push(fork());
            let mut play = ground.play();
            play.run(60.0 / speed + 0.1);
            let told = crossings(&play.events);
            assert_eq!(told, ["+fork", "-fork", "+fork", "-fork"], "{hz} Hz");
        }
    }
}

#[test]
fn a_teleport_passes_through_no_zone() {
    for hz in RATES {
        let ground = glider(hz, -100.0, 0.0);
        let ground = ground.zone("between", (0.0, -50.0), (8.0, 50.0));
        let mut play = ground.zone("there", (90.0, -50.0), (110.0, 50.0)).play();
        play.tick();
        let hero = play.world.entities()[0].id;
        let command = Command::Place(dvec2(100.0, 0.0), None);
        play.world.order(&play.stage, hero, &command);
        play.tick();
        assert_eq!(crossings(&play.events), ["+there"], "{hz} Hz");
        let command = Command::Place(dvec2(-100.0, 0.0), None);
        play.world.order(&play.stage, hero, &command);
        play.tick();
        assert_eq!(crossings(&play.events), ["+there", "-there"], "{hz} Hz");
    }
}

#[test]
fn a_return_to_the_start_passes_through_no_zone() {
    for hz in RATES {
        // The level ends at 16,384.
        let ground = glider(hz, 16_300.0, 500.0);
        let mut play = ground.zone("edge", (16_340.0, -50.0), (16_342.0, 50.0)).play();
        play.run(1.0);
        let passes = play.told("fall_out");
        let (entered, left) = (play.told("enter"), play.told("leave"));
        assert!(passes >= 3, "{passes}");
        assert_eq!(entered - left, play.hero().zones.len());
        assert!(entered == passes || entered == passes + 1, "{entered}, {passes}");
    }
}

#[test]
fn a_body_is_in_the_zones_of_its_center_at_the_end_of_a_tick() {
    for hz in RATES {
        let ground = glider(hz, -60.0, 730.0);
        let mut play = ground.zone("a", (0.0, -5.0), (30.0, 5.0)).play();
        for hero in play.run(0.3) {
            let inside = hero.pos.x >= 0.0 && hero.pos.x < 30.0;
            assert_eq!(hero.zones.len(), usize::from(inside), "{hz} Hz, {}", hero.pos.x);
        }
    }
}

#[test]
fn a_platform_carries_its_rider_through_a_thin_zone() {
    for hz in RATES {
        let floor = [(-60.0, -20.0), (60.0, -20.0), (60.0, 0.0), (-60.0, 0.0)];
        let ground = Ground::none(hz).platform(&floor, &[(0.0, 0.0), (900.0, 0.0)], 700.0);
        let mut play = ground.zone("thin", (300.0, 0.0), (303.0, 50.0)).play();
        play.run(1.2);
        let told = crossings(&play.events);
        assert_eq!(told, ["+thin", "-thin"], "{hz} Hz");
    }
}

#[test]
fn a_body_that_starts_in_a_zone_enters_it_at_birth() {
    let ground = glider(60, 5.0, 0.0).zone("here", (0.0, -50.0), (8.0, 50.0));
    let play = ground.play();
    assert_eq!(crossings(play.world.events()), ["+here"]);
}

#[test]
fn a_body_leaves_a_zone_that_a_reload_removes() {
    let ground = glider(60, -5.0, 600.0).zone("here", (0.0, -50.0), (80.0, 50.0));
    let mut play = ground.play();
    play.run(0.05);
    let mut bare = ground.clone();
    bare.zones.clear();
    let stage = bare.stage();
    play.world.adopt(&play.stage, &stage);
    assert_eq!(crossings(play.world.events()), ["-here"]);
    play.stage = stage;
    play.run(0.05);
    assert_eq!(crossings(&play.events), ["+here"]);
    assert!(play.hero().zones.is_empty());
}

#[test]
fn a_snapshot_between_two_borders_continues_alike() {
    let ground = Ground::floor(60).model(ModelName::two_velocity);
    let mut ground = ground.at(0.0, 200.0).moving(300.0, 0.0);
    for (name, x) in [("a", 20.0), ("b", 60.0)] {
        ground = ground.zone_with(name, (x, 0.0), (x + 70.0, 150.0), |zone| {
            zone.gravity_scale = 0.3;
            zone.external_accel = dvec2(40.0, 900.0);
        });
    }
    let mut play = ground.play();
    play.hold(Action::Right);
    for _ in 0..40 {
        play.tick();
        let json = serde_json::to_string(&play.world).expect("a world can be saved");
        let world = loaded(&json, &play.stage);
        assert_eq!(world, play.world);
        let mut other = Play { stage: ground.stage(), world, input: play.input, events: vec![] };
        other.run(0.1);
        let mut same = Play { stage: ground.stage(), world: play.world.clone(), input: play.input, events: vec![] };
        same.run(0.1);
        assert_eq!(other.world, same.world);
    }
}

#[test]
fn the_way_through_a_tick_bends_where_the_body_lands() {
    for hz in RATES {
        for phase in 0..40 {
            // It falls at 700 px/s, lands at about x = 0, and slides on at 1400 px/s through a
            // strip that is too low for the straight line from before the landing to after it.
            let ground = Ground::floor(hz).model(ModelName::ballistic).gravity(0.0);
            let back = 0.2 + 0.001 * f64::from(phase);
            let ground = ground.at(-1400.0 * back, 19.0 + 700.0 * back);
            let ground = ground.moving(1400.0, -700.0).tune_flag("keep_landing_velocity", true);
            let mut play = ground.zone("strip", (2.0, 0.0), (4.0, 19.5)).play();
            play.run(0.4);
            assert_eq!(play.told("land"), 1);
            assert_eq!(crossings(&play.events), ["+strip", "-strip"], "{hz} Hz, {phase}");
        }
    }
}

#[test]
fn a_damping_close_to_zero_is_as_exact_as_any() {
    let dampings = [0.0, 1e-320, 1e-200, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3, 0.1, 4.0];
    for hz in [10, 30, 37, 60, 120, 144, 240, 1000] {
        for damping in dampings {
            let dt = 1.0 / f64::from(hz);
            let decay = Decay::over(dt, damping);
            // The series of (1 − e^−x)/x and (x − 1 + e^−x)/x² for x = damping·dt.
            let mut term = 1.0;
            let (mut seconds, mut drift) = (0.0, 0.0);
            for n in 1..30 {
                term /= f64::from(n);
                seconds += term;
                drift += term / f64::from(n + 1);
                term *= -damping * dt;
            }
            near(decay.seconds / dt, seconds, 1e-11);
            near(decay.drift / (dt * dt), drift, 1e-7);
        }
    }
}
