//! The commands: what they print, and their exit codes.

use crate::folder::Folder;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

/// Runs the program in a folder.
pub fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hangtime"))
        .args(arguments)
        .current_dir(folder)
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .output()
        .expect("the program starts")
}

pub fn code(output: &Output) -> i32 {
    output.status.code().expect("an exit code")
}

pub fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn game() -> Folder {
    Folder::with_script("fn on_tick(me) { this.n += 1; }")
}

/// The lines of a trace: the header, then the ticks.
fn trace(folder: &Folder, arguments: &[&str]) -> Vec<Value> {
    let mut all = vec!["run", "levels/level.toml", "--trace", "-"];
    all.extend(arguments);
    let output = run(folder.root(), &all);
    assert_eq!(code(&output), 0, "{}", err(&output));
    out(&output)
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

#[test]
fn a_trace_has_a_header_and_a_line_for_each_tick_from_0() {
    let lines = trace(&game(), &["--ticks", "5", "--seed", "9"]);
    assert_eq!(lines.len(), 1 + 6);
    let header = &lines[0];
    assert_eq!(header["trace"], 1);
    assert_eq!(header["level"], "levels/level.toml");
    assert_eq!(header["tick_hz"], 60);
    assert_eq!(header["seed"], 9);
    assert_eq!(header["revision"], 1);
    for (tick, line) in lines[1..].iter().enumerate() {
        assert_eq!(line["tick"], tick);
        assert_eq!(line["time"], tick as f64 / 60.0);
        assert_eq!(line["hash"].as_str().map(str::len), Some(16));
        let hero = &line["entities"][0];
        for (key, value) in [
            ("id", serde_json::json!(1)),
            ("name", serde_json::json!("hero")),
            ("kind", serde_json::json!("hero")),
            ("model", serde_json::json!("platformer")),
            ("mode", serde_json::json!("ground")),
            ("pos", serde_json::json!([-200.0, 19.0, 0.0])),
            ("vel", serde_json::json!([0.0, 0.0, 0.0])),
            ("external", serde_json::json!([0.0, 0.0, 0.0])),
            ("angle", serde_json::json!(0.0)),
            ("spin", serde_json::json!(0.0)),
            ("grounded", serde_json::json!(true)),
            ("facing", serde_json::json!(1)),
            (
                "hook",
                serde_json::json!({"state": "idle", "tip": [0.0, 0.0], "length": 0.0}),
            ),
            ("feet", serde_json::json!([])),
            ("vars", serde_json::json!({"n": tick})),
        ] {
            assert_eq!(hero[key], value, "{key} at tick {tick}");
        }
    }
    assert_eq!(lines[1]["events"][0]["event"], "birth");
    assert_eq!(lines[1]["events"][0]["entity"], "hero");
}

#[test]
fn a_trace_reads_back_bit_for_bit() {
    let folder = game();
    folder.write("walk.input", "20 right\n10 right jump\n");
    let lines = trace(&folder, &["--input", "walk.input"]);
    assert_eq!(lines.len(), 1 + 31);
    let project = hangtime::project::Project::load(folder.root()).expect("a folder");
    let level = folder.path("levels/level.toml");
    let revision = project.open(&level, &vec![]).expect("a good level");
    let mut live = hangtime::project::Live::new(std::sync::Arc::new(revision), 0);
    let text = std::fs::read_to_string(folder.path("walk.input")).expect("the file");
    let file = hangtime::script::host::SourceFile {
        name: "walk.input".into(),
        text,
    };
    let input = hangtime::project::InputScript::parse(&file.into()).expect("a good file");
    let track = input.track(60);
    for line in &lines[1..] {
        let hero = live.views().next().expect("a hero");
        let part = |key: &str, i: usize| line["entities"][0][key][i].as_f64().map(f64::to_bits);
        assert_eq!(part("pos", 0), Some(hero.pos.x.to_bits()));
        assert_eq!(part("pos", 1), Some(hero.pos.y.to_bits()));
        assert_eq!(part("vel", 0), Some(hero.vel.x.to_bits()));
        assert_eq!(part("vel", 1), Some(hero.vel.y.to_bits()));
        assert_eq!(line["hash"], format!("{:016x}", live.world().hash()));
        live.step(&track.at(live.world().ticks()));
    }
}

#[test]
fn a_thinned_trace_keeps_the_events_between_its_lines() {
    let folder = game();
    folder.write("hop.input", "3\n1 jump\n56\n");
    let all = trace(&folder, &["--input", "hop.input"]);
    let thin = trace(&folder, &["--input", "hop.input", "--trace-every", "20"]);
    let ticks: Vec<_> = thin[1..]
        .iter()
        .map(|l| l["tick"].as_u64().expect("a tick"))
        .collect();
    assert_eq!(ticks, [0, 20, 40, 60]);
    let events = |lines: &[Value]| -> Vec<Value> {
        lines[1..]
            .iter()
            .flat_map(|l| l["events"].as_array().expect("events").clone())
            .collect()
    };
    assert_eq!(events(&all), events(&thin));
    assert!(
        events(&all)
            .iter()
            .any(|e| e["event"] == "land" && e["tick"].as_u64() > Some(4))
    );
}

#[test]
fn a_trace_can_show_some_entities_alone() {
    let folder = game();
    folder.write(
        "levels/level.toml",
        &format!(
            "{}[[entity]]\nkind = \"hero\"\nname = \"other\"\nat = [-400, 19]\n",
            crate::folder::LEVEL
        ),
    );
    let lines = trace(&folder, &["--ticks", "3", "--trace-only", "other"]);
    for line in &lines[1..] {
        let names: Vec<_> = line["entities"]
            .as_array()
            .expect("entities")
            .iter()
            .map(|e| &e["name"])
            .collect();
        assert_eq!(names, ["other"]);
        assert!(
            line["events"]
                .as_array()
                .expect("events")
                .iter()
                .all(|e| e["entity"] == "other")
        );
    }
}

#[test]
fn a_run_ends_with_ticks_rate_and_hash() {
    let output = run(game().root(), &["run", "level", "--ticks", "40"]);
    let text = err(&output);
    let last = text.lines().last().expect("a line");
    let words: Vec<&str> = last.split(' ').collect();
    assert!(
        matches!(words[..], ["40", "ticks,", _, "ticks/s,", "hash", hash] if hash.len() == 16),
        "{last}"
    );
    assert!(out(&output).is_empty());
}

#[test]
fn a_run_without_ticks_lasts_as_long_as_its_input_its_demo_or_600() {
    let folder = game();
    let length = |arguments: &[&str]| trace(&folder, arguments).len() - 2;
    assert_eq!(length(&[]), 600);
    folder.write("five.input", "5 right\n");
    assert_eq!(length(&["--input", "five.input"]), 5);
    folder.write("levels/demo.input", "7 right\n");
    folder.write(
        "levels/level.toml",
        &format!("demo = \"demo.input\"\n{}", crate::folder::LEVEL),
    );
    assert_eq!(length(&[]), 7);
    assert_eq!(length(&["--ticks", "3"]), 3);
    assert_eq!(length(&["--input", "five.input"]), 5);
    let lines = trace(&folder, &[]);
    assert!(
        lines[8]["entities"][0]["pos"][0].as_f64() > Some(-200.0),
        "the demo played"
    );
}

#[test]
fn settings_and_input_headers_take_effect_and_the_command_line_wins() {
    let folder = game();
    folder.write(
        "slow.input",
        "seed 4\nset simulation.tick_hz=30\n10 right\n",
    );
    let lines = trace(&folder, &["--input", "slow.input"]);
    assert_eq!(
        (&lines[0]["tick_hz"], &lines[0]["seed"]),
        (&30.into(), &4.into())
    );
    let lines = trace(
        &folder,
        &[
            "--input",
            "slow.input",
            "--set",
            "simulation.tick_hz=120",
            "--seed",
            "5",
        ],
    );
    assert_eq!(
        (&lines[0]["tick_hz"], &lines[0]["seed"]),
        (&120.into(), &5.into())
    );
    let lines = trace(
        &folder,
        &["--ticks", "1", "--set", "entities.hero.model=two_velocity"],
    );
    assert_eq!(lines[1]["entities"][0]["model"], "two_velocity");
}

#[test]
fn pictures_are_written() {
    let folder = game();
    let output = run(
        folder.root(),
        &[
            "run", "level", "--ticks", "30", "--png", "last.png", "--gif", "film.gif",
        ],
    );
    assert_eq!(code(&output), 0, "{}", err(&output));
    let png = std::fs::read(folder.path("last.png")).expect("a picture");
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    let gif = std::fs::read(folder.path("film.gif")).expect("a film");
    assert_eq!(&gif[..6], b"GIF89a");
}

#[test]
fn a_script_error_goes_on_unless_strict() {
    let folder = Folder::with_script("fn on_tick(me) { nonsense(); }");
    let relaxed = run(folder.root(), &["run", "level", "--ticks", "10"]);
    assert_eq!(code(&relaxed), 0);
    let text = err(&relaxed);
    assert!(
        text.contains("scripts/hero.rhai:1:18: error: there is no function `nonsense"),
        "{text}"
    );
    assert!(text.contains("(10 times)"), "{text}");
    let strict = run(
        folder.root(),
        &["run", "level", "--ticks", "10", "--strict"],
    );
    assert_eq!(code(&strict), 1);
}

#[test]
fn what_cannot_be_used_is_exit_code_2() {
    let folder = game();
    folder.write("bad.input", "30 nowhere\n");
    folder.write("levels/bad.toml", "solid = 5\n");
    for (arguments, what) in [
        (&["run"][..], "LEVEL"),
        (&["run", "levle"], "did you mean `level`?"),
        (&["run", "bad"], "levels/bad.toml:1:9: error:"),
        (
            &["run", "level", "--input", "none.input"],
            "there is no such file",
        ),
        (
            &["run", "level", "--input", "bad.input"],
            "bad.input:1:4: error:",
        ),
        (
            &["run", "level", "--set", "platformer.x=1"],
            "unknown key `x`",
        ),
        (&["run", "level", "--set", "nonsense"], "KEY=VALUE"),
        (&["run", "level", "--ticks", "many"], "many"),
        (&["run", "level", "--trace-every", "0"], "0"),
        (
            &["run", "level", "--trace", "no/such/folder/t.jsonl"],
            "cannot be written",
        ),
        (&["fly"], "fly"),
        (&["check", "none.toml"], "there is no such file"),
        (&["test", "none.rhai"], "there is no such file"),
        (&["--root", "nowhere", "check"], "there is no such folder"),
    ] {
        let output = run(folder.root(), arguments);
        assert_eq!(code(&output), 2, "{arguments:?}: {}", err(&output));
        assert!(
            err(&output).contains(what),
            "{arguments:?}: {}",
            err(&output)
        );
        assert!(out(&output).is_empty(), "{arguments:?}: {}", out(&output));
    }
}

#[test]
fn check_tells_errors_with_exit_code_1_and_warnings_with_0() {
    let folder = game();
    let good = run(folder.root(), &["check"]);
    assert_eq!((code(&good), out(&good).as_str()), (0, ""));
    folder.write("config/models/platformer.toml", "jump_sped = 5\n");
    let bad = run(folder.root(), &["check"]);
    assert_eq!(code(&bad), 1);
    let text = out(&bad);
    assert!(text.starts_with("config/models/platformer.toml:1:1: error: unknown key `jump_sped`; did you mean `jump_speed`?\n"), "{text}");
    assert!(
        text.contains("jump_sped = 5") && text.contains("^^^^^^^^^"),
        "{text}"
    );
    let json = run(folder.root(), &["check", "--format", "json"]);
    assert_eq!(code(&json), 1);
    let found: Value = serde_json::from_str(&out(&json)).expect("JSON");
    assert_eq!(found.as_array().map(Vec::len), Some(1));
    assert_eq!(found[0]["file"], "config/models/platformer.toml");
    assert_eq!(
        (&found[0]["line"], &found[0]["col"]),
        (&1.into(), &1.into())
    );
    assert_eq!(found[0]["severity"], "error");
    folder.write("config/models/platformer.toml", "");
    folder.write("levels/level.toml", "surface = \"marble\"\n");
    let warned = run(folder.root(), &["check"]);
    assert_eq!(code(&warned), 0, "{}", out(&warned));
    assert!(out(&warned).contains("warning"));
}

#[test]
fn check_looks_at_the_files_it_is_given() {
    let folder = game();
    folder.write("config/models/platformer.toml", "jump_sped = 5\n");
    folder.write("scripts/broken.rhai", "fn on_lnad(me) { }\n");
    folder.write("levels/tests/broken.rhai", "fn test_it(x) { }\n");
    for (path, wrong) in [
        ("scripts/hero.rhai", 0),
        ("scripts/broken.rhai", 1),
        ("scripts", 1),
        ("config/surfaces.toml", 0),
        ("config/models/platformer.toml", 1),
        ("levels/tests", 1),
    ] {
        let output = run(folder.root(), &["check", path]);
        assert_eq!(code(&output), wrong, "{path}: {}", out(&output));
    }
}

#[test]
fn tests_are_found_run_filtered_and_listed() {
    let folder = game();
    assert_eq!(
        code(&run(folder.root(), &["test"])),
        4,
        "there are none yet"
    );
    folder.write(
        "levels/tests/a.rhai",
        "fn test_good() { let t = play(\"level.toml\"); t.ticks(3); expect(t.tick).equals(3); }\n\
         fn test_bad() {\n  let t = play(\"level.toml\");\n  t.run(0.5);\n  expect(t.entity(\"hero\").y).above(20, \"high\");\n}\n\
         fn helper() { }\n",
    );
    folder.write("levels/tests/broken.rhai", "fn test_x( {\n");
    let all = run(folder.root(), &["test"]);
    assert_eq!(code(&all), 100);
    let text = out(&all);
    assert_eq!(text.lines().last(), Some("1 passed, 2 failed"), "{text}");
    assert!(
        text.contains("levels/tests/a.rhai:5:30: error: high: expected above 20, got 19"),
        "{text}"
    );
    assert!(
        text.contains("expected: above 20") && text.contains("got:      19"),
        "{text}"
    );
    assert!(text.contains("tick:     30"), "{text}");
    assert!(
        text.contains("hangtime test levels/tests/a.rhai --filter test_bad"),
        "{text}"
    );
    assert!(text.contains("levels/tests/broken.rhai:1:"), "{text}");
    let good = run(folder.root(), &["test", "--filter", "good"]);
    assert_eq!(
        (code(&good), out(&good).lines().last()),
        (0, Some("1 passed, 0 failed"))
    );
    let one = run(folder.root(), &["test", "levels/tests/a.rhai"]);
    assert_eq!(out(&one).lines().last(), Some("1 passed, 1 failed"));
    let list = run(folder.root(), &["test", "levels/tests/a.rhai", "--list"]);
    assert_eq!(
        out(&list),
        "levels/tests/a.rhai::test_good\nlevels/tests/a.rhai::test_bad\n"
    );
    assert_eq!(code(&list), 0);
    assert_eq!(
        code(&run(
            folder.root(),
            &["test", "--filter", "nothing like it"]
        )),
        4
    );
}

#[test]
fn a_failing_behaviour_fails_the_test_that_plays_it() {
    let folder = Folder::with_script("fn on_tick(me) { nonsense(); }");
    folder.write(
        "levels/tests/a.rhai",
        "fn test_it() { play(\"level.toml\").ticks(3); }",
    );
    let output = run(folder.root(), &["test"]);
    assert_eq!(code(&output), 100);
    assert!(
        out(&output).contains("a behaviour failed: scripts/hero.rhai:1:18"),
        "{}",
        out(&output)
    );
}

#[test]
fn what_a_test_may_do() {
    let folder = game();
    folder.write("levels/tests/walk.input", "12 right\n");
    folder.write(
        "levels/tests/a.rhai",
        r#"
        fn test_settings_and_rate() {
            let t = play("level.toml", #{ "simulation.tick_hz": 120 });
            t.run(0.5);
            expect(t.tick).equals(60);
        }
        fn test_hold_press_release() {
            let t = play("level.toml");
            let hero = t.entity("hero");
            t.hold("right");
            t.ticks(10);
            expect(hero.vel.x).above(360);
            t.release("right");
            t.run(1);
            expect(hero.vel.x).equals(0);
            t.press("jump");
            t.ticks(1);
            expect(hero.vel.y).equals(540);
            t.ticks(1);
            expect(hero.vel.y).below(0, "a press is a tick long");
        }
        fn test_axis() {
            let t = play("level.toml", #{ "entities.hero.model": "two_velocity" });
            t.axis("move", -1, 0);
            t.ticks(3);
            expect(t.entity("hero").vel.x).below(0);
        }
        fn test_run_until() {
            let t = play("level.toml");
            let hero = t.entity("hero");
            t.hold("right");
            t.run_until(|t| hero.x > -100, 2);
            expect(hero.x).near(-100, 11);
            t.run_until(|t| t.tick > 100, 2);
            expect(t.tick).equals(101);
        }
        fn test_input_and_tune() {
            let t = play("level.toml");
            let hero = t.entity("hero");
            t.input("walk.input");
            expect(t.tick).equals(12);
            expect(hero.vel.x).near(360 + 650 * 0.2, 1e-9);
            t.tune("platformer.ground_decel", 1e6);
            t.ticks(1);
            expect(hero.vel.x).equals(0);
            expect(hero.vars.n).equals(13, "tuning keeps the state");
            expect(t.events("reload").len()).equals(1, "tuning is a reload");
        }
        fn test_events() {
            let t = play("level.toml");
            t.press("jump");
            t.run(1);
            let landings = t.events("land");
            expect(landings.len()).equals(1);
            expect(landings[0].solid).equals("floor");
            expect(landings[0].normal.y).equals(1);
            expect(landings[0].entity).equals("hero");
        }
        "#,
    );
    let output = run(folder.root(), &["test"]);
    assert_eq!(
        out(&output).lines().last(),
        Some("6 passed, 0 failed"),
        "{}",
        out(&output)
    );
}

#[test]
fn mistakes_in_tests_are_told_with_the_right_name() {
    let folder = game();
    for (line, what) in [
        ("play(\"levle.toml\");", "did you mean `level.toml`?"),
        (
            "let t = play(\"level.toml\"); t.entity(\"heor\");",
            "did you mean `hero`?",
        ),
        (
            "let t = play(\"level.toml\"); t.events(\"jmp\");",
            "did you mean `jump`?",
        ),
        (
            "let t = play(\"level.toml\"); t.hold(\"rigth\");",
            "did you mean `right`?",
        ),
        (
            "let t = play(\"level.toml\"); t.runn(1);",
            "did you mean `run`?",
        ),
        (
            "let t = play(\"level.toml\"); expect(t.entity(\"hero\").grunded).equals(true);",
            "did you mean `grounded`?",
        ),
        (
            "let t = play(\"level.toml\"); t.run_until(|t| false, 0.1);",
            "not met within 0.1 s",
        ),
        (
            "let t = play(\"level.toml\"); t.tune(\"platformer.jump_sped\", 3);",
            "did you mean `jump_speed`?",
        ),
        (
            "play(\"level.toml\", #{ \"simulation.tick_hz\": 3 });",
            "must be 10 to 1000 Hz",
        ),
        ("expect(1).equals(2);", "expected 2, got 1"),
        (
            "expect(\"a\").equals(\"b\", \"letters\");",
            "letters: expected \"b\", got \"a\"",
        ),
        ("expect(0.1 + 0.2).equals(0.3);", "got 0.30000000000000004"),
        ("expect(5).near(6, 0.5);", "expected within 0.5 of 6, got 5"),
    ] {
        folder.write(
            "levels/tests/a.rhai",
            &format!("fn test_it() {{\n  {line}\n}}\n"),
        );
        let output = run(folder.root(), &["test"]);
        assert_eq!(code(&output), 100, "{line}");
        assert!(out(&output).contains(what), "{line}: {}", out(&output));
        assert!(
            out(&output).contains("levels/tests/a.rhai:2:"),
            "{line}: {}",
            out(&output)
        );
    }
}

#[test]
fn help_names_the_commands_that_work_and_no_others() {
    let folder = game();
    let help = run(folder.root(), &["--help"]);
    assert_eq!(code(&help), 0);
    let text = out(&help);
    for command in ["play", "run", "test", "check"] {
        assert!(text.contains(&format!("  {command}")), "{text}");
    }
    for command in ["replay", "serve", "sweep", "api", "new"] {
        assert!(!text.contains(&format!("  {command}")), "{text}");
    }
}

#[test]
fn without_a_display_play_films_ten_seconds_of_the_demo() {
    let folder = game();
    folder.write(
        "levels/playground.toml",
        &format!("demo = \"d.input\"\n{}", crate::folder::LEVEL),
    );
    folder.write("levels/d.input", "60 right\n");
    let output = run(folder.root(), &["play"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    assert!(err(&output).contains("no window: "), "{}", err(&output));
    assert_eq!(out(&output), "playground.gif\n");
    let gif = std::fs::read(folder.path("playground.gif")).expect("a film");
    assert_eq!(&gif[..6], b"GIF89a");
}

#[test]
fn outside_a_game_folder_the_built_in_playground_is_played() {
    let folder = Folder::empty();
    let output = run(folder.root(), &[]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    let text = err(&output);
    let copy = text
        .lines()
        .find_map(|line| line.split_once("while it runs: "))
        .expect("a copy")
        .1;
    for file in [
        "levels/playground.toml",
        "scripts/hero.rhai",
        "config/entities/hero.toml",
    ] {
        assert!(Path::new(copy).join(file).is_file(), "{copy}/{file}");
    }
    assert!(folder.path("playground.gif").is_file());
    std::fs::remove_dir_all(copy).expect("the copy goes away");
}

#[test]
fn files_are_looked_for_here_and_then_under_the_root() {
    let folder = game();
    let elsewhere = Folder::empty();
    let root = folder.root().display().to_string();
    folder.write("there.input", "4 right\n");
    elsewhere.write("here.input", "3 right\n");
    for (input, ticks) in [("here.input", "3 ticks"), ("there.input", "4 ticks")] {
        let output = run(
            elsewhere.root(),
            &[
                "--root",
                &root,
                "run",
                "levels/level.toml",
                "--input",
                input,
            ],
        );
        assert!(err(&output).contains(ticks), "{}", err(&output));
    }
}

#[test]
fn an_input_file_may_name_the_level_it_is_for() {
    let folder = game();
    folder.write("plays/a.input", "level level.toml\n5 right\n");
    folder.write("plays/b.input", "level nowhere.toml\n5 right\n");
    folder.write("plays/c.input", "5 right\n");
    let ran = run(folder.root(), &["run", "--input", "plays/a.input"]);
    assert_eq!(code(&ran), 0, "{}", err(&ran));
    assert!(err(&ran).contains("5 ticks"));
    for (file, why) in [("b", "there is no such level"), ("c", "names no level")] {
        let file = format!("plays/{file}.input");
        let refused = run(folder.root(), &["run", "--input", &file]);
        assert_eq!(code(&refused), 2);
        assert!(err(&refused).contains(why), "{}", err(&refused));
    }
    assert_eq!(code(&run(folder.root(), &["run"])), 2);
    // The command line wins.
    let ran = run(folder.root(), &["run", "level", "--input", "plays/b.input"]);
    assert_eq!(code(&ran), 0, "{}", err(&ran));
}

#[test]
fn the_only_level_of_a_game_is_played_without_being_named() {
    let folder = game();
    let played = run(folder.root(), &["play"]);
    assert_eq!(code(&played), 0, "{}", err(&played));
    assert_eq!(out(&played), "level.gif\n");
}

#[test]
fn what_nothing_reads_is_told() {
    let folder = game();
    folder.write("config/models/platfromer.toml", "jump_speed = 3\n");
    folder.write("config/notes.toml", "x = 3\n");
    let checked = run(folder.root(), &["check"]);
    assert_eq!(code(&checked), 1);
    let said = out(&checked);
    assert!(
        said.contains("did you mean `config/models/platformer.toml`?"),
        "{said}"
    );
    assert!(
        said.contains("config/notes.toml: warning: nothing reads this file"),
        "{said}"
    );
}

#[test]
fn a_test_cannot_write_what_it_reads_and_says_so() {
    let folder = game();
    for (line, why) in [
        ("h.vel.x = 300;", "`vel` cannot be written"),
        ("h.x = 300;", "`x` cannot be written"),
        ("h.vars.n = 3;", "`vars` cannot be written"),
        ("t.ticks(999999999);", "a test plays at most 1000000 ticks"),
    ] {
        let test = format!(
            "fn test_it() {{ let t = play(\"level.toml\"); let h = t.entity(\"hero\"); {line} t.ticks(1); }}"
        );
        folder.write("levels/tests/a.rhai", &test);
        let tested = run(folder.root(), &["test"]);
        assert_eq!(code(&tested), 100);
        assert!(out(&tested).contains(why), "{}", out(&tested));
    }
}

#[test]
fn a_closure_that_uses_what_it_is_passed_to_is_found_without_running() {
    let folder = game();
    let test =
        "fn test_it() {\n  let t = play(\"level.toml\");\n  t.run_until(|| t.tick > 3, 2);\n}\n";
    folder.write("levels/tests/a.rhai", test);
    let checked = run(folder.root(), &["check"]);
    assert_eq!(code(&checked), 1);
    let said = out(&checked);
    assert!(
        said.contains("levels/tests/a.rhai:3:18: error: this closure uses `t`"),
        "{said}"
    );
}

#[test]
fn a_mistake_in_a_module_is_told_once_where_it_stands() {
    let folder = game();
    folder.write("scripts/lib/m.rhai", "fn f() { let }\n");
    folder.write(
        "scripts/hero.rhai",
        "import \"lib/m\" as m;\nfn on_tick(me) { m::f(); }\n",
    );
    let said = out(&run(folder.root(), &["check"]));
    assert_eq!(said.matches("scripts/lib/m.rhai:1:").count(), 1, "{said}");
    assert!(!said.contains("as it"), "{said}");
}

#[test]
fn a_reader_that_goes_away_ends_the_program_quietly() {
    let folder = game();
    folder.write("levels/tests/a.rhai", "fn test_it() { }\n");
    for arguments in [
        &["test", "--list"][..],
        &["test"],
        &["run", "level", "--trace", "-"],
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_hangtime"))
            .args(arguments)
            .current_dir(folder.root())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("the program starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(code(&output), 0, "{arguments:?} {}", err(&output));
        assert!(!err(&output).contains("panicked"), "{}", err(&output));
    }
}

#[test]
fn marks_that_editors_write_first_are_no_mistake() {
    let folder = game();
    folder.write(
        "scripts/hero.rhai",
        "\u{feff}fn on_tick(me) { this.n += 1; }",
    );
    folder.write("a.input", "\u{feff}5 right\n");
    let ran = run(
        folder.root(),
        &["run", "level", "--input", "a.input", "--strict"],
    );
    assert_eq!(code(&ran), 0, "{}", err(&ran));
}

#[test]
fn input_for_players_whom_no_level_has_is_ignored() {
    let folder = game();
    folder.write("a.input", "5 right p9.left p300.move=1:0\n");
    folder.write("b.input", "5 right\n");
    let hash = |file| {
        let ran = run(folder.root(), &["run", "level", "--input", file]);
        assert_eq!(code(&ran), 0, "{}", err(&ran));
        err(&ran).rsplit("hash ").next().map(str::to_string)
    };
    assert_eq!(hash("a.input"), hash("b.input"));
}

#[test]
fn a_test_outside_the_game_finds_the_level_beside_it() {
    let folder = game();
    folder.write(
        "game/levels/other.toml",
        "[[solid]]\npoints = [[0, 0], [9, 0], [0, 9]]\n",
    );
    folder.write("out/my.rhai", "fn test_it() { play(\"lv.toml\"); }\n");
    folder.write(
        "out/lv.toml",
        "[[solid]]\npoints = [[0, 0], [9, 0], [0, 9]]\n",
    );
    let tested = run(folder.root(), &["--root", "game", "test", "out/my.rhai"]);
    assert_eq!(code(&tested), 0, "{}", out(&tested));
}

#[test]
fn a_file_is_what_its_path_below_the_game_says() {
    let folder = game();
    let level = "[[solid]]\npoints = [[0, 0], [9, 0], [0, 9]]\n";
    folder.write("levels/entities/lv.toml", level);
    folder.write("config/entities/sub/r.toml", "model = \"two_velocity\"\n");
    let checked = run(folder.root(), &["check"]);
    assert_eq!(code(&checked), 0, "{}", out(&checked));
}

#[cfg(unix)]
#[test]
fn a_device_is_no_file() {
    let folder = game();
    let ran = run(folder.root(), &["run", "level", "--input", "/dev/zero"]);
    assert_eq!(code(&ran), 2);
    assert!(err(&ran).contains("this is not a file"), "{}", err(&ran));
}
