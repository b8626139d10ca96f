//! Solids that scripts send to any place, and platforms whose speed scripts set.

use crate::{
    common::{RATES, near},
    ground::{BODY, Ground, Play},
};
use glam::{DVec2, dvec2};
use hangtime_core::{
    geometry::polygon,
    level::{MOST_MOVED, Path, PathEnd, Solid, SurfaceId},
    sim::{Command, SavedWorld},
};
use proptest::prelude::*;
use serde_json::json;

/// A hero at rest on a raft whose top is at y = 0. The raft moves at `speed` px/s.
fn raft(hz: u32, end: PathEnd, way: &[(f64, f64)], speed: f64) -> Play {
    let deck = [(-60.0, -20.0), (60.0, -20.0), (60.0, 0.0), (-60.0, 0.0)].map(DVec2::from);
    let outline = polygon::outline(&deck).expect("a polygon");
    let points = way.iter().copied().map(DVec2::from).collect();
    let path = Some(Path::new(points, speed, end));
    let mut ground = Ground::none(hz).tune("rest_spacing", 0.0).at(0.0, BODY.half.y);
    ground.others.push(Solid { path, ..Solid::new("raft".into(), SurfaceId(0), outline) });
    ground.play()
}

fn order(play: &mut Play, command: &Command) {
    let hero = play.world.entities()[0].id;
    play.world.order(&play.stage, hero, command);
}

fn offset(play: &Play) -> DVec2 {
    play.world.standing(&play.stage).offsets[0]
}

#[test]
fn a_free_solid_travels_straight_at_its_speed_and_carries_its_rider() {
    for hz in RATES {
        for speed in [40.0, 130.0, 900.0] {
            for to in [dvec2(90.0, 0.0), dvec2(-50.0, 70.0), dvec2(0.0, -35.0), DVec2::ZERO] {
                let mut play = raft(hz, PathEnd::Free, &[], speed);
                play.run(0.5);
                assert_eq!(offset(&play), DVec2::ZERO);
                order(&mut play, &Command::MoveSolid(0, to));
                let ticks = (2.5 * to.length() / speed * f64::from(hz)) as u32 + 5;
                for tick in 1..=ticks {
                    let hero = play.tick();
                    let traveled = (speed * f64::from(tick) / f64::from(hz)).min(to.length());
                    let at = to.normalize_or_zero() * traveled;
                    near(offset(&play).distance(at), 0.0, 1e-5);
                    assert!(hero.grounded);
                    near((hero.pos - offset(&play)).distance(dvec2(0.0, BODY.half.y)), 0.0, 1e-5);
                }
                assert_eq!(offset(&play), to);
                assert_eq!(play.told("arrive"), 1);
            }
        }
    }
}

#[test]
fn a_free_solid_that_gets_another_order_turns_where_it_is_and_stops_where_it_is() {
    for hz in RATES {
        let mut play = raft(hz, PathEnd::Free, &[], 120.0);
        order(&mut play, &Command::MoveSolid(0, dvec2(300.0, 0.0)));
        play.run(1.0);
        near(offset(&play).x, 120.0, 1e-9);
        order(&mut play, &Command::MoveSolid(0, dvec2(120.0, 200.0)));
        play.run(0.5);
        near(offset(&play).distance(dvec2(120.0, 60.0)), 0.0, 1e-9);
        order(&mut play, &Command::Call(0, None));
        play.run(1.0);
        near(offset(&play).distance(dvec2(120.0, 60.0)), 0.0, 1e-9);
        assert!(play.hero().grounded);
    }
}

#[test]
fn however_fast_a_solid_is_sent_a_body_is_neither_in_it_nor_behind_it() {
    for hz in RATES {
        for speed in [3e3, 1e5, 1e6] {
            for to in [dvec2(0.0, 400.0), dvec2(700.0, 0.0), DVec2::splat(-2.0 * MOST_MOVED)] {
                let mut play = raft(hz, PathEnd::Free, &[], speed);
                play.run(0.2);
                order(&mut play, &Command::MoveSolid(0, to));
                for _ in 0..hz {
                    let hero = play.tick();
                    let moved = play.world.standing(&play.stage);
                    let scenery = play.stage.level.terrain.moved(&moved);
                    assert!(hero.pos.is_finite());
                    assert!(scenery.overlap(BODY, hero.pos).is_none(), "it is inside at {}", hero.pos);
                }
                assert!(offset(&play).abs().max_element() <= MOST_MOVED);
            }
        }
    }
}

