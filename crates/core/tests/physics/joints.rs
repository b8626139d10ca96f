//! Ropes and springs.

use crate::{
    cast::{Cast, Member, Orders},
    common::{RATES, loaded, near},
    ground::{BODY, Ground, tried},
};
use glam::{DVec2, dvec2};
use hangtime_core::{
    geometry::{Collider, ColliderForm},
    level::Carries,
    models::{Action, ModelName},
    sim::{
        Anchor, Command, Creation, EntityId, EventKind, Inputs, Joint, JointEnd, MOST_JOINTS, PlayerInput, Reel,
        Spring, World,
    },
    tuning::Setting,
};
use proptest::prelude::*;
use std::f64::consts::TAU;

const GRAVITY: f64 = 900.0;

/// Models whose bodies fall freely.
const FALLING: [ModelName; 3] = [ModelName::ballistic, ModelName::platformer, ModelName::vessel];

const SMALL: Collider = Collider::ellipse(4.0, 4.0);

fn on(name: &str) -> JointEnd {
    JointEnd { on: Anchor::Entity(EntityId(0)), name: name.into(), at: DVec2::ZERO }
}

fn at(x: f64, y: f64) -> JointEnd {
    JointEnd { on: Anchor::Level, name: "".into(), at: dvec2(x, y) }
}

fn rope(id: u32, ends: [JointEnd; 2], length: f64) -> Joint {
    Joint { id, ends, length, spring: None, strength: None, reel: None, tension: 0.0, hook: false }
}

fn spring(id: u32, ends: [JointEnd; 2], length: f64, hertz: f64, damping: f64) -> Joint {
    Joint { spring: Some(Spring { hertz, damping }), ..rope(id, ends, length) }
}

fn join(joint: Joint) -> Command {
    Command::Join(Box::new(joint))
}

/// A place without ground in which bodies fall as fast as they like.
fn air(hz: u32) -> Ground {
    let mut ground = Ground::none(hz).gravity(GRAVITY);
    for model in FALLING {
        // Not every model has a limit.
        _ = ground.tunings.set(model, "max_fall_speed", &Setting::Number(1e6));
        _ = ground.tunings.set(model, "gravity_scale", &Setting::Number(1.0));
    }
    ground
}

fn cast(ground: &Ground, members: &[Member], joints: &[Joint]) -> Cast {
    let mut cast = Cast::new(ground, members);
    for joint in joints {
        cast.order(0, join(joint.clone()));
    }
    cast
}

fn pos(cast: &Cast, name: &str) -> DVec2 {
    cast.world.body(cast.world.entity(name).expect("it lives")).pos
}

/// The energy of bodies of mass 1 in a level with this gravity, without springs.
fn energy(world: &World, gravity: f64) -> f64 {
    let of = |e| {
        let body = world.body(e);
        0.5 * (body.vel + body.external).length_squared() + gravity * body.pos.y
    };
    world.entities().iter().map(of).sum()
}

#[test]
fn a_pendulum_swings_with_its_period_and_keeps_its_height() {
    // Large swings: T = 2π·√(L/g)·(1 + θ²/16 + 11·θ⁴/3072 + …).
    let (length, angle) = (100.0, 0.5_f64);
    let period = TAU * (length / GRAVITY).sqrt() * (1.0 + angle.powi(2) / 16.0 + 11.0 * angle.powi(4) / 3072.0);
    for model in FALLING {
        for hz in RATES {
            let start = dvec2(length * angle.sin(), -length * angle.cos());
            let members = [Member::new("lamp", model, SMALL, start)];
            let mut cast = cast(&air(hz), &members, &[rope(1, [on("lamp"), at(0.0, 0.0)], length)]);
            let (mut crossings, mut last, mut highest) = (vec![], start, vec![]);
            let ticks = (10.2 * period * f64::from(hz)) as u32;
            for tick in 0..ticks {
                cast.tick();
                let now = pos(&cast, "lamp");
                // It never gets away, and never higher than it began. Rounding adds less than the slack.
                assert!(now.length() <= length + 1e-3, "{} px away, {model} at {hz} Hz", now.length());
                assert!(now.y <= start.y + 1e-3, "{} px too high, {model} at {hz} Hz", now.y - start.y);
                if last.x > 0.0 && now.x <= 0.0 {
                    crossings.push((f64::from(tick) + last.x / (last.x - now.x)) / f64::from(hz));
                    highest.push(f64::NEG_INFINITY);
                }
                if let Some(highest) = highest.last_mut() {
                    *highest = highest.max(now.y);
                }
                last = now;
            }
            let swings = crossings.len() - 1;
            assert!(swings >= 9, "{swings} swings, {model} at {hz} Hz");
            near((crossings[swings] - crossings[0]) / swings as f64, period, 1e-3 * period);
            // A swing's highest point is seen at a tick: at most half a tick off, where the body moves by g·sin(θ)·t²/2.
            let unseen = 0.5 * GRAVITY * angle.sin().powi(2) * (0.5 / f64::from(hz)).powi(2);
            near(highest[swings - 1], start.y, 0.05 + unseen);
        }
    }
}

#[test]
fn a_pendulum_is_at_the_same_place_at_every_rate() {
    for model in FALLING {
        let place = |hz: u32| {
            let members = [Member::new("lamp", model, SMALL, dvec2(80.0, 0.0))];
            let mut cast = cast(&air(hz), &members, &[rope(1, [on("lamp"), at(0.0, 0.0)], 80.0)]);
            (0..20)
                .map(|_| {
                    cast.run(0.1);
                    pos(&cast, "lamp")
                })
                .collect::<Vec<_>>()
        };
        let exact = place(240);
        for hz in [30, 60, 120] {
            for (got, expected) in place(hz).iter().zip(&exact) {
                assert!(got.distance(*expected) <= 1.0, "{got} instead of {expected}, {model} at {hz} Hz");
            }
        }
    }
}

#[test]
fn a_spring_swings_with_its_frequency_whatever_the_masses() {
    for hz in RATES {
        for (hertz, damping, masses) in [(1.0, 0.0, [1.0, 1.0]), (2.0, 0.1, [1.0, 9.0]), (3.0, 0.02, [5.0, 0.5])] {
            let mut members = [-60.0, 60.0].map(|x| Member::new("", ModelName::ballistic, SMALL, dvec2(x, 0.0)));
            (members[0].name, members[1].name) = ("left", "right");
            (members[0].mass, members[1].mass) = (masses[0], masses[1]);
            let joint = spring(1, [on("left"), on("right")], 100.0, hertz, damping);
            let mut cast = cast(&air(hz).gravity(0.0), &members, &[joint]);
            // A damped oscillator: x = x₀·e^(−ζωt)·(cos ω't + ζω/ω'·sin ω't), with ω' = ω·√(1 − ζ²).
            let omega = TAU * hertz;
            let (decay, fast) = (damping * omega, omega * (1.0 - damping * damping).sqrt());
            let mut tick = 0;
            for _ in 0..2 * hz {
                cast.tick();
                tick += 1;
                let t = f64::from(tick) / f64::from(hz);
                let expected = 20.0 * (-decay * t).exp() * ((fast * t).cos() + decay / fast * (fast * t).sin());
                let (left, right) = (pos(&cast, "left"), pos(&cast, "right"));
                // Implicit midpoint steps of h lag by a phase of ω³h²t/12.
                let lag = 20.0 * omega.powi(3) * t / (12.0 * 240.0 * 240.0);
                near(left.distance(right) - 100.0, expected, 0.01 + 1.1 * lag);
                // The center of mass stays.
                let center = (left * masses[0] + right * masses[1]) / (masses[0] + masses[1]);
                let start = 60.0 * (masses[1] - masses[0]) / (masses[0] + masses[1]);
                near(center.x, start, 1e-6);
            }
        }
    }
}

