//! Which files belong to a game: their folders, and the endings of their names.

use hangtime_script::Languages;
use std::path::Path;

/// The folders of a game.
pub(crate) const GAME_FOLDERS: [&str; 3] = ["config", "scripts", "levels"];

/// The folder of a game that has its mods.
pub(crate) const MODS: &str = "mods";

/// The settings of a whole game, in a game or a mod.
pub(crate) const CONFIG: &str = "config/hangtime.toml";

/// The folder with the files of kinds, in a game or a mod.
pub(crate) const KINDS: &str = "config/entities";

/// Maps, tilesets and templates: the files that can name others of these.
const MAP_ENDINGS: [&str; 3] = ["tmx", "tsx", "tx"];

/// Whether a file is a map, a tileset or a template, by its name.
pub(crate) fn can_refer(path: &Path) -> bool {
    path.extension().is_some_and(|ending| MAP_ENDINGS.iter().any(|e| ending == *e))
}

/// What people write: tuning, levels, maps with their tilesets and templates, scripts, and inputs.
pub(crate) fn source_endings(languages: Languages) -> Vec<&'static str> {
    MAP_ENDINGS.into_iter().chain(["toml", "input"]).chain(languages.endings()).collect()
}

/// What decides how tests end: sources and golden traces.
pub(crate) fn tested_endings(languages: Languages) -> Vec<&'static str> {
    source_endings(languages).into_iter().chain(["trace"]).collect()
}
