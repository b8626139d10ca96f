//! The tables of the page about speed, each between two comments of the page.

use serde_json::Value;
use std::fmt::Write as _;

/// The page with the tables of a run of `benches/peers`.
///
/// # Errors
/// If the page has no place for them, or the file is not of such a run.
pub fn with_peers(page: &str, run: &Value) -> Result<String, String> {
    let rows = run["rows"].as_array().ok_or("the file of the peers has no `rows`")?;
    let source = source_of(run);
    let mut page = page.to_string();
    let sets = [
        ("characters", ["edges", "characters"]),
        ("queries", ["edges", "query"]),
        ("bodies", ["push, px/s", "bodies"]),
    ];
    for (set, heads) in sets {
        let of_set: Vec<&Value> = rows.iter().filter(|row| row["set"] == set).collect();
        if !of_set.is_empty() {
            let written = format!("{source}\n\n{}", ratios(heads, &of_set)?);
            page = replaced(&page, &format!("peers {set}"), &written)?;
        }
    }
    Ok(page)
}

/// The page with what `cargo bench` has printed for a bench, on this day and machine: a table of the lines that have a bound,
/// or all lines if none has.
///
/// # Errors
/// If the page has no place for it.
pub fn with_bench(page: &str, name: &str, printed: &str, measured: &str) -> Result<String, String> {
    let mut written = format!("{measured}:\n\n");
    let bounded = printed.lines().filter(|line| line.contains("(bound"));
    let split = bounded.filter_map(|line| line.trim().split_once(": "));
    let lines: Vec<(&str, &str)> = split.collect();
    if lines.is_empty() {
        let _ = write!(written, "```text\n{}\n```", printed.trim_matches('\n').trim_end());
    } else {
        written += "| what | measured |\n|---|---|";
        for (what, value) in lines {
            let _ = write!(written, "\n| {} | {} |", cell(what), cell(value.trim()));
        }
    }
    replaced(page, &format!("bench {name}"), &written)
}

/// Puts a text between the two comments with this name.
fn replaced(page: &str, name: &str, text: &str) -> Result<String, String> {
    let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->"));
    let missing = || format!("the page has no `{}` with `{end}` after it", begin.trim_end());
    let (before, rest) = page.split_once(&begin).ok_or_else(missing)?;
    let (_, after) = rest.split_once(&end).ok_or_else(missing)?;
    Ok(format!("{before}{begin}\n{text}\n\n{end}{after}"))
}

/// The line that says where the numbers come from.
fn source_of(run: &Value) -> String {
    let text = |key: &str| run[key].as_str().unwrap_or("unknown").to_string();
    let mut source = format!(
        "{}, {}, hangtime {} at {}, Box2D {}, Rapier {}.",
        text("date"),
        text("machine"),
        text("hangtime"),
        text("revision"),
        text("box2d"),
        text("rapier")
    );
    if run["box2d_asserts"] == true {
        source += " Box2D was built with its assertions, which cost it time.";
    }
    source
}

/// A row for each setting, with our time and how many times more each peer takes, here and in the last release.
fn ratios(heads: [&str; 2], rows: &[&Value]) -> Result<String, String> {
    let number = |row: &Value, key: &str| row[key].as_f64().ok_or_else(|| format!("a row has no `{key}`: {row}"));
    let engine = |row: &Value| row["engine"].as_str().unwrap_or_default().to_string();
    let mut peers: Vec<String> = Vec::new();
    let setting = |row: &Value| -> Result<[String; 2], String> {
        let count = match row["query"].as_str() {
            Some(query) => cell(query),
            None => grouped(number(row, "count")?),
        };
        Ok([grouped(number(row, "setting")?), count])
    };
    let mut settings: Vec<[String; 2]> = Vec::new();
    for row in rows {
        let setting = setting(row)?;
        if !settings.contains(&setting) {
            settings.push(setting);
        }
        let name = engine(row);
        if row["is_ours"] != true && !peers.contains(&name) {
            peers.push(name);
        }
    }
    let names: Vec<String> = peers.iter().map(|name| format!("{} / ours", cell(name))).collect();
    let mut table = format!("| {} | {} | ours, ns | {} |\n", heads[0], heads[1], names.join(" | "));
    let _ = write!(table, "|{}", "---|".repeat(3 + peers.len()));
    for of in settings {
        let mut of_setting = Vec::new();
        for row in rows {
            if setting(row)? == of {
                of_setting.push(row);
            }
        }
        let ours = of_setting.iter().find(|row| row["is_ours"] == true);
        let ours = ours.map(|row| number(row, "ns")).transpose()?.map(|ns| format!("{ns:.0}"));
        let _ = write!(table, "\n| {} | {} |", of.join(" | "), ours.unwrap_or_default());
        for peer in &peers {
            let row = of_setting.iter().find(|row| engine(row) == *peer);
            let text = match row {
                None => String::new(),
                Some(row) => match row["released_to_ours"].as_f64() {
                    Some(released) => format!("{:.2} (last release {released:.2})", number(row, "to_ours")?),
                    None => format!("{:.2}", number(row, "to_ours")?),
                },
            };
            let _ = write!(table, " {text} |");
        }
    }
    Ok(table)
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// A whole number with commas between groups of three digits.
fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
