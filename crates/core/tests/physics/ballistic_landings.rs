//! Bodies that land within a tick: projectiles stay where they touch, and platforms carry them from then on.

use crate::{
    common::near,
    ground::{Ground, Play},
    leaper::{Leaper, aim},
};
use glam::{DVec2, dvec2};
use hangtime_core::{
    level::{Solid, SurfaceId},
    models::ModelName,
    sim::Command,
};

/// Common tick rates, and odd ones.
const RATES: [u32; 6] = [30, 50, 60, 120, 144, 240];

/// How fast external velocity decays, 1/s.
const DAMPING: f64 = 4.0;

/// Gravity of a stage without its own, px/s².
const GRAVITY: f64 = 3672.0;

/// How exactly a landing is found, px.
const ERROR: f64 = 1e-3;

fn push(play: &mut Play, velocity: DVec2) {
    let hero = play.world.entities()[0].id;
    play.world.order(&play.stage, hero, &Command::Push(velocity));
}

/// When a projectile first gets `drop` px down, with this own and external velocity, by bisection.
fn landing_time(drop: f64, own: f64, external: f64, gravity: f64) -> f64 {
    let height = |t: f64| drop + own * t - 0.5 * gravity * t * t + external / DAMPING * (1.0 - (-DAMPING * t).exp());
    let (mut low, mut high) = (0.0, 30.0);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if height(middle) > 0.0 { low = middle } else { high = middle }
    }
    low
}

/// A side view if `side`, else a top view, and a projectile 100 px above its floor.
fn above_floor(hz: u32, side: bool, gravity: f64) -> Ground {
    if side {
        let mut ground = Ground::floor(hz).gravity(gravity).model(ModelName::ballistic).at(0.0, 119.0);
        if gravity < 0.0 {
            ground = Ground::none(hz).gravity(gravity).model(ModelName::ballistic).at(0.0, -119.0);
            ground = ground.solid(&[(-9000.0, 0.0), (9000.0, 0.0), (9000.0, 90.0), (-9000.0, 90.0)]);
        }
        return ground;
    }
    let mut ground = Ground::none(hz).top_view().gravity(gravity).model(ModelName::ballistic).at(0.0, 0.0);
    ground.z = 100.0;
    ground
}

#[test]
fn a_projectile_stays_where_it_touches_the_floor() {
    for hz in RATES {
        for (side, gravity) in [(true, GRAVITY), (true, 300.0), (true, -GRAVITY), (false, GRAVITY), (false, 300.0)] {
            for own in [0.0, 100.0, -350.0] {
                for external in [0.0, 100.0, -400.0] {
                    let up = if side { gravity.signum() * 150.0 } else { 0.0 };
                    let mut play = above_floor(hz, side, gravity).moving(own, up).play();
                    push(&mut play, dvec2(external, 0.0));
                    let time = landing_time(100.0, up.abs(), 0.0, gravity.abs());
                    let expected = own * time + external / DAMPING * (1.0 - (-DAMPING * time).exp());
                    for now in play.run(time + 1.0) {
                        if now.grounded {
                            near(now.pos.x, expected, ERROR);
                            assert_eq!((now.vel, now.external), (DVec2::ZERO, DVec2::ZERO));
                        }
                    }
                    assert!(play.hero().grounded);
                    assert_eq!(play.told("land"), 1);
                    let speed = 2.0 * gravity.abs() * 100.0 + up * up;
                    near(play.landings()[0], speed.sqrt(), 1e-3);
                }
            }
        }
    }
}

#[test]
fn a_push_down_counts_for_when_a_projectile_lands() {
    for hz in RATES {
        for down in [-200.0, -1000.0] {
            let mut play = above_floor(hz, true, GRAVITY).moving(80.0, 0.0).play();
            push(&mut play, dvec2(300.0, down));
            let time = landing_time(100.0, 0.0, down, GRAVITY);
            play.run(1.0);
            let expected = 80.0 * time + 300.0 / DAMPING * (1.0 - (-DAMPING * time).exp());
            near(play.hero().pos.x, expected, ERROR);
        }
    }
}

#[test]
fn a_projectile_that_keeps_its_velocity_glides_on_from_where_it_touches() {
    for hz in RATES {
        for side in [true, false] {
            let mut ground = above_floor(hz, side, GRAVITY).moving(120.0, 0.0);
            ground = ground.tune_flag("keep_landing_velocity", true);
            let mut play = ground.play();
            push(&mut play, dvec2(100.0, 0.0));
            let last = play.run(1.0).pop().expect("ticks");
            near(last.pos.x, 120.0 + 25.0 * (1.0 - (-DAMPING).exp()), 0.02);
            near(last.vel.x, 120.0, 1e-6);
        }
    }
}

