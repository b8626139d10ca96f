//! No cycle of imports leads through a folder: what is in a folder knows nothing of its neighbors that use it. Files of
//! one folder are one room and may use each other.

use crate::{
    graph::{Graph, Use},
    module::module_path,
    source::{Source, crates},
};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// For each file or module, the ones it uses with the names of the items it takes from them.
type Edges = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

/// The shortest cycle through each folder that is on one, each cycle once, as `a → b (X, Y) → a (Z)`: in parentheses what
/// a module takes from the next. What the files of a folder use of a folder or file next to it counts as a use of the one
/// by the other. A folder's own file may use what is in the folder.
fn cycles(files: &[Source]) -> Vec<String> {
    let mut levels: BTreeMap<Vec<String>, (Edges, BTreeSet<String>)> = BTreeMap::new();
    for Use { from, to, item, .. } in Graph::new(files).uses() {
        let paths = [module_path(&from), module_path(&to)];
        let common = paths[0].iter().zip(&paths[1]).take_while(|(a, b)| a == b).count();
        if paths.iter().any(|path| path.len() <= common) {
            continue;
        }
        let (edges, folders) = levels.entry(paths[0][..common].to_vec()).or_default();
        let [from, to] = [&paths[0], &paths[1]].map(|path| path[..=common].join("::"));
        for (path, name) in paths.iter().zip([&from, &to]) {
            if path.len() > common + 1 {
                folders.insert(name.clone());
            }
        }
        let items = edges.entry(from).or_default().entry(to).or_default();
        items.insert(if item.is_empty() { "self".into() } else { item });
    }
    levels.values().flat_map(|(edges, folders)| cycles_through(edges, folders)).collect()
}

fn cycles_through(edges: &Edges, starts: &BTreeSet<String>) -> Vec<String> {
    let mut cycles: Vec<Vec<&str>> = starts.iter().filter_map(|start| shortest_cycle(edges, start)).collect();
    cycles.sort_by_key(|cycle| (cycle.len(), cycle.clone()));
    cycles.dedup();
    cycles.iter().map(|cycle| shown(cycle, edges)).collect()
}

/// The shortest path from a file back to itself, from the alphabetically first on.
fn shortest_cycle<'a>(edges: &'a Edges, start: &'a str) -> Option<Vec<&'a str>> {
    let mut came_from: BTreeMap<&str, &str> = BTreeMap::new();
    let mut queue = VecDeque::from([start]);
    while let Some(file) = queue.pop_front() {
        for next in edges.get(file)?.keys().filter(|next| edges.contains_key(*next)) {
            if next == start {
                let mut cycle = vec![file];
                while let Some(before) = came_from.get(cycle[cycle.len() - 1]) {
                    cycle.push(before);
                }
                cycle.reverse();
                let first = (0..cycle.len()).min_by_key(|i| cycle[*i]).unwrap_or(0);
                cycle.rotate_left(first);
                return Some(cycle);
            }
            if !came_from.contains_key(next.as_str()) {
                came_from.insert(next, file);
                queue.push_back(next);
            }
        }
    }
    None
}

fn shown(cycle: &[&str], edges: &Edges) -> String {
    let mut text = cycle[0].to_string();
    for (i, file) in cycle.iter().enumerate() {
        let next = cycle[(i + 1) % cycle.len()];
        let items: Vec<&str> = edges[*file][next].iter().map(String::as_str).collect();
        text += &format!(" → {next} ({})", items.join(", "));
    }
    text
}

#[test]
fn modules_of_a_crate_do_not_import_each_other() {
    let found: Vec<String> = crates().iter().flat_map(|files| cycles(files)).collect();
    assert!(found.is_empty(), "modules that import each other:\n{}", found.join("\n"));
}

#[test]
fn finds_modules_that_import_each_other() {
    let files = [
        ("lib.rs", "pub mod a; pub mod b;"),
        ("a/mod.rs", "pub mod high; pub mod low;"),
        ("a/high.rs", "use crate::b::B; use super::low::Low;"),
        ("a/low.rs", "pub struct Low;"),
        ("b.rs", "use crate::a::low::Low; pub struct B(Low);"),
    ];
    let files = files.map(|(name, text)| Source::new(name, text));
    assert_eq!(cycles(&files), ["a → b (B) → a (Low)"]);
}

#[test]
fn files_of_one_folder_may_use_each_other() {
    let files = [
        ("lib.rs", "pub mod a;"),
        ("a/mod.rs", "mod b; mod c; pub struct Shared;"),
        ("a/b.rs", "use super::c::C; pub struct B(C);"),
        ("a/c.rs", "use super::{Shared, b::B}; pub struct C(Box<B>, Shared);"),
    ];
    let files = files.map(|(name, text)| Source::new(name, text));
    assert_eq!(cycles(&files), [""; 0]);
}

/// The graph has one module for each file, and finds macros by their paths.
#[test]
fn the_code_has_nothing_that_the_graph_cannot_follow() {
    for file in crates().concat() {
        let tokens = file.tokens();
        let inline = |w: &[crate::source::Token]| w[0].text == "mod" && w[2].text == "{";
        let facade = file.name == "src/lib.rs";
        assert!(facade || !tokens.windows(3).any(inline), "{}: inline module", file.name);
        // Macros for several crates are at the root of theirs. They name only the room that declares them, which every user
        // of them names, too.
        let for_crates = file.name.ends_with("script/src/api/declared.rs");
        for words in [["macro_use", "]"], ["macro_export", "]"], ["include", "!"]] {
            let found = !(for_crates && words[0] == "macro_export")
                && tokens.windows(2).any(|w| w[0].text == words[0] && w[1].text == words[1]);
            assert!(!found, "{}: `{}`", file.name, words[0]);
        }
    }
}
