//! What scripts draw, pixel by pixel, and that it changes nothing else.

use crate::{
    draw::differing,
    folder::{Game, on_large_stack},
    sheets::folder,
};
use hangtime_core::sim::{EntityView, Inputs, SavedWorld, World};
use hangtime_draw::{Picture, Show, paint};
use hangtime_script::calls::NAMED_COLORS;
use std::sync::Arc;
use tiny_skia::Pixmap;

/// Width and height of the pictures, px.
const SIZE: u32 = 200;

/// The lower end of the status line, px.
const TOP: i32 = 22;

/// A color that no picture of a level has.
const INK: [u8; 3] = [255, 0, 255];

/// The game after its first tick.
pub fn game(first: &str, every: &str) -> Game {
    let mut game = folder(first, every).game();
    game.ticks(1);
    assert_eq!(game.wrong(), [""; 0], "{first} {every}");
    game
}

pub fn painted(game: &Game) -> Pixmap {
    let bodies: Vec<_> = game.live.views().collect();
    painted_with(game, &bodies)
}

/// The game with other bodies.
pub fn painted_with(game: &Game, bodies: &[EntityView]) -> Pixmap {
    let mut canvas = Pixmap::new(SIZE, SIZE).expect("a size above 0");
    let world = game.live.world();
    let show = Show { drawing: Some(world.drawing()), art: Some(&game.live.revision().art), ..Show::default() };
    let picture = Picture {
        level: &game.live.revision().stage.level,
        time: game.live.time(),
        changes: world.changes(),
        bodies,
        hud: "",
        banner: "",
        why: "",
        show,
    };
    paint(&mut canvas, &picture);
    canvas
}

/// Left, top, right and bottom of the pixels with a color; right and bottom are one past the last pixel. None if there
/// are none.
fn extent(picture: &Pixmap, color: [u8; 3]) -> Option<[i32; 4]> {
    let mut found: Option<[i32; 4]> = None;
    for (place, pixel) in picture.pixels().iter().enumerate() {
        if [pixel.red(), pixel.green(), pixel.blue()] != color {
            continue;
        }
        let (x, y) = (place as i32 % SIZE as i32, place as i32 / SIZE as i32);
        let [left, top, right, bottom] = found.unwrap_or([x, y, x, y]);
        found = Some([left.min(x), top.min(y), right.max(x + 1), bottom.max(y + 1)]);
    }
    found
}

fn drawn(first: &str) -> Option<[i32; 4]> {
    extent(&painted(&game(first, "")), INK)
}

#[test]
fn rectangles_on_the_screen_are_where_their_numbers_say() {
    on_large_stack(|| {
        let all = SIZE as i32;
        for (x, y, wide, high) in [(0, 0, 10, 5), (30, 44, 1, 1), (-10, 12, 20, 6), (7, -3, 9, 20)] {
            let rect = format!("hud::rect(\"a\", {x}, {y}, {wide}, {high}, #{{ color: \"#ff00ff\" }});");
            let left = if x < 0 { all + x - wide } else { x };
            let top = if y < 0 { all + y - high } else { TOP + y };
            let expected = [left, top, left + wide, top + high];
            assert_eq!(drawn(&rect), Some(expected), "{rect}");
        }
        for (align, left) in [("left", 20), ("center", 110), ("right", 0)] {
            let rect = format!("hud::rect(\"a\", 20, 0, 20, 4, #{{ color: \"#f0f\", align: \"{align}\" }});");
            assert_eq!(drawn(&rect), Some([left, TOP, left + 20, TOP + 4]), "{align}");
        }
    });
}

#[test]
fn at_the_right_zero_is_the_right_edge() {
    on_large_stack(|| {
        let all = SIZE as i32;
        for (x, right) in [(0, all), (-1, all - 1), (-30, all - 30), (50, 50)] {
            let options = "#{ color: \"#f0f\", align: \"right\" }";
            let rect = format!("hud::rect(\"a\", {x}, 0, 12, 4, {options});");
            assert_eq!(drawn(&rect), Some([right - 12, TOP, right, TOP + 4]), "{x}");
            let text = format!("hud::text(\"a\", {x}, 0, \"HH\", {options});");
            let [left, _, end, _] = drawn(&text).expect("a text");
            assert!(left >= right - 14 && end <= right && end > right - 4, "{x} {left} {end}");
        }
    });
}

