//! External influences on bodies of every model: pushes, wind, gravity, conveyors, zones.

use crate::{
    cast::{Cast, Member, stage_of},
    common::{RATES, near},
    ground::{BODY, Ground},
};
use glam::{DVec2, dvec2};
use hangtime_core::{
    level::{SurfaceId, View, Zone},
    models::{Action, ModelName},
    sim::{Command, EventKind},
};

/// All pairs of a model and a view that it supports.
fn everywhere() -> impl Iterator<Item = (ModelName, View)> {
    let pairs = |model: &'static ModelName| {
        let views = model.views().iter();
        views.map(|view| (*model, *view))
    };
    ModelName::ALL.iter().flat_map(pairs)
}

/// Only this body, high up.
fn alone(hz: u32, model: ModelName, view: View) -> Ground {
    let mut ground = Ground::none(hz).model(model).at(0.0, 0.0);
    ground.view = view;
    ground.z = if view == View::Top { 5000.0 } else { 0.0 };
    if model == ModelName::platformer {
        ground = ground.tune("rest_spacing", 0.0);
    }
    ground
}

fn cast(ground: &Ground) -> Cast {
    let mut member = Member::new("hero", ground.model, ground.figure.clone(), ground.at);
    member.z = ground.z;
    member.velocity = ground.velocity;
    Cast::new(ground, &[member])
}

const FAR: ((f64, f64), (f64, f64)) = ((-9000.0, -9000.0), (9000.0, 9000.0));

/// A zone nearly everywhere.
fn all(ground: Ground, name: &str, change: impl FnOnce(&mut Zone)) -> Ground {
    ground.zone_with(name, FAR.0, FAR.1, change)
}

#[test]
fn a_push_decays_and_travels_its_integral() {
    for hz in RATES {
        for (model, view) in everywhere() {
            let mut cast = cast(&alone(hz, model, view).gravity(0.0));
            cast.tick();
            let push = dvec2(320.0, -140.0);
            cast.order(0, Command::Push(push));
            for tick in 1..=hz {
                cast.tick();
                let t = f64::from(tick) / f64::from(hz);
                let left = (-4.0 * t).exp();
                let hero = cast.view(0);
                let off = hero.pos - push / 4.0 * (1.0 - left);
                assert!(off.length() < 1e-9, "{model:?}, {view:?}, {hz} Hz: {off}");
                assert!((hero.external - push * left).length() < 1e-9);
                assert_eq!(hero.vel, DVec2::ZERO, "{model:?}");
            }
        }
    }
}

#[test]
fn a_push_along_the_ground_travels_as_far() {
    for hz in RATES {
        for (model, view) in everywhere() {
            let lies = (model == ModelName::topdown && view == View::Side) || model == ModelName::vessel;
            if lies {
                continue;
            }
            let mut ground = alone(hz, model, view);
            ground.z = 0.0;
            if view == View::Side {
                ground = ground.solid(&[(-9000.0, -60.0), (9000.0, -60.0), (9000.0, 0.0), (-9000.0, 0.0)]);
                ground = ground.at(0.0, 19.0);
            }
            let mut cast = cast(&ground);
            cast.run(0.1);
            cast.order(0, Command::Push(dvec2(320.0, 0.0)));
            for tick in 1..=hz {
                cast.tick();
                let left = (-4.0 * f64::from(tick) / f64::from(hz)).exp();
                let hero = cast.view(0);
                assert!(hero.grounded, "{model:?}, {view:?}");
                near(hero.pos.x, 80.0 * (1.0 - left), 1e-9);
                near(hero.external.x, 320.0 * left, 1e-9);
            }
        }
    }
}

