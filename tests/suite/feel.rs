//! The numbers of a kind's feel, measured by playing it, and the command that prints them.

use crate::{
    common::near,
    folder::Folder,
    program::{code, err, out, run},
};
use serde_json::Value;

/// A game with one kind.
pub fn game_with(kind: &str) -> Folder {
    let folder = Folder::empty();
    folder.write("levels/level.toml", "[[entity]]\nkind = \"hero\"\nat = [0, 19]\n");
    folder.write("config/entities/hero.toml", kind);
    folder
}

/// A sheet as JSON.
fn sheet(folder: &Folder, arguments: &[&str]) -> Value {
    let all = [&["feel", "hero", "--format", "json"], arguments].concat();
    let output = run(folder.root(), &all);
    assert_eq!(code(&output), 0, "{}", err(&output));
    serde_json::from_str(&out(&output)).expect("a sheet is JSON")
}

fn number(sheet: &Value, model: &str, name: &str) -> f64 {
    let number = &sheet[model][name];
    number.as_f64().unwrap_or_else(|| panic!("{model}.{name} is {number}"))
}

/// What each quantity of the published platformer is, from its formulas.
pub struct PublishedFeel {
    pub apex: f64,
    pub time_to_apex: f64,
    pub air_time: f64,
    pub stop_distance: f64,
    pub run_up: f64,
}

pub fn published() -> PublishedFeel {
    let (jump, hold, gravity, fall) = (540.0_f64, 0.278, 3672.0, 700.0_f64);
    let (slow, fast) = (360.0_f64, 650.0_f64);
    let apex = jump * hold + jump * jump / (2.0 * gravity);
    let up = hold + jump / gravity;
    let capped = apex - fall * fall / (2.0 * gravity);
    PublishedFeel {
        apex,
        time_to_apex: up,
        air_time: up + fall / gravity + capped / fall,
        stop_distance: fast * fast / (2.0 * 4000.0),
        run_up: ((0.99 * fast).powi(2) - slow * slow) / (2.0 * 650.0),
    }
}

#[test]
fn the_platformer_has_its_published_numbers_at_every_tick_rate() {
    let folder = game_with("model = \"platformer\"\n");
    let expected = published();
    for hz in ["30", "50", "60", "120", "240"] {
        let sheet = sheet(&folder, &["--hz", hz]);
        let of = |name| number(&sheet, "platformer", name);
        near(of("apex"), expected.apex, 1e-3);
        near(of("time_to_apex"), expected.time_to_apex, 1e-4);
        near(of("air_time"), expected.air_time, 1e-3);
        near(of("stop_distance"), expected.stop_distance, 1e-3);
        near(of("run_up"), expected.run_up, 0.1);
        // A key that is held for one tick rises for one tick.
        let rate: f64 = hz.parse().expect("a rate");
        near(of("hop"), 540.0 / rate, 1e-3);
        near(of("landing_error"), 0.0, 1e-3);
        // The feet cover the length of the arc; the round underside lands a little beyond it.
        let arc = 650.0 * expected.air_time;
        let gap = of("gap");
        assert!((arc - 1.0..arc + 20.0).contains(&gap), "{gap} at {hz} Hz");
        let climb = of("climb");
        let apex = expected.apex;
        assert!((apex - 1.0..apex + 19.0).contains(&climb), "{climb} at {hz} Hz");
    }
}

#[test]
fn a_sheet_has_every_number_once() {
    let folder = game_with("");
    let sheet = sheet(&folder, &[]);
    let numbers = sheet["platformer"].as_object().expect("one model");
    assert_eq!(sheet.as_object().map(|models| models.len()), Some(1));
    let mut names: Vec<&str> = numbers.keys().map(String::as_str).collect();
    names.sort_unstable();
    let expected =
        ["air_time", "apex", "climb", "gap", "hop", "landing_error", "run_up", "stop_distance", "time_to_apex"];
    assert_eq!(names, expected);
    let text = out(&run(folder.root(), &["feel", "hero"]));
    assert!(text.starts_with("hero, platformer, side view, 60 Hz\n"), "{text}");
    for name in expected {
        let lines = text.lines().filter(|l| l.split_whitespace().next() == Some(name));
        assert_eq!(lines.count(), 1, "{name} in\n{text}");
    }
    assert!(text.contains(" 189.83 px ") && text.contains(" 0.4251 s "), "{text}");
}