#[test]
fn rectangles_in_the_level_are_around_their_place() {
    on_large_stack(|| {
        // The picture shows the level around (0, 0), with y upward.
        let middle = SIZE as i32 / 2;
        for (x, y) in [(0, 40), (-30, -50), (61, 20)] {
            for (call, at) in [("world", (x, y)), ("me", (x, y))] {
                let dot = if call == "me" { "." } else { "::" };
                let rect = format!("{call}{dot}rect(\"a\", {x}, {y}, 12, 6, #{{ color: \"#f0f\" }});");
                let (left, top) = (middle + at.0 - 6, middle - at.1 - 3);
                assert_eq!(drawn(&rect), Some([left, top, left + 12, top + 6]), "{rect}");
            }
        }
        let frame = painted(&game("world::rect(\"a\", 0, 40, 20, 10, #{ color: \"#f0f\", width: 2 });", ""));
        let of_ink = |p: &&tiny_skia::PremultipliedColorU8| [p.red(), p.green(), p.blue()] == INK;
        let count = frame.pixels().iter().filter(of_ink).count();
        assert_eq!(count, 20 * 10 - 16 * 6);
    });
}

#[test]
fn polygons_have_their_corners_below_a_place_on_the_screen_and_above_one_in_the_level() {
    on_large_stack(|| {
        let (all, half) = (SIZE as i32, SIZE as i32 / 2);
        for (x, y) in [(0, 0), (30, 44), (-40, -50)] {
            for points in ["[[0, 0], [20, 0], [20, 10], [0, 10]]", "[vec(0, 10), vec(0, 0), vec(20, 0), vec(20, 10)]"] {
                let polygon = format!("hud::polygon(\"a\", {x}, {y}, {points}, #{{ color: \"#f0f\" }});");
                let (left, top) = (if x < 0 { all + x } else { x }, if y < 0 { all + y } else { TOP + y });
                assert_eq!(drawn(&polygon), Some([left, top, left + 20, top + 10]), "{polygon}");
                let polygon = polygon.replace("hud::", "world::");
                let (left, bottom) = (half + x, half - y);
                assert_eq!(drawn(&polygon), Some([left, bottom - 10, left + 20, bottom]), "{polygon}");
            }
        }
        // A triangle is half of the box around it.
        let triangle = "hud::polygon(\"a\", 20, 20, [[0, 0], [100, 0], [100, 100]], #{ color: \"#f0f\" });";
        let picture = painted(&game(triangle, ""));
        let count = picture.pixels().iter().filter(|p| [p.red(), p.green(), p.blue()] == INK).count();
        assert!((4_850..=5_150).contains(&count), "{count}");
        // Of an outline, the middle is not painted.
        let outline = triangle.replace("color:", "width: 2, color:");
        let picture = painted(&game(&outline, ""));
        let count = picture.pixels().iter().filter(|p| [p.red(), p.green(), p.blue()] == INK).count();
        assert!((300..900).contains(&count), "{count}");
    });
}

#[test]
fn bars_are_filled_by_their_share() {
    on_large_stack(|| {
        for percent in [0, 1, 25, 50, 99, 100] {
            let share = f64::from(percent) / 100.0;
            let bar = format!("hud::bar(\"a\", 5, 5, {share}, #{{ color: \"#f0f\", width: 40, height: 6 }});");
            let filled = (40.0 * share).round().max(f64::from(u8::from(percent > 0))) as i32;
            let expected = (filled > 0).then_some([5, TOP + 5, 5 + filled, TOP + 11]);
            assert_eq!(drawn(&bar), expected, "{bar}");
        }
        // What is outside of 0 to 1 is empty or full.
        for (share, filled) in [("-3", None), ("7.5", Some([5, TOP + 5, 45, TOP + 10]))] {
            let bar = format!("hud::bar(\"a\", 5, 5, {share}, #{{ color: \"#f0f\" }});");
            assert_eq!(drawn(&bar), filled, "{share}");
        }
    });
}

#[test]
fn texts_have_the_size_and_the_end_that_they_were_given() {
    on_large_stack(|| {
        // The letter H has pixels in all columns of its glyph but the last and the first.
        for size in 1..=4 {
            let text = |align: &str| {
                let text = format!(
                    "hud::text(\"a\", 20, 10, \"HH\", #{{ color: \"#f0f\", size: {size}, align: \"{align}\" }});"
                );
                drawn(&text).expect("a text")
            };
            let [left, top, right, bottom] = text("left");
            let one = text("left");
            assert!(left >= 20 && right <= 20 + 14 * size, "{one:?}");
            assert!(right - left >= 11 * size && bottom - top >= 8 * size, "{one:?}");
            let center = text("center");
            assert_eq!(center[0] - left, 80 + 20 - 7 * size, "{center:?}");
        }
    });
}

