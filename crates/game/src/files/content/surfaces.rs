//! `config/surfaces.toml`, and the surfaces that a level uses.

use super::{level::LevelFile, *};
use crate::files::tables::reader::read_tunables;
use hangtime_script::nearest;

/// The tuning of each surface of a level, in the level's order.
pub(crate) fn surfaces_of(file: &LevelFile<'_>, table: &Table, out: &mut Mistakes) -> Vec<SurfaceTuning> {
    let known = read_surfaces(table, out);
    let names = file.level.surfaces.iter().zip(&file.surface_places);
    names
        .map(|(name, place)| {
            if let (None, Some(place)) = (known.get(&**name), place) {
                report_unknown(name, place, known.keys().copied(), out);
            }
            known.get(&**name).cloned().unwrap_or_default()
        })
        .collect()
}

/// Reads `config/surfaces.toml`, which has one table for each surface.
pub(crate) fn read_surfaces<'a>(table: &'a Table, out: &mut Mistakes) -> BTreeMap<&'a str, SurfaceTuning> {
    let mut known = BTreeMap::new();
    for (key, node) in &table.entries {
        let mut surface = SurfaceTuning::default();
        match node.table() {
            Some(table) => read_tunables(&mut surface, table, out),
            None => out.error(&node.place, format!("a surface is a table, as in [{}], not {}", key.name, node.kind())),
        }
        known.insert(key.name.as_str(), surface);
    }
    known
}

/// Reports a surface without a table. A name close to a known one is a typo and an error; any other works with default
/// values.
fn report_unknown<'a>(name: &str, place: &Place, known: impl Iterator<Item = &'a str>, out: &mut Mistakes) {
    match nearest(name, known) {
        Some(right) => out.error(place, format!("there is no surface `{name}`; did you mean `{right}`?")),
        None => {
            out.warn(
                place,
                format!("`{name}` is not in config/surfaces.toml, so its grip, friction and rebound are 1"),
            );
        }
    }
}