#[test]
fn the_heavier_of_two_wins_a_tug_of_war() {
    // The heavy one pulls with the acceleration of its run, 650 px/s². The light one brakes with 4,000 px/s² while it is
    // dragged backward.
    for hz in RATES {
        for (heavy, light) in [(10.0, 1.0), (1.0, 1.0)] {
            let ground = Ground::floor(hz)
                .model(ModelName::platformer)
                .tune("run_speed_min", 0.0)
                .tune("rest_spacing", 0.0);
            let mut members = [("left", -50.0), ("right", 50.0)]
                .map(|(name, x)| Member::new(name, ModelName::platformer, BODY, dvec2(x, 19.0)));
            (members[0].mass, members[1].mass) = (heavy, light);
            let mut cast = cast(&ground, &members, &[rope(1, [on("left"), on("right")], 100.0)]);
            for _ in 0..hz {
                cast.order(0, Command::Hold(Action::Left));
                cast.order(1, Command::Hold(Action::Right));
                cast.tick();
            }
            let (left, right) = (pos(&cast, "left"), pos(&cast, "right"));
            near(left.distance(right), 100.0, 1e-3);
            let moved = left.x + 50.0;
            let dragged = 0.5 * (650.0 * heavy - 4000.0 * light) / (heavy + light);
            near(moved, -dragged.max(0.0), 1e-6_f64.max(0.01 * dragged));
            near(left.y, 19.0, 1e-6);
        }
    }
}

/// The winner and the distance depended on the tick rate: the speed at which a run starts was reached at once, and then lost again.
#[test]
fn a_run_that_starts_at_a_speed_pulls_as_hard_as_feet_brake_until_then() {
    // Both begin to run apart on a taut rope. Up to 360 px/s, each pushes with 4,000 px/s² times its mass; above it, the heavy
    // one only with 650 px/s², which is less than what the light one brakes with.
    for hz in RATES {
        for masses in [[1.0, 3.0], [3.0, 1.0], [1.0, 1.0], [1.0, 10.0]] {
            for keys in [[true, true], [true, false], [false, true]] {
                let ground = Ground::floor(hz).model(ModelName::platformer);
                let mut members = [("left", -150.0), ("right", 150.0)]
                    .map(|(name, x)| Member::new(name, ModelName::platformer, BODY, dvec2(x, 19.0)));
                (members[0].mass, members[1].mass) = (masses[0], masses[1]);
                let mut cast = cast(&ground, &members, &[rope(1, [on("left"), on("right")], 300.0)]);
                let seconds = 1.5;
                for _ in 0..(seconds * f64::from(hz)) as u32 {
                    for (who, action) in [(0, Action::Left), (1, Action::Right)] {
                        if keys[who] {
                            cast.order(who, Command::Hold(action));
                        }
                    }
                    cast.tick();
                }
                let (left, right) = (pos(&cast, "left").x, pos(&cast, "right").x);
                // Feet that stand brake as hard as they push. From 360 px/s on, the stronger one runs with 650 px/s² as far as
                // the other one's feet let it.
                let [a, b] = [-4000.0 * masses[0], 4000.0 * masses[1]];
                let (sum, whole) = (a + b, masses[0] + masses[1]);
                let winner = usize::from(sum > 0.0);
                let wins = sum != 0.0 && keys[winner];
                let (accel, more) = (sum.abs() / whole, (650.0 * masses[winner] - 4000.0 * masses[1 - winner]) / whole);
                let started = 360.0 / accel;
                let after = seconds - started;
                let way = 0.5 * 360.0 * started + 360.0 * after + 0.5 * more.max(0.0) * after * after;
                let moved = if wins { way * sum.signum() } else { 0.0 };
                let found = 0.5 * (left + right);
                let what = format!("{masses:?} {keys:?} at {hz} Hz: {left} {right}");
                assert!((found - moved).abs() <= 4.0 + 0.01 * moved.abs(), "{found}, not {moved}: {what}");
                assert!((right - left - 300.0).abs() <= 4.0, "{what}");
            }
        }
    }
}

/// Where the rope became taut within a tick, the run began slowly in that tick, so pairs were up to 35 px apart after 3 s.
#[test]
fn a_run_on_a_slack_rope_starts_at_once_at_every_rate() {
    for hz in RATES {
        for slack in [0.5, 3.0, 10.0, 40.0, 173.0] {
            for masses in [[1.0, 3.0], [3.0, 1.0], [1.0, 1.0]] {
                let ground = Ground::floor(hz).model(ModelName::platformer).tune("rest_spacing", 0.0);
                let mut members = [("left", -150.0), ("right", 150.0)]
                    .map(|(name, x)| Member::new(name, ModelName::platformer, BODY, dvec2(x, 19.0)));
                (members[0].mass, members[1].mass) = (masses[0], masses[1]);
                let mut cast = cast(&ground, &members, &[rope(1, [on("left"), on("right")], 300.0 + slack)]);
                let seconds = 2.0;
                for _ in 0..(seconds * f64::from(hz)) as u32 {
                    cast.order(0, Command::Hold(Action::Left));
                    cast.order(1, Command::Hold(Action::Right));
                    cast.tick();
                }
                // Each runs with 360 px/s and 650 px/s² until the rope is taut. Then both have the velocity of their center of
                // mass. The heavier one pushes with 4,000 px/s² times its mass until it is 360 px/s fast, and with 650 px/s²
                // after that, against feet that brake with 4,000 px/s².
                let half = 0.5 * slack;
                let taut = half / (0.5 * (360.0 + (360.0_f64.powi(2) + 2.0 * 650.0 * half).sqrt()));
                let speed = 360.0 + 650.0 * taut;
                let [a, b] = masses;
                let whole = a + b;
                let mut velocity = speed * (b - a) / whole;
                let winner = usize::from(b > a);
                let pull = 4000.0 * (b - a) / whole;
                let after = (650.0 * masses[winner] - 4000.0 * masses[1 - winner]) / whole;
                let mut left = seconds - taut;
                let mut center = 0.0;
                if a != b {
                    let starting = ((360.0 - velocity.abs()) / pull.abs()).max(0.0);
                    center += velocity * starting + 0.5 * pull * starting * starting;
                    velocity += pull * starting;
                    left -= starting;
                    center += velocity * left + 0.5 * after.max(0.0) * left * left * pull.signum();
                }
                let (left, right) = (pos(&cast, "left").x, pos(&cast, "right").x);
                let what = format!("{masses:?}, {slack} px slack at {hz} Hz: {left} {right}");
                let found = 0.5 * (left + right);
                assert!((found - center).abs() <= 1.0 + 0.01 * center.abs(), "{found}, not {center}: {what}");
                assert!((right - left - 300.0 - slack).abs() <= 0.01, "{what}");
            }
        }
    }
}

