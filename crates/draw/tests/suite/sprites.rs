//! Pictures of the game folder in pictures of a level, pixel by pixel.

use crate::{
    folder::{Folder, Game, on_large_stack},
    screen::painted,
    sheets::{color_at, folder, sheet},
};
use hangtime_core::{
    models::Mode,
    sim::{BodySprite, EntityView},
};
use std::sync::Arc;
use tiny_skia::Pixmap;

/// The middle of the pictures, px, and the rows that the hero's feet are below it.
const MIDDLE: i32 = 100;
const FEET: i32 = 6;

fn pixel(picture: &Pixmap, x: i32, y: i32) -> [u8; 4] {
    let pixel = picture.pixel(x as u32, y as u32).expect("a pixel");
    [pixel.red(), pixel.green(), pixel.blue(), pixel.alpha()]
}

/// Asserts that each pixel of a frame is where it belongs: `left` and `top` are its corner in the picture.
fn expect_frame(
    picture: &Pixmap,
    (left, top): (i32, i32),
    (corner, size): ([u32; 2], [u32; 2]),
    (times, flip): (u32, bool),
) {
    for y in 0..size[1] * times {
        for x in 0..size[0] * times {
            let along = x / times;
            let column = if flip { size[0] - 1 - along } else { along };
            let expected = color_at(corner[0] + column, corner[1] + y / times);
            let found = pixel(picture, left + x as i32, top + y as i32);
            assert_eq!(found, expected, "{corner:?} {size:?} {times} {flip} at {x}, {y}");
        }
    }
    // Nothing beyond.
    let is_of_sheet = |x: i32, y: i32| {
        let pixel = picture.pixel(x as u32, y as u32);
        pixel.is_some_and(|pixel| pixel.blue() == 255 && pixel.red() > 200)
    };
    for y in 0..(size[1] * times) as i32 {
        for x in [left - 1, left + (size[0] * times) as i32] {
            assert!(!is_of_sheet(x, top + y), "{x} {y}");
        }
    }
}

/// A hero with a sheet of three columns and two rows of frames, 6 x 8 px each.
fn with_sprite(keys: &str, first: &str, every: &str) -> Folder {
    let game = folder(first, every);
    game.write_png("pictures/hero.png", (18, 16), &sheet(18, 16));
    let kind = game.read("config/entities/hero.toml");
    let sprite = format!("{kind}[sprite]\nsheet = \"hero.png\"\nframe = [6, 8]\n{keys}");
    game.write("config/entities/hero.toml", &sprite);
    game
}

fn after_a_tick(folder: &Folder) -> Game {
    let mut game = folder.game();
    game.ticks(1);
    assert_eq!(game.wrong(), [""; 0]);
    game
}

fn corner_of(frame: u32) -> [u32; 2] {
    [frame % 3 * 6, frame / 3 % 2 * 8]
}

#[test]
fn a_body_shows_each_pixel_of_its_frame() {
    on_large_stack(|| {
        for frame in 0..8 {
            for (scale, facing) in [(1, 1), (1, -1), (2, 1), (3, -1)] {
                let face = format!("me.facing = {facing}; me.frame = {frame};");
                let folder = with_sprite(&format!("scale = {scale}\n"), &face, "");
                let game = after_a_tick(&folder);
                let (wide, high) = (6 * scale as i32, 8 * scale as i32);
                let at = (MIDDLE - wide / 2, MIDDLE + FEET - high);
                let frame = (corner_of(frame), [6, 8]);
                expect_frame(&painted(&game), at, frame, (scale, facing < 0));
            }
        }
    });
}

#[test]
fn offsets_move_a_sprite_and_follow_its_facing() {
    on_large_stack(|| {
        for (x, y, facing) in [(5, 0, 1), (5, 0, -1), (0, 7, 1), (-3, -4, -1)] {
            let face = format!("me.facing = {facing};");
            let folder = with_sprite(&format!("offset = [{x}, {y}]\n"), &face, "");
            let game = after_a_tick(&folder);
            let at = (MIDDLE - 3 + x * facing, MIDDLE + FEET - 8 - y);
            let flip = (1, facing < 0);
            expect_frame(&painted(&game), at, ([0, 0], [6, 8]), flip);
        }
    });
}

