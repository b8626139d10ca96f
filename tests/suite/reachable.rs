//! The command `reachable`: its table, its certificates, and its exit code.

use crate::{
    folder::Folder,
    program::{code, err, out, run},
};
use serde_json::Value;

/// A room: a floor, a ledge that a jump reaches, one that is too high, and a coin on the low one. The apex is 90 px.
fn room() -> Folder {
    let folder = Folder::empty();
    let line = |name: &str, height: f64| {
        format!("[[solid]]\nname = \"{name}\"\none_way = true\npoints = [[-200, {height:?}], [0, {height:?}]]\n")
    };
    let [floor, low, high] = [("floor", 0.0), ("low ledge", 80.0), ("high ledge", 180.0)].map(|(n, h)| line(n, h));
    let entity = |kind: &str, y: f64, more: &str| {
        format!("[[entity]]\nkind = \"{kind}\"\nname = \"{kind}\"\nat = [-100, {y:?}]\n{more}")
    };
    let (hero, coin) = (entity("hero", 19.0, "player = 1\n"), entity("coin", 90.0, ""));
    let level = format!("bounds = [-900, -600, 900, 900]\n{floor}{low}{high}{hero}{coin}");
    folder.write("levels/room.toml", &level);
    folder.write("config/hangtime.toml", "[simulation]\ngravity = 2000.0\n");
    let kind = "model = \"platformer\"\nbody = { box = [20, 38] }\n[platformer]\njump_speed = 600.0\njump_hold_time = 0.0\nhook_length = 0.0\n";
    folder.write("config/entities/hero.toml", kind);
    folder.write("config/entities/coin.toml", "body = { box = [20, 20] }\n[platformer]\ngravity_scale = 0.0\n");
    folder
}

fn searched(folder: &Folder, arguments: &[&str]) -> Value {
    let output = run(folder.root(), &[&["reachable", "room", "--format", "json"], arguments].concat());
    assert_eq!(code(&output), 0, "{}", err(&output));
    serde_json::from_str(&out(&output)).expect("JSON")
}

fn goal<'v>(found: &'v Value, name: &str) -> &'v Value {
    let goals = found["goals"].as_array().expect("a list");
    goals
        .iter()
        .find(|goal| goal["name"] == name)
        .unwrap_or_else(|| panic!("no {name} in {found}"))
}

#[test]
fn certificates_play_to_their_goals() {
    let folder = room();
    let found = searched(&folder, &["--certificates", "proofs"]);
    for (name, answer) in [("floor", "yes"), ("low ledge", "yes"), ("coin", "yes"), ("high ledge", "no")] {
        assert_eq!(goal(&found, name)["reachable"], answer, "{name}");
    }
    let run_of = |file: &str, more: &[&str]| {
        let input = format!("proofs/{file}");
        let output = run(folder.root(), &[&["run", "--input", &input, "--trace", "-"], more].concat());
        assert_eq!(code(&output), 0, "{}", err(&output));
        let last = out(&output).lines().last().expect("a tick").to_string();
        serde_json::from_str::<Value>(&last).expect("a line of JSON")
    };
    let last = run_of("solid-low_ledge.input", &["--trace-only", "hero"]);
    assert_eq!(last["events"][0]["solid"], "low ledge", "{last}");
    let last = run_of("entity-coin.input", &[]);
    assert!(last.to_string().contains("\"touch\""), "{last}");
    assert!(!folder.path("proofs/solid-high_ledge.input").exists());
    // The same search may replace its files, and no others.
    searched(&folder, &["--certificates", "proofs"]);
    folder.write("proofs/solid-floor.input", "10 right\n");
    let output = run(folder.root(), &["reachable", "room", "--certificates", "proofs"]);
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("solid-floor.input"), "{}", err(&output));
}

#[test]
fn a_miss_names_the_number_that_is_short() {
    let found = searched(&room(), &[]);
    let miss = &goal(&found, "high ledge")["miss"];
    // From the low ledge at 80 px, 90 of 100 px.
    let distance = miss["distance"].as_f64().expect("a number");
    assert!((9.9..10.2).contains(&distance), "{miss}");
    let fixes = miss["would_do"].as_array().expect("a list");
    let to = |key: &str| {
        let fix = fixes.iter().find(|fix| fix["key"] == key);
        fix.unwrap_or_else(|| panic!("no {key} in {miss}"))["to"].as_f64().expect("a number")
    };
    // 100 px need a speed of √(2 · 2000 · 100), or a gravity of 600² / 200.
    let jump = (2.0_f64 * 2000.0 * 100.0).sqrt();
    let found = to("entities.hero.platformer.jump_speed");
    assert!((jump..jump * 1.01).contains(&found), "{found} for {jump}");
    let found = to("simulation.gravity");
    assert!((1800.0 * 0.98..=1800.0).contains(&found), "{found}");
}

#[test]
fn what_must_be_reached_decides_the_exit_code() {
    let folder = room();
    for (names, expected) in [(&["coin", "low ledge"][..], 0), (&["coin", "high ledge"], 1)] {
        let must = names.iter().flat_map(|name| ["--must", name]);
        let arguments: Vec<&str> = ["reachable", "room"].into_iter().chain(must).collect();
        let output = run(folder.root(), &arguments);
        assert_eq!(code(&output), expected, "{}", err(&output));
        assert_eq!(err(&output).contains("error: `high ledge` is not reached"), expected == 1);
    }
    // Too few ticks tell nothing.
    let output = run(folder.root(), &["reachable", "room", "--budget", "100", "--must", "high ledge"]);
    assert_eq!(code(&output), 1);
    assert!(out(&output).contains("unknown"), "{}", out(&output));
    let output = run(folder.root(), &["reachable", "room", "--must", "hihg ledge"]);
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("did you mean `high ledge`?"), "{}", err(&output));
}

