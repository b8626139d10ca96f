//! Levels that scripts start again, and other levels that they play.

use crate::{
    common::RATES,
    folder::{Folder, Game, on_large_stack},
    program::{code, err, out, run},
};
use hangtime::{
    models::Action,
    playtest::{HeavyTwin, calls::calls_of_tests},
    project::{OtherLevels, Project, check},
    sim::{Inputs, Value},
};
use std::sync::Arc;

/// A game whose scripts can play the folder's other levels.
fn game(folder: &Folder, hz: u32) -> Game {
    let project = Project::load(folder.root()).expect("a folder");
    let settings = vec![("simulation.tick_hz".to_string(), hz.to_string())];
    let levels = OtherLevels::of_game(project.folder().clone(), settings);
    let mut game = Game::new(folder.open_at(hz));
    game.live.use_levels(Some(Arc::new(levels)));
    game
}

/// A lift by the clock, a switch, and a hero who starts the level again after some ticks.
const LEVEL: &str = r#"
[[solid]]
name = "floor"
points = [[-1000, -100], [1000, -100], [1000, 0], [-1000, 0]]
[[solid]]
name = "lift"
points = [[300, -20], [400, -20], [400, 0], [300, 0]]
path = { points = [[0, 0], [0, 120]], speed = 60 }
[[solid]]
name = "door"
points = [[-300, 0], [-280, 0], [-280, 90], [-300, 90]]
present = true
[[entity]]
kind = "hero"
at = [0, 19]
player = 1
"#;

#[test]
fn a_restart_is_the_same_game_again() {
    on_large_stack(|| {
        for hz in RATES {
            for after in [1_u64, 7, 40] {
                let folder = Folder::with_script(&format!(
                    r#"
                    fn on_tick(me) {{
                        this.n += 1;
                        this.drawn = world::random();
                        this.time = world::time();
                        if this.n == 1 {{ me.after(0.05, "late"); world::set_solid("door", false); }}
                        if this.n % 3 == 0 {{ me.tune("platformer.jump_speed", 100 + this.n); }}
                        if this.n == {after} {{ world::restart(); }}
                    }}
                    "#
                ));
                folder.write("levels/level.toml", LEVEL);
                let mut game = game(&folder, hz);
                let mut twin = HeavyTwin::new(&game.live);
                let mut first = Vec::new();
                game.input.held.insert(Action::Right);
                for tick in 0..4 * after {
                    twin.step(&mut game.live, &Inputs::of_first(game.input)).expect("no difference");
                    let live = &game.live;
                    let stage = &live.revision().stage;
                    let lift = live.world().standing(stage).offsets[0];
                    let hero = game.hero();
                    let seen = (hero.pos, hero.vel, hero.age, lift, game.var("drawn"), game.var("time"));
                    // The tick that starts the level again ends where the level begins.
                    if tick < after {
                        first.push(seen);
                    } else {
                        let place = (tick % after) as usize;
                        assert_eq!(seen, first[place], "tick {tick}, again after {after} at {hz} Hz");
                    }
                    assert_eq!(live.world().ticks(), tick + 1);
                    game.note_report();
                }
                assert_eq!(game.wrong(), [""; 0]);
            }
        }
    });
}

#[test]
fn a_restart_hands_over_the_last_checkpoint() {
    on_large_stack(|| {
        for (call, expected) in [
            ("world::restart();", Value::Unit),
            ("world::checkpoint(7); world::restart();", Value::Int(7)),
            ("world::restart(); world::checkpoint(8);", Value::Int(8)),
            ("world::checkpoint(7); world::restart(9);", Value::Int(9)),
            ("if this.got == () { world::restart([1]); } else { world::restart(); }", Value::List(vec![Value::Int(1)])),
        ] {
            let folder = Folder::with_script(&format!(
                "fn on_birth(me) {{ this.got = world::handed(); }}\n\
                 fn on_tick(me) {{ this.n += 1; if this.n == 2 {{ {call} }} }}"
            ));
            let mut game = game(&folder, 60);
            game.ticks(2);
            // Again and again: what was handed over stays the checkpoint.
            for _ in 0..3 {
                game.ticks(1);
                assert_eq!((game.var("n"), game.var("got")), (Value::Int(1), expected.clone()), "{call}");
                game.ticks(1);
            }
            assert_eq!(game.wrong(), [""; 0], "{call}");
        }
    });
}

/// Two levels that lead to each other.
fn two_levels(script: &str) -> Folder {
    let folder = Folder::with_script(script);
    folder.write("levels/level.toml", LEVEL);
    let other = LEVEL.replace("at = [0, 19]", "at = [-500, 19]").replace("\"lift\"", "\"raft\"");
    folder.write("levels/two.toml", &other);
    folder
}

