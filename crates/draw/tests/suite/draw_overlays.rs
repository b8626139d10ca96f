//! Overlays, compared pixel by pixel, and the readings that they show.

use crate::{
    draw::{Scene, differing},
    folder::Folder,
};
use glam::{DVec2, dvec2};
use hangtime_core::{
    models::Action,
    sim::{EntityId, EntityView, Inputs, why::Watch},
};
use hangtime_draw::{Markers, Overlay, Overlays, Show, Spectator, TickCount, paint_picked};
use hangtime_game::Live;
use tiny_skia::Pixmap;

const SIZE: (u32, u32) = (200, 200);
const BOUNDS: &str = "bounds = [-5000.0, -5000.0, 5000.0, 5000.0]\n";

/// A floor with its top at y = 0 and a zone in the air.
const LEVEL: &str = "[[solid]]\npoints = [[-500, -300], [500, -300], [500, 0], [-500, 0]]\n\
    [[zone]]\nname = \"draft\"\npoints = [[-60, 40], [60, 40], [60, 70], [-60, 70]]\n";

/// The colors of velocity, external velocity, contacts, the hook's reach and outlines.
const VELOCITY: [u8; 3] = [150, 240, 90];
const EXTERNAL: [u8; 3] = [255, 120, 200];
const CONTACT: [u8; 3] = [255, 96, 96];
const REACH: [u8; 3] = [255, 190, 90];
const OUTLINE: [u8; 3] = [120, 255, 190];

/// A hero on the floor.
fn scene(kind: &str) -> Scene {
    let mut scene = Scene::of(&format!("{BOUNDS}{LEVEL}"), kind);
    scene.live.step(&Inputs::none());
    scene.bodies = scene.live.views().collect();
    scene
}

fn read(live: &Live, overlays: Overlays) -> Markers {
    let mut markers = Markers::default();
    markers.read(live.world(), &live.revision().stage, overlays, None);
    markers
}

fn painted(scene: &Scene, bodies: &[EntityView], overlays: Overlays) -> Pixmap {
    let markers = read(&scene.live, overlays);
    let show = Show { overlays, markers: Some(&markers), frames: &[5.0, 30.0], ..Show::default() };
    scene.painted(bodies, show)
}

/// The places of a color, relative to the body, px; y points up.
fn places(picture: &Pixmap, color: [u8; 3]) -> Vec<DVec2> {
    // A side view looks 0.18 of the picture's height above the body.
    let middle = dvec2(100.0, 100.0 + 36.0);
    let pixels = picture.pixels().iter().enumerate();
    let own = pixels.filter(|(_, p)| [p.red(), p.green(), p.blue()] == color);
    own.map(|(i, _)| {
        let (x, y) = ((i % 200) as f64 + 0.5, (i / 200) as f64 + 0.5);
        dvec2(x - middle.x, middle.y - y)
    })
    .collect()
}

#[test]
fn a_switch_that_is_off_gives_the_picture_without_the_overlay() {
    let mut scene = scene("");
    scene.bodies[0].vel = dvec2(200.0, 0.0);
    let plain = scene.shown();
    assert_eq!(differing(&plain, &painted(&scene, &scene.bodies, Overlays::NONE)), 0);
    for overlay in Overlay::ALL {
        // The trail needs a spectator, the others show something of a hero on the ground.
        let silent = [Overlay::Trail, Overlay::Hook, Overlay::Windows, Overlay::Rests];
        let own = painted(&scene, &scene.bodies, Overlays::only(overlay));
        if !silent.contains(&overlay) {
            assert!(differing(&plain, &own) > 0, "{}", overlay.name());
        }
        let mut twice = Overlays::only(overlay);
        twice.toggle(overlay);
        assert!(twice.is_empty() && !twice.has(overlay));
        assert_eq!(Overlay::parse(overlay.name()), Some(overlay));
    }
}

#[test]
fn overlays_add_up() {
    // What one overlay paints does not depend on another, where they do not overlap.
    let scene = scene("");
    let plain = scene.shown();
    let (zones, frames) = (
        painted(&scene, &scene.bodies, Overlays::only(Overlay::Zones)),
        painted(&scene, &scene.bodies, Overlays::only(Overlay::Frames)),
    );
    let mut both = Overlays::only(Overlay::Zones);
    both.toggle(Overlay::Frames);
    let both = painted(&scene, &scene.bodies, both);
    let sum = differing(&plain, &zones) + differing(&plain, &frames);
    assert_eq!(differing(&plain, &both), sum);
}

