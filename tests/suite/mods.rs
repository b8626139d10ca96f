//! Mods as layers: what they add and override, and mods that break.

use crate::{
    folder::Folder,
    program::{code, err, out, run},
};
use hangtime::{
    project::{Project, Revision},
    script::host::Diagnostic,
    tuning::{Setting, Tunables as _},
};

const SPEED: &str = "platformer.jump_speed";

/// A game whose hero counts its ticks and jumps with a speed of 500 px/s.
pub fn game() -> Folder {
    let folder = Folder::with_script("fn on_tick(me) { this.n += 1; }");
    folder.write("config/models/platformer.toml", "jump_speed = 500\n");
    folder
}

/// Adds a mod without files.
pub fn add_mod(folder: &Folder, name: &str, needs: &str) {
    let text = format!("name = \"{name}\"\nversion = \"1.2.0\"\nneeds = {{ {needs} }}\n");
    folder.write(&format!("mods/{name}/mod.toml"), &text);
}

/// Adds a mod in which all bodies have this jump speed.
pub fn add_speed(folder: &Folder, name: &str, needs: &str, speed: f64) {
    add_mod(folder, name, needs);
    let file = format!("mods/{name}/config/models/platformer.toml");
    folder.write(&file, &format!("jump_speed = {speed:?}\n"));
}

pub fn open(folder: &Folder) -> Revision {
    folder.open().unwrap_or_else(|wrong| panic!("{wrong:?}"))
}

/// The jump speed of the hero, and the file that sets it.
pub fn jump_speed(revision: &Revision) -> (f64, String) {
    let loadouts = &revision.stage.profiles[0].loadouts;
    let (_, name) = SPEED.split_once('.').expect("a dotted key");
    let model = hangtime::models::ModelName::platformer;
    let Some(Setting::Number(value)) = loadouts.setting(model, name) else {
        panic!("a number");
    };
    let place = revision.provenance[0].place(SPEED).expect("set by a file");
    (value, place.file.name.clone())
}

pub fn names(revision: &Revision) -> Vec<&str> {
    let layers = revision.mods.layers.iter();
    layers.map(|layer| layer.name.as_str()).collect()
}

pub fn headlines(wrong: &[Diagnostic]) -> String {
    let lines: Vec<String> = wrong.iter().map(Diagnostic::headline).collect();
    lines.join("\n")
}

#[test]
fn the_later_of_two_mods_overrides_a_key() {
    let folder = game();
    assert_eq!(jump_speed(&open(&folder)).0, 500.0);
    add_speed(&folder, "b", "", 520.0);
    add_speed(&folder, "a", "", 510.0);
    let revision = open(&folder);
    assert_eq!(names(&revision), ["a", "b"]);
    let (speed, file) = jump_speed(&revision);
    assert_eq!((speed, file.as_str()), (520.0, "mods/b/config/models/platformer.toml"));
}

#[test]
fn any_version_is_also_one_before_a_release() {
    for (version, wanted, loads) in [
        ("1.0.0-beta.2", "*", true),
        ("0.0.1-rc.1", "*", true),
        ("1.0.0", "*", true),
        // A range names releases, unless it says otherwise.
        ("1.0.0-beta.2", ">=0.1", false),
        ("1.0.0-beta.2", "1.0.0-beta.1", true),
    ] {
        let folder = game();
        add_mod(&folder, "a", &format!("b = \"{wanted}\""));
        let manifest = format!("name = \"b\"\nversion = \"{version}\"\n");
        folder.write("mods/b/mod.toml", &manifest);
        let loaded = names(&open(&folder)).contains(&"a");
        assert_eq!(loaded, loads, "{wanted} of {version}");
    }
}

#[test]
fn a_mod_lies_over_those_that_it_needs() {
    let folder = game();
    add_speed(&folder, "a", "b = \"1.2\"", 510.0);
    add_speed(&folder, "b", "c = \">=1, <2\"", 520.0);
    add_speed(&folder, "c", "", 530.0);
    add_speed(&folder, "d", "", 540.0);
    let revision = open(&folder);
    // `d` needs nothing, but `b` and `a` can follow once `c` is there.
    assert_eq!(names(&revision), ["c", "b", "a", "d"]);
    assert_eq!(jump_speed(&revision).0, 540.0);
}

