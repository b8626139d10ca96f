//! Content reads nothing outside of its game, cannot raise its own limits, and does not steer the
//! terminal.

use crate::{
    folder::{Folder, LEVEL},
    program::{code, err, game, out, run},
};
use hangtime::{
    project::{GameFolder, Project},
    script::host::text::steers,
};
use serde_json::Value;

/// A text that must not show up in any output.
const SECRET: &str = "SECRET-OF-THE-USER";

/// A folder with a file that is none of the game's business.
fn elsewhere() -> Folder {
    let folder = Folder::empty();
    folder.write("secret.toml", SECRET);
    folder.write("secret.input", SECRET);
    folder.write("good.input", "5 right\n");
    folder.write("good.toml", LEVEL);
    folder
}

#[test]
fn a_test_reads_no_input_or_level_outside_of_the_game() {
    let (folder, other) = (game(), elsewhere());
    let file = |name: &str| other.path(name).display().to_string();
    let up = "../".repeat(20);
    let calls = [
        format!("t.input(\"{}\");", file("secret.input")),
        format!("t.input(\"{up}{}\");", file("secret.input")),
        format!("t.input(\"{}\");", file("not_there.input")),
        format!("play(\"{}\");", file("secret.toml")),
        format!("play(\"{up}{}\");", file("secret.toml")),
        format!("play(\"{}\");", file("not_there.toml")),
        "t.input(\"/etc/passwd\");".into(),
        "play(\"/etc/passwd\");".into(),
    ];
    for call in &calls {
        let test = format!("fn test_a() {{ let t = play(\"level.toml\"); {call} }}");
        folder.write("levels/tests/a.rhai", &test);
        let tested = run(folder.root(), &["test"]);
        assert_eq!(code(&tested), 100, "{call}");
        let text = out(&tested);
        assert!(text.contains("leads out of the game folder"), "{call}: {text}");
        assert!(text.contains("--follow-links"), "{call}: {text}");
        assert!(!text.contains(SECRET) && !text.contains("root:"), "{call}: {text}");
    }
    // The user may allow it.
    let good = format!(
        "fn test_a() {{ let t = play(\"{}\"); t.input(\"{}\"); expect(t.tick).equals(5); }}",
        file("good.toml"),
        file("good.input")
    );
    folder.write("levels/tests/a.rhai", &good);
    assert_eq!(code(&run(folder.root(), &["test"])), 100);
    let allowed = run(folder.root(), &["--follow-links", "test"]);
    assert_eq!(code(&allowed), 0, "{}", out(&allowed));
    let allowed = run(folder.root(), &["test", "--follow-links"]);
    assert_eq!(code(&allowed), 0, "{}", out(&allowed));
}

#[test]
fn paths_that_stay_inside_the_game_are_allowed() {
    let folder = game();
    folder.write("levels/walk.input", "5 right\n");
    let absolute = folder.path("levels/walk.input").display().to_string();
    for (level, input) in [
        ("../level.toml", "../walk.input"),
        ("../../levels/level.toml", "../../levels/tests/../walk.input"),
        ("level", absolute.as_str()),
    ] {
        let test =
            format!("fn test_a() {{ let t = play(\"{level}\"); t.input(\"{input}\"); expect(t.tick).equals(5); }}");
        folder.write("levels/tests/a.rhai", &test);
        let tested = run(folder.root(), &["test"]);
        assert_eq!(code(&tested), 0, "{level} {input}: {}", out(&tested));
    }
}