#[test]
fn what_is_drawn_at_an_entity_follows_it_without_being_drawn_again() {
    on_large_stack(|| {
        let mut game = game("me.rect(\"a\", 0, 20, 4, 4, #{ color: \"#f0f\" });", "");
        game.input.held = [hangtime_core::models::Action::Right].into_iter().collect();
        let first = extent(&painted(&game), INK).expect("a rectangle");
        game.ticks(30);
        let moved = game.hero().pos.x;
        assert!(moved > 10.0);
        let bodies: Vec<_> = game.live.views().collect();
        // The camera follows the hero, so the rectangle stays where it is in the picture.
        let now = extent(&painted(&game), INK).expect("a rectangle");
        assert!((now[0] - first[0]).abs() <= 1 && now[1] == first[1], "{first:?} {now:?}");
        assert_eq!(bodies.len(), 1);
        let there = game.live.world().drawing().of(bodies[0].id).expect("drawn");
        assert_eq!(there.things().len(), 1);
    });
}

#[test]
fn a_name_is_one_thing_until_it_is_erased() {
    on_large_stack(|| {
        let rect = "hud::rect(\"a\", 0, 0, 4 + this.n, 4, #{ color: \"#f0f\" });";
        let mut game = game("", &format!("{rect} if this.n == 5 {{ hud::erase(\"a\"); }}"));
        for tick in 1..=4 {
            assert_eq!(extent(&painted(&game), INK), Some([0, TOP, 4 + tick, TOP + 4]));
            game.ticks(1);
        }
        assert_eq!(extent(&painted(&game), INK), None);
        // Each of the three places has its own names, and so has each entity.
        let three = "hud::rect(\"a\", 0, 0, 4, 4); world::rect(\"a\", 0, 0, 4, 4); me.rect(\"a\", 0, 0, 4, 4);";
        let game = self::game(&format!("{three} me.erase(\"b\"); world::erase(\"a\");"), "");
        let count = game.live.world().drawing().owners().map(|(_, by)| by.things().len());
        assert_eq!(count.collect::<Vec<_>>(), [2]);
    });
}

#[test]
fn colors_have_names_and_numbers() {
    on_large_stack(|| {
        for (name, color) in NAMED_COLORS {
            let [red, green, blue] = color;
            let code = format!("#{red:02x}{green:02X}{blue:02x}");
            let [by_name, by_code] = [name, &code].map(|color| {
                let rect = format!("hud::rect(\"a\", 3, 9, 8, 8, #{{ color: \"{color}\" }});");
                painted(&game(&rect, ""))
            });
            assert_eq!(differing(&by_name, &by_code), 0, "{name}");
            assert!(extent(&by_name, color).is_some(), "{name}");
        }
        // Half of the color, half of what is below.
        let plain = painted(&game("", ""));
        let half = painted(&game("hud::rect(\"a\", 0, 0, 5, 5, #{ color: \"#ff00ff80\" });", ""));
        let (below, over) = (plain.pixel(2, 24).expect("inside"), half.pixel(2, 24).expect("inside"));
        let mixed = (f64::from(below.red()) + (255.0 - f64::from(below.red())) * 128.0 / 255.0).round();
        assert_eq!(f64::from(over.red()), mixed);
    });
}

#[test]
fn entities_have_the_color_that_their_script_chooses_and_can_be_hidden() {
    on_large_stack(|| {
        let plain = painted(&game("", ""));
        let colored = painted(&game("me.color = \"#f0f\";", ""));
        let hero = |picture: &Pixmap| extent(picture, INK);
        assert_eq!(hero(&plain), None);
        let [left, top, right, bottom] = hero(&colored).expect("a hero");
        assert!(right - left > 8 && bottom - top > 6);
        let again = painted(&game("me.color = \"#f0f\"; me.color = ();", ""));
        assert_eq!(differing(&plain, &again), 0);
        let mut game = game(
            "me.visible = false; me.text(\"name\", 0, 20, \"hidden\");",
            "if this.n == 3 { me.visible = true; me.erase(\"name\"); }",
        );
        let hidden = painted(&game);
        // Only the hero and its shadow are missing.
        let missing = differing(&plain, &hidden);
        assert!(missing > 100 && missing < 600, "{missing}");
        game.ticks(2);
        assert_eq!(differing(&plain, &painted(&game)), 0);
    });
}

