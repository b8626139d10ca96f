//! Small games for tests of `sweep`, and a way to run it.

use crate::{
    folder::Folder,
    program::{code, err, out, run},
};
use serde_json::Value;

pub const GRAVITY: f64 = 3672.0;

/// A runner at constant speed that leaves a floor at x = 0. No kind or level sets its windows.
pub fn ledge(speed: f64, from: f64) -> Folder {
    let folder = Folder::empty();
    folder.write("config/entities/runner.toml", "model = \"platformer\"\n");
    let level = format!(
        "gravity = {GRAVITY:?}\n\
         [[solid]]\npoints = [[-1000, -50], [0, -50], [0, 0], [-1000, 0]]\n\
         [[entity]]\nkind = \"runner\"\nname = \"runner\"\nat = [{from:?}, 19]\nplayer = 1\n\
         [entity.platformer]\nrun_speed_min = {speed:?}\nrun_speed_max = {speed:?}\n"
    );
    folder.write("levels/ledge.toml", &level);
    folder
}

/// Runs a sweep that succeeds, and returns its JSON.
pub fn sweep(folder: &Folder, arguments: &[&str]) -> Value {
    let mut all = vec!["sweep"];
    all.extend(arguments);
    all.extend(["--format", "json"]);
    let output = run(folder.root(), &all);
    assert_eq!(code(&output), 0, "{arguments:?}: {}", err(&output));
    serde_json::from_str(&out(&output)).expect("JSON")
}

/// The values of a measure in all rows.
pub fn measured(json: &Value, column: usize) -> Vec<f64> {
    let rows = json["rows"].as_array().expect("rows");
    let value = |row: &Value| row["measures"][column].as_f64().expect("a number");
    rows.iter().map(value).collect()
}

/// The time that the stone takes to fall 100 px, and how much of it can be missed: within a tick, bodies
/// move along the chord of their path, which is at most g·dt²/8 away from it.
pub fn fall() -> (f64, f64) {
    let (g, dt) = (2000.0_f64, 1.0 / 60.0);
    let impact = (2.0 * g * 100.0).sqrt();
    (impact / g, g * dt * dt / 8.0 / impact)
}

/// A stone that is thrown from a height above the floor, at the speed in its variables.
pub fn thrown() -> Folder {
    let folder = Folder::empty();
    folder.write(
        "config/entities/stone.toml",
        "script = \"stone.rhai\"\nmodel = \"ballistic\"\nbody = { ellipse = [5.0, 5.0] }\n\
         vars = { speed = 0.0 }\n",
    );
    folder.write("scripts/stone.rhai", "fn on_birth(me) { me.vel = vec(this.speed, 0); }\n");
    folder.write(
        "levels/throw.toml",
        "gravity = 2000.0\n[[solid]]\nname = \"floor\"\n\
         points = [[-4000, -50], [4000, -50], [4000, 0], [-4000, 0]]\n\
         [[entity]]\nkind = \"stone\"\nname = \"stone\"\nat = [0, 105]\n",
    );
    folder
}
