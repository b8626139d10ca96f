//! Contracts about the feel of a kind: `[expect]`, and who moved a number.

use crate::{
    feel::{game_with, published},
    folder::Folder,
    program::{code, err, out, run},
};

/// A kind with contracts that hold for the published platformer.
const HELD: &str = "# A hero.\nmodel = \"platformer\"\n\n[expect]\napex = \"189.8 ± 0.5\" # high\n\
                    air_time = \"≥ 0.7\"\nstop_distance = 52.8125\n";

const MEMORY: &str = ".hangtime/feel/hero.json";

fn tune(folder: &Folder, jump_speed: &str) {
    let text = format!("jump_speed = {jump_speed}\nrun_accel = 650\n");
    folder.write("config/models/platformer.toml", &text);
}

#[test]
fn contracts_that_hold_pass_as_tests() {
    let folder = game_with(HELD);
    let tests = run(folder.root(), &["test"]);
    assert_eq!(code(&tests), 0, "{}", out(&tests));
    assert!(out(&tests).ends_with("3 passed, 0 failed\n"), "{}", out(&tests));
    let list = out(&run(folder.root(), &["test", "--list"]));
    let names = ["apex", "stop_distance", "air_time"];
    for name in names {
        let line = format!("config/entities/hero.toml::expect::{name}\n");
        assert!(list.contains(&line), "{list}");
    }
    let one = run(folder.root(), &["test", "--filter", "expect::apex"]);
    assert!(out(&one).ends_with("1 passed, 0 failed\n"));
    let file = run(folder.root(), &["test", "config/entities/hero.toml"]);
    assert!(out(&file).ends_with("3 passed, 0 failed\n"), "{}", err(&file));
    let check = run(folder.root(), &["check", "--contracts"]);
    assert_eq!(code(&check), 0, "{}", out(&check));
    assert!(err(&check).contains("3 contracts checked: 0 broken"), "{}", err(&check));
    assert!(folder.path(MEMORY).is_file());
}

#[test]
fn a_broken_contract_names_the_edit_that_moved_the_number() {
    let folder = game_with(HELD);
    tune(&folder, "540");
    assert_eq!(code(&run(folder.root(), &["test"])), 0);
    tune(&folder, "560.0");
    let tests = run(folder.root(), &["test"]);
    assert_eq!(code(&tests), 100);
    let text = out(&tests);
    let after = 560.0 * 0.278 + 560.0 * 560.0 / (2.0 * 3672.0);
    let before = published().apex;
    let cause = format!(
        "platformer.jump_speed 540 → 560 (config/models/platformer.toml:1) moved apex {before:.2} → {after:.2}"
    );
    assert!(text.contains(&cause), "{text}");
    let place = format!("config/entities/hero.toml:5:8: error: `apex` is {after:.2} px, not 189.8 ± 0.5; ");
    assert!(text.contains(&place), "{text}");
    assert!(text.contains("apex = \"189.8 ± 0.5\" # high") && text.contains('^'), "{text}");
    assert!(text.contains(&format!("got:      {after:.2} px at 30, 60, 120 and 240 Hz")), "{text}");
    assert!(text.contains("hangtime test config/entities/hero.toml --filter \"=expect::apex\""), "{text}");
    assert!(text.ends_with("2 passed, 1 failed\n"), "{text}");
    let check = run(folder.root(), &["check", "--contracts"]);
    assert_eq!(code(&check), 1);
    assert!(out(&check).contains(&cause), "{}", out(&check));
    assert_eq!(code(&run(folder.root(), &["check"])), 0, "only on demand");
    let json = out(&run(folder.root(), &["check", "--contracts", "--format", "json"]));
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json[0]["line"], 5);
    assert_eq!(json[0]["file"], "config/entities/hero.toml");
}

#[test]
fn of_several_edits_the_one_that_moved_the_number_is_named() {
    let folder = game_with("[expect]\nstop_distance = \"52.8 ± 0.1\"\n");
    assert_eq!(code(&run(folder.root(), &["test"])), 0);
    folder.write("config/models/platformer.toml", "jump_speed = 500\nground_decel = 2500\ncoyote_time = 0.2\n");
    let text = out(&run(folder.root(), &["test"]));
    let cause =
        "platformer.ground_decel 4000 → 2500 (config/models/platformer.toml:2) moved stop_distance 52.81 → 84.5";
    assert!(text.contains(cause), "{text}");
    assert!(!text.contains("coyote_time 0.1") && !text.contains("jump_speed 540"), "{text}");
    // If two edits both move it, the stronger one comes first.
    folder.write("config/models/platformer.toml", "run_speed_max = 660\nground_decel = 2000\n");
    let text = out(&run(folder.root(), &["test"]));
    let decel = text.find("ground_decel 4000").expect("the strong one");
    let speed = text.find("run_speed_max 650").expect("the weak one");
    assert!(decel < speed, "{text}");
}

