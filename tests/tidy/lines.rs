//! Code line by line, with imports spelled out.

use crate::source::Source;

/// The lines of a file's code with their numbers. Imports are one path each, however they were
/// grouped; paths that climb from a module to the crate's root begin with `crate::`.
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
            found.push((number, from_root(&file.name, line)));
            continue;
        }
        let mut statement = line.to_string();
        while !statement.contains(';') {
            let Some((_, more)) = lines.next() else { break };
            statement += more.trim();
        }
        let tree = statement.split_once("use ").map_or("", |(_, tree)| tree);
        for path in spelled_out(tree.trim().trim_end_matches(';')) {
            found.push((number, from_root(&file.name, &format!("use {path};"))));
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

/// A line of a file in which `crate::` replaces the run of `super::` that leads to the root.
fn from_root(name: &str, line: &str) -> String {
    let path = name.trim_end_matches(".rs").trim_end_matches("/mod");
    let climb = "super::".repeat(path.split('/').count());
    line.replace(&climb, "crate::")
}

/// Whether a line contains a word that is not the end of a longer one. `script::rhai` is a module
/// of this crate, not the crate `rhai`.
pub fn mentions(line: &str, word: &str) -> bool {
    let within = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| {
        let before = &line[..at];
        let longer = word.starts_with(within) && before.ends_with(within);
        !longer && !before.ends_with("script::")
    })
}
