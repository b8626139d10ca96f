//! Runs every proof at full size and writes the page of figures: `cargo run --release --example trust`.
//!
//! Each part is a test that also runs in CI, with more work. What a part has found is kept in
//! `target/trust/`, so parts can be run one by one, `-- twins heavy`; the page has the latest of
//! each. `--share 0.01` does a hundredth of the work. The exit code is 1 if a part fails.

#[path = "../../tests/support/machine.rs"]
mod machine;
mod page;
mod parts;
mod plot;

use clap::Parser;
use machine::said;
use parts::{PARTS, Part};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{
    collections::HashSet,
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
    time::Instant,
};

/// Where the parts leave what they found.
const KEPT: &str = "target/trust";

/// What comes before figures.
const MARK: &str = "figures ";

#[derive(Parser)]
struct Arguments {
    /// The parts to run [default: all]
    parts: Vec<String>,
    /// Only write the page from what was found before
    #[arg(long)]
    no_run: bool,
    /// How much of the full work to do
    #[arg(long, default_value_t = 1.0)]
    share: f64,
    /// The page to write
    #[arg(long, default_value = "docs/trust.md")]
    page: PathBuf,
}

/// What a part has found.
#[derive(Serialize, Deserialize)]
struct Found {
    passed: bool,
    date: String,
    revision: String,
    command: String,
    seconds: f64,
    figures: Vec<Value>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if let Some(unknown) = arguments.parts.iter().find(|name| !PARTS.iter().any(|part| part.name == **name)) {
        let names: Vec<&str> = PARTS.iter().map(|part| part.name).collect();
        eprintln!("no part is called `{unknown}`; the parts are {}", names.join(", "));
        return ExitCode::from(2);
    }
    let mut passed = true;
    for part in PARTS.iter().filter(|_| !arguments.no_run) {
        if arguments.parts.is_empty() || arguments.parts.iter().any(|name| name == part.name) {
            passed &= run(part, arguments.share);
        }
    }
    let found: Vec<(&Part, Found)> = PARTS.iter().filter_map(|part| Some((part, kept(part)?))).collect();
    page::write(&arguments.page, &found).expect("the page can be written");
    println!("{} has the figures", arguments.page.display());
    if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Runs a part, keeps what it found, and says whether it passed.
fn run(part: &Part, share: f64) -> bool {
    let amount = (part.full as f64 * share).ceil().max(1.0) as u64;
    let words = [part.program, part.arguments].concat();
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).stdout(Stdio::piped());
    let mut shown = words.join(" ");
    if let Some(variable) = part.variable {
        command.env(variable, amount.to_string());
        shown = format!("{variable}={amount} {shown}");
    }
    // Which targets ran, and so for how long, is part of the command.
    if let (Ok(targets), "fuzz") = (std::env::var("HANGTIME_FUZZ_TARGETS"), part.name) {
        shown = format!("HANGTIME_FUZZ_TARGETS=\"{targets}\" {shown}");
    }
    println!("{}: {shown}", part.name);
    let began = Instant::now();
    let mut child = command.spawn().expect("a program that starts");
    let output = child.stdout.take().expect("it is piped");
    let mut figures = Vec::new();
    for line in BufReader::new(output).lines().map_while(Result::ok) {
        // The name of the test may come before its figures.
        let found = line.split_once(MARK);
        match found.map(|(_, json)| serde_json::from_str(json)) {
            Some(Ok(found)) => figures.push(found),
            _ => println!("  {line}"),
        }
    }
    let passed = child.wait().expect("it ends").success();
    let revision = revision();
    let mut figures = with_revision(figures, &revision);
    // Fuzz targets take hours and can be run one by one, too: the rows of the others stay, with the revision they had.
    let now: HashSet<String> = figures.iter().filter_map(target_of).collect();
    if let Some(before) = kept(part).filter(|_| !now.is_empty()) {
        let rows = with_revision(before.figures, &before.revision);
        figures.extend(rows.into_iter().filter(|row| target_of(row).is_some_and(|target| !now.contains(&target))));
    }
    let passed = passed && figures.iter().all(|row| row["failures"].as_u64().unwrap_or(0) == 0);
    let found = Found {
        passed,
        date: said("date", &["-u", "+%F"]),
        revision,
        command: shown,
        seconds: began.elapsed().as_secs_f64(),
        figures,
    };
    let json = serde_json::to_string_pretty(&found).expect("plain data");
    std::fs::create_dir_all(KEPT)
        .and_then(|()| std::fs::write(file_of(part), json))
        .expect("target/ can be written");
    passed
}

/// Says in each row of a fuzz target which revision it is about.
fn with_revision(mut figures: Vec<Value>, revision: &str) -> Vec<Value> {
    for row in figures.iter_mut().filter(|row| row["target"].is_string() && row["revision"].is_null()) {
        row["revision"] = revision.into();
    }
    figures
}

fn target_of(row: &Value) -> Option<String> {
    row["target"].as_str().map(str::to_string)
}

/// The revision in Git, and whether files other than the page have been changed since.
fn revision() -> String {
    let others = ["status", "--porcelain", "--", ".", ":!docs/trust*"];
    let changed = if said("git", &others).is_empty() { "" } else { ", with changes" };
    said("git", &["rev-parse", "--short", "HEAD"]) + changed
}

fn file_of(part: &Part) -> PathBuf {
    Path::new(KEPT).join(part.name).with_extension("json")
}

fn kept(part: &Part) -> Option<Found> {
    serde_json::from_str(&std::fs::read_to_string(file_of(part)).ok()?).ok()
}
