//! `run`: traces, pictures, input files and the length of runs.

use crate::{
    folder::Folder,
    program::{code, err, game, out, run},
};
use serde_json::Value;

/// The lines of a trace: the header, then the ticks.
fn trace(folder: &Folder, arguments: &[&str]) -> Vec<Value> {
    let mut all = vec!["run", "levels/level.toml", "--trace", "-"];
    all.extend(arguments);
    let output = run(folder.root(), &all);
    assert_eq!(code(&output), 0, "{}", err(&output));
    out(&output).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
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
            ("hook", serde_json::json!({"state": "idle", "tip": [0.0, 0.0], "length": 0.0})),
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
    let revision = project.open(&level, &[]).expect("a good level");
    let mut live = hangtime::project::Live::new(std::sync::Arc::new(revision), 0);
    let text = folder.read("walk.input");
    let file = hangtime::script::host::SourceFile { name: "walk.input".into(), text };
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
    let ticks: Vec<_> = thin[1..].iter().map(|l| l["tick"].as_u64().expect("a tick")).collect();
    assert_eq!(ticks, [0, 20, 40, 60]);
    let events = |lines: &[Value]| -> Vec<Value> {
        lines[1..].iter().flat_map(|l| l["events"].as_array().expect("events").clone()).collect()
    };
    assert_eq!(events(&all), events(&thin));
    assert!(events(&all).iter().any(|e| e["event"] == "land" && e["tick"].as_u64() > Some(4)));
}

#[test]
fn a_trace_can_be_limited_to_some_entities() {
    let folder = game();
    folder.write(
        "levels/level.toml",
        &format!("{}[[entity]]\nkind = \"hero\"\nname = \"other\"\nat = [-400, 19]\n", crate::folder::LEVEL),
    );
    let lines = trace(&folder, &["--ticks", "3", "--trace-only", "other"]);
    for line in &lines[1..] {
        let names: Vec<_> = line["entities"].as_array().expect("entities").iter().map(|e| &e["name"]).collect();
        assert_eq!(names, ["other"]);
        assert!(line["events"].as_array().expect("events").iter().all(|e| e["entity"] == "other"));
    }
}

#[test]
fn a_runs_summary_has_ticks_rate_and_hash() {
    let output = run(game().root(), &["run", "level", "--ticks", "40"]);
    let text = err(&output);
    let last = text.lines().last().expect("a line");
    let words: Vec<&str> = last.split(' ').collect();
    assert!(matches!(words[..], ["40", "ticks,", _, "ticks/s,", "hash", hash] if hash.len() == 16), "{last}");
    assert!(out(&output).is_empty());
}

#[test]
fn the_default_length_is_the_input_the_demo_or_600_ticks() {
    let folder = game();
    let length = |arguments: &[&str]| trace(&folder, arguments).len() - 2;
    assert_eq!(length(&[]), 600);
    folder.write("five.input", "5 right\n");
    assert_eq!(length(&["--input", "five.input"]), 5);
    folder.write("levels/demo.input", "7 right\n");
    folder.write("levels/level.toml", &format!("demo = \"demo.input\"\n{}", crate::folder::LEVEL));
    assert_eq!(length(&[]), 7);
    assert_eq!(length(&["--ticks", "3"]), 3);
    assert_eq!(length(&["--input", "five.input"]), 5);
    let lines = trace(&folder, &[]);
    assert!(lines[8]["entities"][0]["pos"][0].as_f64() > Some(-200.0), "the demo played");
}

#[test]
fn command_line_settings_win_over_those_of_the_input_file() {
    let folder = game();
    folder.write("slow.input", "seed 4\nset simulation.tick_hz=30\n10 right\n");
    let lines = trace(&folder, &["--input", "slow.input"]);
    assert_eq!((&lines[0]["tick_hz"], &lines[0]["seed"]), (&30.into(), &4.into()));
    let lines = trace(&folder, &["--input", "slow.input", "--set", "simulation.tick_hz=120", "--seed", "5"]);
    assert_eq!((&lines[0]["tick_hz"], &lines[0]["seed"]), (&120.into(), &5.into()));
    let lines = trace(&folder, &["--ticks", "1", "--set", "entities.hero.model=two_velocity"]);
    assert_eq!(lines[1]["entities"][0]["model"], "two_velocity");
}

