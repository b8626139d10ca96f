//! Moments of a run: pictures of the apex and the landing, and the numbers that they depend on.

use crate::{
    common::near,
    folder::Folder,
    program::{code, err, out, run},
};
use serde_json::Value;

/// A jump with this speed under this gravity, px/s and px/s², and its run, px/s.
const JUMP: f64 = 500.0;
const GRAVITY: f64 = 1000.0;
const RUN: f64 = 300.0;

/// A hero that stands on flat ground, and jumps to the right after tick 10.
fn game() -> Folder {
    let folder = Folder::empty();
    let ground = "[[solid]]\nname = \"floor\"\npoints = [[-500, -50], [1500, -50], [1500, 0], [-500, 0]]\n";
    let hero = "[[entity]]\nkind = \"hero\"\nname = \"hero\"\nat = [0, 19]\nplayer = 1\n";
    folder.write("levels/level.toml", &format!("demo = \"level.input\"\n{ground}{hero}"));
    folder.write("levels/level.input", "10\n100 right jump\n40\n");
    folder.write("config/hangtime.toml", &format!("[simulation]\ngravity = {GRAVITY:?}\n"));
    let kind = format!(
        "model = \"platformer\"\nbody = {{ box = [20, 38] }}\n[platformer]\njump_speed = {JUMP:?}\njump_hold_time = 0.0\n\
         run_speed_min = {RUN:?}\nrun_speed_max = {RUN:?}\nair_speed_soft = {RUN:?}\nmax_fall_speed = 5000.0\n"
    );
    folder.write("config/entities/hero.toml", &kind);
    folder
}

fn picture(folder: &Folder, arguments: &[&str]) -> Vec<u8> {
    let output = run(folder.root(), &[&["run", "level", "--png", "it.png"], arguments].concat());
    assert_eq!(code(&output), 0, "{}", err(&output));
    std::fs::read(folder.path("it.png")).expect("a picture")
}

#[test]
fn a_picture_of_a_moment_is_the_picture_of_a_run_that_ends_there() {
    let folder = game();
    // The key is pressed in the step to tick 11, and the body is at the top after JUMP / GRAVITY s, 30 ticks.
    let apex = (10.0 + 60.0 * JUMP / GRAVITY).to_string();
    let at_apex = picture(&folder, &["--at", "apex"]);
    assert!(at_apex == picture(&folder, &["--tick", &apex]));
    assert!(at_apex == picture(&folder, &["--ticks", &apex]));
    // It lands at the same height twice as late.
    let landing = (10.0 + 120.0 * JUMP / GRAVITY).to_string();
    let at_landing = picture(&folder, &["--at", "landing"]);
    assert!(at_landing == picture(&folder, &["--at", &landing]));
    assert!(at_landing != at_apex && at_apex != picture(&folder, &[]));
    // With overlays, the ticks before are seen as well.
    let overlays = ["--overlays", "trail", "--at", "apex"];
    assert!(picture(&folder, &overlays) == picture(&folder, &["--overlays", "trail", "--ticks", &apex]));
}

#[test]
fn a_moment_that_does_not_come_leaves_no_picture() {
    let folder = game();
    for (arguments, says) in [
        (["--at", "apex", "--ticks", "5"], "never in the air until tick 5"),
        (["--at", "landing", "--ticks", "40"], "does not land until tick 40"),
        (["--at", "99", "--ticks", "40"], "add --ticks 99"),
    ] {
        let output = run(folder.root(), &[&["run", "level", "--png", "it.png"][..], &arguments].concat());
        assert_eq!(code(&output), 2);
        assert!(err(&output).contains(says), "{}", err(&output));
        assert!(!folder.path("it.png").exists());
    }
    let wrong = run(folder.root(), &["run", "level", "--png", "it.png", "--at", "top"]);
    assert!(err(&wrong).contains("write `apex`, `landing`, or the number of a tick"), "{}", err(&wrong));
}

/// What `blame` says about a moment.
fn blame(folder: &Folder, arguments: &[&str]) -> Value {
    let output = run(folder.root(), &[&["blame", "level", "--format", "json"], arguments].concat());
    assert_eq!(code(&output), 0, "{}", err(&output));
    serde_json::from_str(&out(&output)).expect("JSON")
}

/// By how much a number moves a moment, px per unit.
fn slope(blamed: &Value, key: &str) -> [f64; 2] {
    let numbers = blamed["numbers"].as_array().expect("a list");
    let number = numbers.iter().find(|number| number["key"] == key);
    number.map_or([0.0; 2], |number| ["x", "y"].map(|axis| number[axis].as_f64().expect("a number")))
}