#[test]
fn a_key_that_a_mod_does_not_set_keeps_its_value() {
    let folder = game();
    folder.write("config/models/platformer.toml", "jump_speed = 500\nrun_accel = 777\n");
    add_speed(&folder, "a", "", 510.0);
    let model = hangtime::models::ModelName::platformer;
    let value = open(&folder).stage.profiles[0].loadouts.setting(model, "run_accel");
    assert_eq!(value, Some(Setting::Number(777.0)));
}

#[test]
fn a_body_of_a_mod_replaces_the_other_kind_of_body() {
    let folder = game();
    folder.write(
        "config/entities/hero.toml",
        "script = \"hero.rhai\"\nbody = { ellipse = [10, 19] }\nvars = { n = 0 }\n",
    );
    add_mod(&folder, "a", "");
    folder.write("mods/a/config/entities/hero.toml", "body = { box = [30, 40] }\n");
    open(&folder);
}

#[test]
fn variables_of_a_mod_override_those_of_the_kind() {
    let folder = game();
    folder.write("config/entities/hero.toml", "script = \"hero.rhai\"\nvars = { n = 0, m = 5 }\n");
    add_mod(&folder, "a", "");
    folder.write("mods/a/config/entities/hero.toml", "vars = { n = 7 }\n");
    let vars = &open(&folder).stage.profiles[0].vars;
    let text = format!("{vars:?}");
    assert!(text.contains("Int(7)") && text.contains("Int(5)"), "{text}");
}

#[test]
fn a_mod_adds_kinds_surfaces_scripts_and_levels() {
    let folder = game();
    add_mod(&folder, "a", "");
    folder.write("mods/a/config/entities/bat.toml", "script = \"bat.rhai\"\nvars = { n = 0 }\n");
    folder.write("mods/a/config/surfaces.toml", "[tar]\ngrip = 0.5\n");
    folder.write("mods/a/scripts/bat.rhai", "import \"lib/more\" as more;\nfn on_tick(me) { this.n += more::two(); }");
    folder.write("mods/a/scripts/lib/more.rhai", "fn two() { 2 }");
    // The game has another script with this path.
    folder.write("scripts/lib/more.rhai", "fn two() { 1000 }");
    let level = folder.read("levels/level.toml");
    let level = level.replace("\"stone\"", "\"tar\"").replace("kind = \"hero\"", "kind = \"bat\"");
    folder.write("mods/a/levels/den.toml", &level);
    let project = Project::load(folder.root()).expect("a game");
    let path = project.find_level("den").expect("a level of the mod");
    assert!(path.ends_with("mods/a/levels/den.toml"), "{}", path.display());
    let revision = project.open(&path, &[]).expect("a good level");
    assert_eq!(&*revision.stage.level.name, "mods/a/levels/den.toml");
    let surfaces = &revision.stage.level.surfaces;
    let tar = surfaces.iter().position(|name| &**name == "tar").expect("tar");
    assert_eq!(revision.stage.surfaces[tar].get("grip"), Some(Setting::Number(0.5)));
    let ran = run(folder.root(), &["run", "den", "--ticks", "3", "--trace", "-", "--strict", "--both-ways"]);
    assert_eq!(code(&ran), 0, "{}", err(&ran));
    // Not the 1000 of the game's script.
    assert!(out(&ran).contains("\"n\":6"), "{}", out(&ran));
    let checked = run(folder.root(), &["check"]);
    assert_eq!(code(&checked), 0, "{}", out(&checked));
}

#[test]
fn a_level_of_a_mod_lies_over_the_one_with_its_name() {
    let folder = game();
    add_mod(&folder, "a", "");
    folder.write(
        "mods/a/levels/level.toml",
        "gravity = 1234\n[[solid]]\nname = \"floor\"\nsurface = \"ice\"\n\
         [[entity]]\nname = \"second\"\nkind = \"hero\"\nat = [-100, 19]\n",
    );
    let revision = open(&folder);
    assert_eq!(revision.stage.gravity, 1234.0);
    let names: Vec<&str> = revision.stage.starts.iter().map(|start| &*start.name).collect();
    assert_eq!(names, ["hero", "second"]);
    // By its own path, too, it is the whole level.
    let ran = run(folder.root(), &["run", "mods/a/levels/level.toml", "--ticks", "1"]);
    assert_eq!(code(&ran), 0, "{}", err(&ran));
    let checked = run(folder.root(), &["check"]);
    assert_eq!(code(&checked), 0, "{}", out(&checked));
}

