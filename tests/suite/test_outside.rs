//! `t.place` and `t.emit`: what a test does to a level from outside.

use crate::{
    folder::{Folder, LEVEL},
    program::{code, err, out, run},
};
use glam::dvec2;
use hangtime_game::{GameFolder, StartTest, save_start_test};

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
fn a_placed_entity_can_get_a_velocity() {
    let folder = alarmed();
    // In the air without keys, the first tick changes its speed along y by gravity and along x by drag at most.
    let shown = run_test(
        &folder,
        r#"
  for vel in [[360, -120], [-75.5, 300], [0, 0]] {
    t.place("hero", -500, 300, vel[0], vel[1]);
    expect(hero.x).equals(-500);
    expect(hero.vel.x).equals(vel[0] + 0.0);
    expect(hero.vel.y).equals(vel[1] + 0.0);
    t.ticks(1);
    expect(hero.y).near(300 + vel[1] / 60.0, 3672.0 / 3600.0 + 0.001);
  }"#,
    );
    assert_eq!(shown.lines().last(), Some("1 passed, 0 failed"), "{shown}");
}

#[test]
fn a_saved_start_is_a_test_that_passes_in_each_language() {
    let folder = alarmed();
    let game = GameFolder::new(folder.root());
    let start = StartTest { entity: "hero".into(), at: dvec2(-500.25, 123.0), velocity: dvec2(-75.5, 1e-3) };
    let save = || save_start_test(&game, "levels/level.toml", &start).expect("a file");
    let first = save();
    assert!(first.ends_with(".rhai"), "{first}");
    let mut files = vec![first];
    if cfg!(feature = "lua") {
        folder.write("levels/tests/a.luau", "");
        folder.write("levels/tests/b.luau", "");
        files.push(save());
        assert!(files[1].ends_with(".luau"), "{files:?}");
    }
    for file in files {
        let run = run(folder.root(), &["test", &file]);
        let shown = out(&run);
        assert_eq!(shown.lines().last(), Some("1 passed, 0 failed"), "{shown}{}", err(&run));
    }
    let check = run(folder.root(), &["check"]);
    assert_eq!(code(&check), 0, "{}{}", out(&check), err(&check));
}

#[test]
fn mistakes_in_both_calls_say_what_is_right() {
    let folder = alarmed();
    for (line, what) in [
        ("t.place(\"heor\", 0, 100);", "did you mean `hero`?"),
        ("t.place(\"hero\", 0.0 / 0.0, 100);", "`x` of `place` cannot be NaN"),
        ("t.place(\"hero\", 0, 1e9);", "`y` of `place` is 1e9"),
        ("t.place(\"hero\", 20000, 0);", "(20000, 0) is outside of the level's bounds, ("),
        ("t.place(\"hero\", 0, 100, 0, 0.0 / 0.0);", "`vy` of `place` cannot be NaN"),
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
