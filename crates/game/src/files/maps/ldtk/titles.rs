//! What the parts of a file are called in messages.

use super::*;
use crate::files::disk::endings::LEVEL_OF_LDTK;
use hangtime_script::text::{cut_name, printable_name};

/// The lists whose items are named, and what an item is called.
const LISTS: [(&str, &str); 6] = [
    ("levels", "level"),
    ("layerInstances", "layer"),
    ("entityInstances", "entity"),
    ("layers", "layer"),
    ("entities", "entity"),
    ("tilesets", "tileset"),
];

/// How deep such lists are in a file, in lists and objects.
const DEEPEST: usize = 12;

/// What the parts at these bytes of a file are called: `level "Cave", layer "Things", entity "Hero" at row 3, column 4`.
pub fn titles(file: &Arc<SourceFile>, places: &BTreeSet<usize>) -> BTreeMap<usize, String> {
    let mut naming = Naming { places, found: BTreeMap::new() };
    if let Ok(all) = Part::all_of(file) {
        let key = if file.name.ends_with(LEVEL_OF_LDTK) { "levels" } else { all.key };
        naming.visit(Part { key, ..all }, "", DEEPEST);
    }
    naming.found
}

struct Naming<'f> {
    places: &'f BTreeSet<usize>,
    found: BTreeMap<usize, String>,
}

impl Naming<'_> {
    /// Names the places in a part, which is in others with a name.
    fn visit(&mut self, part: Part<'_>, outer: &str, deepest: usize) {
        let mut inside = self.places.range(part.span()).peekable();
        if inside.peek().is_none() || deepest == 0 {
            return;
        }
        let Ok(parts) = part.object() else {
            // It is a list, or has nothing in it.
            let _ = part.each(&mut |item| {
                self.visit(item, outer, deepest - 1);
                Ok(())
            });
            return;
        };
        let what = LISTS.iter().find(|(list, _)| *list == part.key);
        let own = what.and_then(|(_, what)| name_of(what, &parts)).map(|name| match outer {
            "" => name,
            outer => format!("{outer}, {name}"),
        });
        self.found.extend(inside.filter_map(|at| Some((*at, own.clone()?))));
        for inner in parts.all() {
            self.visit(inner, own.as_deref().unwrap_or(outer), deepest - 1);
        }
    }
}

fn name_of(what: &str, parts: &Members<'_>) -> Option<String> {
    let name = parts.get("__identifier").or(parts.get("identifier"))?.string().ok()?;
    let cell = parts.get("__grid").and_then(|cell| cell.pair(|at| at.whole(WHOLE)).ok());
    let cell = cell.map(|[column, row]| format!(" at row {row}, column {column}")).unwrap_or_default();
    Some(format!("{what} \"{}\"{cell}", printable_name(&cut_name(&name))))
}
