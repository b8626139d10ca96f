//! How scripts are executed: options and settings choose it, and nothing else depends on it.

use crate::{
    folder::{Folder, on_large_stack},
    goldens::{GAMES, levels, root},
    program::{code, err, out, run},
};
use hangtime::{
    playtest::{collect, run_case},
    project::{GameFolder, Live, Project, Variants, files},
    script::host::Execution,
};
use std::{path::Path, sync::Arc};

const ALL: [Execution; 3] = [Execution::Compiled, Execution::Interpreted, Execution::BothWays];

/// How many ticks of each level are played here.
const TICKS: u64 = 60;

fn project(folder: &Path, execution: Execution) -> Project {
    let folder = GameFolder::new(folder).run_scripts(execution);
    Project::load(folder).expect("a game folder")
}

/// A hero who counts its ticks.
fn counter() -> Folder {
    Folder::with_script("fn on_tick(me) { this.n += 1; if this.n == 3 { print(\"three\"); } }")
}

#[test]
fn every_level_has_the_same_hashes_however_its_scripts_are_executed() {
    on_large_stack(|| {
        for game in GAMES {
            let folder = root().join(game);
            for level in levels(game) {
                let play = |execution| {
                    let opened = project(&folder, execution).open(&folder.join(&level), &[]);
                    let revision = opened.expect("a good level");
                    let demo = revision.demo.clone();
                    let track = demo.map(|demo| demo.track(revision.stage.hz));
                    let track = track.unwrap_or_default();
                    // Where something is going on.
                    let from = track.length().saturating_sub(TICKS) / 2;
                    let mut live = Live::new(Arc::new(revision), 0);
                    let step = |tick| {
                        live.step(&track.at(tick));
                        assert_eq!(live.take_call_difference(), None, "{level}");
                        (live.world().hash(), live.script_operations())
                    };
                    (0..from + TICKS).map(step).collect::<Vec<_>>()
                };
                let [compiled, interpreted, both] = ALL.map(play);
                assert_eq!(compiled, interpreted, "{level}");
                assert_eq!(compiled, both, "{level}");
            }
        }
    });
}

#[test]
fn the_game_can_turn_the_compiler_off_and_options_win() {
    let folder = counter();
    let level = folder.path("levels/level.toml");
    let of = |execution, settings: &[(&str, &str)]| {
        let settings = settings.iter().map(|(k, v)| ((*k).into(), (*v).into()));
        let settings: Vec<(String, String)> = settings.collect();
        let opened = project(folder.root(), execution).open(&level, &settings);
        opened.expect("a good level").scripts.execution()
    };
    for execution in ALL {
        assert_eq!(of(execution, &[]), execution);
        assert_eq!(of(execution, &[("scripts.compile", "true")]), execution);
    }
    let off = |execution| of(execution, &[("scripts.compile", "false")]);
    assert_eq!(off(Execution::Compiled), Execution::Interpreted);
    assert_eq!(off(Execution::Interpreted), Execution::Interpreted);
    assert_eq!(off(Execution::BothWays), Execution::BothWays);
    folder.write("config/hangtime.toml", "[scripts]\ncompile = false\n");
    assert_eq!(of(Execution::Compiled, &[]), Execution::Interpreted);
    folder.write("config/hangtime.toml", "[scripts]\ncompile = 0\n");
    let wrong = folder.wrong();
    assert!(
        wrong[0].starts_with("config/hangtime.toml:2:11: error:") && wrong[0].contains("takes true or false"),
        "{wrong:?}"
    );
}

#[test]
fn what_shares_scripts_or_reads_no_folder_executes_them_as_it_should() {
    on_large_stack(|| {
        let folder = counter();
        let level = folder.path("levels/level.toml");
        for execution in ALL {
            let game = GameFolder::new(folder.root()).run_scripts(execution);
            // The runs of a sweep share scripts that are the same.
            let variants = Variants::read(&game, &level).expect("a good level");
            for (value, expected) in [("true", execution), ("false", execution.under(false)), ("true", execution)] {
                let settings = [("scripts.compile".to_string(), value.to_string())];
                let revision = variants.build(&settings).expect("a good level");
                assert_eq!(revision.scripts.execution(), expected, "{execution:?}");
            }
            // A test tells how it runs again.
            folder.write(
                "levels/tests/a.rhai",
                "fn test_a() { let t = play(\"level.toml\"); t.run(0.1); \
                 expect(t.entity(\"hero\").vars.n).equals(6); }",
            );
            let project = Project::load(game).expect("a game");
            let found = files::find_tests(project.root(), &[]).expect("tests");
            for case in collect(&project, &found) {
                let result = run_case(&project, &case);
                assert!(result.passed(), "{}", result.report(false));
                assert!(result.rerun.ends_with(execution.option()));
            }
        }
    });
}

#[test]
fn outputs_do_not_depend_on_how_scripts_are_executed() {
    let folder = counter();
    let made = |name: &str, option: &[&str]| {
        let recording = format!("{name}.run");
        let arguments =
            [&["run", "level", "--ticks", "40", "--trace", "-", "--record"], &[recording.as_str()][..], option];
        let output = run(folder.root(), &arguments.concat());
        assert_eq!(code(&output), 0, "{}", err(&output));
        assert!(err(&output).contains("three"), "{}", err(&output));
        (out(&output), std::fs::read(folder.path(&recording)).expect("a recording"))
    };
    let compiled = made("compiled", &[]);
    let interpreted = made("interpreted", &["--interpret"]);
    let both = made("both", &["--both-ways"]);
    assert!(compiled == interpreted && compiled == both);
    for option in [&[][..], &["--interpret"], &["--both-ways"]] {
        let replay = run(folder.root(), &[&["replay", "compiled.run"], option].concat());
        let said = out(&replay);
        assert_eq!(code(&replay), 0, "{said}");
        assert!(said.starts_with("the same: 40 ticks"), "{said}");
    }
}

#[test]
fn commands_take_the_options_and_refuse_both() {
    let folder = counter();
    let test = "fn test_a() { let t = play(\"level.toml\"); t.run(0.1); }";
    folder.write("levels/tests/a.rhai", test);
    for arguments in [
        &["test", "--interpret"][..],
        &["test", "--both-ways"],
        &["--interpret", "test"],
        &["run", "level", "--interpret"],
        &["run", "level", "--both-ways"],
        &["check", "--interpret"],
        &["sweep", "level", "--vary", "seed=1..2:1", "--interpret"],
    ] {
        let output = run(folder.root(), arguments);
        assert_eq!(code(&output), 0, "{arguments:?}: {}", err(&output));
    }
    for command in [&["test"][..], &["run", "level"], &["replay", "a.run"]] {
        let both = run(folder.root(), &[command, &["--interpret", "--both-ways"]].concat());
        assert_eq!(code(&both), 2, "{command:?}");
        assert!(err(&both).contains("cannot be used with"), "{}", err(&both));
    }
    let sweep = run(folder.root(), &["sweep", "level", "--vary", "seed=1..2:1", "--both-ways"]);
    assert_eq!(code(&sweep), 2, "only commands that compare have it");
}
