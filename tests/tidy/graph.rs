//! Which file uses which items of which other file: Rust's module paths, resolved to the file that
//! defines the item, through re-exports and imported modules.

use crate::source::{Source, Token};
use std::collections::{BTreeMap, BTreeSet};

/// A path from the crate's root, one segment each.
type Path = Vec<String>;

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

/// An import: `use path as name;`.
struct Import {
    line: usize,
    name: String,
    path: Path,
    public: bool,
}

/// A path in code outside of imports.
struct Mention {
    line: usize,
    path: Path,
}

struct Module {
    file: String,
    imports: Vec<Import>,
    mentions: Vec<Mention>,
    /// Names of the items defined here.
    defined: BTreeSet<String>,
}

/// The modules of a crate by their paths; the root has the empty path.
pub struct Graph(BTreeMap<Path, Module>);

impl Graph {
    /// Reads the files of a `src` folder. `main.rs` is another crate and is left out.
    pub fn new(files: &[Source]) -> Self {
        let library = files.iter().filter(|file| file.name != "main.rs");
        Self(
            library
                .map(|file| (module_path(&file.name), Module::read(file)))
                .collect(),
        )
    }

    /// All uses of items of other files, sorted.
    pub fn uses(&self) -> Vec<Use> {
        let mut found = BTreeSet::new();
        for (own, module) in &self.0 {
            for (line, path) in self.paths_used(own, module) {
                let Some((target, item)) = self.resolve(&path, 0) else {
                    continue;
                };
                if target != *own {
                    found.insert(Use {
                        from: module.file.clone(),
                        line,
                        to: self.0[&target].file.clone(),
                        item,
                    });
                }
            }
        }
        found.into_iter().collect()
    }

    /// The absolute paths that a module names, each with its line. Re-exports count only if the
    /// module's own code uses them, and an imported module only if no path goes through it.
    fn paths_used(&self, own: &Path, module: &Module) -> Vec<(usize, Path)> {
        let mut paths = Vec::new();
        for mention in &module.mentions {
            if let Some(path) = self.absolute(own, &mention.path) {
                if mention.path.len() > 1 {
                    paths.push((mention.line, path));
                }
            } else if let Some(import) = module.import(&mention.path[0]) {
                if let Some(mut path) = self.absolute(own, &import.path) {
                    path.extend_from_slice(&mention.path[1..]);
                    paths.push((mention.line, path));
                }
            }
        }
        for import in module.imports.iter().filter(|import| !import.public) {
            let Some(path) = self.absolute(own, &import.path) else {
                continue;
            };
            let through =
                |mention: &Mention| mention.path[0] == import.name && mention.path.len() > 1;
            if !self.0.contains_key(&path) || !module.mentions.iter().any(through) {
                paths.push((import.line, path));
            }
        }
        paths
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
                while let Some((_, after)) =
                    rest.split_first().filter(|(first, _)| *first == "super")
                {
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
    /// if the path is that of a module.
    fn resolve(&self, path: &[String], depth: usize) -> Option<(Path, String)> {
        // Re-exports that lead to each other lead nowhere.
        if depth > 12 {
            return None;
        }
        let length = (0..=path.len())
            .rev()
            .find(|length| self.0.contains_key(&path[..*length]))?;
        let (own, rest) = path.split_at(length);
        let Some((name, after)) = rest.split_first() else {
            return Some((own.to_vec(), String::new()));
        };
        let (own, module) = (own.to_vec(), &self.0[own]);
        if module.defined.contains(name) {
            return Some((own, name.clone()));
        }
        let public = module.imports.iter().filter(|import| import.public);
        for import in public {
            let Some(mut next) = self.absolute(&own, &import.path) else {
                continue;
            };
            if import.name == *name {
                next.extend_from_slice(after);
                return self.resolve(&next, depth + 1);
            }
            if import.name == "*" {
                next.pop();
                next.extend_from_slice(rest);
                let found = self.resolve(&next, depth + 1);
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

impl Module {
    fn read(file: &Source) -> Self {
        let tokens = file.tokens();
        let mut module = Self {
            file: file.name.clone(),
            imports: Vec::new(),
            mentions: Vec::new(),
            defined: BTreeSet::new(),
        };
        let mut at = 0;
        while at < tokens.len() {
            let next = tokens.get(at + 1).map_or("", |token| token.text);
            match tokens[at].text {
                // `use<'a>` in a signature is no import.
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
        let public = at > 0
            && match tokens[at - 1].text {
                "pub" => true,
                ")" => tokens[..at].iter().rev().take(6).any(|t| t.text == "pub"),
                _ => false,
            };
        for path in spelled_out(&tokens[at + 1..end]) {
            let (path, name) = match path.iter().position(|segment| segment == "as") {
                Some(place) => (path[..place].to_vec(), path[place + 1..].concat()),
                None => (path.clone(), path.last().cloned().unwrap_or_default()),
            };
            self.imports.push(Import {
                line: tokens[at].line,
                name,
                path,
                public,
            });
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
        // Fields and methods are no paths, nor is the place in `pub(in crate::place)`.
        let visibility = before == "in" && at >= 3 && tokens[at - 3].text == "pub";
        if before != "." && !visibility {
            self.mentions.push(Mention {
                line: tokens[at].line,
                path,
            });
        }
        end
    }

    /// The import that a path outside of imports begins with: that of a module, or a re-export.
    fn import(&self, name: &str) -> Option<&Import> {
        self.imports.iter().find(|import| import.name == name)
    }
}

/// The module path of a file below `src`.
fn module_path(file: &str) -> Path {
    let mut path: Path = file
        .trim_end_matches(".rs")
        .split('/')
        .map(String::from)
        .collect();
    if path
        .last()
        .is_some_and(|last| last == "mod" || last == "lib")
    {
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
