//! `examples/lua`: the gallery in Lua plays the same game as the one in Rhai.

use super::{Folder, on_large_stack, results};
use hangtime_game::{Live, Project};
use hangtime_play::{Observer, run};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// Presses every key that a behavior of the gallery waits for, for levels without a demo.
const KEYS: &str = "10\n30 right\n6 right jump\n10 right\n4 hook\n20 down\n4 up\n4 strike\n20\n6 down\n6 right\n4 strike\n\
    30 left\n8 left jump\n6 left up hook\n20 left\n4 throw\n30 right\n4 up\n20 up right\n6 jump\n4\n6 jump\n30\n\
    60 right\n20 right jump\n60 right\n4 left\n4 right\n4 strike\n8 hook\n40 left\n20 left jump\n60 hook\n";
/// How long the shortest runs are, in ticks.
const LEAST: u64 = 600;

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
    files("examples/lua").iter().filter_map(|file| Some(file.strip_suffix(".luau")?.to_string())).collect()
}

/// The names of the gallery's levels, for [`Project::find_level`].
fn levels() -> Vec<String> {
    let tests = files("levels/tests/gallery").into_iter();
    let tests = tests.filter_map(|file| Some(format!("tests/gallery/{}", file.strip_suffix(".toml")?)));
    tests.chain(["gallery".to_string()]).collect()
}

/// The bundled game with the tests of its gallery, and with scripts of `examples/lua` in place of those in Rhai.
fn game(replaced: &[String]) -> Folder {
    let folder = Folder::empty();
    folder.write("levels/keys.input", KEYS);
    for below in ["config", "levels", "scripts"] {
        for file in files(below) {
            let is_other_test = file.starts_with("tests/") && !file.starts_with("tests/gallery/");
            let name = format!("{below}/{file}");
            if name.ends_with(".toml") {
                let mut text = std::fs::read_to_string(root().join(&name)).expect("a text");
                for script in replaced {
                    let of_rhai = format!("script = \"{script}.rhai\"");
                    text = text.replace(&of_rhai, &format!("script = \"{script}.luau\""));
                }
                if name.starts_with("levels/tests/gallery/") {
                    text.insert_str(0, "demo = \"../../keys.input\"\n");
                }
                folder.write(&name, &text);
            } else if !is_other_test && !file.ends_with(".md") {
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

/// What is seen of a level: the hash of every tick, and the lines that scripts print.
#[derive(Default)]
struct Seen {
    hashes: Vec<u64>,
    printed: Vec<String>,
    faults: Vec<String>,
}

impl Observer for Seen {
    fn observe(&mut self, live: &mut Live) -> std::io::Result<()> {
        self.hashes.push(live.world().hash());
        let report = live.report();
        self.printed.extend(report.printed.lines.iter().cloned());
        self.faults.extend(report.faults.first.iter().map(|fault| fault.diagnostic.headline()));
        Ok(())
    }
}

/// Plays a level with its demo.
fn play(folder: &Folder, level: &str) -> Seen {
    let project = Project::load(folder.root()).expect("a game");
    let level = project.find_level(level).expect("a level");
    let opened = project.open(&level, &[]).map_err(|error| hangtime_script::render_all(&error.diagnostics(), false));
    let revision = Arc::new(opened.unwrap_or_else(|wrong| panic!("{wrong}")));
    let demo = revision.demo.as_ref().expect("a demo").track_in(&revision.stage);
    let mut seen = Seen::default();
    run(&mut Live::new(revision, 0), &demo, demo.length().max(LEAST), &mut [&mut seen]).expect("a run");
    seen
}

#[test]
fn every_script_of_the_gallery_has_a_twin() {
    let twins = twins();
    for file in files("scripts/gallery") {
        let script = format!("gallery/{}", file.strip_suffix(".rhai").expect("a script in Rhai"));
        assert!(twins.contains(&script), "there is no examples/lua/{script}.luau");
    }
    for twin in twins {
        assert!(root().join(format!("scripts/{twin}.rhai")).is_file(), "scripts/{twin}.rhai");
    }
}

#[test]
fn levels_of_the_gallery_play_the_same_in_both_languages() {
    on_large_stack(|| {
        let (rhai, lua) = (game(&[]), game(&twins()));
        for level in levels() {
            let [of_rhai, of_lua] = [&rhai, &lua].map(|folder| play(folder, &level));
            for seen in [&of_rhai, &of_lua] {
                assert!(seen.faults.is_empty(), "{level}: {}", seen.faults[0]);
            }
            let differs = of_rhai.hashes.iter().zip(&of_lua.hashes).position(|(rhai, lua)| rhai != lua);
            assert_eq!(differs, None, "{level}: the tick after which the worlds differ");
            assert_eq!(of_rhai.printed, of_lua.printed, "{level}");
            let distinct: BTreeSet<u64> = of_rhai.hashes.iter().copied().collect();
            assert!(distinct.len() as u64 > LEAST / 2, "{level} hardly moves");
        }
    });
}

#[test]
fn tests_of_the_gallery_pass_over_both_languages_and_play_the_same() {
    on_large_stack(|| {
        let [of_rhai, of_lua] = [Vec::new(), twins()].map(|replaced| results(game(&replaced).root()));
        assert!(of_rhai.len() > 100, "{} tests", of_rhai.len());
        assert_eq!(of_rhai.len(), of_lua.len());
        for (rhai, lua) in of_rhai.iter().zip(&of_lua) {
            assert!(lua.passed(), "{}", lua.report(false));
            assert_eq!((&rhai.name, &rhai.printed, rhai.hash), (&lua.name, &lua.printed, lua.hash));
        }
    });
}
