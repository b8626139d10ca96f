//! `test --watch`: an edit runs the tests again that depend on it.

use crate::{
    folder::{Folder, LEVEL},
    maps::{TILESET, game as game_of_map, layer, map},
    program::command,
};
use hangtime::project::{GameFolder, files::game_hash};
use std::{
    io::{BufRead as _, BufReader},
    process::{Child, Command},
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    time::Duration,
};

/// Two kinds with a script each, in two levels with a test each.
fn two_levels() -> Folder {
    let folder = Folder::with_script("fn on_tick(me) { this.n += 1; }");
    folder.write("levels/other.toml", &LEVEL.replace("\"hero\"", "\"ghost\""));
    folder.write("config/entities/ghost.toml", "script = \"ghost.rhai\"\nvars = { n = 0 }\n");
    folder.write("scripts/ghost.rhai", "import \"lib/add\" as add;\nfn on_tick(me) { this.n = add::one(this.n); }");
    folder.write("scripts/lib/add.rhai", "fn one(n) { n + 1 }");
    let test = |level: &str, kind: &str| {
        format!(
            "fn test_{kind}() {{ let t = play(\"{level}.toml\"); t.ticks(3); \
             expect(t.all(\"{kind}\")[0].vars.n).equals(3); }}\n"
        )
    };
    folder.write("levels/tests/hero.rhai", &test("level", "hero"));
    folder.write("levels/tests/ghost.rhai", &test("other", "ghost"));
    folder
}

struct Watched {
    child: Child,
    /// Lines of stdout and stderr.
    lines: Receiver<String>,
}

