//! The `hangtime` program, one file for each command. They take arguments and return an exit code.
//!
//! Exit codes: 0 success; 1 `check` found an error or a broken contract, a script failed under `run --strict`, `replay`
//! found a difference, saving and loading made one under `--heavy` or compiling under `--both-ways`, no run of a
//! `sweep` passed or some failed, or `reachable --must` is not reached; 2 wrong usage, or a file that cannot be used; 4 no tests found; 100 tests failed;
//! 130 interrupted. Messages go to stderr, results to stdout.

mod api;
mod blame;
mod check;
mod export;
mod feel;
mod interrupt;
mod level_run;
mod lsp;
mod mcp;
mod merge;
mod mods;
mod new;
mod observers;
mod output;
#[cfg(feature = "pages")]
mod pages;
mod play;
mod reachable;
mod replay;
mod run;
mod saves;
mod serve;
mod sweep;
mod test;
mod test_blame;
mod upgrade;
mod web;
mod wish;

use clap::{
    Args, Parser, Subcommand, ValueEnum,
    builder::{PossibleValue, PossibleValuesParser},
};
use hangtime_game::{
    Error, GameFolder, InputScript, LANGUAGES, Live, PageFiles, Project, Threads, Track, ending_scripts, files,
    files::{OutputFile, OutputKind, check_distinct},
    recording::RecordingReader,
    terminal::{tell, tell_rendered},
};
use hangtime_play::{self, Film, FilmOptions, Observer, Partition, ResultsWriter, SweepTable, calls::calls_of_tests};
use hangtime_script::{
    Diagnostic, Execution, Mistakes,
    names::nearest,
    render_all,
    text::{cut_name, printable, printable_json, printable_name, short_numbers},
};
use indicatif::ProgressBar;
use interrupt::Interrupt;
use observers::{RunObservers, RunOnly, ShownArguments};
use output::*;
use saves::open_saves;
use serde::Serialize;
use std::{
    borrow::Cow,
    ffi::OsString,
    io,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

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
    /// Interpret all scripts instead of compiling them, which is slower and changes nothing else
    #[arg(long, global = true)]
    interpret: bool,
    /// Also load the mod in this folder, as if it were in mods/; can be repeated. `new` creates the behavior in it
    #[arg(long = "mod", global = true, value_name = "DIR")]
    mods: Vec<PathBuf>,
    #[command(subcommand)]
    command: Option<CliCommand>,
}

#[derive(Subcommand)]
enum CliCommand {
    /// Play a level in a window; saved files take effect at once
    Play(play::PlayArguments),
    /// Run a level without a window, as fast as possible
    Run(Box<run::RunArguments>),
    /// Find and run tests
    Test(test::TestArguments),
    /// Play a recording again and compare every tick with it; --gif, --png, --trace and --why show it
    Replay(Box<replay::ReplayArguments>),
    /// Join the results of the parts of one run of tests or of a sweep
    Merge(merge::MergeArguments),
    /// Check scripts, tuning and levels without running them; --speed shows how fast scripts are
    Check(check::CheckArguments),
    /// Measure how a kind feels: jump, run and stop in px and s
    Feel(feel::FeelArguments),
    /// Write a level as TOML, as a map of Tiled, or as an SVG
    Export(export::ExportArguments),
    /// Play a level once for each combination of some settings, measure the runs, and find the values at
    /// which they pass
    Sweep(sweep::SweepArguments),
    /// Show what the player of a level can reach, with the keys that lead there, and which number is short
    Reachable(reachable::ReachableArguments),
    /// Show which numbers an apex, a landing or another moment of a run depends on, or a failed test
    Blame(blame::BlameArguments),
    /// Search the numbers that bring an apex, a landing or the end of a run where you wish it
    Wish(wish::WishArguments),
    /// List the mods of a game, and what each of them overrides
    Mods(mods::ModsArguments),
    /// Print everything scripts can call, or what is called NAME; --search WORD finds names
    Api(api::ApiArguments),
    /// Serve an editor on stdin and stdout, as a language server
    Lsp,
    /// Serve an assistant on stdin and stdout, with tools of the Model Context Protocol
    Mcp(mcp::McpArguments),
    /// Serve worlds to other programs, with JSON-RPC on stdin and stdout or on a port
    Serve(serve::ServeArguments),
    /// Serve a page to play and edit the game in a browser, or write one to upload
    Web(web::WebArguments),
    /// Show what players have kept with `world::keep`
    Saves(saves::SavesArguments),
    /// Show what this version of hangtime changes in an older game; --write writes it
    Upgrade(upgrade::UpgradeArguments),
    /// Create a game folder or, inside one, a behavior; both come with passing tests
    New(new::NewArguments),
    #[cfg(feature = "pages")]
    #[command(hide = true)]
    Pages(pages::PagesArguments),
}