#[test]
fn arrows_point_the_way_of_velocity() {
    let scene = Scene::of(BOUNDS, "");
    for (color, external) in [(VELOCITY, false), (EXTERNAL, true)] {
        for step in 0..16 {
            let angle = f64::from(step) * std::f64::consts::TAU / 16.0;
            let way = dvec2(angle.cos(), angle.sin());
            let arrow = |speed: f64| {
                let mut bodies = scene.bodies.clone();
                let body = &mut bodies[0];
                if external {
                    body.external = way * speed;
                } else {
                    body.vel = way * speed;
                }
                let picture = painted(&scene, &bodies, Overlays::only(Overlay::Velocity));
                places(&picture, color)
            };
            let long = |speed: f64| {
                let places = arrow(speed);
                let along = places.iter().map(|p| p.dot(way));
                along.fold(f64::NEG_INFINITY, f64::max)
            };
            for place in arrow(400.0) {
                assert!(place.dot(way) > -2.0, "{step}: {place}");
                assert!(place.dot(way.perp()).abs() < 6.0, "{step}: {place}");
            }
            // Twice as fast, twice as long.
            let (slow, fast) = (long(200.0), long(400.0));
            assert!((fast - 2.0 * slow).abs() < 3.0, "{step}: {slow}, {fast}");
        }
        let still = painted(&scene, &scene.bodies, Overlays::only(Overlay::Velocity));
        assert!(places(&still, color).is_empty());
    }
}

#[test]
fn a_contact_is_marked_at_the_foot_with_its_normal_upward() {
    let scene = scene("");
    let picture = painted(&scene, &scene.bodies, Overlays::only(Overlay::Contacts));
    let marks = places(&picture, CONTACT);
    let half = scene.bodies[0].half.y;
    assert!(marks.iter().any(|p| (p.y + half).abs() < 1.0 && p.x.abs() < 1.0));
    let highest = marks.iter().map(|p| p.y).fold(f64::NEG_INFINITY, f64::max);
    assert!(highest > 8.0 - half, "{highest}");
    // In the air there is none.
    let air = Scene::of(BOUNDS, "");
    let picture = painted(&air, &air.bodies, Overlays::only(Overlay::Contacts));
    assert!(places(&picture, CONTACT).is_empty());
}

#[test]
fn the_outline_is_the_collider_and_not_the_squashed_body() {
    let scene = Scene::of(BOUNDS, "body = { ellipse = [20.0, 30.0] }\n");
    let picture = painted(&scene, &scene.bodies, Overlays::only(Overlay::Outlines));
    let half = scene.bodies[0].half;
    let outline = places(&picture, OUTLINE);
    let rim: Vec<_> = outline.iter().filter(|p| p.length() > 3.0).collect();
    assert!(rim.len() > 60);
    for place in rim {
        let out = (*place / half).length();
        assert!((out - 1.0).abs() < 0.09, "{place}: {out}");
    }
}

#[test]
fn the_reach_of_the_hook_is_a_circle_of_its_length() {
    // The larger one is partly outside the picture.
    for length in [70.0, 150.0] {
        let mut scene = scene(&format!("platformer.hook_length = {length:?}\n"));
        scene.bodies[0].player = 1;
        let picture = painted(&scene, &scene.bodies, Overlays::only(Overlay::Hook));
        let circle = places(&picture, REACH);
        assert!(circle.len() > 20, "{length}");
        for place in circle {
            let off = place.length() - length;
            assert!((-1.5..=1.0).contains(&off), "{length}: {place}");
        }
    }
}

#[test]
fn a_reach_of_the_hook_beyond_the_picture_is_said_and_marked_on_the_way() {
    let mut scene = scene("platformer.hook_length = 400.0\n");
    scene.bodies[0].player = 1;
    let picture = painted(&scene, &scene.bodies, Overlays::only(Overlay::Hook));
    let found = places(&picture, REACH);
    // A text below the body, whose circle is nowhere in the picture.
    assert!(found.iter().filter(|place| place.y < 0.0 && place.y > -60.0).count() > 60, "{}", found.len());
}

#[test]
fn a_picked_entity_has_brackets_and_no_other() {
    let scene = scene("");
    let plain = scene.shown();
    let marked = |body: usize| {
        let mut canvas = plain.clone();
        paint_picked(&mut canvas, &scene.picture(&scene.bodies, Show::default(), 0.0), scene.bodies[body].id);
        canvas
    };
    assert!(marked(0) != plain);
    let mut nothing = plain.clone();
    paint_picked(&mut nothing, &scene.picture(&scene.bodies, Show::default(), 0.0), EntityId(9_999));
    assert!(nothing == plain);
}

