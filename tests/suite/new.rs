//! `new`: whatever it creates runs and passes its tests, and existing files are never touched.

use crate::{
    folder::Folder,
    program::{code, err, out, run},
};
use hangtime::{models::ModelName, project::TEMPLATES};
use regex_lite::Regex;
use std::{collections::BTreeMap, path::Path};

fn templates() -> impl Iterator<Item = &'static str> {
    TEMPLATES.iter().map(|t| t.name)
}

/// Every file below a folder, with its text.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(here) = folders.pop() {
        for entry in std::fs::read_dir(here).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("below it");
                let text = String::from_utf8_lossy(&std::fs::read(&path).expect("a file")).into_owned();
                found.insert(name.display().to_string(), text);
            }
        }
    }
    found
}

/// Runs `new`, which must succeed, and returns the files that it lists.
fn make(folder: &Path, name: &str, template: &str) -> Vec<String> {
    let made = run(folder, &["new", name, "--template", template]);
    assert_eq!(code(&made), 0, "{template}: {}", err(&made));
    assert!(err(&made).contains("\nnext:\n"), "{}", err(&made));
    out(&made).lines().map(String::from).collect()
}

/// Checks and tests a game; at least `least` tests must pass.
fn is_valid(game: &Path, least: usize, what: &str) {
    let checked = run(game, &["check"]);
    assert_eq!(code(&checked), 0, "{what}: {}", out(&checked));
    let clean = err(&checked).contains("0 errors, 0 warnings");
    assert!(clean, "{what}: {}", out(&checked));
    let tested = run(game, &["test"]);
    assert_eq!(code(&tested), 0, "{what}: {}", out(&tested));
    let lines = out(&tested);
    let passed = lines.lines().filter(|line| line.starts_with("ok ")).count();
    assert!(passed >= least, "{what}: {}", out(&tested));
}

/// Plays 300 ticks without a script error.
fn runs(game: &Path, level: &str, what: &str) {
    let ran = run(game, &["run", level, "--ticks", "300", "--strict"]);
    assert_eq!(code(&ran), 0, "{what}: {}", err(&ran));
    assert!(err(&ran).contains("300 ticks"), "{what}: {}", err(&ran));
}

#[test]
fn every_model_has_a_template_and_platformer_is_the_default() {
    let models: Vec<_> = TEMPLATES.iter().map(|t| t.model).collect();
    for model in ModelName::ALL {
        assert!(models.contains(model), "{}", model.as_str());
    }
    let names: Vec<_> = TEMPLATES.iter().map(|t| t.name).collect();
    assert_eq!((names[0], models[0]), ("platformer", ModelName::platformer));
    assert_eq!(names[ModelName::ALL.len()..], ["states", "tiles", "topdown-rooms"]);
    let help = run(Folder::empty().root(), &["new", "--help"]);
    for template in TEMPLATES.iter() {
        assert!(out(&help).contains(template.about), "{}", out(&help));
    }
}

#[test]
fn a_new_game_folder_is_valid_and_its_files_are_listed() {
    for template in templates() {
        let folder = Folder::empty();
        let named = make(folder.root(), "games/mine", template);
        let there: Vec<String> = files(folder.root()).into_keys().collect();
        assert_eq!(named, there, "{template}");
        for file in ["README.md", ".gitignore", ".vscode/tasks.json", "config/hangtime.toml", "config/surfaces.toml"] {
            let file = format!("games/mine/{file}");
            assert!(there.contains(&file), "{template}: {file}");
        }
        let level = ["toml", "tmx"].map(|ending| format!("games/mine/levels/first.{ending}"));
        let level = level.iter().find(|level| there.contains(level)).expect("a level");
        let readme = std::fs::read_to_string(folder.path("games/mine/README.md")).expect("a README");
        assert!(readme.contains(level.trim_start_matches("games/mine/")), "{template}: {readme}");
        let game = folder.path("games/mine");
        is_valid(&game, 4, template);
        runs(&game, "first", template);
        for (file, text) in files(&game) {
            assert!(!text.contains("{{"), "{template}: {file}");
        }
        // Inside a game folder, `new` creates a behavior.
        assert_eq!(make(&game, "another", template).len(), 4);
    }
}

