//! The page of figures.

use crate::{Found, machine::machine, parts::Part, plot};
use serde_json::Value;
use std::{fmt::Write as _, io, path::Path};

/// The slowest rows of a table that has many.
const SLOWEST: usize = 25;

/// What has no figures: attacks by assistants.
const ASSISTANTS: &str = "## Assistants\n\n\
    [`hangtime mcp`](agents.md) is for programs that act by themselves, so it counts what they send as hostile. Without `--write`\n\
    nothing is written. With it, only files that people write in a game change, and only if the game has no new errors then.\n\
    `cargo test --test service -- assistants` attacks it: with paths and links that lead out, binary files, torn, deep and endless\n\
    messages, scripts that loop, huge answers, and closed pipes. Each is refused with a reason, nothing outside of the game is read\n\
    or written, and the next request is answered.\n\
    ";

/// Writes the page, and its plot next to it.
pub fn write(path: &Path, parts: &[(&Part, Found)]) -> io::Result<()> {
    let mut page = String::from(
        "# Figures\n\nWhat hangtime promises, and how hard we tried to break it. `cargo run --release --example trust` runs \
         every part and\nwrites this page. CI runs the same tests with less work.\n\n",
    );
    let _ = writeln!(page, "Machine: {}.\n", machine());
    for (part, found) in parts {
        let result = if !found.passed {
            "**Failed**"
        } else if found.figures.is_empty() {
            "**Not run**"
        } else {
            "Passed"
        };
        let _ = writeln!(page, "## {}\n\n{}\n", part.title, part.claim);
        page += &table(part, found, path)?;
        let _ = writeln!(
            page,
            "{result} on {}, at {}, in {} s: `{}`\n",
            found.date,
            found.revision,
            grouped(found.seconds.round() as u64),
            found.command
        );
    }
    page += ASSISTANTS;
    std::fs::write(path, page.trim_end().to_string() + "\n")
}

fn table(part: &Part, found: &Found, page: &Path) -> io::Result<String> {
    match part.name {
        "attacks" => Ok(attacks(&found.figures)),
        "hostile" => Ok(hostile(&found.figures)),
        "session" => session(part, &found.figures, page),
        _ => Ok(plain(part.columns, &found.figures)),
    }
}

/// One row for each line of figures.
fn plain(columns: &[&str], figures: &[Value]) -> String {
    let heads: Vec<String> = columns.iter().map(|key| key.replace('_', " ")).collect();
    let mut text = format!("| {} |\n|{}\n", heads.join(" | "), "---|".repeat(columns.len()));
    for row in figures {
        let cells: Vec<String> = columns.iter().map(|key| cell(&row[*key])).collect();
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    text + "\n"
}

fn cell(value: &Value) -> String {
    match value {
        Value::Number(number) => match number.as_u64() {
            Some(whole) => grouped(whole),
            None => format!("{:.1}", number.as_f64().unwrap_or_default()),
        },
        Value::String(text) => text.replace('|', "\\|"),
        other => other.to_string(),
    }
}

/// A number with commas between groups of three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn number(row: &Value, key: &str) -> f64 {
    row[key].as_f64().unwrap_or_default()
}

fn most(figures: &[Value], key: &str) -> f64 {
    figures.iter().map(|row| number(row, key)).fold(0.0, f64::max)
}

fn slowest_first(figures: &[Value], key: &str) -> Vec<Value> {
    let mut rows = figures.to_vec();
    rows.sort_by(|a, b| number(b, key).total_cmp(&number(a, key)));
    rows
}

fn attacks(figures: &[Value]) -> String {
    let mut text = format!(
        "{} attacks. Worst tick after the first: {:.1} ms; worst first tick: {:.1} ms; most memory: {:.0} MiB; longest check: \
         {:.1} s; longest time to open: {:.1} s. The {SLOWEST} with the slowest ticks:\n\n\
         | attack | tick, ms | first tick, ms | open, ms | check, ms | MiB | what it says |\n|---|---|---|---|---|---|---|\n",
        figures.len(),
        most(figures, "worst_ms"),
        most(figures, "first_ms"),
        most(figures, "kib") / 1024.0,
        most(figures, "check_ms") / 1e3,
        most(figures, "open_ms") / 1e3,
    );
    for row in slowest_first(figures, "worst_ms").iter().take(SLOWEST) {
        let _ = writeln!(
            text,
            "| {} | {:.1} | {:.1} | {:.0} | {:.0} | {:.0} | {} |",
            row["attack"].as_str().unwrap_or_default().replace('|', "\\|"),
            number(row, "worst_ms"),
            number(row, "first_ms"),
            number(row, "open_ms"),
            number(row, "check_ms"),
            number(row, "kib") / 1024.0,
            cell(&row["said"])
        );
    }
    text + "\n"
}

fn hostile(figures: &[Value]) -> String {
    let mut text = format!(
        "{} scripts that run. Worst tick: {:.1} ms; most memory that a tick takes: {:.1} MiB. The slowest:\n\n\
         | script | tick, ms | MiB |\n|---|---|---|\n",
        figures.len(),
        most(figures, "worst_ms"),
        most(figures, "bytes") / 1_048_576.0,
    );
    for row in slowest_first(figures, "worst_ms").iter().take(5) {
        let name = row["script"].as_str().unwrap_or_default();
        let megabytes = number(row, "bytes") / 1_048_576.0;
        let _ = writeln!(text, "| {name} | {:.1} | {megabytes:.1} |", number(row, "worst_ms"));
    }
    text + "\n"
}

fn session(part: &Part, figures: &[Value], page: &Path) -> io::Result<String> {
    let Some(row) = figures.first() else {
        return Ok(String::new());
    };
    let samples: Vec<f64> = row["kib"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|kib| kib.as_f64().unwrap_or_default() / 1024.0)
        .collect();
    let plot = page.with_file_name("trust-memory.svg");
    plot::memory(&plot, number(row, "seconds"), &samples)?;
    Ok(plain(part.columns, figures) + "![Memory over time](trust-memory.svg)\n\n")
}
