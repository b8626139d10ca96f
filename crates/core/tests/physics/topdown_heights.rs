//! Heights in a top view: jumping onto blocks, falling off them, and blocks that move.

use crate::{
    common::{RATES, near},
    ground::{Ground, Play, tried},
};
use glam::dvec2;
use hangtime_core::{
    geometry::{Collider, separation::separation},
    level::{Solid, SurfaceId},
    models::{
        Action::{Jump, Right},
        ModelName,
    },
};
use proptest::prelude::*;

const ROUND: Collider = Collider::ellipse(10.0, 10.0);
const GRAVITY: f64 = 3672.0;

/// Open ground in a top view.
fn plain(hz: u32, model: ModelName) -> Ground {
    Ground::none(hz).top_view().model(model).figure(ROUND).at(0.0, 0.0)
}

const WALKERS: [ModelName; 2] = [ModelName::topdown, ModelName::two_velocity];

/// The height of a full jump after some seconds.
fn height(seconds: f64) -> f64 {
    let free = (seconds - 0.278).max(0.0);
    540.0 * seconds - 0.5 * GRAVITY * free * free
}

/// The greatest height at the end of any tick.
fn highest(hz: u32) -> f64 {
    let heights = (0..hz).map(|tick| height(f64::from(tick) / f64::from(hz)));
    heights.fold(0.0, f64::max)
}

#[test]
fn a_jump_reaches_blocks_up_to_its_height() {
    let reach = 540.0 * 0.278 + 540.0 * 540.0 / (2.0 * GRAVITY);
    for hz in RATES {
        let most = highest(hz);
        let missed = 0.125 * GRAVITY / f64::from(hz * hz);
        assert!(most <= reach && most >= reach - missed);
        for model in WALKERS {
            for (top, reached) in [
                (0.1 * reach, true),
                (0.5 * reach, true),
                (0.9 * reach, true),
                (most - 1e-3, true),
                (most + 1e-3, most + 1e-3 <= reach),
                (reach - 1e-3, true),
                (reach, true),
                (reach + 1e-3, false),
                (1.5 * reach, false),
            ] {
                let ground = plain(hz, model).block((50.0, -50.0), (150.0, 50.0), top);
                let mut play = ground.at(30.0, 0.0).play();
                play.hold(Right);
                play.run(0.3);
                near(play.hero().pos.x, 40.0, 1e-5);
                play.hold(Jump);
                // Runs until it is over the block or down again.
                let mut most_z: f64 = 0.0;
                while play.told("land") == 0 {
                    let hero = play.tick();
                    most_z = most_z.max(hero.z);
                    if hero.vel_z > 0.0 {
                        near(hero.z, height(since_jump(&play)), 1e-6);
                    }
                    if hero.pos.x > 60.0 {
                        play.release(Right);
                        play.input.stick.x = 0.0;
                    }
                }
                assert_eq!(play.hero().z, if reached { top } else { 0.0 }, "{top}");
                assert!(play.hero().grounded);
                if !reached {
                    near(most_z, most, 1e-9);
                }
            }
        }
    }
}

/// Seconds since the jump started.
#[test]
fn a_jump_of_exactly_a_blocks_height_reaches_its_top() {
    let mut tried = 0;
    for hz in RATES.into_iter().chain([37, 50, 144]) {
        for model in WALKERS {
            for speed in [240.0, 411.0, 540.0, 900.0] {
                for hold in [0.0, 0.05, 0.278] {
                    for gravity in [600.0, GRAVITY, 6000.0] {
                        let reach = speed * hold + speed * speed / (2.0 * gravity);
                        for (more, reached) in [(-1e-6, true), (0.0, true), (0.01, false)] {
                            let top = reach + more;
                            let ground = plain(hz, model)
                                .gravity(gravity)
                                .tune("jump_speed", speed)
                                .tune("jump_hold_time", hold)
                                .block((50.0, -50.0), (950.0, 50.0), top);
                            let mut play = ground.at(39.9, 0.0).play();
                            play.hold(Right);
                            play.run(0.1);
                            play.hold(Jump);
                            while play.told("land") == 0 {
                                play.tick();
                                assert!(play.world.ticks() < 10_000);
                            }
                            let landed = play.hero().z;
                            let about =
                                format!("{model:?} at {hz} Hz: {speed} px/s for {hold} s, {gravity} px/s², {more}");
                            assert_eq!(landed, if reached { top } else { 0.0 }, "{about}");
                            tried += 1;
                        }
                    }
                }
            }
        }
    }
    assert_eq!(tried, 7 * 2 * 4 * 3 * 3 * 3);
}