#[test]
fn the_apex_depends_on_its_numbers_as_the_formulas_say() {
    let blamed = blame(&game(), &["--at", "apex"]);
    // It gets to its speed in the air, by 2000 px/s². So it is at x = run · jump / gravity - run² / (2 · 2000), and at
    // y = 19 + jump² / (2 gravity).
    near(blamed["at"][0].as_f64().expect("x"), RUN * JUMP / GRAVITY - RUN * RUN / (2.0 * 2000.0), 1e-6);
    near(blamed["at"][1].as_f64().expect("y"), 19.0 + JUMP * JUMP / (2.0 * GRAVITY), 1e-6);
    let [x, y] = slope(&blamed, "entities.hero.platformer.jump_speed");
    near(x, RUN / GRAVITY, 1e-3);
    near(y, JUMP / GRAVITY, 1e-3);
    let [x, y] = slope(&blamed, "simulation.gravity");
    near(x, -RUN * JUMP / (GRAVITY * GRAVITY), 1e-3);
    near(y, -JUMP * JUMP / (2.0 * GRAVITY * GRAVITY), 1e-3);
    assert_eq!(slope(&blamed, "entities.hero.platformer.hook_length"), [0.0; 2]);
    // The strongest one first.
    let effects: Vec<f64> = blamed["numbers"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|number| number["per_percent"].as_f64().expect("a number"))
        .collect();
    assert!(effects.is_sorted_by(|a, b| a >= b), "{effects:?}");
}

#[test]
fn the_landing_depends_on_its_numbers_as_the_formulas_say() {
    let blamed = blame(&game(), &["--at", "landing"]);
    // The feet touch the floor at x = 2 · run · jump / gravity.
    let [x, y] = slope(&blamed, "entities.hero.platformer.jump_speed");
    near(x, 2.0 * RUN / GRAVITY, 1e-3);
    near(y, 0.0, 1e-6);
}

#[test]
fn blame_says_what_is_wrong_with_its_arguments() {
    let folder = game();
    for (arguments, says) in [
        (&["blame", "level", "--at", "apex", "--entity", "heroo"][..], "did you mean `hero`?"),
        (&["blame", "level", "--at", "apex", "--ticks", "5"], "never in the air until tick 5"),
        (&["blame", "level"], "--at"),
    ] {
        let output = run(folder.root(), arguments);
        assert_eq!(code(&output), 2);
        assert!(err(&output).contains(says), "{}", err(&output));
    }
}

#[test]
fn blame_says_which_change_of_a_number_makes_a_failed_test_pass() {
    let folder = game();
    // It rises by jump² / (2 gravity) = 125 px.
    let test = |wanted: f64| {
        format!(
            "fn test_rise() {{ let t = play(\"level.toml\"); let hero = t.entity(\"hero\"); t.ticks(2); t.hold(\"jump\"); \
             t.run({:?}); expect(hero.y - 19.0).above({wanted:?}); }}\nfn test_broken() {{ play(\"gone.toml\"); }}\n",
            JUMP / GRAVITY
        )
    };
    folder.write("levels/tests/rise.rhai", &test(130.0));
    let name = "levels/tests/rise.rhai::test_rise";
    let asked = |arguments: &[&str]| {
        let output = run(folder.root(), &[&["blame", "--test"], arguments].concat());
        assert_eq!(code(&output), 0, "{}", err(&output));
        out(&output)
    };
    let json: Value = serde_json::from_str(&asked(&[name, "--format", "json"])).expect("JSON");
    assert_eq!((&json["test"], &json["passed"]), (&Value::from(name), &Value::from(false)));
    near(json["value"].as_f64().expect("a number"), JUMP * JUMP / (2.0 * GRAVITY), 1e-6);
    let numbers = json["numbers"].as_array().expect("a list");
    let speed = numbers
        .iter()
        .find(|number| number["key"] == "hero.platformer.jump_speed")
        .expect("the speed");
    near(speed["slope"].as_f64().expect("a slope"), JUMP / GRAVITY, 1e-3);
    let to = speed["would_do"].as_f64().expect("a value");
    near(to - JUMP, speed["change"].as_f64().expect("a change"), 1e-9);
    let origin = speed["origin"].as_str().expect("a place");
    assert!(origin.starts_with("config/entities/hero.toml:"), "{origin}");
    // What the table says is what makes the test pass, in the file that it names.
    let table = asked(&[name]);
    let says = format!("{} px/s more would do: {to}", to - JUMP);
    assert!(table.contains(&says) && table.contains(origin), "{says}\n{table}");
    let kind = folder.read("config/entities/hero.toml");
    folder.write(
        "config/entities/hero.toml",
        &kind.replace(&format!("jump_speed = {JUMP:?}"), &format!("jump_speed = {to:?}")),
    );
    assert!(asked(&[name]).contains("passes: there is nothing to blame"));
    let json: Value = serde_json::from_str(&asked(&["test_rise", "--format", "json"])).expect("JSON");
    assert_eq!(json["passed"], true);
    assert!(asked(&["test_broken"]).contains("fails before it plays a level"));
    for (arguments, says) in [
        (&["blame", "--test", "test_ris"][..], "did you mean `test_rise`?"),
        (&["blame", "level", "--test", "test_rise"], "cannot be used with"),
        (&["blame", "--test", "test_rise", "--at", "apex"], "cannot be used with"),
        (&["blame", "--at", "apex"], "<LEVEL>"),
    ] {
        let output = run(folder.root(), arguments);
        assert_eq!(code(&output), 2, "{arguments:?}");
        assert!(err(&output).contains(says), "{arguments:?}: {}", err(&output));
    }
}