#[test]
fn a_heavy_body_over_an_edge_drags_the_other_to_it() {
    // A body on a ledge, and one that hangs next to it: the first is dragged to the edge.
    for hz in RATES {
        let ground =
            Ground::none(hz)
                .gravity(GRAVITY)
                .solid(&[(-400.0, -50.0), (0.0, -50.0), (0.0, 0.0), (-400.0, 0.0)]);
        let mut members = [("dragged", -100.0, 19.0), ("hanging", 40.0, 19.0)]
            .map(|(name, x, y)| Member::new(name, ModelName::platformer, BODY, dvec2(x, y)));
        members[1].mass = 20.0;
        let mut cast = cast(&ground, &members, &[rope(1, [on("dragged"), on("hanging")], 140.0)]);
        cast.run(0.5);
        assert!(pos(&cast, "dragged").x > -95.0, "{} at {hz} Hz", pos(&cast, "dragged"));
        for _ in 0..2 * hz {
            cast.tick();
            let apart = pos(&cast, "dragged").distance(pos(&cast, "hanging"));
            assert!(apart <= 141.0, "{apart} px at {hz} Hz");
        }
    }
}

/// A row of bodies between two points, each at the length of its rope from the next.
fn bridge(hz: u32, planks: usize, gap: f64) -> (Ground, Vec<Member>, Vec<Joint>) {
    const NAMES: [&str; 12] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
    let place = |i: usize| gap * i as f64;
    let members = (0..planks).map(|i| Member::new(NAMES[i], ModelName::ballistic, SMALL, dvec2(place(i + 1), 0.0)));
    let end = |i: usize| match i {
        0 => at(0.0, 0.0),
        i if i > planks => at(place(planks + 1), 0.0),
        i => on(NAMES[i - 1]),
    };
    let joints = (0..=planks).map(|i| rope(i as u32 + 1, [end(i), end(i + 1)], gap * 1.02)).collect();
    (air(hz), members.collect(), joints)
}

#[test]
fn a_bridge_of_planks_sags_as_a_chain_and_comes_to_rest() {
    // Ropes of 1.02 times the gap: a flat arc of length s over a span l sags by √(3/8·l·(s − l)).
    let (planks, gap) = (9, 20.0);
    let span = gap * 10.0;
    let sag = (3.0 / 8.0 * span * span * 0.02_f64).sqrt();
    for hz in RATES {
        let (ground, members, joints) = bridge(hz, planks, gap);
        let mut cast = cast(&ground, &members, &joints);
        cast.run(30.0);
        let lowest = cast.world.entities().iter().map(|e| cast.world.body(e).pos.y).fold(0.0, f64::min);
        near(-lowest, sag, 0.1 * sag);
        for joint in cast.world.joints().iter() {
            let [a, b] = cast.world.joint_ends(&cast.stage, joint);
            assert!(a.distance(b) <= joint.length + 0.2, "{} px at {hz} Hz", a.distance(b) - joint.length);
        }
    }
}

#[test]
fn energy_does_not_grow() {
    let scenes = [
        ("a double pendulum", [(60.0, 0.0), (120.0, 0.0), (150.0, 40.0)]),
        ("a slack one", [(30.0, 10.0), (40.0, 20.0), (10.0, 30.0)]),
        ("a folded one", [(60.0, 0.0), (5.0, 1.0), (60.0, 2.0)]),
    ];
    for (scene, places) in scenes {
        for hz in RATES {
            let members: Vec<Member> = ["a", "b", "c"]
                .iter()
                .zip(places)
                .map(|(name, place)| Member::new(name, ModelName::ballistic, SMALL, place.into()))
                .collect();
            let joints = [
                rope(1, [at(0.0, 0.0), on("a")], 60.0),
                rope(2, [on("a"), on("b")], 60.0),
                rope(3, [on("b"), on("c")], 60.0),
            ];
            let mut cast = cast(&air(hz), &members, &joints);
            let most = energy(&cast.world, GRAVITY);
            let depth = 3.0 * 180.0 * GRAVITY;
            for _ in 0..20 * hz {
                cast.tick();
                let now = energy(&cast.world, GRAVITY);
                assert!(now <= most + 1e-4 * depth, "{} of {depth} more, {scene} at {hz} Hz", now - most);
            }
        }
    }
}

#[test]
fn an_undamped_spring_keeps_its_energy_and_a_stiff_one_stays_calm() {
    for hz in RATES {
        for hertz in [0.5, 5.0, 30.0, 60.0] {
            let members = [Member::new("bob", ModelName::ballistic, SMALL, dvec2(70.0, 0.0))];
            let joint = spring(1, [at(0.0, 0.0), on("bob")], 60.0, hertz, 0.0);
            let mut cast = cast(&air(hz), &members, &[joint]);
            let omega = TAU * hertz;
            let total = |cast: &Cast| {
                let stretch = pos(cast, "bob").length() - 60.0;
                energy(&cast.world, GRAVITY) + 0.5 * omega * omega * stretch * stretch
            };
            let start = total(&cast);
            let scale = start.abs() + 200.0 * GRAVITY;
            for _ in 0..10 * hz {
                cast.tick();
                let gained = total(&cast) - start;
                assert!(gained <= 1e-5 * scale, "{gained} of {scale}, {hertz} Hz at {hz} Hz");
                assert!(gained >= -0.01 * scale, "{gained} of {scale}, {hertz} Hz at {hz} Hz");
            }
        }
    }
}

#[test]
fn a_rope_snaps_at_its_strength_and_the_level_hears_it() {
    for hz in RATES {
        for (strength, snaps) in [(0.99 * GRAVITY, true), (1.01 * GRAVITY, false)] {
            let members = [Member::new("lamp", ModelName::platformer, SMALL, dvec2(0.0, -100.0))];
            // A body at rest on a rope pulls with its weight m·g.
            let joint = Joint { strength: Some(strength), ..rope(1, [on("lamp"), at(0.0, 0.0)], 100.0) };
            let mut cast = cast(&air(hz), &members, &[joint]);
            cast.run(1.0);
            assert_eq!(cast.world.joints().is_empty(), snaps);
            let lost = cast.events.iter().filter(|e| e.kind == EventKind::JointLost { joint: 1, snapped: true });
            assert_eq!(lost.count(), usize::from(snaps));
            if let Some(joint) = cast.world.joints().get(1) {
                near(joint.tension, GRAVITY, 1e-3 * GRAVITY);
                near(pos(&cast, "lamp").y, -100.0, 1e-6);
            }
        }
    }
}

#[test]
fn a_winch_lifts_a_body_at_its_speed() {
    for model in FALLING {
        for hz in RATES {
            let members = [Member::new("load", model, SMALL, dvec2(0.0, -200.0))];
            let mut cast = cast(&air(hz), &members, &[rope(1, [on("load"), at(0.0, 0.0)], 200.0)]);
            cast.run(0.5);
            cast.order(0, Command::Reel(1, Reel { to: 50.0, speed: 100.0 }));
            cast.run(1.0);
            near(pos(&cast, "load").y, -100.0, 0.1);
            near(cast.view(0).vel.y, 100.0, 4.0);
            // It rises on by v²/2g at most, and then hangs.
            cast.run(1.0);
            near(pos(&cast, "load").y, -50.0, 100.0 * 100.0 / (2.0 * GRAVITY) + 0.1);
            cast.run(3.0);
            near(pos(&cast, "load").y, -50.0, 0.1);
        }
    }
}

#[test]
fn a_joint_ends_with_what_it_holds() {
    let members = ["a", "b"].map(|name| Member::new(name, ModelName::platformer, BODY, dvec2(0.0, 19.0)));
    let mut cast = cast(&Ground::floor(60), &members, &[rope(7, [on("a"), on("b")], 50.0)]);
    cast.tick();
    assert_eq!(cast.world.joints().len(), 1);
    cast.order(1, Command::Remove);
    cast.tick();
    assert!(cast.world.joints().is_empty());
    assert!(cast.events.iter().any(|e| e.kind == EventKind::JointLost { joint: 7, snapped: false }));
    assert_eq!(cast.world.joints().next_id(), 8);
}

