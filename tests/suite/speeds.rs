//! `check --speed`: which functions are compiled, and what their calls take in the game's levels.

use crate::{
    folder::{Folder, LEVEL, on_large_stack},
    goldens::root,
    program::{code, err, out, run},
};
use hangtime::{
    playtest::{FunctionSpeed, MeasuredCalls, SpeedReport, measure_functions, speed_table},
    project::Project,
    script::host::FunctionCode,
};
use serde_json::Value;

const HERO: &str = "import \"lib\" as lib;\n\n/// Counts.\nfn on_tick(me) {\n    this.n += 1;\n    \
                    lib::add(me, 2);\n}\nfn helper(a, b) { a }\nfn on_land(me) { }\n\
                    fn helper(a) { a } // fn helper(x, y)\n";

/// A game with two levels; `lib.rhai` is imported, and `unused.rhai` is in no level.
fn game() -> Folder {
    let folder = Folder::with_script(HERO);
    folder.write("scripts/lib.rhai", "fn add(me, n) { me.vel.x += n; }");
    folder.write("scripts/unused.rhai", "fn on_tick(me) { this.n = 1; }");
    let more = "[[entity]]\nname = \"second\"\nkind = \"hero\"\nat = [-300, 19]\n";
    folder.write("levels/deep/more.toml", &format!("{LEVEL}{more}"));
    folder
}

fn measured(folder: &Folder, wanted: impl Fn(&str) -> bool) -> SpeedReport {
    measure_functions(&Project::load(folder.root()).expect("a game"), wanted)
}

fn function<'a>(report: &'a SpeedReport, file: &str, name: &str, parameters: usize) -> &'a FunctionSpeed {
    let script = report.scripts.iter().find(|script| script.file == file);
    let functions = script.and_then(|script| script.functions.as_ref());
    let is = |speed: &&FunctionSpeed| speed.function.name == name && speed.function.parameters == parameters;
    functions.and_then(|all| all.iter().find(is)).unwrap_or_else(|| panic!("{file} {name}"))
}

#[test]
fn hooks_are_measured_in_the_level_that_calls_them_most() {
    on_large_stack(|| {
        let report = measured(&game(), |_| true);
        assert_eq!((report.levels, report.unplayable.len()), (2, 0));
        let files: Vec<&str> = report.scripts.iter().map(|s| s.file.as_str()).collect();
        assert_eq!(files, ["scripts/hero.rhai", "scripts/lib.rhai", "scripts/unused.rhai"]);
        let on_tick = function(&report, "scripts/hero.rhai", "on_tick", 1);
        assert_eq!(on_tick.function.place.position().0, 4);
        match &on_tick.calls {
            MeasuredCalls::InLevel { level, times } => {
                assert_eq!((level.as_str(), times.calls), ("levels/deep/more.toml", 1200));
                // The same steps in each call.
                assert_eq!(times.operations % times.calls, 0);
                assert!(times.mean_operations() > 10.0 && times.median > 0);
            }
            other => panic!("{other:?}"),
        }
        for (file, name, parameters, line, calls) in [
            ("hero", "helper", 2, 8, MeasuredCalls::InCallers),
            ("hero", "helper", 1, 10, MeasuredCalls::InCallers),
            ("lib", "add", 2, 1, MeasuredCalls::InCallers),
            ("unused", "on_tick", 1, 1, MeasuredCalls::NoLevel),
        ] {
            let found = function(&report, &format!("scripts/{file}.rhai"), name, parameters);
            assert_eq!(found.calls, calls, "{file} {name}");
            assert_eq!(found.function.place.position().0, line, "{file} {name}");
        }
    });
}

#[test]
fn what_is_not_called_says_so_and_paths_choose_scripts() {
    on_large_stack(|| {
        let folder = game();
        folder.write("scripts/hero.rhai", "fn on_hit(me) { }");
        let report = measured(&folder, |file| file == "scripts/hero.rhai");
        assert_eq!(report.scripts.len(), 1);
        let on_hit = function(&report, "scripts/hero.rhai", "on_hit", 1);
        let level = "levels/deep/more.toml".to_string();
        assert_eq!(on_hit.calls, MeasuredCalls::NotCalled(level));
        let table = speed_table(&report);
        assert!(table.contains("not called in levels/deep/more.toml"), "{table}");
    });
}