#[test]
fn drawing_changes_no_hash_at_any_tick_rate() {
    on_large_stack(|| {
        let draws = "world::text(\"a\", me.x, me.y, `${this.n}`); me.bar(\"b\", 0, 20, 0.5); hud::line(\"c\", 0, 0, 9, this.n); \
                     me.color = \"red\"; me.visible = this.n % 2 == 0; hud::erase(\"c\");";
        for hz in [30, 60, 120, 240] {
            let hashes = |every: &str| -> Vec<u64> {
                let folder = folder("", every);
                folder.write("config/hangtime.toml", &format!("[simulation]\ntick_hz = {hz}\n"));
                let mut game = folder.game();
                game.input.held = [hangtime_core::models::Action::Right].into_iter().collect();
                let ticks = 0..100;
                let hashes = ticks.map(|_| game.ticks(1).live.world().hash()).collect();
                assert_eq!(game.wrong(), [""; 0]);
                hashes
            };
            assert_eq!(hashes(""), hashes(draws), "{hz}");
        }
    });
}

#[test]
fn worlds_are_equal_and_saved_alike_whatever_is_drawn() {
    on_large_stack(|| {
        let [without, with] = ["", "hud::text(\"a\", 0, 0, 12.5);"].map(|every| game("", every));
        let saved = |world: &World| serde_json::to_string(world).expect("json");
        let (a, b) = (without.live.world(), with.live.world());
        assert_eq!(a, b);
        assert_eq!(saved(a), saved(b));
        assert!(!b.drawing().is_empty() && a.drawing().is_empty());
        // A clone has the drawing, a saved world has none.
        assert!(!b.clone().drawing().is_empty());
        let read: SavedWorld = serde_json::from_str(&saved(b)).expect("a world");
        let read = read.check(&with.live.revision().stage).expect("the same level");
        assert!(read.drawing().is_empty());
        assert_eq!(read.hash(), b.hash());
    });
}

#[test]
fn going_back_to_a_snapshot_brings_back_what_was_drawn() {
    on_large_stack(|| {
        let rect = "hud::rect(\"a\", 0, 0, 10 + this.n, 4, #{ color: \"#f0f\" });";
        let mut game = game("", rect);
        let snapshot = game.live.world().clone();
        let was = painted(&game);
        game.ticks(20);
        assert!(differing(&was, &painted(&game)) > 0);
        game.live.restore(snapshot);
        assert_eq!(differing(&was, &painted(&game)), 0);
        game.live.restart();
        assert!(game.live.world().drawing().is_empty());
    });
}

#[test]
fn a_change_of_a_script_erases_and_a_change_of_a_number_does_not() {
    on_large_stack(|| {
        let folder = folder("hud::text(\"a\", 0, 0, \"once\");", "");
        let mut game = folder.game();
        game.ticks(3);
        let count = |game: &Game| game.live.world().drawing().owners().count();
        folder.write("config/models/topdown.toml", "max_speed = 77\n");
        game.live.adopt(Arc::new(folder.open().expect("a game")));
        game.ticks(3);
        assert_eq!(count(&game), 1);
        folder.write("scripts/hero.rhai", "fn on_reload(me) { hud::text(\"b\", 0, 0, \"again\"); }");
        game.live.adopt(Arc::new(folder.open().expect("a game")));
        assert_eq!(count(&game), 0);
        game.ticks(1);
        let (_, by) = game.live.world().drawing().owners().next().expect("drawn again");
        assert_eq!(&*by.things()[0].name, "b");
        assert_eq!(by.things().len(), 1);
    });
}

#[test]
fn what_an_entity_has_drawn_is_gone_with_it() {
    on_large_stack(|| {
        let folder = folder("", "me.text(\"a\", 0, 0, \"!\"); if this.n == 4 { me.remove(); }");
        let mut game = folder.game();
        game.ticks(3);
        assert_eq!(game.live.world().drawing().owners().count(), 1);
        game.ticks(1);
        assert!(game.live.world().drawing().is_empty());
    });
}

#[test]
fn a_level_s_script_draws_too_but_has_no_body() {
    on_large_stack(|| {
        let folder = folder("", "");
        let level = folder.read("levels/level.toml");
        folder.write("levels/level.toml", &format!("script = \"rules.rhai\"\n{level}"));
        folder.write("scripts/rules.rhai", "fn on_tick(me) { hud::rect(\"a\", 0, 0, 6, 6, #{ color: \"#f0f\" }); }");
        let mut game = folder.game();
        game.live.step(&Inputs::none());
        assert_eq!(extent(&painted(&game), INK), Some([0, TOP, 6, TOP + 6]));
        folder.write("scripts/rules.rhai", "fn on_tick(me) { me.text(\"a\", 0, 0, \"x\"); }");
        let mut game = folder.game();
        game.ticks(1);
        assert!(game.wrong()[0].contains("the level itself has no `text`"), "{:?}", game.wrong());
    });
}
