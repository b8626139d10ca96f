//! The files of a map: itself, its tilesets and templates, all of them read before.

use super::guard::{TiledFile, check_file};
use super::xml::{XmlTag, XmlTree};
use hangtime_script::{Diagnostic, Mistakes, SourceFile};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Cursor};
use std::path::Path;
use std::sync::Arc;

/// The largest number of files that a map can refer to.
pub(crate) const MOST_REFERENCES: usize = 256;

/// What was read before.
#[derive(Clone, Copy)]
pub(crate) struct MapSources<'a> {
    /// The files, by their names.
    pub files: &'a BTreeMap<String, Arc<SourceFile>>,
    /// The names of all kinds.
    pub kinds: &'a BTreeSet<String>,
    /// Why others could not be read.
    pub unreadable: &'a [Diagnostic],
}

/// The parsed files of a map.
pub(super) struct TiledFiles {
    pub map: XmlTree,
    others: BTreeMap<String, XmlTree>,
}

impl TiledFiles {
    /// Parses a map and what it refers to. None if one of them cannot be read.
    pub fn read(sources: MapSources<'_>, file: &Arc<SourceFile>, out: &mut Mistakes) -> Option<Self> {
        let map = parse(file, TiledFile::Map, out)?;
        let mut others: BTreeMap<String, XmlTree> = BTreeMap::new();
        let mut complete = true;
        let mut next = references_of(&map, sources, &mut complete, out);
        while let Some((name, kind)) = next.pop() {
            if others.contains_key(&name) {
                continue;
            }
            let Some(file) = sources.files.get(&name) else {
                continue;
            };
            match parse(file, kind, out) {
                Some(tree) => {
                    next.append(&mut references_of(&tree, sources, &mut complete, out));
                    others.insert(name, tree);
                }
                None => complete = false,
            }
        }
        complete.then_some(Self { map, others })
    }

    /// The file that an element of a tree names in an attribute.
    pub fn named_by(&self, tag: XmlTag<'_>, attribute: &str) -> Option<&XmlTree> {
        let source = tag.get(attribute)?;
        self.others.get(&resolve_name(&tag.tree.file.name, &source))
    }

    /// Lets the `tiled` crate read the map from these texts.
    pub fn load(&self) -> Result<tiled::Map, tiled::Error> {
        let read = |path: &Path| -> io::Result<Cursor<TextBytes>> {
            let name = resolve_name("", &path.to_string_lossy());
            let tree = self.others.get(&name);
            let tree = tree.or_else(|| (name == plain_name(&self.map.file.name)).then_some(&self.map));
            match tree {
                Some(tree) => Ok(Cursor::new(TextBytes(Arc::clone(&tree.file)))),
                None => Err(io::ErrorKind::NotFound.into()),
            }
        };
        tiled::Loader::with_reader(read).load_tmx_map(&self.map.file.name)
    }
}

/// The bytes of a file that was read before.
struct TextBytes(Arc<SourceFile>);

impl AsRef<[u8]> for TextBytes {
    fn as_ref(&self) -> &[u8] {
        self.0.text.as_bytes()
    }
}

fn parse(file: &Arc<SourceFile>, kind: TiledFile, out: &mut Mistakes) -> Option<XmlTree> {
    match XmlTree::parse(file) {
        Ok(tree) => check_file(&tree, kind, out).then_some(tree),
        Err(wrong) => {
            out.push(wrong);
            None
        }
    }
}

/// The files that a file refers to. Reports those that do not exist.
fn references_of(
    tree: &XmlTree,
    sources: MapSources<'_>,
    complete: &mut bool,
    out: &mut Mistakes,
) -> Vec<(String, TiledFile)> {
    let mut found = Vec::new();
    for (tag, attribute, kind) in references(tree.root()) {
        let source = tag.get(attribute).unwrap_or_default();
        let name = resolve_name(&tree.file.name, &source);
        if sources.files.get(&name).is_none() {
            *complete = false;
            if sources.unreadable.iter().all(|wrong| wrong.file_name() != name) {
                let message = format!("there is no file `{source}`; its path starts at the folder of this file");
                out.push(Diagnostic::error(tag.place_of(attribute), message));
            }
        }
        found.push((name, kind));
    }
    found
}

/// The elements that refer to other files, with the attribute that does.
fn references(root: XmlTag<'_>) -> Vec<(XmlTag<'_>, &'static str, TiledFile)> {
    let mut found = Vec::new();
    let mut next = vec![root];
    while let Some(tag) = next.pop() {
        match tag.name() {
            "tileset" if tag.raw("source").is_some() => {
                found.push((tag, "source", TiledFile::Tileset));
            }
            "object" if tag.raw("template").is_some() => {
                found.push((tag, "template", TiledFile::Template));
            }
            _ => {}
        }
        next.extend(tag.children());
    }
    found
}

/// The names of the files that a map, tileset or template refers to, as they are spelled there. A file
/// that is not valid XML has none.
pub(crate) fn referred_files(file: &Arc<SourceFile>) -> Vec<String> {
    let Ok(tree) = XmlTree::parse(file) else {
        return Vec::new();
    };
    let found = references(tree.root()).into_iter();
    let mut names: Vec<String> =
        found.filter_map(|(tag, attribute, _)| Some(tag.get(attribute)?.into_owned())).collect();
    names.sort();
    names.dedup();
    names
}

/// The name of a file that another one names by a path from its own folder.
pub(crate) fn resolve_name(from: &str, path: &str) -> String {
    let path = path.replace('\\', "/");
    match from.rsplit_once('/') {
        Some((folder, _)) if !path.starts_with('/') => plain_name(&format!("{folder}/{path}")),
        _ => plain_name(&path),
    }
}

/// A path without `.` and `..`.
fn plain_name(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." if parts.last().is_some_and(|last| *last != ".." && !last.is_empty()) => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::resolve_name;

    #[test]
    fn paths_start_at_the_folder_of_the_file_that_names_them() {
        for (from, path, name) in [
            ("levels/a.tmx", "b.tsx", "levels/b.tsx"),
            ("levels/a.tmx", "../art/b.tsx", "art/b.tsx"),
            ("levels/a.tmx", "./x/../b.tsx", "levels/b.tsx"),
            ("levels/a.tmx", "../../b.tsx", "../b.tsx"),
            ("a.tmx", "b.tsx", "b.tsx"),
            ("a.tmx", "x/b.tsx", "x/b.tsx"),
            ("/game/levels/a.tmx", "../b.tsx", "/game/b.tsx"),
            ("levels/a.tmx", "/etc/b.tsx", "/etc/b.tsx"),
            ("", "levels/../art/b.tsx", "art/b.tsx"),
            ("levels/a.tmx", "art\\b.tsx", "levels/art/b.tsx"),
        ] {
            assert_eq!(resolve_name(from, path), name, "{from} {path}");
        }
    }
}
