//! No two files of a crate use each other, directly or through others, and neither do two of its modules.

use crate::graph::{Graph, Use};
use crate::module::module_path;
use crate::source::{Source, crates};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// For each file or module, the ones it uses with the names of the items it takes from them.
type Edges = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

/// The shortest cycle through each file that is on one, each cycle once, as
/// `a.rs → b.rs (X, Y) → a.rs (Z)`: in parentheses what a file takes from the next.
fn cycles(files: &[Source]) -> Vec<String> {
    let mut edges = Edges::new();
    for Use { from, to, item, .. } in Graph::new(files).uses() {
        add(&mut edges, from, to, item);
    }
    cycles_of_edges(&edges)
}

/// The same for modules: what the files of one folder use of another folder or file next to it counts as a use of the
/// one by the other. A folder's own file may use what is in the folder.
fn module_cycles(files: &[Source]) -> Vec<String> {
    let mut levels: BTreeMap<Vec<String>, Edges> = BTreeMap::new();
    for Use { from, to, item, .. } in Graph::new(files).uses() {
        let (from, to) = (module_path(&from), module_path(&to));
        let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
        if common < from.len().min(to.len()) {
            let parent = from[..common].to_vec();
            let [from, to] = [from, to].map(|path| path[..=common].join("::"));
            add(levels.entry(parent).or_default(), from, to, item);
        }
    }
    levels.values().flat_map(cycles_of_edges).collect()
}

fn add(edges: &mut Edges, from: String, to: String, item: String) {
    let items = edges.entry(from).or_default().entry(to).or_default();
    items.insert(if item.is_empty() { "self".into() } else { item });
}

fn cycles_of_edges(edges: &Edges) -> Vec<String> {
    let mut cycles: Vec<Vec<&str>> = edges.keys().filter_map(|start| shortest_cycle(edges, start)).collect();
    cycles.sort_by_key(|cycle| (cycle.len(), cycle.clone()));
    cycles.dedup();
    cycles.iter().map(|cycle| shown(cycle, edges)).collect()
}

/// The shortest way from a file back to itself, from the alphabetically first on.
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
fn files_of_a_crate_do_not_import_each_other() {
    let found: Vec<String> = crates().iter().flat_map(|files| cycles(files)).collect();
    assert!(found.is_empty(), "files that import each other:\n{}", found.join("\n"));
}

/// Cycles between modules that are known, each by its first two modules.
const OPEN: &[&str] = &[
    "calls → check ",
    "calls::answer → calls::play ",
    "calls::arg → calls::play ",
    "calls::play → calls::table ",
    "files::media → files::sources ",
    "level_cache → live ",
    "runner → suite ",
    "sim::invocation → sim::why ",
];

#[test]
fn modules_of_a_crate_do_not_import_each_other() {
    let mut found: Vec<String> = crates().iter().flat_map(|files| module_cycles(files)).collect();
    found.retain(|cycle| !OPEN.iter().any(|open| cycle.starts_with(open)));
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
    assert_eq!(cycles(&files), [""; 0]);
    assert_eq!(module_cycles(&files), ["a → b (B) → a (Low)"]);
}

/// The cycles of a made-up crate.
fn cycles_of(files: &[(&str, &str)]) -> Vec<String> {
    let files: Vec<Source> = files.iter().map(|(name, text)| Source::new(name, text)).collect();
    cycles(&files)
}

#[test]
fn finds_two_files_that_import_each_other() {
    let found = cycles_of(&[
        ("lib.rs", "mod a;\nmod b;"),
        ("a.rs", "use crate::b::{Y, X};\npub struct Z;"),
        ("b.rs", "use super::a::Z;\npub struct X;\npub struct Y;"),
    ]);
    assert_eq!(found, ["a.rs → b.rs (X, Y) → a.rs (Z)"]);
}

#[test]
fn finds_a_cycle_of_three_files() {
    let found = cycles_of(&[
        ("lib.rs", "pub mod a; pub mod b; pub mod c;"),
        ("a.rs", "fn f() { crate::b::g(); }"),
        ("b.rs", "use crate::c;\npub fn g() { c::h(); }"),
        ("c.rs", "pub fn h() { super::a::f(); }"),
    ]);
    assert_eq!(found, ["a.rs → b.rs (g) → c.rs (h) → a.rs (f)"]);
}

#[test]
fn finds_a_cycle_through_mod_rs() {
    let found = cycles_of(&[
        ("lib.rs", "pub mod room;"),
        ("room/mod.rs", "mod leaf;\npub struct Shared;\nfn f() { leaf::g(); }"),
        ("room/leaf.rs", "use super::Shared;\npub fn g() -> Shared { Shared }"),
    ]);
    assert_eq!(found, ["room/leaf.rs → room/mod.rs (Shared) → room/leaf.rs (g)"]);
}

