//! A game with a golden trace, made for a test.

use crate::{
    folder::Folder,
    program::{code, command, err, out, run},
};
use serde_json::Value;
use std::process::Output;

pub const INPUT: &str = "levels/tests/walk.input";
pub const TRACE: &str = "levels/tests/walk.trace";

/// Runs `test` with the environment's `CI` as given.
pub fn test(folder: &Folder, arguments: &[&str], ci: Option<&str>) -> Output {
    let mut command = command(folder.root(), &["test"]);
    command.args(arguments);
    match ci {
        Some(value) => command.env("CI", value),
        None => command.env_remove("CI"),
    };
    command.output().expect("the program starts")
}

/// A game with one golden trace: the hero stands for 10 ticks, walks for 20 and stands for 5.
pub fn game() -> Folder {
    game_with("level level.toml\n10\n20 right\n5\n")
}

pub fn game_with(input: &str) -> Folder {
    let folder = Folder::with_script("fn on_tick(me) { this.n += 1; }");
    folder.write(INPUT, input);
    let updated = test(&folder, &["--update"], None);
    assert_eq!(code(&updated), 0, "{}{}", out(&updated), err(&updated));
    folder
}

pub fn read(folder: &Folder) -> String {
    folder.read(TRACE)
}

/// The golden trace as version 1 has it: every line whole, and no files in the first one.
pub fn of_version_1(folder: &Folder) -> String {
    let run = run(folder.root(), &["run", "--input", INPUT, "--trace", "-"]);
    assert_eq!(code(&run), 0, "{}", err(&run));
    out(&run)
}

/// Changes a line of the golden trace, which becomes one of version 1; 0 is the header, 1 is tick 0.
pub fn edit(folder: &Folder, line: usize, change: impl FnOnce(&mut Value)) {
    let text = read(folder);
    let text = if text.starts_with("{\"trace\":1,") { text } else { of_version_1(folder) };
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    let mut value: Value = serde_json::from_str(&lines[line]).expect("JSON");
    change(&mut value);
    lines[line] = value.to_string();
    folder.write(TRACE, &(lines.join("\n") + "\n"));
}

/// Runs the tests, which must fail, and returns the report.
pub fn fails(folder: &Folder) -> String {
    let output = test(folder, &[], Some("true"));
    let text = out(&output);
    assert_eq!(code(&output), 100, "{text}{}", err(&output));
    assert_eq!(text.lines().last(), Some("0 passed, 1 failed"), "{text}");
    text
}

pub fn passes(folder: &Folder) {
    let output = test(folder, &[], Some("true"));
    assert_eq!(code(&output), 0, "{}", out(&output));
    assert_eq!(out(&output).lines().last(), Some("1 passed, 0 failed"));
}
