//! `world::route`: its answers, and what it reports when there is no route.

use crate::folder::{Folder, Game, on_large_stack};
use hangtime_core::sim::Value;

/// A floor with a gap, and a kind that cannot walk.
const LEVEL: &str = r#"
[[solid]]
points = [[-400, -60], [200, -60], [200, 0], [-400, 0]]
[[solid]]
points = [[350, -60], [900, -60], [900, 0], [350, 0]]
[[entity]]
kind = "hero"
at = [0, 19]
[[entity]]
kind = "skater"
at = [-300, 19]
"#;

fn game(script: &str, level: &str) -> Game {
    let folder = Folder::with_script(script);
    folder.write("levels/level.toml", level);
    folder.write("config/entities/hero.toml", "script = \"hero.rhai\"\nvars = { n = 0, first = -1 }\n");
    folder.write("config/entities/skater.toml", "model = \"two_velocity\"\n");
    folder.game_at(60)
}

/// What the variable `route` has under a name.
fn field(game: &Game, name: &str) -> Option<Value> {
    let Value::Map(route) = game.var("route") else { panic!("no route: {:?}", game.wrong()) };
    route.get(name).cloned()
}

#[test]
fn a_route_has_moves_with_their_keys_and_says_how_far_its_ends_are() {
    on_large_stack(|| {
        let script = "fn on_tick(me) {
            this.n += 1;
            this.route = world::route(me.kind, 1, 19, 703, 24);
            if this.route.ok && this.first < 0 { this.first = this.n; }
        }";
        let mut game = game(script, LEVEL);
        game.ticks(1);
        assert_eq!(field(&game, "ok"), Some(Value::Bool(false)));
        assert_eq!(field(&game, "searching"), Some(Value::Bool(true)));
        game.ticks(120);
        assert_eq!(game.wrong(), [""; 0]);
        assert_eq!(field(&game, "ok"), Some(Value::Bool(true)));
        assert_eq!(field(&game, "searching"), Some(Value::Bool(false)));
        assert_eq!(field(&game, "why"), None);
        // The first solid's line begins at -400, the second one's at 350, and there is a place every 4 px.
        assert_eq!(field(&game, "x"), Some(Value::Float(0.0)));
        assert_eq!(field(&game, "start_off"), Some(Value::Float(1.0)));
        let Some(Value::Float(off)) = field(&game, "end_off") else { panic!("no distance") };
        assert!(off < 30.0, "{off}");
        let Some(Value::List(moves)) = field(&game, "moves") else { panic!("no moves") };
        let mut names = Vec::new();
        let mut times = 0.0;
        for step in moves.iter() {
            let Value::Map(step) = step else { panic!("{step:?}") };
            let Some(Value::Float(time)) = step.get("time") else { panic!("{step:?}") };
            let Some(Value::Text(name)) = step.get("move") else { panic!("{step:?}") };
            times += time;
            names.push(name.clone());
            for key in ["x", "y", "side", "steer", "hold", "down", "hook"] {
                assert!(step.contains_key(key), "{key} in {step:?}");
            }
        }
        assert!(names.contains(&"jump".into()), "{names:?}");
        let Some(Value::Float(all)) = field(&game, "time") else { panic!("no time") };
        assert!((all - times).abs() < 1e-9);
        // Each tick has searched, and the answer stays.
        let Value::Int(first) = game.var("first") else { panic!("never found") };
        assert!(first > 1 && first < 100, "{first}");
    });
}

#[test]
fn why_there_is_no_route_is_in_the_answer() {
    on_large_stack(|| {
        let level = |view: &str| format!("view = \"{view}\"\n{LEVEL}");
        for (kind, to, level, why) in [
            ("hero", "700, 600", level("side"), "there is no place to stand near (x2, y2)"),
            (
                "skater",
                "700, 19",
                level("side"),
                "only `platformer` bodies with a `rest_spacing` above 0 have rest positions",
            ),
            (
                "skater",
                "700, 19",
                level("top").replace("kind = \"hero\"", "kind = \"hero\"\nmodel = \"topdown\""),
                "routes can only be found in a side view",
            ),
        ] {
            let script = format!("fn on_tick(me) {{ this.route = world::route(\"{kind}\", 0, 19, {to}); }}");
            let mut game = game(&script, &level);
            game.ticks(10);
            assert_eq!(game.wrong(), [""; 0]);
            assert_eq!(field(&game, "ok"), Some(Value::Bool(false)));
            assert_eq!(field(&game, "searching"), Some(Value::Bool(false)));
            let Some(Value::Text(got)) = field(&game, "why") else { panic!("no reason: {kind}") };
            assert!(got.contains(why), "{got}");
        }
    });
}

#[test]
fn unknown_kinds_and_arguments_that_are_not_numbers_are_refused() {
    on_large_stack(|| {
        for (call, why) in [
            ("world::route(this.kind, 0, 19, 700, 19)", "there is no kind `heroo`; did you mean `hero`?"),
            ("world::route(\"hero\", 0, 19, 0.0 / 0.0, 19)", "`x2` of `route` cannot be NaN"),
            ("world::route(\"hero\", 0, 19, 700, this.kind)", "number"),
        ] {
            let script = format!("fn on_birth(me) {{ this.kind = \"heroo\"; }}\nfn on_tick(me) {{ {call}; }}");
            let mut game = game(&script, LEVEL);
            game.ticks(3);
            let wrong = game.wrong();
            assert!(wrong.iter().any(|wrong| wrong.contains(why)), "{call}: {wrong:?}");
        }
    });
}
