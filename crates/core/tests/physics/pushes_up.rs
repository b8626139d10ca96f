//! External velocity that points up in a top view: it decays while gravity acts, as its closed form does.

use crate::{
    common::{loaded, near},
    ground::{Ground, Play},
};
use glam::{DVec2, dvec2};
use hangtime_core::{
    geometry::Collider,
    models::{
        Action::{Jump, Right},
        ModelName,
    },
    sim::Command,
    tuning::MOST,
};

const RATES: [u32; 6] = [30, 50, 60, 120, 144, 240];
const MODELS: [ModelName; 3] = [ModelName::topdown, ModelName::two_velocity, ModelName::ballistic];
const WALKERS: [ModelName; 2] = [ModelName::topdown, ModelName::two_velocity];
const GRAVITY: f64 = 1400.0;
const DAMPING: f64 = 4.0;
/// How fast a push has to be that throws a body off its floor: it just leaves the reach of the probe.
const LEAST: f64 = 37.4165738677;

fn plain(hz: u32, model: ModelName) -> Ground {
    let round = Collider::ellipse(10.0, 10.0);
    Ground::none(hz).top_view().model(model).figure(round).at(0.0, 0.0).gravity(GRAVITY)
}

/// The same without a limit on the speed of the fall.
fn free_fall(hz: u32, model: ModelName) -> Ground {
    let ground = plain(hz, model);
    if model == ModelName::ballistic {
        ground
    } else {
        ground.tune("max_fall_speed", 1e6)
    }
}

fn order(play: &mut Play, command: Command) {
    let id = play.hero().id;
    play.world.order(&play.stage, id, &command);
}

/// The height `t` seconds after a push, of a body that also has its own upward speed.
fn height(push: f64, own: f64, t: f64) -> f64 {
    push * (1.0 - (-DAMPING * t).exp()) / DAMPING + own * t - 0.5 * GRAVITY * t * t
}

fn speed(push: f64, own: f64, t: f64) -> f64 {
    push * (-DAMPING * t).exp() + own - GRAVITY * t
}

/// When a pushed body is back on its floor.
fn landing(push: f64, own: f64) -> f64 {
    let (mut up, mut down) = (1e-3, 10.0);
    for _ in 0..100 {
        let middle = 0.5 * (up + down);
        if height(push, own, middle) > 0.0 { up = middle } else { down = middle }
    }
    up
}

#[test]
fn a_push_off_the_floor_follows_its_closed_form_at_every_rate() {
    for (hz, model) in RATES.into_iter().flat_map(|hz| MODELS.map(|model| (hz, model))) {
        for push in [60.0, 300.0, 500.0] {
            let mut play = free_fall(hz, model).play();
            play.run(0.2);
            order(&mut play, Command::PushZ(push));
            let over = landing(push, 0.0);
            let mut ticks = 0;
            while play.told("land") == 0 {
                let hero = play.tick();
                ticks += 1;
                let t = f64::from(ticks) / f64::from(hz);
                if t < over {
                    near(hero.z, height(push, 0.0, t), 1e-9);
                    near(hero.vel_z, -GRAVITY * t, 1e-9);
                    near(hero.external_z, push * (-DAMPING * t).exp(), 1e-9);
                    assert!(!hero.grounded);
                }
            }
            near(f64::from(ticks) / f64::from(hz), over, 1.0 / f64::from(hz));
            near(play.landings()[0], -speed(push, 0.0, over), 1e-6);
            let hero = play.hero();
            assert_eq!((hero.z, hero.vel_z, hero.external_z, hero.grounded), (0.0, 0.0, 0.0, true));
        }
    }
}

