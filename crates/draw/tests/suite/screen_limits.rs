//! What cannot be drawn, and how much.

use crate::{
    folder::{Game, on_large_stack},
    screen::{game, painted},
    sheets::folder,
};
use hangtime_core::sim::{MOST_DRAWN_BY_ONE, MOST_DRAWN_THINGS};

#[test]
fn a_failing_hook_draws_nothing() {
    on_large_stack(|| {
        let folder = folder("", "hud::text(\"a\", 0, 0, \"!\"); throw \"no\";");
        let mut game = folder.game();
        game.ticks(1);
        assert_eq!(game.wrong().len(), 1);
        assert!(game.live.world().drawing().is_empty());
    });
}

#[test]
fn too_many_things_are_reported_once_and_lose_nothing() {
    on_large_stack(|| {
        let folder = folder("", "for i in 0..100 { world::text(`t${this.n}_${i}`, i, 0, \"x\"); }");
        let mut game = folder.game();
        let mut messages = Vec::new();
        for _ in 0..15 {
            game.ticks(1);
            messages.extend(game.live.report().unshown.clone());
        }
        assert_eq!(game.wrong(), [""; 0]);
        assert_eq!(
            messages,
            [
                "`hero` does not draw `t11_0` and what follows it: `hero` can draw at most 1000 things at once; use a name \
              again to change what has it, or erase what is no longer needed"
            ]
        );
        let (_, by) = game.live.world().drawing().owners().next().expect("things");
        assert_eq!(by.things().len(), MOST_DRAWN_BY_ONE);
        assert_eq!(&*by.things()[0].name, "t1_0");
    });
}

#[test]
fn all_entities_together_have_a_limit_and_erasing_makes_room() {
    on_large_stack(|| {
        let folder = folder(
            "",
            "for i in 0..500 { hud::rect(`r${i}`, i, 0, 1, 1); } if this.n == 4 { for i in 0..500 { hud::erase(`r${i}`); } }",
        );
        let heroes = MOST_DRAWN_THINGS / 500 + 2;
        let entity = "[[entity]]\nkind = \"hero\"\nat = [0, 0]\n".repeat(heroes);
        folder.write("levels/level.toml", &format!("view = \"top\"\nsurface = \"stone\"\n{entity}"));
        folder.write("config/hangtime.toml", "[scripts]\noperations = 200000\ntick_operations = 100000000\n");
        let mut game = folder.game();
        game.ticks(2);
        let count = |game: &Game| -> usize {
            let drawing = game.live.world().drawing();
            drawing.owners().map(|(_, by)| by.things().len()).sum()
        };
        let refused = game.live.world().drawing().refused().expect("too many").text.clone();
        assert!(refused.contains("at most 20000 things can be drawn in a level at once"), "{refused}");
        assert_eq!(count(&game), MOST_DRAWN_THINGS);
        game.ticks(2);
        assert_eq!(count(&game), 0);
    });
}

/// Calls, and parts of their messages.
const WRONG: &[(&str, &str)] = &[
    ("hud::text(\"a\", 0.0 / 0.0, 0, \"x\")", "`x` of `text` cannot be NaN"),
    ("hud::text(\"a\", 0, 2e6, \"x\")", "`y` of `text` is 2e6; it must be between -1000000 and 1000000"),
    ("hud::text(\"a\", 0, 0, [])", "`text` of `text` must be text, not an array"),
    ("hud::bar(\"a\", 0, 0, 0.0 / 0.0)", "`share` of `bar` cannot be NaN"),
    ("world::circle(\"a\", 0, 0, -1)", "`radius` of `circle` is -1; it must be between 0 and 100000"),
    ("world::rect(\"a\", 0, 0, 5, -2)", "`height` of `rect` is -2; it must be between 0 and 100000"),
    ("hud::polygon(\"a\", 0, 0, [[0, 0], [1, 1]])", "a polygon needs at least 3 points, not 2"),
    (
        "hud::polygon(\"a\", 0, 0, 5)",
        "`points` of `polygon` must be an array of points, such as `[[0, 0], [20, 0], [10, 15]]`, not a number",
    ),
    ("me.polygon(\"a\", 0, 0, [[0, 0], [1, 1], [2]])", "each point in `points` of `polygon` must be `[x, y]` or a vec"),
    ("me.polygon(\"a\", 0, 0, [[0, 0], [1, 1], [0.0 / 0.0, 2]])", "`points` of `polygon` cannot be NaN"),
    (
        "world::polygon(\"a\", 0, 0, [vec(0, 0), vec(1, 1), vec(2e5, 2)])",
        "`points` of `polygon` is 200000; it must be between -100000 and 100000",
    ),
    (
        "let all = []; for i in 0..65 { all.push([i, 0]); } world::polygon(\"a\", 0, 0, all)",
        "`points` of `polygon` can have at most 64 points",
    ),
    ("me.polygon(\"a\", 0, 0, [[0, 0], [1, 1], [2, 0]], #{ align: \"left\" })", "`polygon` has no option `align`"),
    ("me.text(\"a\", 0, 0, \"x\", #{ colr: \"red\" })", "`text` has no option `colr`; did you mean `color`?"),
    ("me.text(\"a\", 0, 0, \"x\", #{ color: \"rad\" })", "there is no color `rad`; did you mean `red`?"),
    ("me.text(\"a\", 0, 0, \"x\", #{ color: \"#12345\" })", "there is no color `#12345`"),
    ("me.text(\"a\", 0, 0, \"x\", #{ size: 0 })", "`size` of `text` is 0; it must be between 1 and 16"),
    ("me.text(\"a\", 0, 0, \"x\", #{ align: \"middle\" })", "there is no alignment `middle`"),
    (
        "me.text(\"a\", 0, 0, \"x\", 3)",
        "`options` of `text` must be a map, such as `#{ color: \"gold\" }`, not a number",
    ),
    ("me.color = 3", "`me.color` must be text, such as \"gold\" or \"#ffcc00\", not a number"),
    ("me.visible = ()", "`value` of `visible` must be true or false, not ()"),
    ("this.n = me.color", "`me.color` can only be written; what is on the screen is not part of the game"),
    ("this.n = me.visible", "`me.visible` can only be written"),
    ("let name = \"\"; name.pad(65, \"n\"); hud::erase(name)", "can have at most 64 bytes; this one has 65"),
    (
        "let text = \"\"; text.pad(513, \"n\"); hud::text(\"a\", 0, 0, text)",
        "can have at most 512 bytes; this one has 513",
    ),
];

