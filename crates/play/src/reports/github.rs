//! Failures as annotations of GitHub Actions, which shows them next to the line in the changes of a pull
//! request.

use super::*;

/// The largest number of characters of a message in an annotation.
const MOST_MESSAGE: usize = 2000;

/// The command that annotates the line of a failure: `::error file=…,line=…::…`. `root` is the game
/// folder; paths count from the working directory.
pub fn github_annotation(root: &Path, result: &TestResult) -> String {
    let mut properties = Vec::new();
    if let Some(wrong) = result.diagnostic() {
        let name = wrong.file_name();
        let below = root.join(name);
        let plain = root == Path::new(".") || !below.exists();
        let path = if plain { name.to_string() } else { below.display().to_string() };
        if !path.is_empty() {
            properties.push(("file", path));
        }
    }
    if let Some(place) = result.place() {
        let (line, column) = place.position();
        properties.push(("line", line.to_string()));
        properties.push(("col", column.to_string()));
    }
    properties.push(("title", result.name.clone()));
    let properties: Vec<String> = properties.iter().map(|(key, value)| format!("{key}={}", property(value))).collect();
    // Further lines are in the log.
    let message = result
        .diagnostic()
        .map_or("failed", |wrong| wrong.message.lines().next().unwrap_or_default());
    let message = format!("{message}\nrerun: {}", result.rerun);
    format!("::error {}::{}", properties.join(","), data(&message))
}

/// The value of a property of a command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// The message of a command.
fn data(text: &str) -> String {
    printable(&cut(text, MOST_MESSAGE))
        .replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// A text that has no commands for GitHub Actions: content that prints must not steer the job. A line
/// that would be a command begins with `| `.
pub fn without_commands(text: &str) -> Cow<'_, str> {
    let is_command = |line: &str| {
        let line = line.trim_start();
        line.starts_with("::") || line.starts_with("##[")
    };
    if !text.lines().any(is_command) {
        return Cow::Borrowed(text);
    }
    let guard = |line: &str| {
        let mark = if is_command(line) { "| " } else { "" };
        format!("{mark}{line}")
    };
    let lines: Vec<String> = text.lines().map(guard).collect();
    Cow::Owned(lines.join("\n"))
}
