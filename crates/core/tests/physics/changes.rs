//! Model changes between all pairs: what is kept and what is refused.

use crate::{
    cast::{Cast, Member, stage_of},
    common::{RATES, near},
    ground::{Ground, tried},
    leaper::{Leaper, aim},
};
use glam::{DVec2, dvec2};
use hangtime_core::{
    geometry::{Collider, apart::convex, separation::separation},
    level::View,
    models::{Action, BodyShape, Loadouts, ModelName, ModelTunings},
    sim::{Command, EntityView, EventKind, Value, Vars, World},
};
use proptest::prelude::*;
use std::sync::Arc;

/// All ordered pairs of different models that work in a view.
fn pairs(view: View) -> Vec<(ModelName, ModelName)> {
    let works = |m: &&ModelName| m.views().contains(&view);
    let models: Vec<ModelName> = ModelName::ALL.iter().filter(works).copied().collect();
    assert!(models.len() > 1, "no pairs in {view:?}");
    let with = |a: &ModelName| models.iter().map(|b| (*a, *b)).collect::<Vec<_>>();
    let all = models.iter().flat_map(with);
    all.filter(|(a, b)| a != b).collect()
}

/// Tunings with which every model keeps its velocity in mid-air without keys.
fn gliding() -> ModelTunings {
    let mut tunings = ModelTunings::default();
    tunings.topdown.friction = 0.0;
    tunings.topdown.air_friction = 0.0;
    tunings.two_velocity.air_grip = 0.0;
    tunings.platformer.rest_spacing = 0.0;
    tunings
}

const BOX: (f64, f64) = (20.0, 38.0);

fn hero(was: ModelName, at: DVec2) -> Member {
    Member::new("hero", was, BodyShape::of_box(BOX.0, BOX.1), at)
}

#[test]
fn a_model_change_in_mid_air_keeps_all_motion() {
    for hz in RATES {
        for view in [View::Side, View::Top] {
            for (was, model) in pairs(view) {
                let mut ground = Ground::none(hz).gravity(0.0);
                ground.tunings = gliding();
                ground.view = view;
                let mut member = hero(was, dvec2(3.0, 5.0));
                (member.velocity, member.z) = (dvec2(120.0, -80.0), 40.0);
                if view == View::Side {
                    member.z = 0.0;
                }
                let mut cast = Cast::new(&ground, &[member]);
                let coins = || std::collections::BTreeMap::from([("coins".into(), Value::Int(3))]);
                Arc::make_mut(&mut cast.stage.profiles)[0].vars = coins();
                cast.world = World::new(&cast.stage, 0);
                cast.order(0, Command::Push(dvec2(50.0, 30.0)));
                cast.order(0, Command::Face(-1.0));
                cast.order(0, Command::SetVelocity(dvec2(120.0, -80.0), 7.0 * member_rises(view)));
                cast.run(0.2);
                let label = format!("{was:?} to {model:?}, {view:?}, {hz} Hz");
                let (before, told) = (cast.view(0), cast.told("hero", "model"));
                let jump = cast.world.body(&cast.world.entities()[0]).jump;
                cast.order(0, Command::SetModel(model));
                cast.tick();
                let after = cast.view(0);
                assert_eq!(after.model_name(), model.as_str(), "{label}");
                assert_eq!(cast.told("hero", "model"), told + 1, "{label}");
                assert_eq!(after.vel, before.vel, "{label}");
                assert_eq!(after.vel_z, before.vel_z, "{label}");
                let dt = 1.0 / f64::from(hz);
                let left = (-4.0 * dt).exp();
                let off = after.external - before.external * left;
                assert!(off.length() < 1e-12, "{label}");
                let way = before.vel * dt + before.external * ((1.0 - left) / 4.0);
                assert!((after.pos - before.pos - way).length() < 1e-12, "{label}");
                near(after.z, before.z + before.vel_z * dt, 1e-12);
                assert_eq!(after.facing, -1.0, "{label}");
                let entity = &cast.world.entities()[0];
                assert_eq!(cast.world.body(entity).jump, jump, "{label}");
                assert_eq!(entity.vars, Vars::plain(coins()), "{label}");
                // Changing back gains no energy.
                cast.order(0, Command::SetModel(was));
                cast.tick();
                let back = cast.view(0);
                assert_eq!((back.vel, back.spin, back.angle), (before.vel, 0.0, 0.0), "{label}");
            }
        }
    }
}

fn member_rises(view: View) -> f64 {
    if view == View::Top { 1.0 } else { 0.0 }
}

