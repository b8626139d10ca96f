//! Which items each file uses of other files: Rust's module paths, resolved to the file that defines
//! the item, through re-exports and imported modules.

use crate::{
    module::{Mention, Module, Path, module_path},
    source::Source,
};
use std::collections::{BTreeMap, BTreeSet};

/// A use of an item of another file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Use {
    pub from: String,
    pub line: usize,
    /// The file that defines the item.
    pub to: String,
    /// The item; empty for the module itself.
    pub item: String,
}

/// The modules of a crate by their paths; the root has the empty path.
pub struct Graph(BTreeMap<Path, Module>);

impl Graph {
    /// Reads the files of a crate. The program of the root package only calls its library, so the library counts.
    pub fn new(files: &[Source]) -> Self {
        let files = files.iter().filter(|file| file.name != "src/main.rs");
        Self(files.map(|file| (module_path(&file.name), Module::read(file))).collect())
    }

    /// All uses of items of other files, sorted.
    pub fn uses(&self) -> Vec<Use> {
        let mut found = BTreeSet::new();
        for (own, module) in &self.0 {
            for (line, path) in self.paths_used(own, module) {
                let Some((target, item)) = self.resolve(&path) else {
                    continue;
                };
                if target != *own {
                    found.insert(Use { from: module.file.clone(), line, to: self.0[&target].file.clone(), item });
                }
            }
        }
        found.into_iter().collect()
    }

    /// The absolute paths that a module names, each with its line. Imports from modules below it
    /// count only if its own code uses them, and an imported module only if no path goes through it.
    fn paths_used(&self, own: &Path, module: &Module) -> Vec<(usize, Path)> {
        let mut paths = Vec::new();
        for Mention { line, path } in &module.mentions {
            let Some(absolute) = self.through_imports(own, module, path) else {
                // A name from a glob import.
                for import in module.imports.iter().filter(|import| import.name == "*") {
                    if let Some(mut found) = self.through_imports(own, module, &import.path) {
                        found.pop();
                        found.extend_from_slice(path);
                        paths.extend(self.reexported(&found).then_some((*line, found)));
                    }
                }
                continue;
            };
            // The name of a child module alone does not count as use.
            if path.len() > 1 || self.absolute(own, path).is_none() {
                paths.push((*line, absolute));
            }
        }
        for import in &module.imports {
            let Some(path) = self.through_imports(own, module, &import.path) else {
                continue;
            };
            let through = |mention: &Mention| mention.path[0] == import.name && mention.path.len() > 1;
            let counts = import.name != "*" && !path.starts_with(own);
            if counts && (!self.0.contains_key(&path) || !module.mentions.iter().any(through)) {
                paths.push((import.line, path));
            }
        }
        paths
    }

    /// A path as written in a module, from the crate's root, also where it begins with an imported
    /// name.
    fn through_imports(&self, own: &Path, module: &Module, path: &[String]) -> Option<Path> {
        self.absolute(own, path).or_else(|| {
            let import = module.import(&path[0])?;
            let mut found = self.absolute(own, &import.path)?;
            found.extend_from_slice(&path[1..]);
            Some(found)
        })
    }

    /// Whether a path names something that its module only re-exports.
    fn reexported(&self, path: &[String]) -> bool {
        let (_, stem) = path.split_last().expect("a name");
        let found = self.resolve(path);
        found.is_some_and(|(target, item)| target != stem && self.0[&target].defined.contains(&item))
    }

    /// A path as written in a module, from the crate's root; none for other crates and for local
    /// names.
    fn absolute(&self, own: &Path, path: &[String]) -> Option<Path> {
        let mut base = own.clone();
        let mut rest = path;
        match rest.first()?.as_str() {
            "crate" => return Some(rest[1..].to_vec()),
            "self" => rest = &rest[1..],
            "super" => {
                while let Some((_, after)) = rest.split_first().filter(|(first, _)| *first == "super") {
                    base.pop();
                    rest = after;
                }
            }
            child => {
                base.push(child.into());
                if !self.0.contains_key(&base) {
                    return None;
                }
                rest = &rest[1..];
            }
        }
        base.extend_from_slice(rest);
        Some(base)
    }

    /// The module that defines what a path leads to, and the item's name there; the name is empty
    /// if the path leads to a module.
    fn resolve(&self, path: &[String]) -> Option<(Path, String)> {
        self.resolve_new(path, &mut BTreeSet::new())
    }

