//! The camera as levels, kinds and scripts want it.

use crate::folder::{Folder, LEVEL, on_large_stack};
use glam::{DVec2, dvec2};
use hangtime_core::{
    geometry::grid::Bounds,
    level::{CameraAim, CameraSettings, View},
    sim::{EntityView, SavedWorld},
};
use hangtime_draw::{Camera, Focus, Frame, Shot, Spectator};

const SIZE: (u32, u32) = (640, 360);
const RATES: [u32; 4] = [30, 60, 120, 240];

/// How fast the camera approaches its goal along x and y, 1/s. A goal that moves at `v` is followed from a distance of
/// `2 v / EAGER`, as by any critically damped spring.
const EAGER: DVec2 = dvec2(10.0, 8.0);

fn frame(view: View, settings: CameraSettings) -> Frame {
    let far = DVec2::splat(1e5);
    let bounds = settings.bounds.unwrap_or(Bounds::of(-far, far));
    Frame { size: dvec2(640.0, 360.0), bounds, view, settings }
}

fn at(pos: DVec2) -> [Focus; 1] {
    [Focus { pos, vel: DVec2::ZERO, rests: true }]
}

#[test]
fn a_body_moves_freely_in_a_dead_zone_and_pulls_its_edge_along() {
    for view in [View::Side, View::Top] {
        for hz in RATES {
            let dt = 1.0 / f64::from(hz);
            let zone = dvec2(120.0, 80.0);
            let frame = frame(view, CameraSettings { dead_zone: Some(zone), ..CameraSettings::default() });
            let start = Camera::settled(&at(DVec2::ZERO), &frame);
            let mut camera = start.clone();
            for tick in 0..2 * hz {
                let t = f64::from(tick) * dt * 9.0;
                let pos = dvec2(t.sin(), t.cos() - 1.0) * zone * dvec2(0.499, 0.249);
                camera.advance(&[Focus { pos, vel: dvec2(300.0, 300.0), rests: true }], &frame, dt);
            }
            assert_eq!(camera.center(), start.center(), "{view:?} at {hz} Hz");
            for _ in 0..4 * hz {
                camera.advance(&at(dvec2(130.0, 0.0)), &frame, dt);
            }
            let moved = camera.center() - start.center();
            assert!((moved - dvec2(130.0 - 60.0, 0.0)).length() < 0.01, "{moved} at {hz} Hz");
        }
    }
}

#[test]
fn the_camera_looks_ahead_for_the_chosen_time() {
    for hz in RATES {
        let dt = 1.0 / f64::from(hz);
        for (view, vel) in [(View::Side, dvec2(200.0, 0.0)), (View::Top, dvec2(-120.0, 150.0))] {
            for seconds in [0.0, 0.3, 0.6] {
                let settings = CameraSettings {
                    dead_zone: Some(DVec2::ZERO),
                    look_ahead: Some(seconds),
                    ..CameraSettings::default()
                };
                let frame = frame(view, settings);
                let mut camera = Camera::settled(&at(DVec2::ZERO), &frame);
                let above = camera.center();
                let ticks = 6 * hz;
                for tick in 1..=ticks {
                    let pos = vel * f64::from(tick) * dt;
                    camera.advance(&[Focus { pos, vel, rests: true }], &frame, dt);
                }
                let away = camera.center() - above - vel * 6.0;
                let expected = vel * (DVec2::splat(seconds) - 2.0 / EAGER);
                let slack = vel.length() * dt + 0.5;
                assert!((away - expected).length() < slack, "{away}, not {expected}, at {hz} Hz");
            }
        }
    }
}

#[test]
fn a_zoomed_picture_shows_less_and_still_all_that_is_followed() {
    for zoom in [0.1, 0.5, 2.0, 16.0] {
        let settings = CameraSettings { zoom: Some(zoom), ..CameraSettings::default() };
        let frame = frame(View::Top, settings);
        let camera = Camera::settled(&at(dvec2(30.0, 40.0)), &frame);
        let shown = camera.shows(SIZE);
        assert!(((shown.max - shown.min) * zoom - dvec2(640.0, 360.0)).length() < 1e-6, "{zoom}");
        assert!(shown.holds(dvec2(30.0, 40.0)));
    }
    // Two bodies need more room than a zoom of 2 has, with 0.4 of its picture around them.
    let settings = CameraSettings { zoom: Some(2.0), ..CameraSettings::default() };
    let frame = frame(View::Top, settings);
    let both = [at(dvec2(-250.0, 0.0))[0], at(dvec2(250.0, 0.0))[0]];
    let camera = Camera::settled(&both, &frame);
    assert!((camera.zoom() - 640.0 / (500.0 + 0.4 * 320.0)).abs() < 1e-9, "{}", camera.zoom());
}