#[test]
fn the_program_prints_a_table_or_json_and_keeps_its_exit_code() {
    let folder = game();
    let table = run(folder.root(), &["check", "--speed"]);
    let plain = run(folder.root(), &["check"]);
    assert_eq!(code(&table), code(&plain));
    assert_eq!(err(&table), err(&plain));
    let text = out(&table);
    for line in [
        "scripts/hero.rhai\n",
        "no level uses this script",
        "in the hooks that call it",
        "levels/deep/more.toml: 1200 calls",
        "6 functions are compiled",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let json = run(folder.root(), &["check", "--speed", "--format", "json", "scripts"]);
    let parsed: Value = serde_json::from_str(&out(&json)).expect("JSON");
    assert_eq!(parsed["functions"].as_array().map(Vec::len), Some(6));
    let on_tick = &parsed["functions"][0];
    assert_eq!((&on_tick["function"], &on_tick["line"]), (&"on_tick".into(), &4.into()));
    assert_eq!((&on_tick["calls"], &on_tick["measured"]), (&1200.into(), &"level".into()));
    assert!(on_tick["operations"].as_f64().is_some_and(|n| n > 10.0));
    assert!(parsed["messages"].is_array());
    let one = run(folder.root(), &["check", "--speed", "scripts/lib.rhai", "--format", "json"]);
    let parsed: Value = serde_json::from_str(&out(&one)).expect("JSON");
    assert_eq!(parsed["functions"].as_array().map(Vec::len), Some(1));
    // Without the option, the format is as before.
    let plain = run(folder.root(), &["check", "--format", "json"]);
    assert!(out(&plain).starts_with('['));
}

#[test]
fn a_broken_game_shows_its_errors_and_what_can_be_measured() {
    let folder = game();
    folder.write("scripts/broken.rhai", "fn on_tick(me) { let = ; }");
    folder.write("levels/bad.toml", "solid = 3\n");
    let checked = run(folder.root(), &["check", "--speed"]);
    assert_eq!(code(&checked), 1);
    let text = out(&checked);
    assert!(text.contains("scripts/broken.rhai\n  not measured: it has errors"), "{text}");
    assert!(text.contains("scripts/broken.rhai:1:22: error:"), "{text}");
    assert!(text.contains("levels/deep/more.toml: 1200 calls"), "{text}");
    assert!(err(&checked).contains("levels/bad.toml cannot be played"), "{}", err(&checked));
    // A script that fails in each tick is measured until it is disabled.
    folder.write("scripts/hero.rhai", "fn on_tick(me) { this.a.b.c = 1; }");
    let failing = run(folder.root(), &["check", "--speed", "scripts/hero.rhai"]);
    assert!(out(&failing).contains(": 20 calls"), "{}", out(&failing));
    let missing = run(folder.root(), &["check", "--speed", "scripts/no.rhai"]);
    assert_eq!(code(&missing), 2);
    let empty = Folder::empty();
    let nothing = run(empty.root(), &["check", "--speed"]);
    assert_eq!(code(&nothing), code(&run(empty.root(), &["check"])));
    assert!(out(&nothing).contains("0 of 0 functions"), "{}", out(&nothing));
}

#[test]
fn every_function_of_the_scripts_is_listed_once_with_its_place() {
    on_large_stack(|| {
        // Levels are not played here: the scripts alone are looked at.
        let project = Project::load(root()).expect("this repository");
        let folder = Folder::empty();
        let mut expected = 0;
        let mut folders = vec![root().join("scripts")];
        while let Some(next) = folders.pop() {
            for entry in std::fs::read_dir(next).expect("a folder").flatten() {
                let path = entry.path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|ending| ending == "rhai") {
                    let text = std::fs::read_to_string(&path).expect("a script");
                    let is_function = |line: &&str| line.starts_with("fn ") || line.starts_with("private fn ");
                    expected += text.lines().filter(is_function).count();
                    let name = path.strip_prefix(project.root()).expect("a path below");
                    folder.write(&name.to_string_lossy(), &text);
                }
            }
        }
        let report = measured(&folder, |_| true);
        let all: Vec<&FunctionSpeed> = report
            .scripts
            .iter()
            .flat_map(|script| {
                let functions = script.functions.as_ref();
                functions.unwrap_or_else(|| panic!("{} has errors", script.file))
            })
            .collect();
        assert_eq!(all.len(), expected);
        for speed in all {
            let place = &speed.function.place;
            assert_eq!(&place.file.text[place.span.clone()], speed.function.name);
            assert_eq!(speed.calls, MeasuredCalls::NoLevel);
            match &speed.function.code {
                FunctionCode::Compiled(_) => {}
                FunctionCode::Interpreted { place, .. } => {
                    let inside = place.as_ref().is_none_or(|place| place.span.start > 0);
                    assert!(inside, "{}", speed.function.name);
                }
            }
        }
    });
}
