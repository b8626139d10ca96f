//! `test`: test levels, and what a test script can do.

use crate::{
    folder::Folder,
    program::{code, game, out, run},
};

#[test]
fn test_finds_runs_filters_and_lists_tests() {
    let folder = game();
    assert_eq!(code(&run(folder.root(), &["test"])), 4, "there are none yet");
    folder.write(
        "levels/tests/a.rhai",
        "fn test_good() { let t = play(\"level.toml\"); t.ticks(3); expect(t.tick).equals(3); }\n\
         fn test_bad() {\n  let t = play(\"level.toml\");\n  t.run(0.5);\n  expect(t.entity(\"hero\").y).above(20, \"high\");\n}\n\
         fn helper() { }\n",
    );
    folder.write("levels/tests/broken.rhai", "fn test_x( {\n");
    let all = run(folder.root(), &["test"]);
    assert_eq!(code(&all), 100);
    let text = out(&all);
    assert_eq!(text.lines().last(), Some("1 passed, 2 failed"), "{text}");
    assert!(text.contains("levels/tests/a.rhai:5:30: error: high: expected above 20, got 19"), "{text}");
    assert!(text.contains("expected: above 20") && text.contains("got:      19"), "{text}");
    assert!(text.contains("tick:     30"), "{text}");
    assert!(text.contains("hangtime test levels/tests/a.rhai --filter \"=test_bad\""), "{text}");
    assert!(text.contains("levels/tests/broken.rhai:1:"), "{text}");
    let good = run(folder.root(), &["test", "--filter", "good"]);
    assert_eq!((code(&good), out(&good).lines().last()), (0, Some("1 passed, 0 failed")));
    let one = run(folder.root(), &["test", "levels/tests/a.rhai"]);
    assert_eq!(out(&one).lines().last(), Some("1 passed, 1 failed"));
    let list = run(folder.root(), &["test", "levels/tests/a.rhai", "--list"]);
    assert_eq!(out(&list), "levels/tests/a.rhai::test_good\nlevels/tests/a.rhai::test_bad\n");
    assert_eq!(code(&list), 0);
    assert_eq!(code(&run(folder.root(), &["test", "--filter", "nothing like it"])), 4);
}

#[test]
fn a_failing_behavior_fails_the_test_that_plays_it() {
    let folder = Folder::with_script("fn on_tick(me) { nonsense(); }");
    folder.write("levels/tests/a.rhai", "fn test_it() { play(\"level.toml\").ticks(3); }");
    let output = run(folder.root(), &["test"]);
    assert_eq!(code(&output), 100);
    assert!(out(&output).contains("a behavior failed: scripts/hero.rhai:1:18"), "{}", out(&output));
}

#[test]
fn a_caught_failure_is_its_message() {
    let folder = Folder::with_script("fn on_tick(me) { throw \"no fuel\"; }");
    folder.write(
        "levels/tests/a.rhai",
        "fn test_behavior() {\n\
         let said = []; let t = play(\"level.toml\");\n\
         try { t.ticks(1); } catch (failed) { said = [failed.to_string(), `${failed}`, \"\" + failed]; }\n\
         expect(said.len()).equals(3);\n\
         for one in said { expect(one).contains(\"a behavior failed: scripts/hero.rhai:1:18: error: no fuel\"); }\n}\n\
         fn test_expectation() {\n\
         let said = [];\n\
         try { expect(1).equals(2); } catch (missed) { said = [missed.to_string(), `${missed}`, \"\" + missed]; }\n\
         expect(said.len()).equals(3);\n\
         for one in said { expect(one).equals(\"expected 2, got 1\"); }\n}\n",
    );
    let output = run(folder.root(), &["test"]);
    assert_eq!(code(&output), 0, "{}", out(&output));
}