#[test]
fn a_mod_outside_of_the_game_is_loaded_when_it_is_named() {
    let (folder, other) = (game(), Folder::empty());
    other.write("angry/mod.toml", "name = \"angry\"\nversion = \"1\"\n");
    other.write("angry/config/models/platformer.toml", "jump_speed = 600\n");
    let named = other.path("angry");
    let named = named.to_str().expect("text");
    let ran = run(folder.root(), &["mods", "--mod", named, "--json"]);
    assert_eq!(code(&ran), 0, "{}", err(&ran));
    let report: serde_json::Value = serde_json::from_str(&out(&ran)).expect("JSON");
    let it = &report["mods"][0];
    assert_eq!((&it["name"], &it["version"]), (&"angry".into(), &"1.0.0".into()));
    let key = &it["overrides"][0];
    assert_eq!((&key["key"], &key["value"], &key["was"]), (&SPEED.into(), &"600".into(), &"500".into()));
    assert_eq!(key["was_at"], "config/models/platformer.toml:1");
    for command in [&["check"][..], &["run", "level", "--ticks", "2"]] {
        let ran = run(folder.root(), &[command, &["--mod", named]].concat());
        assert_eq!(code(&ran), 0, "{command:?}: {} {}", out(&ran), err(&ran));
    }
    let ran = run(folder.root(), &["check", "--mod", "nowhere"]);
    assert_eq!(code(&ran), 2, "{}", err(&ran));
    assert!(err(&ran).contains("nowhere: error: no such folder"), "{}", err(&ran));
}

#[test]
fn files_of_mods_are_recorded_and_played_again() {
    let folder = game();
    add_mod(&folder, "a", "");
    folder.write("mods/a/config/entities/hero.toml", "scripts = [\"mine.rhai\"]\nvars = { n = 0 }\n");
    folder.write("mods/a/scripts/mine.rhai", "fn on_tick(me) { this.n += 3; }");
    let ran = run(folder.root(), &["run", "level", "--ticks", "30", "--record", "it.rec"]);
    assert_eq!(code(&ran), 0, "{}", err(&ran));
    std::fs::remove_dir_all(folder.path("mods")).expect("removed");
    let played = run(folder.root(), &["replay", "it.rec"]);
    assert_eq!(code(&played), 0, "{}{}", out(&played), err(&played));
}

#[test]
fn tests_of_a_mod_are_found() {
    let folder = game();
    add_mod(&folder, "a", "");
    let test = "fn test_it() { let t = play(\"level\"); t.run(1.0); expect(t.tick).above(1); }";
    folder.write("mods/a/levels/tests/it.rhai", test);
    let listed = run(folder.root(), &["test", "--list"]);
    assert_eq!(out(&listed).trim(), "mods/a/levels/tests/it.rhai::test_it", "{}", err(&listed));
}

#[test]
fn new_creates_a_mod_with_a_behavior_that_passes_its_tests() {
    let folder = Folder::empty();
    let made = run(folder.root(), &["new", "game"]);
    assert_eq!(code(&made), 0, "{}", err(&made));
    let game = folder.path("game");
    for (name, option) in [("bat", "mods/night"), ("owl", "mods/night"), ("fox", "../outside")] {
        let made = run(&game, &["new", name, "--mod", option]);
        assert_eq!(code(&made), 0, "{}", err(&made));
        assert!(out(&made).contains(&format!("scripts/{name}.rhai")), "{}", out(&made));
    }
    let named = run(&game, &["mods", "--mod", "../outside"]);
    assert!(out(&named).contains("night 0.1.0 (mods/night)\n  adds kinds bat, owl\n"), "{}", out(&named));
    for arguments in [&["check", "--mod", "../outside"][..], &["test", "--mod", "../outside"], &["test"]] {
        let ran = run(&game, arguments);
        assert_eq!(code(&ran), 0, "{}{}", out(&ran), err(&ran));
    }
    let taken = run(&game, &["new", "bat", "--mod", "mods/night"]);
    assert_eq!(code(&taken), 2, "{}", err(&taken));
    let wrong = run(&game, &["new", "bat", "--mod", "mods/Night Time"]);
    assert!(err(&wrong).contains("`Night Time` is not a name for a mod"), "{}", err(&wrong));
}
