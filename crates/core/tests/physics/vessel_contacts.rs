//! Vessels in contact with several edges at once: what is found once a tick, and impulses that follow from equations, lead to
//! the same path at every rate.

use crate::{
    common::{RATES, near},
    ground::{Ground, Play},
};
use glam::{DVec2, dvec2};
use hangtime_core::{
    models::{BodyShape, ModelName},
    sim::{Command, EntityView, SavedWorld},
};

const HALF: DVec2 = dvec2(12.0, 8.0);

/// The height of a hollow, or of a hill if `deep` is negative.
fn height(x: f64, deep: f64) -> f64 {
    let turn = x / 260.0 * std::f64::consts::TAU;
    -deep * (0.5 + 0.5 * turn.cos())
}

/// The points of its surface, with edges shorter than the vessel.
fn surface(deep: f64) -> Vec<DVec2> {
    let x = |i: i32| f64::from(i) * 16.25;
    (-24..=24).map(|i| dvec2(x(i), height(x(i), deep))).collect()
}

/// A box above it.
fn over(hz: u32, deep: f64) -> Ground {
    let mut outline: Vec<(f64, f64)> = surface(deep).iter().map(|p| (p.x, p.y)).collect();
    outline.extend([(390.0, -200.0), (-390.0, -200.0)]);
    let ground = Ground::none(hz)
        .model(ModelName::vessel)
        .figure(BodyShape::of_box(2.0 * HALF.x, 2.0 * HALF.y));
    ground.solid(&outline).at(0.0, height(0.0, deep) + 20.0)
}

/// Pushes the box to the side.
fn push(play: &mut Play, speed: f64) {
    let id = play.world.entities()[0].id;
    let vel = play.hero().vel + dvec2(speed, 0.0);
    play.world.order(&play.stage, id, &Command::SetVelocity(vel, 0.0));
}

/// Where the box is at each thirtieth of a second. It is pushed now and then, to and fro.
fn pushed(ground: &Ground, speed: f64) -> Vec<(DVec2, f64)> {
    let mut play = ground.play();
    let hz = ground.hz;
    let step = |step: u32| {
        if step % 10 == 9 {
            push(&mut play, if step % 20 == 9 { speed } else { -speed });
        }
        let now = (0..hz / 30).map(|_| play.tick()).last().expect("ticks");
        (now.pos, now.angle)
    };
    (0..45).map(step).collect()
}

/// The distance of the box from the surface, px; negative if it overlaps. Its corners and those of the surface decide.
fn gap(view: &EntityView, deep: f64) -> f64 {
    let turn = DVec2::from_angle(view.angle);
    let corners = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)];
    let above = |corner: (f64, f64)| {
        let at = view.pos + turn.rotate(HALF * DVec2::from(corner));
        let edges = surface(deep);
        let edge = edges
            .windows(2)
            .find(|edge| edge[0].x <= at.x && at.x <= edge[1].x)
            .expect("an edge below");
        (edge[1] - edge[0]).normalize().perp_dot(at - edge[0])
    };
    let outside = |point: DVec2| {
        let over = dvec2(turn.x, -turn.y).rotate(point - view.pos).abs() - HALF;
        over.max(DVec2::ZERO).length() + over.max_element().min(0.0)
    };
    let of_ground = surface(deep).into_iter().map(outside);
    corners.map(above).into_iter().chain(of_ground).fold(f64::INFINITY, f64::min)
}

#[test]
fn a_box_that_is_pushed_to_and_fro_moves_alike_at_every_rate() {
    // In hollows; on top of a hill a box balances, and rounding decides.
    for deep in [60.0, 25.0, 10.0, 4.0] {
        for speed in [10.0, 40.0, 150.0, 400.0] {
            let runs = RATES.map(|hz| pushed(&over(hz, deep), speed));
            for (hz, run) in RATES.into_iter().zip(&runs) {
                for (step, (now, fine)) in run.iter().zip(&runs[RATES.len() - 1]).enumerate() {
                    let off = now.0.distance(fine.0).max((now.1 - fine.1).abs());
                    assert!(off < 1e-3, "{hz} Hz, {deep}, {speed}: off by {off} at {step}/30 s: {now:?}, {fine:?}");
                }
            }
        }
    }
}

