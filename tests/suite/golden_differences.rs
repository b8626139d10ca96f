//! What differs from a golden trace, and what a tolerance allows.

use crate::{
    folder::Folder,
    golden_game::{INPUT, edit, fails, game, game_with, passes, test},
    program::code,
};
use serde_json::Value;

#[test]
fn a_change_of_the_game_is_found_in_the_first_tick_that_it_changes() {
    let folder = game();
    // The hero begins to walk in the step from tick 10 to 11, driven by the third line.
    folder.write("config/models/platformer.toml", "run_accel = 700.0\n");
    let text = fails(&folder);
    assert!(text.contains("levels/tests/walk.input:3:1: error: tick 11: `"), "{text}");
    // Tick 0 is in line 2.
    assert!(text.contains("of `hero` differs from levels/tests/walk.trace:13\n"), "{text}");
    assert!(text.contains("3 | 20 right\n"), "{text}");
    assert!(text.contains("  tick:     11\n"), "{text}");
    assert!(text.contains("  rerun: hangtime test levels/tests/walk.input\n"), "{text}");
    assert_eq!(code(&test(&folder, &["--update"], None)), 0);
    passes(&folder);
}

/// A field of tick 3 that is changed, with its name and values in the message.
const FIELDS: &[(&str, &str, &str, &str)] = &[
    ("mode", "`mode` of `hero`", "\"air\"", "\"ground\""),
    ("grounded", "`grounded` of `hero`", "false", "true"),
    ("vars.n", "`vars.n` of `hero`", "7", "3"),
    ("vars.new", "`vars.new` of `hero`", "7", "nothing"),
    ("feet", "`feet[0]` of `hero`", "7", "nothing"),
    ("hook.tip", "`hook.tip.y` of `hero`", "7.5", "0.0"),
    ("events", "`events[0]` of the tick", "{\"event\":\"land\"}", "nothing"),
    ("entities", "the entity `ghost`", "`ghost`", "nothing"),
    ("hash", "`hash` differs from levels/tests/walk.trace:5; all other fields are equal", "\"0\"", "\""),
    ("level", "`level` of the level", "{\"vars\":{}}", "nothing"),
];

#[test]
fn a_difference_names_tick_entity_field_and_both_values() {
    let x = |value: f64| move |line: &mut Value| line["entities"][0]["pos"][0] = value.into();
    let folder = game();
    // The hero stands at x = -200 until tick 10.
    edit(&folder, 4, x(-199.75));
    let text = fails(&folder);
    let expected = "levels/tests/walk.input:2:1: error: tick 3: `pos.x` of `hero` differs from \
                    levels/tests/walk.trace:5\n";
    assert!(text.contains(expected), "{text}");
    assert!(text.contains("  expected: -199.75\n  got:      -200.0\n  tick:     3\n"), "{text}");
    for (change, field, expected, got) in FIELDS {
        let folder = game();
        edit(&folder, 4, |line| {
            let hero = &mut line["entities"][0];
            match *change {
                "mode" => hero["mode"] = "air".into(),
                "grounded" => hero["grounded"] = false.into(),
                "vars.n" => hero["vars"]["n"] = 7.into(),
                "vars.new" => hero["vars"]["new"] = 7.into(),
                "feet" => hero["feet"] = serde_json::json!([7]),
                "hook.tip" => hero["hook"]["tip"][1] = 7.5.into(),
                "events" => line["events"] = serde_json::json!([{"event": "land"}]),
                "entities" => {
                    let ghost = serde_json::json!({"id": 9, "name": "ghost"});
                    line["entities"].as_array_mut().expect("a list").push(ghost);
                }
                "hash" => line["hash"] = "0".into(),
                _ => line["level"] = serde_json::json!({"vars": {}}),
            }
        });
        let text = fails(&folder);
        assert!(text.contains(&format!("tick 3: {field}")), "{change}: {text}");
        assert!(text.contains(&format!("  expected: {expected}")), "{change}: {text}");
        assert!(text.contains(&format!("  got:      {got}")), "{change}: {text}");
    }
    // An entity that the golden trace lacks.
    let folder = game();
    edit(&folder, 4, |line| line["entities"] = serde_json::json!([]));
    let text = fails(&folder);
    assert!(text.contains("tick 3: the entity `hero` differs"), "{text}");
    assert!(text.contains("  expected: nothing\n  got:      `hero`\n"), "{text}");
}

