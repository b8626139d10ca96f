//! The files that a level depends on: an edit of any other one does not change how it plays.

use crate::{
    files::{disk::endings::is_of_map, sources::imports::with_imports},
    live::build::revision::Revision,
};
use std::{collections::BTreeSet, path::Path};

impl Revision {
    /// The files that this level is made of, by path below the game folder: the level and its demo, what
    /// all levels have in common, the kinds that are in it or may be spawned, and their scripts with all
    /// that these import.
    pub fn used_files(&self) -> BTreeSet<String> {
        let shared = |name: &&String| {
            let name = self.mods.local(name);
            let kind = name.starts_with("config/entities/");
            let behavior = name.starts_with("scripts/");
            !kind && !behavior && (!name.ends_with(".input") || self.names_in_level(name))
        };
        let mut used: BTreeSet<String> = self.files.keys().filter(shared).cloned().collect();
        for kind in self.stage.kinds.keys() {
            let file = format!("config/entities/{kind}.toml");
            let layers = self.mods.layers.iter();
            let of_mods = layers.map(|layer| format!("{}/{file}", layer.folder));
            used.extend(of_mods.filter(|file| self.files.contains_key(file)));
            used.insert(file);
        }
        let scripts = self.scripts.all().iter();
        used.extend(self.with_imports(scripts.map(|script| script.name().to_string())));
        used
    }

    /// These scripts, by path below the game folder, and all that they import, directly or through others.
    pub fn with_imports(&self, scripts: impl IntoIterator<Item = String>) -> BTreeSet<String> {
        with_imports(scripts, self.scripts.languages(), &self.files)
    }

    /// Whether the level names this input file, which is in its folder.
    fn names_in_level(&self, input: &str) -> bool {
        let name = input.rsplit('/').next().unwrap_or_default();
        let levels = self.files.iter();
        let mut levels = levels.filter(|(level, _)| {
            !self.mods.local(level).starts_with("config/") && (level.ends_with(".toml") || is_of_map(Path::new(level)))
        });
        levels.any(|(_, level)| level.text.contains(name))
    }
}