    /// The same for a path that was not looked at yet: imports that lead to each other lead nowhere.
    fn resolve_new(&self, path: &[String], seen: &mut BTreeSet<Path>) -> Option<(Path, String)> {
        if !seen.insert(path.to_vec()) {
            return None;
        }
        let length = (0..=path.len()).rev().find(|length| self.0.contains_key(&path[..*length]))?;
        let (own, rest) = path.split_at(length);
        let Some((name, after)) = rest.split_first() else {
            return Some((own.to_vec(), String::new()));
        };
        let (own, module) = (own.to_vec(), &self.0[own]);
        if module.defined.contains(name) {
            return Some((own, name.clone()));
        }
        // Files of a folder see its private imports, too.
        for import in &module.imports {
            let Some(mut next) = self.absolute(&own, &import.path) else {
                continue;
            };
            if import.name == *name {
                next.extend_from_slice(after);
                return self.resolve_new(&next, seen);
            }
            if import.name == "*" {
                next.pop();
                next.extend_from_slice(rest);
                let found = self.resolve_new(&next, seen);
                if let Some((target, _)) = &found
                    && self.0[target].defined.contains(name)
                {
                    return found;
                }
            }
        }
        Some((own, name.clone()))
    }
}

/// The uses of a made-up crate, as `a.rs → b.rs (X)`.
fn uses_of(files: &[(&str, &str)]) -> Vec<String> {
    let files: Vec<Source> = files.iter().map(|(name, text)| Source::new(name, text)).collect();
    let uses = Graph::new(&files).uses();
    uses.iter().map(|Use { from, to, item, .. }| format!("{from} → {to} ({item})")).collect()
}

#[test]
fn follows_paths_through_super_and_crate() {
    let found = uses_of(&[
        ("lib.rs", "mod a;\nmod b;\npub mod room;"),
        ("a.rs", "use crate::b::{Y, X};\npub struct Z;"),
        ("b.rs", "use super::a::Z;\npub struct X;\npub struct Y;"),
        ("room/mod.rs", "mod leaf;\npub struct Shared;\nfn f() { leaf::g(); }"),
        ("room/leaf.rs", "use super::Shared;\npub fn g() -> Shared { Shared }"),
    ]);
    let expected = [
        "a.rs → b.rs (X)",
        "a.rs → b.rs (Y)",
        "b.rs → a.rs (Z)",
        "room/leaf.rs → room/mod.rs (Shared)",
        "room/mod.rs → room/leaf.rs (g)",
    ];
    assert_eq!(sorted(found), expected);
}

fn sorted(mut uses: Vec<String>) -> Vec<String> {
    uses.sort();
    uses.dedup();
    uses
}

#[test]
fn follows_reexports_and_aliases() {
    let found = uses_of(&[
        ("lib.rs", "pub mod room; pub mod other; pub use room::Item as Thing;"),
        ("room/mod.rs", "mod item; mod deep;\npub use item::*;\npub use deep::Deep;"),
        ("room/item.rs", "pub struct Item(crate::other::Other);"),
        ("room/deep.rs", "pub struct Deep(crate::other::Other);"),
        ("other.rs", "use crate::{room as r, Thing};\npub struct Other(Thing, r::Deep);"),
    ]);
    let expected = [
        "other.rs → room/deep.rs (Deep)",
        "other.rs → room/item.rs (Item)",
        "room/deep.rs → other.rs (Other)",
        "room/item.rs → other.rs (Other)",
    ];
    assert_eq!(sorted(found), expected);
}

#[test]
fn follows_globs_imported_modules_and_foreign_reexports() {
    let glob = uses_of(&[
        ("lib.rs", "pub mod room;"),
        ("room/mod.rs", "mod a; mod b; pub use a::A; pub use b::B;"),
        ("room/a.rs", "use super::*; pub struct A(Box<B>);"),
        ("room/b.rs", "use super::*; pub struct B(A);"),
    ]);
    assert_eq!(sorted(glob), ["room/a.rs → room/b.rs (B)", "room/b.rs → room/a.rs (A)"]);
    let foreign = uses_of(&[
        ("lib.rs", "pub mod a; pub mod b;"),
        ("a.rs", "pub use crate::b::B; pub struct A;"),
        ("b.rs", "use crate::a::A; pub struct B(A);"),
    ]);
    assert_eq!(sorted(foreign), ["a.rs → b.rs (B)", "b.rs → a.rs (A)"]);
}

#[test]
fn declarations_comments_and_tests_are_no_uses() {
    let found = uses_of(&[
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
    let expected =
        ["room/b.rs → room/a.rs (A)", "top.rs → room/a.rs (A)", "top.rs → room/b.rs (B)", "top.rs → room/b.rs (C)"];
    assert_eq!(sorted(found), expected);
}