#[test]
fn run_writes_png_and_gif() {
    let folder = game();
    let output = run(folder.root(), &["run", "level", "--ticks", "30", "--png", "last.png", "--gif", "film.gif"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    let png = std::fs::read(folder.path("last.png")).expect("a picture");
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    let gif = std::fs::read(folder.path("film.gif")).expect("a film");
    assert_eq!(&gif[..6], b"GIF89a");
}

#[test]
fn a_script_error_ends_a_run_only_with_strict() {
    let folder = Folder::with_script("fn on_tick(me) { nonsense(); }");
    let relaxed = run(folder.root(), &["run", "level", "--ticks", "10"]);
    assert_eq!(code(&relaxed), 0);
    let text = err(&relaxed);
    assert!(text.contains("scripts/hero.rhai:1:18: error: there is no function `nonsense"), "{text}");
    assert!(text.contains("(10 times)"), "{text}");
    let strict = run(folder.root(), &["run", "level", "--ticks", "10", "--strict"]);
    assert_eq!(code(&strict), 1);
}

#[test]
fn an_input_file_can_name_its_level() {
    let folder = game();
    folder.write("plays/a.input", "level level.toml\n5 right\n");
    folder.write("plays/b.input", "level nowhere.toml\n5 right\n");
    folder.write("plays/c.input", "5 right\n");
    let ran = run(folder.root(), &["run", "--input", "plays/a.input"]);
    assert_eq!(code(&ran), 0, "{}", err(&ran));
    assert!(err(&ran).contains("5 ticks"));
    for (file, why) in [("b", "no such level"), ("c", "names no level")] {
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
fn byte_order_marks_are_ignored() {
    let folder = game();
    folder.write("scripts/hero.rhai", "\u{feff}fn on_tick(me) { this.n += 1; }");
    folder.write("a.input", "\u{feff}5 right\n");
    let ran = run(folder.root(), &["run", "level", "--input", "a.input", "--strict"]);
    assert_eq!(code(&ran), 0, "{}", err(&ran));
}

#[test]
fn input_for_missing_players_is_ignored() {
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

#[cfg(unix)]
#[test]
fn devices_are_not_read_as_files() {
    let folder = game();
    let ran = run(folder.root(), &["run", "level", "--input", "/dev/zero"]);
    assert_eq!(code(&ran), 2);
    assert!(err(&ran).contains("this is not a file"), "{}", err(&ran));
}

#[test]
fn an_unknown_entity_name_suggests_the_nearest() {
    let folder = game();
    for option in [&["--why", "heroo"][..], &["--trace", "t.jsonl", "--trace-only", "heroo"]] {
        let output = run(folder.root(), &[&["run", "level", "--ticks", "1"], option].concat());
        let said = err(&output);
        assert!(said.contains("no such entity when the level starts; did you mean `hero`?"), "{said}");
    }
    let of_level = ["run", "level", "--ticks", "1", "--why", "level"];
    let said = err(&run(folder.root(), &of_level));
    assert!(said.contains("no such entity"), "a level without a script: {said}");
    let level = format!("script = \"rules.rhai\"\n{}", crate::folder::LEVEL);
    folder.write("levels/level.toml", &level);
    folder.write("scripts/rules.rhai", "fn on_tick(me) { }");
    let said = err(&run(folder.root(), &of_level));
    assert!(!said.contains("no such entity"), "{said}");
}

#[test]
fn tests_report_removed_entities_and_have_no_world() {
    let folder = Folder::with_script("fn on_tick(me) { if world::tick() == 3 { me.remove(); } }");
    for (line, what) in [
        ("t.ticks(9); t.entity(\"hero\");", "`hero` is no longer in the level"),
        ("t.entity(\"level\");", "there is no entity `level` in this level"),
        ("world::tick();", "`world::` is for behaviors; in a test use `t.entity(name)`"),
    ] {
        let test = format!("fn test_it() {{ let t = play(\"level.toml\"); {line} }}\n");
        folder.write("levels/tests/a.rhai", &test);
        let output = run(folder.root(), &["test"]);
        assert!(out(&output).contains(what), "{line}: {}", out(&output));
    }
}
