//! Test levels: the random seed, where platforms are, and what scripts show.

use crate::{
    folder::{Folder, LEVEL},
    program::{code, out, run},
};

const LIFT: &str = "[[solid]]\nname = \"lift\"\npoints = [[300, 40], [360, 40], [360, 50], [300, 50]]\n\
                    path = { points = [[0, 0], [0, 60]], speed = 120, loop = \"called\" }\n\
                    [[solid]]\nname = \"sled\"\npoints = [[500, 40], [560, 40], [560, 50], [500, 50]]\n\
                    path = { points = [[0, 0], [90, 0]], speed = 90 }\n\
                    [[solid]]\nname = \"door\"\npresent = true\n\
                    points = [[700, 40], [760, 40], [760, 50], [700, 50]]\n";

const SCRIPT: &str = r##"
fn on_birth(me) { this.rolls = [world::random(), world::random()]; }
fn on_jump(me) {
    world::send("lift", 1);
    world::set_solid("door", false);
    hud::text("coins", 8, 4, `${this.n} coins`, #{ color: "gold" });
    me.bar("health", 0, 30, 0.25, #{ color: "#01020380" });
    world::sprite("sign", 40, 50, "sign.png", #{ frame: 3 });
    me.color = "red";
    me.visible = false;
}
fn on_land(me) { hud::erase("coins"); me.color = (); }
"##;

fn game(test: &str) -> Folder {
    let folder = Folder::with_script(SCRIPT);
    folder.write("levels/level.toml", &format!("{LEVEL}{LIFT}"));
    folder.write_png("pictures/sign.png", (1, 1), &[[255; 4]]);
    folder.write("levels/tests/a.rhai", &format!("fn test_it() {{\n{test}\n}}\n"));
    folder
}

fn passes(test: &str) {
    for arguments in [&["test"] as &[&str], &["test", "--heavy"], &["test", "--both-ways"]] {
        let tested = run(game(test).root(), arguments);
        assert_eq!(code(&tested), 0, "{arguments:?}: {}", out(&tested));
    }
}

fn fails(test: &str, why: &str) {
    let tested = run(game(test).root(), &["test"]);
    assert_eq!(code(&tested), 100, "{}", out(&tested));
    assert!(out(&tested).contains(why), "{}", out(&tested));
}

#[test]
fn a_test_chooses_the_seed_of_its_level() {
    passes(
        r#"
        let rolls = [(), 0, 1, 7, 7, 9223372036854775807].map(|seed| {
            let t = if seed == () { play("level.toml") } else { play("level.toml", #{ seed: seed }) };
            t.ticks(1);
            t.entity("hero").vars.rolls
        });
        // Without a seed it is 0, and each seed has its own numbers.
        expect(rolls[0]).equals(rolls[1]);
        expect(rolls[3]).equals(rolls[4]);
        for other in [0, 2, 5] { expect(rolls[3] == rolls[other]).equals(false); }
        expect(rolls[2] == rolls[0]).equals(false);
        "#,
    );
    for wrong in ["-1", "0.5", "\"x\"", "true"] {
        fails(&format!("play(\"level.toml\", #{{ seed: {wrong} }});"), "it must be a whole number from 0 on");
    }
}

#[test]
fn a_failed_test_with_a_seed_is_recorded_with_it() {
    let folder = game("let t = play(\"level.toml\", #{ seed: 7 });\nt.run(0.5);\nexpect(t.tick).equals(0);");
    let tested = run(folder.root(), &["test"]);
    let said = out(&tested);
    let file = said.split("replay: hangtime ").nth(1).expect("a recording");
    let file = file.lines().next().unwrap_or_default();
    let path = file.split("replay ").nth(1).expect("a path");
    let replayed = run(folder.root(), &["replay", path]);
    assert_eq!(code(&replayed), 0, "{}", out(&replayed));
    assert!(folder.read(path).contains("\"seed\":7"));
}

#[test]
fn a_test_sees_where_solids_are() {
    for hz in [30, 60, 120, 240] {
        passes(&format!(
            r#"
            let t = play("level.toml", #{{ "simulation.tick_hz": {hz} }});
            let lift = || t.solid("lift");
            expect(t.solid("lift").moved).equals(vec(0, 0));
            expect(t.solid("door").present).equals(true);
            expect(t.solid("floor").present).equals(true);
            t.run(0.5);
            expect(t.solid("lift").moved).equals(vec(0, 0));
            expect(t.solid("sled").moved.x).near(45, 0.001);
            t.press("jump");
            t.run(0.25);
            expect(t.solid("lift").moved.y).near(30, 12);
            expect(t.solid("door").present).equals(false);
            let was = t.snapshot();
            t.run(1);
            expect(t.solid("lift").moved).equals(vec(0, 60));
            t.restore(was);
            expect(t.solid("lift").moved.y).below(60);
            expect(t.solid("floor").moved).equals(vec(0, 0));
            "#
        ));
    }
    fails("play(\"level.toml\").solid(\"lfit\");", "there is no solid `lfit` in this level");
}

#[test]
fn a_test_sees_what_scripts_show() {
    passes(
        r##"
        let t = play("level.toml");
        let hero = t.entity("hero");
        t.run(0.5);
        expect(t.shown("coins")).equals(());
        expect(hero.color).equals(());
        expect(hero.visible).equals(true);
        t.press("jump");
        t.ticks(3);
        let coins = t.shown("coins");
        expect([coins.form, coins.text, coins.color]).equals(["text", "0 coins", "gold"]);
        expect([coins.x, coins.y]).equals([8, 4]);
        expect(t.shown("coins", "hero").text).equals("0 coins");
        let health = t.shown("health", "hero");
        expect([health.form, health.share, health.color]).equals(["bar", 0.25, "#01020380"]);
        let sign = t.shown("sign");
        expect([sign.form, sign.picture, sign.frame]).equals(["sprite", "sign.png", 3]);
        expect(hero.color).equals("red");
        expect(hero.visible).equals(false);
        let was = t.snapshot();
        t.run(2);
        expect(t.shown("coins")).equals(());
        expect(hero.color).equals(());
        t.restore(was);
        expect(t.shown("coins").text).equals("0 coins");
        expect(t.shown("")).equals(());
        "##,
    );
    fails("play(\"level.toml\").shown(\"coins\", \"heor\");", "there is no entity `heor`");
    fails("play(\"level.toml\").shown(3);", "`shown` cannot be called as `shown(test, number)`");
}
