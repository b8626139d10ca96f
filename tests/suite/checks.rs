//! The command `check`.

use crate::{
    folder::Folder,
    program::{code, game, out, run},
};
use serde_json::Value;

#[test]
fn errors_exit_with_1_and_warnings_with_0() {
    let folder = game();
    let good = run(folder.root(), &["check"]);
    assert_eq!((code(&good), out(&good).as_str()), (0, ""));
    folder.write("config/models/platformer.toml", "jump_sped = 5\n");
    let bad = run(folder.root(), &["check"]);
    assert_eq!(code(&bad), 1);
    let text = out(&bad);
    assert!(
        text.starts_with(
            "config/models/platformer.toml:1:1: error: unknown key `jump_sped`; did you mean `jump_speed`?\n"
        ),
        "{text}"
    );
    assert!(text.contains("jump_sped = 5") && text.contains("^^^^^^^^^"), "{text}");
    let json = run(folder.root(), &["check", "--format", "json"]);
    assert_eq!(code(&json), 1);
    let found: Value = serde_json::from_str(&out(&json)).expect("JSON");
    assert_eq!(found.as_array().map(Vec::len), Some(1));
    assert_eq!(found[0]["file"], "config/models/platformer.toml");
    assert_eq!((&found[0]["line"], &found[0]["col"]), (&1.into(), &1.into()));
    assert_eq!(found[0]["severity"], "error");
    folder.write("config/models/platformer.toml", "");
    folder.write("levels/level.toml", "surface = \"marble\"\n");
    let warned = run(folder.root(), &["check"]);
    assert_eq!(code(&warned), 0, "{}", out(&warned));
    assert!(out(&warned).contains("warning"));
}

#[test]
fn checks_only_the_given_files() {
    let folder = game();
    folder.write("config/models/platformer.toml", "jump_sped = 5\n");
    folder.write("scripts/broken.rhai", "fn on_lnad(me) { }\n");
    folder.write("levels/tests/broken.rhai", "fn test_it(x) { }\n");
    for (path, wrong) in [
        ("scripts/hero.rhai", 0),
        ("scripts/broken.rhai", 1),
        ("scripts", 1),
        ("config/surfaces.toml", 0),
        ("config/models/platformer.toml", 1),
        ("levels/tests", 1),
    ] {
        let output = run(folder.root(), &["check", path]);
        assert_eq!(code(&output), wrong, "{path}: {}", out(&output));
    }
}

#[test]
fn reports_files_that_nothing_reads() {
    let folder = game();
    folder.write("config/models/platfromer.toml", "jump_speed = 3\n");
    folder.write("config/notes.toml", "x = 3\n");
    let checked = run(folder.root(), &["check"]);
    assert_eq!(code(&checked), 1);
    let said = out(&checked);
    assert!(said.contains("did you mean `config/models/platformer.toml`?"), "{said}");
    assert!(said.contains("config/notes.toml: warning: nothing reads this file"), "{said}");
}

#[test]
fn finds_a_closure_that_uses_the_object_it_is_passed_to() {
    let folder = game();
    let test = "fn test_it() {\n  let t = play(\"level.toml\");\n  t.run_until(|| t.tick > 3, 2);\n}\n";
    folder.write("levels/tests/a.rhai", test);
    let checked = run(folder.root(), &["check"]);
    assert_eq!(code(&checked), 1);
    let said = out(&checked);
    assert!(said.contains("levels/tests/a.rhai:3:18: error: this closure uses `t`"), "{said}");
}

#[test]
fn reports_a_mistake_in_a_module_once_at_its_place() {
    let folder = game();
    folder.write("scripts/lib/m.rhai", "fn f() { let }\n");
    folder.write("scripts/hero.rhai", "import \"lib/m\" as m;\nfn on_tick(me) { m::f(); }\n");
    let said = out(&run(folder.root(), &["check"]));
    assert_eq!(said.matches("scripts/lib/m.rhai:1:").count(), 1, "{said}");
    assert!(!said.contains("as it"), "{said}");
}

#[test]
fn the_path_of_a_file_decides_what_it_is() {
    let folder = game();
    let level = "[[solid]]\npoints = [[0, 0], [9, 0], [0, 9]]\n";
    folder.write("levels/entities/lv.toml", level);
    folder.write("config/entities/sub/r.toml", "model = \"two_velocity\"\n");
    let checked = run(folder.root(), &["check"]);
    assert_eq!(code(&checked), 0, "{}", out(&checked));
}

#[test]
fn checks_names_in_the_head_of_an_input_file() {
    let folder = game();
    for (head, wrong) in [
        ("level level.toml\nset platformer.jump_speed=3\n", ""),
        ("seed 3\n", ""),
        ("# level x\nlevel levle.toml\n", ":2:7: error: no such level; did you mean `level.toml`?"),
        (
            "level level.toml\nset platformer.jumpspeed = 3 # fast\n",
            ":2:5: error: unknown key `jumpspeed`; did you mean `jump_speed`?",
        ),
        (
            "level level.toml\nset platformer.grace_time=0.1\n",
            ":2:5: error: unknown key `grace_time`; did you mean `coyote_time`?",
        ),
    ] {
        folder.write("levels/a.input", &format!("{head}30 right\n"));
        let checked = run(folder.root(), &["check", "levels/a.input"]);
        let said = out(&checked);
        let right = said.starts_with(&format!("levels/a.input{wrong}"));
        assert!(right || (wrong.is_empty() && code(&checked) == 0), "{head}: {said}");
        assert_eq!(code(&checked), i32::from(!wrong.is_empty()), "{head}: {said}");
    }
}

#[test]
fn a_folder_that_is_no_game_is_an_error() {
    let folder = Folder::empty();
    folder.write("notes.txt", "to do\n");
    let output = run(folder.root(), &["check"]);
    assert_eq!(code(&output), 1);
    let said = out(&output);
    assert!(said.contains("error: this folder is not a game"), "{said}");
    assert!(said.contains("`hangtime new NAME`"), "{said}");
    // A file of it can be checked, and an empty game is one.
    folder.write("hero.rhai", "fn on_tick(me) { }\n");
    assert_eq!(code(&run(folder.root(), &["check", "hero.rhai"])), 0);
    std::fs::create_dir(folder.path("levels")).expect("a folder");
    assert_eq!(code(&run(folder.root(), &["check"])), 0);
}

#[test]
fn definitions_for_editors_are_not_checked() {
    let folder = game();
    let definitions = run(folder.root(), &["api", "--format", "rhai"]);
    folder.write("scripts/hangtime.d.rhai", &out(&definitions));
    for arguments in [&["check"][..], &["check", "scripts/hangtime.d.rhai"]] {
        let output = run(folder.root(), arguments);
        assert_eq!(code(&output), 0, "{}", out(&output));
    }
}

#[test]
fn a_level_in_another_folder_is_suggested_with_it() {
    let folder = game();
    folder.write("levels/tests/ledge.toml", "");
    for name in ["ledge.toml", "legde.toml", "ledge"] {
        let output = run(folder.root(), &["run", name]);
        let right = if name == "ledge" { "tests/ledge" } else { "tests/ledge.toml" };
        let said = String::from_utf8_lossy(&output.stderr);
        let hint = format!("{name}: error: no such level; did you mean `{right}`?");
        assert_eq!((code(&output), said.contains(&hint)), (2, true), "{said}");
    }
}
