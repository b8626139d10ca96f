//! Test levels: returning to a moment, and known failures.

use crate::program::{code, game, out, run};

/// Runs one test; returns the exit code and the output.
fn test(body: &str) -> (i32, String) {
    let folder = game();
    folder.write("levels/tests/walk.input", "12 right\n");
    folder.write("levels/tests/a.rhai", &format!("fn test_it() {{\n{body}\n}}\n"));
    let tested = run(folder.root(), &["test"]);
    (code(&tested), out(&tested))
}

fn passes(body: &str) {
    let (code, printed) = test(body);
    assert_eq!(code, 0, "{printed}");
}

fn fails(body: &str, what: &str) {
    let (code, printed) = test(body);
    assert_eq!(code, 100, "{printed}");
    assert!(printed.contains(what), "{printed}");
    assert!(printed.contains("levels/tests/a.rhai:"), "{printed}");
}

#[test]
fn a_restored_moment_continues_the_same() {
    passes(
        r#"
        let t = play("level.toml");
        t.hold("right");
        t.run(0.3);
        let moment = t.snapshot();
        let here = t.hash;
        let hashes = [];
        for tick in 0..60 {
            if tick == 20 { t.hold("jump"); }
            if tick == 30 { t.release("jump"); }
            t.ticks(1);
            hashes.push(t.hash);
        }
        for again in 0..2 {
            t.restore(moment);
            expect(t.hash).equals(here);
            expect(t.tick).equals(18);
            for tick in 0..60 {
                if tick == 20 { t.hold("jump"); }
                if tick == 30 { t.release("jump"); }
                t.ticks(1);
                expect(t.hash).equals(hashes[tick], `${tick} ticks later`);
            }
        }
        "#,
    );
}

#[test]
fn different_input_after_a_moment_gives_a_different_run() {
    passes(
        r#"
        let t = play("level.toml");
        let hero = t.entity("hero");
        t.run(0.1);
        let moment = t.snapshot();
        t.hold("right");
        t.run(0.5);
        let there = t.hash;
        expect(hero.x).above(-100);
        t.restore(moment);
        expect(hero.x).equals(-200);
        // No key is held: that came later.
        t.run(0.5);
        expect(hero.x).equals(-200);
        expect(t.hash == there).equals(false);
        expect(hero.vars.n).equals(36, "variables are part of it");
        "#,
    );
}

#[test]
fn a_moment_includes_held_keys_and_events() {
    passes(
        r#"
        let t = play("level.toml");
        let hero = t.entity("hero");
        t.hold("jump");
        t.run(0.1);
        let rising = t.snapshot();
        expect(t.events("jump").len()).equals(1);
        t.release("jump");
        t.run(1);
        t.hold("right");
        expect(t.events("land").len()).equals(1);
        let landed = t.snapshot();

        t.restore(rising);
        expect(t.events("jump").len()).equals(1);
        expect(t.events("land").len()).equals(0, "that is forgotten");
        t.run(0.1);
        expect(hero.vel.y).equals(540, "the key is held");
        expect(hero.x).equals(-200, "and the other is not");

        // A later moment exists although time took another course.
        t.restore(landed);
        expect(t.events("land").len()).equals(1);
        expect(hero.grounded).equals(true);
        t.run(0.2);
        expect(hero.x).above(-200);
        "#,
    );
}

#[test]
fn a_moment_restores_settings() {
    passes(
        r#"
        let t = play("level.toml");
        let hero = t.entity("hero");
        let before = t.snapshot();
        t.tune("platformer.jump_speed", 100);
        let after = t.snapshot();
        t.press("jump");
        t.ticks(1);
        expect(hero.vel.y).equals(100);
        t.restore(before);
        expect(t.events("reload").len()).equals(0);
        t.press("jump");
        t.ticks(1);
        expect(hero.vel.y).equals(540);
        t.restore(after);
        expect(t.events("reload").len()).equals(1);
        t.press("jump");
        t.ticks(1);
        expect(hero.vel.y).equals(100);
        // Settings from here on are added to those.
        t.restore(before);
        t.tune("platformer.run_speed_min", 50);
        t.press("jump");
        t.ticks(1);
        expect(hero.vel.y).equals(540);
        "#,
    );
}

#[test]
fn a_moment_restores_the_position_in_an_input_file() {
    passes(
        r#"
        let t = play("level.toml");
        let hero = t.entity("hero");
        let start = t.snapshot();
        t.input("walk.input");
        let x = hero.x;
        let there = t.hash;
        t.restore(start);
        t.ticks(12);
        expect(hero.x).equals(-200);
        t.restore(start);
        t.input("walk.input");
        expect(hero.x).equals(x);
        expect(t.hash).equals(there);
        "#,
    );
}

#[test]
fn a_moment_cannot_be_restored_in_another_level() {
    fails(
        "let a = play(\"level.toml\");\nlet b = play(\"level.toml\");\nb.restore(a.snapshot());",
        "another `play(…)`",
    );
    fails("let a = play(\"level.toml\");\na.restore(a.tick);", "`restore`");
    fails("let a = play(\"level.toml\");\na.hash = \"00\";", "`hash` is read-only");
}

