//! `sweep`: what runs measure, and where they pass, compared with the physics.

use crate::{
    folder::Folder,
    program::{code, err, game, run},
    sweeps_case::{GRAVITY, fall, ledge, measured, sweep, thrown},
};
use hangtime::{
    project::{Live, Project, Revision, Variants},
    sim::Inputs,
};
use std::sync::Arc;

#[test]
fn the_edge_of_coyote_time_is_the_time_since_the_ledge() {
    let (speed, from, press) = (300.0, -101.0, 0.4);
    for hz in [30_u32, 60, 100, 240] {
        let folder = ledge(speed, from);
        let input = format!("{press}s right\n0.1s right jump\n");
        folder.write("late.input", &input);
        let frequency = f64::from(hz);
        let rate = format!("simulation.tick_hz={hz}");
        let json = sweep(
            &folder,
            &[
                "ledge",
                "--input",
                "late.input",
                "--vary",
                "platformer.coyote_time=0..0.2:0.01",
                "--set",
                &rate,
                "--pass",
                "t.events(\"jump\").len() == 1",
                "--measure",
                "t.events(\"leave_ground\")[0].tick",
            ],
        );
        // It leaves the ground past the ledge, at the latest when all of its 10 px are.
        let left = measured(&json, 0)[0];
        let past = (-from / speed * frequency).floor() + 1.0;
        let most = past + 10.0 / speed * frequency + 1.0;
        assert!((past..=most).contains(&left), "{hz} Hz: {left}, {past}");
        // The key goes down in the step that begins at this tick.
        let pressed = (press * frequency).round();
        let edge = (pressed - left) / frequency;
        let edges = json["edges"]["edges"].as_array().expect("edges");
        assert_eq!(edges.len(), 1, "{hz} Hz: {json}");
        let (below, above) = (edges[0]["below"].as_f64(), edges[0]["above"].as_f64());
        let (below, above) = (below.expect("a number"), above.expect("a number"));
        assert_eq!(edges[0]["passes_above"], true);
        assert!(below < edge && edge <= above + 1e-9, "{hz} Hz: {edge}, {edges:?}");
        // A ten-thousandth of the range, rounded down to a power of ten.
        assert!((above - below - 1e-5).abs() < 1e-9, "{hz} Hz: {edges:?}");
        let text = json["edges"]["text"].as_str().expect("text");
        assert_eq!(text, format!("passable from {above} s on"));
    }
}

