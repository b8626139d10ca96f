//! Levels that are drawn in an editor: maps of Tiled, `levels/NAME.tmx`, and projects of LDtk, `levels/NAME.ldtk`.

pub(crate) mod common;
mod ldtk;
mod tiled;

use crate::files::disk::endings::{LDTK, LEVEL_OF_LDTK, TILED, is_of_map, level_file, split_level};
use common::MapLevel;
pub(crate) use common::{CLASSES, DrawnLayer, MapSources};
use hangtime_script::{Diagnostic, Mistakes, SourceFile};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::Arc,
};

/// The largest number of files that a map can refer to.
pub(crate) const MOST_REFERENCES: usize = 256;

/// Whether a level is drawn in an editor, by its name.
pub(crate) fn is_map(level: &str) -> bool {
    unsaved_in(level).is_some()
}

/// Why numbers are not saved in a level that is drawn in an editor; none for other levels.
pub(crate) fn unsaved_in(level: &str) -> Option<&'static str> {
    match ending_of(level_file(level)) {
        TILED => Some("is a map of Tiled; set the property there"),
        LDTK => Some("is a project of LDtk; set the field there"),
        _ => None,
    }
}

fn is_of_ldtk(file: &str) -> bool {
    matches!(ending_of(file), LDTK | LEVEL_OF_LDTK)
}

fn ending_of(file: &str) -> &str {
    file.rsplit_once('.').map_or("", |(_, ending)| ending)
}

/// Reads a map. Every value has its place in the map or in one of the files that it names. None if the map cannot be
/// read.
pub(crate) fn read_map(sources: MapSources<'_>, level: &str, out: &mut Mistakes) -> Option<MapLevel> {
    let (name, part) = split_level(level);
    let file = sources.files.get(name)?;
    if is_of_ldtk(name) {
        ldtk::read_level(sources, file, part, out)
    } else {
        tiled::read_map(sources, file, out)
    }
}

/// The names of the levels in a map that has several; none for other files.
pub(crate) fn levels_in(file: &Arc<SourceFile>) -> Vec<String> {
    let levels = if is_of_ldtk(&file.name) { ldtk::level_names(file) } else { Vec::new() };
    if levels.len() > 1 { levels } else { Vec::new() }
}

/// Which files of a map are wanted.
#[derive(Clone, Copy)]
pub(crate) enum MapParts<'a> {
    /// Those of all its levels.
    All,
    /// Those of one of its levels; without a name, of the first one.
    Level(Option<&'a str>),
}

/// The names and paths of the files that a map, or a file that one names, refers to. A file that cannot be parsed has none.
pub(crate) fn referred_files(file: &Arc<SourceFile>, at: &Path, parts: MapParts<'_>) -> Vec<(String, PathBuf)> {
    let paths = if is_of_ldtk(&file.name) {
        ldtk::level_files(file, parts)
    } else {
        tiled::named_files(file)
    };
    let named = |path: String| (common::resolve_name(&file.name, &path), at.with_file_name(path.replace('\\', "/")));
    paths.into_iter().map(named).collect()
}

/// Adds the number and name of the object to each message about one: `object 12 "gap": …`.
pub(crate) fn name_objects(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let files = diagnostics.iter().filter_map(|diagnostic| Some(&diagnostic.place.as_ref()?.file));
    let files = files.filter(|file| is_of_map(Path::new(&file.name)));
    let files: BTreeMap<String, Arc<SourceFile>> = files.map(|file| (file.name.clone(), Arc::clone(file))).collect();
    for file in files.values() {
        let at = |diagnostic: &Diagnostic| {
            let place = diagnostic.place.as_ref().filter(|place| place.file.name == file.name);
            place.map(|place| place.span.start)
        };
        let places: BTreeSet<usize> = diagnostics.iter().filter_map(at).collect();
        let titles = if is_of_ldtk(&file.name) {
            ldtk::titles(file, &places)
        } else {
            tiled::titles(file, &places)
        };
        for diagnostic in &mut diagnostics {
            if let Some(title) = at(diagnostic).and_then(|at| titles.get(&at)) {
                diagnostic.message = format!("{title}: {}", diagnostic.message);
            }
        }
    }
    diagnostics
}
