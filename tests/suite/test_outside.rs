//! `t.place` and `t.emit`: what a test does to a level from outside.

use crate::{
    folder::{Folder, LEVEL},
    program::{code, err, out, run},
};

/// A hero that counts alarms, and a level script that hears them, too.
fn alarmed() -> Folder {
    let folder = Folder::with_script(
        "fn on_alarm(me, event) { this.n += 1; this.at = event.tick; this.by = event.entity; this.data = event.data; }\n\
         fn on_crush(me) { world::emit(\"alarm\"); }",
    );
    folder.write("levels/level.toml", &format!("script = \"rules.rhai\"\n{LEVEL}"));
    folder.write("scripts/rules.rhai", "fn on_alarm(me) { this.heard = true; }");
    folder
}

/// The last line of a run of this test, also in heavy mode.
fn run_test(folder: &Folder, body: &str) -> String {
    let test =
        format!("fn test_it() {{\n  let t = play(\"level.toml\");\n  let hero = t.entity(\"hero\");\n{body}\n}}\n");
    folder.write("levels/tests/a.rhai", &test);
    let plain = out(&run(folder.root(), &["test"]));
    let heavy = out(&run(folder.root(), &["test", "--heavy"]));
    assert_eq!(plain.lines().last(), heavy.lines().last(), "{plain}{heavy}");
    plain
}

#[test]
fn an_emitted_event_reaches_all_scripts_in_the_next_tick() {
    let folder = alarmed();
    let shown = run_test(
        &folder,
        r#"
  t.ticks(3);
  t.emit("alarm", #{ x: 40 });
  expect(hero.vars.n).equals(0, "not before the next tick");
  expect(t.events("alarm").len()).equals(1);
  expect(t.events("alarm")[0].entity).equals("level");
  t.ticks(1);
  expect(hero.vars.n).equals(1);
  expect(hero.vars.at).equals(3);
  expect(hero.vars.by).equals("level");
  expect(hero.vars.data.x).equals(40);
  expect(t.vars.heard).equals(true);
  t.ticks(5);
  expect(hero.vars.n).equals(1, "once");
  t.emit("alarm");
  t.emit("alarm");
  t.ticks(1);
  expect(hero.vars.n).equals(3);
  expect(hero.vars.data).equals(());
  expect(t.events("alarm").len()).equals(3);"#,
    );
    assert_eq!(shown.lines().last(), Some("1 passed, 0 failed"), "{shown}");
}

#[test]
fn an_emitted_event_is_part_of_snapshots_and_survives_tuning() {
    let folder = alarmed();
    let shown = run_test(
        &folder,
        r#"
  t.emit("alarm");
  let moment = t.snapshot();
  t.ticks(1);
  expect(hero.vars.n).equals(1);
  t.restore(moment);
  expect(hero.vars.n).equals(0);
  t.tune("platformer.jump_speed", 600);
  expect(t.events("alarm").len()).equals(1);
  t.ticks(1);
  expect(hero.vars.n).equals(1);"#,
    );
    assert_eq!(shown.lines().last(), Some("1 passed, 0 failed"), "{shown}");
}

#[test]
fn a_placed_entity_is_there_at_once_with_its_velocity() {
    let folder = alarmed();
    // Half the body's height is 19 px.
    let shown = run_test(
        &folder,
        r#"
  t.hold("right");
  t.run(0.5);
  let speed = hero.vel.x;
  expect(speed).above(0);
  t.place("hero", -500, 300);
  expect(hero.x).equals(-500);
  expect(hero.y).equals(300);
  expect(hero.vel.x).equals(speed);
  t.place("hero", -500, -10);
  expect(hero.y).near(19, 0.01, "pushed out of the floor");
  t.ticks(1);
  expect(hero.grounded).equals(true);"#,
    );
    assert_eq!(shown.lines().last(), Some("1 passed, 0 failed"), "{shown}");
}

#[test]
fn mistakes_in_both_calls_say_what_is_right() {
    let folder = alarmed();
    for (line, what) in [
        ("t.place(\"heor\", 0, 100);", "did you mean `hero`?"),
        ("t.place(\"hero\", 0.0 / 0.0, 100);", "`x` of `place` cannot be NaN"),
        ("t.place(\"hero\", 0, 1e9);", "`y` of `place` is 1e9"),
        ("t.place(\"hero\", 20000, 0);", "(20000, 0) is outside of the level's bounds, ("),
        ("t.place(\"hero\", \"0\", 0);", "`x` of `place` must be a number, not text"),
        ("t.emit(\"on_alarm\");", "write `alarm`, which calls `fn on_alarm`"),
        ("t.emit(\"land\");", "`land` is a built-in event"),
        ("t.emit(\"Alarm!\");", "`emit` needs an event name"),
        ("t.emit(\"alarm\", || 1);", "event data cannot contain a function"),
        ("let x = []; x.pad(65, 0); t.emit(\"alarm\", x);", "at most 64 values"),
        ("for i in 0..65 { t.emit(\"alarm\"); }", "at most 64 events per tick"),
    ] {
        let shown = run_test(&folder, line);
        assert!(shown.contains(what), "{line}: {shown}");
    }
}

#[test]
fn check_knows_both_calls() {
    let folder = alarmed();
    let test = "fn test_it() {\n  let t = play(\"level.toml\");\n  expect(1).equals(1);\n  t.place(\"hero\", 0, 100);\n  t.emit(\"alarm\");\n  LINE\n}\n";
    for (line, what) in [
        ("", ""),
        ("t.emit(\"alram\");", "no script handles `alram`, as there is no `fn on_alram`; did you mean `alarm`?"),
        ("t.place(\"heor\", 0, 100);", "no level has an entity `heor`; did you mean `hero`?"),
        ("t.place(\"hero\", 0);", "place"),
    ] {
        folder.write("levels/tests/a.rhai", &test.replace("LINE", line));
        let checked = run(folder.root(), &["check"]);
        assert!(out(&checked).contains(what), "{line}: {}{}", out(&checked), err(&checked));
        if what.is_empty() {
            assert_eq!((code(&checked), out(&checked)), (0, String::new()));
        }
    }
}
