//! `check`: checks files without running them.

use super::check_speed::{JsonFunction, json_functions, measure};
use super::output::{PROBLEMS_FOUND, SUCCESS, not_a_game, say, say_rendered, unusable};
use clap::{Args, ValueEnum};
use hangtime_game::files::{GameFolder, is_game_folder};
use hangtime_game::terminal::tell;
use hangtime_game::{CheckReport, Error, Project, check as check_files, within_time};
use hangtime_play::calls::calls_of_tests;
use hangtime_play::feel::contracts_at;
use hangtime_play::{SpeedReport, TestOutcome, speed_table};
use hangtime_script::text::printable_json;
use hangtime_script::{Diagnostic, Mistakes, count_mistakes, render_all};
use hangtime_service::DiagnosticLine;
use serde::Serialize;
use std::io::IsTerminal as _;
use std::time::Duration;

/// The longest time that checking a game may take.
const LONGEST: Duration = Duration::from_secs(300);

/// Arguments of `check`.
#[derive(Args)]
pub struct CheckArguments {
    /// Files, or folders with their subfolders [default: the whole game folder]
    paths: Vec<String>,
    /// Measure the feel of kinds, too: each line of their `[expect]` must hold
    #[arg(long)]
    contracts: bool,
    /// Play the levels, and show for each function of the scripts whether it is compiled or why not, and what its calls take
    #[arg(long)]
    speed: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    format: ReportFormat,
}

#[derive(Clone, Copy, ValueEnum)]
enum ReportFormat {
    /// Messages with source lines
    Text,
    /// A JSON array with one object per message; with --speed, an object with this array and one of the functions
    Json,
}

/// Runs the command and returns the exit code.
pub fn check(folder: GameFolder, arguments: &CheckArguments) -> u8 {
    let paths = arguments.paths.clone();
    let game = folder.clone();
    let checked = within_time(LONGEST, move || check_files(&folder, &paths, &calls_of_tests()));
    let mut report = match checked.and_then(|report| report) {
        Ok(report) => report,
        Err(error) => return unusable(&error),
    };
    if arguments.contracts {
        if report.diagnostics.iter().any(Diagnostic::is_error) {
            tell("contracts are checked once these errors are fixed");
        } else {
            match check_contracts(game.clone(), &arguments.paths) {
                Ok(broken) => report.diagnostics.splice(0..0, broken),
                Err(error) => return unusable(&error),
            };
        }
    }
    if report.files == 0 {
        if arguments.paths.is_empty() && !is_game_folder(game.path()) {
            report.diagnostics.push(not_a_game(&game));
        } else {
            tell("nothing to check: no files in config/, scripts/ or levels/");
        }
    }
    let errors = count_mistakes(report.diagnostics.iter().filter(|d| d.is_error()));
    let speeds = arguments.speed.then(|| measure(game, &arguments.paths));
    let speeds = match speeds.transpose() {
        Ok(speeds) => speeds,
        Err(error) => return unusable(&error),
    };
    match arguments.format {
        ReportFormat::Text => {
            if let Some(speeds) = &speeds {
                say(speed_table(speeds).trim_end());
            }
            show_text(&report, errors);
        }
        ReportFormat::Json => show_json(&report, speeds.as_ref()),
    }
    if errors == 0 { SUCCESS } else { PROBLEMS_FOUND }
}

/// Checks the contracts of the kinds at these paths, and returns an error for each that is broken.
fn check_contracts(folder: GameFolder, paths: &[String]) -> Result<Vec<Diagnostic>, Error> {
    let project = Project::load(folder)?;
    let (contracts, _) = contracts_at(&project, paths)?;
    let (mut broken, mut wrong) = (0, Mistakes::new());
    let count = contracts.len();
    for contract in contracts {
        match contract.map_or_else(|broken| TestOutcome::NotCompiled(broken.mistakes), |contract| contract.check()) {
            TestOutcome::Passed | TestOutcome::KnownFailure(_) => continue,
            TestOutcome::NotCompiled(mistakes) => wrong.extend(mistakes),
            TestOutcome::Failed(failure) => wrong.push(Diagnostic {
                message: format!("{} ({})", failure.diagnostic.message, failure.got.unwrap_or_default()),
                ..failure.diagnostic
            }),
        }
        broken += 1;
    }
    tell(format_args!("{count} contract{} checked: {broken} broken", if count == 1 { "" } else { "s" }));
    Ok(wrong.finish())
}

fn show_text(report: &CheckReport, errors: usize) {
    if !report.diagnostics.is_empty() {
        let color = std::io::stdout().is_terminal();
        say_rendered(&render_all(&report.diagnostics, color));
    }
    let warnings = count_mistakes(&report.diagnostics) - errors;
    let count = |n: usize, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
    tell(format_args!(
        "{} checked: {}, {}",
        count(report.files, "file"),
        count(errors, "error"),
        count(warnings, "warning")
    ));
}

#[derive(Serialize)]
struct JsonReport<'a> {
    messages: Vec<DiagnosticLine>,
    functions: Vec<JsonFunction<'a>>,
}

fn show_json(report: &CheckReport, speeds: Option<&SpeedReport>) {
    let messages: Vec<DiagnosticLine> = report.diagnostics.iter().map(DiagnosticLine::of).collect();
    let text = match speeds {
        None => serde_json::to_string_pretty(&messages),
        Some(speeds) => serde_json::to_string_pretty(&JsonReport { messages, functions: json_functions(speeds) }),
    };
    match text {
        Ok(text) => say(printable_json(&text)),
        Err(e) => tell(format_args!("error: cannot write the report as JSON: {e}")),
    }
}