#[test]
fn a_cut_rope_lets_go_without_an_event() {
    let members = [Member::new("lamp", ModelName::platformer, SMALL, dvec2(0.0, -100.0))];
    let mut cast = cast(&air(60), &members, &[rope(1, [on("lamp"), at(0.0, 0.0)], 100.0)]);
    cast.run(0.5);
    cast.order(0, Command::Cut(1));
    cast.run(1.0);
    // It has fallen for a second.
    near(pos(&cast, "lamp").y, -100.0 - 0.5 * GRAVITY, 0.01);
    assert!(!cast.events.iter().any(|e| e.kind.name() == "joint_lost"));
}

#[test]
fn a_teleported_body_is_pulled_back_without_a_speed() {
    for hz in RATES {
        let members = [Member::new("lamp", ModelName::platformer, SMALL, dvec2(0.0, -100.0))];
        let mut cast = cast(&air(hz).gravity(0.0), &members, &[rope(1, [on("lamp"), at(0.0, 0.0)], 100.0)]);
        cast.run(0.5);
        cast.order(0, Command::Place(dvec2(1000.0, 0.0), None));
        cast.run(0.2);
        // 2,400 px/s.
        near(pos(&cast, "lamp").x, 1000.0 - 480.0, 1.0);
        cast.run(0.5);
        near(pos(&cast, "lamp").x, 100.0, 0.1);
        near(cast.view(0).vel.length(), 0.0, 1e-6);
    }
}

#[test]
fn a_body_whose_time_stands_still_holds_the_other() {
    let members = [("hook", 0.0), ("lamp", -100.0)]
        .map(|(name, y)| Member::new(name, ModelName::ballistic, SMALL, dvec2(0.0, y)));
    let mut cast = cast(&air(60), &members, &[rope(1, [on("hook"), on("lamp")], 100.0)]);
    cast.order(0, Command::SetTimeScale(0.0));
    cast.run(2.0);
    near(pos(&cast, "hook").y, 0.0, 0.0);
    near(pos(&cast, "lamp").y, -100.0, 1e-3);
}

#[test]
fn a_moving_platform_drags_what_hangs_on_it() {
    for hz in RATES {
        let ground = air(hz).platform(
            &[(-20.0, 0.0), (20.0, 0.0), (20.0, 20.0), (-20.0, 20.0)],
            &[(0.0, 0.0), (400.0, 0.0)],
            50.0,
        );
        let members = [Member::new("lamp", ModelName::platformer, SMALL, dvec2(0.0, -80.0))];
        let end = JointEnd { on: Anchor::Solid(0), name: "platform 0".into(), at: DVec2::ZERO };
        let mut cast = cast(&ground, &members, &[rope(1, [on("lamp"), end], 80.0)]);
        cast.run(4.0);
        // A pendulum whose support sets off with v swings with that amplitude: v/√(g/L) = 50/3.35.
        near(pos(&cast, "lamp").x, 200.0, 50.0 / (GRAVITY / 80.0).sqrt() + 0.5);
        let joint = cast.world.joints().get(1).expect("it holds");
        let [a, b] = cast.world.joint_ends(&cast.stage, joint);
        assert!(a.distance(b) <= 80.01);
    }
}

#[test]
fn the_order_of_creation_makes_no_difference() {
    let (ground, members, joints) = bridge(60, 8, 20.0);
    let mut forward = cast(&ground, &members, &joints);
    let mut backward = members.clone();
    backward.reverse();
    let reversed: Vec<Joint> = joints.iter().rev().cloned().collect();
    let mut backward = cast(&ground, &backward, &reversed);
    for tick in 0..240 {
        forward.tick();
        backward.tick();
        assert_eq!(forward.world.hash(), backward.world.hash(), "tick {tick}");
    }
}

#[test]
fn a_world_restored_at_any_tick_plays_on_alike() {
    let (ground, members, mut joints) = bridge(60, 6, 20.0);
    joints.push(spring(50, [on("b"), on("e")], 55.0, 2.0, 0.2));
    let mut cast = cast(&ground, &members, &joints);
    cast.tick();
    for _ in 0..120 {
        let saved = serde_json::to_string(&cast.world).expect("a world");
        let mut twin = loaded(&saved, &cast.stage);
        cast.order(0, Command::Reel(3, Reel { to: 30.0, speed: 5.0 }));
        let order = Command::Reel(3, Reel { to: 30.0, speed: 5.0 });
        let mut orders = Orders(vec![(0, order)]);
        cast.tick();
        twin.tick(&cast.stage, &Inputs::of_first(PlayerInput::default()), &mut orders);
        assert_eq!(twin.hash(), cast.world.hash());
        assert_eq!(twin, cast.world);
    }
}

#[test]
fn a_world_has_a_bounded_number_of_joints() {
    let members = ["a", "b"].map(|name| Member::new(name, ModelName::platformer, BODY, dvec2(0.0, 19.0)));
    let joints: Vec<Joint> = (1..=10_000).map(|id| rope(id, [on("a"), on("b")], 50.0)).collect();
    let mut cast = cast(&Ground::floor(60), &members, &joints);
    cast.run(0.1);
    assert_eq!(cast.world.joints().len(), MOST_JOINTS);
}

#[test]
fn saved_joints_are_checked() {
    let members = ["a", "b"].map(|name| Member::new(name, ModelName::platformer, BODY, dvec2(0.0, 19.0)));
    let mut cast = cast(&Ground::floor(60), &members, &[rope(1, [on("a"), on("b")], 50.0)]);
    cast.tick();
    let saved = serde_json::to_value(&cast.world).expect("a world");
    let broken: [(&str, &str, serde_json::Value); 4] = [
        ("length", "length", (-1.0).into()),
        ("id", "id", 9.into()),
        ("strength", "strength", (-4.0).into()),
        ("spring", "hertz", serde_json::json!({ "hertz": 1e9, "damping": 0.0 })),
    ];
    for (field, named, value) in broken {
        let mut saved = saved.clone();
        saved["joints"]["list"][0][field] = value;
        let saved: hangtime_core::sim::SavedWorld = serde_json::from_value(saved).expect("a saved world");
        let error = saved.check(&cast.stage).expect_err("it is wrong").to_string();
        assert!(error.contains(&format!("joints.list[0].{named}")), "{error}");
    }
}

/// Two small bodies in the air without gravity, the first of which fires its hook at the second.
fn duel(hz: u32, masses: [f64; 2]) -> Cast {
    let ground = air(hz)
        .gravity(0.0)
        .model(ModelName::platformer)
        .tune_word("hook_holds", "entities")
        .tune("hook_pull_speed", 300.0);
    let mut members = [("owner", 0.0), ("held", 200.0)]
        .map(|(name, x)| Member::new(name, ModelName::platformer, SMALL, dvec2(x, 0.0)));
    (members[0].mass, members[1].mass) = (masses[0], masses[1]);
    let mut cast = cast(&ground, &members, &[]);
    cast.order(0, Command::FireHook(dvec2(200.0, 0.0)));
    cast
}

