//! Heavy mode: saving and loading before every tick changes nothing, and what it changes is named.

use crate::{
    folder::{Folder, on_large_stack},
    goldens::{GAMES, levels, root},
    program::{code, err, out, run},
};
use hangtime::{
    models::Action,
    playtest::{Divergence, HeavyTwin, collect, run_case, run_heavy_case},
    project::{Live, Project, files},
    sim::{Inputs, PlayerInput},
};
use std::sync::Arc;

/// How many ticks of each level are played here. CI plays all of them.
const TICKS: u64 = 60;

#[test]
fn every_level_plays_on_the_same_when_saved_and_loaded_before_every_tick() {
    on_large_stack(|| {
        for game in GAMES {
            let folder = root().join(game);
            let project = Project::load(&folder).expect("a game folder");
            for level in levels(game) {
                let revision = project.open(&folder.join(&level), &[]).expect("a good level");
                let track = revision.demo.as_ref().map(|demo| demo.track(revision.stage.hz));
                let track = track.unwrap_or_default();
                // Where something is going on.
                let from = track.length().saturating_sub(TICKS) / 2;
                let mut live = Live::new(Arc::new(revision), 0);
                for tick in 0..from {
                    live.step(&track.at(tick));
                }
                let mut twin = HeavyTwin::new(&live);
                for tick in from..from + TICKS {
                    let same = twin.step(&mut live, &track.at(tick));
                    same.unwrap_or_else(|difference| panic!("{level}: {difference}"));
                }
            }
        }
    });
}

/// A hero who counts its ticks.
fn counter() -> Folder {
    Folder::with_script("fn on_tick(me) { this.n += 1; if this.n == 3 { print(\"three\"); } }")
}

#[test]
fn a_difference_is_named_with_its_tick_and_field() {
    on_large_stack(|| {
        let mut live = counter().game().live;
        let mut twin = HeavyTwin::new(&live);
        let none = Inputs::none();
        for _ in 0..5 {
            assert_eq!(twin.step(&mut live, &none), Ok(()));
        }
        // The level makes one tick without the twin.
        live.step(&none);
        let right = PlayerInput { held: [Action::Right].into_iter().collect(), ..PlayerInput::default() };
        let found = twin.step(&mut live, &Inputs::of_first(right));
        let Divergence { tick, expected, got, message, .. } = found.expect_err("they differ");
        assert_eq!((tick, expected.as_str(), got.as_str()), (7, "7", "6"));
        // The first field in the order of the saved world, with both values.
        assert!(message.contains("is 6 after loading; without saving it is 7"), "{message}");
    });
}

#[test]
fn a_heavy_run_has_the_same_output_and_hash() {
    let folder = counter();
    let runs = [&["run", "level", "--ticks", "40", "--trace", "-"][..], &["--heavy"]];
    let plain = run(folder.root(), runs[0]);
    let heavy = run(folder.root(), &runs.concat());
    assert_eq!((code(&plain), code(&heavy)), (0, 0), "{}", err(&heavy));
    assert_eq!(out(&plain), out(&heavy));
    // All but the speed.
    let said = |text: String| {
        let words = text.split_whitespace().filter(|word| word.parse::<u64>().is_err());
        words.map(str::to_string).collect::<Vec<_>>()
    };
    assert_eq!(said(err(&plain)), said(err(&heavy)));
    assert!(err(&heavy).contains("three"), "{}", err(&heavy));
    for command in ["run", "test"] {
        let help = out(&run(folder.root(), &[command, "--help"]));
        assert!(help.contains("--heavy"), "{help}");
    }
}

/// A test that tunes and restores.
const TESTS: &str = r#"
fn test_moments() {
    let t = play("level.toml");
    let moment = t.snapshot();
    t.hold("right");
    t.tune("platformer.run_speed_max", 700);
    t.run(0.5);
    let x = t.entity("hero").x;
    t.restore(moment);
    t.hold("right");
    t.tune("platformer.run_speed_max", 700);
    t.run(0.5);
    expect(t.entity("hero").x).equals(x);
}
"#;

#[test]
fn tests_pass_in_heavy_mode_as_without_it() {
    on_large_stack(|| {
        let folder = counter();
        folder.write("levels/tests/moments.rhai", TESTS);
        let output = run(folder.root(), &["test", "--heavy"]);
        assert_eq!(code(&output), 0, "{}{}", out(&output), err(&output));
        // A few of the gallery's own.
        let project = Project::load(root()).expect("this repository");
        let files = files::find_tests(project.root(), &[]).expect("tests");
        let cases = collect(&project, &files);
        assert!(cases.len() > 100);
        for case in cases.iter().step_by(25) {
            let plain = run_case(&project, case);
            let heavy = run_heavy_case(&project, case);
            assert_eq!(plain.passed(), heavy.passed(), "{}", heavy.report(false));
            assert!(heavy.rerun.ends_with(" --heavy"));
        }
    });
}