#[test]
fn a_model_change_does_not_change_the_height_of_a_held_jump() {
    for hz in RATES {
        for view in [View::Side, View::Top] {
            let jumps = |m: ModelName| {
                let works = m == ModelName::topdown && view == View::Top;
                works || [ModelName::platformer, ModelName::two_velocity].contains(&m)
            };
            for (was, model) in pairs(view) {
                if !jumps(was) || !jumps(model) {
                    continue;
                }
                let highest = |change: Option<u32>| {
                    let mut ground = if view == View::Side { Ground::floor(hz) } else { Ground::none(hz) };
                    ground.view = view;
                    let mut cast = Cast::new(&ground, &[hero(was, dvec2(0.0, 19.0))]);
                    cast.run(0.1);
                    cast.input.held.insert(Action::Jump);
                    let mut most: f64 = 0.0;
                    for tick in 0..hz / 2 {
                        if change == Some(tick) {
                            cast.order(0, Command::SetModel(model));
                        }
                        cast.tick();
                        let hero = cast.view(0);
                        most = most.max(if view == View::Side { hero.pos.y - 19.0 } else { hero.z });
                    }
                    most
                };
                let alone = highest(None);
                assert!(alone > 185.0);
                for change in (1..hz / 2).step_by(hz as usize / 15) {
                    near(highest(Some(change)), alone, 1e-9);
                }
            }
        }
    }
}

/// How deep a body, as a rotated outline or an ellipse, is in a convex polygon, px.
fn depth_in(hero: &EntityView, polygon: &[DVec2]) -> f64 {
    let Some(pieces) = &hero.pieces else {
        let shape = Collider::from(hero.half);
        // Measured where the ellipse is a unit circle; its larger half-width converts that to px.
        return -separation(shape, hero.pos, polygon).gap * hero.half.max_element();
    };
    let turn = DVec2::from_angle(hero.angle);
    let depth = |outline: Vec<DVec2>| convex(&outline, polygon, 0.0).map_or(0.0, DVec2::length);
    let outlines = pieces.iter().map(|piece| {
        let points = piece.points.iter();
        points.map(|p| hero.pos + turn.rotate(*p)).collect::<Vec<_>>()
    });
    outlines.map(depth).fold(0.0, f64::max)
}

#[test]
fn a_model_change_on_the_ground_keeps_the_feet_in_place() {
    for hz in RATES {
        for (was, model) in pairs(View::Side) {
            if [was, model].contains(&ModelName::topdown) {
                continue;
            }
            for slope in [0.0, 20.0_f64, -30.0] {
                let (x, y) = (3000.0, 3000.0 * slope.to_radians().tan());
                let ramp = [(-x, -y), (x, y), (x, -9000.0), (-x, -9000.0)];
                let mut ground = Ground::none(hz).solid(&ramp);
                ground.tunings.platformer.rest_spacing = 0.0;
                let mut cast = Cast::new(&ground, &[hero(was, dvec2(0.0, 32.0))]);
                cast.run(3.0);
                let before = cast.view(0);
                let label = format!("{was:?} to {model:?} on {slope}°, {hz} Hz");
                assert!(before.grounded || was == ModelName::vessel, "{label}");
                cast.order(0, Command::SetModel(model));
                let outline: Vec<DVec2> = ground.solids[0].0.clone();
                for tick in 0..hz {
                    cast.tick();
                    let depth = depth_in(&cast.view(0), &outline);
                    assert!(depth < 1e-3, "{label}: {depth} px deep at {tick}");
                    if tick == 0 && slope == 0.0 {
                        let feet = |v: &EntityView| v.pos.y - v.depth;
                        near(feet(&cast.view(0)), feet(&before), 0.02);
                    }
                }
                let after = cast.view(0);
                if slope == 0.0 {
                    assert!(after.grounded, "{label}");
                }
                // A vessel may tip over on a slope and roll down.
                assert!(
                    model == ModelName::vessel || after.pos.distance(before.pos) < 40.0,
                    "{label}: {} {}",
                    before.pos,
                    after.pos
                );
            }
        }
    }
}

#[test]
fn riders_stay_on_their_platform_through_a_model_change() {
    let top = [(-100.0, -20.0), (100.0, -20.0), (100.0, 0.0), (-100.0, 0.0)];
    for hz in RATES {
        for (was, model) in pairs(View::Side) {
            if [was, model].contains(&ModelName::topdown) {
                continue;
            }
            let way = [(0.0, 0.0), (300.0, 60.0)];
            let mut ground = Ground::none(hz).platform(&top, &way, 40.0);
            ground.tunings.platformer.rest_spacing = 0.0;
            let mut cast = Cast::new(&ground, &[hero(was, dvec2(0.0, 19.5))]);
            cast.run(1.5);
            cast.order(0, Command::SetModel(model));
            for _ in 0..hz {
                cast.tick();
                let view = cast.view(0);
                let offset = cast.world.standing(&cast.stage).offsets[0];
                let outline: Vec<DVec2> = top.iter().map(|p| DVec2::from(*p) + offset).collect();
                let depth = depth_in(&view, &outline);
                assert!(depth < 0.7, "{was:?} to {model:?}, {hz} Hz: {depth} px deep");
                near(view.pos.y - view.depth, offset.y, 1.5);
                assert!((view.pos.x - offset.x).abs() < 60.0);
            }
        }
    }
}

