//! What a file imports, mentions and defines.

use crate::source::{Source, Token};
use std::collections::BTreeSet;

/// A path from the crate's root, one segment each.
pub type Path = Vec<String>;

/// An import: `use path as name;`.
pub struct Import {
    pub line: usize,
    pub name: String,
    pub path: Path,
}

/// A path in code outside of imports.
pub struct Mention {
    pub line: usize,
    pub path: Path,
}

pub struct Module {
    pub file: String,
    pub imports: Vec<Import>,
    pub mentions: Vec<Mention>,
    /// Names of the items defined here.
    pub defined: BTreeSet<String>,
}

impl Module {
    pub fn read(file: &Source) -> Self {
        let tokens = file.tokens();
        let mut module =
            Self { file: file.name.clone(), imports: Vec::new(), mentions: Vec::new(), defined: BTreeSet::new() };
        let mut at = 0;
        while at < tokens.len() {
            let next = tokens.get(at + 1).map_or("", |token| token.text);
            match tokens[at].text {
                // `use<'a>` in a signature is not an import.
                "use" if next != "<" => at = module.read_import(&tokens, at),
                "struct" | "enum" | "trait" | "union" | "type" | "fn" | "const" | "static" => {
                    module.defined.insert(next.into());
                    at += 1;
                }
                "macro_rules" => {
                    let name = tokens.get(at + 2).map_or("", |token| token.text);
                    module.defined.insert(name.into());
                    at += 3;
                }
                _ if tokens[at].is_word() => at = module.read_mention(&tokens, at),
                _ => at += 1,
            }
        }
        module
    }

    /// Reads the import that begins at `at`; returns where it ends.
    fn read_import(&mut self, tokens: &[Token<'_>], at: usize) -> usize {
        let length = tokens[at..].iter().position(|token| token.text == ";");
        let end = length.map_or(tokens.len(), |length| at + length);
        for path in spelled_out(&tokens[at + 1..end]) {
            let (path, name) = match path.iter().position(|segment| segment == "as") {
                Some(place) => (path[..place].to_vec(), path[place + 1..].concat()),
                None => (path.clone(), path.last().cloned().unwrap_or_default()),
            };
            self.imports.push(Import { line: tokens[at].line, name, path });
        }
        end
    }

    /// Reads the path that begins at `at`; returns where it ends.
    fn read_mention(&mut self, tokens: &[Token<'_>], at: usize) -> usize {
        let mut path = vec![tokens[at].text.to_string()];
        let mut end = at + 1;
        while let [colons, next, ..] = &tokens[end..]
            && colons.text == "::"
            && next.is_word()
        {
            path.push(next.text.into());
            end += 2;
        }
        let before = at.checked_sub(1).map_or("", |i| tokens[i].text);
        // Fields and methods are not paths, nor is the place in `pub(in crate::place)`.
        let visibility = before == "in" && at >= 3 && tokens[at - 3].text == "pub";
        if before != "." && !visibility {
            self.mentions.push(Mention { line: tokens[at].line, path });
        }
        end
    }

    /// The import that a path outside of imports begins with. It leads to a module, or is a re-export.
    pub fn import(&self, name: &str) -> Option<&Import> {
        self.imports.iter().find(|import| import.name == name)
    }
}

/// The module path of a file, from the root of its crate.
pub fn module_path(file: &str) -> Path {
    let below = file.split_once("src/").map_or(file, |(_, below)| below);
    let mut path: Path = below.trim_end_matches(".rs").split('/').map(String::from).collect();
    if path.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
        path.pop();
    }
    path
}

/// The paths of a tree of imports: `a::{b, c::{self, d}}` is `a::b`, `a::c` and `a::c::d`. An
/// alias stays at the end: `a::b as c` is `a`, `b`, `as`, `c`.
fn spelled_out(tree: &[Token<'_>]) -> Vec<Path> {
    let open = tree.iter().position(|token| token.text == "{");
    let stem = &tree[..open.unwrap_or(tree.len())];
    let stem: Path = stem
        .iter()
        .filter(|token| token.text != "::")
        .map(|token| token.text.to_string())
        .collect();
    let Some(open) = open else {
        return vec![stem];
    };
    let close = tree.iter().rposition(|token| token.text == "}");
    let inside = &tree[open + 1..close.unwrap_or(tree.len())];
    let mut depth = 0;
    let branches = inside.split(|token| {
        depth += i32::from(token.text == "{") - i32::from(token.text == "}");
        token.text == "," && depth == 0
    });
    branches
        .filter(|branch| !branch.is_empty())
        .flat_map(spelled_out)
        .map(|mut branch| {
            // `a::{self}` is `a`.
            if branch.first().is_some_and(|first| first == "self") && !stem.is_empty() {
                branch.remove(0);
                if branch.is_empty() {
                    return stem.clone();
                }
            }
            [stem.clone(), branch].concat()
        })
        .collect()
}