#[test]
fn a_jump_is_as_high_as_the_physics_says_for_each_speed() {
    let folder = ledge(300.0, -800.0);
    folder.write("jump.input", "0.5s jump\n");
    let hold = 0.25;
    let json = sweep(
        &folder,
        &[
            "ledge",
            "--input",
            "jump.input",
            "--vary",
            "platformer.jump_speed=300..600:50",
            "--vary",
            "simulation.tick_hz=60,120,240",
            "--set",
            "platformer.jump_hold_time=0.25",
            "--measure",
            "apex=highest(runner) - 19",
        ],
    );
    assert_eq!(json["columns"][0]["name"], "apex");
    let rows = json["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 7 * 3);
    for row in rows {
        let speed = row["values"][0].as_f64().expect("a speed");
        let hz = row["values"][1].as_f64().expect("a rate");
        // While the key is held it rises at `speed`, then by speed² / 2g more. The top lies between two
        // ticks, from which it is at most half a tick away.
        let right = speed * hold + speed * speed / (2.0 * GRAVITY);
        let missed = GRAVITY * (0.5 / hz) * (0.5 / hz) / 2.0;
        let found = row["measures"][0].as_f64().expect("a number");
        assert!(found <= right + 1e-9, "{row}: {right}");
        assert!(found >= right - missed - 1e-9, "{row}: {right}");
    }
}

#[test]
fn a_stone_lands_where_the_physics_says_for_each_script_variable() {
    let folder = thrown();
    let (time, missed) = fall();
    let json = sweep(
        &folder,
        &[
            "throw",
            "--vary",
            "entities.stone.vars.speed=-200.0..1000:100",
            "--measure",
            "stone.x",
            "--measure",
            "stone.y",
            "--maximize",
            "stone.x",
            "--ticks",
            "60",
        ],
    );
    let (x, y) = (measured(&json, 0), measured(&json, 1));
    assert_eq!(x.len(), 13);
    for (i, (x, y)) in x.iter().zip(&y).enumerate() {
        let speed = -200.0 + 100.0 * i as f64;
        let tolerance = speed.abs() * missed + 1e-9;
        assert!((x - speed * time).abs() <= tolerance, "{speed}: {x}");
        assert!((y - 5.0).abs() < 1e-6, "{speed}: {y}");
    }
    let best = &json["best"];
    assert_eq!(best["at"][0], "entities.stone.vars.speed=1000");
    let value = best["value"].as_f64().expect("a number");
    assert!((value - 1000.0 * time).abs() <= 1000.0 * missed, "{best}");
    assert_eq!(json["columns"][0]["unit"], "px");
}

#[test]
fn a_range_that_passes_in_the_middle_has_two_edges() {
    let folder = thrown();
    let (time, missed) = fall();
    let json = sweep(
        &folder,
        &[
            "throw",
            "--vary",
            "entities.stone.vars.speed=1000.0..0:-50",
            "--pass",
            "stone.x > 100 && stone.x < 200",
            "--ticks",
            "60",
        ],
    );
    let edges = json["edges"]["edges"].as_array().expect("edges");
    assert_eq!(edges.len(), 2, "{json}");
    for (edge, right) in edges.iter().zip([100.0 / time, 200.0 / time]) {
        let at = |key: &str| edge[key].as_f64().expect("a number");
        let (below, above) = (at("below"), at("above"));
        let tolerance = right * missed / time;
        assert!(below <= right + tolerance && right - tolerance <= above, "{right}: {edge}");
        assert!(above - below <= 0.1 + 1e-9, "{edge}");
    }
    assert_eq!(edges[0]["passes_above"], true);
    assert_eq!(edges[1]["passes_above"], false);
}

#[test]
fn whole_keys_have_whole_edges() {
    let folder = game();
    folder.write("scripts/hero.rhai", "fn on_birth(me) { this.twice = this.n * 2; }\n");
    let json = sweep(
        &folder,
        &[
            "level",
            "--ticks",
            "2",
            "--vary",
            "entities.hero.vars.n=0..100000:50000",
            "--pass",
            "hero.vars.twice >= 66667",
        ],
    );
    // The smallest n with 2n ≥ 66667; the range is narrowed to ten of 100,000.
    let edge = &json["edges"]["edges"][0];
    let (below, above) = (edge["below"].as_i64(), edge["above"].as_i64());
    let (below, above) = (below.expect("whole"), above.expect("whole"));
    assert!(below < 33334 && 33334 <= above && above - below <= 10, "{json}");
}

#[test]
fn seeds_can_be_varied() {
    let folder = Folder::with_script("fn on_birth(me) { this.r = world::random(); }");
    let arguments = ["level", "--ticks", "2", "--vary", "seed=0..9:1", "--measure", "hero.vars.r"];
    let all = measured(&sweep(&folder, &arguments), 0);
    let distinct: std::collections::BTreeSet<u64> = all.iter().map(|x| x.to_bits()).collect();
    assert_eq!(distinct.len(), 10);
    let one = ["level", "--ticks", "2", "--vary", "seed=3", "--measure", "hero.vars.r"];
    assert_eq!(measured(&sweep(&folder, &one), 0), [all[3]]);
}

#[test]
fn runs_are_the_same_as_those_of_the_command_run() {
    let folder = ledge(300.0, -101.0);
    folder.write("walk.input", "0.3s right\n0.2s right jump\n20\n");
    let vary = ["--vary", "platformer.jump_speed=400,500"];
    let mut all = vec!["ledge", "--input", "walk.input"];
    all.extend(vary);
    let json = sweep(&folder, &all);
    for (i, speed) in ["400", "500"].iter().enumerate() {
        let set = format!("platformer.jump_speed={speed}");
        let same = ["run", "ledge", "--input", "walk.input", "--set", &set];
        let output = run(folder.root(), &same);
        let hash = json["rows"][i]["hash"].as_str().expect("a hash");
        assert!(err(&output).contains(hash), "{hash}: {}", err(&output));
    }
}

#[test]
fn variants_are_the_revisions_that_a_project_opens() {
    let folder = Folder::with_script("fn on_tick(me) { this.n += 1; me.push(this.n, 0); }");
    let project = Project::load(folder.root()).expect("a folder");
    let level = folder.path("levels/level.toml");
    let variants = Variants::read(project.folder(), &level).expect("a good level");
    for settings in [
        &[][..],
        &[("simulation.tick_hz", "120")],
        &[("entities.hero.vars.n", "7"), ("surfaces.stone.grip", "0.5")],
        // Other limits need other compiled scripts.
        &[("scripts.operations", "1000")],
        &[("entities.hero.model", "topdown")],
    ] {
        let settings: Vec<(String, String)> =
            settings.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        let hash = |revision: Revision| {
            assert!(revision.warnings.is_empty(), "{:?}", revision.warnings);
            let mut live = Live::new(Arc::new(revision), 3);
            for _ in 0..90 {
                assert!(live.step(&Inputs::none()).faults.is_empty());
            }
            live.world().hash()
        };
        let opened = hash(project.open(&level, &settings).expect("good settings"));
        let variant = hash(variants.build(&settings).expect("good settings"));
        assert_eq!(opened, variant, "{settings:?}");
    }
    let wrong = [("platformer.jump_sped".to_string(), "1".to_string())];
    let message = |error: hangtime::project::Error| error.to_string();
    assert_eq!(variants.build(&wrong).map_err(message).err(), project.open(&level, &wrong).map_err(message).err());
}

#[test]
fn a_sweep_passes_where_a_test_does() {
    // The test presses jump 7 ticks after the ledge, 0.117 s at 60 ticks per second.
    let folder = ledge(325.0, -200.0);
    let test = "fn cases_late() { [0.12] }\n\
                fn test_late(after) {\n let t = play(\"ledge.toml\");\n let runner = t.entity(\"runner\");\n\
                t.hold(\"right\");\n t.run_until(|t| !runner.grounded, 2);\n t.run(after);\n t.press(\"jump\");\n\
                t.ticks(1);\n expect(runner.vel.y).above(0);\n}\n";
    folder.write("levels/tests/late.rhai", test);
    let vary = ["ledge", "--vary", "platformer.coyote_time=0.0..0.3:0.05", "--ticks", "1"];
    let json = sweep(&folder, &[&vary[..], &["--pass-test", "test_late"]].concat());
    let passed: Vec<bool> = json["rows"].as_array().expect("rows").iter().map(|row| row["pass"] == true).collect();
    assert_eq!(passed, [false, false, false, true, true, true, true], "{json}");
    for (name, why) in [
        ("test_laet", "there is no test `test_laet`; did you mean `test_late`?"),
        ("levels/tests/no.rhai::test_late", "there is no test"),
    ] {
        let output = run(folder.root(), &[&["sweep"], &vary[..], &["--pass-test", name]].concat());
        assert_eq!(code(&output), 2);
        assert!(err(&output).contains(why), "{}", err(&output));
    }
}