#[test]
fn a_hook_on_an_entity_pulls_both_by_their_masses() {
    for hz in RATES {
        for masses in [[1.0, 1.0], [1.0, 3.0], [5.0, 1.0]] {
            let mut cast = duel(hz, masses);
            cast.run(0.3);
            let (owner, held) = (pos(&cast, "owner"), pos(&cast, "held"));
            let sum = masses[0] + masses[1];
            // The center of mass stays, and the rope gets shorter by 300 px/s from the moment at which the tip meets the
            // other body's side, 196 px away at 3,000 px/s.
            near((owner.x * masses[0] + held.x * masses[1]) / sum, 200.0 * masses[1] / sum, 1e-6);
            near(held.x - owner.x, 200.0 - 300.0 * (0.3 - 196.0 / 3000.0), 1.0);
            near(cast.view(0).vel.x, 300.0 * masses[1] / sum, 1e-6);
            let hook = cast.view(0).hook;
            assert_eq!(hook.state.as_str(), "attached");
            near(hook.tip.distance(held), 4.0, 1.5);
            near(hook.length, hook.tip.distance(owner), 1e-6);
            assert_eq!(cast.told("owner", "hook"), 1);
            // They end next to each other.
            cast.run(2.0);
            let apart = pos(&cast, "owner").distance(pos(&cast, "held"));
            assert!(apart <= 13.0, "{apart} px at {hz} Hz");
        }
    }
}

#[test]
fn a_hook_on_an_entity_lets_go_when_it_is_released_and_when_that_dies() {
    for hz in RATES {
        for command in [(0, Command::ReleaseHook), (1, Command::Remove)] {
            let mut cast = duel(hz, [1.0, 1.0]);
            cast.run(0.2);
            assert_eq!(cast.world.joints().len(), 1);
            let saved = serde_json::to_string(&cast.world).expect("a world");
            assert_eq!(loaded(&saved, &cast.stage), cast.world);
            cast.order(command.0, command.1);
            cast.run(0.2);
            assert!(cast.world.joints().is_empty());
            assert_ne!(cast.view(0).hook.state.as_str(), "attached");
            assert_eq!(cast.told("owner", "unhook"), 1);
            assert!(!cast.events.iter().any(|e| e.kind.name() == "joint_lost"));
        }
    }
}

#[test]
fn a_hook_reaches_an_entity_at_the_end_of_its_rope_and_no_farther() {
    for hz in RATES {
        for (far, reaches) in [(503.0, true), (506.0, false)] {
            let ground = air(hz).gravity(0.0).model(ModelName::platformer).tune_word("hook_holds", "entities");
            let members = [("owner", 0.0), ("held", far)]
                .map(|(name, x)| Member::new(name, ModelName::platformer, SMALL, dvec2(x, 0.0)));
            let mut cast = cast(&ground, &members, &[]);
            cast.order(0, Command::FireHook(dvec2(far, 0.0)));
            cast.run(0.25);
            // Its reach is 500 px, and the other's side is 4 px closer than its center.
            assert_eq!(cast.told("owner", "hook"), usize::from(reaches), "{far} px at {hz} Hz");
        }
    }
}

/// Planks hang between two points, side by side, and carry a hero who has fallen on them.
#[test]
fn a_bridge_of_planks_that_carry_bears_a_body() {
    const NAMES: [&str; 6] = ["hero", "plank 1", "plank 2", "plank 3", "plank 4", "plank 5"];
    let plank = Collider::new(ColliderForm::Box, dvec2(15.0, 4.0));
    for hz in RATES {
        let ground = Ground::none(hz).gravity(GRAVITY);
        let mut members = vec![Member::new(NAMES[0], ModelName::platformer, BODY, dvec2(0.0, 60.0))];
        for (i, name) in NAMES.iter().enumerate().skip(1) {
            let mut member = Member::new(name, ModelName::two_velocity, plank, dvec2(32.0 * (i as f64 - 3.0), 0.0));
            (member.carries, member.mass) = (Carries::Top, 2.0);
            members.push(member);
        }
        let mut joints = vec![];
        for i in 1..NAMES.len() {
            let left = if i == 1 { at(-96.0, 0.0) } else { on(NAMES[i - 1]) };
            joints.push(rope(i as u32, [left, on(NAMES[i])], 34.0));
        }
        joints.push(rope(6, [on(NAMES[5]), at(96.0, 0.0)], 34.0));
        let mut cast = cast(&ground, &members, &joints);
        cast.run(4.0);
        let mut twin = loaded(&serde_json::to_string(&cast.world).expect("a world"), &cast.stage);
        for _ in 0..hz {
            cast.tick();
            twin.tick(&cast.stage, &Inputs::none(), &mut Orders::default());
            assert_eq!(twin.hash(), cast.world.hash(), "at {hz} Hz");
            let hero = pos(&cast, NAMES[0]);
            let feet = hero.y - BODY.half.y;
            let under = |name: &&&str| (pos(&cast, name).x - hero.x).abs() <= plank.half.x + BODY.half.x;
            let tops = NAMES[1..].iter().filter(under).map(|name| pos(&cast, name).y + plank.half.y);
            let top = tops.fold(f64::NEG_INFINITY, f64::max);
            // The round sole of the hero can be on a corner, lower than on the plank's middle.
            assert!(feet <= top + 0.1 && feet >= top - BODY.half.y, "feet at {feet}, planks at {top}, {hz} Hz");
            for joint in cast.world.joints().iter() {
                let [a, b] = cast.world.joint_ends(&cast.stage, joint);
                assert!(a.distance(b) <= joint.length + 1.0, "{} px at {hz} Hz", a.distance(b));
            }
        }
        assert!(cast.view(0).grounded, "{} at {hz} Hz", cast.view(0).pos);
    }
}

/// It slid along the ground with its carrier, by the same way in every tick.
#[test]
fn a_rope_that_is_too_short_for_a_body_and_what_it_stands_on_leaves_them_at_rest() {
    let (hero, crates) = (Collider::new(ColliderForm::Box, dvec2(10.0, 19.0)), dvec2(40.0, 10.0));
    let model = ModelName::platformer;
    // The hero's center is this far above that of the lowest of one crate and of two.
    for (count, apart) in [(1, 29.0), (2, 49.0)] {
        for reeled in [false, true] {
            for length in [1.0, 10.0, apart - 0.1, apart + 0.5] {
                for x in [0.0, 1.0, -7.0, 30.0] {
                    for hz in RATES {
                        let what = format!("{count} crates, {length} px, reeled: {reeled}, from {x}, {hz} Hz");
                        let ground = Ground::floor(hz).gravity(GRAVITY).tune("rest_spacing", 0.0);
                        let mut members = vec![Member::new("hero", model, hero, dvec2(x, apart + 10.0))];
                        for (i, name) in ["low", "high"].into_iter().enumerate().take(count) {
                            let box_of = Collider::new(ColliderForm::Box, crates);
                            let mut member = Member::new(name, model, box_of, dvec2(0.0, 10.0 + 20.0 * i as f64));
                            (member.carries, member.mass) = (Carries::Top, 2.0);
                            members.push(member);
                        }
                        let mut cast = Cast::new(&ground, &members);
                        cast.run(0.1);
                        let reel = reeled.then_some(Reel { to: length, speed: 100.0 });
                        let first = if reeled { 120.0 } else { length };
                        cast.order(0, join(Joint { reel, ..rope(1, [on("hero"), on("low")], first) }));
                        // It may be dragged to the middle.
                        cast.run(3.0);
                        let before = ["hero", "low"].map(|name| pos(&cast, name));
                        cast.run(2.0);
                        let after = ["hero", "low"].map(|name| pos(&cast, name));
                        for (before, after) in before.into_iter().zip(after) {
                            assert!(before.distance(after) < 1e-3, "{before} to {after}: {what}");
                        }
                        near(after[0].y, apart + 10.0, 0.01);
                        near(after[1].y, 10.0, 0.01);
                        // Feet hold him against the rest of the pull.
                        let far = after[0].distance(after[1]);
                        assert!(far <= first.max(apart) + 0.05, "{far} px away: {what}");
                    }
                }
            }
        }
    }
}