#[cfg(unix)]
#[test]
fn a_level_or_demo_that_is_a_link_out_is_not_read() {
    let (folder, other) = (game(), elsewhere());
    let link = |from: &str, to: &str| {
        std::os::unix::fs::symlink(other.path(to), folder.path(from)).expect("a link");
    };
    link("levels/linked.toml", "good.toml");
    let played = run(folder.root(), &["run", "linked", "--ticks", "1"]);
    assert_eq!(code(&played), 2);
    assert!(err(&played).contains("levels/linked.toml: error: this leads out"), "{}", err(&played));
    let allowed = run(folder.root(), &["run", "linked", "--ticks", "1", "--follow-links"]);
    assert_eq!(code(&allowed), 0, "{}", err(&allowed));
    std::fs::remove_file(folder.path("levels/linked.toml")).expect("the link");

    folder.write("levels/level.toml", &format!("demo = \"demo.input\"\n{LEVEL}"));
    link("levels/demo.input", "secret.input");
    let wrong = folder.wrong();
    assert_eq!(wrong.len(), 1, "{wrong:?}");
    assert!(wrong[0].starts_with("levels/demo.input: error: this leads out"), "{wrong:?}");
    for command in [&["check"][..], &["run", "level"], &["run", "level", "--input", "levels/demo.input"]] {
        let output = run(folder.root(), command);
        let text = format!("{}{}", out(&output), err(&output));
        assert!(text.contains("leads out") && !text.contains(SECRET), "{text}");
    }
    std::fs::remove_file(folder.path("levels/demo.input")).expect("the link");
    link("levels/demo.input", "good.input");
    let trusted = Project::load(GameFolder::new(folder.root()).follow_links(true)).expect("a game");
    let opened = trusted.open(&folder.path("levels/level.toml"), &[]).expect("allowed");
    assert_eq!(opened.demo.map(|demo| demo.track(60).length()), Some(5));
}

#[cfg(unix)]
#[test]
fn a_linked_folder_of_levels_or_tests_outside_is_not_entered() {
    let (folder, other) = (game(), elsewhere());
    other.write("t.rhai", &format!("fn test_{}() {{ }}", "x"));
    std::os::unix::fs::symlink(other.root(), folder.path("levels/tests")).expect("a link");
    let tested = run(folder.root(), &["test"]);
    assert!(out(&tested).contains("levels/tests: error: this leads out"), "{}", out(&tested));
    let checked = run(folder.root(), &["check"]);
    assert!(out(&checked).contains("levels/tests: error: this leads out"), "{}", out(&checked));
    let named = run(folder.root(), &["run", "levels/tests/good.toml"]);
    assert!(err(&named).contains("leads out"), "{}", err(&named));
}

#[test]
fn the_level_that_an_input_file_names_is_inside_the_game() {
    let (folder, other) = (game(), elsewhere());
    let outside = other.path("good.toml").display().to_string();
    folder.write("walk.input", &format!("level {outside}\n5 right\n"));
    let played = run(folder.root(), &["run", "--input", "walk.input"]);
    assert_eq!(code(&played), 2);
    assert!(err(&played).contains("leads out"), "{}", err(&played));
    // An input file that the user names may be anywhere, and so may a level next to it.
    other.write("walk.input", "level good.toml\n5 right\n");
    other.write("config/entities/hero.toml", "");
    let input = other.path("walk.input").display().to_string();
    let played = run(folder.root(), &["run", "--input", &input]);
    assert_eq!(code(&played), 0, "{}", err(&played));
}

#[test]
fn a_demo_cannot_raise_the_limits_of_scripts() {
    let folder = game();
    folder.write("levels/level.toml", &format!("demo = \"a.input\"\n{LEVEL}"));
    let raise = "set scripts.operations=5000000\nset scripts.tick_operations=9000000\n";
    let header = format!("{raise}set platformer.jump_speed=500\n");
    folder.write("levels/a.input", &format!("{header}30 right\n"));
    folder.write("scripts/hero.rhai", "fn on_tick(me) { for i in 0..100000 { } }");
    let is_stopped = |arguments: &[&str]| {
        let mut all = vec!["run", "level", "--ticks", "1"];
        all.extend(arguments);
        let played = run(folder.root(), &all);
        (err(&played).contains("was stopped after"), err(&played))
    };
    let (stopped, text) = is_stopped(&[]);
    assert!(stopped, "{text}");
    assert!(text.contains("levels/a.input:1:5: warning: `scripts.operations` has no effect in a demo"), "{text}");
    assert!(text.contains("`scripts.tick_operations` has no effect"), "{text}");
    // The user may, by name: with --set, with --input and in the settings of the game.
    let raised = ["--set", "scripts.operations=5000000", "--set", "scripts.tick_operations=9000000"];
    assert!(!is_stopped(&raised).0);
    assert!(!is_stopped(&["--input", "levels/a.input"]).0);
    folder.write("config/hangtime.toml", "[scripts]\noperations = 5000000\ntick_operations = 9000000\n");
    assert!(!is_stopped(&[]).0);
    // Other settings of a demo count.
    let demo = folder.open().expect("a game").demo.expect("a demo");
    assert_eq!(demo.settings, [("platformer.jump_speed".to_string(), "500".to_string())]);
}