#[test]
fn wrong_arguments_of_drawing_are_refused_with_what_fits() {
    on_large_stack(|| {
        for (call, message) in WRONG {
            let mut game = folder("", &format!("{call};")).game();
            game.ticks(1);
            let wrong = game.wrong();
            assert!(wrong.len() == 1 && wrong[0].contains(message), "{call}: {wrong:?}");
            assert!(game.live.world().drawing().is_empty(), "{call}");
        }
    });
}

#[test]
fn shapes_of_any_size_are_painted_without_a_panic() {
    on_large_stack(|| {
        let far = ["1e6", "-1e6", "0", "0.001", "-250"];
        for x in far {
            for y in far {
                let all = format!(
                    "world::line(\"a\", {x}, {y}, {y}, {x}, #{{ width: 900 }}); hud::line(\"a\", {x}, {y}, {y}, 4); \
                     hud::circle(\"b\", {x}, {y}, 1e5); world::circle(\"c\", {x}, {y}, 9e4, #{{ width: 1000 }}); \
                     me.rect(\"d\", {x}, {y}, 1e5, 1e5); me.rect(\"e\", {x}, {y}, 0, 0, #{{ width: 4 }}); \
                     hud::text(\"f\", {x}, {y}, \"\\n\\nA \u{1f600}\\t\", #{{ size: 16 }}); world::circle(\"g\", 0, 0, 0); \
                     me.polygon(\"j\", {x}, {y}, [[0, 0], [1e5, -1e5], [-1e5, {y} / 10]]); \
                     hud::polygon(\"k\", {x}, {y}, [[0, 0], [1e5, 1e5], [0, 0], [5, -1e5]], #{{ width: 1000 }}); \
                     world::polygon(\"l\", 0, 0, [[0, 0], [0, 0], [0, 0]], #{{ width: 0.5 }}); \
                     me.bar(\"h\", {x}, {y}, 0.3, #{{ width: 1000, height: 1000 }}); hud::text(\"i\", 0, 0, \"\");"
                );
                painted(&game("", &all));
            }
        }
    });
}

#[test]
fn a_picture_has_room_for_much_and_says_what_is_left_out() {
    on_large_stack(|| {
        for (count, is_too_much) in [(1, false), (16, false), (20, true), (200, true)] {
            let calls = [
                "hud::rect(`a${i}`, 0, 0, 5000, 5000, #{ color: \"#ff00ff\" })",
                "world::circle(`a${i}`, 0, 0, 4000, #{ color: \"#ff00ff\" })",
                "world::rect(`a${i}`, 0, 0, 5000, 5000, #{ color: \"#ff00ff\" })",
                "world::polygon(`a${i}`, 0, 0, corners, #{ color: \"#ff00ff\" })",
            ];
            for call in calls {
                let mut game = folder(
                    &format!(
                        "let corners = [[-5000, -5000], [5000, -5000], [0, 9000]]; for i in 0..{count} {{ {call}; }}"
                    ),
                    "",
                )
                .game();
                game.ticks(1);
                assert_eq!(game.wrong(), [""; 0]);
                let picture = painted(&game);
                let warn = picture.pixels().iter().filter(|p| [p.red(), p.green(), p.blue()] != [255, 0, 255]);
                // The first things are painted; only the message is over them.
                let (low, high) = if is_too_much { (20, 4_000) } else { (0, 0) };
                let others = warn.count();
                let hud = if call.starts_with("hud") { 22 * 200 } else { 0 };
                assert!(others >= low && others <= high + hud, "{call} {count}: {others}");
            }
        }
    });
}
