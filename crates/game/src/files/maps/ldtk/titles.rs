//! What the parts of a file are called in messages.

use super::*;
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
    let mut naming = Naming { file, places, found: BTreeMap::new() };
    let what = file.name.ends_with(".ldtkl").then_some("level");
    naming.visit(&file.text, what, "", DEEPEST);
    naming.found
}

struct Naming<'f> {
    file: &'f Arc<SourceFile>,
    places: &'f BTreeSet<usize>,
    found: BTreeMap<usize, String>,
}

impl Naming<'_> {
    /// Names the places in a part, which is in others with a name.
    fn visit(&mut self, part: &str, what: Option<&str>, outer: &str, deepest: usize) {
        let mut inside = self.places.range(place_in(self.file, part).span).peekable();
        if inside.peek().is_none() || deepest == 0 {
            return;
        }
        if let Ok(list) = serde_json::from_str::<Vec<Raw<'_>>>(part) {
            return list.into_iter().for_each(|item| self.visit(item.get(), what, outer, deepest - 1));
        }
        let Ok(keys) = serde_json::from_str::<BTreeMap<&str, Raw<'_>>>(part) else {
            return;
        };
        let own = what.and_then(|what| name_of(what, &keys)).map(|name| match outer {
            "" => name,
            outer => format!("{outer}, {name}"),
        });
        self.found.extend(inside.filter_map(|at| Some((*at, own.clone()?))));
        for (key, inner) in keys {
            let what = LISTS.iter().find(|(list, _)| *list == key).map(|(_, what)| *what);
            self.visit(inner.get(), what, own.as_deref().unwrap_or(outer), deepest - 1);
        }
    }
}

fn name_of(what: &str, keys: &BTreeMap<&str, Raw<'_>>) -> Option<String> {
    let name = keys.get("__identifier").or(keys.get("identifier"))?;
    let name: String = serde_json::from_str(name.get()).ok()?;
    let cell = keys.get("__grid").and_then(|cell| serde_json::from_str(cell.get()).ok());
    let cell = cell
        .map(|[column, row]: [i32; 2]| format!(" at row {row}, column {column}"))
        .unwrap_or_default();
    Some(format!("{what} \"{}\"{cell}", printable_name(&cut_name(&name))))
}
