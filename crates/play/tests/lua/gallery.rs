//! `examples/lua`: the gallery in Lua plays the same game as the one in Rhai.

use super::{Folder, results};
use hangtime_core::sim::{Value, Vars};
use hangtime_game::{InputScript, Live, Project};
use hangtime_play::{Observer, run};
use hangtime_script::{STACK, SourceFile};
use std::{panic::resume_unwind, path::Path, sync::Arc};

/// Presses every key that a behavior of the gallery waits for, for levels without a demo.
const KEYS: &str = "10\n30 right\n6 right jump\n10 right\n4 hook\n20 down\n4 up\n4 strike\n20\n6 down\n6 right\n\
    4 strike\n30 left\n8 left jump\n6 left up hook\n20 left\n4 throw\n30 right\n4 up\n20 up right\n6 jump\n4\n\
    6 jump\n30\n60 right\n20 right jump\n60 right\n4 left\n4 right\n4 strike\n8 hook\n40 left\n20 left jump\n\
    60 hook\n";
/// How long the shortest runs are, in ticks.
const LEAST: u64 = 600;
/// The levels and tests whose behaviors keep what a call answers. Lua keeps `2.0` as a whole number, unless a file says
/// otherwise, and a variable that is set to nil is gone, where Rhai keeps `()`. Hashes tell these apart, so that the
/// entities and the values of their variables are compared instead, and of tests what they expect and print.
const KEEPS_ANSWERS: [&str; 3] = ["gallery/companion", "gallery/high_score.rhai", "gallery/scout"];

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The files below a folder of the repository, with their paths below it.
fn files(of: &str) -> Vec<String> {
    let (mut found, mut folders) = (Vec::new(), vec![root().join(of)]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let below = path.strip_prefix(root().join(of)).expect("below it");
                found.push(below.to_str().expect("a name in UTF-8").replace('\\', "/"));
            }
        }
    }
    found.sort();
    found
}

/// The scripts in `examples/lua`, without their ending.
fn twins() -> Vec<String> {
    files("examples/lua")
        .iter()
        .filter_map(|file| Some(file.strip_suffix(".luau")?.to_string()))
        .collect()
}

/// The names of the gallery's levels, for [`Project::find_level`].
fn levels() -> Vec<String> {
    let tests = files("levels/tests/gallery").into_iter();
    let tests = tests.filter_map(|file| Some(format!("tests/gallery/{}", file.strip_suffix(".toml")?)));
    tests.chain(["gallery".to_string()]).collect()
}

/// Whether hashes are not compared in this level, or in the levels of this test.
fn keeps_answers(name: &str) -> bool {
    name == "gallery" || KEEPS_ANSWERS.iter().any(|level| name.contains(level))
}

/// The bundled game with the tests of its gallery, and with scripts of `examples/lua` in place of those in Rhai.
fn game(replaced: &[String]) -> Folder {
    let folder = Folder::empty();
    for below in ["config", "levels", "scripts"] {
        for file in files(below) {
            let is_other_test = file.starts_with("tests/") && !file.starts_with("tests/gallery/");
            let name = format!("{below}/{file}");
            let names_scripts = below != "scripts" && [".toml", ".rhai"].iter().any(|ending| file.ends_with(ending));
            if is_other_test || file.ends_with(".md") {
                continue;
            } else if names_scripts {
                let mut text = std::fs::read_to_string(root().join(&name)).expect("a text");
                for script in replaced {
                    text = text.replace(&format!("\"{script}.rhai\""), &format!("\"{script}.luau\""));
                }
                folder.write(&name, &text);
            } else {
                folder.write_bytes(&name, &std::fs::read(root().join(&name)).expect("a file"));
            }
        }
    }
    for script in replaced {
        let text = std::fs::read(root().join(format!("examples/lua/{script}.luau"))).expect("a script");
        folder.write_bytes(&format!("scripts/{script}.luau"), &text);
        // Scripts in Rhai that are not replaced may import this one.
        if !script.starts_with("lib/") {
            std::fs::remove_file(folder.path(&format!("scripts/{script}.rhai"))).expect("the script in Rhai");
        }
    }
    folder
}

/// What `look` finds in the game in Rhai, and in the same game in Lua.
fn both<T: Send>(look: impl Fn(&Path) -> T + Sync) -> [T; 2] {
    let games = [game(&[]), game(&twins())];
    std::thread::scope(|scope| {
        let threads = games.each_ref().map(|game| {
            let thread = std::thread::Builder::new().stack_size(STACK);
            thread.spawn_scoped(scope, || look(game.root())).expect("a thread")
        });
        threads.map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })
}