#[test]
fn a_push_adds_to_a_jump_and_the_fall_speed_limit_is_only_the_bodys() {
    for (hz, model) in RATES.into_iter().flat_map(|hz| WALKERS.map(|model| (hz, model))) {
        let ground = plain(hz, model).tune("jump_speed", 400.0).tune("jump_hold_time", 0.0);
        let mut play = ground.tune("max_fall_speed", 100.0).play();
        play.hold(Jump);
        play.tick();
        order(&mut play, Command::PushZ(200.0));
        let limit = 500.0 / GRAVITY;
        for tick in 1..=hz / 2 {
            let hero = play.tick();
            let pushed = f64::from(tick) / f64::from(hz);
            let t = f64::from(tick + 1) / f64::from(hz);
            let own = 400.0 * t.min(limit) - 0.5 * GRAVITY * t.min(limit).powi(2) - 100.0 * (t - limit).max(0.0);
            let external = 200.0 * (1.0 - (-DAMPING * pushed).exp()) / DAMPING;
            near(hero.z, own + external, 1e-9);
        }
    }
}

#[test]
fn a_push_too_weak_for_the_probe_has_no_effect_on_a_floor() {
    near((2.0 * GRAVITY * 0.5).sqrt(), LEAST, 1e-9);
    for (hz, model) in RATES.into_iter().flat_map(|hz| MODELS.map(|model| (hz, model))) {
        for (push, flies) in [(LEAST - 1e-6, false), (-500.0, false), (LEAST + 1e-6, true)] {
            let mut play = plain(hz, model).play();
            play.run(0.2);
            order(&mut play, Command::PushZ(push));
            let hero = play.tick();
            assert_eq!((hero.grounded, hero.z > 0.0), (!flies, flies), "{push}");
            assert_eq!(hero.external_z > 0.0, flies);
        }
    }
}

#[test]
fn a_push_down_in_the_air_speeds_up_the_fall_and_ends_on_the_floor() {
    for (hz, model) in RATES.into_iter().flat_map(|hz| MODELS.map(|model| (hz, model))) {
        let mut ground = free_fall(hz, model);
        ground.z = 100.0;
        let mut play = ground.play();
        order(&mut play, Command::PushZ(-300.0));
        let mut t = 0.0;
        while play.told("land") == 0 {
            let hero = play.tick();
            t += play.dt();
            if !hero.grounded {
                near(hero.z, 100.0 + height(-300.0, 0.0, t), 1e-9);
            }
        }
        assert_eq!((play.hero().z, play.hero().external_z), (0.0, 0.0));
        let landed = landing_from(100.0, -300.0);
        near(t, landed + 0.5 / f64::from(hz), 0.5 / f64::from(hz) + 1e-9);
        near(play.landings()[0], -speed(-300.0, 0.0, landed), 1e-6);
    }
}

/// When a body from this height is on the floor.
fn landing_from(above: f64, push: f64) -> f64 {
    let (mut up, mut down) = (0.0, 10.0);
    for _ in 0..100 {
        let middle = 0.5 * (up + down);
        if above + height(push, 0.0, middle) > 0.0 {
            up = middle
        } else {
            down = middle
        }
    }
    up
}

#[test]
fn a_push_down_stronger_than_a_jump_leaves_the_jump_on_the_floor() {
    for (hz, model) in RATES.into_iter().flat_map(|hz| WALKERS.map(|model| (hz, model))) {
        let mut play = plain(hz, model).play();
        play.hold(Jump);
        play.tick();
        order(&mut play, Command::PushZ(-1e5));
        for hero in play.run(0.3) {
            assert!(hero.z >= 0.0);
            assert!(hero.external_z <= 0.0);
        }
        play.run(2.0);
        assert_eq!((play.hero().z, play.hero().grounded), (0.0, true));
    }
}