/// The smaller one hung above the floor, with a velocity that grew with the rate, and the rope got shorter and shorter.
#[test]
fn a_winch_stops_where_its_bodies_meet_side_by_side() {
    let shapes = [
        (dvec2(10.0, 19.0), dvec2(8.0, 8.0)),
        (dvec2(10.0, 10.0), dvec2(10.0, 10.0)),
        (dvec2(20.0, 10.0), dvec2(8.0, 8.0)),
    ];
    for (large, small) in shapes {
        // Their centers are this far apart when they touch on the ground.
        let apart = dvec2(large.x + small.x, large.y - small.y);
        for (carries, pushes) in [(Carries::All, false), (Carries::Nothing, true), (Carries::All, true)] {
            for to in [1.0, 10.0, apart.length() + 5.0] {
                for (form, hz) in [ColliderForm::Box, ColliderForm::Ellipse]
                    .into_iter()
                    .flat_map(|f| RATES.map(|hz| (f, hz)))
                {
                    let what = format!("{form:?} {large} and {small}, {carries:?}, pushes: {pushes}, to {to}, {hz} Hz");
                    let ground = Ground::floor(hz).gravity(GRAVITY).tune("rest_spacing", 0.0);
                    let members =
                        [("large", large, -30.0, 2.0), ("small", small, 30.0, 1.0)].map(|(name, half, x, mass)| {
                            let shape = Collider::new(form, half);
                            let member = Member::new(name, ModelName::platformer, shape, dvec2(x, half.y));
                            Member { carries, pushes, mass, ..member }
                        });
                    let mut cast = Cast::new(&ground, &members);
                    cast.run(0.1);
                    let reel = Some(Reel { to, speed: 100.0 });
                    cast.order(0, join(Joint { reel, ..rope(1, [on("large"), on("small")], 80.0) }));
                    cast.run(3.0);
                    let before = ["large", "small"].map(|name| pos(&cast, name));
                    cast.run(1.0);
                    let after = ["large", "small"].map(|name| pos(&cast, name));
                    for ((before, after), half) in before.into_iter().zip(after).zip([large, small]) {
                        assert!(before.distance(after) < 0.01, "{before} to {after}: {what}");
                        // In the tick in which they meet, a steep rope may have lifted one.
                        assert!((after.y - half.y).abs() < 1.0, "{after}: {what}");
                    }
                    for entity in cast.world.entities() {
                        assert!(cast.world.body(entity).vel.length() < 1e-3, "{what}");
                    }
                    let length = cast.world.joints().iter().next().expect("a rope").length;
                    if to > apart.length() {
                        near(length, to, 1e-6);
                    } else if form == ColliderForm::Box {
                        // Bodies that push may overlap for a tick, in which it winds on.
                        let least = apart.x - if pushes { 100.0 / f64::from(hz) } else { 0.0 };
                        assert!(length > least - 0.01 && length < apart.length() + 0.01, "{length} px: {what}");
                    }
                }
            }
        }
    }
}

/// A member of 8 px by 8 px that leans on walls: of `vessel`, a box, since one with corners all around would roll.
fn leaning(name: &'static str, model: ModelName, at: DVec2) -> Member {
    let form = if model == ModelName::vessel {
        ColliderForm::Box
    } else {
        ColliderForm::Ellipse
    };
    Member::new(name, model, Collider::new(form, dvec2(4.0, 4.0)), at)
}

/// The most that a rope of the cast is longer than it should be, px.
fn stretched(cast: &Cast) -> f64 {
    let over = |joint: &Joint| {
        let [a, b] = cast.world.joint_ends(&cast.stage, joint);
        a.distance(b) - joint.length
    };
    cast.world.joints().iter().map(over).fold(0.0, f64::max)
}

#[test]
fn a_body_that_hangs_against_a_wall_does_not_stretch_its_rope() {
    // The rope is fixed behind the side of a wall at x = 0, so that the body leans on that.
    for model in FALLING {
        for hz in RATES {
            for behind in [0.5_f64, 5.0, 30.0] {
                let ground = air(hz).solid(&[(-100.0, -300.0), (0.0, -300.0), (0.0, 100.0), (-100.0, 100.0)]);
                let down = (100.0_f64 * 100.0 - (4.0 + behind).powi(2)).sqrt();
                let members = [leaning("lamp", model, dvec2(4.0, -down))];
                let mut cast = cast(&ground, &members, &[rope(1, [on("lamp"), at(-behind, 0.0)], 100.0)]);
                // A vessel knows what it touches once it has moved.
                cast.tick();
                for _ in 0..3 * hz {
                    cast.tick();
                    let over = stretched(&cast);
                    assert!(over <= 0.05, "{over} px, {behind} px behind, {model} at {hz} Hz");
                    let into = cast.view(0).vel.x;
                    assert!(into.abs() <= 1e-3, "{into} px/s, {behind} px behind, {model} at {hz} Hz");
                }
                let moved = pos(&cast, "lamp") - members[0].at;
                assert!(moved.length() <= 0.06, "{moved} px, {behind} px behind, {model} at {hz} Hz");
            }
        }
    }
}

#[test]
fn a_chain_that_hangs_against_a_wall_does_not_stretch() {
    const NAMES: [&str; 4] = ["a", "b", "c", "d"];
    for model in FALLING {
        for hz in RATES {
            let ground = air(hz).solid(&[(-100.0, -300.0), (0.0, -300.0), (0.0, 100.0), (-100.0, 100.0)]);
            let first = (40.0_f64 * 40.0 - 19.0 * 19.0).sqrt();
            let place = |i: usize| dvec2(4.0, -first - 40.0 * i as f64);
            let members: Vec<Member> = (0..4).map(|i| leaning(NAMES[i], model, place(i))).collect();
            let joints: Vec<Joint> = (0..4)
                .map(|i| {
                    rope(i as u32 + 1, [if i == 0 { at(-15.0, 0.0) } else { on(NAMES[i - 1]) }, on(NAMES[i])], 40.0)
                })
                .collect();
            let mut cast = cast(&ground, &members, &joints);
            cast.tick();
            for _ in 0..3 * hz {
                cast.tick();
                let over = stretched(&cast);
                // Vessels meet walls by themselves, and press each other off them for a tick: the page on scripts says how far.
                let most = if model == ModelName::vessel { 0.1 } else { 0.05 };
                assert!(over <= most, "{over} px, {model} at {hz} Hz");
                let into = (0..4).map(|who| cast.view(who).vel.x.abs()).fold(0.0, f64::max);
                assert!(into <= 0.01 || model == ModelName::vessel, "{into} px/s, {model} at {hz} Hz");
            }
            near(pos(&cast, "d").distance(place(3)), 0.0, 0.2);
        }
    }
}