/// What is seen of a level.
#[derive(Default)]
struct Seen {
    /// Whether entities are compared instead of hashes.
    by_entity: bool,
    /// The world after each tick: its hash, or its entities.
    worlds: Vec<String>,
    printed: Vec<String>,
    faults: Vec<String>,
}

impl Observer for Seen {
    fn observe(&mut self, live: &mut Live) -> std::io::Result<()> {
        let world = live.world();
        self.worlds.push(match self.by_entity {
            true => {
                let views: Vec<_> = live.views().collect();
                let vars: Vec<_> = world.entities().iter().map(|entity| values(&entity.vars)).collect();
                format!("{views:?} {vars:?}")
            }
            false => format!("{:016x}", world.hash()),
        });
        let report = live.report();
        self.printed.extend(report.printed.lines.iter().cloned());
        self.faults.extend(report.faults.first.iter().map(|fault| fault.diagnostic.headline()));
        Ok(())
    }
}

/// The values of variables, whatever kinds their numbers have.
fn values(vars: &Vars) -> Value {
    fn value(of: Value) -> Value {
        match of {
            Value::Int(x) => Value::Float(x as f64),
            Value::List(list) => Value::List(list.into_iter().map(value).collect()),
            Value::Map(map) => {
                let there = map.into_iter().filter(|(_, each)| !each.is_unit());
                Value::Map(there.map(|(name, each)| (name, value(each))).collect())
            }
            other => other,
        }
    }
    value(Value::Map(vars.0.to_plain()))
}

/// Plays a level with its demo, or with [`KEYS`].
fn play(root: &Path, level: &str) -> Seen {
    let project = Project::load(root).expect("a game");
    let path = project.find_level(level).expect("a level");
    let opened = project
        .open(&path, &[])
        .map_err(|error| hangtime_script::render_all(&error.diagnostics(), false));
    let revision = Arc::new(opened.unwrap_or_else(|wrong| panic!("{wrong}")));
    let stage = &revision.stage;
    let keys = Arc::new(SourceFile { name: "keys.input".into(), text: KEYS.into() });
    let keys = InputScript::parse_with(&keys, &stage.actions).expect("keys of the game");
    let track = revision.demo.as_ref().unwrap_or(&keys).track_in(stage);
    let mut seen = Seen { by_entity: keeps_answers(level), ..Seen::default() };
    run(&mut Live::new(revision.clone(), 0), &track, track.length().max(LEAST), &mut [&mut seen]).expect("a run");
    seen
}

#[test]
fn every_script_of_the_gallery_has_a_twin_and_the_guide_links_to_both() {
    let (twins, guide) = (twins(), include_str!("../../../../scripts/README.md"));
    for file in files("scripts/gallery") {
        let script = file.strip_suffix(".rhai").expect("a script in Rhai");
        assert!(twins.contains(&format!("gallery/{script}")), "there is no examples/lua/gallery/{script}.luau");
        let row = format!("| [{script}](gallery/{script}.rhai) | [Lua](../examples/lua/gallery/{script}.luau) | ");
        assert!(guide.lines().any(|line| line.starts_with(&row)), "scripts/README.md has no row {row}");
    }
    for twin in twins {
        assert!(root().join(format!("scripts/{twin}.rhai")).is_file(), "there is no scripts/{twin}.rhai");
    }
}

#[test]
fn levels_of_the_gallery_play_the_same_in_both_languages() {
    let [of_rhai, of_lua] = both(|root| levels().iter().map(|level| play(root, level)).collect::<Vec<_>>());
    for (level, (rhai, lua)) in levels().iter().zip(of_rhai.iter().zip(&of_lua)) {
        for seen in [rhai, lua] {
            assert!(seen.faults.is_empty(), "{level}: {}", seen.faults[0]);
        }
        let differs = rhai.worlds.iter().zip(&lua.worlds).position(|(rhai, lua)| rhai != lua);
        assert_eq!(differs, None, "{level}: the first tick after which the worlds differ");
        assert_eq!(rhai.printed, lua.printed, "{level}");
    }
}

#[test]
fn tests_of_the_gallery_pass_over_scripts_in_lua_and_play_the_same() {
    let [of_rhai, of_lua] = both(results);
    assert!(of_rhai.len() > 100, "{} tests", of_rhai.len());
    assert_eq!(of_rhai.len(), of_lua.len());
    let mut differ = Vec::new();
    for (rhai, lua) in of_rhai.iter().zip(&of_lua) {
        assert!(lua.passed(), "{}", lua.report(false));
        assert_eq!((&rhai.name, &rhai.printed), (&lua.name, &lua.printed));
        if rhai.hash != lua.hash && !keeps_answers(&rhai.name) {
            differ.push(&rhai.name);
        }
    }
    assert!(differ.is_empty(), "these tests play something else in Lua: {differ:#?}");
}
