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

/// What the part at a byte of a file is called: `level "Cave", layer "Things", entity "Hero" at row 3, column 4`. None if it
/// has no name.
pub fn titles(file: &Arc<SourceFile>) -> Box<dyn Fn(usize) -> Option<String> + '_> {
    Box::new(|at| {
        let mut names = Vec::new();
        let mut what = file.name.ends_with(".ldtkl").then_some("level");
        let mut part: &str = &file.text;
        loop {
            let holds = |part: &Raw<'_>| place_in(file, part.get()).span.contains(&at);
            if let Ok(list) = serde_json::from_str::<Vec<Raw<'_>>>(part) {
                match list.into_iter().find(holds) {
                    Some(inner) => part = inner.get(),
                    None => break,
                }
                continue;
            }
            let Ok(keys) = serde_json::from_str::<BTreeMap<&str, Raw<'_>>>(part) else {
                break;
            };
            names.extend(what.take().and_then(|what| name_of(what, &keys)));
            let Some((key, inner)) = keys.into_iter().find(|(_, part)| holds(part)) else {
                break;
            };
            what = LISTS.iter().find(|(list, _)| *list == key).map(|(_, what)| *what);
            part = inner.get();
        }
        (!names.is_empty()).then(|| names.join(", "))
    })
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