#[test]
fn a_trace_says_which_level_is_played_from_the_first_line_on() {
    let folder = two_levels(
        "fn on_tick(me) { this.n += 1; if this.n == 4 { world::play_level(if me.x == 0 { \"two\" } else { \"level\" }); } }",
    );
    for every in [1, 3] {
        let every = every.to_string();
        let arguments = ["run", "level", "--ticks", "14", "--trace", "-", "--trace-every", &every];
        let traced = run(folder.root(), &arguments);
        assert_eq!(code(&traced), 0, "{}", err(&traced));
        let said = out(&traced);
        let lines: Vec<serde_json::Value> =
            said.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!(lines[0]["level"], "levels/level.toml");
        let mut level = "levels/level.toml".to_string();
        let mut changes = 0;
        for line in &lines[1..] {
            if let Some(plays) = line["plays"].as_str() {
                assert_ne!(plays, level, "only when it changes");
                level = plays.into();
                changes += 1;
            }
            let start = if level == "levels/two.toml" { -500.0 } else { 0.0 };
            let x = line["entities"][0]["pos"][0].as_f64();
            assert_eq!(x, Some(start), "{line}");
        }
        // In ticks 5, 9 and 13; the line after the last of them is not written with steps of three.
        assert_eq!(changes, if every == "1" { 3 } else { 2 });
    }
}