#[test]
fn finds_a_cycle_through_a_reexport_and_an_alias() {
    let found = cycles_of(&[
        ("lib.rs", "pub mod room; pub mod other; pub use room::Item as Thing;"),
        ("room/mod.rs", "mod item; mod deep;\npub use item::*;\npub use deep::Deep;"),
        ("room/item.rs", "pub struct Item(crate::other::Other);"),
        ("room/deep.rs", "pub struct Deep(crate::other::Other);"),
        ("other.rs", "use crate::{room as r, Thing};\npub struct Other(Thing, r::Deep);"),
    ]);
    let expected =
        ["other.rs → room/deep.rs (Deep) → other.rs (Other)", "other.rs → room/item.rs (Item) → other.rs (Other)"];
    assert_eq!(found, expected);
}

#[test]
fn finds_a_cycle_through_a_reexport_that_its_file_uses_itself() {
    let found = cycles_of(&[
        ("lib.rs", "pub mod room;"),
        ("room/mod.rs", "mod item;\npub use item::Item;\npub trait Shape { fn of(item: Item); }"),
        ("room/item.rs", "pub struct Item;\nimpl super::Shape for Item {}"),
    ]);
    assert_eq!(found, ["room/item.rs → room/mod.rs (Shape) → room/item.rs (Item)"]);
}

#[test]
fn a_tree_without_cycles_passes() {
    let found = cycles_of(&[
        ("lib.rs", "pub mod room; pub mod top;\n//! [`top::Top`]"),
        ("main.rs", "fn main() { hangtime::top::go(); }"),
        // Declaring and re-exporting children is not using them.
        ("room/mod.rs", "mod a;\nmod b;\npub use a::A;\npub(crate) use b::{B, C as D};"),
        ("room/a.rs", "// super::b::B\npub(in crate::room) struct A;\nfn f(x: A) { x.b::<u8>(\"crate::top::Top\"); }"),
        (
            "room/b.rs",
            "use super::A;\npub struct B(A);\npub struct C;\n#[cfg(test)]\nmod tests { use crate::top::Top; }",
        ),
        ("top.rs", "use crate::room::{self, A};\nuse std::fmt;\npub struct Top(room::B, A, room::D);"),
    ]);
    assert_eq!(found, [""; 0]);
}

#[test]
fn finds_cycles_through_globs_imported_modules_and_foreign_reexports() {
    let glob = cycles_of(&[
        ("lib.rs", "pub mod room;"),
        ("room/mod.rs", "mod a; mod b; pub use a::A; pub use b::B;"),
        ("room/a.rs", "use super::*; pub struct A(Box<B>);"),
        ("room/b.rs", "use super::*; pub struct B(A);"),
    ]);
    assert_eq!(glob, ["room/a.rs → room/b.rs (B) → room/a.rs (A)"]);
    let imported = cycles_of(&[
        ("lib.rs", "pub mod room; pub mod other;"),
        ("room/mod.rs", "pub mod a; pub use a::A;"),
        ("room/a.rs", "use crate::other::B; pub struct A(B);"),
        ("other.rs", "use crate::room; use room::A; pub struct B(A);"),
    ]);
    assert_eq!(imported, ["other.rs → room/a.rs (A) → other.rs (B)"]);
    let foreign = cycles_of(&[
        ("lib.rs", "pub mod a; pub mod b;"),
        ("a.rs", "pub use crate::b::B; pub struct A;"),
        ("b.rs", "use crate::a::A; pub struct B(A);"),
    ]);
    assert_eq!(foreign, ["a.rs → b.rs (B) → a.rs (A)"]);
}

/// The graph has one module for each file, and finds macros by their paths.
#[test]
fn the_code_has_nothing_that_the_graph_cannot_follow() {
    for file in crates().concat() {
        let tokens = file.tokens();
        let inline = |w: &[crate::source::Token]| w[0].text == "mod" && w[2].text == "{";
        let facade = file.name == "src/lib.rs";
        assert!(facade || !tokens.windows(3).any(inline), "{}: inline module", file.name);
        for words in [["macro_use", "]"], ["macro_export", "]"], ["include", "!"]] {
            let found = tokens.windows(2).any(|w| w[0].text == words[0] && w[1].text == words[1]);
            assert!(!found, "{}: `{}`", file.name, words[0]);
        }
    }
}