fn since_jump(play: &Play) -> f64 {
    let jump = play.events.iter().find(|e| e.kind.name() == "jump");
    let began = jump.map_or(play.world.ticks(), |e| e.tick - 1);
    (play.world.ticks() - began) as f64 / f64::from(play.stage.hz)
}

#[test]
fn a_body_that_walks_off_an_edge_falls_at_the_computed_speed() {
    for hz in RATES {
        for model in WALKERS {
            for top in [0.01, 1.0, 5.0, 20.0, 50.0, 60.0, 64.0, 66.0, 67.0, 80.0, 150.0] {
                let mut ground = plain(hz, model).block((-100.0, -50.0), (30.0, 50.0), top);
                ground.z = top;
                let mut play = ground.play();
                play.hold(Right);
                let mut falling = None;
                while play.told("land") == 0 {
                    let hero = play.tick();
                    // It stands while any part of it is above the block.
                    assert_eq!(hero.grounded, hero.pos.x < 40.0 || hero.z == 0.0);
                    falling = falling.or((!hero.grounded).then_some(play.world.ticks()));
                }
                let speed = (2.0 * GRAVITY * top).sqrt().min(700.0);
                near(play.landings()[0], speed, 1e-9 * speed + 1e-9);
                assert_eq!(play.told("leave_ground"), 1);
                // The fall takes the computed time.
                let reaching = 700.0 * 700.0 / (2.0 * GRAVITY);
                let seconds = speed / GRAVITY + (top - reaching).max(0.0) / 700.0;
                let ticks = play.world.ticks() - falling.expect("it fell");
                assert_eq!(ticks, (seconds * f64::from(hz) - 1e-9).ceil() as u64);
            }
        }
    }
}

#[test]
fn auto_jump_jumps_off_edges_at_full_height() {
    for hz in RATES {
        let mut ground = plain(hz, ModelName::topdown).block((-100.0, -50.0), (30.0, 50.0), 25.0);
        ground.z = 25.0;
        let mut play = ground.tune_flag("auto_jump", true).play();
        play.hold(Right);
        let heroes = play.run(1.2);
        let most = heroes.iter().map(|h| h.z).fold(0.0, f64::max);
        near(most, 25.0 + highest(hz), 1e-6);
        for event in ["jump", "leave_ground", "land"] {
            assert_eq!(play.told(event), 1, "{event}");
        }
    }
}

#[test]
fn a_moving_block_carries_riders_and_pushes_bodies() {
    let outline = [(-40.0, -40.0), (40.0, -40.0), (40.0, 40.0), (-40.0, 40.0)];
    let block = |top: f64| {
        let points: Vec<_> = outline.iter().map(|p| dvec2(p.0, p.1)).collect();
        let solid = Solid::new("ferry".into(), SurfaceId(0), points);
        Solid { top, ..solid }
    };
    for hz in RATES {
        for model in WALKERS {
            for way in [(300.0, 0.0), (0.0, -200.0), (150.0, 150.0)] {
                let path = [(0.0, 0.0), way];
                let ferry = plain(hz, model).moving_solid(block(30.0), &path, 90.0);
                let mut rider = ferry.clone().at(12.0, -7.0);
                rider.z = 30.0;
                let mut play = rider.play();
                for _ in 0..5 * hz {
                    let hero = play.tick();
                    let offset = play.world.standing(&play.stage).offsets[0];
                    assert!(hero.grounded && hero.z == 30.0);
                    near((hero.pos - offset).distance(dvec2(12.0, -7.0)), 0.0, 1e-9);
                }
                // Beyond its edge in that direction, level with its center.
                let ahead = glam::DVec2::from(way).normalize() * 120.0;
                let mut play = ferry.at(ahead.x, ahead.y).play();
                for _ in 0..5 * hz {
                    let hero = play.tick();
                    let offset = play.world.standing(&play.stage).offsets[0];
                    let points: Vec<_> = outline.iter().map(|p| dvec2(p.0, p.1) + offset).collect();
                    let gap = separation(ROUND, hero.pos, &points).gap;
                    assert!(gap > -1e-6 && hero.z == 0.0, "{gap}");
                }
                assert!(play.hero().pos.distance(ahead) > 50.0, "it was pushed");
                assert_eq!(play.told("crush"), 0);
            }
        }
    }
}