#[test]
fn another_level_begins_in_the_next_tick_with_what_is_handed_over() {
    on_large_stack(|| {
        for hz in RATES {
            let folder = two_levels(
                r#"
                fn on_birth(me) { this.got = world::handed(); this.born = world::tick(); }
                fn on_tick(me) {
                    this.n += 1;
                    this.time = world::time();
                    if this.n == 5 && this.got == () { world::play_level("two", #{ coins: 3, way: [1, "x"] }); }
                }
                "#,
            );
            let mut game = game(&folder, hz);
            let mut twin = HeavyTwin::new(&game.live);
            for tick in 1..=20_u64 {
                twin.step(&mut game.live, &Inputs::none()).expect("no difference");
                let level = game.live.revision().stage.level.name.to_string();
                let expected = if tick <= 5 { "levels/level.toml" } else { "levels/two.toml" };
                assert_eq!(level, expected, "tick {tick}");
                assert_eq!(game.live.world().ticks(), tick);
                game.note_report();
            }
            assert_eq!(game.wrong(), [""; 0]);
            assert_eq!(game.hero().pos.x, -500.0);
            let Value::Map(got) = game.var("got") else { panic!("nothing was handed over") };
            assert_eq!(got["coins"], Value::Int(3));
            assert_eq!(got["way"], Value::List(vec![Value::Int(1), Value::Text("x".into())]));
            assert_eq!(game.var("born"), Value::Int(5));
            assert_eq!(game.var("time"), Value::Float(14.0 / f64::from(hz)));
        }
    });
}

/// A menu without a body has no entity that remembers the keys of its player.
#[test]
fn a_key_that_a_menu_has_read_is_not_pressed_again_in_the_level_that_it_opens() {
    on_large_stack(|| {
        for hz in RATES {
            let folder = Folder::with_script("fn on_tick(me) { if me.pressed(\"jump\") { this.n += 1; } }");
            folder.write("levels/two.toml", LEVEL);
            let menu = LEVEL.split("[[entity]]").next().expect("solids");
            folder.write("levels/level.toml", &format!("script = \"menu.rhai\"\n{menu}"));
            let read = "fn on_tick(me) { if world::pressed(\"jump\") { world::play_level(\"two\"); } }";
            folder.write("scripts/menu.rhai", read);
            let mut game = game(&folder, hz);
            game.ticks(3);
            game.input.held.insert(Action::Jump);
            game.ticks(6);
            assert_eq!(game.live.revision().stage.level.name.to_string(), "levels/two.toml");
            assert_eq!((game.var("n"), game.hero().pos.y), (Value::Int(0), 19.0), "at {hz} Hz");
            game.input.held = [].into_iter().collect();
            game.ticks(1);
            game.input.held.insert(Action::Jump);
            game.ticks(2);
            assert_eq!(game.var("n"), Value::Int(1), "at {hz} Hz");
            assert_eq!(game.wrong(), [""; 0]);
        }
    });
}

#[test]
fn levels_in_a_circle_and_restarts_in_every_tick_continue() {
    on_large_stack(|| {
        for call in [
            "world::play_level(if me.x == 0 { \"two\" } else { \"level\" });",
            "world::play_level(\"two\");",
            "world::restart();",
            "world::restart(); world::play_level(\"two\"); world::restart();",
        ] {
            let folder = two_levels(&format!("fn on_tick(me) {{ {call} }}"));
            let mut game = game(&folder, 60);
            game.ticks(200);
            assert_eq!(game.wrong(), [""; 0], "{call}");
            assert_eq!(game.live.world().ticks(), 200);
        }
    });
}

#[test]
fn a_level_that_cannot_be_played_is_reported_and_the_game_continues() {
    on_large_stack(|| {
        for (name, message) in
            [("tow", "did you mean `two"), ("broken", "broken.toml"), ("../../etc/passwd", "cannot be played")]
        {
            let folder = two_levels(&format!(
                "fn on_tick(me) {{ this.n += 1; if this.n < 4 {{ world::play_level(\"{name}\"); }} }}"
            ));
            folder.write("levels/broken.toml", "[[solid]]\npoints = [[0, 0]]\n");
            let mut game = game(&folder, 60);
            game.ticks(10);
            let wrong = game.wrong();
            assert_eq!(wrong.len(), 3, "{wrong:?}");
            assert!(wrong[0].contains(message), "{wrong:?}");
            assert_eq!(game.var("n"), Value::Int(10));
        }
        let folder = two_levels("fn on_tick(me) { world::play_level(\"\"); }");
        let mut game = game(&folder, 60);
        game.ticks(1);
        assert!(game.wrong()[0].contains("must be the name of a level"));
    });
}

#[test]
fn check_knows_the_names_of_levels() {
    let folder = two_levels("fn on_tick(me) { world::play_level(\"tow\"); }");
    let report = check(folder.root(), &[], &calls_of_tests()).expect("a check");
    let lines: Vec<String> = report.diagnostics.iter().map(|d| d.headline()).collect();
    assert!(lines.iter().any(|line| line.contains("there is no level `tow`; did you mean `two`?")), "{lines:?}");
}

#[test]
fn what_is_handed_over_is_small_and_plain() {
    on_large_stack(|| {
        for (data, message) in [
            ("|| 3", "what is handed over cannot contain a function"),
            ("[0.0 / 0.0]", "cannot contain NaN"),
            (
                "[[1,2,3,4,5,6,7,8,9,10],[1,2,3,4,5,6,7,8,9,10],[1,2,3,4,5,6,7,8,9,10],[1,2,3,4,5,6,7,8,9,10],[1,2,3,4,5,6,7,8,9,10],[1,2,3,4,5,6,7,8,9,10]]",
                "at most 64 values",
            ),
        ] {
            for call in ["restart", "checkpoint"] {
                let folder = two_levels(&format!("fn on_tick(me) {{ world::{call}({data}); }}"));
                let mut game = game(&folder, 60);
                game.ticks(1);
                let wrong = game.wrong();
                assert!(wrong.first().is_some_and(|w| w.contains(message)), "{call}: {wrong:?}");
            }
        }
    });
}

#[test]
fn a_test_plays_the_levels_that_its_level_leads_to() {
    on_large_stack(|| {
        let folder = two_levels(
            "fn on_tick(me) { if me.pressed(\"up\") { world::play_level(\"two\", 3); } }\nfn on_birth(me) { this.n = world::handed() ?? 0; }",
        );
        folder.write(
            "levels/tests/both.rhai",
            r#"
            fn test_both() {
                let t = play("level");
                t.ticks(3);
                let hero = t.entity("hero");
                expect(hero.x).equals(0);
                let before = t.snapshot();
                t.press("up");
                t.ticks(2);
                expect(hero.x).equals(-500);
                expect(hero.vars.n).equals(3);
                expect(t.tick).equals(5);
                t.restore(before);
                t.ticks(1);
                expect(hero.x).equals(0);
            }
            "#,
        );
        let project = Project::load(folder.root()).expect("a folder");
        let found = hangtime::project::files::find_tests(project.folder(), &[]).expect("tests");
        for case in hangtime::playtest::collect(&project, &found) {
            for result in
                [hangtime::playtest::run_case(&project, &case), hangtime::playtest::run_heavy_case(&project, &case)]
            {
                assert!(result.passed(), "{}", result.report(false));
            }
        }
    });
}

#[test]
fn what_is_kept_stays_when_a_script_starts_the_level_again_or_plays_another_one() {
    on_large_stack(|| {
        for order in ["world::restart()", "world::play_level(\"two\")"] {
            let script = format!(
                "fn on_birth(me) {{ this.found = world::kept(\"n\"); }}\n\
                 fn on_tick(me) {{ if this.found == () {{ world::keep(\"n\", 7); }} if me.age > 0.1 && this.found == () {{ {order}; }} }}\n"
            );
            let folder = two_levels(&script);
            let mut game = game(&folder, 60);
            game.ticks(30);
            assert_eq!(game.wrong(), [""; 0], "{order}");
            let kept = game.live.world().kept().get("n").cloned();
            assert_eq!(kept, Some(Value::Int(7)), "{order}");
            assert_eq!(game.var("found"), Value::Int(7), "{order}");
        }
    });
}