#[test]
fn a_body_that_lies_on_a_slope_does_not_stretch_its_rope() {
    // The rope is fixed uphill, `above` the line along which the body's center would slide: by less than would lift it off.
    for model in FALLING {
        for hz in RATES {
            for (degrees, above) in [(20.0_f64, 0.0), (20.0, 10.0), (60.0, 0.0), (60.0, 10.0), (75.0, 15.0)] {
                let along = DVec2::from_angle(-degrees.to_radians());
                let corner = |x: f64, y: f64| {
                    let point = along * x + along.perp() * y;
                    (point.x, point.y)
                };
                let slope = [corner(-200.0, -50.0), corner(200.0, -50.0), corner(200.0, 0.0), corner(-200.0, 0.0)];
                let ground = air(hz).solid(&slope);
                let start = along.perp() * 4.0;
                let length = 80.0_f64;
                let fixed = start - along * (length * length - above * above).sqrt() + along.perp() * above;
                let members = [Member { angle: -degrees.to_radians(), ..leaning("lamp", model, start) }];
                let mut cast = cast(&ground, &members, &[rope(1, [on("lamp"), at(fixed.x, fixed.y)], length)]);
                cast.tick();
                for _ in 0..3 * hz {
                    cast.tick();
                    let over = stretched(&cast);
                    assert!(over <= 0.05, "{over} px, {degrees}°, {above} px above, {model} at {hz} Hz");
                    let into = cast.view(0).vel.dot(along.perp());
                    // A vessel meets the slope by itself, in the tick after it came to it: so late, gravity has led it into that.
                    let tick_of_gravity = GRAVITY * degrees.to_radians().cos() / f64::from(hz);
                    let most = if model == ModelName::vessel { tick_of_gravity } else { 1e-3 };
                    assert!(into.abs() <= most, "{into} px/s, {degrees}°, {above} px above, {model} at {hz} Hz");
                }
            }
        }
    }
}

#[test]
fn a_hook_pulls_two_bodies_on_the_ground_by_their_masses_and_their_friction() {
    // As the hook attaches, it gives each of them a share of 300 px/s by the other's mass. Then both are braked alike, at
    // D = 4,000 px/s², and the rope keeps their common speed: it pulls with 2·D·m·M/(m + M). That brakes the heavier one,
    // M, with D·(M − m)/(m + M) until it stands, where its feet hold it.
    let (speed, brake) = (300.0, 4000.0);
    for hz in RATES {
        for masses in [[1.0, 1.0], [1.0, 2.0], [3.0, 1.0], [1.0, 5.0]] {
            let ground = Ground::floor(hz)
                .gravity(GRAVITY)
                .model(ModelName::platformer)
                .tune("rest_spacing", 0.0)
                .tune_word("hook_holds", "entities")
                .tune("hook_pull_speed", speed);
            let mut members = [("owner", 0.0), ("held", 200.0)]
                .map(|(name, x)| Member::new(name, ModelName::platformer, BODY, dvec2(x, 19.0)));
            (members[0].mass, members[1].mass) = (masses[0], masses[1]);
            let mut cast = cast(&ground, &members, &[]);
            cast.order(0, Command::FireHook(dvec2(200.0, 19.0)));
            cast.run(0.4);
            let sum = masses[0] + masses[1];
            let (light, heavy) = (masses[0].min(masses[1]), masses[0].max(masses[1]));
            // The tip meets the other's side 189.5 px away, at 3,000 px/s.
            let pulled = 0.4 - 189.5 / 3000.0;
            let by_heavy = if light == heavy {
                0.5 * speed * pulled
            } else {
                (speed * light / sum).powi(2) / (2.0 * brake * (heavy - light) / sum)
            };
            let (owner, held) = (pos(&cast, "owner").x, 200.0 - pos(&cast, "held").x);
            let moved = if masses[0] >= masses[1] { owner } else { held };
            near(moved, by_heavy, 0.05_f64.max(0.01 * by_heavy));
            near(owner + held, speed * pulled, 0.01 * speed * pulled);
            near(pos(&cast, "owner").y, 19.0, 1e-6);
        }
    }
}

/// The program ended: their bodies are not there yet when the first tick asks how taut the joint is.
#[test]
fn bodies_that_are_created_and_tied_in_the_same_tick_hold_each_other() {
    for hz in RATES {
        for soft in [None, Some(Spring { hertz: 4.0, damping: 1.0 })] {
            let members = [Member::new("maker", ModelName::ballistic, SMALL, dvec2(500.0, 0.0))];
            let mut cast = cast(&air(hz), &members, &[]);
            // Their ids follow that of the first one. They fly apart until the joint holds them.
            for (id, name, x, speed) in [(2, "left", 0.0, -60.0), (3, "right", 20.0, 60.0)] {
                let creation = Creation {
                    id: EntityId(id),
                    name: name.into(),
                    profile: 0,
                    at: dvec2(x, 0.0),
                    z: 0.0,
                    velocity: dvec2(speed, 0.0),
                    vel_z: 0.0,
                    facing: 1.0,
                    vars: Default::default(),
                };
                cast.order(0, Command::Create(Box::new(creation)));
            }
            cast.order(0, join(Joint { spring: soft, ..rope(1, [on("left"), on("right")], 30.0) }));
            cast.run(2.0);
            // The rope takes the velocity along it, and the damped spring comes to rest.
            near(pos(&cast, "left").distance(pos(&cast, "right")), 30.0, 0.05);
            near(pos(&cast, "left").x + pos(&cast, "right").x, 20.0, 1e-6);
        }
    }
}

/// A spring or rope for [`in_a_room`]: which two are tied, its length, and frequency and damping of a spring. 6 is a point,
/// and 7 is a point on a lift.
type Tie = (usize, usize, f64, Option<(f64, f64)>);

