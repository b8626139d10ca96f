//! Which files belong to a game: their folders, and the endings of their names.

use hangtime_script::{LEVEL_ENDINGS, Languages};
use std::path::Path;

/// The folders of a game.
pub(crate) const GAME_FOLDERS: [&str; 3] = ["config", "scripts", "levels"];

/// The folder of a game that has its mods.
pub(crate) const MODS: &str = "mods";

/// The settings of a whole game, in a game or a mod.
pub(crate) const CONFIG: &str = "config/hangtime.toml";

/// The surfaces of a game or a mod.
pub(crate) const SURFACES: &str = "config/surfaces.toml";

/// The folder with the files of kinds, in a game or a mod.
pub(crate) const KINDS: &str = "config/entities";

/// The endings of maps of Tiled, and of projects of LDtk.
pub(crate) const TILED: &str = LEVEL_ENDINGS[1];
pub(crate) const LDTK: &str = LEVEL_ENDINGS[2];

/// The ending of the file of a level of a project.
pub(crate) const LEVEL_OF_LDTK: &str = "ldtkl";

/// Maps, tilesets, templates, and projects with their levels: the files that can name others of these.
pub(crate) const MAP_ENDINGS: [&str; 5] = [TILED, "tsx", "tx", LDTK, LEVEL_OF_LDTK];

/// Whether a file is a map of Tiled or a project of LDtk, or belongs to one, by its name.
pub fn is_of_map(path: &Path) -> bool {
    path.extension().is_some_and(|ending| MAP_ENDINGS.iter().any(|e| ending == *e))
}

/// The file of a level, and which of its levels it is if the file can have several: `levels/world.ldtk#Cave` is the level
/// `Cave` of a project of LDtk.
pub(crate) fn split_level(name: &str) -> (&str, Option<&str>) {
    match name.rfind(&format!(".{LDTK}#")).map(|at| name.split_at(at + LDTK.len() + 1)) {
        Some((file, part)) if !part.contains(['/', '\\']) => (file, Some(&part[1..])),
        _ => (name, None),
    }
}

/// The name of the file of a level.
pub(crate) fn level_file(name: &str) -> &str {
    split_level(name).0
}

/// What people write: tuning, levels, maps with the files that they name, scripts, and inputs.
pub(crate) fn source_endings(languages: Languages) -> Vec<&'static str> {
    MAP_ENDINGS.into_iter().chain(["toml", "input"]).chain(languages.endings()).collect()
}

/// What decides how tests end: sources and golden traces.
pub(crate) fn tested_endings(languages: Languages) -> Vec<&'static str> {
    source_endings(languages).into_iter().chain(["trace"]).collect()
}
