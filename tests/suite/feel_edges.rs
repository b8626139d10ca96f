//! `feel` at the edges: kinds that cannot jump, run or land, and numbers that the ticks do not tell.

use crate::{
    feel::game_with,
    folder::{Folder, on_large_stack},
    goldens::root,
    program::{code, err, out, run},
    tiled_exports::copy,
};
use hangtime::{
    playtest::feel::{FeelPlace, contracts_for, feel_sheet, measure_kind},
    project::{
        Project,
        files::{FeelQuantity, write_expect},
    },
};
use std::path::Path;

const OF_JUMPS: [FeelQuantity; 6] = [
    FeelQuantity::Apex,
    FeelQuantity::TimeToApex,
    FeelQuantity::AirTime,
    FeelQuantity::Hop,
    FeelQuantity::Gap,
    FeelQuantity::Climb,
];

/// Settings by their keys.
type GivenSettings<'a> = &'a [(&'a str, &'a str)];

const RATES: [u32; 4] = [30, 60, 120, 240];

/// A kind under a model in the view in which it jumps, if it can.
fn game_of(model: &str, tuning: &str) -> Folder {
    let body = if model == "vessel" { "body = { box = [32, 20] }\n" } else { "" };
    let folder = game_with(&format!("model = \"{model}\"\n{body}[{model}]\n{tuning}\n"));
    if model == "topdown" {
        folder.write("levels/level.toml", "view = \"top\"\n[[entity]]\nkind = \"hero\"\nat = [0, 0]\n");
    }
    folder
}

/// Measures a game's hero: each number, or why there is none.
fn measured(folder: &Path, settings: GivenSettings<'_>, hz: u32) -> Vec<(FeelQuantity, Result<f64, String>)> {
    let project = Project::load(folder).expect("a game");
    let kind = project.kind("hero").expect("its kind");
    let settings: Vec<(String, String)> =
        settings.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    let model = kind.model();
    let sheet = feel_sheet(&project, &kind, model, &settings, Some(hz), &FeelPlace::default());
    let (sheet, _) = sheet.expect("a playable kind");
    let values = sheet.values.into_iter();
    values.map(|(q, n)| (q, n.map_err(String::from))).collect()
}

