//! Which object of a map a message is about.

use super::xml::{XmlTag, XmlTree};
use hangtime_script::text::{cut_name, printable_name};
use hangtime_script::{Diagnostic, SourceFile};
use std::sync::Arc;

/// The endings of the names of Tiled's files.
const ENDINGS: [&str; 3] = [".tmx", ".tsx", ".tx"];

/// Adds the number and name of the object to each message about one: `object 12 "gap": …`.
pub(crate) fn name_objects(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut trees: Vec<(Arc<SourceFile>, Option<XmlTree>)> = Vec::new();
    for diagnostic in &mut diagnostics {
        let Some(place) = &diagnostic.place else {
            continue;
        };
        let file = &place.file;
        if !ENDINGS.iter().any(|ending| file.name.ends_with(ending)) {
            continue;
        }
        let known = trees.iter().position(|(other, _)| Arc::ptr_eq(other, file));
        let known = known.unwrap_or_else(|| {
            trees.push((Arc::clone(file), XmlTree::parse(file).ok()));
            trees.len() - 1
        });
        let named = |tag: XmlTag<'_>| matches!(tag.name(), "object" | "tile" | "layer" | "objectgroup" | "tileset");
        let tag = trees[known].1.as_ref().and_then(|tree| tree.innermost(place.span.start, named));
        if let Some(tag) = tag {
            diagnostic.message = format!("{}: {}", title(tag), diagnostic.message);
        }
    }
    diagnostics
}

/// What an element is called in messages: `object 12 "gap"`.
pub(super) fn title(tag: XmlTag<'_>) -> String {
    let what = match tag.name() {
        "objectgroup" => "layer",
        other => other,
    };
    let short = |name: &str| printable_name(&cut_name(name)).into_owned();
    let number = tag.get("id").map(|id| format!(" {}", short(&id))).unwrap_or_default();
    let name = tag.get("name").filter(|name| !name.is_empty());
    let name = name.map(|name| format!(" \"{}\"", short(&name))).unwrap_or_default();
    format!("{what}{number}{name}")
}
