//! Numbers that a script's rule answers, and what changed between two revisions.

use crate::folder::Folder;
use hangtime::{
    playtest::calls::calls_of_tests,
    project::{Change, Project, Revision, check, summary},
    script::host::Diagnostic,
};

const NUMBERS: &str = "config/models/platformer.toml";

fn folder(script: &str) -> Folder {
    let folder = Folder::with_script(script);
    folder.write(NUMBERS, "jump_speed = 500.0\ncoyote_time = 0.2\njump_buffer = 0.1\n");
    folder
}

/// The warnings of a check about numbers without effect.
fn without_effect(folder: &Folder) -> Vec<String> {
    let report = check(folder.root(), &[], &calls_of_tests()).expect("a check");
    let lines = report.diagnostics.iter().map(Diagnostic::headline);
    lines.filter(|line| line.contains("has no effect")).collect()
}

#[test]
fn a_number_that_a_script_always_answers_is_warned_about_at_both_places() {
    let answers = "#{ coyote_time: 0.1, jump_buffer: 0.1 }";
    let folder = folder(&format!("// Rules.\nfn jump_windows(me) {{ {answers} }}\n"));
    let wrong = without_effect(&folder);
    assert_eq!(wrong.len(), 2, "{wrong:?}");
    for (line, key) in [(2, "coyote_time"), (3, "jump_buffer")] {
        let place = format!("{NUMBERS}:{line}:");
        let told = |w: &&String| w.contains(&place) && w.contains(key) && w.contains("scripts/hero.rhai:2");
        assert!(wrong.iter().any(|w| told(&w)), "{wrong:?}");
    }
}

#[test]
fn a_number_that_may_still_count_is_not_warned_about() {
    for script in [
        "fn jump_windows(me) { if me.surface == \"ice\" { #{ coyote_time: 0.15 } } }",
        "fn jump_windows(me) { #{ jump_hold_time: 0.15 } }",
        // Other kinds may use the model's number.
        "fn jump_windows(me) { #{ coyote_time: this.n } }",
        "fn on_tick(me) { }",
    ] {
        assert_eq!(without_effect(&folder(script)), [""; 0], "{script}");
    }
    // In the kind's own file, it has no effect.
    let folder = folder("fn jump_windows(me) { #{ coyote_time: this.n } }");
    let kind = "script = \"hero.rhai\"\nvars = { n = 0 }\n[platformer]\ncoyote_time = 0.3\n";
    folder.write("config/entities/hero.toml", kind);
    let wrong = without_effect(&folder);
    assert!(wrong.len() == 1 && wrong[0].contains("hero.toml:4"), "{wrong:?}");
}

#[test]
fn a_panel_can_ask_which_rule_sets_a_number() {
    let script = "\nfn jump_windows(me) {\n  if me.grounded { return #{ coyote_time: 0.1, jump_buffer: 0.1 }; }\n  \
                  #{ coyote_time: 0.2 }\n}\n";
    let revision = folder(script).open().expect("a game");
    let asked = |key: &str| revision.set_by_script(0, key).map(|it| it.to_string());
    assert_eq!(asked("platformer.coyote_time").as_deref(), Some("set by scripts/hero.rhai:2"));
    assert_eq!(asked("platformer.jump_buffer").as_deref(), Some("may be set by scripts/hero.rhai:2"));
    assert_eq!(asked("platformer.jump_hold_time"), None);
    assert_eq!(asked("platformer.jump_speed"), None);
    assert_eq!(asked("nonsense"), None);
    assert!(revision.set_by_script(99, "platformer.coyote_time").is_none());
}

#[test]
fn the_numbers_of_the_playground_have_an_effect() {
    let root = env!("CARGO_MANIFEST_DIR");
    let project = Project::load(root).expect("the repository");
    let level = project.find_level("playground").expect("a level");
    let revision = project.open(&level, &[]).expect("a good level");
    assert_eq!(revision.overridden_numbers(), []);
    let text = std::fs::read_to_string(project.root().join(NUMBERS)).expect("a file");
    let hero = revision.stage.starts.iter().find(|it| it.player == Some(1));
    let profile = hero.expect("a player").profile;
    let keys = text.lines().filter_map(|line| line.split_once(" = "));
    for (key, _) in keys.filter(|(key, _)| !key.starts_with('#')) {
        let by = revision.set_by_script(profile, &format!("platformer.{}", key.trim()));
        assert!(by.is_none_or(|by| !by.always), "{key}");
    }
}

fn changes(old: &Revision, folder: &Folder) -> Vec<String> {
    let new = folder.open().expect("a good game");
    new.changes_from(old).iter().map(Change::to_string).collect()
}

#[test]
fn changes_are_listed_in_words() {
    let folder = folder("fn on_tick(me) { this.n += 1; }\nfn on_land(me) { }\n");
    let old = folder.open().expect("a good game");
    assert_eq!(changes(&old, &folder), [""; 0]);
    folder.write(NUMBERS, "# Faster.\njump_speed = 560\ncoyote_time = 0.2\nrun_accel = 1.5\n");
    folder.write("config/surfaces.toml", "[stone]\n[ice]\ngrip = 0.2\n");
    folder.write(
        "config/entities/hero.toml",
        "script = \"hero.rhai\"\nvars = { n = 0 }\n[platformer]\nrun_accel = 700\n",
    );
    folder.write("scripts/hero.rhai", "// Counts.\nfn on_tick(me) { this.n += 2; }\nfn on_jump(me) { }\n");
    let level = crate::folder::LEVEL.replace("-1000", "-1100").replace("-200", "-300");
    let more = "[[entity]]\nkind = \"hero\"\nat = [-500, 19]\n";
    folder.write("levels/level.toml", &format!("gravity = 900\n{level}{more}"));
    assert_eq!(
        changes(&old, &folder),
        [
            "entities.hero.platformer.run_accel default → 700",
            "platformer.jump_buffer 0.1 → default",
            "platformer.jump_speed 500 → 560",
            "platformer.run_accel default → 1.5",
            "surfaces.ice.grip 0.1 → 0.2",
            "levels/level.toml: gravity default → 900",
            "levels/level.toml: 1 solid changed",
            "levels/level.toml: 1 entity changed",
            "levels/level.toml: 1 entity added",
            "hero.rhai: fn on_jump added",
            "hero.rhai: fn on_land removed",
            "hero.rhai: fn on_tick changed",
        ]
    );
}

#[test]
fn a_long_list_of_changes_is_cut() {
    let folder = folder("fn on_tick(me) { }\n");
    let old = folder.open().expect("a good game");
    let functions = (0..50).map(|n| format!("fn f{n}() {{ }}\n"));
    folder.write("scripts/hero.rhai", &functions.collect::<String>());
    let new = folder.open().expect("a good game");
    let changes = new.changes_from(&old);
    assert_eq!(changes.len(), 51);
    assert_eq!(summary(&changes, 2), "hero.rhai: fn f0 added, hero.rhai: fn f1 added and 49 more");
    assert_eq!(summary(&changes[..1], 2), "hero.rhai: fn f0 added");
    let long = Change::Value { key: "demo".into(), old: None, new: Some("x".repeat(1000)) };
    assert!(summary(&[long], 1).chars().count() < 100);
    folder.write("scripts/hero.rhai", "// Only a comment.\nfn on_tick(me) { }\n");
    let same = folder.open().expect("a good game");
    assert_eq!(summary(&same.changes_from(&old), 3), "only comments or spaces changed");
}