#[test]
fn play_opens_the_level_of_a_new_game() {
    let folder = Folder::empty();
    make(folder.root(), "mine", "platformer");
    let game = folder.path("mine");
    // A small picture makes the GIF quicker.
    folder.write("mine/config/hangtime.toml", "[window]\nwidth = 160\nheight = 90\n");
    let played = run(&game, &["play"]);
    assert_eq!(code(&played), 0, "{}", err(&played));
    assert_eq!(out(&played), "first.gif\n");
    let readme = std::fs::read_to_string(game.join("README.md")).expect("a README");
    assert!(readme.starts_with("# mine\n"), "{readme}");
}

/// A game with unusual settings everywhere.
fn odd_game() -> Folder {
    let folder = Folder::empty();
    folder.write(
        "config/hangtime.toml",
        "[simulation]\ntick_hz = 144\ngravity = 500\nexternal_damping = 0.5\ntouches = false\n",
    );
    folder.write("config/surfaces.toml", "[stone]\ngrip = 0.3\n[rice]\n");
    let models = "config/models";
    folder.write(
        &format!("{models}/platformer.toml"),
        "run_speed_min = 90\nrun_speed_max = 2000\njump_speed = 1500\nair_accel = 10\nrest_spacing = 16\n",
    );
    folder.write(
        &format!("{models}/topdown.toml"),
        "max_speed = 900\nfriction = 0.2\njump_speed = 30\nauto_jump = true\n",
    );
    folder.write(
        &format!("{models}/vessel.toml"),
        "rebound = 1.9\nthrust_accel = 10\nturn_accel = 1\nsolver = \"simultaneous\"\n",
    );
    folder.write(&format!("{models}/two_velocity.toml"), "accel = 30\nmax_speed = 6\nbrake = 0.5\n");
    folder
        .write(&format!("{models}/ballistic.toml"), "gravity_scale = 0.3\nmax_launch_speed = 60\nclearance_max = 8\n");
    folder.write("levels/own.toml", "[[solid]]\npoints = [[0, 0], [9, 0], [0, 9]]\n");
    folder
}

#[test]
fn behaviors_are_valid_in_any_game_folder() {
    let mine = Folder::empty();
    make(mine.root(), "mine", "platformer");
    let odd = odd_game();
    for game in [mine.path("mine"), odd.root().to_path_buf()] {
        let before = files(&game);
        let mut tests = 0;
        for template in templates() {
            let name = format!("my_{template}").replace('-', "_");
            let made = make(&game, &name, template);
            assert_eq!(
                made,
                [
                    format!("scripts/{name}.rhai"),
                    format!("config/entities/{name}.toml"),
                    format!("levels/tests/{name}.toml"),
                    format!("levels/tests/{name}.rhai"),
                ]
            );
            tests += 2;
            is_valid(&game, tests, template);
            runs(&game, &format!("levels/tests/{name}.toml"), template);
            let own = run(&game, &["test", &made[3]]);
            assert!(out(&own).matches("ok ").count() >= 2, "{}", out(&own));
        }
        for (file, text) in before {
            let now = std::fs::read_to_string(game.join(&file)).expect("still there");
            assert_eq!(now, text, "{file}");
        }
    }
}

#[test]
fn behaviors_pass_their_tests_at_every_tick_rate() {
    for hz in [30, 60, 120, 240] {
        let folder = Folder::empty();
        folder.write("config/hangtime.toml", &format!("[simulation]\ntick_hz = {hz}\n"));
        std::fs::create_dir(folder.path("levels")).expect("a folder");
        for template in templates() {
            make(folder.root(), &format!("a_{template}").replace('-', "_"), template);
        }
        let tested = run(folder.root(), &["test"]);
        assert_eq!(code(&tested), 0, "at {hz} Hz: {}", out(&tested));
    }
}

#[test]
fn the_tests_of_a_behavior_fail_if_its_script_is_empty() {
    for template in templates() {
        let folder = Folder::empty();
        std::fs::create_dir(folder.path("levels")).expect("a folder");
        make(folder.root(), "thing", template);
        folder.write("scripts/thing.rhai", "// nothing\n");
        let tested = run(folder.root(), &["test"]);
        assert_eq!(code(&tested), 100, "{template}: {}", out(&tested));
    }
}

#[test]
fn the_test_of_a_game_fails_without_its_demo() {
    for template in templates() {
        let folder = Folder::empty();
        make(folder.root(), "mine", template);
        folder.write("mine/levels/first.input", "3s\n");
        let tested = run(&folder.path("mine"), &["test", "--filter", "demo"]);
        assert_eq!(code(&tested), 100, "{template}: {}", out(&tested));
    }
}