/// Where a platform on a path of this length is that goes back and forth, px.
fn back_and_forth(traveled: f64, length: f64) -> f64 {
    let lap = traveled % (2.0 * length);
    lap.min(2.0 * length - lap)
}

#[test]
fn a_platform_whose_speed_is_set_travels_on_from_where_it_is() {
    for hz in RATES {
        let mut play = raft(hz, PathEnd::PingPong, &[(0.0, 0.0), (100.0, 0.0)], 60.0);
        let mut traveled = 0.0;
        for (speed, seconds) in
            [(None, 1.5), (Some(180.0), 1.0), (Some(0.0), 0.5), (Some(15.0), 2.0), (Some(60.0), 1.0)]
        {
            if let Some(speed) = speed {
                order(&mut play, &Command::SetSpeed(0, speed));
            }
            for tick in 1..=(seconds * f64::from(hz)) as u32 {
                let hero = play.tick();
                let so_far = traveled + speed.unwrap_or(60.0) * f64::from(tick) / f64::from(hz);
                near(offset(&play).x, back_and_forth(so_far, 100.0), 1e-6);
                near(hero.pos.x, offset(&play).x, 1e-5);
                assert!(hero.grounded);
            }
            traveled += speed.unwrap_or(60.0) * seconds;
        }
    }
}

#[test]
fn a_sent_platform_whose_speed_is_set_arrives_accordingly() {
    for hz in RATES {
        let mut play = raft(hz, PathEnd::Called, &[(0.0, 0.0), (120.0, 0.0)], 60.0);
        order(&mut play, &Command::Call(0, Some(1)));
        play.run(1.0);
        order(&mut play, &Command::SetSpeed(0, 120.0));
        play.run(0.3);
        near(offset(&play).x, 96.0, 1e-9);
        play.run(0.2);
        near(offset(&play).x, 120.0, 1e-9);
    }
}

proptest! {
    #[test]
    fn a_saved_world_continues_with_what_was_sent(
        orders in prop::collection::vec((0_u32..40, -200.0..200.0_f64, -60.0..60.0_f64, 0.0..400.0_f64), 1..6),
        free in any::<bool>(),
    ) {
        let end = if free { PathEnd::Free } else { PathEnd::Circle };
        let way: &[(f64, f64)] = if free { &[] } else { &[(0.0, 0.0), (80.0, 0.0), (40.0, 30.0)] };
        let mut play = raft(60, end, way, 90.0);
        let mut twin = raft(60, end, way, 90.0);
        for (ticks, x, y, speed) in orders {
            for command in [Command::MoveSolid(0, dvec2(x, y)), Command::SetSpeed(0, speed)] {
                order(&mut play, &command);
                order(&mut twin, &command);
            }
            for _ in 0..=ticks {
                play.tick();
                let saved = serde_json::to_value(&twin.world).expect("it is saved");
                let saved: SavedWorld = serde_json::from_value(saved).expect("it is read");
                twin.world = saved.check(&twin.stage).map_err(|why| TestCaseError::fail(why.to_string()))?;
                twin.tick();
                prop_assert_eq!(play.world.hash(), twin.world.hash());
                prop_assert_eq!(offset(&play), offset(&twin));
            }
        }
    }
}

#[test]
fn saved_places_of_sent_solids_are_checked() {
    let mut play = raft(60, PathEnd::Free, &[], 90.0);
    order(&mut play, &Command::MoveSolid(0, dvec2(50.0, 0.0)));
    order(&mut play, &Command::SetSpeed(0, 30.0));
    play.run(0.5);
    let saved = serde_json::to_value(&play.world).expect("it is saved");
    for (field, value, named) in [
        ("line", json!([[0.0, 0.0], [1e9, 0.0]]), "line"),
        ("speed", json!(-1.0), "speed"),
        ("solid", json!(3), ""),
        ("from", json!(51.0), "from"),
        ("since", json!(9.0), "since"),
        ("point", json!(null), "travels"),
    ] {
        let mut saved = saved.clone();
        saved["switches"]["called"][0][field] = value;
        let saved: SavedWorld = serde_json::from_value(saved).expect("it has all fields");
        let why = saved.check(&play.stage).expect_err("it is refused").to_string();
        let named = if named.is_empty() {
            "switches.called".into()
        } else {
            format!("switches.called[0].{named}")
        };
        assert!(why.contains(&named), "{field}: {why}");
    }
}