#[test]
fn a_test_cannot_raise_the_limits_of_scripts() {
    let folder = game();
    folder.write("scripts/hero.rhai", "fn on_tick(me) { for i in 0..100000 { } }");
    let test = |body: &str| {
        folder.write("levels/tests/a.rhai", &format!("fn test_a() {{ {body} }}"));
        let tested = run(folder.root(), &["test"]);
        (code(&tested), out(&tested))
    };
    let raised = [
        ("operations", "5000000", "20000"),
        ("tick_operations", "4000000000", "1000000"),
        ("string_length", "1000000", "4096"),
        ("kept_values", "100000", "512"),
    ];
    for (key, value, most) in raised {
        let bodies = [
            format!("play(\"level\", #{{ \"scripts.{key}\": {value} }});"),
            format!("let t = play(\"level\"); t.tune(\"scripts.{key}\", {value});"),
            // Lowered first, then raised.
            format!("let t = play(\"level\", #{{ \"scripts.{key}\": 200 }}); t.tune(\"scripts.{key}\", {value});"),
        ];
        for body in bodies {
            let (code, text) = test(&body);
            assert_eq!(code, 100, "{body}: {text}");
            let told = format!("a test cannot raise `scripts.{key}` above {most}");
            assert!(text.contains(&told), "{body}: {text}");
            assert!(text.contains("config/hangtime.toml"), "{text}");
        }
    }
    // Lower limits are allowed, and so are limits from the game's own settings.
    let lower = "let t = play(\"level\", #{ \"scripts.operations\": 200 }); t.tune(\"scripts.operations\", 300);";
    assert_eq!(test(lower).0, 0, "{}", test(lower).1);
    folder.write("config/hangtime.toml", "[scripts]\noperations = 5000000\ntick_operations = 9000000\n");
    let granted = "let t = play(\"level\", #{ \"scripts.operations\": 4000000 }); t.ticks(1);";
    assert_eq!(test(granted).0, 0, "{}", test(granted).1);
}

#[test]
fn settings_in_the_input_of_a_test_are_not_ignored_silently() {
    let folder = game();
    folder.write("levels/a.input", "seed 7\nset scripts.operations=5000000\nset platformer.jump_speed=500\n5 right\n");
    let test = "fn test_a() { let t = play(\"level\"); t.input(\"../a.input\"); expect(t.tick).equals(5); }";
    folder.write("levels/tests/a.rhai", test);
    let tested = run(folder.root(), &["test"]);
    let text = out(&tested);
    assert_eq!(code(&tested), 0, "{text}");
    assert!(text.contains("/a.input:1:6: warning: `seed` has no effect in `t.input`"), "{text}");
    for (line, key) in [(2, "scripts.operations"), (3, "platformer.jump_speed")] {
        let warning = format!("/a.input:{line}:5: warning: `{key}` has no effect in `t.input`");
        assert!(text.contains(&warning), "{text}");
    }
    // Nothing to say about a file that has only keys.
    folder.write("levels/a.input", "level level\n5 right\n");
    assert!(!out(&run(folder.root(), &["test"])).contains("warning"));
}

/// Escape sequences: a color, a title, the cursor, C1, a bell, a carriage return, a bidi override.
const STEERING: &str =
    "\u{1b}[31mA\u{1b}]0;title\u{7}\u{1b}[2J\u{9b}1mB\r\u{202e}C\u{7f}\u{2066}\u{200b}\u{2060}\u{feff}\u{ad}\u{e0041}";

fn assert_harmless(text: &str) {
    let steering = |c: char| steers(c) && c != '\n' && c != '\t';
    assert!(!text.contains(steering), "{text:?}");
}

/// The text of a TOML or Rhai string literal.
fn literal(text: &str) -> String {
    text.chars().map(|c| format!("\\U{:08x}", u32::from(c))).collect()
}

/// Runs commands, given as words, and checks that their output steers nothing.
fn run_harmless(folder: &Folder, commands: &[&str]) {
    for command in commands {
        let name = format!("{STEERING}@2");
        let named = |word| match word {
            "NAME" => STEERING,
            "NAME@2" => name.as_str(),
            word => word,
        };
        let words: Vec<&str> = command.split(' ').map(named).collect();
        let output = run(folder.root(), &words);
        let (out, err) = (out(&output), err(&output));
        assert!(!format!("{out}{err}").is_empty(), "{command}");
        assert_harmless(&out);
        assert_harmless(&err);
    }
}