#[test]
fn a_new_level_can_be_played_in_every_game() {
    for template in templates() {
        let folder = Folder::empty();
        make(folder.root(), "game", template);
        let game = folder.path("game");
        let made = run(&game, &["new", "level", "two", "--template", template]);
        assert_eq!(code(&made), 0, "{template}: {}", err(&made));
        assert_eq!(out(&made), "levels/two.toml\n");
        assert!(err(&made).contains("world::play_level(\"two\")"), "{}", err(&made));
        runs(&game, "two", template);
        is_valid(&game, 1, template);
        let again = run(&game, &["new", "level", "two"]);
        assert_eq!(code(&again), 2, "{}", err(&again));
        assert!(err(&again).contains("levels/two.toml"), "{}", err(&again));
    }
}

#[test]
fn a_level_needs_a_game_and_a_valid_name() {
    let folder = Folder::empty();
    let refused = |root: &Path, arguments: &[&str], message: &str| {
        let made = run(root, &[&["new"], arguments].concat());
        assert_eq!(code(&made), 2, "{arguments:?}");
        assert!(err(&made).contains(message), "{arguments:?}: {}", err(&made));
    };
    refused(folder.root(), &["level", "two"], "belongs to a game folder");
    make(folder.root(), "game", "platformer");
    let game = folder.path("game");
    let before = files(&game);
    for (name, message) in [
        ("Level Two", "try `level_two`"),
        ("../two", "not a valid name for a level"),
        ("", "not a valid name for a level"),
        ("a\u{7}b", "not a valid name for a level"),
    ] {
        refused(&game, &["level", name], message);
    }
    refused(&game, &["dash", "two"], "takes one name");
    assert_eq!(files(&game), before);
    std::fs::remove_dir_all(game.join("config/entities")).expect("it is there");
    refused(&game, &["level", "two"], "has no kinds");
}

#[test]
fn never_overwrites_files() {
    let folder = odd_game();
    folder.write("config/entities/dash.toml", "mass = 3\n");
    let before = files(folder.root());
    let made = run(folder.root(), &["new", "dash"]);
    assert_eq!(code(&made), 2);
    let told = "config/entities/dash.toml: error: already exists; nothing was written";
    assert!(err(&made).contains(told), "{}", err(&made));
    assert!(out(&made).is_empty());
    assert_eq!(files(folder.root()), before);
    assert!(!folder.path("scripts").exists());

    let folder = Folder::empty();
    folder.write("mine/README.md", "mine\n");
    let before = files(folder.root());
    let made = run(folder.root(), &["new", "mine"]);
    assert_eq!(code(&made), 2);
    let told = "mine/README.md: error: already exists; nothing was written";
    assert!(err(&made).contains(told), "{}", err(&made));
    assert_eq!(files(folder.root()), before);
    assert!(!folder.path("mine/levels").exists());
}

#[test]
fn removes_new_files_after_a_failure() {
    let folder = odd_game();
    // A file blocks the folder, which shows only after the script was written.
    folder.write("levels/tests", "no folder\n");
    let before = files(folder.root());
    let made = run(folder.root(), &["new", "dash"]);
    assert_eq!(code(&made), 2, "{}", err(&made));
    let told = "levels/tests/dash.toml: error: cannot write the file";
    assert!(err(&made).contains(told), "{}", err(&made));
    assert!(out(&made).is_empty());
    assert_eq!(files(folder.root()), before);
    for folder in [folder.path("scripts"), folder.path("config/entities")] {
        assert!(!folder.exists(), "{}", folder.display());
    }

    let folder = Folder::empty();
    folder.write("games", "no folder\n");
    let made = run(folder.root(), &["new", "games/mine"]);
    assert_eq!(code(&made), 2, "{}", err(&made));
    assert_eq!(files(folder.root()).len(), 1);
}