#[test]
fn zones_have_an_outline_where_they_are() {
    let scene = scene("");
    let plain = scene.shown();
    let zones = painted(&scene, &scene.bodies, Overlays::only(Overlay::Zones));
    let at = |picture: &Pixmap, x: f64, y: f64| {
        // The body stands at its half-height, and the picture's middle is 36 px above.
        let row = 100.0 + 36.0 + scene.bodies[0].pos.y - y;
        picture.pixel((100.0 + x) as u32, row as u32)
    };
    for (x, y) in [(-60.0, 55.0), (0.0, 40.0), (30.0, 40.0), (60.0, 50.0)] {
        assert_ne!(at(&plain, x, y), at(&zones, x, y), "{x} {y}");
    }
    assert_eq!(at(&plain, 40.0, 50.0), at(&zones, 40.0, 50.0), "inside");
    assert_eq!(at(&plain, 70.0, 50.0), at(&zones, 70.0, 50.0), "outside");
}

#[test]
fn the_frame_graph_shows_slow_frames() {
    let scene = scene("");
    let graph = |frames: &[f32]| {
        let show = Show { overlays: Overlays::only(Overlay::Frames), frames, ..Show::default() };
        let picture = scene.painted(&scene.bodies, show);
        let own = |color: [u8; 3]| {
            let pixels = picture.pixels().iter();
            pixels.filter(|p| [p.red(), p.green(), p.blue()] == color).count()
        };
        (own(VELOCITY), own(CONTACT))
    };
    assert_eq!(graph(&[4.0; 100]).1, 0);
    assert_eq!(graph(&[30.0; 100]).0, 0);
    assert!(graph(&[8.0; 100]).0 > graph(&[4.0; 100]).0);
    // Ticks that were late or lost are counted above it.
    let counted = |ticks| {
        let show = Show { overlays: Overlays::only(Overlay::Frames), frames: &[4.0; 100], ticks, ..Show::default() };
        scene.painted(&scene.bodies, show)
    };
    let count = |late, lost| {
        let due = 600;
        Some(TickCount { due, late, lost })
    };
    let pictures = [counted(None), counted(count(0, 0)), counted(count(7, 0))];
    assert!(differing(&pictures[0], &pictures[1]) > 160 * 20);
    assert!(differing(&pictures[1], &pictures[2]) > 0);
}

#[test]
fn a_trail_shows_where_the_body_was() {
    let scene = Scene::of(BOUNDS, "");
    let mut live = scene.live;
    let mut spectator = Spectator::default();
    let mut places = Vec::new();
    for _ in 0..20 {
        let bodies: Vec<EntityView> = live.views().collect();
        places.push(bodies[0].pos);
        spectator.watch(live.world(), &live.revision().stage, &bodies, SIZE);
        live.step(&Inputs::none());
    }
    let scene = Scene { bodies: Vec::new(), live };
    let painted = |overlays| {
        let show = Show { spectator: Some(&spectator), overlays, ..Show::default() };
        scene.painted(&[], show)
    };
    let (with, without) = (painted(Overlays::only(Overlay::Trail)), painted(Overlays::NONE));
    let shown = spectator.camera().expect("a camera").shows(SIZE);
    let mut seen = 0;
    for at in places.iter().filter(|at| shown.holds(**at)) {
        let (x, y) = ((at.x - shown.min.x) as u32, (shown.max.y - at.y) as u32);
        assert_ne!(with.pixel(x, y), without.pixel(x, y), "{at}");
        seen += 1;
    }
    assert!(seen > 5, "it falls, and some of its path is in the picture");
}

/// A hero that stands on a floor, at this tick rate.
fn standing(hz: u32) -> Live {
    let folder = Folder::empty();
    folder.write("config/entities/hero.toml", "");
    let hero = "[[entity]]\nkind = \"hero\"\nat = [0, 19]\nplayer = 1\n";
    folder.write("levels/level.toml", &format!("{BOUNDS}{LEVEL}{hero}"));
    let hz = hz.to_string();
    let revision = folder.open_with(&[("simulation.tick_hz", &hz)]);
    let mut live = Live::new(std::sync::Arc::new(revision.expect("a good level")), 0);
    live.step(&Inputs::none());
    live
}