#[test]
fn bounds_smaller_than_the_picture_are_in_its_middle() {
    let center_in = |size: DVec2, view: View, pos: DVec2| {
        let bounds = Some(Bounds::of(dvec2(100.0, -50.0), dvec2(100.0, -50.0) + size));
        let frame = frame(view, CameraSettings { zoom: Some(0.5), bounds, ..CameraSettings::default() });
        let settled = Camera::settled(&at(pos), &frame);
        let mut camera = settled.clone();
        for _ in 0..120 {
            camera.advance(&at(pos), &frame, 1.0 / 60.0);
        }
        assert_eq!(camera.center(), settled.center(), "{view:?}");
        camera.center()
    };
    for view in [View::Side, View::Top] {
        // At half the size, the picture shows 1280 x 720 px.
        for pos in [dvec2(110.0, -40.0), dvec2(900.0, 400.0)] {
            assert_eq!(center_in(dvec2(900.0, 500.0), view, pos), dvec2(550.0, 200.0));
        }
        // On the other axis, the camera follows up to the edge.
        assert_eq!(center_in(dvec2(900.0, 2000.0), view, dvec2(110.0, -40.0)), dvec2(550.0, -50.0 + 360.0));
        assert_eq!(center_in(dvec2(3000.0, 500.0), view, dvec2(3000.0, 0.0)), dvec2(3100.0 - 640.0, 200.0));
    }
}

#[test]
fn a_new_target_is_approached_and_a_teleport_of_the_same_is_cut_to() {
    for hz in RATES {
        let dt = 1.0 / f64::from(hz);
        let aimed = |aim: Option<CameraAim>| frame(View::Side, CameraSettings { aim, ..CameraSettings::default() });
        let (usual, far) = (aimed(None), dvec2(1500.0, 300.0));
        let there = aimed(Some(CameraAim::At(far)));
        let mut camera = Camera::settled(&at(DVec2::ZERO), &usual);
        let mut last = camera.center();
        for tick in 0..3 * hz {
            camera.advance(&at(far), &there, dt);
            let step = camera.center().distance(last);
            // The fastest moment of such a spring is `distance * eager / e`.
            let most = far.length() * EAGER.x / std::f64::consts::E;
            assert!(step <= most * dt * 1.05, "{step} px in tick {tick} at {hz} Hz");
            last = camera.center();
        }
        assert!(camera.center().distance(far) < 0.1, "a point is in the middle of a side view, too");
        let moved = at(far + 5_000.0);
        camera.advance(&moved, &there, dt);
        assert!(camera.center().distance(far + 5_000.0) < 1e-9);
    }
}

/// The views of a game's bodies, and what a camera is to show of them.
fn shot(folder: &Folder, ticks: usize) -> Shot {
    let mut game = folder.game();
    game.ticks(ticks);
    assert_eq!(game.wrong(), [""; 0]);
    let bodies: Vec<EntityView> = game.live.views().collect();
    Shot::of(&game.live.revision().stage.level, &bodies, Some(game.live.world().drawing()), SIZE)
}

const WITH_BALLS: &str = "[[entity]]\nkind = \"ball\"\nname = \"left\"\nat = [-600, 19]\n\
     [[entity]]\nkind = \"ball\"\nname = \"right\"\nat = [600, 19]\n";

/// A hero with this script, and two balls of a kind with this table.
fn with_balls(script: &str, camera_of_level: &str, camera_of_kind: &str) -> Folder {
    let folder = Folder::with_script(script);
    folder.write("levels/level.toml", &format!("{LEVEL}{WITH_BALLS}{camera_of_level}"));
    folder.write("config/entities/ball.toml", &format!("mass = 1\n{camera_of_kind}"));
    folder
}

