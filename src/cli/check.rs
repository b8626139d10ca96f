//! `check`: looks at files without running them.

use super::{FOUND, GOOD, say, unusable};
use crate::project::{Found, check as check_files, within_deadline};
use crate::script::host::{Diagnostic, render_all};
use clap::{Args, ValueEnum};
use serde::Serialize;
use std::io::IsTerminal as _;
use std::path::PathBuf;

/// Arguments of `check`.
#[derive(Args)]
pub struct CheckArguments {
    /// Files, or folders with all that is below them; without any, the whole game folder
    paths: Vec<String>,
    /// How to show what is found
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// One array of objects
    Json,
}

/// Runs the command.
pub fn check(root: PathBuf, arguments: &CheckArguments) -> u8 {
    let paths = arguments.paths.clone();
    let found = within_deadline(move || check_files(&root, &paths));
    let found = match found.and_then(|found| found) {
        Ok(found) => found,
        Err(wrong) => return unusable(&[wrong]),
    };
    if found.files == 0 {
        eprintln!("nothing to check: no files in config/, scripts/ or levels/ here");
    }
    let errors = found.diagnostics.iter().filter(|d| d.is_error()).count();
    match arguments.format {
        Format::Text => show_text(&found, errors),
        Format::Json => show_json(&found),
    }
    if errors == 0 { GOOD } else { FOUND }
}

fn show_text(found: &Found, errors: usize) {
    if !found.diagnostics.is_empty() {
        say(render_all(
            &found.diagnostics,
            std::io::stdout().is_terminal(),
        ));
    }
    let warnings = found.diagnostics.len() - errors;
    let many = |n: usize, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
    eprintln!(
        "{} checked: {}, {}",
        many(found.files, "file"),
        many(errors, "error"),
        many(warnings, "warning")
    );
}

#[derive(Serialize)]
struct Line<'a> {
    file: &'a str,
    line: usize,
    col: usize,
    end_line: usize,
    end_col: usize,
    severity: &'static str,
    message: &'a str,
}

fn show_json(found: &Found) {
    let lines: Vec<Line<'_>> = found.diagnostics.iter().map(line_of).collect();
    match serde_json::to_string_pretty(&lines) {
        Ok(text) => say(text),
        Err(e) => eprintln!("error: the findings cannot be written as JSON: {e}"),
    }
}

fn line_of(diagnostic: &Diagnostic) -> Line<'_> {
    let (line, col) = diagnostic.place.as_ref().map_or((1, 1), |p| p.position());
    let (end_line, end_col) = diagnostic
        .place
        .as_ref()
        .map_or((1, 1), |p| p.end_position());
    Line {
        file: diagnostic.file_name(),
        line,
        col,
        end_line,
        end_col,
        severity: diagnostic.severity.name(),
        message: &diagnostic.message,
    }
}