#[test]
fn a_tests_hash_equals_that_of_the_trace() {
    let folder = game();
    let trace = run(folder.root(), &["run", "level", "--ticks", "30", "--trace", "-"]);
    let trace = out(&trace);
    let last: serde_json::Value = serde_json::from_str(trace.lines().last().expect("lines")).expect("JSON");
    passes(&format!("let t = play(\"level.toml\");\nt.ticks(30);\nexpect(t.hash).equals({});", last["hash"]));
}

#[test]
fn a_known_failure_passes_and_is_listed() {
    let (code, printed) = test("known_failure(\"the moon is far\");\nexpect(1).equals(2);");
    assert_eq!(code, 0, "{printed}");
    assert!(printed.contains("  known failure: the moon is far\n"), "{printed}");
    assert!(printed.contains("levels/tests/a.rhai:3:11: error: expected 2, got 1"), "{printed}");
    assert!(printed.ends_with("1 passed, 0 failed\n"), "{printed}");
}

#[test]
fn a_known_failure_that_is_fixed_fails() {
    let (code, printed) = test("known_failure(\"the moon is far\");\nexpect(1).equals(1);");
    assert_eq!(code, 100, "{printed}");
    let told = "levels/tests/a.rhai:1:4: error: `test_it` passes now; remove its `known_failure`: the moon is far";
    assert!(printed.contains(told), "{printed}");
    assert!(printed.ends_with("0 passed, 1 failed\n"), "{printed}");
}

#[test]
fn a_known_failure_has_a_reason_and_covers_only_the_lines_after_it() {
    fails("expect(1).equals(2);\nknown_failure(\"too late\");", "expected 2, got 1");
    fails("known_failure(\" \");", "needs the reason");
    // The next test in the file is not affected.
    let folder = game();
    folder.write(
        "levels/tests/a.rhai",
        "fn test_a() { known_failure(\"so far\"); expect(1).equals(2); }\n\
         fn test_b() { expect(1).equals(2); }\n",
    );
    let tested = run(folder.root(), &["test"]);
    assert_eq!(code(&tested), 100);
    assert!(out(&tested).ends_with("1 passed, 1 failed\n"));
}

#[test]
fn a_failing_behavior_can_be_a_known_failure() {
    let folder = game();
    folder.write("scripts/hero.rhai", "fn on_tick(me) { this.n += me.nothing; }");
    folder.write("levels/tests/a.rhai", "fn test_it() { known_failure(\"a slip\"); play(\"level.toml\").run(1); }\n");
    let tested = run(folder.root(), &["test"]);
    assert_eq!(code(&tested), 0, "{}", out(&tested));
    assert!(out(&tested).contains("known failure: a slip"));
}

/// A script that uses all script state: timers, random numbers, spawns, events, overrides, switches.
const BUSY: &str = r#"
fn on_birth(me) { me.after(0.1, "pulse"); }
fn on_pulse(me) {
    me.after(0.1, "pulse");
    this.n += 1;
    this.luck = world::random();
    me.tune("platformer.run_speed_min", 200 + 100 * world::random());
    world::emit("beaten", this.n);
    world::set_solid("door", this.n % 2 == 0);
    if this.n % 3 == 0 { this.last = world::create("hero", -300 - 20 * this.n, 19); }
    if this.n > 8 { me.remove(); }
}
fn on_beaten(me, event) { this.heard = event.data; me.note(`heard ${event.data}`); }
"#;

#[test]
fn a_moment_restores_all_script_state() {
    let folder = game();
    let level = folder.read("levels/level.toml");
    let door = "[[solid]]\nname = \"door\"\npresent = true\npoints = [[50, 0], [60, 0], [60, 90], [50, 90]]\n";
    folder.write("levels/level.toml", &format!("{level}\n{door}"));
    folder.write("scripts/hero.rhai", BUSY);
    folder.write(
        "levels/tests/a.rhai",
        r#"
        fn test_it() {
            let t = play("level.toml");
            t.hold("right");
            t.run(0.65);
            let moment = t.snapshot();
            let beaten = t.events("beaten").len();
            expect(beaten).above(3);
            let hashes = [];
            for tick in 0..60 { t.ticks(1); hashes.push(t.hash); }
            let all = t.events().len();
            expect(t.events("birth").len()).above(2);
            expect(t.events("death").len()).above(0);
            t.restore(moment);
            expect(t.events("beaten").len()).equals(beaten);
            for tick in 0..60 {
                t.ticks(1);
                expect(t.hash).equals(hashes[tick], `${tick} ticks later`);
            }
            expect(t.events().len()).equals(all);
        }
        "#,
    );
    let tested = run(folder.root(), &["test"]);
    assert_eq!(code(&tested), 0, "{}", out(&tested));
}
