//! `config/surfaces.toml`, and which of its surfaces a level has.

use super::level::LevelFile;
use super::reader::read_tunables;
use super::tree::{Data, Table};
use crate::script::host::names::nearest;
use crate::script::host::{Diagnostic, Place};
use crate::tuning::SurfaceTuning;
use std::collections::BTreeMap;

/// What each surface of a level does, in the level's order.
pub(super) fn surfaces_of(
    file: &LevelFile<'_>,
    table: &Table,
    out: &mut Vec<Diagnostic>,
) -> Vec<SurfaceTuning> {
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

/// Reads `config/surfaces.toml`: a table for each surface.
pub(super) fn read_surfaces<'a>(
    table: &'a Table,
    out: &mut Vec<Diagnostic>,
) -> BTreeMap<&'a str, SurfaceTuning> {
    let mut known = BTreeMap::new();
    for (key, node) in &table.entries {
        let mut surface = SurfaceTuning::default();
        match &node.value {
            Data::Table(table) => read_tunables(&mut surface, table, &[], out),
            _ => {
                let why = format!(
                    "a surface is a table, as in [{}], not {}",
                    key.name,
                    node.kind()
                );
                out.push(Diagnostic::error(node.place.clone(), why));
            }
        }
        known.insert(key.name.as_str(), surface);
    }
    known
}

/// A surface that no file describes: a slip if its name is nearly that of another, else one whose
/// values are all 1.
fn unknown_surface<'a>(
    name: &str,
    place: &Place,
    known: impl Iterator<Item = &'a str>,
) -> Diagnostic {
    match nearest(name, known) {
        Some(right) => {
            let why = format!("there is no surface `{name}`; did you mean `{right}`?");
            Diagnostic::error(place.clone(), why)
        }
        None => {
            let why = format!(
                "`{name}` is not in config/surfaces.toml: its grip, friction and rebound are 1"
            );
            Diagnostic::warning(place.clone(), why)
        }
    }
}