#[test]
fn wind_follows_its_closed_form_and_zones_add_up() {
    let winds = [dvec2(900.0, 100.0), dvec2(-250.0, 500.0)];
    for hz in RATES {
        for (model, view) in everywhere() {
            for count in [1, 2] {
                let mut ground = alone(hz, model, view).gravity(0.0);
                for (i, wind) in winds[..count].iter().enumerate() {
                    ground = all(ground, ["a", "b"][i], |zone| zone.external_accel = *wind);
                }
                let a: DVec2 = winds[..count].iter().sum();
                let mut cast = cast(&ground);
                for tick in 1..=hz {
                    cast.tick();
                    let t = f64::from(tick) / f64::from(hz);
                    let grown = (1.0 - (-4.0 * t).exp()) / 4.0;
                    let hero = cast.view(0);
                    let off = hero.external - a * grown;
                    assert!(off.length() < 1e-9, "{model:?}, {view:?}: {off}");
                    let off = hero.pos - a / 4.0 * (t - grown);
                    assert!(off.length() < 1e-8, "{model:?}, {view:?}: {off}");
                }
            }
        }
    }
}

#[test]
fn the_gravity_scale_of_a_zone_changes_falls() {
    for hz in RATES {
        for (model, view) in everywhere() {
            let falls = !(model == ModelName::topdown && view == View::Side);
            for scales in [&[0.25][..], &[2.0], &[0.5, 0.3], &[-0.5], &[0.0]] {
                let mut ground = alone(hz, model, view).gravity(400.0);
                for (i, scale) in scales.iter().enumerate() {
                    ground = all(ground, ["a", "b"][i], |zone| zone.gravity_scale = *scale);
                }
                let scale: f64 = scales.iter().product();
                let from = if view == View::Top { ground.z } else { 0.0 };
                let mut cast = cast(&ground);
                // Within 0.8 s nothing falls faster than 700 px/s.
                for tick in 1..=hz * 4 / 5 {
                    cast.tick();
                    let t = f64::from(tick) / f64::from(hz);
                    let hero = cast.view(0);
                    let (at, speed) = match view {
                        View::Side => (hero.pos.y, hero.vel.y),
                        View::Top => (hero.z, hero.vel_z),
                    };
                    let pull = if falls { 400.0 * scale } else { 0.0 };
                    assert!((at - (from - 0.5 * pull * t * t)).abs() < 1e-6, "{model:?}, {view:?}");
                    near(speed, -pull * t, 1e-6);
                }
            }
        }
    }
}

const WALKERS: [ModelName; 2] = [ModelName::platformer, ModelName::two_velocity];

#[test]
fn only_an_updraft_stronger_than_gravity_lifts_a_standing_body() {
    for hz in RATES {
        for model in WALKERS {
            for (share, lifts) in [(0.9, false), (0.999, false), (1.4, true), (2.0, true)] {
                let updraft = 3672.0 * share;
                let ground = Ground::floor(hz).model(model);
                let ground = all(ground, "draft", |zone| zone.external_accel.y = updraft);
                let mut play = ground.play();
                for tick in 1..=hz / 10 {
                    let hero = play.tick();
                    assert_eq!(hero.grounded, !lifts, "{model:?} at {share}");
                    // It rises in the damped wind and falls outside of it.
                    let t = f64::from(tick) / f64::from(hz);
                    let risen = updraft / 4.0 * (t - (1.0 - (-4.0 * t).exp()) / 4.0);
                    let risen = risen - 0.5 * 3672.0 * t * t;
                    near(hero.pos.y, 19.0 + if lifts { risen } else { 0.0 }, 1e-9);
                }
                if !lifts {
                    assert_eq!(play.hero().external.y, 0.0);
                }
                // A body that walks into it leaves the ground once.
                let ground = Ground::floor(hz).model(model);
                let (from, to) = ((40.0, -100.0), (9000.0, 9000.0));
                let blows = |zone: &mut Zone| zone.external_accel.y = updraft;
                let mut play = ground.zone_with("draft", from, to, blows).play();
                play.hold(Action::Right);
                play.run(0.5);
                assert_eq!(play.told("leave_ground"), usize::from(lifts));
            }
        }
    }
}

