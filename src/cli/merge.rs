//! `merge`: joins the results of the parts of one run.

use super::*;
use hangtime_play::{CaseRecord, MergedResults, ResultsCommand, ResultsFile, merge};
use std::io::{IsTerminal as _, Write as _};

/// Arguments of `merge`.
#[derive(Args)]
pub struct MergeArguments {
    /// Results files of all parts of one run of `test` or `sweep`
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Write the joined results as JSON Lines
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,
    /// Write the joined results of tests as JUnit XML
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write the rows of a sweep as CSV
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

/// Runs the command and returns the exit code.
pub fn merge_results(folder: &GameFolder, arguments: &MergeArguments) -> Exit {
    let (parts, files) = read(folder, &arguments.files)?;
    let merged = merge(&files)?;
    write(folder, arguments, &parts, &merged)?;
    if merged.cases.is_empty() {
        tell("no tests found: the run had no cases");
        return Ok(NO_TESTS);
    }
    Ok(match merged.header.command {
        ResultsCommand::Test => print_tests(&merged),
        ResultsCommand::Sweep => print_sweep(&merged),
    })
}

/// Reads the parts. Returns their paths, too.
fn read(folder: &GameFolder, names: &[String]) -> Result<(Vec<PathBuf>, Vec<ResultsFile>), Error> {
    let mut wrong = Mistakes::new();
    let (mut paths, mut parts) = (Vec::new(), Vec::new());
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
            Ok(part) => parts.push(part),
            Err(error) => wrong.extend(error.diagnostics()),
        }
    }
    if wrong.has_errors() { Err(wrong.finish().into()) } else { Ok((paths, parts)) }
}

/// Writes the files that were asked for. None gets its name before all of them are written.
fn write(
    folder: &GameFolder,
    arguments: &MergeArguments,
    parts: &[PathBuf],
    merged: &MergedResults,
) -> Result<(), Error> {
    let is_sweep = merged.header.command == ResultsCommand::Sweep;
    if arguments.csv.is_some() && !is_sweep {
        return Err(refused("--csv", "these are results of tests; only a sweep has rows"));
    }
    if arguments.junit.is_some() && is_sweep {
        return Err(refused("--junit", "these are results of a sweep; only tests have a JUnit report"));
    }
    let paths = [&arguments.csv, &arguments.junit, &arguments.results];
    files::check_distinct(paths.into_iter().flatten().map(PathBuf::as_path))?;
    let mut outputs: Vec<OutputFile> = Vec::new();
    let mut add = |path: &Option<PathBuf>, kind, fill: MergedWriter| -> Result<(), Error> {
        if let Some(path) = path {
            // Its part would have to run again.
            let part = path.canonicalize().ok().and_then(|path| parts.iter().position(|part| *part == path));
            if let Some(part) = part {
                let message = "this is one of the files to join; write the whole to another file";
                return Err(refused(&arguments.files[part], message));
            }
            let (output, out) = OutputFile::create(folder.path(), path, kind)?;
            fill(merged, out).map_err(|source| output.write_error(source))?;
            outputs.push(output);
        }
        Ok(())
    };
    add(&arguments.csv, OutputKind::Csv, |merged, mut out| {
        let table = SweepTable::of_cases(&merged.cases);
        out.write_all(table.csv_titles().as_bytes())?;
        merged.cases.iter().try_for_each(|case| out.write_all(table.csv_row(case).as_bytes()))?;
        out.flush()
    })?;
    add(&arguments.junit, OutputKind::Junit, |merged, mut out| {
        merged.write_junit(&mut out)?;
        out.flush()
    })?;
    add(&arguments.results, OutputKind::Results, |merged, out| {
        let mut writer = ResultsWriter::new(out, &merged.header)?;
        merged.cases.iter().try_for_each(|case| writer.case(case))?;
        writer.end()
    })?;
    outputs.into_iter().try_for_each(OutputFile::complete)
}

/// Writes joined results in some format.
type MergedWriter = fn(&MergedResults, Out) -> io::Result<()>;

/// Prints the failures and the counts, and returns the exit code of one run of all tests.
fn print_tests(merged: &MergedResults) -> u8 {
    let color = io::stdout().is_terminal();
    for case in merged.cases.iter().filter(|case| !case.outcome.passed()) {
        say_rendered(&failure(case, color));
    }
    let (passed, failed) = (merged.passed(), merged.failed());
    say(format_args!("{passed} passed, {failed} failed"));
    if failed == 0 { SUCCESS } else { TESTS_FAILED }
}

/// Prints the rows and how many passed, and returns the exit code of one run of the whole sweep.
fn print_sweep(merged: &MergedResults) -> u8 {
    let cases = &merged.cases;
    let table = SweepTable::of_cases(cases);
    say(table.text(cases).trim_end());
    let (runs, passing) = (cases.len(), merged.passed());
    if table.has_pass {
        say(format_args!("{passing} of {runs} runs pass"));
    }
    let failures = cases.iter().filter(|case| case.message.is_some()).count();
    if failures > 0 {
        tell(format_args!("error: {failures} of {runs} runs failed"));
    }
    let never_passes = table.has_pass && passing == 0;
    if never_passes {
        tell("error: no run passes");
    }
    if never_passes || failures > 0 { PROBLEMS_FOUND } else { SUCCESS }
}

/// A failed case as text.
fn failure(case: &CaseRecord, color: bool) -> String {
    let word = if color { "\u{1b}[31mFAILED\u{1b}[0m" } else { "FAILED" };
    let name = printable_name(&case.case);
    format!("{word} {name} ({:.0} ms)\n{}", case.ms, printable(&case.details()))
}