#[test]
fn bodies_and_scripts_are_suspects_too() {
    let folder = game_with("script = \"hero.rhai\"\n[expect]\napex = \"189.8 ± 0.5\"\n");
    folder.write("scripts/hero.rhai", "fn on_jump(me) { }\n");
    assert_eq!(code(&run(folder.root(), &["test"])), 0);
    folder.write("scripts/hero.rhai", "fn jump_windows(me) { #{ jump_hold_time: 0.2 } }\n");
    let text = out(&run(folder.root(), &["test"]));
    let cause = "it was 189.83 when the contracts last held; scripts/hero.rhai has changed since";
    assert!(text.contains(cause), "{text}");
}

#[test]
fn without_a_memory_the_number_is_reported_alone() {
    let folder = game_with(HELD);
    for memory in [None, Some("{ not JSON"), Some("{\"feel\":1}")] {
        if let Some(memory) = memory {
            folder.write(MEMORY, memory);
        }
        tune(&folder, "560");
        let text = out(&run(folder.root(), &["test"]));
        assert!(text.contains("px, not 189.8 ± 0.5\n"), "{text}");
        assert!(!text.contains("moved"), "{text}");
    }
}

#[test]
fn tick_rates_that_disagree_are_reported() {
    let kind = "model = \"topdown\"\n[expect]\nstop_distance = \"20 ± 0.1\"\n";
    let folder = game_with(kind);
    let text = out(&run(folder.root(), &["test"]));
    assert!(text.contains("the tick rates disagree: `stop_distance` is "), "{text}");
    assert!(text.contains(" at 30 Hz") && text.contains("px at 60 Hz"), "{text}");
}

#[test]
fn contracts_hold_at_odd_tick_rates() {
    let folder = game_with("[expect]\napex = \"189.8 ± 0.5\"\nhop = \"10.8 ± 0.01\"\n");
    folder.write("config/hangtime.toml", "[simulation]\ntick_hz = 50\n");
    let tests = run(folder.root(), &["test"]);
    assert_eq!(code(&tests), 0, "{}", out(&tests));
}

#[test]
fn mistakes_in_contracts_name_the_place_and_the_right_key() {
    for (expect, place, message) in [
        ("apx = 3", "2:1", "unknown key `apx`; did you mean `apex`?"),
        ("apex = \"tall\"", "2:8", "`apex` takes a number, or text such as"),
        ("apex = \"3 px up\"", "2:8", "`apex` takes a number"),
        ("apex = true", "2:8", "not true or false"),
        ("apex = [1]", "2:8", "not an array"),
        ("apex = nan", "2:8", "finite"),
        ("gap = \"9..3\"", "2:7", "\"3..9\""),
        ("hop = \"1 ± -2\"", "2:7", "the tolerance of `hop` is -2"),
        ("apex = 1e300", "2:8", "up to 1000000"),
        ("platfomer = { apex = 3 }", "2:1", "did you mean `platformer`?"),
        ("platformer = 3", "2:14", "takes a table"),
        ("platformer = { apx = 3 }", "2:16", "did you mean `apex`?"),
        ("platformer = { topdown = { apex = 3 } }", "2:16", "unknown key `topdown`"),
    ] {
        let folder = game_with(&format!("[expect]\n{expect}\n"));
        for arguments in [&["check"] as &[&str], &["check", "--contracts"], &["test"]] {
            let output = run(folder.root(), arguments);
            let text = out(&output);
            let place = format!("config/entities/hero.toml:{place}: error:");
            assert!(text.contains(&place), "{expect} {arguments:?}:\n{text}");
            assert!(text.contains(message), "{expect}:\n{text}");
            assert_eq!(code(&output), if arguments[0] == "test" { 100 } else { 1 });
        }
    }
    // Contracts belong to kinds.
    let folder = game_with("");
    let level = "[[entity]]\nkind = \"hero\"\nat = [0, 19]\nexpect = { apex = 3 }\n";
    folder.write("levels/level.toml", level);
    let text = out(&run(folder.root(), &["check"]));
    assert!(text.contains("levels/level.toml:4:1: error: unknown key `expect`"), "{text}");
}

#[test]
fn contracts_of_what_cannot_be_measured_are_broken() {
    let folder = game_with("model = \"vessel\"\nbody = { box = [9, 9] }\n[expect]\napex = 3\n");
    let text = out(&run(folder.root(), &["test"]));
    assert!(text.contains("`apex` cannot be measured: the kind is a rigid body that turns"), "{text}");
    let folder = game_with("model = \"vessel\"\nbody = { box = [9, 9] }\n[expect.platformer]\napex = \"≥ 3\"\n");
    assert_eq!(code(&run(folder.root(), &["test"])), 0);
    let folder = game_with("model = \"topdown\"\n[expect.platformer]\napex = 3\n");
    folder.write("levels/level.toml", "view = \"top\"\n[[entity]]\nkind = \"hero\"\nat = [0, 0]\n");
    let text = out(&run(folder.root(), &["test"]));
    assert!(text.contains("`platformer` does not work in a top view"), "{text}");
}