#[test]
fn a_conveyor_carries_a_standing_body_at_exactly_its_speed() {
    for hz in RATES {
        for (model, view) in everywhere() {
            let stands = !(model == ModelName::topdown && view == View::Side);
            if !stands || model == ModelName::vessel {
                continue;
            }
            let mut ground = alone(hz, model, view);
            ground.z = 0.0;
            if view == View::Side {
                ground = ground
                    .solid(&[(-9000.0, -60.0), (9000.0, -60.0), (9000.0, 0.0), (-9000.0, 0.0)])
                    .at(0.0, 19.0);
            }
            let belt = if view == View::Top { dvec2(70.0, -40.0) } else { dvec2(70.0, 0.0) };
            let from = ground.at;
            let mut cast = cast(&all(ground, "belt", |zone| zone.conveyor = belt));
            for tick in 1..=hz {
                cast.tick();
                let hero = cast.view(0);
                let off = hero.pos - from - belt * (f64::from(tick) / f64::from(hz));
                assert!(off.length() < 1e-6, "{model:?}, {view:?}: {off}");
                assert!(hero.grounded && hero.vel == DVec2::ZERO && hero.external == DVec2::ZERO);
            }
            // A body thrown up keeps the lift for a while.
            cast.order(0, Command::Jump);
            cast.tick();
            let hero = cast.view(0);
            if !hero.grounded {
                let belt = belt * (-4.0 / f64::from(hz)).exp();
                assert!((hero.external - belt).length() < 1e-9, "{model:?}, {view:?}: {}", hero.external);
            }
        }
    }
}

#[test]
fn a_conveyor_drags_a_vessel_up_to_its_speed() {
    for hz in RATES {
        let ground = Ground::floor(hz)
            .model(ModelName::vessel)
            .figure(hangtime_core::models::BodyShape::of_box(24.0, 16.0))
            .at(0.0, 8.0);
        let mut play = all(ground, "belt", |zone| zone.conveyor.x = 60.0).play();
        let mut last: f64 = 0.0;
        for hero in play.run(4.0) {
            assert!(hero.vel.x >= last - 0.5 && hero.vel.x < 61.0, "{} after {last}", hero.vel.x);
            last = hero.vel.x;
        }
        near(last, 60.0, 0.5);
    }
}

#[test]
fn a_zones_surface_replaces_that_of_the_ground() {
    for hz in RATES {
        for (model, view) in everywhere() {
            if model == ModelName::topdown && view == View::Side {
                continue;
            }
            let mut ground = alone(hz, model, view).surface(0.05);
            ground.z = 0.0;
            if view == View::Side {
                ground = ground
                    .solid(&[(-9000.0, -60.0), (9000.0, -60.0), (9000.0, 0.0), (-9000.0, 0.0)])
                    .at(0.0, 19.0);
            }
            let mut cast = cast(&all(ground, "ice", |zone| zone.surface = Some(SurfaceId(1))));
            cast.run(0.3);
            assert_eq!(&*cast.view(0).surface, "surface 1", "{model:?}, {view:?}");
        }
    }
    // It is as slippery: half a second of running on a twentieth of the grip.
    for hz in RATES {
        let ground = Ground::floor(hz).surface(0.05).model(ModelName::two_velocity);
        let mut play = all(ground, "ice", |zone| zone.surface = Some(SurfaceId(1))).play();
        play.run(0.1);
        play.hold(Action::Right);
        let last = play.run(0.5).pop().expect("ticks");
        near(last.vel.x, 1500.0 * 0.05 * 0.5, 1e-6);
    }
}

#[test]
fn enter_and_leave_are_each_emitted_once() {
    for hz in RATES {
        for (model, view) in everywhere() {
            let ground = alone(hz, model, view)
                .gravity(0.0)
                .zone("home", (-20.0, -50.0), (20.0, 50.0))
                .zone("away", (100.0, -50.0), (160.0, 50.0))
                .zone("inner", (120.0, -50.0), (140.0, 50.0));
            let mut cast = cast(&ground);
            let zones = |cast: &Cast| {
                let told = cast.events.iter().filter_map(|e| match &e.kind {
                    EventKind::Enter { zone } => Some(format!("+{zone}")),
                    EventKind::Leave { zone } => Some(format!("-{zone}")),
                    _ => None,
                });
                told.collect::<Vec<_>>().join(" ")
            };
            assert_eq!(zones(&cast), "+home", "born there");
            cast.order(0, Command::SetExternal(dvec2(800.0, 0.0), 0.0));
            cast.run(3.0);
            let expected = "+home -home +away +inner -inner -away";
            assert_eq!(zones(&cast), expected, "{model:?}, {view:?}, {hz} Hz");
        }
    }
}