#[test]
fn rejects_invalid_names_and_suggests_valid_ones() {
    let game = odd_game();
    let before = files(game.root());
    for (name, what) in [
        ("Double Jump", "try `double_jump`"),
        ("doubleJump", "try `double_jump`"),
        ("scripts/dash.rhai", "try `dash`"),
        ("../dash", "try `dash`"),
        ("/tmp/dash", "try `dash`"),
        ("level", "in events and traces that is the level itself"),
        ("2", "start with a letter"),
        ("", "start with a letter"),
    ] {
        let made = run(game.root(), &["new", name]);
        assert_eq!(code(&made), 2, "{name}");
        assert!(err(&made).contains(what), "{name}: {}", err(&made));
    }
    assert_eq!(files(game.root()), before);

    let folder = Folder::empty();
    for (name, what) in [
        ("", "not a valid name for a game folder"),
        (".", "not a valid name for a game folder"),
        ("…", "not a valid name for a game folder"),
        ("..", "contains `..`"),
        ("../mine", "contains `..`"),
        ("a/../../mine", "contains `..`"),
        ("a\nb", "not a valid name for a game folder"),
    ] {
        let made = run(folder.root(), &["new", name]);
        assert_eq!(code(&made), 2, "{name}: {}", out(&made));
        assert!(err(&made).contains(what), "{name}: {}", err(&made));
    }
    let none = std::fs::read_dir(folder.root()).expect("a folder").next();
    assert!(none.is_none());
    let made = run(folder.root(), &["new", "mine", "--template", "rpg"]);
    assert_eq!(code(&made), 2);
    assert!(err(&made).contains("two_velocity"), "{}", err(&made));
}

#[test]
fn rejects_a_game_folder_inside_another_one() {
    let folder = Folder::empty();
    make(folder.root(), "mine", "platformer");
    for (here, name, what) in [
        (".", "mine", "mine is already a game folder"),
        (".", "mine/dash", "run `hangtime --root mine new dash`"),
        ("mine/levels", "dash", "belongs to the game in"),
        ("mine/config/entities", "dash", "belongs to the game in"),
    ] {
        let made = run(&folder.path(here), &["new", name]);
        assert_eq!(code(&made), 2, "{here} {name}: {}", out(&made));
        assert!(err(&made).contains(what), "{here} {name}: {}", err(&made));
    }
}

#[test]
fn the_next_steps_include_the_root() {
    let folder = Folder::empty();
    make(folder.root(), "my games/mine", "platformer");
    let made = run(folder.root(), &["--root", "my games/mine", "new", "dash"]);
    assert_eq!(code(&made), 0, "{}", err(&made));
    let line = "  hangtime --root 'my games/mine' test levels/tests/dash.rhai";
    assert!(err(&made).contains(line), "{}", err(&made));
    assert!(out(&made).starts_with("scripts/dash.rhai\n"));
}

/// The problem matchers of the editor tasks, by their owners.
fn matchers(game: &Path) -> Vec<(String, serde_json::Value)> {
    let text = std::fs::read_to_string(game.join(".vscode/tasks.json")).expect("tasks");
    let tasks: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let tasks = tasks["tasks"].as_array().expect("a list");
    let matchers = tasks.iter().flat_map(|task| {
        let matcher = &task["problemMatcher"];
        matcher.as_array().cloned().unwrap_or(vec![matcher.clone()])
    });
    matchers
        .map(|m| (m["owner"].as_str().expect("a name").into(), m["pattern"].clone()))
        .collect()
}

/// What an editor matches in a line: file, line, column, severity, message.
fn read(pattern: &serde_json::Value, line: &str) -> Option<Vec<String>> {
    let regex = Regex::new(pattern["regexp"].as_str()?).expect("a pattern");
    let found = regex.captures(line)?;
    let part = |name: &str| {
        let group = pattern[name].as_u64()?;
        Some(found.get(group as usize)?.as_str().to_string())
    };
    let names = ["file", "line", "column", "severity", "message"];
    Some(names.iter().filter_map(|name| part(name)).collect())
}

