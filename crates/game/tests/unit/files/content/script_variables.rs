//! Tests of `src/files/content/script_variables.rs`.

use super::{ScriptVariables, reads_of_others};

#[test]
fn names_after_this_are_read() {
    let script = "fn on_tick(me) { this.coins += 1; // this.not\nthis.step(); }\n// this.gone\nfn step() {}";
    let found = ScriptVariables::read_by(script);
    assert_eq!(found.names.into_iter().collect::<Vec<_>>(), ["coins", "not"]);
    assert!(!found.any);
    for whole in ["helper(this)", "this.helper()", "let a = this;"] {
        assert!(ScriptVariables::read_by(whole).any, "{whole}");
    }
    assert!(!ScriptVariables::read_by("let thistle = 1; x.nothis").any);
}

#[test]
fn variables_of_others_are_read_by_name() {
    let script = "let n = hero.vars.coins + hero.vars[\"keys\"];";
    for (name, any, read) in [
        ("coins", false, true),
        ("coin", false, false),
        ("keys", false, true),
        ("vars", false, false),
        ("vars", true, true),
    ] {
        assert_eq!(reads_of_others(script, name, any), read, "{name}");
    }
}
