//! The levels that tests play, built once for all tests of a run.

use crate::folder::Folder;
use hangtime_game::{GameFolder, LevelCache, Revision, SettingsFrom};
use std::sync::Arc;

fn cache(script: &str) -> (Folder, LevelCache) {
    let folder = Folder::with_script(script);
    let cache = LevelCache::new(GameFolder::new(folder.root()));
    (folder, cache)
}

fn open(folder: &Folder, cache: &LevelCache, settings: &[(&str, &str)]) -> Arc<Revision> {
    let settings = settings.iter().map(|(k, v)| ((*k).into(), (*v).into()));
    let opened = cache.open(&folder.path("levels/level.toml"), (&settings.collect(), SettingsFrom::Test), 1, None);
    opened.expect("a good level")
}

#[test]
fn a_level_with_the_same_settings_is_built_once() {
    let (folder, cache) = cache("const LIST = [1, 2, #{ a: vec(1, 2) }];");
    let first = open(&folder, &cache, &[]);
    assert!(Arc::ptr_eq(&first, &open(&folder, &cache, &[])));
    let fast = open(&folder, &cache, &[("simulation.tick_hz", "120")]);
    assert_eq!((first.stage.hz, fast.stage.hz), (60, 120));
    let again = open(&folder, &cache.unbuilt(), &[]);
    assert!(!Arc::ptr_eq(&first, &again));
}

#[test]
fn an_edit_during_a_run_waits_for_the_next_run() {
    let (folder, cache) = cache("");
    open(&folder, &cache, &[]);
    folder.write("levels/level.toml", "not = toml = at all");
    open(&folder, &cache, &[("simulation.tick_hz", "120")]);
}

#[test]
fn constants_that_may_keep_state_are_not_shared() {
    let is_shared = |script: &str| {
        let (folder, cache) = cache(script);
        folder.write("scripts/lib.rhai", "const G = #{ f: || 1 };");
        Arc::ptr_eq(&open(&folder, &cache, &[]), &open(&folder, &cache, &[]))
    };
    for script in [
        "const F = { let x = 0; || { x += 1; x } };",
        "fn f() { let x = 0; || { x += 1; x } }\nconst F = f();",
        "const F = || 1;",
        "const\nF = || 1;",
        "const F/* */= || 1;",
        "const A = [\";\", || 1];",
        "const A = #{ b: [|| 1] };",
        "import \"lib\" as lib;",
    ] {
        assert!(!is_shared(script), "{script}");
    }
    for script in [
        "const A = 3;",
        "const LIST = [1, 2, #{ a: vec(1, 2) }];",
        "const T = \"a;b\"; // text\nfn f() { 1 | 2 }",
        "fn f(x) { x || g(x) }\nfn g(x) { x }",
        "fn constant(x) { [x].map(|y| y) }",
    ] {
        assert!(is_shared(script), "{script}");
    }
}
