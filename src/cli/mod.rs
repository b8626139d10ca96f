//! Floor 7: the commands, one file each: arguments in, exit code out.
//!
//! Exit codes: 0 good; 1 `check` found an error, or `run --strict` met a script error; 2 wrong
//! usage, or a file that cannot be used; 4 no tests found; 100 tests failed. Messages go to
//! stderr, results to stdout.

mod api;
mod check;
mod new;
mod play;
mod run;
mod test;

use crate::project::Project;
use crate::script::host::{Diagnostic, STACK, render_all};
use clap::{Parser, Subcommand};
use std::io::{IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

/// Good.
pub const GOOD: u8 = 0;
/// Something was found, or a script failed under `--strict`.
pub const FOUND: u8 = 1;
/// Wrong usage, or a file that cannot be used.
pub const UNUSABLE: u8 = 2;
/// There are no tests.
pub const NO_TESTS: u8 = 4;
/// Tests failed.
pub const TESTS_FAILED: u8 = 100;

/// Gameplay physics with rules that change while the game runs.
#[derive(Parser)]
#[command(version, arg_required_else_help = false)]
struct Arguments {
    /// The game folder, with config/, scripts/ and levels/
    #[arg(long, global = true, value_name = "DIR", default_value = ".")]
    root: PathBuf,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Open the window and reload every file that changes
    Play(play::PlayArguments),
    /// Run a level without a window, as fast as it goes
    Run(run::RunArguments),
    /// Find and run test levels
    Test(test::TestArguments),
    /// Check scripts, tuning and levels without running them
    Check(check::CheckArguments),
    /// Print what scripts can call, read and answer
    Api(api::ApiArguments),
    /// Make a game folder, or in a game folder a behavior, with a test level that passes
    New(new::NewArguments),
}

/// Runs the program with the arguments it was called with.
#[must_use]
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let root = arguments.root;
    if !root.is_dir() {
        let why = Diagnostic::about_file(root.display().to_string(), "there is no such folder");
        return ExitCode::from(unusable(&[why]));
    }
    let command = arguments
        .command
        .unwrap_or(Command::Play(play::PlayArguments::default()));
    let code = match command {
        Command::Play(arguments) => play::play(root, arguments),
        Command::Run(arguments) => on_large_stack(move || run::run(root, &arguments)),
        Command::Test(arguments) => on_large_stack(move || test::test(root, &arguments)),
        Command::Api(arguments) => api::api(&arguments),
        Command::Check(arguments) => on_large_stack(move || check::check(root, &arguments)),
        Command::New(arguments) => new::new(&root, &arguments),
    };
    ExitCode::from(code)
}

/// Runs a command on a thread whose stack is large enough for scripts.
fn on_large_stack(command: impl FnOnce() -> u8 + Send + 'static) -> u8 {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(command);
    match thread.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        // The thread has said what went wrong.
        Ok(Err(_)) => 101,
        Err(e) => {
            eprintln!("error: no thread can be started: {e}");
            UNUSABLE
        }
    }
}

/// Prints a result on stdout. When nobody reads it any more the program ends quietly, as others
/// do in a pipe; when it cannot be written, with an error.
fn say(text: impl std::fmt::Display) {
    let written = writeln!(std::io::stdout(), "{text}");
    match written {
        Ok(()) => {}
        Err(e) if e.kind() == std::io::ErrorKind::BrokenPipe => std::process::exit(GOOD.into()),
        Err(e) => {
            eprintln!("error: the result cannot be written: {e}");
            std::process::exit(UNUSABLE.into());
        }
    }
}

/// Says what is wrong with the files; the exit code.
fn unusable(diagnostics: &[Diagnostic]) -> u8 {
    eprintln!("{}", render_all(diagnostics, color_on_stderr()));
    UNUSABLE
}

fn color_on_stderr() -> bool {
    std::io::stderr().is_terminal()
}

/// The project in a folder whose existence was checked.
fn project(root: PathBuf) -> Result<Project, Diagnostic> {
    Project::load(root)
}

/// Parses `KEY=VALUE`.
fn setting(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => {
            Ok((key.trim().to_string(), value.trim().to_string()))
        }
        _ => Err("a setting is KEY=VALUE, such as platformer.jump_speed=600".into()),
    }
}