#[test]
fn a_model_change_in_a_top_view_keeps_a_body_standing() {
    for hz in RATES {
        for (was, model) in pairs(View::Top) {
            let ground = Ground::none(hz).top_view().block((-50.0, -50.0), (50.0, 50.0), 30.0);
            let mut member = hero(was, DVec2::ZERO);
            member.z = 30.0;
            let mut cast = Cast::new(&ground, &[member]);
            cast.run(0.2);
            cast.events.clear();
            cast.order(0, Command::SetModel(model));
            cast.run(0.2);
            let view = cast.view(0);
            assert!(view.grounded && view.z == 30.0 && view.pos == DVec2::ZERO);
            for event in ["land", "leave_ground", "surface"] {
                assert_eq!(cast.told("hero", event), 0, "{was:?} to {model:?}: {event}");
            }
        }
    }
}

/// The reasons of refused model changes.
fn refusals(cast: &Cast) -> Vec<String> {
    let told = cast.events.iter().filter_map(|e| match &e.kind {
        EventKind::ModelRefused { reason, .. } => Some(reason.to_string()),
        _ => None,
    });
    told.collect()
}

#[test]
fn a_model_without_room_or_view_is_refused_once() {
    for hz in RATES {
        let top = Ground::none(hz).top_view();
        for model in [ModelName::platformer, ModelName::vessel] {
            let mut cast = Cast::new(&top, &[hero(ModelName::topdown, DVec2::ZERO)]);
            cast.order(0, Command::SetModel(model));
            cast.run(0.5);
            assert_eq!(refusals(&cast), ["it does not work in a top view"]);
            assert_eq!(cast.view(0).model_name(), "topdown");
        }
        // A corridor 40 px high, and a vessel twice as high.
        for was in [ModelName::platformer, ModelName::two_velocity, ModelName::ballistic] {
            let long = 4000.0;
            let ground = Ground::floor(hz).solid(&[(-long, 40.0), (long, 40.0), (long, 900.0), (-long, 900.0)]);
            let member = hero(was, dvec2(0.0, 19.0));
            let mut stage = stage_of(&ground, std::slice::from_ref(&member));
            let figure = |m| match m {
                ModelName::vessel => BodyShape::of_box(30.0, 80.0),
                _ => member.figure.clone(),
            };
            Arc::make_mut(&mut stage.profiles)[0].loadouts = Loadouts::new(ground.tunings.clone(), figure);
            let mut cast = Cast::new(&ground, std::slice::from_ref(&member));
            cast.world = World::new(&stage, 0);
            cast.stage = stage;
            cast.run(0.2);
            let before = cast.view(0);
            cast.order(0, Command::SetModel(ModelName::vessel));
            cast.run(0.5);
            assert_eq!(refusals(&cast), ["there is no room for its body"], "{was:?}");
            let after = cast.view(0);
            assert_eq!((after.model_name(), after.pos), (was.as_str(), before.pos));
            assert_eq!(after.vel, before.vel);
        }
    }
}

#[test]
fn jumps_to_a_destination_restore_every_model() {
    for hz in RATES {
        for model in ModelName::ALL {
            for view in model.views().iter().filter(|_| *model != ModelName::ballistic) {
                let mut ground = match view {
                    View::Side => Ground::floor(hz),
                    View::Top => Ground::none(hz).top_view(),
                };
                ground = ground.model(*model).figure(BodyShape::of_box(20.0, 38.0));
                let mut leaper = Leaper::new(ground, aim(90.0, 0.0, 30.0));
                leaper.play.run(0.2);
                leaper.play.events.clear();
                leaper.launch();
                assert_eq!(leaper.play.hero().model_name(), "ballistic");
                leaper.until_over().expect("it lands");
                near(leaper.play.hero().pos.x, 90.0, 1e-3);
                let hero = leaper.tick();
                assert_eq!(hero.model_name(), model.as_str());
                assert!(hero.vel.length() < 1e-6 || *model == ModelName::vessel, "{model:?}");
                assert_eq!(leaper.play.told("land"), 1, "{model:?}");
            }
        }
    }
}

/// The keys that a random script may hold.
fn held() -> impl Strategy<Value = Vec<Action>> {
    use Action::{Down, Jump, Left, Right, Up};
    prop::sample::subsequence(vec![Left, Right, Up, Down, Jump], 0..3)
}