/// What `wish` finds.
fn wish(folder: &Folder, arguments: &[&str]) -> Value {
    let output = run(folder.root(), &[&["wish", "level", "--format", "json"], arguments].concat());
    assert_eq!(code(&output), 0, "{}", err(&output));
    serde_json::from_str(&out(&output)).expect("JSON")
}

#[test]
fn a_wish_finds_numbers_with_which_the_game_plays_so() {
    let folder = game();
    let higher = 1.3 * JUMP * JUMP / (2.0 * GRAVITY);
    let wished = wish(&folder, &["--at", "apex", "--to", &format!(",{}", 19.0 + higher)]);
    let answers = wished["answers"].as_array().expect("a list");
    let value = |key: &str| {
        let mut of_one = answers.iter().map(|answer| &answer["changes"]).filter(|it| it[1].is_null());
        let found = of_one.find(|changes| changes[0]["key"] == key).expect(key);
        found[0]["to"].as_f64().expect("a number")
    };
    let (speed, gravity) = (value("platformer.jump_speed"), value("simulation.gravity"));
    near(speed * speed / (2.0 * GRAVITY), higher, 0.1);
    near(JUMP * JUMP / (2.0 * gravity), higher, 0.1);
    // With the number, the run has the apex there.
    let set = format!("entities.hero.platformer.jump_speed={speed:?}");
    let blamed = blame(&folder, &["--at", "apex", "--set", &set]);
    near(blamed["at"][1].as_f64().expect("y"), 19.0 + higher, 0.1);
    let met = wish(&folder, &["--at", "apex", "--to", "=,=", "--set", &set]);
    assert_eq!(met["answers"], serde_json::json!([]));
    let table = run(folder.root(), &["wish", "level", "--at", "landing", "--to", "500,"]);
    let row = out(&table)
        .lines()
        .any(|row| row.contains("platformer.jump_speed") && row.contains("500 → "));
    assert!(row, "{}", out(&table));
}

#[test]
fn wish_says_what_is_wrong_with_its_arguments() {
    let folder = game();
    for (arguments, says) in [
        (&["--at", "apex", "--to", "5"][..], "write two coordinates"),
        (&["--at", "apex", "--to", "5,inf"], "write two coordinates"),
        (&["--at", "apex", "--to", ","], "nothing is wished"),
        (&["--at", "apex", "--at", "end", "--to", ",5"], "each `--at` needs one `--to`"),
        (&["--at", "top", "--to", ",5"], "write `apex`, `landing`, `letgo` or `end`"),
        (&["--at", "apex:0", "--to", ",5"], "the number of a flight, from 1 on"),
        (&["--at", "apex:2", "--to", ",5"], "the path has no apex 2; it has: apex, landing"),
        (&["--at", "apex", "--to", ",5", "--entity", "heroo"], "did you mean `hero`?"),
        (&["--at", "apex"], "--to"),
    ] {
        let output = run(folder.root(), &[&["wish", "level"], arguments].concat());
        assert_eq!(code(&output), 2, "{arguments:?}");
        assert!(err(&output).contains(says), "{arguments:?}: {}", err(&output));
    }
}

/// The x of the middle of what has the hero's color in a picture, px.
fn hero_in(png: &[u8]) -> f64 {
    let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().expect("a picture");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut pixels).expect("pixels");
    let orange = |pixel: &[u8]| pixel[..3] == [244, 150, 62];
    let found = pixels.chunks_exact(4).enumerate().filter(|(_, pixel)| orange(pixel));
    let places: Vec<f64> = found.map(|(at, _)| f64::from(at as u32 % info.width)).collect();
    assert!(!places.is_empty(), "no hero");
    places.iter().sum::<f64>() / places.len() as f64
}

/// It looked straight at the player.
#[test]
fn a_picture_shows_what_the_camera_has_come_to() {
    let folder = game();
    let level = folder.read("levels/level.toml");
    let ticks = 30;
    // In a dead zone that is larger than the run, the camera stays, and the hero moves through the picture.
    folder.write("levels/level.toml", &format!("{level}\n[camera]\ndead_zone = [4000, 4000]\nlook_ahead = 0\n"));
    folder.write("levels/level.input", "1\n100 right\n");
    let shown = |ticks: u32| hero_in(&picture(&folder, &["--tick", &ticks.to_string()]));
    let way = RUN * f64::from(ticks) / 60.0;
    near(shown(1 + ticks) - shown(1), way, 1.5);
    // Without room, it follows him.
    folder.write("levels/level.toml", &format!("{level}\n[camera]\ndead_zone = [0, 0]\nlook_ahead = 0\n"));
    assert!(shown(1 + ticks) - shown(1) < 0.5 * way);
}