#[test]
fn a_rider_that_falls_off_a_moving_block_keeps_its_velocity_for_a_while() {
    for hz in RATES {
        for model in WALKERS {
            let points = [(-40.0, -40.0), (40.0, -40.0), (40.0, 40.0), (-40.0, 40.0)];
            let points: Vec<_> = points.iter().map(|p| dvec2(p.0, p.1)).collect();
            let solid = Solid::new("ferry".into(), SurfaceId(0), points);
            let solid = Solid { top: 30.0, ..solid };
            let way = [(0.0, 0.0), (4000.0, 0.0)];
            let mut ground = plain(hz, model).moving_solid(solid, &way, 120.0);
            ground.z = 30.0;
            let mut play = ground.play();
            play.run(0.2);
            play.hold(Jump);
            play.tick();
            // The block's velocity stays, and decays from the take-off on.
            near(play.hero().external.x, 120.0 * (-4.0 / f64::from(hz)).exp(), 1e-9);
        }
    }
}

/// Boxes of random heights around the origin.
fn blocks() -> impl Strategy<Value = Vec<(f64, f64, f64, f64, f64)>> {
    let block = (
        -150.0..120.0_f64,
        -150.0..120.0_f64,
        8.0..90.0_f64,
        8.0..90.0_f64,
        prop_oneof![Just(20.0), Just(40.0), 1.0..160.0_f64, Just(f64::INFINITY)],
    );
    prop::collection::vec(block, 1..8)
}

proptest! {
    #![proptest_config(tried(96))]

    #[test]
    fn no_body_is_ever_below_the_top_of_its_block(
        blocks in blocks(),
        rate in 0..4usize,
        moves in prop::collection::vec((0.0..360.0_f64, any::<bool>(), 1..30u32), 4..16),
    ) {
        for model in WALKERS {
            let mut ground = plain(RATES[rate], model);
            for (x, y, w, h, top) in &blocks {
                ground = ground.block((*x, *y), (x + w, y + h), *top);
            }
            ground.z = 200.0;
            let solids = ground.others.clone();
            let mut play = ground.play();
            for (degrees, jumps, ticks) in &moves {
                play.input.stick = glam::DVec2::from_angle(degrees.to_radians());
                play.release(Jump);
                if *jumps {
                    play.hold(Jump);
                }
                for _ in 0..*ticks {
                    let hero = play.tick();
                    for solid in solids.iter().filter(|s| s.top > hero.z + 1e-6) {
                        let gap = separation(ROUND, hero.pos, &solid.points).gap;
                        prop_assert!(gap > -1e-5, "{gap} px in {} at {}", solid.name, hero.z);
                    }
                    prop_assert!(hero.z >= 0.0);
                    if hero.grounded && hero.z > 0.0 {
                        let on = |s: &Solid| s.top == hero.z
                            && separation(ROUND, hero.pos, &s.points).gap < 0.0;
                        prop_assert!(solids.iter().any(on), "it stands on nothing at {}", hero.z);
                    }
                }
            }
        }
    }
}