#[test]
fn hidden_bodies_have_no_sprite_and_colors_tint_it() {
    on_large_stack(|| {
        let hidden = painted(&after_a_tick(&with_sprite("", "me.visible = false;", "")));
        let shown = painted(&after_a_tick(&with_sprite("", "", "")));
        let of_sheet = |picture: &Pixmap| {
            let pixels = picture.pixels().iter();
            pixels.filter(|p| p.blue() == 255 && p.red() > 200).count()
        };
        assert_eq!((of_sheet(&hidden), of_sheet(&shown)), (0, 48));
        for (name, [red, green, blue]) in
            [("#ff8000", [255, 128, 0]), ("#000000", [0, 0, 0]), ("#ffffff", [255, 255, 255])]
        {
            let tinted = painted(&after_a_tick(&with_sprite("", &format!("me.color = \"{name}\";"), "")));
            let times = |a: u8, b: u32| ((u32::from(a) * b + 127) / 255) as u8;
            let [r, g, b, _] = color_at(2, 3);
            let found = pixel(&tinted, MIDDLE - 3 + 2, MIDDLE + FEET - 8 + 3);
            let expected = [times(r, red), times(g, green), times(b, blue), 255];
            assert_eq!(found, expected, "{name}");
        }
    });
}

#[test]
fn drawn_pictures_are_where_their_numbers_say() {
    on_large_stack(|| {
        let top = 22;
        for (frame, times, flip) in [(0, 1, false), (4, 1, true), (5, 2, false), (7, 3, true)] {
            let options = format!("#{{ width: 6, height: 8, frame: {frame}, size: {times}, flip: {flip} }}");
            let (wide, high) = (6 * times as i32, 8 * times as i32);
            for (call, at) in [
                (
                    format!("world::sprite(\"a\", 30, 40, \"hero.png\", {options});"),
                    (MIDDLE + 30 - wide / 2, MIDDLE - 40 - high / 2),
                ),
                (
                    format!("me.sprite(\"a\", -30, 40, \"hero.png\", {options});"),
                    (MIDDLE - 30 - wide / 2, MIDDLE - 40 - high / 2),
                ),
                (format!("hud::sprite(\"a\", 12, 5, \"hero.png\", {options});"), (12, top + 5)),
                (format!("hud::sprite(\"a\", -12, -5, \"hero.png\", {options});"), (200 - 12 - wide, 200 - 5 - high)),
            ] {
                let folder = folder(&call, "");
                folder.write_png("pictures/hero.png", (18, 16), &sheet(18, 16));
                let picture = painted(&after_a_tick(&folder));
                expect_frame(&picture, at, (corner_of(frame), [6, 8]), (times, flip));
            }
        }
    });
}

#[test]
fn without_a_size_the_whole_picture_is_the_frame() {
    on_large_stack(|| {
        let folder = folder("hud::sprite(\"a\", 0, 0, \"below/whole.png\", #{ frame: 3 });", "");
        folder.write_png("pictures/below/whole.png", (9, 5), &sheet(9, 5));
        let picture = painted(&after_a_tick(&folder));
        expect_frame(&picture, (0, 22), ([0, 0], [9, 5]), (1, false));
    });
}

#[test]
fn transparent_pixels_let_the_background_show_through() {
    on_large_stack(|| {
        let script = "hud::rect(\"a\", 0, 0, 3, 1, #{ color: \"#000000\" });\
                      hud::sprite(\"b\", 0, 0, \"dots.png\");";
        let folder = folder(script, "");
        let dots = [[255, 255, 255, 0], [255, 255, 255, 51], [255, 255, 255, 255]];
        folder.write_png("pictures/dots.png", (3, 1), &dots);
        let picture = painted(&after_a_tick(&folder));
        for (x, expected) in [0_u8, 51, 255].into_iter().enumerate() {
            assert_eq!(pixel(&picture, x as i32, 22)[..3], [expected; 3], "{x}");
        }
    });
}

