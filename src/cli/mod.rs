//! Layer 7: the commands, one file each. They take arguments and return an exit code.
//!
//! Exit codes: 0 success; 1 `check` found an error, a script failed under `run --strict`, saving and
//! loading made a difference under `run --heavy`, or no run of a `sweep` passed or some failed; 2 wrong usage, or a file that cannot be used; 4
//! no tests found; 100 tests failed; 130 interrupted. Messages go to stderr, results to stdout.

mod api;
mod check;
mod interrupt;
mod new;
mod output;
mod play;
mod run;
mod run_observers;
mod run_options;
mod sweep;
mod sweep_options;
mod sweep_outputs;
mod test;

use crate::project::{Error, GameFolder};
use clap::{Parser, Subcommand};
pub use output::{INTERRUPTED, NO_TESTS, PROBLEMS_FOUND, SUCCESS, TESTS_FAILED, UNUSABLE};
use output::{on_large_stack, unusable};
use std::path::PathBuf;
use std::process::ExitCode;

/// 2D gameplay physics you can edit while the game runs
#[derive(Parser)]
#[command(version, arg_required_else_help = false)]
struct Cli {
    /// Game folder, with config/, scripts/ and levels/
    #[arg(long, global = true, value_name = "DIR", default_value = ".")]
    root: PathBuf,
    /// Also read files outside of the game folder that its links and files lead to; only for games
    /// that you trust
    #[arg(long, global = true)]
    follow_links: bool,
    #[command(subcommand)]
    command: Option<CliCommand>,
}

#[derive(Subcommand)]
enum CliCommand {
    /// Play a level in a window; saved files take effect at once
    Play(play::PlayArguments),
    /// Run a level without a window, as fast as possible
    Run(run_options::RunArguments),
    /// Find and run tests
    Test(test::TestArguments),
    /// Check scripts, tuning and levels without running them
    Check(check::CheckArguments),
    /// Play a level once for each combination of some settings, measure the runs, and find the values at
    /// which they pass
    Sweep(sweep_options::SweepArguments),
    /// Print everything scripts can call
    Api(api::ApiArguments),
    /// Create a game folder or, inside one, a behavior; both come with passing tests
    New(new::NewArguments),
}

/// Runs the program with the process's arguments.
#[must_use]
pub fn main() -> ExitCode {
    let Cli {
        root,
        follow_links,
        command,
    } = Cli::parse();
    if !root.is_dir() {
        return ExitCode::from(unusable(&Error::NoSuchFolder { path: root }));
    }
    let command = command.unwrap_or(CliCommand::Play(play::PlayArguments::default()));
    let folder = GameFolder::new(root.as_path()).follow_links(follow_links);
    let code = match command {
        CliCommand::Play(arguments) => play::play(folder, arguments),
        CliCommand::Run(arguments) => on_large_stack(move || run::run(folder, &arguments)),
        CliCommand::Test(arguments) => on_large_stack(move || test::test(folder, &arguments)),
        CliCommand::Sweep(arguments) => on_large_stack(move || sweep::sweep(folder, &arguments)),
        CliCommand::Api(arguments) => api::api(&arguments),
        CliCommand::Check(arguments) => on_large_stack(move || check::check(folder, &arguments)),
        CliCommand::New(arguments) => new::new(&root, &arguments),
    };
    ExitCode::from(code)
}