#[test]
fn names_in_messages_do_not_steer_the_terminal() {
    let folder = game();
    let name = literal(STEERING);
    folder.write("levels/level.toml", &format!("{LEVEL}\nname = \"{name}\"\n[[zone]]\n\"{name}\" = 1\n"));
    let commands = ["check", "run level", "run NAME", "test NAME"];
    run_harmless(&folder, &commands);
    run_harmless(&folder, &["check --format json"]);
    let json = run(folder.root(), &["check", "--format", "json"]);
    let messages: Vec<Value> = serde_json::from_str(&out(&json)).expect("JSON");
    let mut texts = messages.iter().filter_map(|m| m["message"].as_str());
    assert!(texts.any(|text| text.contains(STEERING)), "{messages:?}");
}

#[test]
fn what_scripts_print_and_throw_does_not_steer_the_terminal() {
    let folder = game();
    let name = literal(STEERING);
    folder.write("levels/level.toml", &format!("{LEVEL}\nname = \"{name}\"\n"));
    let script = "fn on_tick(me) { print(NAME); me.note(NAME); if this.n > 3 { throw NAME; } this.n += 1; }";
    let script = script.replace("NAME", &format!("\"{name}\""));
    folder.write("scripts/hero.rhai", &format!("{script} // {STEERING}\n"));
    let tests = "fn test_a() { print(NAME); let t = play(\"level\"); t.ticks(1); expect(NAME).equals(\"x\", NAME); }\n\
                 fn test_b() { known_failure(NAME); expect(1).equals(2); }";
    let tests = tests.replace("NAME", &format!("\"{name}\""));
    folder.write("levels/tests/a.rhai", &format!("{tests} // {STEERING}\n"));
    run_harmless(
        &folder,
        &[
            "run level --ticks 9",
            "run level --ticks 9 --trace -",
            "run level --ticks 9 --trace - --trace-why",
            "run level --ticks 2 --why NAME",
            "run level --ticks 2 --why NAME@2",
            "test",
            "check",
        ],
    );
}

#[cfg(unix)]
#[test]
fn names_of_files_do_not_steer_the_terminal() {
    let folder = game();
    folder.write(&format!("scripts/{STEERING}.rhai"), "fn on_tick( {");
    folder.write(&format!("config/{STEERING}.toml"), "a");
    folder.write(&format!("levels/tests/{STEERING}.rhai"), "fn test_c() { expect(1).equals(2); }");
    let commands = ["check", "check --format json", "test", "test --list", "run level --ticks 2"];
    run_harmless(&folder, &commands);
}

#[test]
fn a_line_break_in_a_name_does_not_look_like_another_message() {
    let folder = game();
    let fake = "levels/level.toml:1:1: error: fake";
    let name = format!("a\\n{fake}");
    folder.write(
        "levels/level.toml",
        &format!("{LEVEL}\nname = \"{name}\"\n[[entity]]\nkind = \"{name}\"\nat = [0, 99]\n[[solid]]\nsurface = \"{name}\"\npoints = [[0, 0], [1, 0], [1, 1]]\n"),
    );
    folder.write(
        "scripts/hero.rhai",
        &format!("fn on_tick(me) {{ me.emit(\"{name}\"); world::create(\"{name}\", 0, 0); throw 1; }}"),
    );
    folder.write(
        "levels/tests/a.rhai",
        &format!("fn test_a() {{ let t = play(\"{name}\"); }}\nfn test_b() {{ let t = play(\"level\"); t.tune(\"{name}.x\", 1); }}"),
    );
    let lines = |arguments: &[&str]| {
        let output = run(folder.root(), arguments);
        format!("{}{}", out(&output), err(&output))
    };
    let harmless = |text: &str| {
        assert!(!text.is_empty());
        let mut lines = text.lines();
        assert!(!lines.any(|line| line.starts_with(fake)), "{text}");
    };
    harmless(&lines(&["check"]));
    harmless(&lines(&["run", "level", "--ticks", "2"]));
    harmless(&lines(&["test"]));
    folder.write("levels/level.toml", &format!("{LEVEL}\nname = \"{name}\"\n"));
    harmless(&lines(&["run", "level", "--ticks", "60"]));
    harmless(&lines(&["run", "level", "--ticks", "2", "--why", "b"]));
    harmless(&lines(&["test"]));
}
