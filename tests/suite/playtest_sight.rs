//! Test levels: what a test sees of events, created entities, and the level.

use crate::{
    folder::{Folder, LEVEL},
    program::{code, err, out, run},
};

/// A game with a hero that throws, a level that counts, and a test.
fn thrower(test: &str) -> Folder {
    let folder = Folder::with_script(
        "fn on_tick(me) {\n\
             if me.pressed(\"jump\") { world::create(\"shot\", me.x, me.y + 200); world::emit(\"hurt\", 1); }\n\
             if me.pressed(\"down\") { me.after(0.1, \"lend\"); }\n\
         }\n\
         fn on_hurt(me, event) {}\n\
         fn on_lend(me) {}\n",
    );
    folder.write("config/entities/shot.toml", "body = { ellipse = [4.0, 4.0] }\n");
    folder.write("scripts/counts.rhai", "fn on_hurt(me, event) { this.hurts += event.data; this.at = vec(1, 2); }\n");
    let own = "script = \"counts.rhai\"\nvars = { hurts = 0 }\n";
    folder.write("levels/level.toml", &format!("{own}{LEVEL}"));
    folder.write("levels/plain.toml", LEVEL);
    folder.write("levels/tests/a.rhai", &format!("fn test_it() {{\n{test}\n}}\n"));
    folder
}

fn passes(test: &str) {
    let tested = run(thrower(test).root(), &["test"]);
    assert_eq!(code(&tested), 0, "{}", out(&tested));
}

fn fails(test: &str, why: &str) {
    let tested = run(thrower(test).root(), &["test"]);
    assert_eq!(code(&tested), 100, "{}", out(&tested));
    assert!(out(&tested).contains(why), "{}", out(&tested));
}

#[test]
fn events_that_scripts_emit_are_known_before_they_happen() {
    // `hurt` is close to `hit`, and `lend`, which a timer emits, to `land`.
    passes(
        r#"
        let t = play("level.toml");
        expect(t.events("hurt").len()).equals(0);
        expect(t.events("lend").len()).equals(0);
        t.press("jump");
        t.press("down");
        t.run(0.5);
        expect(t.events("hurt").len()).equals(1);
        expect(t.events("lend").len()).equals(1);
        "#,
    );
    fails("let t = play(\"level.toml\");\nt.events(\"hut\");", "there is no event `hut`; did you mean `hit`?");
}

#[test]
fn a_hooks_name_is_rejected_as_an_event() {
    fails(
        "let t = play(\"level.toml\");\nt.events(\"on_jump\");",
        "a.rhai:3:3: error: there is no event `on_jump`: `on_jump` is the hook, the event is `jump`",
    );
    fails("play(\"level.toml\").events(\"on_hurt\");", "the event is `hurt`");
}

#[test]
fn a_test_reads_the_variables_of_the_level() {
    passes(
        r#"
        let t = play("level.toml");
        expect(t.vars).equals(#{ hurts: 0 });
        let moment = t.snapshot();
        for times in 1..=3 {
            t.press("jump");
            t.ticks(3);
            expect(t.vars.hurts).equals(times);
        }
        expect(t.vars.at).equals(vec(1, 2));
        t.restore(moment);
        expect(t.vars.hurts).equals(0);
        expect(play("plain.toml").vars).equals(#{});
        "#,
    );
    fails("let t = play(\"level.toml\");\nt.vars = #{ hurts: 3 };", "`vars` is read-only");
}

#[test]
fn created_entities_are_found_by_kind() {
    passes(
        r#"
        let t = play("level.toml");
        expect(t.all("shot").len()).equals(0);
        expect(t.all("hero").map(|hero| hero.name)).equals(["hero"]);
        for times in 0..2 { t.press("jump"); t.ticks(20); }
        let shots = t.all("shot");
        expect(shots.len()).equals(2);
        // The hero has the first id, and the others follow.
        expect(shots.map(|shot| shot.name)).equals(["shot_2", "shot_3"]);
        expect(t.entity("shot_3").y).equals(shots[1].y);
        let high = shots[1].y;
        t.ticks(2);
        expect(shots[1].y).below(high, "it is read as it is now");
        "#,
    );
}

#[test]
fn a_trace_includes_the_variables_of_a_level_script() {
    let folder = thrower("");
    folder.write("jump.input", "10\n1 jump\n2\n");
    let lines = |level: &str| {
        let ran = run(folder.root(), &["run", level, "--input", "jump.input", "--trace", "-"]);
        assert_eq!(code(&ran), 0, "{}", err(&ran));
        let json = |line: &str| serde_json::from_str(line).expect("JSON");
        out(&ran).lines().skip(1).map(json).collect::<Vec<serde_json::Value>>()
    };
    let counted = lines("level");
    assert_eq!(counted[0]["level"]["vars"]["hurts"], 0);
    // Emitted in the eleventh tick, received in the twelfth.
    assert_eq!(counted[11]["level"]["vars"]["hurts"], 0);
    assert_eq!(counted[12]["level"]["vars"]["hurts"], 1);
    assert_eq!(counted[12]["level"]["vars"]["at"]["y"], 2.0);
    for line in lines("plain") {
        assert!(line.get("level").is_none(), "{line}");
    }
}