#[test]
fn settings_of_the_command_line_count() {
    let folder = game_with("");
    let high = sheet(&folder, &["--set", "simulation.gravity=1836"]);
    let apex = 540.0 * 0.278 + 540.0 * 540.0 / (2.0 * 1836.0);
    near(number(&high, "platformer", "apex"), apex, 1e-3);
    let low = sheet(&folder, &["--set", "platformer.jump_hold_time=0"]);
    near(number(&low, "platformer", "apex"), 540.0 * 540.0 / (2.0 * 3672.0), 1e-3);
    // Without hold time, the shortest press jumps as high while it lasts.
    assert!(number(&low, "platformer", "hop") < 540.0 / 60.0);
}

#[test]
fn models_of_the_plane_have_the_numbers_that_make_sense_there() {
    let folder = game_with(
        "model = \"topdown\"\nbody = { ellipse = [10, 8] }\n[two_velocity]\n\
                            accel = 30\nmax_speed = 6\nbrake = 10\nstop_speed = 0.1\n",
    );
    folder.write("levels/level.toml", "view = \"top\"\n[[entity]]\nkind = \"hero\"\nat = [0, 0]\n");
    let sheet = sheet(&folder, &[]);
    // From rest 50, 100, … 300 px/s at tick 6: 12.5 px at tick 5, 17.5 px at tick 6.
    let run_up = number(&sheet, "topdown", "run_up");
    assert!((12.5..=17.5).contains(&run_up), "{run_up}");
    // 240, 192, … px/s: 20 px, less what `stop_speed` cuts off.
    near(number(&sheet, "topdown", "stop_distance"), 20.0, 0.1);
    let apex = published().apex;
    near(number(&sheet, "topdown", "apex"), apex, 1e-3);
    // It stands with any part of its body: the gap is wider by the body on both sides.
    let gap = number(&sheet, "topdown", "gap");
    near(gap, 300.0 * published().air_time + 20.0, 10.0);
    near(number(&sheet, "topdown", "climb"), apex, 1.0);
    near(number(&sheet, "topdown", "landing_error"), 0.0, 1e-3);
    // 0.5, 1, … 6 px/s in 12 ticks.
    let run_up = number(&sheet, "two_velocity", "run_up");
    assert!((0.55..=0.65).contains(&run_up), "{run_up}");
    near(number(&sheet, "two_velocity", "stop_distance"), 0.491, 1e-3);
}

#[test]
fn numbers_without_a_meaning_are_null() {
    let pieces = "model = \"vessel\"\nbody = { box = [32, 20] }\n";
    let sheet_of = |kind: &str| sheet(&game_with(kind), &[]);
    let vessel = sheet_of(pieces);
    let numbers = vessel["vessel"].as_object().expect("a model");
    assert!(numbers.len() == 9 && numbers.values().all(Value::is_null));
    // A body without gravity floats, and swimmers do not jump.
    let floating = sheet_of("[platformer]\ngravity_scale = 0\n");
    for name in ["apex", "hop", "gap", "climb"] {
        assert!(floating["platformer"][name].is_null(), "{name}");
    }
    let swimming = sheet_of("model = \"topdown\"\n");
    assert!(swimming["topdown"]["apex"].is_null());
    near(number(&swimming, "topdown", "stop_distance"), 20.0, 0.1);
    // A projectile has no keys, but it can be sent to a target.
    let thrown = sheet_of("model = \"ballistic\"\n");
    assert!(thrown["ballistic"]["run_up"].is_null() && thrown["ballistic"]["apex"].is_null());
    near(number(&thrown, "ballistic", "landing_error"), 0.0, 1e-3);
}