#[test]
fn frames_follow_the_mode_and_the_time() {
    let modes = [
        ("standing", vec![1]),
        ("running", vec![2, 3, 4]),
        ("air", vec![5]),
        ("jumping", vec![6, 7]),
        ("wall", vec![8]),
    ];
    let modes = modes.map(|(mode, frames)| (mode.into(), frames));
    let sprite = BodySprite { rate: 10.0, modes: modes.into(), ..BodySprite::default() };
    let body = |mode: Mode, x: f64, y: f64| EntityView { mode, vel: glam::dvec2(x, y), ..EntityView::empty() };
    for tick in 0..120 {
        let time = f64::from(tick) / 40.0;
        let step = tick as usize / 4;
        for (body, expected) in [
            (body(Mode::Ground, 0.0, 0.0), 1),
            (body(Mode::Ground, -60.0, 0.0), [2, 3, 4][step % 3]),
            (body(Mode::Air, 0.0, 1.0), [6, 7][step % 2]),
            // Without its own frames, falling is being in the air.
            (body(Mode::Air, 0.0, -1.0), 5),
            (body(Mode::Wall, 0.0, 0.0), 8),
            (body(Mode::Roof, 0.0, 0.0), 0),
        ] {
            // In the middle of a tick, away from the borders between frames.
            let found = sprite.frame_of(&body, time + 1.0 / 80.0);
            assert_eq!(found, expected, "{:?} {tick}", body.mode);
        }
    }
    let upside_down = EntityView { inverted: true, ..body(Mode::Air, 0.0, -1.0) };
    assert_eq!(sprite.frame_of(&upside_down, 0.0), 6);
    assert_eq!(sprite.frame_of(&body(Mode::Roof, 0.0, 0.0), f64::NAN), 0);
}

#[test]
fn a_turned_body_turns_its_sprite() {
    on_large_stack(|| {
        let game = after_a_tick(&with_sprite("offset = [0, 2]\n", "", ""));
        let mut bodies: Vec<_> = game.live.views().collect();
        // The middle of the frame is in the middle of the body, so a half turn exchanges all sides.
        bodies[0].half.y = 6.0;
        bodies[0].angle = std::f64::consts::PI;
        let picture = crate::screen::painted_with(&game, &bodies);
        let (left, top) = (MIDDLE - 3, MIDDLE - 4);
        for y in 0..8 {
            for x in 0..6 {
                let found = pixel(&picture, left + x as i32, top + y as i32);
                assert_eq!(found, color_at(5 - x, 7 - y), "{x} {y}");
            }
        }
    });
}

#[test]
fn pictures_change_only_what_is_painted() {
    on_large_stack(|| {
        let every = "me.frame = this.n; me.sprite(\"a\", 0, 0, \"hero.png\", #{ frame: this.n });";
        let with = with_sprite("modes = { running = [0, 1] }\n", "", every);
        let without = with_sprite("modes = { running = [0, 1] }\n", "", every);
        std::fs::remove_dir_all(without.path("pictures")).expect("a folder");
        let plain = folder("", "");
        let hashes = [&with, &without, &plain].map(|folder| {
            let mut game = folder.game();
            game.ticks(30);
            assert_eq!(game.wrong(), [""; 0]);
            let saved = serde_json::to_string(game.live.world()).expect("a world");
            assert!(!saved.contains("hero.png"));
            game.live.world().hash()
        });
        assert_eq!(hashes[0], hashes[1]);
        assert_eq!(hashes[0], hashes[2]);
    });
}

#[test]
fn calls_refuse_what_cannot_be_a_frame() {
    on_large_stack(|| {
        for (call, expected) in [
            ("me.frame = -1;", "between 0 and"),
            ("me.frame = \"run\";", "number"),
            ("me.frame = 0.0 / 0.0;", "cannot be NaN"),
            ("me.sprite(\"a\", 0, 0, 5);", "text"),
            ("me.sprite(\"a\", 0, 0, \"a.png\", #{ frame: -1 });", "between 0 and"),
            ("me.sprite(\"a\", 0, 0, \"a.png\", #{ flip: 1 });", "flip"),
            ("me.sprite(\"a\", 0, 0, \"a.png\", #{ wdith: 8 });", "did you mean `width`?"),
            ("print(me.frame);", "can only be written"),
        ] {
            let mut game = folder("", call).game();
            game.ticks(1);
            let wrong = game.wrong().concat();
            assert!(wrong.contains(expected), "{call}: {wrong}");
        }
    });
}

/// The art of a game that is not changed by painting it.
#[test]
fn missing_pictures_leave_the_usual_look() {
    on_large_stack(|| {
        let draws = "me.sprite(\"a\", 0, 20, \"gone.png\");";
        let gone = with_sprite("", draws, "");
        std::fs::remove_dir_all(gone.path("pictures")).expect("a folder");
        let plain = painted(&after_a_tick(&folder("", "")));
        let found = painted(&after_a_tick(&gone));
        assert_eq!(plain.data(), found.data());
        let art = Arc::clone(&after_a_tick(&gone).live.revision().art);
        assert!(art.sheets.is_empty());
    });
}
