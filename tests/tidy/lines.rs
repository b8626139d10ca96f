//! Code line by line, with imports spelled out.

use crate::source::Source;

/// The lines of a file's code with their numbers. Imports are one path each, however they were grouped.
pub fn code_lines(file: &Source) -> Vec<(usize, String)> {
    let mut lines = file
        .code
        .lines()
        .enumerate()
        .map(|(i, line)| (i + 1, line))
        .filter(|(_, line)| !line.trim().is_empty());
    let mut found = Vec::new();
    while let Some((number, line)) = lines.next() {
        let mut words = line.split_whitespace().filter(|w| !w.starts_with("pub"));
        if words.next() != Some("use") {
            found.push((number, line.to_string()));
            continue;
        }
        let mut statement = line.to_string();
        while !statement.contains(';') {
            let Some((_, more)) = lines.next() else { break };
            statement += more.trim();
        }
        let tree = statement.split_once("use ").map_or("", |(_, tree)| tree);
        for path in spelled_out(tree.trim().trim_end_matches(';')) {
            found.push((number, format!("use {path};")));
        }
    }
    found
}

/// The paths of a tree of imports: `a::{b, c::{d, e}}` is `a::b`, `a::c::d` and `a::c::e`.
fn spelled_out(tree: &str) -> Vec<String> {
    let Some((stem, rest)) = tree.split_once('{') else {
        return vec![tree.trim().to_string()];
    };
    let inside = rest.rsplit_once('}').map_or(rest, |(inside, _)| inside);
    let mut depth = 0;
    let branches = inside.split(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    });
    branches
        .filter(|branch| !branch.trim().is_empty())
        .flat_map(spelled_out)
        .map(|path| format!("{}{path}", stem.trim()))
        .collect()
}

/// Whether a line contains a word that is not the end of a longer one.
pub fn mentions(line: &str, word: &str) -> bool {
    let within = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word)
        .any(|(at, _)| !(word.starts_with(within) && line[..at].ends_with(within)))
}