#[test]
fn a_push_moves_a_landed_projectile() {
    for hz in RATES {
        for side in [true, false] {
            let mut play = above_floor(hz, side, GRAVITY).moving(120.0, 0.0).play();
            let landed = play.run(1.0).pop().expect("ticks");
            push(&mut play, dvec2(200.0, 0.0));
            let last = play.run(6.0).pop().expect("ticks");
            near(last.pos.x - landed.pos.x, 50.0, 1e-5);
        }
    }
}

#[test]
fn a_projectile_stays_on_the_spot_of_the_platform_that_it_touches() {
    let deck = [(-400.0, -30.0), (400.0, -30.0), (400.0, 0.0), (-400.0, 0.0)];
    for hz in RATES {
        for speed in [80.0, 200.0] {
            for way in [(300.0, 0.0), (-300.0, 0.0), (0.0, 300.0), (0.0, -60.0), (12.0, 0.0)] {
                for external in [0.0, 100.0] {
                    let ground = Ground::none(hz).model(ModelName::ballistic).at(0.0, 119.0).moving(60.0, 0.0);
                    let mut play = ground.platform(&deck, &[(0.0, 0.0), way], speed).play();
                    push(&mut play, dvec2(external, 0.0));
                    // The place of the platform, which turns at the end of its path.
                    let length = f64::hypot(way.0, way.1);
                    let offset = |t: f64| {
                        let gone = (speed * t) % (2.0 * length);
                        DVec2::from(way) * (gone.min(2.0 * length - gone) / length)
                    };
                    let (mut low, mut high) = (0.0, 1.0);
                    for _ in 0..100 {
                        let t = 0.5 * (low + high);
                        let above = 100.0 - 0.5 * GRAVITY * t * t - offset(t).y > 0.0;
                        if above { low = t } else { high = t }
                    }
                    let spot = 60.0 * low + external / DAMPING * (1.0 - (-DAMPING * low).exp()) - offset(low).x;
                    let mut landed = false;
                    for _ in 0..2 * hz {
                        let now = play.tick();
                        let place = play.world.standing(&play.stage).offsets[0];
                        landed |= now.grounded;
                        if landed {
                            assert!(now.grounded, "{hz} Hz, {way:?}");
                            // In a tick in which it turns, a platform moves straight to where it ends.
                            let turned = if length < 20.0 { 2.0 * speed / f64::from(hz) } else { 0.0 };
                            near(now.pos.x - place.x, spot, ERROR + turned);
                            near(now.pos.y - place.y, 19.0, 1e-6);
                        }
                    }
                    assert!(landed);
                }
            }
        }
    }
}

#[test]
fn a_jump_stays_on_its_spot_of_a_platform() {
    let block = [(200.0, 40.0), (420.0, 40.0), (420.0, 60.0), (200.0, 60.0)];
    for hz in RATES {
        for model in [ModelName::platformer, ModelName::two_velocity] {
            for way in [(1300.0, 0.0), (-600.0, 0.0), (0.0, 160.0), (30.0, 0.0), (9.0, 12.0)] {
                for speed in [30.0, 80.0, 240.0] {
                    for wait in [0.0, 0.37] {
                        let mut ground = Ground::floor(hz).platform(&block, &[(0.0, 0.0), way], speed).model(model);
                        if model == ModelName::platformer {
                            ground = ground.tune("rest_spacing", 0.0);
                        }
                        let mut leaper = Leaper::new(ground, aim(0.0, 0.0, 24.0));
                        leaper.play.run(wait);
                        let place = leaper.platform(0);
                        leaper.aim = aim(240.0 + place.x, 60.0 + place.y, 24.0);
                        leaper.launch();
                        leaper.until_over().expect("it lands on the platform");
                        for _ in 0..hz {
                            let (hero, place) = (leaper.play.hero(), leaper.platform(0));
                            near(hero.pos.x, 240.0 + place.x, ERROR);
                            near(hero.pos.y, 79.0 + place.y, ERROR);
                            assert!(hero.grounded, "{hz} Hz, {way:?}, {speed} px/s");
                            leaper.tick();
                        }
                        assert_eq!(leaper.play.told("land"), 1);
                    }
                }
            }
        }
    }
}