#[test]
fn scripts_win_over_levels_and_levels_over_kinds() {
    on_large_stack(|| {
        let places = |shot: &Shot| shot.focus.iter().map(|focus| focus.pos.x).collect::<Vec<_>>();
        let plain = shot(&with_balls("", "", ""), 1);
        assert_eq!((places(&plain), &plain.frame.settings), (vec![-200.0], &CameraSettings::default()));
        let kind = "[camera]\nzoom = 3.0\nlook_ahead = 0.5\n";
        let level = "[camera]\nfollow = \"ball\"\nzoom = 2.0\nbounds = [-700, -50, 700, 400]\n";
        // A kind's camera counts while one of the kind is followed.
        let seen = shot(&with_balls("", "", kind), 1);
        assert_eq!(seen.frame.settings, CameraSettings::default());
        let seen = shot(&with_balls("", level, kind), 1);
        assert_eq!(places(&seen), [-600.0, 600.0]);
        let settings = &seen.frame.settings;
        assert_eq!((settings.zoom, settings.look_ahead), (Some(2.0), Some(0.5)));
        assert_eq!(seen.frame.bounds, Bounds::of(dvec2(-700.0, -50.0), dvec2(700.0, 400.0)));
        for (call, expected) in [
            ("camera::follow(\"left\")", vec![-600.0]),
            ("camera::follow([\"right\", 1])", vec![-200.0, 600.0]),
            ("camera::follow(me.name)", vec![-200.0]),
            ("camera::follow(1)", vec![-200.0]),
            ("camera::look_at(33, 44)", vec![33.0]),
            ("camera::look_at(33, 44); camera::follow(\"ball\")", vec![-600.0, 600.0]),
            ("camera::look_at(33, 44); camera::reset()", vec![-600.0, 600.0]),
            ("this.made = world::create(\"ball\", 300, 19); camera::follow(this.made)", vec![300.0]),
        ] {
            let seen = shot(&with_balls(&format!("fn on_birth(me) {{ {call}; }}"), level, kind), 1);
            assert_eq!(places(&seen), expected, "{call}");
        }
        let calls = "camera::zoom(4); camera::dead_zone(20, 10); camera::bounds(0, 0, 100, 50);";
        let seen = shot(&with_balls(&format!("fn on_birth(me) {{ {calls} }}"), level, kind), 1);
        let settings = &seen.frame.settings;
        assert_eq!((settings.zoom, settings.dead_zone), (Some(4.0), Some(dvec2(20.0, 10.0))));
        assert_eq!((settings.look_ahead, seen.frame.bounds.max), (Some(0.5), dvec2(100.0, 50.0)));
    });
}

#[test]
fn what_is_followed_may_be_gone() {
    on_large_stack(|| {
        let script = "fn on_tick(me) { camera::follow(\"left\"); }";
        let folder = with_balls(script, "", "script = \"ball.rhai\"\n");
        folder.write("scripts/ball.rhai", "fn on_tick(me) { if me.name == \"left\" && me.age > 0.1 { me.remove(); } }");
        let mut game = folder.game();
        let mut spectator = Spectator::default();
        let mut centers = Vec::new();
        for _ in 0..40 {
            game.ticks(1);
            let bodies: Vec<EntityView> = game.live.views().collect();
            spectator.watch(game.live.world(), &game.live.revision().stage, &bodies, SIZE);
            centers.push(spectator.camera().expect("a camera").center());
        }
        assert_eq!(game.wrong(), [""; 0]);
        assert!(game.live.world().entity("left").is_none());
        assert_eq!(centers[0], centers[39], "the camera stays where it was");
    });
}

#[test]
fn a_shake_fades_in_its_time_at_any_rate() {
    on_large_stack(|| {
        for hz in RATES {
            let script = "fn on_birth(me) { camera::shake(10, 0.5); }";
            let mut game = with_balls(script, "", "").game_at(hz);
            let dt = 1.0 / f64::from(hz);
            for tick in 1..=u64::from(hz) {
                game.ticks(1);
                let left = 1.0 - (tick - 1) as f64 * dt / 0.5;
                let found = game.live.world().drawing().camera.shaking(tick, dt);
                assert!((found - 10.0 * left.max(0.0)).abs() < 1e-9, "tick {tick} at {hz} Hz: {found}");
            }
        }
        for (call, shakes) in [("camera::shake(10, 0)", false), ("camera::shake(8, 1); camera::reset()", false)] {
            let mut game = with_balls(&format!("fn on_birth(me) {{ {call}; }}"), "", "").game();
            game.ticks(1);
            assert_eq!(game.live.world().drawing().camera.shaking(1, 1.0 / 60.0) > 0.0, shakes, "{call}");
        }
    });
}

#[test]
fn the_camera_is_neither_hashed_nor_saved_and_is_kept_by_clones() {
    on_large_stack(|| {
        // Without a camera, the same script has an order that is as long.
        let script = |call: &str| format!("fn on_tick(me) {{ this.n += 1; {call} }}");
        let mut plain = Folder::with_script(&script("hud::erase(\"a\");")).game();
        let mut moved = Folder::with_script(&script("camera::zoom(2);")).game();
        for _ in 0..30 {
            plain.ticks(1);
            moved.ticks(1);
            assert_eq!(plain.live.world().hash(), moved.live.world().hash());
        }
        let world = moved.live.world();
        assert_eq!(world.clone().drawing().camera.settings.zoom, Some(2.0));
        let saved = serde_json::to_string(world).expect("a world");
        assert!(!saved.contains("zoom") && !saved.contains("camera"));
        let read: SavedWorld = serde_json::from_str(&saved).expect("a world");
        let read = read.check(&moved.live.revision().stage).expect("a world");
        assert_eq!(read.drawing().camera.settings, CameraSettings::default());
        // A new start of the level looks as its files say.
        let script =
            "fn on_tick(me) { this.n += 1; if this.n == 2 { camera::zoom(3); } if this.n == 4 { world::restart(); } }";
        let mut game = Folder::with_script(script).game();
        game.ticks(3);
        assert_eq!(game.live.world().drawing().camera.settings.zoom, Some(3.0));
        game.ticks(2);
        assert_eq!(game.live.world().drawing().camera.settings.zoom, None);
    });
}

