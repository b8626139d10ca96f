//! The mods in `examples/mods`: a mod over another one's enemy.

use crate::{
    goldens::root,
    program::{code, err, out, run},
};

const BATS: &str = "examples/mods/bats";
const ANGRY: &str = "examples/mods/angry_bats";

/// What a command says with these mods, which must succeed.
fn with(mods: &[&str], command: &[&str]) -> String {
    let options = mods.iter().flat_map(|path| ["--mod", path]);
    let arguments: Vec<&str> = options.chain(command.iter().copied()).collect();
    let ran = run(root(), &arguments);
    assert_eq!(code(&ran), 0, "{arguments:?}: {}{}", out(&ran), err(&ran));
    format!("{}{}", out(&ran), err(&ran))
}

#[test]
fn the_example_mods_pass_their_tests_alone_and_together() {
    assert!(with(&[BATS], &["test", BATS]).contains("2 passed, 0 failed"));
    assert!(with(&[BATS, ANGRY], &["test", BATS, ANGRY]).contains("4 passed, 0 failed"));
    assert!(with(&[BATS, ANGRY], &["check"]).contains("0 errors, 0 warnings"));
}

#[test]
fn the_example_shows_what_one_mod_overrides_of_another() {
    let said = with(&[BATS, ANGRY], &["mods"]);
    for line in ["adds kinds bat", "overrides entities.bat.vars.speed = 420", "which was 120"] {
        assert!(said.contains(line), "{said}");
    }
    // Without the other one's numbers its own test fails.
    let ran = run(root(), &["--mod", BATS, "test", &format!("{ANGRY}/levels/tests")]);
    assert_ne!(code(&ran), 0, "{}", out(&ran));
}