#[test]
fn a_pushed_box_stops_where_friction_holds_it_and_does_not_creep() {
    for hz in RATES {
        // At most 31° steep, and friction holds up to 38°.
        for deep in [50.0, 25.0, 10.0, 4.0] {
            for speed in [-60.0, -40.0, 10.0, 40.0, 60.0] {
                let mut play = over(hz, deep).play();
                play.run(1.0);
                push(&mut play, speed);
                let label = format!("{hz} Hz, {deep}, {speed}");
                for now in play.run(0.5) {
                    let gap = gap(&now, deep);
                    assert!(gap > -0.01, "{label}: {gap} px");
                }
                let stopped = play.hero();
                assert_eq!((stopped.vel, stopped.spin), (DVec2::ZERO, 0.0), "{label}");
                // A contact may keep a gap of up to 0.05 px.
                assert!(gap(&stopped, deep) < 0.05, "{label}: {}", gap(&stopped, deep));
                for now in play.run(0.5) {
                    assert_eq!((now.pos, now.angle), (stopped.pos, stopped.angle), "{label}");
                }
            }
        }
    }
}

#[test]
fn what_a_box_passes_without_touching_it_makes_no_difference() {
    for hz in RATES {
        for clearance in [0.06, 1.0, 2.9, 3.1, 6.0, 9.0] {
            let floor = Ground::floor(hz).model(ModelName::vessel).figure(BodyShape::of_box(24.0, 16.0));
            let floor = floor.at(0.0, 8.0).moving(400.0, 0.0).tune("friction", 0.0);
            // Posts hang above its way.
            let posts = (0..12).fold(floor, |ground, i| {
                let (x, y) = (f64::from(i) * 30.0, 16.0 + clearance);
                ground.solid(&[(x, y), (x + 8.0, y), (x + 8.0, y + 40.0), (x, y + 40.0)])
            });
            let mut play = posts.play();
            for tick in 1..=hz / 2 {
                let now = play.tick();
                near(now.pos.x, 400.0 * f64::from(tick) / f64::from(hz), 1e-6);
                near(now.pos.y, 8.0, 1e-6);
                near(now.angle, 0.0, 1e-9);
            }
        }
    }
}

#[test]
fn a_box_that_leaves_its_floor_hits_a_ceiling_however_far_it_is() {
    let gravity = 900.0;
    for hz in RATES {
        for room in [0.5, 2.0, 2.9, 3.1, 5.0, 9.0, 20.0] {
            for speed in [220.0_f64, 400.0] {
                let ground = Ground::floor(hz).model(ModelName::vessel).figure(BodyShape::of_box(24.0, 16.0));
                let top = 16.0 + room;
                let ceiling = [(-200.0, top), (200.0, top), (200.0, top + 30.0), (-200.0, top + 30.0)];
                let ground = ground.solid(&ceiling).gravity(gravity).tune("rebound", 1.0);
                let all = ground.at(0.0, 8.0).moving(0.0, speed).play().run(0.5);
                // It would rise by more than there is room for.
                assert!(speed * speed > 2.0 * gravity * room);
                let highest = all.iter().map(|now| now.pos.y).fold(0.0, f64::max);
                assert!(highest < 8.0 + room + 1e-6, "{hz} Hz, {room}, {speed}: {highest}");
                // The ceiling stops it, and it is back long before.
                near(all[all.len() - 1].pos.y, 8.0, 1e-6);
            }
        }
    }
}

#[test]
fn a_world_saved_while_a_box_slides_plays_on_to_the_last_bit() {
    for hz in [30, 60, 240] {
        for deep in [40.0, -40.0] {
            let mut play = over(hz, deep).moving(150.0, 0.0).play();
            for tick in 0..hz {
                let saved: SavedWorld = serde_json::from_str(&serde_json::to_string(&play.world).expect("it is saved"))
                    .expect("it is read");
                let mut other = over(hz, deep).play();
                other.world = saved.check(&play.stage).expect("it is good");
                play.tick();
                other.tick();
                assert_eq!(play.world.hash(), other.world.hash(), "{hz} Hz, {deep}, tick {tick}");
            }
        }
    }
}

#[test]
fn a_trace_of_thrust_makes_no_difference_to_a_vessel_that_turns() {
    for hz in RATES {
        for speed in [50.0, 400.0] {
            let [with, without] = [1e-12, 0.0].map(|thrust| {
                let mut play = over(hz, 40.0).moving(speed, 0.0).play();
                play.input.stick.y = thrust;
                // Before it could rest.
                play.run(0.6)
            });
            for (a, b) in with.iter().zip(&without) {
                assert!(a.pos.distance(b.pos) < 1e-3, "{hz} Hz, {speed}: {} and {}", a.pos, b.pos);
            }
        }
    }
}