#[test]
fn a_picture_shows_the_whole_level() {
    let folder = room();
    searched(&folder, &["--png", "room.png"]);
    let bytes = std::fs::read(folder.path("room.png")).expect("a picture");
    assert!(bytes.starts_with(b"\x89PNG"));
}

#[test]
fn tests_ask_what_is_reachable() {
    let folder = room();
    let test = |name: &str, answer: bool| {
        format!(
            "fn test_{answer}() {{ let t = play(\"room.toml\"); expect(t.reachable(\"hero\", \"{name}\")).equals({answer}); expect(t.tick).equals(0); }}\n"
        )
    };
    let wrong = "fn test_wrong() { play(\"room.toml\").reachable(\"hero\", \"cion\"); }\n";
    let text = [test("coin", true), test("high ledge", false), wrong.into()].concat();
    folder.write("levels/tests/reach.rhai", &text);
    let output = run(folder.root(), &["test"]);
    let all = format!("{}{}", out(&output), err(&output));
    assert!(all.contains("did you mean `coin`?"), "{all}");
    assert!(all.contains("2 passed") && all.contains("1 failed"), "{all}");
}

/// A room seen from above: a block that a jump reaches, and a zone behind it.
fn yard() -> Folder {
    let folder = Folder::empty();
    let block = "[[solid]]\nname = \"block\"\ntop = 20\npoints = [[100, 0], [160, 0], [160, 60], [100, 60]]\n";
    let tower = "[[solid]]\nname = \"tower\"\ntop = 400\npoints = [[100, 200], [160, 200], [160, 260], [100, 260]]\n";
    let zone = "[[zone]]\nname = \"gate\"\npoints = [[220, 0], [260, 0], [260, 60], [220, 60]]\n";
    let hero = "[[entity]]\nkind = \"hero\"\nname = \"hero\"\nat = [40, 30]\nplayer = 1\n";
    let level = format!("view = \"top\"\nbounds = [0, 0, 300, 300]\n{block}{tower}{zone}{hero}");
    folder.write("levels/room.toml", &level);
    folder.write("config/hangtime.toml", "[simulation]\ngravity = 1400.0\n");
    let kind =
        "model = \"topdown\"\nbody = { ellipse = [10.0, 8.0] }\n[topdown]\njump_speed = 300.0\njump_hold_time = 0.0\n";
    folder.write("config/entities/hero.toml", kind);
    folder
}

#[test]
fn a_level_from_above_has_answers_certificates_and_a_picture() {
    let folder = yard();
    let found = searched(&folder, &["--certificates", "proofs", "--png", "yard.png"]);
    for (name, answer) in [("gate", "yes"), ("block", "yes"), ("tower", "no")] {
        assert_eq!(goal(&found, name)["reachable"], answer, "{name}: {found}");
    }
    let output = run(folder.root(), &["run", "--input", "proofs/solid-block.input", "--trace", "-"]);
    let last = out(&output).lines().last().expect("a tick").to_string();
    assert!(last.contains("block"), "{last}");
    assert!(std::fs::read(folder.path("yard.png")).expect("a picture").starts_with(b"\x89PNG"));
    // From the block, 20 px above the ground, the apex of 300² / 2800 = 32 px is 348 px below the top of the tower.
    let miss = goal(&found, "tower")["miss"]["distance"].as_f64().expect("a number");
    assert!((347.8..380.0).contains(&miss), "{miss}");
}

#[test]
fn a_search_continues_in_its_file_and_answers_as_one_in_one_go() {
    let folder = room();
    let whole = searched(&folder, &[]);
    let step = ["--resume", "search.json", "--budget", "2000"];
    let first = searched(&folder, &step);
    assert_eq!(goal(&first, "high ledge")["reachable"], "unknown", "{first}");
    let last = (0..200).map(|_| searched(&folder, &step)).find(|found| found["unexplored"] == 0);
    assert_eq!(last.as_ref(), Some(&whole));
    // Its file belongs to this search of these files.
    for (arguments, expected) in [
        (&["--seed", "3"][..], "with --seed 0, not 3"),
        (&["--must", "coin"], "with --must"),
        (&["--set", "simulation.gravity=1000"], "with --set"),
    ] {
        let output = run(folder.root(), &[&["reachable", "room", "--resume", "search.json"], arguments].concat());
        assert_eq!(code(&output), 2);
        assert!(err(&output).contains(expected) && err(&output).contains("search.json"), "{}", err(&output));
    }
    folder.write("config/hangtime.toml", "[simulation]\ngravity = 2001.0\n");
    let output = run(folder.root(), &["reachable", "room", "--resume", "search.json"]);
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("the files of the game have changed"), "{}", err(&output));
    // A file of something else is neither read nor replaced.
    folder.write("notes.json", "{ \"notes\": 1 }\n");
    let output = run(folder.root(), &["reachable", "room", "--resume", "notes.json"]);
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("damaged"), "{}", err(&output));
    assert_eq!(folder.read("notes.json"), "{ \"notes\": 1 }\n");
}