#[test]
fn bodies_that_leave_the_level_have_no_numbers() {
    let folder = game_with("");
    for set in ["platformer.jump_speed=1000000", "platformer.gravity_scale=-1"] {
        let set = set.replace("platformer.", "entities.hero.platformer.");
        let sheet = sheet(&folder, &["--set", &set]);
        for name in ["apex", "air_time", "gap", "climb"] {
            assert!(sheet["platformer"][name].is_null(), "{name} with {set}");
        }
    }
}

#[test]
fn kinds_that_are_always_fast_need_no_run_up() {
    let sheet = sheet(&game_with("[platformer]\nrun_speed_min = 90\nrun_speed_max = 90\n"), &[]);
    near(number(&sheet, "platformer", "run_up"), 0.0, 1e-9);
}

#[test]
fn scripts_have_their_say() {
    let folder = game_with("script = \"hero.rhai\"\n");
    folder.write(
        "scripts/hero.rhai",
        "fn jump_windows(me) { #{ jump_hold_time: 0.1 } }\nfn model(me) { \"two_velocity\" }\n",
    );
    let sheet = sheet(&folder, &[]);
    let apex = 540.0 * 0.1 + 540.0 * 540.0 / (2.0 * 3672.0);
    near(number(&sheet, "platformer", "apex"), apex, 1e-3);
}

#[test]
fn scripts_that_fail_move_or_never_end_do_not_stop_a_measurement() {
    let measured = |script: &str| {
        let folder = game_with("script = \"hero.rhai\"\n");
        folder.write("scripts/hero.rhai", script);
        run(folder.root(), &["feel", "hero"])
    };
    let failing = measured("fn on_tick(me) { throw \"ouch\"; }\n");
    assert_eq!(code(&failing), 0);
    assert!(err(&failing).contains("scripts/hero.rhai:1:"), "{}", err(&failing));
    assert!(out(&failing).contains(" 189.83 px "), "{}", out(&failing));
    let walking = measured("fn on_tick(me) { me.hold(\"right\"); }\n");
    assert!(out(&walking).contains("never comes to rest by itself"), "{}", out(&walking));
    let gone = measured("fn on_tick(me) { me.remove(); }\n");
    assert!(out(&gone).contains("despawns while it is measured"), "{}", out(&gone));
    let changing = measured("fn on_jump(me) { me.set_model(\"two_velocity\"); }\n");
    assert!(out(&changing).contains("changes its model"), "{}", out(&changing));
    let endless = measured("fn on_tick(me) { loop { } }\n");
    assert_eq!(code(&endless), 0, "{}", err(&endless));
}

#[test]
fn unknown_kinds_and_models_name_the_nearest() {
    let folder = game_with("");
    let unknown = run(folder.root(), &["feel", "hreo"]);
    assert_eq!(code(&unknown), 2);
    assert!(err(&unknown).contains("did you mean `hero`?"), "{}", err(&unknown));
    for wrong in ["", "../hero", "hero.toml", "hero\u{1b}[31m"] {
        let unknown = run(folder.root(), &["feel", wrong]);
        assert_eq!(code(&unknown), 2, "{wrong}");
        assert!(!err(&unknown).contains('\u{1b}'));
    }
    let model = run(folder.root(), &["feel", "hero", "--model", "platfromer"]);
    assert_eq!(code(&model), 2);
    assert!(err(&model).contains("did you mean `platformer`?"), "{}", err(&model));
    let hz = run(folder.root(), &["feel", "hero", "--hz", "9"]);
    assert_eq!(code(&hz), 2);
}

