//! Level art, compared pixel by pixel.

use crate::draw::{Scene, at, differing};
use hangtime_core::sim::Artwork;
use hangtime_draw::{Color, Show, colors};
use std::collections::BTreeSet;
use tiny_skia::Pixmap;

const FLOOR: &str = "points = [[-500, -300], [500, -300], [500, 0], [-500, 0]]\n";

/// A floor of a surface with its top at y = 0, far from the level's bounds.
fn floor(surface: &str) -> Scene {
    let bounds = "bounds = [-5000.0, -5000.0, 5000.0, 5000.0]\n";
    Scene::of(&format!("{bounds}[[solid]]\nsurface = \"{surface}\"\n{FLOOR}"), "")
}

/// The row of the picture in which the level's y = 0 is the upper end. A side view looks up by 0.18 of
/// the picture's height from the body, which the floor pushes out to its half-height.
fn ground_row(scene: &Scene) -> usize {
    (100.0 + 0.18 * 200.0 + scene.bodies[0].pos.y).round() as usize
}

fn row(picture: &Pixmap, row: usize) -> Vec<[u8; 3]> {
    let pixel = |p: &tiny_skia::PremultipliedColorU8| [p.red(), p.green(), p.blue()];
    let width = picture.width() as usize;
    picture.pixels()[row * width..(row + 1) * width].iter().map(pixel).collect()
}

#[test]
fn feet_stand_on_the_first_row_of_the_ground() {
    let scene = floor("stone");
    let nothing = Scene::of("bounds = [-5000.0, -5000.0, 5000.0, 5000.0]\n", "");
    let (ground, sky) = (scene.showing(&[]), nothing.showing(&[]));
    // Without bodies both cameras look at (0, 0) and 36 px above.
    let top = 100 + 36;
    assert_eq!(row(&ground, top - 1), row(&sky, top - 1), "nothing above");
    let solid = row(&ground, top);
    let shared = solid.iter().zip(row(&sky, top)).filter(|(a, b)| **a == *b);
    assert_eq!(shared.count(), 0, "and no gap");
    assert!(ground_row(&scene) > top);
}

#[test]
fn every_surface_looks_different() {
    let names = ["stone", "grass", "ice", "wood", "brick", "metal", "spring", "honey"];
    let pictures: Vec<Pixmap> = names.iter().map(|name| floor(name).showing(&[])).collect();
    for (i, one) in pictures.iter().enumerate() {
        for (j, other) in pictures.iter().enumerate().skip(i + 1) {
            // The lower third of the picture is ground.
            assert!(differing(one, other) > 200 * 30, "{} {}", names[i], names[j]);
        }
        let shades: BTreeSet<[u8; 3]> = (137..199).flat_map(|y| row(one, y)).collect();
        assert!(shades.len() >= 4, "{}: {}", names[i], shades.len());
    }
}

#[test]
fn gifs_know_every_color_of_the_art() {
    for name in ["stone", "grass", "ice", "wood", "brick", "metal", "honey"] {
        let scene = floor(name);
        let known = colors(&scene.live.revision().stage.level, &Artwork::default());
        let picture = scene.showing(&[]);
        for pixel in picture.pixels() {
            let color = Color(pixel.red(), pixel.green(), pixel.blue());
            assert!(known.contains(&color), "{name}: {color:?}");
        }
    }
}

#[test]
fn the_pattern_belongs_to_the_level_and_not_to_the_picture() {
    for name in ["stone", "grass", "ice", "brick"] {
        let scene = floor(name);
        let seen_from = |x: f64| {
            let mut bodies = scene.bodies.clone();
            bodies[0].pos.x = x;
            scene.showing(&bodies)
        };
        let (here, there) = (seen_from(-100.0), seen_from(-63.0));
        // Below the outline of the body.
        for y in ground_row(&scene) + 2..200 {
            let (a, b) = (row(&here, y), row(&there, y));
            assert_eq!(a[37..], b[..200 - 37], "{name}, row {y}");
        }
    }
}

#[test]
fn what_is_far_moves_less_than_the_level() {
    let scene = Scene::of("bounds = [-5000.0, -5000.0, 5000.0, 5000.0]\n", "");
    let seen_from = |x: f64, y: f64| {
        let mut bodies = scene.bodies.clone();
        (bodies[0].pos.x, bodies[0].pos.y) = (x, y);
        // Without the body itself, which is in the middle of both.
        let pixel = |p: &Pixmap| (0..60).flat_map(|y| row(p, y)).collect::<Vec<_>>();
        pixel(&scene.showing(&bodies))
    };
    let start = seen_from(0.0, 0.0);
    let unlike = |other: &[[u8; 3]]| start.iter().zip(other).filter(|(a, b)| a != b).count();
    let near = unlike(&seen_from(4.0, 0.0));
    // Rising shows, and so does running, but the sky stays nearly where it was.
    for moved in [near, unlike(&seen_from(0.0, 4.0))] {
        assert!(moved > 0 && moved < start.len() / 8, "{moved} of {}", start.len());
    }
}

#[test]
fn the_sky_moves_with_time_and_the_ground_does_not() {
    let bounds = "bounds = [-5000.0, -300.0, 5000.0, 1000.0]\n";
    let grass = format!("{bounds}[[solid]]\nsurface = \"grass\"\n{FLOOR}");
    let scene = Scene::of(&grass, "");
    let before = scene.showing(&[]);
    let mut changed = 0;
    // There is not always a cloud in so small a part of the sky.
    for time in [20.0, 40.0, 60.0, 80.0] {
        let after = scene.at_time(time);
        changed += usize::from((0..100).any(|y| row(&before, y) != row(&after, y)));
        for y in 140..200 {
            assert_eq!(row(&before, y), row(&after, y));
        }
    }
    assert!(changed > 0);
}

#[test]
fn a_picture_of_one_tick_is_settled() {
    let scene = floor("stone");
    let shown = scene.painted(&scene.bodies, Show::default());
    // The body is in the middle of the picture's width.
    let (with, without) = (shown, {
        let mut bodies = scene.bodies.clone();
        bodies[0].half = glam::DVec2::splat(0.0);
        scene.painted(&bodies, Show::default())
    });
    let y = ground_row(&scene) as i32 - 4;
    let differ: Vec<i32> = (-100..100).filter(|x| at(&with, *x, 99 - y) != at(&without, *x, 99 - y)).collect();
    let (first, last) = (differ[0], differ[differ.len() - 1]);
    assert_eq!(first + last, -1, "as far to the left as to the right of the middle");
}
