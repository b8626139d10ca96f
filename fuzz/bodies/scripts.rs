//! Scripts: source text through every check, then compiled and run under the default budgets.

use super::{
    games::{build, file, play},
    messages,
};
use hangtime::{
    models::Action,
    playtest::calls::calls_of_tests,
    script::{
        host::{GameNames, Language, Limits, ScriptInspector, ScriptRole, Sources},
        rhai::Rhai,
    },
    sim::{Inputs, PlayerInput},
};
use std::sync::{Arc, LazyLock};

/// The ticks that a script runs.
const TICKS: u64 = 6;

const LEVEL: &str = r#"
surface = "stone"
[[solid]]
name = "floor"
points = [[-500, -50], [500, -50], [500, 0], [-500, 0]]
[[solid]]
name = "door"
present = true
points = [[200, 0], [220, 0], [220, 90], [200, 90]]
[[zone]]
name = "wind"
points = [[-100, 0], [100, 0], [100, 90], [-100, 90]]
external_accel = [100, 0]
[[entity]]
kind = "hero"
at = [0, 40]
player = 1
vars = { n = 0 }
[[entity]]
kind = "other"
at = [15, 19]
"#;

/// A library that scripts can import.
const LIBRARY: &str = "fn double(x) { x * 2 }\nconst SIDE = 3;\n";

static INSPECTOR: LazyLock<Box<dyn ScriptInspector>> = LazyLock::new(|| {
    let names = |list: &[&str]| list.iter().map(|name| (*name).to_string()).collect();
    let known = GameNames {
        kinds: names(&["hero", "other"]),
        entities: names(&["hero", "other"]),
        solids: names(&["floor", "door"]),
        switched: names(&["door"]),
        zones: names(&["wind"]),
        surfaces: names(&["stone"]),
        vars: names(&["n"]),
        ..GameNames::default()
    };
    Rhai.inspector(&library(), known, &calls_of_tests())
});

fn library() -> Sources {
    [("lib.rhai".to_string(), file("scripts/lib.rhai", LIBRARY))].into()
}

/// Checks a script in all roles and runs it as a behavior.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let script = file("scripts/hero.rhai", &text);
    let roles = [ScriptRole::Behavior, ScriptRole::Level, ScriptRole::Test, ScriptRole::Library];
    for role in roles {
        let found = INSPECTOR.inspect(&script, role);
        found.iter().for_each(messages::check_one);
        assert_eq!(found, INSPECTOR.inspect(&script, role));
    }
    if text.contains("test_") {
        let compiled = Rhai.compile_test(&script, Arc::new(library()), &calls_of_tests());
        if let Err(wrong) = compiled {
            messages::check_refusal(&wrong.0);
        }
    }
    let files = [
        ("levels/level.toml", LEVEL),
        ("config/entities/hero.toml", "script = \"hero.rhai\"\n"),
        ("config/entities/other.toml", ""),
        ("config/surfaces.toml", "[stone]\n"),
        ("scripts/lib.rhai", LIBRARY),
        ("scripts/hero.rhai", &*text),
    ];
    let Some(revision) = build(&files) else {
        return;
    };
    let limits = Limits::of(&revision.config.scripts);
    let played = play(revision, TICKS, |tick| {
        let mut input = PlayerInput::default();
        input.held.insert(Action::ALL[tick as usize % Action::ALL.len()]);
        Inputs::of_first(input)
    });
    for entity in played.live.world().entities() {
        for value in entity.vars.0.to_plain().values() {
            assert!(value.count() <= limits.kept_values as u64);
            assert!(value.text() <= limits.kept_text as u64);
        }
    }
}