/// Runs the program with these arguments, the first of which is its name, and returns the exit code. `page` is the built
/// page to use where none is found.
pub fn main(arguments: impl IntoIterator<Item = OsString>, page: Option<PageFiles>) -> u8 {
    let cli = Cli::try_parse_from(arguments).unwrap_or_else(|error| refuse(&error));
    let Cli { root, follow_links, interpret, mods, command } = cli;
    if !root.is_dir() {
        return unusable(&Error::NoSuchFolder { path: root });
    }
    let command = command.unwrap_or(CliCommand::Play(play::PlayArguments::default()));
    let execution = if interpret { Execution::Interpreted } else { Execution::Compiled };
    let folder = GameFolder::new(root.as_path()).follow_links(follow_links).run_scripts(execution);
    // `new` may create the folder of a mod.
    let named = match &command {
        CliCommand::New(_) => &[][..],
        _ => &mods,
    };
    let exit = folder.with_mods(named).and_then(|folder| match command {
        CliCommand::Play(arguments) => play::play(folder, arguments),
        CliCommand::Run(arguments) => {
            on_threads(arguments.threads, move |threads| run::run(folder, &arguments, threads))
        }
        CliCommand::Test(arguments) => on_stack(folder, arguments, test::test),
        CliCommand::Replay(arguments) => on_stack(folder, *arguments, replay::replay),
        CliCommand::Merge(arguments) => merge::merge_results(&folder, &arguments),
        CliCommand::Sweep(arguments) => on_stack(folder, arguments, sweep::sweep),
        CliCommand::Api(arguments) => api::api(&arguments),
        CliCommand::Lsp => on_large_stack(move || lsp::lsp(&folder)),
        CliCommand::Mcp(arguments) => on_stack(folder, arguments, mcp::mcp),
        CliCommand::Check(arguments) => on_stack(folder, arguments, check::check),
        CliCommand::Feel(arguments) => on_stack(folder, arguments, feel::feel),
        CliCommand::Reachable(arguments) => on_stack(folder, arguments, reachable::reachable),
        CliCommand::Blame(arguments) => on_stack(folder, arguments, blame::blame),
        CliCommand::Wish(arguments) => on_stack(folder, arguments, wish::wish),
        CliCommand::Export(arguments) => on_stack(folder, arguments, export::export),
        CliCommand::Mods(arguments) => on_stack(folder, arguments, mods::mods),
        CliCommand::Serve(arguments) => serve::serve(folder, &arguments, page),
        CliCommand::Web(arguments) => web::web(folder, &arguments, page),
        CliCommand::Saves(arguments) => saves::saves(&folder, &arguments),
        CliCommand::Upgrade(arguments) => on_stack(folder, arguments, upgrade::upgrade),
        CliCommand::New(arguments) => new::new(&folder, &mods, &arguments),
        #[cfg(feature = "pages")]
        CliCommand::Pages(arguments) => pages::pages(&arguments),
    });
    exit.unwrap_or_else(|error| unusable(&error))
}

/// Says what is wrong with the arguments, with long numbers cut, and ends the program.
fn refuse(error: &clap::Error) -> ! {
    let text = error.render();
    let length =
        ["--seconds", "--time", "--duration", "--frames"].map(|it| format!("unexpected argument '{it}' found"));
    let plain = text.to_string();
    if let Some(length) = length.iter().find(|it| plain.contains(it.as_str())) {
        tell(format_args!(
            "error: {length}; the length of a run is in ticks: `--ticks 120` is 2 s at 60 ticks per second"
        ));
        std::process::exit(error.exit_code());
    }
    let text = if color_on_stderr() { text.ansi().to_string() } else { plain };
    match short_numbers(&text) {
        // Also the texts of `--help` and `--version`, which go to stdout.
        Cow::Borrowed(_) => error.exit(),
        Cow::Owned(short) => {
            tell_rendered(short.trim_end());
            std::process::exit(error.exit_code());
        }
    }
}
