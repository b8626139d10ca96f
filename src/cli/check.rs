//! `check`: checks files without running them.

use super::output::{PROBLEMS_FOUND, SUCCESS, say, say_rendered, unusable};
use crate::project::files::GameFolder;
use crate::project::terminal::tell;
use crate::project::{CheckReport, check as check_files, within_time};
use crate::script::host::text::printable_json;
use crate::script::host::{Diagnostic, count_mistakes, render_all};
use clap::{Args, ValueEnum};
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
    /// Output format
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    format: ReportFormat,
}

#[derive(Clone, Copy, ValueEnum)]
enum ReportFormat {
    /// Messages with source lines
    Text,
    /// A JSON array with one object per message
    Json,
}

/// Runs the command and returns the exit code.
pub fn check(folder: GameFolder, arguments: &CheckArguments) -> u8 {
    let paths = arguments.paths.clone();
    let checked = within_time(LONGEST, move || check_files(&folder, &paths));
    let report = match checked.and_then(|report| report) {
        Ok(report) => report,
        Err(error) => return unusable(&error),
    };
    if report.files == 0 {
        tell("nothing to check: no files in config/, scripts/ or levels/");
    }
    let errors = count_mistakes(report.diagnostics.iter().filter(|d| d.is_error()));
    match arguments.format {
        ReportFormat::Text => show_text(&report, errors),
        ReportFormat::Json => show_json(&report),
    }
    if errors == 0 { SUCCESS } else { PROBLEMS_FOUND }
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
struct JsonDiagnostic<'a> {
    file: &'a str,
    line: usize,
    col: usize,
    end_line: usize,
    end_col: usize,
    severity: &'static str,
    message: &'a str,
}

fn show_json(report: &CheckReport) {
    let all: Vec<JsonDiagnostic<'_>> = report.diagnostics.iter().map(json_of).collect();
    match serde_json::to_string_pretty(&all) {
        Ok(text) => say(printable_json(&text)),
        Err(e) => tell(format_args!("error: cannot write the report as JSON: {e}")),
    }
}

fn json_of(diagnostic: &Diagnostic) -> JsonDiagnostic<'_> {
    let (line, col) = diagnostic.place.as_ref().map_or((1, 1), |p| p.position());
    let (end_line, end_col) = diagnostic
        .place
        .as_ref()
        .map_or((1, 1), |p| p.end_position());
    JsonDiagnostic {
        file: diagnostic.file_name(),
        line,
        col,
        end_line,
        end_col,
        severity: diagnostic.severity.name(),
        message: &diagnostic.message,
    }
}
