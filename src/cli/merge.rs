//! `merge`: joins the results of the parts of one run.

use super::output::{NO_TESTS, PROBLEMS_FOUND, SUCCESS, TESTS_FAILED, say, say_rendered, unusable};
use crate::playtest::{
    CaseRecord, MergedResults, MergedSweep, ResultsCommand, ResultsFile, ResultsWriter, merge,
};
use crate::project::files::{OutputFile, OutputKind};
use crate::project::terminal::tell;
use crate::project::{Error, GameFolder, files};
use crate::script::host::text::{printable, printable_name};
use crate::script::host::{Diagnostic, Mistakes};
use clap::Args;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

/// Arguments of `merge`.
#[derive(Args)]
pub struct MergeArguments {
    /// Results files of all parts of one run of `test` or `sweep`
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Write the joined results as JSON Lines
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,
    /// Write the rows of a sweep as CSV
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

/// Runs the command and returns the exit code.
pub fn merge_results(folder: &GameFolder, arguments: &MergeArguments) -> u8 {
    let merged = match read(folder, &arguments.files).and_then(|files| merge(&files)) {
        Ok(merged) => merged,
        Err(error) => return unusable(&error),
    };
    if let Err(error) = write(folder, arguments, &merged) {
        return unusable(&error);
    }
    if merged.cases.is_empty() {
        tell("no tests found: the run had no cases");
        return NO_TESTS;
    }
    match merged.header.command {
        ResultsCommand::Test => print_tests(&merged),
        ResultsCommand::Sweep => print_sweep(&merged),
    }
}

fn read(folder: &GameFolder, names: &[String]) -> Result<Vec<ResultsFile>, Error> {
    let mut wrong = Mistakes::new();
    let mut read: Vec<ResultsFile> = Vec::new();
    let mut paths: Vec<PathBuf> = Vec::new();
    for name in names {
        let path = files::find(folder.path(), name)?;
        let path = path.canonicalize().unwrap_or(path);
        if paths.contains(&path) {
            wrong.push(Diagnostic::about_file(name, "this file is named twice"));
            continue;
        }
        paths.push(path);
        let file = files::read_output(folder.clone(), name);
        match file.and_then(|file| ResultsFile::parse(&file)) {
            Ok(file) => read.push(file),
            Err(error) => wrong.extend(error.diagnostics()),
        }
    }
    if wrong.has_errors() {
        return Err(wrong.finish().into());
    }
    Ok(read)
}

fn write(
    folder: &GameFolder,
    arguments: &MergeArguments,
    merged: &MergedResults,
) -> Result<(), Error> {
    if arguments.csv.is_some() && merged.header.command != ResultsCommand::Sweep {
        let message = "these are results of tests; only a sweep has rows";
        return Err(Diagnostic::about_file("--csv", message).into());
    }
    if let Some(path) = &arguments.csv {
        refuse_parts(folder, &arguments.files, path)?;
        let (output, writer) = OutputFile::create(folder.path(), path, OutputKind::Csv)?;
        let written = MergedSweep::of(merged).write_csv(writer);
        written.map_err(|source| output.write_error(source))?;
        output.complete()?;
    }
    if let Some(path) = &arguments.results {
        refuse_parts(folder, &arguments.files, path)?;
        let (output, writer) = OutputFile::create(folder.path(), path, OutputKind::Results)?;
        let written = ResultsWriter::new(writer, &merged.header).and_then(|mut writer| {
            merged.cases.iter().try_for_each(|case| writer.case(case))?;
            writer.end()
        });
        written.map_err(|source| output.write_error(source))?;
        output.complete()?;
    }
    Ok(())
}

/// Refuses to write over a file that was joined: its part would have to run again.
fn refuse_parts(folder: &GameFolder, names: &[String], path: &Path) -> Result<(), Error> {
    let Ok(path) = path.canonicalize() else {
        return Ok(());
    };
    for name in names {
        let part = files::find(folder.path(), name)?;
        if part.canonicalize().is_ok_and(|part| part == path) {
            let message = "this is one of the files to join; write the whole to another file";
            return Err(Diagnostic::about_file(name, message).into());
        }
    }
    Ok(())
}

/// Prints the failures and the counts, and returns the exit code of one run of all tests.
fn print_tests(merged: &MergedResults) -> u8 {
    let color = std::io::stdout().is_terminal();
    for case in merged.cases.iter().filter(|case| !case.outcome.passed()) {
        say_rendered(&failure(case, color));
    }
    let (passed, failed) = (merged.passed(), merged.failed());
    say(format_args!("{passed} passed, {failed} failed"));
    if failed == 0 { SUCCESS } else { TESTS_FAILED }
}

/// Prints the rows and how many passed, and returns the exit code of one run of the whole sweep.
fn print_sweep(merged: &MergedResults) -> u8 {
    let sweep = MergedSweep::of(merged);
    for line in sweep.table() {
        say(line);
    }
    let runs = sweep.rows.len();
    if let Some(passing) = sweep.passing {
        say(format_args!("{passing} of {runs} runs pass"));
    }
    if sweep.failures > 0 {
        tell(format_args!(
            "error: {} of {runs} runs failed",
            sweep.failures
        ));
    }
    let never_passes = sweep.passing == Some(0);
    if never_passes {
        tell("error: no run passes");
    }
    if never_passes || sweep.failures > 0 {
        PROBLEMS_FOUND
    } else {
        SUCCESS
    }
}

/// A failed case as text.
fn failure(case: &CaseRecord, color: bool) -> String {
    let word = if color {
        "\u{1b}[31mFAILED\u{1b}[0m"
    } else {
        "FAILED"
    };
    let mut text = format!("{word} {} ({:.0} ms)", printable_name(&case.case), case.ms);
    let mut line = |line: String| {
        text.push('\n');
        text += &printable(&line);
    };
    let place = match (&case.file, case.line) {
        (Some(file), Some(number)) => format!("{}:{number}: ", printable_name(file)),
        (Some(file), None) => format!("{}: ", printable_name(file)),
        (None, _) => String::new(),
    };
    let message = case.message.as_deref().unwrap_or(case.outcome.words());
    line(format!("{place}error: {message}"));
    for (title, value) in [
        ("  expected: ", case.expected.clone()),
        ("  got:      ", case.got.clone()),
        ("  tick:     ", case.tick.map(|tick| tick.to_string())),
        ("  rerun: ", case.replay.clone()),
    ] {
        if let Some(value) = value {
            line(format!("{title}{value}"));
        }
    }
    text
}