#[test]
fn a_kind_that_cannot_jump_has_no_numbers_of_a_jump_at_any_rate() {
    on_large_stack(|| {
        let cannot: [(&str, &str, GivenSettings<'_>); 9] = [
            ("platformer", "jump_speed = 0", &[]),
            ("two_velocity", "jump_speed = 0", &[]),
            ("topdown", "jump_speed = 0", &[]),
            ("platformer", "gravity_scale = -1", &[]),
            ("two_velocity", "gravity_scale = -1", &[]),
            ("platformer", "", &[("simulation.gravity", "0")]),
            ("topdown", "", &[("simulation.gravity", "0")]),
            ("ballistic", "", &[]),
            ("vessel", "", &[]),
        ];
        for (model, tuning, settings) in cannot {
            let folder = game_of(model, tuning);
            for hz in RATES {
                for (quantity, number) in measured(folder.root(), settings, hz) {
                    assert!(
                        !OF_JUMPS.contains(&quantity) || number.is_err(),
                        "{model} {tuning} {settings:?} at {hz} Hz: {quantity:?} is {number:?}"
                    );
                }
            }
        }
    });
}

#[test]
fn bodies_without_speed_or_friction_have_no_runs_and_stops() {
    on_large_stack(|| {
        let still = "run_speed_min = 0\nrun_speed_max = 0";
        let cases = [
            ("platformer", still, FeelQuantity::RunUp, "does not run"),
            ("platformer", still, FeelQuantity::StopDistance, "does not run"),
            ("platformer", still, FeelQuantity::Gap, "does not run"),
            ("platformer", "ground_decel = 0", FeelQuantity::StopDistance, "does not stop"),
            ("topdown", "max_speed = 0", FeelQuantity::RunUp, "does not run"),
            ("two_velocity", "max_speed = 0", FeelQuantity::RunUp, "does not run"),
            ("two_velocity", "brake = 0", FeelQuantity::StopDistance, "does not stop"),
        ];
        for (model, tuning, quantity, why) in cases {
            let folder = game_of(model, tuning);
            for hz in [30, 240] {
                let numbers = measured(folder.root(), &[], hz);
                let found = numbers.iter().find(|(q, _)| *q == quantity);
                assert_eq!(
                    found.map(|(_, number)| number.clone()),
                    Some(Err(why.to_string())),
                    "{model} {tuning} at {hz} Hz"
                );
            }
        }
    });
}

/// Apex, time to it and air time of a full jump, from its formulas.
fn formulas(speed: f64, hold: f64, gravity: f64, most: f64) -> [f64; 3] {
    let up = hold + speed / gravity;
    let apex = speed * hold + speed * speed / (2.0 * gravity);
    let capped = apex - most * most / (2.0 * gravity);
    let down = if capped > 0.0 {
        most / gravity + capped / most
    } else {
        (2.0 * apex / gravity).sqrt()
    };
    [apex, up, up + down]
}

#[test]
fn jumps_of_any_size_have_the_numbers_of_the_formulas_or_none() {
    on_large_stack(|| {
        // Jump speed, hold time, gravity and top speed of a fall.
        let jumps = [
            (540.0, 0.278, 3672.0, 700.0),
            (540.0, 0.278, 183_600.0, 700.0),
            (540.0, 0.278, 1e6, 700.0),
            (540.0, 0.0, 3672.0, 700.0),
            (540.0, 0.278, 3672.0, 50.0),
            (1.0, 0.278, 3672.0, 700.0),
            (1e-3, 0.278, 3672.0, 700.0),
            (2000.0, 0.6, 18_000.0, 5000.0),
            (100.0, 0.05, 1000.0, 100.0),
            (300.0, 0.101, 900.0, 80.0),
        ];
        let mut found = 0;
        for (speed, hold, gravity, most) in jumps {
            let folder = game_of(
                "platformer",
                &format!(
                    "run_speed_min = 0\nrun_speed_max = 0\njump_speed = {speed:?}\njump_hold_time = {hold:?}\nmax_fall_speed = {most:?}"
                ),
            );
            let [apex, up, air] = formulas(speed, hold, gravity, most);
            // A body lands when its feet are close to the ground.
            let early = 0.6 / most.min((2.0 * gravity * apex).sqrt());
            let gravity = format!("{gravity:?}");
            for hz in RATES {
                let settings = [("simulation.gravity", gravity.as_str())];
                for (quantity, number) in measured(folder.root(), &settings, hz) {
                    let (right, slack) = match quantity {
                        FeelQuantity::Apex => (apex, 1e-3),
                        FeelQuantity::TimeToApex => (up, 1e-4),
                        FeelQuantity::AirTime => (air, 1e-3 + early),
                        _ => continue,
                    };
                    if let Ok(number) = number {
                        found += 1;
                        assert!(
                            (number - right).abs() <= slack,
                            "{quantity:?} of {speed} px/s for {hold} s under {gravity} at {hz} Hz is \
                             {number}, not {right}"
                        );
                    }
                }
            }
        }
        assert!(found >= 80, "only {found} of 120 numbers are known");
    });
}

#[test]
fn a_refused_planned_jump_says_why_and_what_to_change() {
    on_large_stack(|| {
        let cases = [
            ("gravity_scale = 0", "`ballistic.gravity_scale`"),
            ("gravity_scale = 1e-6", "would take too long"),
            ("max_launch_speed = 1", "`ballistic.max_launch_speed`"),
        ];
        for (tuning, what) in cases {
            let folder = game_with(&format!("model = \"platformer\"\n[ballistic]\n{tuning}\n"));
            let numbers = measured(folder.root(), &[], 60);
            let found = numbers.iter().find(|(q, _)| *q == FeelQuantity::LandingError);
            let Some((_, Err(why))) = found else {
                panic!("{tuning}: {found:?}");
            };
            assert!(why.starts_with("is refused every planned jump: ") && why.contains(what), "{tuning}: {why}");
        }
    });
}

#[test]
fn inverted_gravity_is_the_reason_when_a_body_rises_by_itself() {
    let folder = game_with("[platformer]\ngravity_scale = -1\n");
    let output = run(folder.root(), &["feel", "hero"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    let rows = out(&output).matches("gravity pulls it up").count();
    assert_eq!(rows, 9, "{}", out(&output));
}

#[test]
fn writing_contracts_says_where_and_at_which_rates_or_why_there_are_none() {
    let folder = game_of("vessel", "");
    let before = std::fs::read_to_string(folder.path("config/entities/hero.toml")).expect("a kind");
    let nothing = run(folder.root(), &["feel", "hero", "--write"]);
    assert_eq!(code(&nothing), 0, "{}", err(&nothing));
    assert!(err(&nothing).contains("nothing was written to config/entities/hero.toml"), "{}", err(&nothing));
    assert!(err(&nothing).contains("under `vessel`: it is a rigid body that turns"), "{}", err(&nothing));
    let after = std::fs::read_to_string(folder.path("config/entities/hero.toml")).expect("a kind");
    assert_eq!(before, after);
    // At 30 Hz, the apex of this jump and its hold time end in one tick.
    let folder = game_of("platformer", "gravity_scale = 50");
    let written = run(folder.root(), &["feel", "hero", "--write"]);
    let said = err(&written);
    for what in [
        "no contract for `apex`, `time_to_apex` and `climb` of `hero` under `platformer`: at 30 Hz it turns",
        "wrote to config/entities/hero.toml: `expect.air_time`, `expect.hop`, ",
        "measured at 60 Hz, with tolerances for 30, 60, 120 and 240 Hz",
    ] {
        assert!(said.contains(what), "{what} in\n{said}");
    }
}

/// A copy of this repository's game.
fn this_game() -> Folder {
    let folder = Folder::empty();
    for name in ["config", "scripts", "levels"] {
        copy(&root().join(name), &folder.path(name));
    }
    folder
}

#[test]
fn contracts_written_for_every_kind_of_this_game_hold_at_every_rate() {
    on_large_stack(|| {
        let folder = this_game();
        let project = Project::load(folder.root()).expect("a game");
        let mut written = 0;
        for name in project.kinds() {
            let kind = project.kind(&name).expect("a kind");
            let measures: Vec<_> = kind
                .models
                .iter()
                .map(|model| measure_kind(&project, &kind, *model).expect("a playable kind"))
                .collect();
            let lines: Vec<_> = measures.iter().flat_map(|measured| contracts_for(&kind, measured)).collect();
            write_expect(project.folder(), &kind.file, &lines).expect("a file");
            // The contracts as the file has them now, against the numbers that they are checked with.
            let read = project.kind(&name).expect("still a kind");
            assert!(read.expectations.len() >= lines.len(), "{name}");
            written += lines.len();
            for expectation in &read.expectations {
                let model = expectation.model.unwrap_or(read.model());
                let measured = measures.iter().find(|m| m.model == model);
                let numbers = measured.expect("a model").of(expectation.quantity);
                for (hz, number) in numbers {
                    let holds = number.is_ok_and(|number| expectation.bound.holds(number));
                    let key = expectation.key(".");
                    assert!(holds, "{name}: {key} at {hz} Hz: {number:?}");
                }
            }
        }
        assert!(written > 150, "{written}");
    });
}

#[test]
fn the_contracts_in_the_docs_hold_for_the_hero() {
    on_large_stack(|| {
        let page = std::fs::read_to_string(root().join("docs/feel.md")).expect("a page");
        let folder = this_game();
        let path = folder.path("config/entities/hero.toml");
        let kind = std::fs::read_to_string(&path).expect("a kind");
        let kind = kind.split("[expect]").next().expect("a beginning");
        let blocks: Vec<&str> = page
            .split("```toml\n")
            .skip(1)
            .filter_map(|rest| rest.split("```").next())
            .filter(|block| block.contains("[expect]"))
            .collect();
        assert_eq!(blocks.len(), 2);
        for block in blocks {
            std::fs::write(&path, format!("{kind}\n{block}")).expect("a file");
            let tests = run(folder.root(), &["test", "config/entities/hero.toml"]);
            assert_eq!(code(&tests), 0, "{}", out(&tests));
        }
    });
}