#[test]
fn the_first_contract_of_a_kind_does_not_count_the_time_of_all() {
    let folder = game_with(HELD);
    let output = run(folder.root(), &["test", "-j", "1", "--results", "r.jsonl"]);
    assert_eq!(code(&output), 0, "{}", out(&output));
    let text = folder.read("r.jsonl");
    let times: Vec<serde_json::Value> = text
        .lines()
        .filter_map(|line| {
            let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
            line.get("ms").cloned()
        })
        .collect();
    // They are measured together, so each took a third.
    assert_eq!(times, vec![times[0].clone(); 3], "{text}");
}

#[test]
fn contracts_that_can_never_be_measured_are_errors_at_their_keys() {
    for (kind, place, message) in [
        (
            "model = \"vessel\"\nbody = { box = [9, 9] }\n[expect]\napex = 3\n",
            "4:1",
            "`apex` can never be measured: a `vessel` body is rigid and turns",
        ),
        (
            "model = \"ballistic\"\n[expect]\nrun_up = 3\n",
            "3:1",
            "`run_up` can never be measured: no key makes a `ballistic` body run",
        ),
        (
            "model = \"ballistic\"\n[expect]\nlanding_error = 3\n  hop = 3\n",
            "4:3",
            "`hop` can never be measured: `ballistic` has no jump, and the kind has no script; \
             `platformer`",
        ),
    ] {
        let folder = game_with(kind);
        let output = run(folder.root(), &["check"]);
        let text = out(&output);
        assert_eq!(code(&output), 1, "{kind}: {text}");
        let line = format!("config/entities/hero.toml:{place}: error: {message}");
        assert!(text.contains(&line), "{text}");
        assert!(text.contains(" ^"), "{text}");
        assert!(err(&output).contains("1 error,"), "{}", err(&output));
    }
    // A script may move its body in its own way.
    let folder = game_with("script = \"hero.rhai\"\nmodel = \"ballistic\"\n[expect]\nhop = 3\n");
    folder.write("scripts/hero.rhai", "fn on_tick(me) { }\n");
    let output = run(folder.root(), &["check"]);
    assert_eq!(code(&output), 0, "{}", out(&output));
    let folder = game_with("model = \"topdown\"\n[expect.platformer]\napex = 3\n");
    folder.write("levels/level.toml", "view = \"top\"\n[[entity]]\nkind = \"hero\"\nat = [0, 0]\n");
    let text = out(&run(folder.root(), &["check"]));
    let line = "config/entities/hero.toml:3:1: error: `apex` can never be measured: `platformer` does not \
                work in a top view";
    assert!(text.contains(line), "{text}");
}

#[test]
fn the_sheet_can_be_written_as_contracts() {
    let folder = game_with(
        "# A hero.\nmodel = \"platformer\"   # runs\n\n[expect] # feel\nair_time = \"≥ 0.7\"\napex = \"100 ± 2\" # old\n",
    );
    let written = run(folder.root(), &["feel", "hero", "--write"]);
    assert_eq!(code(&written), 0, "{}", err(&written));
    let path = folder.path("config/entities/hero.toml");
    let text = std::fs::read_to_string(&path).expect("a kind");
    assert!(text.starts_with("# A hero.\nmodel = \"platformer\"   # runs\n\n[expect] # feel\nair_time = \"≥ 0.7\"\napex = \"189.83 ± 2\" # old\n"), "{text}");
    for line in ["hop = \"9 ± 0.5\"", "stop_distance = \"52.81 ± 0.5\"", "landing_error = \"≤ 0.001\""] {
        assert!(text.contains(line), "{text}");
    }
    let tests = run(folder.root(), &["test"]);
    assert_eq!(code(&tests), 0, "{}", out(&tests));
    assert!(out(&tests).ends_with("9 passed, 0 failed\n"), "{}", out(&tests));
    // Written again, nothing changes.
    let again = run(folder.root(), &["feel", "hero", "--write"]);
    assert!(err(&again).contains("has these contracts already"), "{}", err(&again));
    assert_eq!(std::fs::read_to_string(&path).expect("a kind"), text);
    // Numbers that another setting has made are not written.
    let refused = run(folder.root(), &["feel", "hero", "--write", "--set", "simulation.gravity=9"]);
    assert_eq!(code(&refused), 2);
}

#[test]
fn recurrences_get_a_tolerance_that_covers_all_tick_rates() {
    let folder = game_with("model = \"topdown\"\n");
    folder.write("levels/level.toml", "view = \"top\"\n[[entity]]\nkind = \"hero\"\nat = [0, 0]\n");
    let written = run(folder.root(), &["feel", "hero", "--write"]);
    assert_eq!(code(&written), 0, "{}", err(&written));
    let tests = run(folder.root(), &["test"]);
    assert_eq!(code(&tests), 0, "{}", out(&tests));
}

#[test]
fn contracts_of_this_game_hold() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let tests = run(root, &["test", "config/entities"]);
    assert_eq!(code(&tests), 0, "{}", out(&tests));
    assert!(out(&tests).contains("ok config/entities/hero.toml::expect::apex"));
}