#[test]
fn a_tolerance_allows_differences_up_to_itself() {
    let body = "level level.toml\n10\n20 right\n5\n";
    for (tolerance, field, by, is_allowed) in [
        ("pos=0.25", "pos", 0.25, true),
        ("pos=0.25", "pos", -0.25, true),
        ("pos=0.2499", "pos", 0.25, false),
        ("pos=0", "pos", 0.25, false),
        ("all=0.25", "pos", 0.25, true),
        ("all=1 pos=0.2", "pos", 0.25, false),
        ("all=0.2\ntolerance pos=1", "pos", 0.25, true),
        ("vel=1", "pos", 0.25, false),
        ("vel=1", "vel", 0.25, true),
        ("external=1", "external", 0.25, true),
    ] {
        let folder = game_with(body);
        edit(&folder, 4, |line| {
            let x = &mut line["entities"][0][field][0];
            *x = (x.as_f64().expect("a number") + by).into();
        });
        folder.write(INPUT, &format!("tolerance {tolerance}\n{body}"));
        if is_allowed {
            passes(&folder);
        } else {
            let text = fails(&folder);
            assert!(text.contains(&format!("tick 3: `{field}.x` of `hero`")), "{tolerance}: {text}");
            if !tolerance.starts_with("vel") {
                assert!(text.contains(" by 0.25; the tolerance is 0"), "{tolerance}: {text}");
            }
        }
    }
    // Angles are compared on the circle: 0 and 2π - 0.085 are 0.085 apart.
    for (tolerance, is_allowed) in [("angle=0.09", true), ("angle=0.08", false)] {
        let folder = game_with(body);
        edit(&folder, 4, |line| {
            line["entities"][0]["angle"] = (2.0 * std::f64::consts::PI - 0.085).into();
        });
        folder.write(INPUT, &format!("tolerance {tolerance}\n{body}"));
        if is_allowed {
            passes(&folder);
        } else {
            fails(&folder);
        }
    }
    // With a tolerance, the hash may differ; words may not.
    let folder = game_with(body);
    edit(&folder, 4, |line| line["hash"] = "0".into());
    folder.write(INPUT, &format!("tolerance pos=0\n{body}"));
    passes(&folder);
    edit(&folder, 4, |line| line["entities"][0]["mode"] = "air".into());
    folder.write(INPUT, &format!("tolerance all=1000\n{body}"));
    fails(&folder);
}

#[test]
fn mistakes_in_tolerances_are_errors_of_check_and_test() {
    for (line, column, what) in [
        ("tolerance poss=1", 11, "there is no `poss` that takes a tolerance; did you mean `pos`?"),
        ("tolerance grounded=1", 11, "`grounded` is always compared exactly"),
        ("tolerance pos=-1", 11, "a number of at least 0, not `-1`"),
        ("tolerance pos=1e999", 11, "a number of at least 0"),
        ("tolerance pos=NaN", 11, "a number of at least 0"),
        ("tolerance pos=", 11, "a number of at least 0"),
        ("tolerance pos", 11, "takes KEY=NUMBER"),
        ("tolerance", 1, "takes KEY=NUMBER"),
        ("tolerance pos=1 vel=1 pos=1", 23, "`pos` has a tolerance already"),
        ("tolerence pos=1", 1, "did you mean `tolerance`?"),
    ] {
        let folder = Folder::with_script("fn on_tick(me) { }");
        folder.write(INPUT, &format!("level level.toml\n{line}\n10 right\n"));
        let text = fails(&folder);
        assert!(text.contains(&format!("levels/tests/walk.input:2:{column}: error: ")), "{text}");
        assert!(text.contains(what), "{line}: {text}");
    }
    let folder = Folder::with_script("fn on_tick(me) { }");
    folder.write(INPUT, "level level.toml\n10 right\ntolerance pos=1\n");
    let text = fails(&folder);
    assert!(text.contains("`tolerance` must come before the first line of input"), "{text}");
}
