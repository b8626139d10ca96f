//! `config/surfaces.toml`, and the surfaces that a level uses.

use super::level::LevelFile;
use crate::files::tables::reader::read_tunables;
use crate::files::tables::tree::{Data, Table};
use hangtime_core::tuning::SurfaceTuning;
use hangtime_script::names::nearest;
use hangtime_script::{Diagnostic, Mistakes, Place};
use std::collections::BTreeMap;

/// The tuning of each surface of a level, in the level's order.
pub(crate) fn surfaces_of(file: &LevelFile<'_>, table: &Table, out: &mut Mistakes) -> Vec<SurfaceTuning> {
    let known = read_surfaces(table, out);
    let names = file.level.surfaces.iter().zip(&file.surface_places);
    names
        .map(|(name, place)| {
            if let (None, Some(place)) = (known.get(&**name), place) {
                out.push(unknown_surface(name, place, known.keys().copied()));
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
        match &node.value {
            Data::Table(table) => read_tunables(&mut surface, table, out),
            _ => {
                let message = format!("a surface is a table, as in [{}], not {}", key.name, node.kind());
                out.push(Diagnostic::error(node.place.clone(), message));
            }
        }
        known.insert(key.name.as_str(), surface);
    }
    known
}

/// The message for a surface without a table. A name close to a known one is a typo and an error;
/// any other works with default values.
fn unknown_surface<'a>(name: &str, place: &Place, known: impl Iterator<Item = &'a str>) -> Diagnostic {
    match nearest(name, known) {
        Some(right) => {
            let message = format!("there is no surface `{name}`; did you mean `{right}`?");
            Diagnostic::error(place.clone(), message)
        }
        None => {
            let message = format!("`{name}` is not in config/surfaces.toml, so its grip, friction and rebound are 1");
            Diagnostic::warning(place.clone(), message)
        }
    }
}
