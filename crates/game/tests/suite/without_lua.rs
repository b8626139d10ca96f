//! A program that was built without Lua says so, and how to build one with it.

use crate::folder::{Folder, on_large_stack};
use hangtime_game::{Project, check};
use hangtime_script::{Diagnostic, Sources, calls::ForeignCalls};
use std::sync::Arc;

const WHY: &str = "error: this program was built without Lua; `cargo run --release --features lua` builds one with it, \
                   and `maturin develop --features lua` the package for Python, for which a C++ compiler must be \
                   installed";

#[test]
fn a_kind_whose_script_is_in_lua_names_the_command_that_builds_lua() {
    on_large_stack(|| {
        for ending in ["luau", "lua"] {
            let folder = Folder::with_script("");
            folder.write("config/entities/hero.toml", &format!("script = \"hero.{ending}\"\n"));
            folder.write(&format!("scripts/hero.{ending}"), "function on_tick(me) end\n");
            assert_eq!(folder.wrong(), [format!("scripts/hero.{ending}:1:1: {WHY}")]);
            let report = check(folder.root(), &[], &ForeignCalls::none()).expect("a check");
            let found: Vec<String> = report.diagnostics.iter().map(Diagnostic::headline).collect();
            assert_eq!(found, [format!("scripts/hero.{ending}:1:1: {WHY}")]);
        }
    });
}

#[test]
fn a_test_in_lua_is_found_and_names_the_command_that_builds_lua() {
    let folder = Folder::with_script("");
    folder.write("levels/tests/hop.luau", "function test_hop() end\n");
    let project = Project::load(folder.root()).expect("a game");
    let files = hangtime_game::files::find_tests(project.folder(), &[]).expect("tests");
    let file = files[0].as_ref().expect("a readable file");
    let language = project.folder().languages().of(&file.name).expect("a language");
    let compiled = language.compile_test(file, Arc::new(Sources::new()), &ForeignCalls::none());
    let wrong = compiled.err().expect("a refusal");
    assert_eq!(wrong.0[0].headline(), format!("levels/tests/hop.luau:1:1: {WHY}"));
}

#[test]
fn a_mod_in_lua_is_left_out_of_a_game_in_rhai() {
    on_large_stack(|| {
        let folder = Folder::with_script("");
        folder.write("mods/up/mod.toml", "name = \"up\"\nversion = \"1.0.0\"\n");
        folder.write("mods/up/config/entities/hero.toml", "scripts = [\"up.luau\"]\n");
        folder.write("mods/up/scripts/up.luau", "function on_tick(me) end\n");
        let revision = folder.open().expect("a game without the mod");
        let why = revision.mods.left_out[0].why[0].headline();
        assert_eq!(why, format!("mods/up/scripts/up.luau:1:1: {WHY}"));
    });
}