#[test]
fn wrong_cameras_are_refused_with_the_reason() {
    on_large_stack(|| {
        for (call, message) in [
            ("camera::zoom(0)", "`factor` of `zoom` is 0; it must be between 0.1 and 16"),
            ("camera::zoom(-2)", "`factor` of `zoom` is -2; it must be between 0.1 and 16"),
            ("camera::zoom(0.0 / 0.0)", "`factor` of `zoom` cannot be NaN"),
            ("camera::look_at(1.0 / 0.0, 0)", "`x` of `look_at` cannot be inf"),
            ("camera::dead_zone(-1, 5)", "`width` of `dead_zone` is -1; it must be between 0 and 1000000"),
            ("camera::look_ahead(11)", "`seconds` of `look_ahead` is 11; it must be between 0 and 10"),
            ("camera::bounds(5, 0, 5, 9)", "`bounds` needs left < right and bottom < top; y points up"),
            ("camera::shake(-1, 1)", "`strength` of `shake` is -1; it must be between 0 and 1000"),
            ("camera::shake(1, 61)", "`seconds` of `shake` is 61; it must be between 0 and 60"),
            ("camera::follow(\"lft\")", "there is no entity and no kind `lft`; did you mean `left`?"),
            ("camera::follow(\"ball_999\")", "there is no entity and no kind `ball_999`"),
            ("camera::follow(2)", "no entity of this level has `player = 2`"),
            (
                "camera::follow([])",
                "a camera follows at least one target; `camera::reset()` follows what the level says",
            ),
            (
                "camera::follow([1, true])",
                "`target` of `follow` must be the name of an entity or a kind, the number of a player, or a list of these, not true or false",
            ),
            (
                "let all = []; for i in 0..17 { all.push(1); } camera::follow(all)",
                "a camera can follow at most 16 targets",
            ),
        ] {
            let mut game = with_balls(&format!("fn on_birth(me) {{ {call}; }}"), "", "").game();
            game.ticks(1);
            let wrong = game.wrong();
            assert!(wrong.len() == 1 && wrong[0].contains(message), "{call}: {wrong:?}");
            assert_eq!(game.live.world().drawing().camera.settings, CameraSettings::default(), "{call}");
        }
        for (table, message) in [
            ("zoom = 0", "15:8: error: `zoom` is 0; it must be between 0.1 and 16"),
            ("zom = 2", "15:1: error: unknown key `zom`; did you mean `zoom`?"),
            ("follow = \"lft\"", "15:10: error: there is no entity and no kind `lft`; did you mean `left`?"),
            ("follow = 3", "15:10: error: no entity of this level has `player = 3`"),
            (
                "follow = 0.5",
                "15:10: error: `follow` takes the name of an entity or a kind, the number of a player, or a list of up to 16 of these",
            ),
            ("dead_zone = [5, -1]", "15:13: error: `dead_zone` takes a width and a height, [w, h], of at least 0 px"),
            ("look_ahead = 99", "15:14: error: `look_ahead` is 99; it must be between 0 and 10 s"),
            (
                "bounds = [0, 0, 0, 5]",
                "15:10: error: `bounds` must be [left, bottom, right, top] with left < right and bottom < top; y points up",
            ),
            (
                "follow = 1\nlook_at = [0, 0]",
                "16:11: error: a camera looks at a point or follows something; leave out `look_at` or `follow`",
            ),
        ] {
            let folder = with_balls("", "", "");
            // After the two floors and the hero.
            let level = format!("{LEVEL}[camera]\n{table}\n{WITH_BALLS}");
            assert_eq!(level.lines().position(|line| line == "[camera]"), Some(13));
            folder.write("levels/level.toml", &level);
            let wrong = folder.wrong();
            assert_eq!(wrong, [format!("levels/level.toml:{message}")], "{table}");
        }
        let folder = with_balls("", "", "[camera]\nfollow = \"left\"\n");
        let message =
            "config/entities/ball.toml:3:1: error: unknown key `follow`; it belongs to the `[camera]` of a level";
        assert_eq!(folder.wrong(), [message]);
    });
}