#[test]
fn editor_tasks_match_the_output_of_check_and_test() {
    let folder = Folder::empty();
    make(folder.root(), "mine", "platformer");
    let game = folder.path("mine");
    folder.write("mine/scripts/hero.rhai", "fn on_lnad(me) { }\n");
    folder.write("mine/config/model.toml", "x = 1\n");
    folder.write("mine/levels/tests/bad.rhai", "fn test_it() {\n  expect(1).equals(2);\n}\n");
    let matchers = matchers(&game);
    let all = |owner: &str, printed: &str| -> Vec<Vec<String>> {
        let pattern = &matchers.iter().find(|(name, _)| name == owner).expect(owner).1;
        printed.lines().filter_map(|line| read(pattern, line)).collect()
    };
    let printed = out(&run(&game, &["check"]));
    let found = all("hangtime", &printed);
    assert_eq!(found[0][..4], ["scripts/hero.rhai", "1", "4", "error"], "{printed}");
    assert!(found[0][4].contains("did you mean `on_land(me)`"), "{printed}");
    let files = all("hangtime-files", &printed);
    assert_eq!(files[0][..2], ["config/model.toml", "warning"], "{printed}");
    // Every headline matches once, and no other line matches.
    let headlines = printed.lines().filter(|line| line.contains(": error: ") || line.contains(": warning: "));
    assert_eq!(found.len() + files.len(), headlines.count(), "{printed}");
    let printed = out(&run(&game, &["test", "levels/tests/bad.rhai"]));
    let found = all("hangtime-test", &printed);
    assert_eq!(found[0][..4], ["levels/tests/bad.rhai", "2", "13", "error"], "{printed}");
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link_that_leads_out_unless_links_are_followed() {
    use std::os::unix::fs::symlink;
    let outside = Folder::empty();
    let game = Folder::empty();
    make(game.root(), "game", "platformer");
    let root = game.path("game");
    for folder in ["scripts", "mods"] {
        let _ = std::fs::remove_dir_all(root.join(folder));
        symlink(outside.root(), root.join(folder)).expect("a link");
    }
    std::fs::create_dir(outside.path("m")).expect("a folder");
    for arguments in
        [&["new", "dash"][..], &["new", "dash", "--mod", "mods/m"], &["new", "level", "one", "--mod", "mods/m"]]
    {
        let refused = run(&root, arguments);
        assert_eq!(code(&refused), 2, "{arguments:?}: {}", out(&refused));
        assert!(err(&refused).contains("--follow-links"), "{arguments:?}: {}", err(&refused));
        assert!(files(outside.root()).is_empty(), "{arguments:?}");
        assert!(!root.join("config/entities/dash.toml").exists());
    }
    let followed = run(&root, &["--follow-links", "new", "dash"]);
    assert_eq!(code(&followed), 0, "{}", err(&followed));
    assert!(outside.path("dash.rhai").exists());
    // Where a new game is, is the user's choice.
    let elsewhere = Folder::empty();
    symlink(elsewhere.root(), game.path("other")).expect("a link");
    make(game.root(), "other", "platformer");
    assert!(elsewhere.path("levels").exists());
}

#[test]
fn the_comment_in_a_test_of_a_mod_named_a_file_that_is_not_there() {
    let game = Folder::empty();
    make(game.root(), "game", "platformer");
    let root = game.path("game");
    let new = run(&root, &["new", "coin", "--mod", "mods/gold"]);
    assert_eq!(code(&new), 0, "{}", err(&new));
    let text = std::fs::read_to_string(root.join("mods/gold/levels/tests/coin.rhai")).expect("a test");
    let named = text
        .split("`hangtime test ")
        .nth(1)
        .and_then(|rest| rest.split('`').next())
        .expect("a command");
    let tested = run(&root, &["test", named]);
    assert!(code(&tested) == 0 && out(&tested).contains(", 0 failed"), "{named}: {}{}", out(&tested), err(&tested));
}

#[test]
fn names_of_devices_are_refused() {
    let game = Folder::empty();
    make(game.root(), "game", "platformer");
    let root = game.path("game");
    for name in ["con", "nul", "com1", "lpt9"] {
        for arguments in
            [&["new", name][..], &["new", "level", name], &["new", "dash", "--mod", &format!("mods/{name}")]]
        {
            let refused = run(&root, arguments);
            assert_eq!(code(&refused), 2, "{arguments:?}: {}", out(&refused));
            assert!(err(&refused).contains("a device on Windows"), "{arguments:?}: {}", err(&refused));
        }
    }
    for name in ["con", "CON", "aux.game", "games/prn/one"] {
        let refused = run(game.root(), &["new", name]);
        assert_eq!(code(&refused), 2, "{name}: {}", out(&refused));
        assert!(err(&refused).contains("a device on Windows"), "{name}: {}", err(&refused));
    }
    for name in ["com0", "com", "console", "lpt10"] {
        let made = run(&root, &["new", name]);
        assert_eq!(code(&made), 0, "{name}: {}", err(&made));
    }
}

#[cfg(not(feature = "lua"))]
#[test]
fn a_program_without_lua_says_how_to_build_one_with_it() {
    let folder = Folder::empty();
    let made = run(folder.root(), &["new", "--lua", "mine"]);
    assert_eq!(code(&made), 2);
    assert!(err(&made).contains("`cargo run --release --features lua`"), "{}", err(&made));
    assert!(files(folder.root()).is_empty());
    // The formats of `api` are those of languages that are there.
    let help = run(folder.root(), &["api", "--help"]);
    assert!(out(&help).contains("rhai") && !out(&help).contains("luau"), "{}", out(&help));
}