#[test]
fn a_reload_matches_zones_by_name() {
    for (model, view) in everywhere() {
        let bare = alone(60, model, view).gravity(0.0);
        let old = bare
            .clone()
            .zone("gone", (-20.0, -50.0), (20.0, 50.0))
            .zone("kept", (-20.0, -50.0), (20.0, 50.0));
        let new = bare
            .zone("far", (500.0, -50.0), (520.0, 50.0))
            .zone("kept", (-30.0, -50.0), (20.0, 50.0))
            .zone("new", (-20.0, -50.0), (20.0, 50.0));
        let mut cast = cast(&old);
        cast.run(0.1);
        let mut member = Member::new("hero", model, BODY, DVec2::ZERO);
        member.z = 5000.0;
        let stage = stage_of(&new, &[member]);
        cast.events.clear();
        cast.world.adopt(&cast.stage, &stage);
        cast.events.extend(cast.world.events().iter().cloned());
        cast.stage = stage;
        cast.run(0.1);
        let told = |event: &str| cast.told("hero", event);
        assert_eq!((told("enter"), told("leave")), (1, 1), "{model:?}");
        let zones: Vec<_> = cast.view(0).zones.iter().map(ToString::to_string).collect();
        assert_eq!(zones, ["kept", "new"]);
    }
}

#[test]
fn a_scripted_jump_off_a_platform_keeps_its_velocity_for_a_while() {
    let top = [(-400.0, -20.0), (400.0, -20.0), (400.0, 0.0), (-400.0, 0.0)];
    for hz in RATES {
        for model in WALKERS {
            let way = [(0.0, 0.0), (4000.0, 300.0)];
            let ground = Ground::none(hz).model(model).platform(&top, &way, 200.0);
            let velocity = (dvec2(4000.0, 300.0)).normalize() * 200.0;
            // By a script and by a key alike.
            for ordered in [true, false] {
                let mut cast = cast(&ground);
                cast.run(0.5);
                assert!(cast.view(0).grounded);
                if ordered {
                    cast.order(0, Command::Jump);
                } else {
                    cast.input.held.insert(Action::Jump);
                }
                cast.tick();
                let off = cast.view(0).external - velocity * (-4.0 / f64::from(hz)).exp();
                assert!(off.length() < 1e-6, "{model:?}, {ordered}: {off}");
            }
        }
    }
}

#[test]
fn a_scripted_jump_in_the_air_does_not_grab_a_nearby_wall() {
    for hz in RATES {
        let wall = [(10.0, -2000.0), (60.0, -2000.0), (60.0, 2000.0), (10.0, 2000.0)];
        let ground = Ground::none(hz).model(ModelName::platformer).solid(&wall);
        let mut cast = cast(&ground.at(0.0, 0.0));
        cast.input.held.insert(Action::Right);
        cast.order(0, Command::Jump);
        cast.tick();
        assert_eq!(cast.view(0).mode, "air", "{hz} Hz");
        near(cast.view(0).vel.y, 540.0, 1e-9);
    }
}

#[test]
fn a_floor_stops_a_body_under_inverted_gravity_and_is_no_ground() {
    for hz in RATES {
        for (gap, speed) in [(5.0, 250.0), (10.0, 300.0), (2.0, 125.0)] {
            let ground = Ground::floor(hz).model(ModelName::platformer);
            let ground = all(ground, "up", |zone| zone.gravity_scale = -1.0);
            let mut cast = cast(&ground.at(0.0, 19.0 + gap).moving(0.0, -speed));
            for _ in 0..hz {
                cast.tick();
                assert!(cast.view(0).pos.y >= 19.0 - 1e-6, "{hz} Hz, {gap} px");
                assert_eq!(cast.view(0).mode, "air", "{hz} Hz, {gap} px");
            }
            near(cast.view(0).vel.y, 700.0, 1e-9);
        }
    }
}