proptest! {
    #![proptest_config(tried(128))]

    #[test]
    fn a_model_change_at_any_tick_never_ends_inside_a_solid(
        rate in 0..4usize,
        steps in prop::collection::vec((0..ModelName::ALL.len(), held(), 1..25u32), 3..20),
        boxes in prop::collection::vec(
            (-250.0..250.0_f64, 20.0..200.0_f64, 15.0..120.0_f64, 10.0..60.0_f64, -40.0..40.0_f64),
            0..6,
        ),
    ) {
        let mut ground = Ground::floor(RATES[rate])
            .solid(&[(-400.0, 0.0), (-340.0, 0.0), (-340.0, 500.0), (-400.0, 500.0)])
            .solid(&[(340.0, 0.0), (400.0, 0.0), (400.0, 500.0), (340.0, 500.0)]);
        for (x, y, w, h, tilt) in boxes {
            let corners = [(x, y), (x + w, y + tilt), (x + w, y + tilt + h), (x, y + h)];
            ground = ground.solid(&corners);
        }
        let solids: Vec<Vec<DVec2>> = ground.solids.iter().map(|(p, _)| p.clone()).collect();
        let mut cast = Cast::new(&ground, &[hero(ModelName::platformer, dvec2(-300.0, 19.0))]);
        for (model, held, ticks) in steps {
            cast.order(0, Command::SetModel(ModelName::ALL[model]));
            cast.input.held = held.into_iter().collect();
            for tick in 0..ticks {
                cast.tick();
                let hero = cast.view(0);
                prop_assert!(hero.pos.is_finite() && hero.vel.is_finite());
                // A vessel that hits hard overlaps the solid for a tick.
                let most = if hero.model_name() == "vessel" { 3.0 } else { 2e-3 };
                for solid in &solids {
                    let depth = depth_in(&hero, solid);
                    prop_assert!(depth < most, "{depth} px deep as {} after {tick} ticks at {}", hero.model_name(), hero.pos);
                }
            }
        }
    }
}

#[test]
fn a_model_with_too_large_a_body_is_refused_near_walls() {
    for hz in RATES {
        // A shaft 30 px wide between thin walls, with free space beyond them.
        let wall = |x: f64| [(x, -400.0), (x + 5.0, -400.0), (x + 5.0, 400.0), (x, 400.0)];
        let ground = Ground::none(hz).gravity(0.0).solid(&wall(-20.0)).solid(&wall(15.0));
        let mut member = Member::new("hero", ModelName::platformer, Collider::ellipse(10.0, 19.0), dvec2(0.0, 0.0));
        member.velocity = DVec2::ZERO;
        let mut cast = Cast::new(&ground, &[member]);
        let large = BodyShape::of_box(40.0, 60.0);
        for profile in Arc::make_mut(&mut cast.stage.profiles) {
            let figure = |model| match model {
                ModelName::vessel => large.clone(),
                _ => Collider::ellipse(10.0, 19.0).into(),
            };
            profile.loadouts = Loadouts::new(ModelTunings::default(), figure);
        }
        cast.order(0, Command::SetModel(ModelName::vessel));
        cast.run(0.2);
        let now = cast.view(0);
        assert_eq!(now.model_name(), "platformer", "{hz} Hz");
        near(now.pos.x, 0.0, 1e-9);
        assert_eq!(cast.told("hero", "model_refused"), 1, "{hz} Hz");
    }
}

#[test]
fn a_reload_that_changes_the_view_restarts_the_level() {
    for (from, to) in [(View::Side, View::Top), (View::Top, View::Side)] {
        let common = [ModelName::topdown, ModelName::two_velocity, ModelName::ballistic];
        for model in common {
            let members = [hero(model, dvec2(0.0, 300.0))];
            let (mut old, mut new) = (Ground::floor(60), Ground::floor(60));
            (old.view, new.view) = (from, to);
            let mut cast = Cast::new(&old, &members);
            cast.input.held.insert(Action::Jump);
            cast.run(0.3);
            let stage = stage_of(&new, &members);
            cast.world.adopt(&cast.stage, &stage);
            let fresh = World::new(&stage, 0);
            cast.stage = stage;
            let (now, first) = (cast.view(0), fresh.view_of(&cast.stage, "hero"));
            let first = first.expect("a hero");
            assert_eq!((now.pos, now.z, now.vel), (first.pos, first.z, first.vel));
            assert_eq!(now.grounded, first.grounded);
            cast.run(1.0);
            assert!(cast.view(0).pos.is_finite());
        }
    }
}

#[test]
fn a_vessel_at_rest_ignores_the_jump_key() {
    let mut cast = Cast::new(&Ground::floor(60), &[hero(ModelName::vessel, dvec2(0.0, 19.0))]);
    cast.run(2.0);
    cast.order(0, Command::Jump);
    cast.run(1.0);
    assert!(cast.view(0).grounded);
    assert_eq!(cast.told("hero", "jump"), 0);
}
