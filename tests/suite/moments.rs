//! Moments of a run: pictures of the apex and the landing.

use crate::{
    folder::Folder,
    program::{code, err, run},
};

/// A jump with this speed under this gravity, px/s and px/s², and its run, px/s.
const JUMP: f64 = 500.0;
const GRAVITY: f64 = 1000.0;
const RUN: f64 = 300.0;

/// A hero on flat ground at tick 0, who jumps to the right from tick 10 on.
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
