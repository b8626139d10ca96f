//! Runs the program as a user would.

use crate::folder::Folder;
use std::{
    path::Path,
    process::{Command, Output, Stdio},
};

/// Runs the program in a folder.
pub fn run(folder: &Path, arguments: &[&str]) -> Output {
    let output = command(folder, arguments).output();
    output.expect("the program starts")
}

/// The program in a folder, without a display and with nothing to read.
pub fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hangtime"));
    command
        .args(arguments)
        .current_dir(folder)
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        // Where it is set, golden traces are not written.
        .env_remove("CI")
        .stdin(Stdio::null());
    command
}

pub fn code(output: &Output) -> i32 {
    output.status.code().expect("an exit code")
}

/// The text on stdout, without the line with the time of a run of tests, which no test can know.
pub fn out(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout);
    let lines = text.split_inclusive('\n');
    lines.filter(|line| !line.starts_with("the tests took ")).collect()
}

pub fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A game whose script counts its ticks.
pub fn game() -> Folder {
    Folder::with_script("fn on_tick(me) { this.n += 1; }")
}