/// Plays six bodies of all models on these ties in a closed room with blocks, with random keys, pushes and winches. Says which
/// of them gets out, into a wall, or faster than all springs, pushes and winches together make it, if one does.
fn in_a_room(seed: u64, hz: u32, ties: &[Tie], ticks: u32) -> Result<Cast, String> {
    const NAMES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];
    let models = [ModelName::platformer, ModelName::vessel, ModelName::ballistic, ModelName::two_velocity];
    let box_of = |x: f64, y: f64, w: f64, h: f64| [(x, y), (x + w, y), (x + w, y + h), (x, y + h)];
    let ground = Ground::none(hz)
        .gravity(GRAVITY)
        .solid(&box_of(-600.0, -50.0, 1200.0, 50.0))
        .solid(&box_of(-600.0, 0.0, 50.0, 600.0))
        .solid(&box_of(550.0, 0.0, 50.0, 600.0))
        .solid(&box_of(-600.0, 600.0, 1200.0, 50.0))
        .solid(&box_of(-200.0, 150.0, 120.0, 20.0))
        .platform(&box_of(100.0, 200.0, 80.0, 20.0), &[(0.0, 0.0), (0.0, 150.0)], 90.0);
    let member = |(i, name): (usize, &&'static str)| {
        let at = dvec2(-400.0 + 150.0 * i as f64, 100.0);
        Member { mass: [1.0, 0.1, 20.0][i % 3], ..Member::new(name, models[i % 4], BODY, at) }
    };
    let members: Vec<Member> = NAMES.iter().enumerate().map(member).collect();
    let joint = |(i, (a, b, length, soft)): (usize, &Tie)| {
        let other = match b {
            6 => at(0.0, 500.0),
            7 => JointEnd { on: Anchor::Solid(5), name: "platform 0".into(), at: dvec2(140.0, 200.0) },
            b => on(NAMES[*b]),
        };
        let joint = rope(i as u32 + 1, [on(NAMES[*a]), other], *length);
        Joint { spring: soft.map(|(hertz, damping)| Spring { hertz, damping }), ..joint }
    };
    let joints: Vec<Joint> = ties.iter().enumerate().filter(|(_, (a, b, ..))| a != b).map(joint).collect();
    // The energy of all springs that are stretched across the room, and of the bodies: what is light may get all of it from what
    // is heavy. Falls and pushes make some 4,000 px/s; a winch makes a body that swings on 300 px faster, by what keeps its angular
    // momentum, until it turns by 120° in a step of 1/240 s, where ropes stop pulling: 25,000 px/s, on 50 px.
    let inverse = |place: usize| members.get(place).map_or(0.0, |member| 1.0 / member.mass);
    let stretched = |(a, b, _, soft): &Tie| {
        soft.map_or(0.0, |(hertz, _)| 0.5 / (inverse(*a) + inverse(*b)) * (TAU * hertz * 1400.0).powi(2))
    };
    let thrown = |member: &Member| 0.5 * member.mass * 25_000.0_f64.powi(2);
    let energy = ties.iter().map(stretched).sum::<f64>() + members.iter().map(thrown).sum::<f64>();
    let mut cast = cast(&ground, &members, &joints);
    let mut random = seed;
    let mut next = |most: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % most
    };
    for tick in 0..ticks {
        for who in 0..6 {
            let action = Action::ALL[next(Action::ALL.len() as u64) as usize];
            cast.order(who, Command::Hold(action));
            if next(40) == 0 {
                cast.order(who, Command::Push(dvec2(next(2000) as f64 - 1000.0, next(2000) as f64 - 1000.0)));
            }
            if next(200) == 0 {
                let reel = Reel { to: next(300) as f64, speed: next(600) as f64 };
                cast.order(who, Command::Reel(next(12) as u32, reel));
            }
        }
        cast.tick();
        let standing = cast.world.standing(&cast.stage);
        let scenery = cast.stage.level.terrain.moved(&standing);
        for (i, entity) in cast.world.entities().iter().enumerate() {
            let (body, name) = (cast.world.body(entity), &entity.name);
            let inside = body.pos.x.abs() < 600.0 && body.pos.y > 0.0 && body.pos.y < 600.0;
            // A vessel has another outline, and may be in a wall that it has hit for a tick.
            let deep = scenery.overlap(BODY, body.pos).map_or(0.0, |overlap| overlap.to_touch.length());
            let apart = deep < 0.05 || body.crushed || i % 4 == 1;
            let slow = 0.5 * members[i].mass * body.vel.length_squared() <= energy;
            if !(inside && apart && slow) {
                return Err(format!("{name} at {}, {deep} px deep, {} px/s, in tick {tick}", body.pos, body.vel));
            }
        }
    }
    Ok(cast)
}

/// Each rope was a millionth of a pixel too short at some time, and forgot how hard it pulls: the bridge fell by half a pixel.
#[test]
fn a_bridge_at_rest_stays_at_rest() {
    const PLANKS: usize = 10;
    let names: Vec<&'static str> = (0..PLANKS).map(|i| &*format!("plank {i}").leak()).collect();
    let plank = Collider::new(ColliderForm::Box, dvec2(20.0, 4.0));
    for hz in RATES {
        for model in [ModelName::platformer, ModelName::two_velocity, ModelName::ballistic] {
            let place = |i: usize| dvec2(24.0 + 43.5 * i as f64, -4.0);
            let planks = names.iter().enumerate();
            let members: Vec<_> = planks.map(|(i, name)| Member::new(name, model, plank, place(i))).collect();
            let mut joints = vec![rope(1, [at(0.0, -4.0), on(names[0])], 28.0)];
            joints.extend((1..PLANKS).map(|i| rope(1 + i as u32, [on(names[i - 1]), on(names[i])], 44.0)));
            joints.push(rope(20, [on(names[PLANKS - 1]), at(440.0, -4.0)], 28.0));
            let ground = Ground::none(hz).gravity(GRAVITY);
            let mut cast = cast(&ground, &members, &joints);
            cast.run(10.0);
            let mut before: Vec<DVec2> = names.iter().map(|name| pos(&cast, name)).collect();
            let start = before.clone();
            for _ in 0..20 * hz {
                cast.tick();
                for (i, name) in names.iter().enumerate() {
                    let moved = pos(&cast, name).distance(before[i]);
                    assert!(moved <= 0.01, "{name} moved by {moved} px in a tick, {model} at {hz} Hz");
                    before[i] = pos(&cast, name);
                }
            }
            for (name, start) in names.iter().zip(start) {
                let moved = pos(&cast, name).distance(start);
                assert!(moved <= 0.05, "{name} moved by {moved} px, {model} at {hz} Hz");
            }
        }
    }
}

/// The rope could get no shorter, and the work counted for the winch sped a body up to 333,000 px/s.
#[test]
fn a_winch_that_pulls_a_body_against_a_platform_makes_nothing_fast() {
    let ties = [(4, 4, 1.0, None), (2, 3, 249.72158102935646, None), (2, 7, 237.48847288747348, None)];
    for hz in RATES {
        for seed in (0..40).chain([17533896174849367737]) {
            let lost = in_a_room(seed, hz, &ties, 15 * hz).err();
            assert_eq!(lost, None, "{seed} at {hz} Hz");
        }
    }
}

/// A rope that was too long moved a body along the ground, across which it pulls, by hundreds of px at once.
#[test]
fn a_rope_that_pulls_into_the_ground_moves_a_body_by_no_more_than_ten_px_at_a_time() {
    // The point is 119 px below the body and some px to the side, and the rope has 100 px. In a step of 1/240 s it is pulled
    // back by up to 10 px, and by no more along the ground.
    for hz in RATES {
        for aside in [4.0, 5.0, 8.0] {
            let members = [Member::new("body", ModelName::platformer, BODY, dvec2(aside, 19.0))];
            let ground = Ground::floor(hz).gravity(GRAVITY).tune("rest_spacing", 0.0);
            let mut cast = cast(&ground, &members, &[rope(1, [on("body"), at(0.0, -100.0)], 100.0)]);
            for tick in 0..hz {
                cast.tick();
                let x = pos(&cast, "body").x;
                assert!(x.abs() <= aside + 10.0, "{x} px from {aside} px, in tick {tick} at {hz} Hz");
            }
        }
    }
}

#[test]
fn a_light_body_on_the_bob_of_a_stiff_spring_stays_in_the_room() {
    for hz in RATES {
        for hertz in [20.0, 31.7, 57.72834665520055] {
            let ties = [(2, 6, 5.920212573205088, Some((hertz, 0.0))), (2, 0, 1.0, None), (0, 4, 1.0, None)];
            let lost = in_a_room(0, hz, &ties, hz).err();
            assert_eq!(lost, None, "{hertz} Hz at {hz} Hz");
        }
    }
}

proptest! {
    #![proptest_config(tried(24))]

    /// Bodies of all models on random ropes and springs, among blocks, with random keys and pushes: nothing is lost or in a
    /// wall, and what is saved can be loaded.
    #[test]
    fn random_joints_lose_no_body(
        seed in any::<u64>(),
        hz in prop::sample::select(RATES.to_vec()),
        joints in prop::collection::vec((0..6_usize, 0..8_usize, 1.0..300.0_f64, prop::option::of((0.1..60.0_f64, 0.0..3.0_f64))), 1..12),
    ) {
        let cast = in_a_room(seed, hz, &joints, 600).map_err(TestCaseError::fail)?;
        let saved = serde_json::to_string(&cast.world).expect("a world");
        prop_assert_eq!(loaded(&saved, &cast.stage).hash(), cast.world.hash());
    }
}