#[test]
fn kinds_with_mistakes_are_not_measured() {
    let folder = game_with("[platformer]\njump_sped = 3\n");
    let output = run(folder.root(), &["feel", "hero"]);
    assert_eq!(code(&output), 2);
    let text = err(&output);
    assert!(text.contains("config/entities/hero.toml:2:1: error:"), "{text}");
    assert!(text.contains("did you mean `jump_speed`?"), "{text}");
}

#[test]
fn the_plot_shows_both_jumps_and_marks_the_apex() {
    let folder = game_with("");
    let output = run(folder.root(), &["feel", "hero", "--svg", "jump.svg"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    let svg = folder.read("jump.svg");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    for shown in [
        "hero, platformer, 60 Hz",
        "distance, px",
        "height of the feet, px",
        "apex 189.83 px after 0.4251 s",
        "hop 9 px",
    ] {
        assert!(svg.contains(shown), "{shown}");
    }
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
    // A file of the game is not replaced, and a kind that cannot jump has no plot.
    let refused = run(folder.root(), &["feel", "hero", "--svg", "levels/level.toml"]);
    assert_eq!(code(&refused), 2);
    let flat = game_with("model = \"ballistic\"\n");
    let nothing = run(flat.root(), &["feel", "hero", "--svg", "jump.svg"]);
    assert_eq!(code(&nothing), 2);
    assert!(!flat.path("jump.svg").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let folder = game_with("");
    let full = run(folder.root(), &["feel", "hero", "--svg", "/dev/full"]);
    assert_eq!(code(&full), 2);
    assert!(err(&full).contains("cannot write the file"), "{}", err(&full));
}

#[test]
fn ice_has_the_numbers_of_its_grip_at_every_tick_rate() {
    let folder = game_with("model = \"platformer\"\n");
    for grip in [0.05, 0.1, 0.5] {
        folder.write("config/surfaces.toml", &format!("[ice]\ngrip = {grip:?}\n"));
        for hz in ["30", "60", "120", "240"] {
            let sheet = sheet(&folder, &["--surface", "ice", "--hz", hz]);
            let of = |name| number(&sheet, "platformer", name);
            // On slippery ground no speed is reached at once.
            let top = 650.0_f64;
            near(of("stop_distance"), top * top / (2.0 * 4000.0 * grip), 1e-3);
            near(of("run_up"), (0.99 * top).powi(2) / (2.0 * 650.0 * grip), 1e-2);
            near(of("apex"), published().apex, 1e-3);
        }
    }
    let level = sheet(&folder, &[]);
    assert_eq!(sheet(&folder, &["--surface", "plain"]), level);
    assert_eq!(sheet(&folder, &["--slope", "0"]), level);
    assert_eq!(sheet(&folder, &["--slope", "-0"]), level);
    let text = out(&run(folder.root(), &["feel", "hero", "--surface", "ice", "--slope", "-20"]));
    assert!(text.starts_with("hero, platformer, side view, 60 Hz, on ice, 20° downhill\n"), "{text}");
}

#[test]
fn a_slope_is_measured_along_the_ground_as_far_as_the_body_walks_up() {
    let folder = game_with("model = \"platformer\"\n");
    let expected = published();
    for slope in ["-40", "-20", "5", "20", "40"] {
        for hz in ["30", "60", "240"] {
            let sheet = sheet(&folder, &["--slope", slope, "--hz", hz]);
            let of = |name| number(&sheet, "platformer", name);
            // A platformer is as fast on a slope as on level ground, along it.
            near(of("stop_distance"), expected.stop_distance, 1e-2);
            near(of("run_up"), expected.run_up, 0.1);
            near(of("apex"), expected.apex, 1e-2);
            near(of("air_time"), expected.air_time, 1e-3);
            for none in ["gap", "climb", "landing_error"] {
                assert!(sheet["platformer"][none].is_null(), "{none} on a slope of {slope}°");
            }
        }
    }
    for steep in ["50", "-50", "80"] {
        let sheet = sheet(&folder, &["--slope", steep]);
        let numbers = sheet["platformer"].as_object().expect("one model");
        assert!(numbers.values().all(Value::is_null), "{numbers:?}");
        let text = out(&run(folder.root(), &["feel", "hero", "--slope", steep]));
        assert!(text.contains("it slides down this slope; see `max_slope_deg` of its model"), "{text}");
    }
}

#[test]
fn a_run_on_other_ground_is_drawn_and_wrong_ground_is_refused() {
    let folder = game_with("model = \"platformer\"\n");
    folder.write("config/surfaces.toml", "[ice]\ngrip = 0.1\n[wood]\n");
    let output = run(folder.root(), &["feel", "hero", "--surface", "ice", "--svg", "ice.svg"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    let svg = std::fs::read_to_string(folder.path("ice.svg")).expect("a picture");
    // v/a and v²/2a, for 99 % of the top speed and for the stop.
    let rounded = |x: f64, places: f64| (x * places).round() / places;
    let (quick, slow) = (rounded(0.99 * 650.0 / 65.0, 1e4), rounded(650.0 / 400.0, 1e4));
    let (up, down) = ((0.99_f64 * 650.0).powi(2) / 130.0, 650.0 * 650.0 / 800.0);
    for text in [
        "hero, platformer, 60 Hz, on ice".to_string(),
        format!("99 % of 650 px/s after {quick} s and {} px", rounded(up, 1e2)),
        format!("at rest {slow} s and {} px after the release", rounded(down, 1e2)),
    ] {
        assert!(svg.contains(&text), "no {text:?} in {svg}");
    }
    for (wrong, message) in [
        (&["--surface", "ise"][..], "--surface: error: there is no surface `ise`; did you mean `ice`?"),
        (&["--surface", ""], "there is no surface ``"),
        (&["--slope", "90"], "`90` is not an angle from -89 to 89 degrees"),
        (&["--slope", "nan"], "is not an angle"),
        (&["--slope", "80", "--svg", "steep.svg"], "nothing to draw"),
        (&["--slope", "20", "--write"], "cannot be used with"),
        (&["--surface", "ice", "--write"], "cannot be used with"),
    ] {
        let output = run(folder.root(), &[&["feel", "hero"], wrong].concat());
        assert_eq!(code(&output), 2, "{wrong:?}");
        assert!(err(&output).contains(message), "{wrong:?}: {}", err(&output));
    }
    let above = game_with("model = \"topdown\"\n");
    above.write("levels/level.toml", "view = \"top\"\n[[entity]]\nkind = \"hero\"\nat = [0, 0]\n");
    let output = run(above.root(), &["feel", "hero", "--slope", "20"]);
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("`hero` is measured in a top view, which has no slopes"), "{}", err(&output));
}

#[test]
fn ground_on_which_a_script_may_choose_another_model_is_said_to_be_of_one_model() {
    let folder = Folder::empty();
    folder.write("config/entities/hero.toml", "model = \"platformer\"\nscript = \"hero.rhai\"\n");
    folder.write("config/surfaces.toml", "[ice]\ngrip = 0.1\n");
    folder.write("levels/level.toml", "[[entity]]\nkind = \"hero\"\nname = \"hero\"\nat = [0, 19]\nplayer = 1\n");
    let said = |rule: &str, options: &[&str]| {
        folder.write("scripts/hero.rhai", rule);
        let output = run(folder.root(), &[&["feel", "hero"], options].concat());
        assert!(output.status.success());
        String::from_utf8_lossy(&output.stderr)
            .contains("the rule `model` of scripts/hero.rhai may choose another model")
    };
    let rule = "fn model(me) { \"two_velocity\" }\n";
    assert!(said(rule, &["--surface", "ice"]));
    assert!(said(rule, &["--slope", "10"]));
    assert!(!said(rule, &[]));
    assert!(!said(rule, &["--surface", "ice", "--model", "two_velocity"]));
    assert!(!said("fn on_jump(me) { }\n", &["--surface", "ice"]));
}