#[test]
fn a_pushed_body_gets_onto_what_its_path_reaches() {
    // The top of a push of 400: where its speed is 0.
    let (mut early, mut late) = (0.0, 1.0);
    for _ in 0..100 {
        let middle = 0.5 * (early + late);
        if speed(400.0, 0.0, middle) > 0.0 { early = middle } else { late = middle }
    }
    let reach = height(400.0, 0.0, early);
    for (hz, model) in RATES.into_iter().flat_map(|hz| WALKERS.map(|model| (hz, model))) {
        for (top, reached) in [(0.5 * reach, true), (reach - 0.001, true), (reach + 0.001, false)] {
            let mut play = plain(hz, model).block((50.0, -50.0), (1000.0, 50.0), top).at(30.0, 0.0).play();
            play.hold(Right);
            play.run(0.3);
            order(&mut play, Command::PushZ(400.0));
            play.run(1.0);
            assert_eq!(play.hero().z, if reached { top } else { 0.0 }, "{top} at {hz} Hz");
        }
    }
}

#[test]
fn a_push_decays_alike_on_both_sides_of_a_border() {
    for hz in RATES {
        let half = |zone: &mut hangtime_core::level::Zone| zone.gravity_scale = 0.5;
        let ground = plain(hz, ModelName::ballistic).moving(100.0, 0.0);
        let mut ground = ground.zone_with("light", (20.0, -100.0), (900.0, 100.0), half);
        ground.z = 200.0;
        let mut play = ground.play();
        order(&mut play, Command::PushZ(300.0));
        for tick in 1..=hz / 3 {
            let hero = play.tick();
            let t = f64::from(tick) / f64::from(hz);
            let (heavy, light) = (t.min(0.2), (t - 0.2).max(0.0));
            let light_fall = GRAVITY * heavy * light + 0.25 * GRAVITY * light * light;
            near(hero.z, 200.0 + height(300.0, 0.0, t) + 0.5 * GRAVITY * (t * t - heavy * heavy) - light_fall, 1e-5);
        }
    }
}

#[test]
fn a_floor_stops_a_push_down_under_inverted_gravity() {
    for (hz, model) in RATES.into_iter().flat_map(|hz| WALKERS.map(|model| (hz, model))) {
        let mut ground = plain(hz, model).tune("gravity_scale", -0.1);
        ground.z = 5.0;
        let mut play = ground.play();
        order(&mut play, Command::PushZ(-2000.0));
        let heroes = play.run(0.5);
        assert!(heroes.iter().all(|hero| hero.z >= 0.0 && !hero.grounded));
        assert!(play.hero().z > 1.0 && play.hero().external_z == 0.0);
    }
}

#[test]
fn it_is_saved_hashed_and_left_out_when_there_is_none() {
    let mut play = plain(60, ModelName::topdown).play();
    play.run(0.2);
    let text = |play: &Play| serde_json::to_string(&play.world).expect("it is saved");
    assert!(!text(&play).contains("external_z"));
    let calm = play.world.hash();
    order(&mut play, Command::PushZ(300.0));
    assert_ne!(play.world.hash(), calm);
    play.run(0.1);
    assert!(text(&play).contains("external_z"));
    let mut again = loaded(&text(&play), &play.stage);
    assert_eq!(again.hash(), play.world.hash());
    for _ in 0..30 {
        let input = hangtime_core::sim::Inputs::of_first(play.input);
        again.tick(&play.stage, &input, &mut hangtime_core::sim::NativeRules);
        play.tick();
        assert_eq!(again.hash(), play.world.hash());
    }
    assert_eq!(play.hero().external_z == 0.0, play.hero().grounded);
}

#[test]
fn pushes_add_up_to_a_limit_and_a_script_can_set_them() {
    let mut play = plain(60, ModelName::topdown).play();
    for _ in 0..3 {
        order(&mut play, Command::PushZ(MOST));
    }
    assert_eq!(play.hero().external_z, MOST);
    order(&mut play, Command::SetExternal(dvec2(1.0, 2.0), 50.0));
    assert_eq!((play.hero().external, play.hero().external_z), (dvec2(1.0, 2.0), 50.0));
    order(&mut play, Command::SetExternal(DVec2::ZERO, 0.0));
    assert_eq!(play.hero().external_z, 0.0);
}