/// One test per call of tests.
const DEEDS: &str = r#"
fn test_settings_and_rate() {
    let t = play("level.toml", #{ "simulation.tick_hz": 120 });
    t.run(0.5);
    expect(t.tick).equals(60);
}
fn test_hold_press_release() {
    let t = play("level.toml");
    let hero = t.entity("hero");
    t.hold("right");
    t.ticks(10);
    expect(hero.vel.x).above(360);
    t.release("right");
    t.run(1);
    expect(hero.vel.x).equals(0);
    t.press("jump");
    t.ticks(1);
    expect(hero.vel.y).equals(540);
    t.ticks(1);
    expect(hero.vel.y).below(0, "a press is a tick long");
}
fn test_axis() {
    let t = play("level.toml", #{ "entities.hero.model": "two_velocity" });
    t.axis("move", -1, 0);
    t.ticks(3);
    expect(t.entity("hero").vel.x).below(0);
}
fn test_run_until() {
    let t = play("level.toml");
    let hero = t.entity("hero");
    t.hold("right");
    t.run_until(|t| hero.x > -100, 2);
    expect(hero.x).near(-100, 11);
    t.run_until(|t| t.tick > 100, 2);
    expect(t.tick).equals(101);
}
fn test_input_and_tune() {
    let t = play("level.toml");
    let hero = t.entity("hero");
    t.input("walk.input");
    expect(t.tick).equals(12);
    expect(hero.vel.x).near(360 + 650 * 0.2, 1e-9);
    t.tune("platformer.ground_decel", 1e6);
    t.ticks(1);
    expect(hero.vel.x).equals(0);
    expect(hero.vars.n).equals(13, "tuning keeps the state");
    expect(t.events("reload").len()).equals(1, "tuning is a reload");
}
fn test_events() {
    let t = play("level.toml");
    t.press("jump");
    t.run(1);
    let landings = t.events("land");
    expect(landings.len()).equals(1);
    expect(landings[0].solid).equals("floor");
    expect(landings[0].normal.y).equals(1);
    expect(landings[0].entity).equals("hero");
}
"#;

#[test]
fn calls_of_tests_work() {
    let folder = game();
    folder.write("levels/tests/walk.input", "12 right\n");
    folder.write("levels/tests/a.rhai", DEEDS);
    let output = run(folder.root(), &["test"]);
    assert_eq!(out(&output).lines().last(), Some("6 passed, 0 failed"), "{}", out(&output));
}

#[test]
fn an_unknown_level_names_the_three_nearest_once() {
    let folder = game();
    let level = folder.read("levels/level.toml");
    for name in ["cave_entry", "cave_exit", "cave_pool", "meadow", "tower", "harbor", "nowhere_land"] {
        folder.write(&format!("levels/{name}.toml"), &level);
    }
    folder.write("levels/tests/a.rhai", "fn test_it() { play(\"cave_between.toml\"); }\nfn test_other() { }\n");
    let mut command = crate::program::command(folder.root(), &["test"]);
    let output = command.env("GITHUB_ACTIONS", "true").output().expect("the program starts");
    let text = out(&output);
    assert_eq!(text.matches("the nearest of 8 levels are `cave_e").count(), 1, "{text}");
    assert_eq!(text.matches("cave_between.toml: no such level").count(), 3, "report, annotation and list: {text}");
    assert!(!text.contains("nowhere_land"), "{text}");
}

#[test]
fn a_condition_that_is_not_met_shows_its_line_and_what_it_has_looked_at() {
    let folder = game();
    // The hero runs from -200 px against nothing, and a condition of another line waits for a jump.
    let script = r#"
fn test_it() {
    let t = play("level.toml");
    let hero = t.entity("hero");
    let high = |t|
        hero.y > 500;
    t.ticks(2);
    t.run_until(high, 0.1);
}
"#;
    folder.write("levels/tests/a.rhai", script);
    let output = run(folder.root(), &["test"]);
    let said = out(&output);
    assert_eq!(code(&output), 100, "{said}");
    assert!(said.contains("levels/tests/a.rhai:6:"), "the line of the condition: {said}");
    assert!(said.contains("        hero.y > 500;"), "{said}");
    assert!(said.contains("levels/tests/a.rhai:8:"), "the line of the call: {said}");
    let state = "not met within 0.1 s; `hero` is at (-200, 19) with vel (0, 0), on ";
    assert!(said.contains(state), "{said}");
    assert!(said.contains("mode `ground`"), "{said}");
}

#[test]
fn mistakes_in_tests_suggest_the_right_name() {
    let folder = game();
    for (line, what) in [
        ("play(\"levle.toml\");", "did you mean `level.toml`?"),
        ("let t = play(\"level.toml\"); t.entity(\"heor\");", "did you mean `hero`?"),
        ("let t = play(\"level.toml\"); t.events(\"jmp\");", "did you mean `jump`?"),
        ("let t = play(\"level.toml\"); t.hold(\"rigth\");", "did you mean `right`?"),
        ("let t = play(\"level.toml\"); t.runn(1);", "did you mean `run`?"),
        ("let t = play(\"level.toml\"); expect(t.entity(\"hero\").grunded).equals(true);", "did you mean `grounded`?"),
        ("let t = play(\"level.toml\"); t.run_until(|t| false, 0.1);", "not met within 0.1 s"),
        ("let t = play(\"level.toml\"); t.tune(\"platformer.jump_sped\", 3);", "did you mean `jump_speed`?"),
        ("play(\"level.toml\", #{ \"simulation.tick_hz\": 3 });", "must be between 10 and 1000 Hz"),
        ("expect(1).equals(2);", "expected 2, got 1"),
        ("expect(\"a\").equals(\"b\", \"letters\");", "letters: expected \"b\", got \"a\""),
        ("expect(0.1 + 0.2).equals(0.3);", "got 0.30000000000000004"),
        ("expect(5).near(6, 0.5);", "expected within 0.5 of 6, got 5"),
    ] {
        folder.write("levels/tests/a.rhai", &format!("fn test_it() {{\n  {line}\n}}\n"));
        let output = run(folder.root(), &["test"]);
        assert_eq!(code(&output), 100, "{line}");
        assert!(out(&output).contains(what), "{line}: {}", out(&output));
        assert!(out(&output).contains("levels/tests/a.rhai:2:"), "{line}: {}", out(&output));
    }
}

#[test]
fn writing_a_read_only_property_in_a_test_is_an_error() {
    let folder = game();
    for (line, why) in [
        ("h.vel.x = 300;", "`vel` is read-only"),
        ("h.x = 300;", "`x` is read-only"),
        ("h.vars.n = 3;", "`vars` is read-only"),
        ("t.ticks(999999999);", "a test can play at most 1000000 ticks"),
    ] {
        let test =
            format!("fn test_it() {{ let t = play(\"level.toml\"); let h = t.entity(\"hero\"); {line} t.ticks(1); }}");
        folder.write("levels/tests/a.rhai", &test);
        let tested = run(folder.root(), &["test"]);
        assert_eq!(code(&tested), 100);
        assert!(out(&tested).contains(why), "{}", out(&tested));
    }
}

#[test]
fn a_test_outside_the_game_finds_a_level_in_its_folder() {
    let folder = game();
    folder.write("game/levels/other.toml", "[[solid]]\npoints = [[0, 0], [9, 0], [0, 9]]\n");
    folder.write("out/my.rhai", "fn test_it() { play(\"lv.toml\"); }\n");
    folder.write("out/lv.toml", "[[solid]]\npoints = [[0, 0], [9, 0], [0, 9]]\n");
    let tested = run(folder.root(), &["--root", "game", "test", "out/my.rhai"]);
    assert_eq!(code(&tested), 0, "{}", out(&tested));
}