impl Watched {
    fn start(folder: &Folder, arguments: &[&str]) -> Self {
        // Both in one pipe, so that their lines keep their order.
        let (from, to) = std::io::pipe().expect("a pipe");
        let child = command(folder.root(), &["test", "--watch"])
            .args(arguments)
            .stdout(to.try_clone().expect("a pipe"))
            .stderr(to)
            .spawn()
            .expect("it starts");
        let (send, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(from).lines().map_while(Result::ok) {
                let _ = send.send(line);
            }
        });
        Self { child, lines }
    }

    /// The lines up to the one that says that it waits.
    fn until_it_waits(&self) -> Vec<String> {
        let mut seen = Vec::new();
        loop {
            match self.lines.recv_timeout(Duration::from_secs(60)) {
                Ok(line) if line.contains("waiting for an edit") => {
                    seen.push(line);
                    return seen;
                }
                Ok(line) => seen.push(line),
                Err(RecvTimeoutError::Timeout) => panic!("it does not wait: {seen:?}"),
                Err(RecvTimeoutError::Disconnected) => panic!("it has ended: {seen:?}"),
            }
        }
    }

    /// The names of the tests that ran until it waits again, with their outcomes.
    fn ran(&self) -> Vec<String> {
        let lines = self.until_it_waits();
        let results = lines.iter().filter_map(|line| {
            let (line, _) = line.split_once(" (")?;
            let (word, name) = line.split_once(' ')?;
            let name = name.split("::").nth(1)?;
            ["ok", "FAILED"].contains(&word).then(|| format!("{word} {name}"))
        });
        results.collect()
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn an_edit_runs_exactly_the_tests_that_depend_on_it() {
    let folder = two_levels();
    let watched = Watched::start(&folder, &[]);
    assert_eq!(watched.ran(), ["ok test_ghost", "ok test_hero"]);
    // A script of one level, a module that another one imports, a kind, a level, a test.
    folder.write("scripts/hero.rhai", "fn on_tick(me) { this.n += 2; }");
    assert_eq!(watched.ran(), ["FAILED test_hero"]);
    folder.write("scripts/hero.rhai", "fn on_tick(me) { this.n += 1; }");
    assert_eq!(watched.ran(), ["ok test_hero"]);
    folder.write("scripts/lib/add.rhai", "fn one(n) { n + 3 }");
    assert_eq!(watched.ran(), ["FAILED test_ghost"]);
    folder.write("scripts/lib/add.rhai", "fn one(n) { n + 1 } // mended");
    assert_eq!(watched.ran(), ["ok test_ghost"]);
    folder.write("config/entities/hero.toml", "script = \"hero.rhai\"\nvars = { n = 1 }\n");
    assert_eq!(watched.ran(), ["FAILED test_hero"]);
    folder.write("levels/other.toml", &LEVEL.replace("\"hero\"", "\"ghost\"").replace("-200", "-300"));
    assert_eq!(watched.ran(), ["ok test_ghost"]);
    folder.write("levels/tests/new.rhai", "fn test_new() { }\n");
    assert_eq!(watched.ran(), ["ok test_new"]);
    // What all levels have in common.
    folder.write("config/surfaces.toml", "[stone]\n[ice]\ngrip = 0.2\n");
    assert_eq!(watched.ran(), ["ok test_ghost", "FAILED test_hero"]);
    // A test that does not compile depends on its file; its mistake is shown, and mended.
    folder.write("levels/tests/new.rhai", "fn test_new( {\n");
    let lines = watched.until_it_waits();
    assert!(lines.iter().any(|line| line.contains("levels/tests/new.rhai:1:")), "{lines:?}");
    folder.write("levels/tests/new.rhai", "fn test_new() { }\n");
    assert!(watched.ran().contains(&"ok test_new".to_string()));
}

#[cfg(unix)]
#[test]
fn watching_ends_with_an_interrupt() {
    let folder = two_levels();
    let mut watched = Watched::start(&folder, &["--filter", "hero"]);
    assert_eq!(watched.ran(), ["ok test_hero"]);
    let id = watched.child.id().to_string();
    let kill = Command::new("kill").args(["-INT", &id]).status();
    assert!(kill.expect("kill").success());
    assert_eq!(watched.child.wait().expect("it ends").code(), Some(130));
}

/// Two tests of what the hero's script counts in three ticks.
fn two_tests() -> Folder {
    let folder = Folder::with_script("fn on_tick(me) { this.n += 1; }");
    for name in ["a", "b"] {
        folder.write(&format!("levels/tests/{name}.rhai"), &counts(name, 3));
    }
    folder
}

fn counts(name: &str, n: u32) -> String {
    format!(
        "fn test_{name}() {{ let t = play(\"level.toml\"); t.ticks(3); \
         expect(t.entity(\"hero\").vars.n).equals({n}); }}\n"
    )
}

#[test]
fn a_first_failure_leaves_no_passes_of_earlier_files() {
    let folder = two_tests();
    let watched = Watched::start(&folder, &["--fail-fast", "-j", "1"]);
    assert_eq!(watched.ran(), ["ok test_a", "ok test_b"]);
    folder.write("scripts/hero.rhai", "fn on_tick(me) { this.n += 2; }");
    let lines = watched.until_it_waits();
    let state = "1 of 2 tests fail, 1 not run; waiting for an edit";
    assert!(lines.iter().any(|line| line == state), "{lines:?}");
    // `test_b` has not run with this script, although its own file stays.
    folder.write("levels/tests/a.rhai", &counts("a", 6));
    assert_eq!(watched.ran(), ["ok test_a", "FAILED test_b"]);
}

#[test]
fn an_edit_while_the_tests_cannot_be_found_is_not_forgotten() {
    let folder = two_tests();
    let paths = ["levels/tests/a.rhai", "levels/tests/b.rhai"];
    let watched = Watched::start(&folder, &paths);
    assert_eq!(watched.ran(), ["ok test_a", "ok test_b"]);
    std::fs::remove_file(folder.path(paths[1])).expect("a file");
    let lines = watched.until_it_waits();
    assert!(lines.iter().any(|line| line.contains("b.rhai: error:")), "{lines:?}");
    folder.write("scripts/hero.rhai", "fn on_tick(me) { this.n += 2; }");
    watched.until_it_waits();
    folder.write(paths[1], &counts("b", 6));
    assert_eq!(watched.ran(), ["FAILED test_a", "ok test_b"]);
}

#[test]
fn tilesets_outside_of_the_levels_folder_are_watched_and_hashed() {
    let text = map(&format!(
        " <tileset firstgid=\"1\" source=\"../art/set.tsx\"/>\n{}",
        layer("<object id=\"9\" class=\"hero\" x=\"0\" y=\"0\"><point/></object>")
    ));
    let folder = game_of_map(&text);
    folder.write("art/set.tsx", TILESET);
    folder.write("art/unused.tsx", TILESET);
    let play = |level: &str| format!("fn test_{level}() {{ play(\"level.{level}\").ticks(3); }}\n");
    folder.write("levels/tests/a.rhai", &play("tmx"));
    folder.write("levels/tests/b.rhai", "fn test_b() { }\n");
    let hash = || game_hash(&GameFolder::new(folder.root()));
    let first = hash();
    let watched = Watched::start(&folder, &[]);
    assert_eq!(watched.ran(), ["ok test_tmx", "ok test_b"]);
    let changed = TILESET.replace("\"ice\"", "\"stone\"");
    assert_ne!(changed, TILESET);
    folder.write("art/unused.tsx", &changed);
    assert_eq!(hash(), first, "no map names it");
    folder.write("art/set.tsx", &changed);
    assert_eq!(watched.ran(), ["ok test_tmx"]);
    assert_ne!(hash(), first);
    // Also one that was gone for a while.
    std::fs::remove_file(folder.path("art/set.tsx")).expect("a file");
    assert_eq!(watched.ran(), ["FAILED test_tmx"]);
    folder.write("art/set.tsx", TILESET);
    assert_eq!(watched.ran(), ["ok test_tmx"]);
    assert_eq!(hash(), {
        folder.write("art/unused.tsx", "");
        first
    });
}
