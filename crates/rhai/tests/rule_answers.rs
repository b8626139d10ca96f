//! Which tunables the rules of a script answer.

use hangtime_core::{sim::ScriptId, tuning::ScriptTuning};
use hangtime_rhai::Rhai;
use hangtime_script::{Behavior, Execution, Languages, Limits, Scripts, SourceFile};
use std::{collections::BTreeMap, sync::Arc};

/// The keys that are answered, with `always` and `constant`.
fn answers(body: &str) -> Vec<(&'static str, bool, bool)> {
    let text = format!("fn other() {{ #{{ jump_buffer: 1 }} }}\nfn jump_windows(me) {{ {body} }}\n");
    let file = SourceFile { name: "scripts/a.rhai".into(), text };
    let sources = Arc::new(BTreeMap::from([("a.rhai".to_string(), Arc::new(file))]));
    let limits = Limits::of(&ScriptTuning::default());
    let mut found = Vec::new();
    let behaviors = [Behavior::alone("a.rhai")];
    let languages = Languages(&[&Rhai]);
    let scripts = Scripts::compile(languages, sources, &behaviors, limits, Execution::default(), &mut found);
    assert!(found.is_empty(), "{body}: {}", found[0].headline());
    let answers = &scripts.get(ScriptId(0)).answers;
    assert!(answers.iter().all(|answer| answer.place.position() == (2, 4)));
    answers.iter().map(|a| (a.key, a.always, a.constant)).collect()
}

#[test]
fn only_what_every_answer_has_is_always_answered() {
    let (always, sometimes) = ([("coyote_time", true, true)], [("coyote_time", false, true)]);
    let one = "#{ coyote_time: 0.1 }";
    for body in [
        one.to_string(),
        format!("if me.grounded {{ {one} }} else {{ {one} }}"),
        format!("if me.grounded {{ return {one}; }} {one}"),
        format!("if me.grounded {{ return {one}; }} else {{ return {one}; }}"),
        format!("switch me.surface {{ \"ice\" => {one}, _ => {one} }}"),
        format!("let x = 1; if me.grounded {{ throw \"no\"; }} {one}"),
    ] {
        assert_eq!(answers(&body), always, "{body}");
    }
    for body in [
        format!("if me.grounded {{ {one} }}"),
        format!("if me.grounded {{ return; }} {one}"),
        format!("if me.grounded {{ return {one}; }}"),
        format!("if me.grounded {{ return {one}; }} ()"),
        format!("switch me.surface {{ \"ice\" => {one} }}"),
        format!("if me.grounded {{ {one} }} else {{ other() }}"),
        format!("if me.grounded {{ {one} }} else {{ #{{}} }}"),
    ] {
        assert_eq!(answers(&body), sometimes, "{body}");
    }
}

#[test]
fn values_that_are_computed_are_not_constant() {
    let body = "#{ coyote_time: this.grace, jump_hold_time: 0.2 }";
    let known = [("coyote_time", true, false), ("jump_hold_time", true, true)];
    assert_eq!(answers(body), known);
    assert_eq!(answers("let answer = #{}; answer"), []);
}