#[test]
fn a_jump_stays_on_its_spot_of_a_platform_in_a_top_view() {
    let block = [(200.0, -60.0), (420.0, -60.0), (420.0, 60.0), (200.0, 60.0)].map(DVec2::from);
    for hz in RATES {
        for model in [ModelName::topdown, ModelName::two_velocity] {
            for way in [(900.0, 0.0), (30.0, 0.0), (0.0, 500.0)] {
                let outline = hangtime_core::geometry::polygon::outline(&block).expect("a polygon");
                let solid = Solid { top: 20.0, ..Solid::new("block".into(), SurfaceId(0), outline) };
                let ground = Ground::none(hz).top_view().at(0.0, 0.0).model(model);
                let ground = ground.moving_solid(solid, &[(0.0, 0.0), way], 80.0);
                let mut leaper = Leaper::new(ground, aim(240.0, 0.0, 24.0));
                leaper.launch();
                leaper.until_over().expect("it lands on the platform");
                for _ in 0..hz {
                    let (hero, place) = (leaper.play.hero(), leaper.platform(0));
                    near(hero.pos.x, 240.0 + place.x, ERROR);
                    near(hero.pos.y, place.y, ERROR);
                    near(hero.z, 20.0, 1e-9);
                    leaper.tick();
                }
            }
        }
    }
}

/// A belt that moves everything on it by this velocity, px/s.
fn belt(ground: Ground, velocity: f64) -> Ground {
    ground.zone_with("belt", (-900.0, -900.0), (900.0, 900.0), |zone| zone.conveyor = dvec2(velocity, 0.0))
}

#[test]
fn a_conveyor_moves_a_projectile_from_when_it_touches() {
    for hz in RATES {
        for side in [true, false] {
            for speed in [90.0, -300.0] {
                let mut play = belt(above_floor(hz, side, GRAVITY).moving(60.0, 0.0), speed).play();
                let time = landing_time(100.0, 0.0, 0.0, GRAVITY);
                let last = play.run(1.0).pop().expect("ticks");
                near(last.pos.x, 60.0 * time + speed * (1.0 - time), 1e-2);
                assert_eq!(last.vel, DVec2::ZERO);
            }
        }
    }
}

#[test]
fn a_conveyor_moves_a_body_from_the_end_of_its_jump() {
    for hz in RATES {
        for (side, model) in [(true, ModelName::two_velocity), (false, ModelName::topdown)] {
            for keeps in [false, true] {
                let mut ground = Ground::floor(hz).model(model);
                if !side {
                    ground = Ground::none(hz).top_view().model(model).at(0.0, 0.0);
                }
                ground.tunings.ballistic.keep_landing_velocity = keeps;
                let far = ((100.0, -900.0), (900.0, 900.0));
                let ground = ground.zone_with("belt", far.0, far.1, |zone| zone.conveyor = dvec2(90.0, 0.0));
                let mut leaper = Leaper::new(ground, aim(150.0, 0.0, 20.0));
                let plan = leaper.launch();
                leaper.until_over().expect("it lands");
                let rest = leaper.play.world.ticks() as f64 / f64::from(hz) - plan.flight.time;
                near(leaper.play.hero().pos.x, 150.0 + 90.0 * rest, ERROR);
                let speed = if keeps { plan.flight.velocity.x } else { 0.0 };
                near(leaper.play.hero().vel.x, speed, 1e-9);
                if !keeps {
                    leaper.play.run(0.5);
                    let since = leaper.play.world.ticks() as f64 / f64::from(hz) - plan.flight.time;
                    near(leaper.play.hero().pos.x, 150.0 + 90.0 * since, ERROR);
                }
            }
        }
    }
}

#[test]
fn a_projectile_lands_on_its_spot_of_a_moving_platform_in_a_top_view() {
    let deck = [(-400.0, -300.0), (400.0, -300.0), (400.0, 300.0), (-400.0, 300.0)].map(DVec2::from);
    for hz in RATES {
        for way in [(300.0, 0.0), (0.0, -300.0)] {
            let outline = hangtime_core::geometry::polygon::outline(&deck).expect("a polygon");
            let solid = Solid { top: 20.0, ..Solid::new("deck".into(), SurfaceId(0), outline) };
            let ground = above_floor(hz, false, GRAVITY).moving(60.0, -30.0);
            let mut play = ground.moving_solid(solid, &[(0.0, 0.0), way], 80.0).play();
            push(&mut play, dvec2(100.0, 0.0));
            let time = landing_time(80.0, 0.0, 0.0, GRAVITY);
            let drifted = 100.0 / DAMPING * (1.0 - (-DAMPING * time).exp());
            let spot = dvec2(60.0 * time + drifted, -30.0 * time) - DVec2::from(way).normalize() * (80.0 * time);
            play.run(1.0);
            let place = play.world.standing(&play.stage).offsets[0];
            near((play.hero().pos - place).distance(spot), 0.0, 1e-2);
            near(play.hero().z, 20.0, 1e-9);
        }
    }
}