#[test]
fn countdowns_run_out_with_the_time_at_every_tick_rate() {
    for hz in [30, 37, 60, 120, 240] {
        let mut live = standing(hz);
        let mut jump = Inputs::none();
        jump.player_mut(1).held.insert(Action::Jump);
        jump.player_mut(1).pressed.insert(Action::Jump);
        let left = |live: &Live, name: &str| {
            let stage = &live.revision().stage;
            let list = live.world().countdowns(stage, &live.world().entities()[0]);
            list.into_iter().find(|one| &*one.name == name)
        };
        assert!(left(&live, "hold").is_none());
        let began = live.world().ticks();
        let mut shown = 0;
        for _ in 0..hz {
            live.step(&jump);
            jump.player_mut(1).pressed = hangtime_core::models::Actions::NONE;
            let passed = (live.world().ticks() - began) as f64 / f64::from(hz);
            let Some(hold) = left(&live, "hold") else {
                continue;
            };
            assert_eq!(hold.total, Some(0.278), "the default jump_hold_time");
            assert!((hold.left - (0.278 - passed)).abs() < 1e-9, "{hz} Hz");
            shown += 1;
        }
        // In every tick of the hold time but its last one.
        let most = (0.278 * f64::from(hz)).floor() as u32;
        assert!((most.saturating_sub(1)..=most).contains(&shown), "{hz} Hz: {shown} of {most}");
    }
}

#[test]
fn rest_positions_are_as_far_apart_as_their_spacing() {
    let live = standing(60);
    let (world, stage) = (live.world(), &live.revision().stage);
    let entity = &world.entities()[0];
    let rests = world.rests_near(stage, entity, 50.0);
    let at = world.body(entity).pos;
    // On a level floor, 4 px apart, no farther than 50 px away.
    assert!((24..=26).contains(&rests.len()), "{}", rests.len());
    for pair in rests.windows(2) {
        assert!((pair[1] - pair[0] - dvec2(4.0, 0.0)).length() < 1e-9);
    }
    assert!(rests.iter().all(|rest| (rest.x - at.x).abs() <= 50.0 && rest.y == at.y));
}

#[test]
fn the_path_of_a_watched_entity_goes_from_tick_to_tick_through_its_landing() {
    for hz in [30, 60, 120, 240] {
        let mut live = standing(hz);
        live.watch(Watch::All);
        let mut jump = Inputs::none();
        jump.player_mut(1).pressed.insert(Action::Jump);
        jump.player_mut(1).held.insert(Action::Right);
        let (mut bends, mut landed) = (0, 0);
        for _ in 0..hz {
            let before = live.world().body(&live.world().entities()[0]).pos;
            live.step(&jump);
            jump.player_mut(1).pressed = hangtime_core::models::Actions::NONE;
            let world = live.world();
            let after = world.body(&world.entities()[0]).pos;
            let path = &world.why().next().expect("it is watched").path;
            assert_eq!(path[0], before, "{hz} Hz");
            assert_eq!(path[path.len() - 1], after, "{hz} Hz");
            landed += world.events().iter().filter(|e| e.kind.name() == "land").count();
            if path.len() > 2 {
                bends += 1;
                // It touches down at its own height above the floor, or settles from within its
                // ground_probe, and not farther than it went.
                let above = path[1].y - 19.0;
                assert!((-1e-6..=0.5).contains(&above), "{hz} Hz: {}", path[1]);
                assert!((before.x..=after.x).contains(&path[1].x));
            }
        }
        assert!(landed > 0 && bends >= landed, "{hz} Hz: {bends} of {landed}");
    }
}

#[test]
fn watching_does_not_change_the_game() {
    let (mut watched, mut alone) = (standing(60), standing(60));
    watched.watch(Watch::All);
    let (mut spectator, mut markers) = (Spectator::default(), Markers::default());
    let mut input = Inputs::none();
    for tick in 0..240 {
        let keys = &mut input.player_mut(1);
        keys.pressed = hangtime_core::models::Actions::NONE;
        if tick % 50 == 0 {
            keys.pressed.insert(Action::Jump);
        }
        if tick % 70 == 5 {
            keys.pressed.insert(Action::Hook);
        }
        keys.held.insert(if tick % 90 < 45 { Action::Right } else { Action::Left });
        watched.step(&input);
        alone.step(&input);
        let stage = &watched.revision().stage;
        let bodies: Vec<EntityView> = watched.views().collect();
        spectator.watch(watched.world(), stage, &bodies, SIZE);
        markers.read(watched.world(), stage, Overlays::all(), None);
        assert_eq!(watched.world().hash(), alone.world().hash(), "tick {tick}");
        assert_eq!(watched.world(), alone.world(), "tick {tick}");
    }
}
